import Glibc
import Testing

@testable import Recording
@testable import TrackerRuntime

@Suite struct DecimalScanningTests {
  static func scan(_ text: String) -> ScannedNumber {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return .empty }
      return scanNumber(from: start, to: start + buffer.count)
    }
  }

  @Test func numbersAreReadWithTheBitsOfTheCLibrary() {
    let texts = [
      "0", "-0", "1", "-1.5", ".5", "5.", "+7", "1e3", "1E-3", "-2.5e+10", "0.00000000000000000001", "9007199254740993",
      "179769313486231570000000000000000000000", "3.141592653589793238462643383279", "0.1", "1e22", "1e23", "4.9e-324",
      "2.2250738585072011e-308", "123456789012345678901234567890", "  12.5 ", "\"3.25\"", "9223372036854775807",
      "0.30000000000000004", "7.0385307e-26", "18446744073709551616", "00000000000000000000000000000001.5",
    ]
    for text in texts {
      let bare = text.filter { $0 != " " && $0 != "\"" }
      guard case .value(let value) = Self.scan(text) else {
        Issue.record("\(text) was not read")
        continue
      }
      #expect(value.bitPattern == strtod(bare, nil).bitPattern, "\(text)")
    }
    var state: UInt64 = 88172645463325252
    for _ in 0..<20000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let number = Double(Int64(bitPattern: state) >> Int64(state % 50)) / Double(UInt64(1) << (state >> 32 % 40))
      for text in ["\(number)", "\(Float(number))"] {
        guard case .value(let value) = Self.scan(text) else {
          Issue.record("\(text) was not read")
          continue
        }
        #expect(value.bitPattern == strtod(text, nil).bitPattern, "\(text)")
      }
    }
  }

  @Test func whatIsNotANumberIsToldApart() {
    for text in ["nan", "NaN", "-nan", "inf", "-Infinity", "1e999", "null", "N/A"] {
      guard case .notFinite = Self.scan(text) else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in ["", " ", "\"\""] {
      guard case .empty = Self.scan(text) else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in ["x", "1.2.3", "0x10", "1e", "1e+", "1-2", "--1", "1 2", ".", "e5", "nanx", "1,5"] {
      guard case .unreadable = Self.scan(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test func timesOfAllISOFormsAreRead() {
    func utc(_ text: String) -> Int64? {
      let bytes = Array(text.utf8)
      return bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { scanUTC(from: $0, to: $0 + buffer.count)?.microseconds }
      }
    }
    #expect(utc("2019-09-20T14:10:03Z") == 1_568_988_603_000_000)
    #expect(utc("2019-09-20 14:10:03") == 1_568_988_603_000_000)
    #expect(utc("2019-09-20T16:10:03.25+02:00") == 1_568_988_603_250_000)
    #expect(utc("2019-09-20T09:10:03,1234567-0500") == 1_568_988_603_123_456)
    #expect(utc("2019-09-20T14:10Z") == 1_568_988_600_000_000)
    #expect(utc("1969-12-31T23:59:60Z") == 0)
    for text in [
      "", "2019", "2019-13-01T00:00:00Z", "2019-02-29T00:00:00Z", "2019-09-20T14:10:03Zx", "2019-09-20T25:00:00Z",
    ] {
      #expect(utc(text) == nil, "\(text)")
    }
  }
}

@Suite struct LineReaderTests {
  static func lines(_ bytes: [UInt8]) throws -> [String] {
    let reader = LineReader(ByteWindow(try ByteSource(bytes: bytes, name: "t")))
    var result: [String] = []
    while let line = try reader.next() { result.append(line.text) }
    return result
  }

  @Test func everyLineEndIsUnderstood() throws {
    #expect(try Self.lines(Array("a\nb\r\nc\rd\n\r\ne".utf8)) == ["a", "b", "c", "d", "", "e"])
    #expect(try Self.lines(Array("\u{FEFF}a\n".utf8)) == ["a"])
    #expect(try Self.lines([]) == [])
    #expect(try Self.lines(Array("a\r".utf8)) == ["a"])
    #expect(try Self.lines(Array("\n\n".utf8)) == ["", ""])
    #expect(try Self.lines(Array("a\r\r\nb\r\r".utf8)) == ["a", "", "b", ""])
  }

  @Test func longFilesOfEachLineEndKeepEveryLine() throws {
    for end in ["\n", "\r\n", "\r"] {
      let expected = (0..<60000).map { "line \($0)" }
      #expect(try Self.lines(Array((expected.joined(separator: end) + end).utf8)) == expected)
    }
  }

  /// A line end that lies across the edge of what is at hand is one.
  @Test func aLineEndAcrossAnEdgeIsOne() throws {
    // The window holds 256 KiB at first: one CR in a hundred of these is its last byte.
    let line = [UInt8](repeating: 0x78, count: 1000)
    for first in 619...623 {
      var bytes = [UInt8](repeating: 0x79, count: first) + [0x0D, 0x0A]
      for _ in 0..<280 { bytes += line + [0x0D, 0x0A] }
      let reader = LineReader(ByteWindow(try ByteSource(bytes: bytes, name: "t")))
      var counts: [Int] = []
      while let line = try reader.next() { counts.append(line.count) }
      #expect(counts == [first] + [Int](repeating: 1000, count: 280) && reader.lineNumber == 281, "\(first)")
    }
  }

  @Test func anOverlongLineIsPassedOverAndCounted() throws {
    let long = [UInt8](repeating: 0x78, count: 1_000_000)
    let bytes = Array("a\n".utf8) + long + Array("\r\nb\n".utf8) + long
    let reader = LineReader(ByteWindow(try ByteSource(bytes: bytes, name: "t")))
    var found: [String] = []
    while let line = try reader.next() { found.append("\(reader.lineNumber) \(line.text)") }
    #expect(found == ["1 a", "3 b"])
    #expect(reader.overlongCount == 2)
    #expect(reader.firstOverlongLine == 2)
  }
}

@Suite struct GzipTests {
  @Test func concatenatedMembersReadAsOne() throws {
    let packed = try gzip(Array("one\n".utf8)) + gzip(Array("two\n".utf8)) + [0, 0, 0]
    #expect(try LineReaderTests.lines(packed) == ["one", "two"])
  }

  @Test func aTruncatedFileGivesWhatIsReadableAndThenAnError() throws {
    let text = (0..<20000).map { "\($0),\($0 * 7919 % 10007)\n" }.joined()
    let packed = try gzip(Array(text.utf8))
    for cut in [packed.count - 1, packed.count - 9, packed.count / 2, 11, 3] {
      let reader = LineReader(ByteWindow(try ByteSource(bytes: Array(packed[..<cut]), name: "cut.gz")))
      var count = 0
      do {
        while try reader.next() != nil { count += 1 }
        Issue.record("no error for a cut at \(cut)")
      } catch {
        #expect(error.kind == .truncated)
        #expect(error.description.hasPrefix("cut.gz: "))
      }
      if cut > packed.count / 2 - 1 { #expect(count > 5000) }
      if cut >= packed.count - 9 { #expect(count >= 19000) }
    }
  }

  @Test func damagedOrForeignBytesBehindTheDataAreAnError() throws {
    #expect(throws: RecordingError.self) { try LineReaderTests.lines(gzip(Array("one\n".utf8)) + [1, 2, 3]) }
    var packed = try gzip(Array(String(repeating: "some text ", count: 500).utf8))
    packed[packed.count - 6] ^= 0x55
    #expect(throws: RecordingError.self) { try LineReaderTests.lines(packed) }
  }

  @Test func aMissingFileIsNamedWithTheReason() {
    do {
      _ = try ByteSource(path: "/nonexistent/ride.csv")
      Issue.record("opened")
    } catch {
      #expect(error.description == "/nonexistent/ride.csv: can't open: No such file or directory")
      #expect(error.kind == .system(code: ENOENT))
    }
  }
}

@Suite struct PipeTests {
  /// A pipe that holds `bytes` and is closed behind them.
  private func pipe(of bytes: [UInt8]) throws -> ByteSource {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    return try ByteSource(descriptor: ends[0], name: "pipe", ownsDescriptor: true)
  }

  @Test func everyFormatIsRecognisedOnAPipe() throws {
    let table = "t_s,gx,gy,gz\n0,1,2,3\n"
    for bytes in [Array(table.utf8), try gzip(Array(table.utf8))] {
      #expect(try openRecording(pipe(of: bytes)).formatName == "inertial CSV")
    }
    #expect(try openRecording(pipe(of: Array("$GPGGA,120000,,,\n".utf8))).formatName == "NMEA log")
    #expect(try openRecording(pipe(of: Array(GPXImporterTests.sample.utf8))).formatName == "GPX track")
  }

  @Test func aDirectoryGivenAsAFileIsAnError() throws {
    #expect(throws: RecordingError.self) { try LeashLogReader(path: "/tmp") }
  }
}
