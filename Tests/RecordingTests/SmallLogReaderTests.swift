import CZlib
import InertialFusion
import InlineStorage
import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerLog

@testable import Recording
@testable import TrackerRuntime

/// Bytes in memory that come in pieces, as a port brings them, and the room of the window that they go to.
private struct Pieces: ByteFeed {
  final class Room {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    init(_ size: Int) { buffer = .allocate(capacity: size) }
    deinit { buffer.deallocate() }
  }

  let source: [UInt8]
  let piece: Int
  let room: Room
  var taken = 0

  mutating func read(into place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    let more = min(count, source.count - taken, piece)
    for offset in 0..<more { place[offset] = source[taken + offset] }
    taken += more
    return more
  }
}

private func smallWindow(_ source: [UInt8], room: Int, piece: Int = .max) -> BufferWindow<Pieces> {
  let room = Pieces.Room(room)
  return BufferWindow(Pieces(source: source, piece: piece, room: room), room.buffer)
}

/// What the core's reader gives, with the bytes of each record that has some.
private func readSmall(_ bytes: [UInt8], room: Int, piece: Int = .max) -> (records: [ReadRecord], damage: LogDamage) {
  var reader = LogReader(smallWindow(bytes, room: room, piece: piece))
  switch reader.readHeader() {
  case .intact, .damaged: break
  case .short, .foreign, .version: return ([], reader.damage)
  }
  var records: [ReadRecord] = []
  while let record = reader.next() { records.append(ReadRecord(record: record, bytes: Array(reader.payload))) }
  return (records, reader.damage)
}

/// The reader of the core, without a heap and with its own checksum, beside that of the host.
@Suite struct SmallLogReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func expectSame(_ bytes: [UInt8], _ about: String, piece: Int = .max) throws {
    let (records, damage) = readSmall(bytes, room: 16 * 1024, piece: piece)
    let (expected, report) = try readLog(bytes)
    #expect(records == expected, "\(about)")
    #expect(damage.stretchCount == report.count(of: .damagedStretch), "\(about)")
    #expect(damage.unknownCount == report.count(of: .unknownRecord), "\(about)")
    #expect(damage.skippedByteCount == report.skippedByteCount, "\(about)")
    #expect(damage.truncatedAtByte == report.truncatedAtByte, "\(about)")
    #expect(damage.overlongCount == 0, "\(about)")
  }

  private func log() throws -> [UInt8] { try LeashLogTests().smallLog() }

  @Test func aSmallWindowGivesTheSameRecordsInPiecesOfAnySize() throws {
    let log = try log()
    for piece in [1, 2, 3, 7, 41, 64, 1000, 65536] { try expectSame(log, "pieces of \(piece) bytes", piece: piece) }
  }

  @Test func aSmallWindowJudgesEveryCutAndEveryChangedByteAsTheHostDoes() throws {
    let log = try log()
    for length in 16..<log.count { try expectSame(Array(log[..<length]), "cut at \(length)") }
    for place in 16..<log.count {
      var damaged = log
      damaged[place] ^= 0x10
      try expectSame(damaged, "changed at \(place)")
    }
  }

  @Test func thousandsOfSamplesAreTheSameToTheLastBit() throws {
    var random = Xorshift(state: 5)
    func number() -> Float { Float(Int64(bitPattern: random.next()) % 20000) * 0.0012 }
    let log = try writeLog(directory) { writer in
      for index in 0..<3000 {
        let vector = Vector3(number(), number(), number())
        try writer.append(
          InertialSample(
            time: .milliseconds(index * 7), angularRate: index % 5 == 0 ? nil : vector, specificForce: vector,
            magneticFluxDensity: index % 10 == 3 ? Vector3(number(), .nan, -0.0) : nil))
      }
    }
    let (records, _) = readSmall(log, room: 16 * 1024, piece: 500)
    let (expected, _) = try readLog(log)
    #expect(records.count == 3000)
    // NaN is no number that equals itself.
    #expect(records.map { "\($0)" } == expected.map { "\($0)" })
  }

  @Test func aRecordLongerThanTheWindowIsPassedOverAndCounted() throws {
    let log = try writeLog(directory) { writer in
      try writer.append(tick: .seconds(1))
      try writer.append(note: [UInt8](repeating: 0x6E, count: 100_000).span, at: .seconds(2))
      try writer.append(note: [UInt8](repeating: 0x6D, count: 1000).span, at: .seconds(2))
      try writer.append(tick: .seconds(3))
    }
    let (records, damage) = readSmall(log, room: 2048)
    #expect(
      records.map(\.record) == [.input(.tick(.seconds(1))), .note(.seconds(2)), .input(.tick(.seconds(3)))])
    #expect(damage.overlongCount == 1 && damage.stretchCount == 0 && damage.truncatedAtByte == nil)
    let cut = readSmall(Array(log[..<50_000]), room: 2048)
    #expect(cut.records.count == 1 && cut.damage.overlongCount == 0 && cut.damage.truncatedAtByte != nil)
  }

  @Test func theHeaderIsJudged() throws {
    let log = try log()
    func header(_ bytes: [UInt8]) -> LogReader<BufferWindow<Pieces>>.Header {
      var reader = LogReader(smallWindow(bytes, room: 64))
      return reader.readHeader()
    }
    #expect(header(log) == .intact)
    #expect(header(Array(log[..<15])) == .short)
    #expect(header([UInt8](repeating: 0, count: 64)) == .foreign)
    var damaged = log
    damaged[8] = 9
    #expect(header(damaged) == .damaged)
    let sum = CRC32.extend(0, damaged.span.extracting(..<12))
    for place in 0..<4 { damaged[12 + place] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * place)) }
    #expect(header(damaged) == .version(9))
  }

  @Test func theChecksumIsThatOfZlib() {
    var random = Xorshift(state: 11)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let seed = UInt32(truncatingIfNeeded: random.next())
      #expect(CRC32.extend(seed, bytes.span) == bytes.withUnsafeBufferPointer { zlibChecksum(seed, $0) })
    }
  }
}

/// The text of a configuration as the core reads it, beside the reader of the host.
@Suite struct ConfigurationTextTests {
  /// What the core makes of a text, as text; the line that it refuses.
  private func read(_ text: String) -> (text: String, refused: Int?) {
    var configuration = RunConfiguration()
    let refused = configuration.tracker.read(log: Array(text.utf8).span)
    return (configuration.text, refused)
  }

  private func expectSame(_ name: String, _ value: String) {
    var expected = RunConfiguration()
    do {
      try expected.set(name, to: value)
      let (text, refused) = read("\(name)=\(value)\n")
      #expect(refused == nil, "\(name)=\(value)")
      #expect(text == expected.text, "\(name)=\(value)")
    } catch {
      #expect(read("\(name)=\(value)\n").refused == 1, "\(name)=\(value)")
    }
  }

  @Test func everySettingIsReadAsTheHostReadsIt() {
    #expect(read(RunConfiguration().text) == (RunConfiguration().text, nil))
    let values = [
      "0", "1", "-1", "2", "3", "60", "0.5", "0.125", "1.5", "2.0000015", "0.0000004", "-5", "+5", "1e-05", "2.5e-3",
      "1e2", "86400", "604800.000001", "0.0000001",
      "3.4028235e+38", "nan", "", " ", "+", ".", "1.2.3", "1e", "x", "true", "false", "yes", "json", "minimal",
      "ownTracks",
      "low", "high", "silent", "notice", "riding", "riding+alarmed", "riding+", "none", "all",
      "movement+status,all,ride",
      "movement#7,all", "all,all,all,all", "all,all,all,all,all", "all#4000000000", "all#", "movement+,all",
      "0.125 -0.01 1.1", "1 2", "1 2 3 4", "0.5 0.5 0.5 0.5", "0.70710677 0.0 0.0 -0.70710677", "+y -x +z", "+x +y -z",
      "+x +x +z", "-z +y +x", "2026-11-24", "2026-02-30", "2026-1-24", "26-01-024", "Zoë's \"bike\"",
      String(repeating: "a", count: 32), String(repeating: "a", count: 33), "tab\there",
    ]
    for setting in Setting.all {
      for value in values { expectSame(setting.name, value) }
    }
  }

  @Test func numbersComeOutWithTheBitsThatTheyWereWrittenFrom() {
    var random = Xorshift(state: 3)
    for _ in 0..<20_000 {
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard number.isFinite, number.magnitude > 1e-13, number.magnitude < 1e22 else { continue }
      let read = DecimalNumber(Array("\(number)".utf8).span)?.float
      #expect(read?.bitPattern == number.bitPattern, "\(number)")
    }
    for text in ["-0.0", "0", "0.0e5"] { #expect(DecimalNumber(Array(text.utf8).span)?.double == Double(text)) }
    #expect(DecimalNumber(Array("-0.0".utf8).span)?.float?.sign == .minus)
  }

  @Test func theFirstLineThatIsNoSettingIsNamedAndThoseBeforeItAreSet() {
    let (text, refused) = read("motion.armAfter=17\nseed=5\nno.such=1\nmotion.standAfter=18\n")
    var expected = RunConfiguration()
    #expect(throws: Never.self) { try expected.set("motion.armAfter", to: "17") }
    #expect(refused == 3 && text == expected.text)
    #expect(read("motion.armAfter\n").refused == 1)
    #expect(read("\nseed=x\n").refused == 2)
  }
}
