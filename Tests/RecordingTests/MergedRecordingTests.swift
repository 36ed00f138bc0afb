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
}
