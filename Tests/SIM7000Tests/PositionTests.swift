import ATCommands
import Quantities
import Testing

@testable import SIM7000

@Suite struct PositionTests {
  private let shanghai =
    "+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,0.00,0.0,1,,1.1,1.4,0.9,,21,6,,,45,,"

  /// The line with one field replaced, counted from 0.
  private func changed(_ index: Int, to value: String) -> String {
    var fields = shanghai.dropFirst("+CGNSINF: ".count).split(separator: ",", omittingEmptySubsequences: false)
    fields[index] = Substring(value)
    return "+CGNSINF: " + fields.joined(separator: ",")
  }

  @Test func aFixIsReadInSIUnits() throws {
    let fix = try #require(read(CGNSINF.Execute.self, shanghai)).fix(at: .seconds(7))
    #expect(fix.time == .seconds(7))
    #expect(fix.utc == UTCTime(microseconds: 1_509_675_992_000_000))
    #expect(fix.mode == .threeDimensional && fix.quality == .autonomous && fix.hasPosition)
    #expect(fix.position?.latitudeE9 == 31_222_067_000 && fix.position?.longitudeE9 == 121_354_368_000)
    #expect(fix.heightAboveSeaLevel == 34.7 && fix.speed == 0 && fix.course == 0)
    #expect(fix.dilution == DilutionOfPrecision(horizontal: 1.1, vertical: 0.9, position: 1.4))
    #expect(fix.satellitesUsed == 6 && fix.satellitesInView.total == 21)
    let accuracy = try #require(fix.horizontalAccuracy)
    #expect(abs(accuracy - 1.1 * 4 * 1.0674) < 1e-5)
    #expect(abs((fix.verticalAccuracy ?? 0) - 3.6) < 1e-5)
    let moving = try #require(read(CGNSINF.Execute.self, changed(6, to: "36.00"))).fix
    #expect(moving.speed == 10)
    #expect(abs((try #require(read(CGNSINF.Execute.self, changed(7, to: "90.0"))).fix.course ?? 0) - .pi / 2) < 1e-12)
    #expect(read(CGNSINF.Execute.self, shanghai)?.strongestSignal == 45)
  }

  @Test func aNoticeSaysTheSameAndMayHaveAFieldMore() throws {
    let line = "+UGNSINF: 1,1,20220126140944.000,57.715185,11.973960,44.600,0.00,214.5,1,,1.4,,,,29,5,,,52,,"
    for line in [line, line + ",", line.replacing("+UGNSINF: ", with: "+UGNSINF:")] {
      guard case .position(let notice) = notice(line) else {
        Issue.record("\(line) is not understood")
        continue
      }
      let fix = notice.report.fix
      #expect(fix.mode == .threeDimensional && fix.dilution.vertical == nil && fix.verticalAccuracy == nil)
      #expect(fix.satellitesUsed == 5)
    }
  }

  @Test func searchingAndOffAreNoFix() throws {
    for line in ["+CGNSINF: 1,0,,,,,,,0,,,,,,,,,,,,", "+CGNSINF: 0,,,,,,,,,,,,,,,,,,,,"] {
      let report = try #require(read(CGNSINF.Execute.self, line), "\(line)")
      #expect(report.fix.mode == .none && !report.fix.hasPosition)
    }
    #expect(read(CGNSINF.Execute.self, "+CGNSINF: 1,0,,,,,,,0,,,,,,,,,,,")?.isRunning == nil)
  }

  @Test func withoutHeightOrSatellitesAFixIsFlat() {
    #expect(read(CGNSINF.Execute.self, changed(5, to: ""))?.fix.mode == .twoDimensional)
    let poor = "+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,0.00,0.0,1,,1.1,,,,21,3,,,45,,"
    #expect(read(CGNSINF.Execute.self, poor)?.fix.mode == .twoDimensional)
    #expect(read(CGNSINF.Execute.self, poor.replacing(",0.0,1,", with: ",0.0,2,"))?.fix.mode == .threeDimensional)
  }

  @Test func aFixWithoutAPlaceIsDamage() {
    for (index, value) in [
      (0, "2"), (0, ""), (1, "2"), (1, ""), (3, "90.000001"), (3, ""), (3, "31.2.2"), (4, "-180.1"), (4, "x"),
      (3, "99999999999999999999"),
    ] { #expect(read(CGNSINF.Execute.self, changed(index, to: value)) == nil, "field \(index): \(value)") }
  }

  @Test func anyOtherFieldThatIsWrongIsUnknown() throws {
    let utcs = [
      "", "022632.000", "20171301022632.000", "20171103242632.000", "19800106000000.000", "2017110302263.000",
      "20171103022632.",
    ]
    for value in utcs {
      let report = try #require(read(CGNSINF.Execute.self, changed(2, to: value)), "\(value)")
      #expect(report.fix.utc == nil && report.fix.hasPosition, "\(value)")
    }
    for value in ["", "-1", "1000.1", "fast"] {
      let report = try #require(read(CGNSINF.Execute.self, changed(6, to: value)))
      #expect(report.fix.speed == nil && report.fix.hasPosition, "\(value)")
    }
    for value in ["", "-1", "360.1"] {
      #expect(try #require(read(CGNSINF.Execute.self, changed(7, to: value))).fix.course == nil, "\(value)")
    }
    for value in ["", "-1", "100", "0"] {
      let report = try #require(read(CGNSINF.Execute.self, changed(10, to: value)))
      #expect(report.fix.dilution.horizontal == nil && report.fix.horizontalAccuracy == nil, "\(value)")
    }
    for value in ["", "100", "x"] {
      #expect(try #require(read(CGNSINF.Execute.self, changed(15, to: value))).fix.satellitesUsed == nil, "\(value)")
    }
    #expect(try #require(read(CGNSINF.Execute.self, changed(5, to: "200000"))).fix.heightAboveSeaLevel == nil)
    #expect(try #require(read(CGNSINF.Execute.self, changed(19, to: "3.5"))).fix.horizontalAccuracy == 3.5)
    #expect(try #require(read(CGNSINF.Execute.self, changed(20, to: "5"))).fix.verticalAccuracy == 5)
    #expect(try #require(read(CGNSINF.Execute.self, changed(16, to: "4"))).fix.satellitesUsed == 10)
  }
}
