import Quantities
import Testing
import TrackerLog

@testable import Recording
@testable import TrackerRuntime

@Suite struct ReportTests {
  @Test func problemsAreCountedWithTheirFirstLineInAFixedOrder() {
    var report = ImportReport(file: "f")
    for line in [7, 3, 9] { report.count(.timeBackwards, line: line) }
    report.count(.unreadableField, line: 8)
    #expect(
      report.entries == [
        .init(problem: .unreadableField, count: 1, firstLine: 8),
        .init(problem: .timeBackwards, count: 3, firstLine: 7),
      ])
    #expect(report.firstEntry?.problem == .timeBackwards && report.count(of: .shortRow) == 0)
    #expect(Set(ImportReport.Problem.allCases.map(\.summary)).count == ImportReport.Problem.allCases.count)
    for number in 0..<20 { for _ in 0..<2 { report.remark("remark \(number)") } }
    #expect(report.remarks == (0..<16).map { "remark \($0)" })
  }

  @Test func anErrorIsOneLineWithItsPlace() {
    let error = RecordingError(kind: .malformed, file: "a.csv", line: 3, found: "x", expected: "y")
    #expect(error.description == "a.csv:3: x; expected y")
    #expect(RecordingError(kind: .truncated, file: "a", found: "x").description == "a: x")
  }

  /// What the first bytes of a file look like decides what it is.
  @Test func theContentDecidesWhatAFileIs() {
    func kind(_ bytes: [UInt8]) -> ContentKind { bytes.withUnsafeBufferPointer { ContentKind($0) } }
    func kind(_ text: String) -> ContentKind { kind(Array(text.utf8)) }
    #expect(kind(LogFormat.magic) == .leashLog && kind(Array(LogFormat.magic.dropLast())) != .leashLog)
    #expect(kind("<?xml?><gpx>") == .gpx && kind(" \n<x:gpx>") == .gpx && kind("\u{FEFF}<gpx>") == .gpx)
    for text in ["$GPGGA,1", "x\n!AIVDM,1", "$PGRME,", "# a $GPGGA, b\n$GPGGA,1"] {
      #expect(kind(text) == .nmea, "\(text)")
    }
    for text in [
      "# $GPGGA,1,2\na,b", "a,b\n# $GPGGA,1", "$GPG,1", "$GPGGA", "$ABCDEFGHIJKL,1", "$gpgga,1", "a,b\r#$GPGGA,",
    ] {
      #expect(kind(text) == .text, "\(text)")
    }
    #expect(kind("$ABCDEFGHIJK,1") == .nmea && kind("$ABCD,1") == .nmea)
    // One byte in twenty may be a control character.
    #expect(kind([1] + [UInt8](repeating: 65, count: 19)) == .text)
    #expect(kind([1] + [UInt8](repeating: 65, count: 18)) == .unknown("binary data"))
    #expect(kind([0] + [UInt8](repeating: 65, count: 400)) == .unknown("binary data"))
    // What a power cut has left of a log that holds sentences is no log of a receiver.
    let sentence = Array("$GPRMC,120000,V,,,,,,,,,\r\n".utf8)
    #expect(kind([UInt8](repeating: 0, count: 15) + sentence) == .nmea)
    #expect(kind([UInt8](repeating: 0, count: 16) + sentence) == .unknown("zeros, as a power cut may leave them"))
    #expect(kind([UInt8](repeating: 9, count: 20)) == .text)
  }

  @Test func timesAreReadUpToTheirLimits() {
    func utc(_ text: String) -> Int64? {
      let bytes = Array(text.utf8)
      return bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { scanUTC(from: $0, to: $0 + buffer.count)?.microseconds }
      }
    }
    func day(_ text: String) -> Int64? {
      let bytes = Array(text.utf8)
      return bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { scanTimeOfDay(from: $0, to: $0 + buffer.count) }
      }
    }
    #expect(utc("1970-01-01T24:00:00Z") == 86_400_000_000 && utc("1970-01-01T25:00:00Z") == nil)
    #expect(utc("1970-01-01T00:59:60Z") == 3_600_000_000 && utc("1970-01-01T00:60:00Z") == nil)
    #expect(utc("1970-01-01T00:00:61Z") == nil && utc("1970-01-01t00:00:01z") == 1_000_000)
    #expect(utc("1970-01-01T00:00:00+24:00") == -86_400_000_000 && utc("1970-01-01T00:00:00+25:00") == nil)
    #expect(utc("1970-01-01T00:00:00-0130") == 5_400_000_000 && utc("1970-01-01T00:00:00+02") == -7_200_000_000)
    #expect(utc("1970-01-01T00:00:00.0000019Z") == 1 && utc("1970-01-01T00:00:00.Z") == nil)
    #expect(utc(" \"1970-01-01T00:00:00.5\" ") == 500_000 && utc("1970-01-01X00:00:00") == nil)
    #expect(
      day("235959") == 86_399_000_000 && day("240000") == nil && day("006000") == nil && day("000060") == 60_000_000)
    #expect(day("000061") == nil && day("000001.25") == 1_250_000 && day("000001.") == 1_000_000 && day("00000") == nil)
    #expect(day("0000011") == nil && day("000001.x") == nil)
  }

  /// A log is given as what went into it: the configuration is its text, and what came out is passed over.
  @Test func aLogIsImportedAsItsInputsAlone() throws {
    let directory = try TemporaryDirectory()
    let bytes: [UInt8] = [65]
    for hasConfiguration in [true, false] {
      let log = try writeLog(directory) { writer in
        if hasConfiguration { try writer.append(configuration: Array("seed=5\n".utf8).span) }
        try writer.append(command: bytes.span, at: .seconds(1))
        try writer.append(action: bytes.span, at: .seconds(1))
        try writer.append(output: bytes.span, to: 1, at: .seconds(1))
        try writer.append(note: bytes.span, at: .seconds(1))
        try writer.append(tick: .seconds(2))
      }
      let importer = try openRecording(ByteSource(bytes: log, name: "log"))
      #expect((importer as? LeashLogImporter)?.configurationText == (hasConfiguration ? "seed=5\n" : nil))
      #expect(try importer.next() == .command(.seconds(1)) && importer.payload == bytes)
      #expect(try importer.next() == .tick(.seconds(2)) && importer.next() == nil)
      #expect(importer.reports[0].inputCount == 2 && importer.timeline == Timeline(basis: .elapsed))
    }
  }
}
