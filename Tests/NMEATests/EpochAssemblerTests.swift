import NMEA
import Quantities
import Testing

private func rmc(_ time: String, date: String = "130415", latitude: String = "4404.1234", mode: String = ",A") -> String
{
  line("GPRMC,\(time),A,\(latitude),N,12118.8472,W,10.0,90.0,\(date),,\(mode)")
}
private func gga(_ time: String, height: String = "1100.5", used: Int = 8, latitude: String = "4404.1234") -> String {
  line("GPGGA,\(time),\(latitude),N,12118.8472,W,1,\(used),0.9,\(height),M,-20.0,M,,")
}
private func gll(_ time: String) -> String { line("GPGLL,4404.1234,N,12118.8472,W,\(time),A,A") }
private let gsa = line("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,0.9,1.2")

private func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) -> UTCTime? {
  CivilDate(year: year, month: month, day: day).map {
    UTCTime(date: $0, microsecondsOfDay: Int64((hour * 60 + minute) * 60 + second) * 1_000_000)
  }
}

@Suite struct EpochAssemblerTests {
  @Test func oneEpochOfSeveralSentencesIsOneFix() throws {
    let text = (0..<6).map { rmc("12000\($0).00") + gga("12000\($0).00") + gsa }.joined()
    let found = fixes(text)
    #expect(found.count == 6)
    let fix = try #require(found.last)
    #expect(fix.mode == .threeDimensional)
    #expect(fix.utc == utc(2015, 4, 13, 12, 0, 5))
    #expect(fix.position?.latitudeE9 == 44_068_723_333)
    #expect(fix.position?.longitudeE9 == -121_314_120_000)
    #expect(fix.heightAboveSeaLevel == 1100.5)
    #expect(fix.heightAboveEllipsoid == 1080.5)
    #expect(fix.speed.map { abs($0 - 5.144444) < 1e-5 } == true)
    #expect(fix.course.map { abs($0 - Double.pi / 2) < 1e-12 } == true)
    #expect(fix.quality == .autonomous)
    #expect(fix.satellitesUsed == 8)
    #expect(fix.dilution == DilutionOfPrecision(horizontal: 0.9, vertical: 1.2, position: 1.5))
    #expect(fix.horizontalAccuracy.map { $0 > 2 && $0 < 8 } == true)
  }

  @Test(arguments: [
    ["RMC", "GGA", "GSA"], ["GGA", "GSA", "RMC"], ["GSA", "GGA", "RMC"], ["GGA", "RMC"], ["RMC", "GGA", "GLL"],
    ["GLL", "GGA", "RMC"], ["GSA", "RMC", "GGA"],
  ]) func theOrderOfTheSentencesDoesNotMatter(order: [String]) throws {
    let text = (0..<8).map { second in
      order.map { kind in
        switch kind {
        case "RMC": return rmc("12000\(second).00")
        case "GGA": return gga("12000\(second).00")
        case "GLL": return gll("12000\(second).00")
        default: return gsa
        }
      }.joined()
    }.joined()
    let found = fixes(text)
    #expect(found.compactMap(\.utc).count >= 7)
    for fix in found.dropFirst(2) {
      #expect(fix.mode == .threeDimensional)
      #expect(fix.heightAboveSeaLevel == 1100.5)
      #expect(fix.speed != nil)
    }
    #expect(Set(found.compactMap { $0.utc?.microseconds }).count == found.compactMap(\.utc).count)
  }

  @Test func theLastSentenceOfTheCycleDeliversAtOnceWhenItIsKnown() {
    var receiver = NMEAReceiver()
    func feed(_ text: String, at milliseconds: Int) -> Int {
      receiver.receive(Array(text.utf8).span, at: .milliseconds(milliseconds))
      var count = 0
      while receiver.nextFix() != nil { count += 1 }
      return count
    }
    for second in 0..<3 { _ = feed(rmc("12000\(second)") + gga("12000\(second)"), at: second * 1000) }
    #expect(feed(rmc("120003"), at: 3000) == 0)
    #expect(feed(gga("120003"), at: 3050) == 1)
    #expect(receiver.nextDeadline == nil)
  }

  @Test func theFixHasTheTimeWhenItsFirstSentenceArrived() throws {
    var receiver = NMEAReceiver()
    var found: [GNSSFix] = []
    for second in 0..<5 {
      for (offset, text) in [rmc("12000\(second)"), gga("12000\(second)")].enumerated() {
        receiver.receive(Array(text.utf8).span, at: .milliseconds(second * 1000 + offset * 40 + 100))
        while let fix = receiver.nextFix() { found.append(fix) }
      }
    }
    #expect(found.last?.time == .milliseconds(4100))
  }

  @Test func silenceEndsAnEpochWhoseEndIsNotKnown() {
    var receiver = NMEAReceiver()
    receiver.receive(Array((rmc("120000") + gga("120000")).utf8).span, at: .seconds(10))
    #expect(receiver.nextFix() == nil)
    #expect(receiver.nextDeadline == .milliseconds(10_300))
    receiver.advance(to: .milliseconds(10_299))
    #expect(receiver.nextFix() == nil)
    receiver.advance(to: .milliseconds(10_300))
    #expect(receiver.nextFix()?.mode == .threeDimensional)
    #expect(receiver.nextDeadline == nil)
    receiver.advance(to: .seconds(20))
    #expect(receiver.nextFix() == nil)
  }

  @Test func tenHertzGivesTenFixesASecond() {
    let text = (0..<30).map { rmc("12000\($0 / 10).\($0 % 10)0") + gga("12000\($0 / 10).\($0 % 10)0") }.joined()
    let found = fixes(text)
    #expect(found.count == 30)
    #expect(found[29].utc?.microsecondsOfDay == 43_202_900_000)
  }

  @Test func receiversOfOneSentenceGiveFixes() throws {
    let recommended = fixes((0..<5).map { rmc("12000\($0)") }.joined())
    #expect(recommended.count == 5)
    #expect(recommended.last?.mode == .twoDimensional)
    #expect(recommended.last?.speed != nil)
    let undated = fixes((0..<5).map { gga("12000\($0)") }.joined())
    #expect(undated.count == 5)
    #expect(undated.last?.mode == .threeDimensional)
    #expect(undated.last?.utc == nil)
    #expect(undated.last?.position != nil)
    let positions = fixes((0..<5).map { gll("12000\($0)") }.joined())
    #expect(positions.count == 5)
    #expect(positions.last?.mode == .twoDimensional)
  }

  @Test func midnightBetweenTheSentencesOfAnEpochKeepsTheDatesRight() {
    let text =
      gga("235958") + rmc("235958", date: "311215") + gga("235959") + rmc("235959", date: "311215") + gga("000000")
      + rmc("000000", date: "010116") + gga("000001") + rmc("000001", date: "010116")
    let found = fixes(text)
    #expect(
      found.map(\.utc) == [
        utc(2015, 12, 31, 23, 59, 58), utc(2015, 12, 31, 23, 59, 59), utc(2016, 1, 1, 0, 0, 0),
        utc(2016, 1, 1, 0, 0, 1),
      ])
    // GGA alone after one date.
    let alone = fixes(rmc("235958", date: "311215") + gga("235959") + gga("000000") + gga("000001"))
    #expect(alone.last?.utc == utc(2016, 1, 1, 0, 0, 1))
  }

  @Test func aSentenceThatLagsBehindMidnightIsNotADayAhead() {
    let text = rmc("235959", date: "311215") + rmc("000000", date: "010116") + gll("235959") + gga("000000")
    #expect(fixes(text).allSatisfy { ($0.utc?.date.year ?? 0) <= 2016 })
    #expect(fixes(text).last?.utc == utc(2016, 1, 1, 0, 0, 0))
  }

  @Test func leapSecondsRunIntoTheNextDay() {
    let text = rmc("235959", date: "311216") + rmc("235960", date: "311216") + rmc("000000", date: "010117")
    #expect(
      fixes(text).map(\.utc) == [
        utc(2016, 12, 31, 23, 59, 59), utc(2017, 1, 1, 0, 0, 0), utc(2017, 1, 1, 0, 0, 0),
      ])
  }

  @Test func twoDigitYearsReachFrom1980To2079() {
    #expect(fixes(rmc("120000", date: "060180")).first?.utc?.date == CivilDate(year: 1980, month: 1, day: 6))
    #expect(fixes(rmc("120000", date: "311279")).first?.utc?.date == CivilDate(year: 2079, month: 12, day: 31))
    #expect(fixes(rmc("120000", date: "300226")).first?.utc == nil)
  }

  @Test func weekRolloverIsRepairedOnlyWhenAskedFor() {
    let old = rmc("120000", date: "220899")
    #expect(fixes(old).first?.utc == utc(1999, 8, 22, 12, 0, 0))
    let reference = CivilDate(year: 2026, month: 1, day: 1)
    // 1024 weeks on is 2019, and that is still before the reference.
    #expect(fixes(old, rolloverReference: reference).first?.utc == utc(2038, 11, 21, 12, 0, 0))
    #expect(fixes(rmc("120000", date: "210526"), rolloverReference: reference).first?.utc == utc(2026, 5, 21, 12, 0, 0))
  }

  @Test func zdaGivesTheDateFirstOrLast() {
    let zda = { (second: Int) in line("GPZDA,12000\(second),13,04,2015,00,00") }
    let first = fixes((0..<4).map { zda($0) + gga("12000\($0)") }.joined())
    #expect(first.last?.utc == utc(2015, 4, 13, 12, 0, 3))
    let last = fixes((0..<4).map { gga("12000\($0)") + zda($0) }.joined())
    #expect(last.last?.utc == utc(2015, 4, 13, 12, 0, 3))
    #expect(fixes(line("GPZDA,120000,31,02,2015,00,00") + gga("120001")).last?.utc == nil)
  }

  @Test func aWarningMeansNoFixAndNoPosition() throws {
    let lost = line("GPRMC,120005,V,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,N")
    let empty = line("GPGGA,120005,,,,,0,00,,,M,,M,,")
    let text = (0..<5).map { rmc("12000\($0)") + gga("12000\($0)") }.joined() + lost + empty + lost + empty
    let fix = try #require(fixes(text).last)
    #expect(fix.mode == .none)
    #expect(fix.position == nil && fix.speed == nil && fix.heightAboveSeaLevel == nil)
  }

  @Test func timesThatGoAwayLeaveTheLastFixWhole() throws {
    let text = (0..<4).map { rmc("12000\($0)") + gga("12000\($0)") }.joined()
    let lost = line("GPRMC,,V,,,,,,,,,,N") + line("GPGGA,,,,,,0,,,,,,,,")
    let found = fixes(text + lost + lost + lost)
    let timed = found.filter { $0.utc != nil && $0.mode == .threeDimensional }
    #expect(timed.count == 4)
    #expect(found.last?.mode == FixMode.none)
    #expect(found.last?.utc == nil)
  }

  @Test func accuracyComesFromTheReceiverWhereItTells() throws {
    let gst = line("GPGST,120000,1.0,0,0,0,3.0,4.0,7.0")
    let told = fixes((0..<3).map { rmc("12000\($0)") + gst + gga("12000\($0)") }.joined())
    #expect(told.last?.horizontalAccuracy.map { abs($0 - 5 * 1.0674) < 1e-9 } == true)
    #expect(told.last?.verticalAccuracy == 7)
    let garmin = fixes(
      (0..<3).map { rmc("12000\($0)") + line("PGRME,10.0,M,20.0,M,22.0,M") + gga("12000\($0)") }.joined())
    #expect(garmin.last?.horizontalAccuracy.map { abs($0 - 12.821) < 1e-9 } == true)
  }

  @Test func satellitesAreCountedPerConstellation() throws {
    let views =
      line("GPGSV,2,1,05,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45")
      + line("GPGSV,2,2,05,46,38,215,40") + line("GLGSV,1,1,02,65,40,083,46,66,17,308,41")
      + line("GAGSV,1,1,01,02,40,083,46,7") + line("GAGSV,1,1,01,02,40,083,46,2")
    let used =
      line("GNGSA,A,3,01,02,12,14,,,,,,,,,1.5,0.9,1.2,1") + line("GNGSA,A,3,65,66,,,,,,,,,,,1.5,0.9,1.2,2")
      + line("GNGSA,A,3,02,,,,,,,,,,,,1.5,0.9,1.2,3")
    let fix = try #require(fixes((0..<4).map { rmc("12000\($0)") + used + views + gga("12000\($0)") }.joined()).last)
    #expect(fix.satellitesInView[.gps] == 4)
    #expect(fix.satellitesInView[.sbas] == 1)
    #expect(fix.satellitesInView[.glonass] == 2)
    #expect(fix.satellitesInView[.galileo] == 1)
    #expect(fix.satellitesUsed == 7)
  }

  @Test func aReportOfSatellitesThatLostASentenceReplacesNothing() throws {
    func view(_ talker: String, _ count: Int, _ number: Int, _ satellites: Int) -> String {
      line(
        "\(talker)GSV,\(count),\(number),09" + (0..<satellites).map { ",\(pad(number * 4 + $0)),40,083,46" }.joined())
    }
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let whole = [view("GP", 3, 1, 4), view("GP", 3, 2, 4), view("GP", 3, 3, 1)]
    let others = [view("GA", 2, 1, 4), view("GA", 2, 2, 2)]
    func counts(_ later: [String]) throws -> [UInt8] {
      let text = rmc("120000") + whole.joined() + others.joined() + rmc("120001") + later.joined() + rmc("120002")
      let fix = try #require(fixes(text).last)
      return [fix.satellitesInView[.gps], fix.satellitesInView[.galileo]]
    }
    #expect(try counts([]) == [9, 6])
    for lost in 0..<3 {
      var rest = whole
      rest.remove(at: lost)
      // Alone, after others, and with others after it.
      #expect(try counts(rest) == [9, 6], "\(lost)")
      #expect(try counts([view("GA", 1, 1, 3)] + rest) == [9, 3], "\(lost)")
      #expect(try counts(rest + [others[1]]) == [9, 6], "\(lost)")
      #expect(try counts(rest + [view("GP", 2, 1, 4), view("GP", 2, 2, 3)]) == [7, 6], "\(lost)")
    }
    // Out of order, twice, of another number of sentences, of another talker.
    #expect(try counts([view("GP", 2, 2, 3), view("GP", 2, 1, 4)]) == [9, 6])
    #expect(
      try counts([view("GP", 3, 1, 4), view("GP", 3, 2, 4), view("GP", 3, 2, 4), view("GP", 3, 3, 4)]) == [9, 6])
    #expect(try counts([view("GP", 3, 1, 4), view("GP", 2, 2, 4)]) == [9, 6])
    #expect(try counts([view("GP", 2, 1, 4), view("GA", 2, 2, 4)]) == [9, 6])
    #expect(try counts([view("GP", 2, 1, 4), view("GP", 2, 1, 3), view("GP", 2, 2, 1)]) == [4, 6])
  }

  @Test func anySystemsModeInGNSMakesAFixAndTheFirstThatDoesSaysHow() throws {
    for (modes, quality) in [
      ("A", FixQuality.autonomous), ("NA", .autonomous), ("NNA", .autonomous), ("NNNNNR", .realTimeKinematicFixed),
      ("ND", .differential), ("DN", .differential), ("AD", .autonomous), ("NFR", .realTimeKinematicFloat), ("N", nil),
      ("NN", nil), ("NNNNNN", nil), ("", nil),
    ] as [(String, FixQuality?)] {
      let text = (0..<3).map {
        line("GNGNS,12000\($0),4404.1000,N,12118.8472,W,\(modes),08,0.9,100.0,20.0,,,S")
      }
      let fix = try #require(fixes(text.joined()).last)
      #expect(fix.mode == (quality == nil ? .none : .threeDimensional), "\(modes)")
      #expect((fix.position != nil) == (quality != nil) && fix.quality == quality, "\(modes)")
    }
  }

  @Test func theQualityOfPASHRIsThatOfItsTable() throws {
    for (number, quality, accuracy) in [
      ("0", FixQuality.autonomous, 4), ("1", .differential, 1.5), ("2", .realTimeKinematicFloat, 0.3),
      ("3", .realTimeKinematicFixed, 0.02), ("4", nil, 4), ("258", nil, 4),
    ] as [(String, FixQuality?, Double)] {
      let text = (0..<3).map {
        line("PASHR,POS,\(number),08,12000\($0),4404.1000,N,12118.8472,W,21.5,,350.0,10.0,0.1,1.9,1.0,1.5,1.1,A")
      }
      let fix = try #require(fixes(text.joined()).last)
      #expect(fix.mode == .threeDimensional && fix.quality == quality, "\(number)")
      #expect(((fix.horizontalAccuracy ?? 0) - accuracy * 1.0674).magnitude < 1e-6, "\(number)")
    }
  }

  @Test func aReceiverTakesTheMemoryThatTheManualSays() {
    #expect(MemoryLayout<NMEAReceiver>.stride == 2744)
  }

  @Test func fixesNobodyFetchesAreCounted() {
    var receiver = NMEAReceiver()
    let text = (10..<20).map { rmc("1200\($0)") }.joined()
    receiver.receive(Array(text.utf8).span, at: .zero)
    #expect(receiver.rejections.droppedFixes == 2)
    var count = 0
    while receiver.nextFix() != nil { count += 1 }
    #expect(count == 8)
  }

  @Test func threeDimensionsHoldUnlessToldOtherwise() {
    let flat = line("GPGSA,A,2,01,02,03,,,,,,,,,,1.5,0.9,1.2")
    let text = (0..<3).map { rmc("12000\($0)") + gga("12000\($0)") }.joined()
    let later = (3..<6).map { rmc("12000\($0)") + flat + gga("12000\($0)", used: 3) }.joined()
    #expect(fixes(text + later).last?.mode == .threeDimensional)
    var assembler = EpochAssembler(holdsThreeDimensional: false)
    var framer = SentenceFramer()
    framer.receive(Array(text.utf8).span, into: &assembler)
    while assembler.nextFix() != nil {}
    framer.receive(Array(later.utf8).span, into: &assembler)
    assembler.flush()
    var last: GNSSFix?
    while let fix = assembler.nextFix() { last = fix }
    #expect(last?.mode == .twoDimensional)
  }

  /// A Furuno GH-81 counts 00 satellites in each of its GGA, and its RMC vouches for the position.
  @Test(arguments: ["00", "02", ""])
  func aPositionThatAnotherSentenceVouchesForIsAFixWhateverGGACounts(used: String) throws {
    func few(_ time: String, quality: Int = 1) -> String {
      line("GPGGA,\(time),4404.1234,N,12118.8472,W,\(quality),\(used),0.9,1100.5,M,-20.0,M,,")
    }
    func gns(_ time: String) -> String {
      line("GNGNS,\(time),4404.1234,N,12118.8472,W,AN,05,0.9,1100.5,-20.0,,,S")
    }
    let vouching: [(Int) -> String] = [
      { few("12000\($0)") + rmc("12000\($0)") }, { rmc("12000\($0)") + few("12000\($0)") },
      { gns("12000\($0)") + few("12000\($0)") }, { few("12000\($0)") + gsa }, { few("12000\($0)") + gll("12000\($0)") },
      // Dead reckoning says so in both.
      { few("12000\($0)", quality: 6) + rmc("12000\($0)", mode: ",E") },
    ]
    for epoch in vouching {
      let found = fixes((0..<5).map(epoch).joined())
      #expect(found.count >= 5)
      for fix in found.dropFirst() {
        #expect(fix.hasPosition && fix.position?.latitudeE9 == 44_068_723_333)
      }
    }
    // By itself, or with a quality that says invalid, it vouches for nothing.
    #expect(fixes((0..<5).map { few("12000\($0)") }.joined()).allSatisfy { !$0.hasPosition })
    let invalid = fixes((0..<5).map { rmc("12000\($0)") + few("12000\($0)", quality: 0) }.joined())
    #expect(invalid.dropFirst().allSatisfy { !$0.hasPosition })
    // gpsd goes by the count.
    let counted = fixes((0..<5).map { rmc("12000\($0)") + few("12000\($0)") }.joined(), countsSatellites: true)
    #expect(!counted.isEmpty && counted.dropFirst().allSatisfy { !$0.hasPosition })
  }

  @Test func threeSatellitesAreAFixByThemselves() {
    #expect(fixes((0..<5).map { gga("12000\($0)", used: 3) }.joined()).last?.mode == .twoDimensional)
    #expect(fixes((0..<5).map { gga("12000\($0)", used: 2) }.joined()).last?.hasPosition == false)
  }

  @Test func gpsdsLineHasItsNamesAndUnits() {
    let text = tpvLines(fixes(rmc("120000.25") + gga("120000.25")))
    #expect(
      text == """
        {"class":"TPV","mode":3,"time":"2015-04-13T12:00:00.250Z","lat":44.068723333,"lon":-121.314120000,\
        "altHAE":1080.5000,"altMSL":1100.5000,"track":90.0000,"speed":5.144}

        """)
    #expect(tpvLines([GNSSFix(time: .zero)]) == "{\"class\":\"TPV\",\"mode\":0}\n")
  }

  @Test func aMissingSpeedIsWorkedOutForTheLineOnly() {
    let found = fixes(
      rmc("120000") + gga("120001", latitude: "4404.1234") + gga("120002", latitude: "4404.1334")
        + gga("120003", latitude: "4404.1434"))
    #expect(found.last?.speed == nil)
    // A hundredth of a minute of latitude is 18.519 m here.
    #expect(tpvLines(found).split(separator: "\n").last?.contains("\"speed\":18.519}") == true)
  }
}
