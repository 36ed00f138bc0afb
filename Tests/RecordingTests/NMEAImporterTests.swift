import Quantities
import Testing

@testable import Recording

private func times(_ text: String) throws -> [Int64] {
  try collect(open(text, name: "log")).map(\.input.time.microseconds)
}

@Suite struct NMEAImporterTests {
  @Test func linesKeepTheirBytesAndShareTheTimeOfTheirEpoch() throws {
    let lines = [
      "$GPGSV,1,1,00*79\r\n", "$GPGGA,120000.00,,,,,0,,,,,,,,\r\n", "$GPVTG,,,,,,,,,N*30\r\n",
      "$GPRMC,120000.00,V,,,,,,,010120,,,N\r\n", "$GPGGA,120000.50,,,,,0,,,,,,,,\r\n", "junk \u{1}\u{2}\n",
      "$GPGLL,,,,,120001,V,N",
    ]
    let importer = try open("# Name: test\n# Date: 2020\n" + lines.joined(), name: "log")
    let all = try collect(importer)
    #expect(all.map { String(decoding: $0.bytes, as: UTF8.self) } == lines)
    #expect(all.map(\.input.time.microseconds) == [0, 0, 0, 0, 500_000, 500_000, 1_000_000])
    #expect(importer.timeline.utcAtZero?.microseconds == 1_577_880_000_000_000)
    #expect(importer.formatName == "NMEA log")
  }

  @Test func midnightIsPassedWithAndWithoutDates() throws {
    #expect(try times("$GPGGA,235959.00,\n$GPGGA,000000.00,\n$GPGGA,000001,,\n") == [0, 1_000_000, 2_000_000])
    #expect(
      try times(
        "$GPRMC,235959,A,,,,,,,311219,,\n$GPGGA,000000.00,\n$GPRMC,000000,A,,,,,,,010120,,\n$GPZDA,000001,01,01,2020,,\n"
      ) == [0, 1_000_000, 1_000_000, 2_000_000])
  }

  @Test func aPauseOfManyHoursCountsWhenDatesTellIt() throws {
    let text = "$GPRMC,100000,A,,,,,,,010120,,\n$GPGGA,233000.00,\n$GPRMC,233000,A,,,,,,,010120,,\n$GPGGA,233001.00,\n"
    #expect(try times(text).suffix(2) == [48_600_000_000, 48_601_000_000])
  }

  @Test func timeNeverGoesBack() throws {
    let importer = try open(
      "$GPGGA,120010.00,\n$GPGGA,120009.00,\n$GPGGA,120011.00,\n$GPGGA,110000.00,\n$GPGGA,110001.00,\n", name: "log")
    #expect(try collect(importer).map(\.input.time.microseconds) == [0, 0, 1_000_000, 1_000_000, 2_000_000])
    #expect(importer.reports[0].count(of: .timeBackwards) == 2)
  }

  @Test func aCalendarCorrectionIsNoPauseOfYears() throws {
    let text = "$GPRMC,120000,A,,,,,,,060180,,\n$GPRMC,120001,A,,,,,,,010120,,\n$GPRMC,120002,A,,,,,,,010120,,\n"
    #expect(try times(text) == [0, 1_000_000, 2_000_000])
  }

  @Test func aColdReceiverThatFindsTheTimeDoesNotMakeAPause() throws {
    let importer = try open(
      "$GPRMC,235946,V,,,,,,,050180,,\n$GPRMC,235948,V,,,,,,,050180,,\n$GPGGA,081433.00,,,,,0,,\n"
        + "$GPRMC,081433,V,,,,,,,120180,,\n$GPRMC,101436,A,,,,,,,230808,,\n$GPRMC,111436,A,,,,,,,230808,,\n",
      name: "log")
    #expect(
      try collect(importer).map(\.input.time.microseconds) == [
        0, 2_000_000, 4_000_000, 4_000_000, 6_000_000, 3_606_000_000,
      ])
    #expect(importer.timeline.utcAtZero?.microseconds == 1_219_486_470_000_000)
  }

  @Test func aWrongChecksumTellsNoTime() throws {
    #expect(
      try times("$GPGGA,120000.00,,,,,0*00\n$GPGGA,120005.00,,,,,,,\n$GPGGA,120006.00,,,,,,,\n") == [0, 0, 1_000_000])
  }

  @Test func junkWithoutLineEndsComesInPieces() throws {
    let junk = [UInt8](repeating: 0xAA, count: 10_000)
    let bytes = Array("$GPGGA,120000.00,,,,\r\n".utf8) + junk + Array("\r\n$GPGGA,120001.00,,,,\r\n".utf8)
    let importer = try openRecording(ByteSource(bytes: bytes, name: "log"))
    let all = try collect(importer)
    #expect(all.flatMap(\.bytes) == bytes)
    #expect(all.allSatisfy { $0.bytes.count <= NMEAImporter.maximumChunk })
    #expect(all.last?.input.time == .seconds(1))
  }
}
