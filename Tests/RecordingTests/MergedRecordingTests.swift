import Quantities
import Testing

@testable import Recording

@Suite struct MergedRecordingTests {
  @Test func streamsWithElapsedTimeAreMergedByIt() throws {
    let merged = try MergedRecording([
      open("t_s,lat_deg,lon_deg\n0,1,2\n1,1,2\n2,1,2\n"), open("t_s,gx,gy,gz\n0,1,2,3\n0.5,1,2,3\n1,1,2,3\n"),
    ])
    let inputs = try collect(merged).map(\.input)
    #expect(inputs.map(\.time.microseconds) == [0, 0, 500_000, 1_000_000, 1_000_000, 2_000_000])
    #expect(inputs.map(\.mergeRank) == [0, 1, 0, 0, 1, 1])
    #expect(merged.alignments == [.sharedZero, .sharedZero])
  }

  @Test func aLogWithUTCIsLaidBesideElapsedTimeByUTC() throws {
    let merged = try MergedRecording([
      open("t_s,utc,lat_deg,lon_deg\n10,2020-01-01T12:00:10Z,1,2\n20,2020-01-01T12:00:20Z,1,2\n"),
      open("$GPRMC,120015,A,,,,,,,010120,,\n$GPRMC,120016,A,,,,,,,010120,,\n"),
      open("$GPGGA,120017.00,,,,,,\n"), open("t_s,gx,gy,gz\n0,1,2,3\n"),
    ])
    let all = try collect(merged)
    #expect(all.map(\.input.time.microseconds) == [0, 10_000_000, 15_000_000, 16_000_000, 17_000_000, 20_000_000])
    #expect(String(decoding: all[4].bytes, as: UTF8.self).hasPrefix("$GPGGA"))
    #expect(merged.alignments == [.sharedZero, .utc, .timeOfDay, .sharedZero])
    #expect(merged.timeline.utcAtZero?.microseconds == 1_577_880_000_000_000)
  }

  @Test func recordingsWithUTCAloneBeginAtTheEarliest() throws {
    let merged = try MergedRecording([
      open("utc,lat_deg,lon_deg\n2020-01-01T00:00:10Z,1,2\n"),
      open("<gpx><trkpt lat='1' lon='2'><time>2020-01-01T00:00:05Z</time></trkpt></gpx>"),
    ])
    #expect(try collect(merged).map(\.input.time.microseconds) == [0, 5_000_000])
  }

  @Test func theFailureOfOnePartIsToldAfterTheOthersEnded() throws {
    let merged = try MergedRecording([
      open("<gpx><trkpt lat='1' lon='2'><time>2020-01-01T00:00:05Z</time></trkpt>"),
      open("t_s,gx,gy,gz\n0,1,2,3\n1,1,2,3\n"),
    ])
    var count = 0
    do {
      while try merged.next() != nil { count += 1 }
      Issue.record("no error")
    } catch {
      #expect(error.kind == .truncated)
    }
    #expect(count == 3)
    #expect(merged.alignments == [.assumed, .sharedZero])
  }

  /// A Leash log goes back in time where an input was late, and its next file may begin with one.
  @Test func filesOfOneRunComeOneAfterTheOther() throws {
    func file(_ name: String, after earlier: String?, _ write: (LeashLogWriter) throws -> Void) throws
      -> any RecordingImporter
    {
      let bytes = try writeLog(TemporaryDirectory()) { writer in
        try writer.append(configuration: Array("seed=1\n".utf8).span)
        if let earlier { try writer.append(continuationOf: earlier) }
        try write(writer)
      }
      return try openRecording(ByteSource(bytes: bytes, name: name))
    }
    func seconds(_ files: [any RecordingImporter]) throws -> [Double] {
      try collect(try MergedRecording(files)).map(\.input.time.secondsDouble)
    }
    func first(_ name: String) throws -> any RecordingImporter {
      try file(name, after: nil) { writer in
        for second in [1, 10] { try writer.append(tick: .seconds(second)) }
      }
    }
    func last(after earlier: String) throws -> any RecordingImporter {
      try file("c", after: earlier) { writer in
        for second in [9, 11] { try writer.append(InertialSample(time: .seconds(second), angularRate: .zero)) }
      }
    }
    for name in ["a", "rides/a"] { #expect(try seconds([first(name), last(after: "a")]) == [1, 10, 9, 11]) }
    // A file without an input holds the order as well.
    let empty = try file("b", after: "a") { _ in }
    #expect(try seconds([first("a"), empty, last(after: "b")]) == [1, 10, 9, 11])
    // Another recording lies beside them by its time.
    let fix = try open("t_s,lat_deg,lon_deg\n5,1,2\n9.5,1,2\n20,1,2\n")
    #expect(try seconds([first("a"), fix, last(after: "a")]) == [1, 5, 9.5, 10, 9, 11, 20])
    // What goes on from something else, or from nothing that is known, begins at its time.
    for name in ["xa", "rides/xa", "b"] { #expect(try seconds([first(name), last(after: "a")]) == [1, 9, 10, 11]) }
    #expect(try seconds([first("a"), last(after: "")]) == [1, 9, 10, 11])
    #expect(try seconds([last(after: "a"), first("a")]) == [1, 9, 10, 11], "the wrong order is no order")
  }
}
