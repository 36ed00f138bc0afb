import NMEA
import Quantities
import Testing

/// What is written is read again to the same value, for values of every size and with anything unknown.
@Suite struct RoundTripTests {
  private var generator = SeededGenerator(state: 2026)

  private mutating func maybe<T>(_ value: T) -> T? { Int.random(in: 0..<5, using: &generator) == 0 ? nil : value }

  /// Amounts with few digits and many, at the ends of their range too.
  private mutating func amount(_ limit: Int32) -> Int32? {
    let edges: [Int32] = [0, 1, -1, 10, 100, 9_999, 10_000, limit, -limit]
    let drawn = Int32.random(in: -limit...limit, using: &generator)
    return maybe(Int.random(in: 0..<3, using: &generator) == 0 ? edges.randomElement(using: &generator) ?? 0 : drawn)
  }

  private mutating func whole(_ limit: UInt16) -> UInt16? { maybe(UInt16.random(in: 0...limit, using: &generator)) }

  private mutating func time() -> Int64? {
    let step = [1_000_000, 10_000, 1_000, 100, 1].randomElement(using: &generator) ?? 1
    let limit = 86_401_000_000 / step - 1
    return maybe(Int64(Int.random(in: 0...limit, using: &generator) * step))
  }

  private mutating func angle(_ limit: Int64) -> Int64? {
    maybe(Int64.random(in: -limit...limit, using: &generator) * 1_000_000_000 + 500_000_000)
  }

  private mutating func mode() -> ModeIndicator {
    ModeIndicator([0, 0x41, 0x44, 0x4E, 0x52].randomElement(using: &generator) ?? 0)
  }

  private func check(_ sentence: some EncodableSentence, _ wrapped: Sentence) {
    var list = ByteList()
    #expect(sentence.encode(into: &list))
    guard let read = try? parse(list.text) else {
      Issue.record("not read again: \(list.text)")
      return
    }
    #expect(properties(of: read) == properties(of: wrapped), "\(list.text)")
    // Nothing is written that need not be: written again it is the same text.
    #expect(list.text.utf8.last == 0x0A && !list.text.contains("--") && !list.text.contains(".,"))
  }

  @Test mutating func positionsAndTimes() {
    for _ in 0..<400 {
      var rmc = RMC()
      rmc.talker = [.gps, .combined, .beiDou].randomElement(using: &generator) ?? .gps
      rmc.timeOfDayMicroseconds = time()
      rmc.status = [.valid, .void, .differential, .unknown].randomElement(using: &generator) ?? .void
      (rmc.latitudeE9, rmc.longitudeE9) = (angle(89), angle(179))
      (rmc.speedKnotsE6, rmc.courseDegreesE4) = (amount(9_999_999), amount(3_599_999))
      rmc.date = maybe(
        ShortDate(
          day: UInt8.random(in: 1...31, using: &generator), month: UInt8.random(in: 1...12, using: &generator),
          yearOfCentury: UInt8.random(in: 0...99, using: &generator)))
      rmc.magneticVariationDegreesE4 = amount(1_799_999)
      rmc.mode = mode()
      rmc.navigationStatus = [.absent, .safe, .notProvided].randomElement(using: &generator) ?? .absent
      check(rmc, .rmc(rmc))
      var gga = GGA()
      (gga.timeOfDayMicroseconds, gga.latitudeE9, gga.longitudeE9) = (time(), angle(89), angle(179))
      (gga.quality, gga.satellitesUsed) = (whole(9), whole(99))
      (gga.horizontalDilutionE2, gga.heightE4, gga.geoidSeparationE4) = (
        amount(999), amount(9_999_999), amount(99_999)
      )
      (gga.correctionAgeE2, gga.correctionStation) = (amount(9999), whole(1023))
      check(gga, .gga(gga))
      var gns = GNS()
      (gns.timeOfDayMicroseconds, gns.latitudeE9, gns.longitudeE9) = (time(), angle(89), angle(179))
      for place in 0..<Int.random(in: 0...6, using: &generator) { gns.modes[place] = 0x41 + UInt8(place) }
      (gns.satellitesUsed, gns.horizontalDilutionE2) = (whole(99), amount(9999))
      (gns.heightE4, gns.geoidSeparationE4) = (amount(9_999_999), amount(99_999))
      check(gns, .gns(gns))
      var gll = GLL()
      (gll.latitudeE9, gll.longitudeE9, gll.timeOfDayMicroseconds, gll.mode) = (angle(89), angle(179), time(), mode())
      check(gll, .gll(gll))
      var zda = ZDA()
      (zda.timeOfDayMicroseconds, zda.day, zda.month, zda.year) = (time(), whole(31), whole(12), whole(9999))
      zda.zoneHours = maybe(Int16.random(in: -13...13, using: &generator))
      zda.zoneMinutes = maybe(Int16.random(in: -59...59, using: &generator))
      check(zda, .zda(zda))
    }
  }

  @Test mutating func amountsAndSatellites() {
    for _ in 0..<400 {
      var vtg = VTG()
      (vtg.courseDegreesE4, vtg.magneticCourseDegreesE4) = (amount(3_599_999), amount(3_599_999))
      (vtg.speedKnotsE6, vtg.speedKilometresPerHourE4, vtg.mode) = (amount(Int32.max), amount(Int32.max), mode())
      check(vtg, .vtg(vtg))
      var gst = GST()
      (gst.timeOfDayMicroseconds, gst.rangeResidualE4, gst.semiMajorE4) = (time(), amount(99_999), amount(99_999))
      (gst.semiMinorE4, gst.orientationDegreesE4, gst.latitudeDeviationE4) = (
        amount(99_999), amount(1_799_999), amount(99_999)
      )
      (gst.longitudeDeviationE4, gst.heightDeviationE4) = (amount(99_999), amount(99_999))
      check(gst, .gst(gst))
      var gbs = GBS()
      (gbs.timeOfDayMicroseconds, gbs.latitudeErrorE4, gbs.longitudeErrorE4) = (time(), amount(99_999), amount(99_999))
      (gbs.heightErrorE4, gbs.failedSatellite, gbs.missedDetectionE4) = (amount(99_999), whole(138), amount(9_999))
      (gbs.biasE4, gbs.biasDeviationE4) = (amount(999_999), amount(999_999))
      gbs.systemIdentifier = UInt8.random(in: 0...6, using: &generator)
      if gbs.systemIdentifier > 0 { gbs.signalIdentifier = UInt8.random(in: 0...11, using: &generator) }
      check(gbs, .gbs(gbs))
      var gsa = GSA()
      gsa.selection = [0, 0x41, 0x4D].randomElement(using: &generator) ?? 0
      gsa.isDeadReckoning = Int.random(in: 0..<6, using: &generator) == 0
      gsa.mode = gsa.isDeadReckoning ? nil : whole(3)
      for place in 0..<12 { gsa.satellites[place] = whole(463) ?? 0 }
      (gsa.positionDilutionE2, gsa.horizontalDilutionE2, gsa.verticalDilutionE2) = (
        amount(9999), amount(9999), amount(9999)
      )
      gsa.systemIdentifier = UInt8.random(in: 0...15, using: &generator)
      check(gsa, .gsa(gsa))
      var gsv = GSV()
      (gsv.sentenceCount, gsv.sentenceNumber, gsv.satelliteCount) = (whole(9), whole(9), whole(36))
      gsv.entryCount = UInt8.random(in: 0...4, using: &generator)
      for entry in 0..<Int(gsv.entryCount) {
        gsv.satellites[entry] = SatelliteInView(
          number: whole(463) ?? 0, elevationDegrees: maybe(Int16.random(in: -9...90, using: &generator)),
          azimuthDegrees: whole(359), signalToNoise: whole(99))
      }
      if gsv.entryCount > 0 { gsv.signalIdentifier = UInt8.random(in: 0...11, using: &generator) }
      check(gsv, .gsv(gsv))
    }
  }

  @Test func whatIsNoTimeAndNoAngleIsWrittenAsUnknown() {
    for (time, text) in [
      (-1, ""), (-86_400_000_000, ""), (0, "000000.00"), (59_999_999, "000059.999999"), (60_000_000, "000100.00"),
      (86_399_500_000, "235959.50"), (86_400_000_000, "235960.00"), (86_400_990_000, "235960.99"),
    ] as [(Int64, String)] {
      var list = ByteList()
      var sentence = ZDA()
      sentence.timeOfDayMicroseconds = time
      sentence.encode(into: &list)
      #expect(list.text == line("GPZDA,\(text),,,,,"))
    }
    for (angle, latitude, longitude) in [
      (180_000_000_000, "18000.0000000,N", "18000.0000000,E"), (180_000_000_001, ",", ","), (Int64.min, ",", ","),
      (-180_000_000_000, "18000.0000000,S", "18000.0000000,W"), (0, "0000.0000000,N", "00000.0000000,E"),
    ] as [(Int64, String, String)] {
      var list = ByteList()
      var sentence = GLL()
      (sentence.latitudeE9, sentence.longitudeE9) = (angle, angle)
      sentence.encode(into: &list)
      #expect(list.text == line("GPGLL,\(latitude),\(longitude),,,"))
    }
  }
}
