import NMEA
import Quantities
import Testing

/// Lines for gpsd's clients.
@Suite struct TPVTests {
  private func fix(
    _ second: Double?, _ latitude: Double?, _ longitude: Double = 0, mode: FixMode = .twoDimensional,
    speed: Double? = nil
  ) -> GNSSFix {
    var fix = GNSSFix(time: .zero)
    fix.utc = second.map { UTCTime(microseconds: Int64($0 * 1_000_000)) }
    fix.mode = mode
    fix.position = latitude.flatMap { GeodeticPosition(latitudeDegrees: $0, longitudeDegrees: longitude) }
    fix.speed = speed
    return fix
  }

  /// The speeds of the lines; nil where there is none.
  private func speeds(_ fixes: [GNSSFix]) -> [String?] {
    tpvLines(fixes).split(separator: "\n").map { line in
      guard let start = line.range(of: "\"speed\":") else { return nil }
      return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
    }
  }

  @Test func aMissingSpeedIsTheWaySinceTheEpochBefore() {
    // A thousandth of a degree: 111.3195 m along the equator, 110.5743 m of a meridian there.
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.001)]) == [nil, "111.319"])
    #expect(speeds([fix(1, 0, 0), fix(2, 0.001, 0)]) == [nil, "110.574"])
    #expect(speeds([fix(1, 0, 0), fix(3, 0, -0.001)]) == [nil, "55.660"])
    #expect(speeds([fix(1, 60, 0), fix(2, 60, 0.001)]) == [nil, "55.800"])
    #expect(speeds([fix(1, 0, 0), fix(2, 0.003, 0.004)]) == [nil, "555.259"])
    // Over the antimeridian, both ways.
    #expect(speeds([fix(1, 0, 179.9995), fix(2, 0, -179.9995)]) == [nil, "111.319"])
    #expect(speeds([fix(1, 0, -179.9995), fix(2, 0, 179.9995)]) == [nil, "111.319"])
  }

  @Test func aSpeedThatIsMeasuredIsNotWorkedOut() {
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.001, speed: 3.25)]) == [nil, "3.250"])
    #expect(speeds([fix(1, 0, 0, speed: 0)]) == ["0.000"])
  }

  @Test func withoutTwoPlacesAtTwoTimesThereIsNoSpeed() {
    #expect(speeds([fix(1, 0, 0), fix(1, 0, 0.001)]) == [nil, nil], "the same epoch told twice")
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.001), fix(2, 0, 0.001)]) == [nil, "111.319", "111.319"])
    #expect(speeds([fix(1, 0, 0), fix(nil, 0, 0.001)]) == [nil, nil], "no time")
    #expect(speeds([fix(1, 0, 0), fix(nil, 0, 5), fix(2, 0, 0.001)]) == [nil, nil, "111.319"])
    #expect(speeds([fix(2, 0, 0), fix(1, 0, 0.001)]) == [nil, nil], "time goes back")
    #expect(speeds([fix(1, nil), fix(2, 0, 0.001)]) == [nil, nil])
    #expect(speeds([fix(1, 0, 0), fix(2, nil)]) == [nil, nil])
    #expect(speeds([fix(1, 0, 0, mode: .none), fix(2, 0, 0.001)]) == [nil, nil], "no fix before")
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.001, mode: .unknown)]) == [nil, nil])
    // What is faster than 10 km/s is no speed.
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.0898)]) == [nil, "9996.490"])
    #expect(speeds([fix(1, 0, 0), fix(2, 0, 0.0899)]) == [nil, nil])
  }

  @Test func everyValueHasItsNameUnitAndDecimals() {
    var all = fix(0.0006, -33.123456789, 151.000000001, mode: .threeDimensional, speed: 12.3456)
    all.heightAboveSeaLevel = -1.23456
    all.heightAboveEllipsoid = 20.5
    all.course = Double.pi
    #expect(
      tpvLines([all])
        == "{\"class\":\"TPV\",\"mode\":3,\"time\":\"1970-01-01T00:00:00.000Z\",\"lat\":-33.123456789,\"lon\":151.000000001,"
        + "\"altHAE\":20.5000,\"altMSL\":-1.2346,\"track\":180.0000,\"speed\":12.346}\n")
    #expect(tpvLines([fix(nil, nil, mode: .none)]) == "{\"class\":\"TPV\",\"mode\":1}\n")
  }
}
