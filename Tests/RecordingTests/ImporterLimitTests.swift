import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime
import TrackerCore

private func fixes(_ text: String) throws -> [GNSSFix] {
  try collect(open(text)).compactMap { if case .fix(let fix) = $0.input { fix } else { nil } }
}

private func nmeaTimes(_ sentences: [String]) throws -> [Int64] {
  try collect(open(sentences.map { $0 + "\n" }.joined(), name: "log")).map { $0.input.time.microseconds / 1000 }
}

/// What importers take and what they count, on both sides of each limit.
@Suite struct ImporterLimitTests {
  // MARK: CSV

  @Test func fieldsOfACSVFixAreTakenUpToTheirLimits() throws {
    func value(_ column: String, _ text: String) throws -> (GNSSFix?, Int) {
      let importer = try open("t_s,lat_deg,lon_deg,\(column)\n0,1,2,\(text)\n")
      guard case .fix(let fix)? = try importer.next() else { return (nil, 0) }
      return (fix, importer.reports[0].count(of: .valueOutOfRange))
    }
    for (column, inside, outside) in [
      ("alt_m", ["-19999", "0", "9999999"], ["-20000", "10000000"]),
      ("speed_mps", ["0", "99999"], ["-0.001", "100000"]),
      ("course_deg", ["0", "359.9", "360"], ["-0.1", "360.1"]), ("hacc_m", ["0.001", "99999999"], ["0", "-1", "1e8"]),
    ] {
      func found(_ fix: GNSSFix?) -> Double? {
        switch column {
        case "alt_m": fix?.heightAboveSeaLevel
        case "speed_mps": fix?.speed
        case "course_deg": fix?.course
        default: fix?.horizontalAccuracy
        }
      }
      for text in inside {
        let (fix, count) = try value(column, text)
        let number = try #require(Double(text))
        let expected = column == "course_deg" ? (number == 360 ? 0 : number * (Double.pi / 180)) : number
        #expect(found(fix) == expected && count == 0, "\(column) \(text)")
        #expect(fix?.mode == (column == "alt_m" ? .threeDimensional : .twoDimensional))
      }
      for text in outside {
        let (fix, count) = try value(column, text)
        #expect(fix != nil && found(fix) == nil && count == 1 && fix?.mode == .twoDimensional, "\(column) \(text)")
      }
    }
    for (latitude, longitude, isTaken) in [
      ("90", "180", true), ("-90", "-180", true), ("90.000000001", "0", false), ("0", "180.000000001", false),
    ] {
      let text = "t_s,lat_deg,lon_deg\n0,\(latitude),\(longitude)\n1,1,2\n"
      #expect(try fixes(text).count == (isTaken ? 2 : 1), "\(latitude) \(longitude)")
    }
    // Height without a position is a lost fix with a height.
    let lost = try fixes("t_s,lat_deg,lon_deg,alt_m\n0,,,5\n")
    #expect(lost.map(\.mode) == [.none] && lost.first?.heightAboveSeaLevel == 5)
    let half = try read("t_s,lat_deg,lon_deg\n0,,7\n1,1,2\n")
    #expect(half.inputs.count == 2 && half.report.count(of: .incompletePosition) == 1)
  }

  @Test func timesOfACSVAreRoundedToTheNearestMicrosecond() throws {
    let (inputs, _) = try read(
      "t_s,gx,gy,gz\n-1.0000006,1,2,3\n-0.0000004,1,2,3\n0.0000016,1,2,3\n1.0000004,1,2,3\n")
    #expect(inputs.map(\.time.microseconds) == [-1_000_001, 0, 2, 1_000_000])
    #expect(CSVImporter.microseconds(3.19e12) == 3_190_000_000_000_000_000)
    #expect(CSVImporter.microseconds(3.2e12) == nil && CSVImporter.microseconds(-3.2e12) == nil)
    #expect(CSVImporter.microseconds(.nan) == nil)
  }

  /// A step of an hour is a step; a microsecond more is looked at twice.
  @Test func aRowFarAheadIsASlipOrAGapByTheRowBehindIt() throws {
    func found(_ times: [String]) throws -> ([Double], slips: Int, gaps: Int) {
      let (inputs, report) = try read("t_s,gx,gy,gz\n" + times.map { "\($0),1,2,3\n" }.joined())
      return (inputs.map(\.time.secondsDouble), report.count(of: .timeOutlier), report.count(of: .longGap))
    }
    #expect(try found(["0", "3600", "1"]) == ([0, 3600], 0, 0), "an hour is no gap: the row behind goes back")
    #expect(try found(["0", "3600.000001", "1", "2"]) == ([0, 1, 2], 1, 0))
    #expect(try found(["0", "3600.000001", "3601"]) == ([0, 3600.000001, 3601], 0, 1))
    #expect(try found(["0", "5000"]) == ([0, 5000], 0, 1), "the last row has nobody behind it")
    #expect(try found(["0", "5000", "5000"]) == ([0, 5000], 0, 1))
    #expect(try found(["0", "5000", "0"]) == ([0, 5000], 0, 1), "the row behind is wrong itself")
    #expect(try found(["9000", "1", "2"]) == ([1, 2], 1, 0), "the first, too")
    #expect(try found(["3601", "1", "2"]) == ([3601], 0, 0), "an hour is not far")
    #expect(try found(["0", "5000", "1", "9000", "2"]) == ([0, 1, 2], 2, 0), "not the first time only")
  }

  @Test func utcAloneCountsFromTheFirstAndBothGiveTheZero() throws {
    let rows = "2020-01-01T00:00:10Z,1,2\n,1,2\n2020-01-01T02:00:00Z,1,2\n2020-01-01T00:00:11Z,1,2\n"
    let importer = try open("utc,lat_deg,lon_deg\n" + rows)
    #expect(try collect(importer).map(\.input.time) == [.zero, .seconds(1)])
    #expect(importer.reports[0].count(of: .missingTime) == 1 && importer.reports[0].count(of: .timeOutlier) == 1)
    let both = try open("t_s,utc,gx,gy,gz\n5,,1,2,3\n7,2020-01-01T00:00:10Z,1,2,3\n8,2021-01-01T00:00:00Z,1,2,3\n")
    _ = try collect(both)
    #expect(both.timeline.utcAtZero?.microseconds == 1_577_836_803_000_000, "by the first that has one")
  }

  @Test func tablesAreReadWhateverTheirForm() throws {
    // A comma anywhere in the header separates; else a semicolon; else a tab.
    #expect(try read("t_s,gx,gy,gz,a;b\n1,2,3,4,5\n").inputs.count == 1)
    #expect(try read("t_s;gx;gy;gz;a\tb\n1;2;3;4;5\n").inputs.count == 1)
    // The first of two columns of a name counts, and a row may have more fields than the header.
    let doubled = try read("gx,t_s,gy,gz,gx\n1,0,2,3,9\n4,1,5,6,9,8,7\n").inputs
    #expect(
      doubled == [
        .inertial(InertialSample(time: .zero, angularRate: Vector3(1, 2, 3))),
        .inertial(InertialSample(time: .seconds(1), angularRate: Vector3(4, 5, 6))),
      ])
    // One field less, also behind the columns that matter.
    let short = try read("t_s,gx,gy,gz,other\n0,1,2,3,4\n1,1,2,3\n2,1,2,3,\n")
    #expect(short.inputs.map(\.time) == [.zero, .seconds(2)] && short.report.count(of: .shortRow) == 1)
    let infinite = try read("t_s,gx,gy,gz,ax,ay,az\n0,1e39,2,3,4,5,6\n1,1,2,,4,5,6\n")
    #expect(infinite.inputs.count == 2 && infinite.report.count(of: .incompleteVector) == 2)
    let long = try read("t_s,gx,gy,gz\n0,1,2,3\n" + String(repeating: "7", count: 70_000) + ",1,2,3\n1,1,2,3\n")
    #expect(long.inputs.count == 2 && long.report.count(of: .overlongLine) == 1)
    for (name, text) in [
      ("inertial CSV", "t_s,mx,my,mz\n0,1,2,3\n"), ("GNSS CSV", "t_s,lat_deg,lon_deg\n0,1,2\n"),
      ("inertial and GNSS CSV", "t_s,ax,ay,az,lat_deg,lon_deg\n0,1,2,3,4,5\n"),
    ] {
      #expect(try open(text).formatName == name)
    }
  }

  // MARK: NMEA

  /// Each sentence that tells the time, with its checksum right, wrong and left out.
  @Test func everySentenceThatTellsTheTimeIsRead() throws {
    for body in [
      "GPRMC,120005,A,,,,,,,010120,,,N", "GNGGA,120005.00,,,,,1,,,,,,,,", "GPGLL,,,,,120005,A,N",
      "GNGNS,120005.00,,,,,AN,,,,,,,",
      "GPGST,120005.00,,,,,,,", "GPGBS,120005.00,,,,,,,", "GPZDA,120005.00,01,01,2020,00,00",
    ] {
      let sum = body.utf8.reduce(0, ^)
      func line(_ sum: UInt8) -> String {
        "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
      }
      let first = "$GPGGA,120000.00,,,,,1,,,,,,,,"
      #expect(try nmeaTimes([first, "$" + body]) == [0, 5000], "\(body)")
      #expect(try nmeaTimes([first, line(sum)]) == [0, 5000], "\(body)")
      #expect(try nmeaTimes([first, line(sum ^ 1), line(sum ^ 16)]) == [0, 0, 0], "\(body)")
    }
    for body in [
      "GPGSV,120005,1,1", "GPVTG,120005.00,T,,M", "GPRMC,1200,A,,,,,,,", "GPRMC,120060.5x,A,,,,,,,,",
      "GPGGA,250000,,,,,",
    ] {
      #expect(try nmeaTimes(["$GPGGA,120000.00,,,,,1,,,,,,,,", "$" + body]) == [0, 0], "\(body)")
    }
  }

  /// Steps of the receiver's clock: out of order, set back, doubtful, corrected, and pauses.
  @Test func stepsOfTheReceiversClockAreToldApart() throws {
    func gga(_ time: String, _ quality: Int = 1) -> String { "$GPGGA,\(time),,,,,\(quality),,,,,,,," }
    func rmc(_ time: String, _ date: String, _ status: String = "A") -> String {
      "$GPRMC,\(time),\(status),,,,,,,\(date),,"
    }
    // Up to ten seconds back is disorder: the clock goes on from where it was.
    #expect(try nmeaTimes([gga("120020"), gga("120010"), gga("120021")]) == [0, 0, 1000])
    #expect(try nmeaTimes([gga("120020"), gga("120009"), gga("120010")]) == [0, 0, 1000], "set back")
    // A minute while the receiver has never vouched is a step, a second more is its clock being set.
    #expect(try nmeaTimes([gga("120000", 0), gga("120001", 0), gga("120101", 0)]) == [0, 1000, 61_000])
    #expect(try nmeaTimes([gga("120000", 0), gga("120002", 0), gga("120103", 0)]) == [0, 2000, 4000])
    #expect(
      try nmeaTimes([gga("120000"), gga("120001", 0), gga("120200", 0)]) == [0, 1000, 120_000], "it has vouched")
    #expect(try nmeaTimes([gga("120000", 0), gga("120001"), gga("120200")]) == [0, 1000, 120_000])
    // The step of a sentence that vouches for the first time is that of a cold receiver, too; the usual step goes on.
    #expect(try nmeaTimes([gga("120000", 0), gga("120005", 0), gga("130000")]) == [0, 5000, 10_000])
    #expect(try nmeaTimes([gga("120000", 0), gga("130000")]) == [0, 1000], "a second when nothing else is known")
    // A pause of up to seven days between dates is one; more is a correction of the calendar.
    let week = Int64(7 * 86_400_000)
    #expect(try nmeaTimes([rmc("120000", "010120"), rmc("120000", "080120")]) == [0, week])
    #expect(try nmeaTimes([rmc("120000", "010120"), rmc("120001", "080120")]) == [0, 1000])
    #expect(
      try nmeaTimes([rmc("120000", "080120"), rmc("120001", "010120"), rmc("120002", "010120")]) == [0, 1000, 2000])
    // Half a day without dates goes the short way round midnight.
    #expect(try nmeaTimes([gga("060000"), gga("180000")]) == [0, 43_200_000])
    #expect(try nmeaTimes([gga("060000"), gga("180001"), gga("180002")]) == [0, 0, 1000])
    // Years of two digits: 80 is 1980, 79 is 2079.
    for (year, microseconds) in [("80", 315_576_000_000_000), ("79", 3_439_800_000_000_000)] as [(String, Int64)] {
      let importer = try open(rmc("120000", "0101\(year)"), name: "log")
      #expect(importer.timeline.utcAtZero?.microseconds == microseconds)
    }
    let importer = try open(
      [gga("120000"), gga("140000"), rmc("140001", "010120"), rmc("140002", "010220")].joined(separator: "\n"),
      name: "log")
    #expect(try collect(importer).map(\.input.time) == [.zero, .seconds(7200), .seconds(7201), .seconds(7202)])
    #expect(importer.reports[0].count(of: .longGap) == 1 && importer.reports[0].count(of: .timeOutlier) == 1)
  }

  /// The zero is by the first date that the receiver vouches for; bytes before the first time have time zero.
  @Test func theZeroOfALogIsByTheFirstSureTime() throws {
    let text = """
      $GPRMC,000010,V,,,,,,,060180,,
      $GPRMC,000011,V,,,,,,,060180,,
      $GPGGA,101500,,,,,1,,,,,,,,
      $GPRMC,101501,A,,,,,,,150620,,
      $GPRMC,101502,A,,,,,,,160620,,
      """
    let importer = try open(text, name: "log")
    // The sure time comes three seconds after the first line.
    #expect(importer.timeline.utcAtZero == UTCTime(microseconds: 1_592_216_098_000_000))
    #expect(importer.timeline.timeOfDayAtZero == 36_900_000_000 - 2_000_000 && importer.timeline.basis == .firstTime)
    let silent = try open("$GPGSV,1,1,00\n$GPGSV,1,1,00\n", name: "log")
    #expect(silent.reports[0].remarks == ["no sentence has a time: all bytes have time zero"])
    #expect(silent.timeline.timeOfDayAtZero == nil && silent.timeline.utcAtZero == nil)
    let port = try openRecording(ByteSource(bytes: Array("$GPGGA,1,,\n".utf8), name: "log"), port: 3)
    #expect(try port.next() == .bytes(port: 3, time: .zero))
  }

  // MARK: GPX

  @Test func everyFieldOfATrackPointIsTakenUpToItsLimits() throws {
    func point(_ inner: String) throws -> (GNSSFix, ImportReport) {
      let importer = try open(
        "<gpx><trkpt lat='1.5' lon='-2.5'><time>2020-01-01T00:00:00Z</time>\(inner)</trkpt></gpx>")
      guard case .fix(let fix)? = try importer.next() else {
        throw RecordingError(kind: .malformed, file: "", found: "")
      }
      return (fix, importer.reports[0])
    }
    let cases: [(String, String, String, (GNSSFix) -> Double?)] = [
      ("ele", "-19999", "-20000", { $0.heightAboveSeaLevel }),
      ("ele", "9999999", "10000000", { $0.heightAboveSeaLevel }),
      ("speed", "0", "-1", { $0.speed }), ("speed", "99999", "100000", { $0.speed }),
      ("hdop", "0.5", "0", { $0.dilution.horizontal.map(Double.init) }),
      ("vdop", "9999", "10000", { $0.dilution.vertical.map(Double.init) }),
      ("pdop", "1.5", "-1", { $0.dilution.position.map(Double.init) }),
      ("sat", "255", "256", { $0.satellitesUsed.map(Double.init) }),
      ("sat", "0", "-1", { $0.satellitesUsed.map(Double.init) }), ("accuracy", "0.5", "0", { $0.horizontalAccuracy }),
      ("x:hacc", "7", "1e8", { $0.horizontalAccuracy }), ("Speed", "3", "-3", { $0.speed }),
    ]
    for (name, inside, outside, value) in cases {
      let (fix, report) = try point("<\(name)> \(inside)\n</\(name)>")
      #expect(value(fix) == Double(inside) && report.entries.isEmpty, "\(name)")
      let (other, counted) = try point("<\(name)>\(outside)</\(name)>")
      #expect(value(other) == nil && counted.count(of: .valueOutOfRange) == 1, "\(name)")
      #expect(try point("<\(name)>x</\(name)>").1.count(of: .unreadableField) == 1)
      #expect(try point("<\(name)>nan</\(name)>").1.count(of: .notFinite) == 1)
      #expect(try point("<\(name)> </\(name)>").1.entries.isEmpty)
    }
    for (text, expected) in [("0", 0.0), ("90", Double.pi / 2), ("360", 0)] {
      #expect(try point("<course>\(text)</course>").0.course == expected)
    }
    #expect(try point("<course>361</course>").1.count(of: .valueOutOfRange) == 1)
    #expect(try point("<fix>dgps</fix>").0.quality == .differential && point("<fix>pps</fix>").0.quality == .precise)
    #expect(try point("<fix>3d</fix>").0.quality == nil && point("<ele>1</ele><fix>none</fix>").0.mode == .none)
    let (plain, _) = try point("")
    #expect(plain.mode == .twoDimensional && plain.utc?.microseconds == 1_577_836_800_000_000)
    #expect(plain.position == GeodeticPosition(latitudeDegrees: 1.5, longitudeDegrees: -2.5))
    #expect(try point("<ele>1</ele>").0.mode == .threeDimensional)
  }

  @Test func pointsOfATrackKeepTheirOrderAndItsReportCountsThem() throws {
    func point(_ time: String) -> String { "<trkpt lat='1' lon='2'><time>\(time)</time></trkpt>" }
    let importer = try open(
      "<gpx>"
        + ["10:00:00", "10:00:05", "10:00:05", "10:00:04", "12:00:00"].map { point("2020-01-01T\($0)Z") }.joined()
        + "</gpx><trkpt lat='3' lon='4'>behind the end")
    #expect(try collect(importer).map(\.input.time.secondsDouble) == [0, 5, 7200])
    let report = importer.reports[0]
    #expect(report.inputCount == 3 && report.count(of: .duplicateTime) == 1 && report.count(of: .timeBackwards) == 1)
    #expect(report.count(of: .longGap) == 1 && importer.timeline.basis == .firstTime)
  }

  // MARK: Rows

  @Test func rowsOfATableTellWhatCouldNotBeUsed() throws {
    let text =
      "t_s,gx,gy,gz,ax,ay,az\n0,1,2,3,4,5,6\n0,1,2,3,4,5,6\n-1,1,2,3,4,5,6\n9,1,2,x,4,5,6\n,1,2,3,4,5,6\n10,1\n11,,,,,,\n"
    let reader = try InertialRows(ByteSource(bytes: Array(text.utf8), name: "imu.csv"))
    var rows: [InertialRow] = []
    while let row = try reader.next() { rows.append(row) }
    #expect(rows.map(\.line) == [2, 3, 4, 5, 6, 7, 8] && reader.reports[0].inputCount == 7)
    // A step back or none is for the filter to judge.
    #expect(rows.map { $0.sample != nil } == [true, true, true, true, false, false, false])
    #expect(rows[3].sample?.angularRate == nil && rows[3].sample?.specificForce == Vector3(4, 5, 6))
    let report = reader.reports[0]
    #expect(report.count(of: .duplicateTime) == 1 && report.count(of: .timeBackwards) == 1)
    #expect(report.count(of: .unreadableField) == 1 && report.count(of: .missingTime) == 1)
    #expect(report.count(of: .shortRow) == 1 && report.count(of: .incompleteVector) == 1)
    #expect(reader.hasTimeText && reader.hasMagnetometer == false && !reader.hasReference && !reader.hasMovement)
    let timed = try InertialRows(
      ByteSource(
        bytes: Array(
          "utc,gx,gy,gz,ax,ay,az\n2020-01-01T00:00:10Z,1,2,3,4,5,6\n2020-01-01T00:00:12Z,1,2,3,4,5,6\n".utf8), name: "x"
      ))
    #expect(try [timed.next()?.time, timed.next()?.time] == [.zero, .seconds(2)] && !timed.hasTimeText)
  }
}

/// Recordings merged: ties, orders and the ways they are laid together.
@Suite struct MergeOrderTests {
  @Test func inputsOfOneInstantComeInTheOrderOfTheirKindsAndOfTheRecordings() throws {
    let directory = try TemporaryDirectory()
    func part(_ name: String, _ body: (LeashLogWriter) throws -> Void) throws -> any RecordingImporter {
      let path = directory.path + "/" + name
      let writer = try LeashLogWriter(path: path)
      try body(writer)
      try writer.close()
      return try openRecording(path)
    }
    let bytes: [UInt8] = [1]
    let writes: [(LeashLogWriter) throws -> Void] = [
      { try $0.append(command: bytes.span, at: .seconds(1)) }, { try $0.append(acknowledgement: 5, at: .seconds(1)) },
      { try $0.append(tick: .seconds(1)) }, { try $0.append(bytes: bytes.span, from: 1, at: .seconds(1)) },
      { try $0.append(GNSSFix(time: .seconds(1))) },
      { try $0.append(InertialSample(time: .seconds(1), angularRate: .zero)) },
      { try $0.append(InertialSample(time: .seconds(1), specificForce: .zero)) },
    ]
    let parts = try writes.enumerated().map { try part("\($0.offset)", $0.element) }
    let merged = try MergedRecording(parts)
    let inputs = try collect(merged).map(\.input)
    #expect(
      inputs == [
        .inertial(InertialSample(time: .seconds(1), angularRate: .zero)),
        .inertial(InertialSample(time: .seconds(1), specificForce: .zero)), .fix(GNSSFix(time: .seconds(1))),
        .bytes(port: 1, time: .seconds(1)), .tick(.seconds(1)), .acknowledgement(.seconds(1), sequence: 5),
        .command(.seconds(1)),
      ])
    #expect(
      merged.reports.count == 7
        && merged.formatName == [String](repeating: "Leash log", count: 7).joined(separator: " + "))
  }

  /// A log that knows the time of day alone goes to the day nearest to the others.
  @Test func aTimeOfDayIsLaidOnTheNearestDay() throws {
    for (first, second, shift) in [
      ("2020-01-01T23:59:50Z", "000010", 20), ("2020-01-01T00:00:10Z", "235950", -20),
      ("2020-01-01T12:00:00Z", "120005", 5),
    ] {
      let merged = try MergedRecording([
        open("utc,lat_deg,lon_deg\n\(first),1,2\n"), open("$GPGGA,\(second).00,,,,,1,,,,,,,,\n"),
      ])
      #expect(merged.alignments == [.utc, .timeOfDay])
      let times = try collect(merged).map { $0.input.time.microseconds / 1_000_000 }
      let expected: [Int64] = shift < 0 ? [Int64(shift), 0] : [0, Int64(shift)]
      #expect(times == expected)
    }
    let both = try MergedRecording([
      open("$GPGGA,120000.00,,,,,1,,,,,,,,\n"), open("$GPGGA,120007.00,,,,,1,,,,,,,,\n"),
    ])
    #expect(try collect(both).map(\.input.time) == [.zero, .seconds(7)])
    #expect(both.alignments == [.sharedZero, .timeOfDay])
  }

  @Test func elapsedTimeWithUTCIsTheReferenceOfAllOthers() throws {
    let merged = try MergedRecording([
      open("utc,lat_deg,lon_deg\n2020-01-01T00:00:05Z,1,2\n"), open("t_s,gx,gy,gz\n3,1,2,3\n"),
      open("t_s,utc,lat_deg,lon_deg\n100,2020-01-01T00:01:40Z,1,2\n"),
    ])
    #expect(merged.alignments == [.utc, .sharedZero, .sharedZero] && merged.timeline.basis == .elapsed)
    #expect(try collect(merged).map(\.input.time) == [.seconds(3), .seconds(5), .seconds(100)])
    let other = try MergedRecording([
      open("utc,lat_deg,lon_deg\n2020-01-01T00:00:05Z,1,2\n"), open("t_s,gx,gy,gz\n3,1,2,3\n"),
    ])
    #expect(other.alignments == [.assumed, .sharedZero])
    #expect(try collect(other).map(\.input.time) == [.zero, .seconds(3)])
  }

  /// Every kind of input moves with its recording.
  @Test func everyKindOfInputIsShifted() {
    let inputs: [TrackerInput] = [
      .inertial(InertialSample(time: .seconds(1), angularRate: .zero)), .fix(GNSSFix(time: .seconds(1))),
      .bytes(port: 4, time: .seconds(1)), .tick(.seconds(1)), .command(.seconds(1)),
      .acknowledgement(.seconds(1), sequence: 9), .restoration(.seconds(1)),
    ]
    for input in inputs {
      #expect(input.time == .seconds(1) && input.shifted(by: .zero) == input)
      let later = input.shifted(by: .seconds(2))
      #expect(later.time == .seconds(3) && later.shifted(by: .seconds(-2)) == input && later != input)
    }
    #expect(inputs.map(\.mergeRank) == [0, 1, 2, 3, 5, 4, 0])
  }
}
