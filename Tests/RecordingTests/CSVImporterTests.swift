import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime
import TrackerCore

/// Opens text as if it were a file.
func open(_ text: String, name: String = "ride.csv") throws -> any RecordingImporter {
  try openRecording(ByteSource(bytes: Array(text.utf8), name: name))
}

/// Reads all of a recording given as text; failures are told with what came before.
func read(_ text: String) throws -> (inputs: [TrackerInput], report: ImportReport) {
  let importer = try open(text)
  let inputs = try collect(importer).map(\.input)
  return (inputs, importer.reports[0])
}

/// The error of opening or reading.
func failure(_ bytes: [UInt8], name: String = "ride.csv") -> RecordingError? {
  do throws(RecordingError) {
    let importer = try openRecording(ByteSource(bytes: bytes, name: name))
    while try importer.next() != nil {}
    return nil
  } catch {
    return error
  }
}

@Suite struct CSVImporterTests {
  @Test func inertialRowsBecomeSamples() throws {
    let (inputs, report) = try read("t_s,gx,gy,gz,ax,ay,az,mx,my,mz\n0.5,1,2,3,4,5,9.81,7,8,9\n0.51,1,2,3,,,,,,\n")
    #expect(
      inputs == [
        .inertial(
          InertialSample(
            time: .milliseconds(500), angularRate: Vector3(1, 2, 3), specificForce: Vector3(4, 5, 9.81),
            magneticFluxDensity: Vector3(7, 8, 9))),
        .inertial(InertialSample(time: .milliseconds(510), angularRate: Vector3(1, 2, 3))),
      ])
    #expect(report.entries.isEmpty)
    #expect(report.inputCount == 2)
  }

  @Test func columnsMayStandInAnyOrderWithOthersBetween() throws {
    let (inputs, _) = try read("movement, AZ ,\"ay\",ax,q,t_s\n1,3,2,1,x y,0.25\n1,3,2,1,\"a,b\",0.5\n")
    #expect(inputs.count == 2)
    #expect(inputs.first == .inertial(InertialSample(time: .milliseconds(250), specificForce: Vector3(1, 2, 3))))
  }

  @Test func semicolonsAndTabsSeparateToo() throws {
    #expect(try read("t_s;gx;gy;gz\n1;2;3;4\n").inputs.count == 1)
    #expect(try read("t_s\tgx\tgy\tgz\n1\t2\t3\t4\n").inputs.count == 1)
  }

  /// A first row whose time is wrong is passed over, and counts nothing from its time.
  @Test func aFirstRowThatIsPassedOverIsNotTheBeginning() throws {
    let rows = "2019-09-20T14:10:03Z,50,5\n2019-09-20T14:10:04Z,50,5\n"
    let importer = try open("utc,lat_deg,lon_deg\n2099-01-01T00:00:00Z,50,5\n" + rows)
    #expect(try collect(importer).map(\.input.time) == [.zero, .seconds(1)])
    #expect(importer.timeline.utcAtZero?.microseconds == 1_568_988_603_000_000)
    #expect(importer.reports[0].entries.map(\.problem) == [.timeOutlier])
    let both = try open(
      "t_s,utc,lat_deg,lon_deg\n99999,2019-09-20T14:10:03Z,50,5\n2,2019-09-20T14:10:05Z,50,5\n3,,50,5\n")
    #expect(try collect(both).map(\.input.time) == [.seconds(2), .seconds(3)])
    #expect(both.timeline.utcAtZero?.microseconds == 1_568_988_603_000_000)
  }

  @Test func satelliteRowsBecomeFixes() throws {
    let text = """
      t_s,utc,lat_deg,lon_deg,alt_m,speed_mps,course_deg,hacc_m,distance_m
      0,2019-09-20T14:10:03Z,50.3925681,5.9003040,473.8,1.5,360,4.5,0
      1,2019-09-20T14:10:04Z,50.3925681,5.9003040,,,,,0
      2,,,,,,,,
      """
    let importer = try open(text)
    let inputs = try collect(importer).map(\.input)
    guard inputs.count == 3, case .fix(let first) = inputs[0], case .fix(let second) = inputs[1],
      case .fix(let third) = inputs[2]
    else {
      Issue.record("\(inputs)")
      return
    }
    #expect(first.mode == .threeDimensional && second.mode == .twoDimensional && third.mode == .none)
    #expect(first.position == GeodeticPosition(latitudeE9: 50_392_568_100, longitudeE9: 5_900_304_000))
    #expect(first.heightAboveSeaLevel == 473.8 && first.speed == 1.5 && first.course == 0)
    #expect(first.horizontalAccuracy == 4.5)
    #expect(first.utc?.microseconds == 1_568_988_603_000_000)
    #expect(third.time == .seconds(2) && third.position == nil && third.utc == nil)
    #expect(importer.timeline == Timeline(basis: .elapsed, utcAtZero: first.utc))
  }

  @Test func withoutElapsedTimeTheFirstUTCIsZero() throws {
    let importer = try open("utc,lat_deg,lon_deg\n2020-01-01T00:00:10Z,1,2\n2020-01-01T00:00:11.5Z,1,2\n")
    #expect(try collect(importer).map(\.input.time) == [.zero, .milliseconds(1500)])
    #expect(importer.timeline.basis == .firstTime)
    #expect(importer.timeline.utcAtZero?.microseconds == 1_577_836_810_000_000)
  }

  @Test func aTableWithBothGivesSampleThenFix() throws {
    let (inputs, _) = try read("t_s,ax,ay,az,lat_deg,lon_deg\n0,1,2,3,50,6\n0.1,1,2,3,,\n0.2,,,,51,6\n0.3,,,,,\n")
    #expect(inputs.map(\.mergeRank) == [0, 1, 0, 1])
    #expect(inputs.map(\.time.microseconds) == [0, 0, 100_000, 200_000])
  }

  @Test func twoSensorsAtOneTimeMayHaveARowEach() throws {
    let rows = """
      t_s,ax,ay,az,lat_deg,lon_deg,wheel_pulses
      0,1,2,3,,,
      0,,,,52,13,
      0,,,,,,7
      0,,,,52,13,
      0,4,5,6,,,
      0,,,,,,
      1,,,,52,13,
      1,1,2,3,,,
      1,1,2,3,52,13,
      """
    let (inputs, report) = try read(rows)
    #expect(inputs.map(\.time.microseconds) == [0, 0, 0, 1_000_000, 1_000_000])
    #expect(report.entries == [.init(problem: .duplicateTime, count: 4, firstLine: 5)])
  }

  @Test func everyLineEndAndTheByteOrderMarkAreTheSame() throws {
    let plain = "t_s,gx,gy,gz\n0,1,2,3\n1,1,2,3\n"
    let expected = try read(plain).inputs
    for text in [
      plain.split(separator: "\n").joined(separator: "\r\n"), plain.split(separator: "\n").joined(separator: "\r"),
      "\u{FEFF}" + plain, "# a remark\n\n" + plain, plain + "\n\n",
    ] {
      #expect(try read(text).inputs == expected)
    }
    let packed = try openRecording(ByteSource(bytes: gzip(Array(plain.utf8)), name: "ride.csv"))
    #expect(try collect(packed).map(\.input) == expected)
  }

  @Test func badRowsAreSkippedAndCountedWithTheirFirstLine() throws {
    let rows = """
      t_s,gx,gy,gz
      0,1,2,3
      1,1,2,x
      1,NaN,2,3
      2,1,2,3
      2,1,2,3
      1.5,1,2,3
      1.6,1,2,3
      3,1,2
      ,1,2,3
      4,1,2,inf
      9000,1,2,3
      5,1,2,3
      9001,1,2,3
      99999,1,2
      """
    let (inputs, report) = try read(rows)
    #expect(inputs.map(\.time.microseconds) == [0, 2_000_000, 5_000_000, 9_001_000_000])
    #expect(
      report.entries == [
        .init(problem: .unreadableField, count: 1, firstLine: 3), .init(problem: .shortRow, count: 2, firstLine: 9),
        .init(problem: .notFinite, count: 2, firstLine: 4), .init(problem: .missingTime, count: 1, firstLine: 10),
        .init(problem: .timeBackwards, count: 2, firstLine: 7),
        .init(problem: .duplicateTime, count: 1, firstLine: 6), .init(problem: .timeOutlier, count: 1, firstLine: 12),
        .init(problem: .incompleteVector, count: 2, firstLine: 4), .init(problem: .longGap, count: 1, firstLine: 14),
      ])
  }

  @Test func aClockThatIsSetBackGoesOnFromTheLastRowBefore() throws {
    // 10 s, an hour ahead for 20 s, and back: no row after the 5 s that tell it from rows out of order is lost.
    for ahead in [0, 30, 3500, 36_000] {
      var text = "t_s,gx,gy,gz\n"
      for row in 0..<400 {
        let seconds = Double(row) / 10
        text += "\(seconds + (100..<300 ~= row ? Double(ahead) : 0)),1,2,\(row)\n"
      }
      let (inputs, report) = try read(text)
      let times = inputs.map(\.time.microseconds)
      #expect(times == times.sorted(), "in order")
      if ahead == 0 {
        #expect(inputs.count == 400 && report.entries.isEmpty)
        continue
      }
      #expect(report.count(of: .clockSetBack) == 1 && report.count(of: .timeBackwards) == 50)
      #expect(inputs.count == 350, "\(ahead)")
      let steps = zip(times, times.dropFirst()).map { $1 - $0 }
      #expect(steps.suffix(40).allSatisfy { $0 == 100_000 } && steps.count { $0 > 100_000 } == 2)
    }
  }

  @Test func aClockThatIsSetBackFromTheEndOfTimeAgainAndAgainIsNoCrash() throws {
    var text = "t_s,gx,gy,gz\n"
    for _ in 0..<6 {
      text += "3.1e12,1,2,3\n"
      for second in 0..<8 { text += "\(second),1,2,3\n" }
      text += "-3.1e12,1,2,3\n"
      for second in 0..<8 { text += "\(second)e11,1,2,3\n" }
    }
    let times = try read(text).0.map(\.time.microseconds)
    #expect(times.count > 2 && times == times.sorted())
  }

  @Test func rowsOutOfOrderAreNoClockThatIsSetBack() throws {
    // Four rows over any time, or many within 5 s.
    let few = "t_s,gx,gy,gz\n100,1,2,3\n1,1,2,3\n21,1,2,3\n41,1,2,3\n61,1,2,3\n101,1,2,3\n"
    #expect(try read(few).0.map(\.time.microseconds) == [100_000_000, 101_000_000])
    var many = "t_s,gx,gy,gz\n100,1,2,3\n"
    for row in 0..<500 { many += "\(Double(row) / 100),1,2,3\n" }
    #expect(try read(many + "101,1,2,3\n").0.map(\.time.microseconds) == [100_000_000, 101_000_000])
    #expect(
      try read(many + "5,1,2,3\n5.01,1,2,3\n").0.map(\.time.microseconds) == [100_000_000, 105_000_000, 105_010_000])
  }

  @Test func badFixFieldsAreCounted() throws {
    let (inputs, report) = try read(
      "t_s,lat_deg,lon_deg,speed_mps,course_deg,hacc_m\n0,91,0,,,\n1,0,-181,,,\n2,1,,,,\n3,1,2,-1,400,0\n")
    #expect(inputs.count == 2)
    #expect(report.count(of: .positionOutOfRange) == 2)
    #expect(report.count(of: .incompletePosition) == 1)
    #expect(report.count(of: .valueOutOfRange) == 3)
  }

  @Test func filesThatAreNoRecordingAreNamedWithWhatWouldBeRight() throws {
    let columns = failure(Array("time,speed\n1,2\n".utf8))
    #expect(columns?.line == 1)
    #expect(
      columns?.description.hasPrefix("ride.csv:1: columns “time,speed”; expected t_s or utc, and gx,gy,gz") == true)
    #expect(failure([])?.found == "the file is empty")
    #expect(failure(Array("\n\n".utf8))?.found == "no header line (nothing but empty lines)")
    #expect(failure(Array("t_s,gx,gy,gz\n".utf8))?.found == "a header but no rows")
    #expect(failure(Array("t_s,gx,gy,gz\nx,1,2,3\n".utf8))?.line == 2)
    #expect(failure((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })?.found == "binary data")
    #expect(failure(Array("t_s,speed_mps,distance_m\n0,1,2\n".utf8))?.line == 1)
    #expect(failure([0x50, 0x4B, 3, 4, 5, 6])?.found.contains("zip") == true)
    #expect(failure([0xFF, 0xFE, 0x74, 0x00])?.found.contains("UTF-16") == true)
    #expect(failure(Array("<html></html>".utf8))?.found == "XML or HTML without <gpx>")
  }

  @Test func aCutGzipFileGivesItsRowsAndThenAnError() throws {
    var text = "t_s,gx,gy,gz\n"
    for index in 0..<50000 { text += "\(index),\(index % 17),2,3\n" }
    let packed = try gzip(Array(text.utf8))
    let importer = try openRecording(ByteSource(bytes: Array(packed[..<(packed.count * 3 / 4)]), name: "cut.csv.gz"))
    var count = 0
    do {
      while try importer.next() != nil { count += 1 }
      Issue.record("no error")
    } catch {
      #expect(error.kind == .truncated)
    }
    #expect(count > 20000 && count < 50000)
  }

  @Test func anyByteChangedNeverCrashesAnImport() {
    let text = "t_s,utc,lat_deg,lon_deg,gx,gy,gz\n0,2019-09-20T14:10:03Z,50.5,5.9,1,2,3\n1,,,,1e3,-2,.5\n"
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for byte in [UInt8(0), 0x2C, 0x22, 0x0A, 0x0D, 0x2D, 0x39, 0xFF, 0x65] {
        var changed = bytes
        changed[place] = byte
        _ = failure(changed)
        _ = failure(Array(changed[..<place]))
      }
    }
  }
}
