import Glibc
import OtherPrograms
import Quantities
import SkippedTests
import Testing

@testable import Recording
@testable import TrackerRuntime

/// A log as lines, in the form of `log_reader.py`.
private func lines(of bytes: [UInt8]) throws -> [String] {
  func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  func shown(_ value: Float) -> String {
    let text = String(value.bitPattern, radix: 16)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }
  func shown(_ value: Double?) -> String {
    guard let value else { return "-" }
    let text = String(value.bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
  func shown(_ vector: Vector3?) -> String {
    vector.map { [shown($0.x), shown($0.y), shown($0.z)].joined(separator: ",") } ?? "-"
  }
  func shown(_ fix: GNSSFix) -> String {
    var words = ["fix", "\(fix.time.microseconds)", "\(fix.mode.rawValue)"]
    words.append(fix.utc.map { "\($0.microseconds)" } ?? "-")
    words.append(fix.position.map { "\($0.latitudeE9),\($0.longitudeE9)" } ?? "-")
    words += [
      fix.heightAboveSeaLevel, fix.heightAboveEllipsoid, fix.speed, fix.course, fix.horizontalAccuracy,
      fix.verticalAccuracy,
    ].map(shown)
    words += [fix.dilution.horizontal, fix.dilution.vertical, fix.dilution.position].map { $0.map(shown) ?? "-" }
    words.append(fix.quality.map { "\($0.rawValue)" } ?? "-")
    words.append(fix.satellitesUsed.map { "\($0)" } ?? "-")
    return words.joined(separator: " ") + " \(fix.satellitesInView.packed)"
  }
  let reader: LeashLogReader
  do throws(RecordingError) {
    reader = try LeashLogReader(ByteSource(bytes: bytes, name: "log"))
  } catch {
    return [error.kind == .unsupported ? "a later version" : "no log"]
  }
  var lines: [String] = []
  while let record = try reader.next() {
    let payload = hex(reader.payload)
    switch record {
    case .configuration: lines.append("configuration \(payload)")
    case .continuation: lines.append("continuation \(payload)")
    case .input(.inertial(let sample)):
      lines.append(
        "sample \(sample.time.microseconds) \(shown(sample.angularRate)) \(shown(sample.specificForce)) "
          + shown(sample.magneticFluxDensity))
    case .input(.fix(let fix)): lines.append(shown(fix))
    case .input(.bytes(let port, let time)): lines.append("bytes \(time.microseconds) \(port) \(payload)")
    case .input(.tick(let time)): lines.append("tick \(time.microseconds)")
    case .input(.reading(let reading)):
      let numbers = (0..<Reading.capacity).filter { reading.field(at: $0) != nil }.map {
        reading.number(at: $0).map { "\($0)" } ?? "-"
      }
      lines.append("\(reading.name) \(reading.time.microseconds) " + numbers.joined(separator: " "))
    case .input(.command(let time)): lines.append("command \(time.microseconds) \(payload)")
    case .input(.settlement(let time, let sequence, let receiver, let isDelivered)):
      lines.append("settlement \(time.microseconds) \(sequence) \(receiver) \(isDelivered ? 1 : 0)")
    case .input(.acknowledgement(let time, let sequence)):
      lines.append("acknowledgement \(time.microseconds) \(sequence)")
    case .input(.spooled(let time, let sequence, let isKept)):
      lines.append("spooled \(time.microseconds) \(sequence) \(isKept ? 1 : 0)")
    case .input(.recalled(let time, let pending)): lines.append("recalled \(time.microseconds) \(pending) \(payload)")
    case .input(.spoolCount(let time, let count)): lines.append("spoolCount \(time.microseconds) \(count)")
    case .input(.restoration(let time)): lines.append("restoration \(time.microseconds) \(payload)")
    case .action(let time): lines.append("action \(time.microseconds) \(payload)")
    case .output(let port, let time): lines.append("output \(time.microseconds) \(port) \(payload)")
    case .note(let time): lines.append("note \(time.microseconds) \(payload)")
    }
  }
  let report = reader.report
  lines.append(
    "end damaged \(report.count(of: .damagedStretch)) unknown \(report.count(of: .unknownRecord)) "
      + "skipped \(report.skippedByteCount) cut \(report.truncatedAtByte.map { "\($0)" } ?? "-")")
  return lines
}

/// The same logs through the reader in Python; nil where there is none.
private func linesOfTheSecondReader(_ logs: [[UInt8]]) throws -> [Substring]? {
  guard access("/usr/bin/python3", X_OK) == 0 else {
    noteSkipped("there is no /usr/bin/python3; the Debian package python3 has it")
    return nil
  }
  let folder = try TemporaryDirectory()
  let container = try folder.write("logs", bytes: logs.flatMap { fixed(UInt64($0.count), 4) + $0 })
  let script = String(
    #filePath.prefix(upTo: #filePath.range(of: "SecondReaderTests")?.lowerBound ?? #filePath.endIndex))
  let run = try OtherProgram.output(of: ["/usr/bin/python3", "-B", "\(script)log_reader.py", container])
  #expect(run.status == 0, "\(run.err)")
  return run.out.split(separator: "\n")
}

/// Both readers say the same of every log.
private func expectTheSame(_ logs: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation) throws {
  guard let second = try linesOfTheSecondReader(logs) else { return }
  var place = 0
  for (number, log) in logs.enumerated() {
    for line in try lines(of: log) {
      let other = place < second.count ? second[place] : "nothing"
      place += 1
      guard line == other else {
        Issue.record(
          "log \(number): the first reader says \(line), the second \(other)", sourceLocation: sourceLocation)
        return
      }
    }
  }
  #expect(place == second.count, sourceLocation: sourceLocation)
}

/// A number of a sensor in one of seven styles, of which two are no sensor's; `odd` has the strangest.
func reading(style: Int, _ scale: Double, _ odd: [Float], _ random: inout Xorshift) -> Float {
  let noise = Double(Int64(bitPattern: random.next()) >> 40) / 8_388_608
  switch style {
  case 0: return Float((noise * 1000).rounded() / 1000 * scale)
  case 1: return Float((noise * 200).rounded()) * (9.80665 / 16384)
  case 2: return Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
  case 3: return Float(noise * scale)
  case 4: return Float(((noise * 100).rounded() * 980.665).rounded() / 1e5)
  case 5: return random.next() % 5 == 0 ? odd[Int(random.next() % UInt64(odd.count))] : 1.25
  default: return 9.81
  }
}

/// Samples as sensors and text formats give them, and as none does.
func samples(style: Int, count: Int, _ random: inout Xorshift) -> [InertialSample] {
  let odd: [Float] = [-0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-30, 0]
  return (0..<count).map { index in
    func value(_ scale: Double) -> Float { reading(style: style, scale, odd, &random) }
    var sample = InertialSample(
      time: Instant(microseconds: Int64(style) * 30_000_000 + Int64(index) * 10_000 + Int64(random.next() % 7)))
    if style != 3 || random.next() % 2 == 0 { sample.angularRate = Vector3(value(1), value(2), value(3)) }
    if style != 4 { sample.specificForce = Vector3(value(10), value(10), value(10)) }
    if index % 5 == 0 { sample.magneticFluxDensity = Vector3(value(40), value(40), value(40)) }
    return sample
  }
}

/// Fixes with each part there or not, and numbers as receivers write them and as they don't.
func fixes(count: Int, _ random: inout Xorshift) -> [GNSSFix] {
  (0..<count).map { index in
    var fix = GNSSFix(time: .seconds(300 + index))
    func maybe<T>(_ value: T) -> T? { random.next() % 3 == 0 ? nil : value }
    func number(_ scale: Double) -> Double {
      let noise = Double(Int64(bitPattern: random.next()) >> 30) / 1e10 * scale
      return random.next() % 2 == 0 ? (noise * 100).rounded() / 100 : noise
    }
    fix.mode = FixMode(rawValue: UInt8(random.next() % 4)) ?? .none
    fix.quality = maybe(FixQuality(rawValue: UInt8(random.next() % 9)) ?? .invalid)
    fix.utc = maybe(UTCTime(microseconds: 1_568_988_603_000_000 + Int64(index) * 1_000_000))
    if index % 4 != 0 {
      fix.position = GeodeticPosition(
        latitudeE9: Int64(random.next() % 180_000_000_001) - 90_000_000_000,
        longitudeE9: Int64(random.next() % 360_000_000_001) - 180_000_000_000)
    }
    fix.heightAboveSeaLevel = maybe(number(100))
    fix.heightAboveEllipsoid = maybe(index % 9 == 0 ? -0.0 : number(1e14))
    fix.speed = maybe(index % 7 == 0 ? .nan : number(10))
    fix.course = maybe(courseRadians((number(100).magnitude * 10).rounded() / 10))
    fix.horizontalAccuracy = maybe(number(5))
    fix.verticalAccuracy = maybe(index % 5 == 0 ? .infinity : number(5))
    fix.dilution.horizontal = maybe(Float((number(1) * 10).rounded() / 10))
    fix.dilution.vertical = maybe(index % 3 == 0 ? -0.0 : 1.7)
    fix.dilution.position = maybe(Float(number(1)))
    fix.satellitesUsed = maybe(UInt8(random.next() % 40))
    if index % 2 == 0 { fix.satellitesInView[.sbas] = 255 }
    return fix
  }
}

/// One record of each kind without samples and fixes, at a time.
private func writeOneOfEach(_ writer: LeashLogWriter, at time: Instant) throws {
  let text = Array("text \u{1}\u{FF}".utf8)
  let nothing: [UInt8] = []
  try writer.append(bytes: text.span, from: 255, at: time)
  try writer.append(tick: time)
  try writer.append(command: text.span, at: time)
  try writer.append(acknowledgement: .max, at: time)
  try writer.append(settlement: .max, receiver: 3, isDelivered: false, at: time)
  try writer.append(settlement: 1, receiver: 0, isDelivered: true, at: time)
  try writer.append(restoration: text.span, at: time)
  try writer.append(action: text.span, at: time)
  try writer.append(output: nothing.span, to: 7, at: time)
  try writer.append(note: text.span, at: time)
}

/// Readings with each number there or not, and the spool's news.
private func writeReadings(_ writer: LeashLogWriter, at time: Instant) throws {
  let supplies = [
    Supply(charge: 100, millivolts: .max, isCharging: true, isExternal: false), Supply(charge: 0), Supply(),
    Supply(millivolts: 3700, isExternal: true),
  ]
  for supply in supplies { try writer.append(.supply(SupplyReading(time: time, supply))) }
  var contacts = Contacts()
  for contact in Contact.allCases {
    contacts[contact] = contact.rawValue % 2 == 0
    try writer.append(.contacts(ContactReading(time: time, contacts)))
  }
  for token in [0, 1, 255] as [UInt8] {
    try writer.append(.presence(PresenceReading(time: time, isNear: token != 1, token: token)))
  }
  for signal in [nil, -128, 127] as [Int8?] {
    let cell = signal == 127 ? nil : NetworkCell(country: 999, network: 7, area: .max, cell: NetworkCell.highest)
    try writer.append(.network(NetworkReading(time: time, signalDBm: signal, cell: cell)))
  }
  for decidegrees in [Int16.min, -1, .max] {
    try writer.append(.temperature(TemperatureReading(time: time, decidegrees: decidegrees)))
  }
  for pascals in [30_000, 101_325, 110_000] as [UInt32] {
    if let reading = PressureReading(time: time, pascals: pascals) { try writer.append(.pressure(reading)) }
  }
  for pulses in [0, 1, .max] as [UInt32] { try writer.append(.wheel(WheelReading(time: time, pulses: pulses))) }
  let section: [UInt8] = [1, 2, 3]
  try writer.append(.spooled(time, sequence: .max, isKept: true), bytes: section.span)
  try writer.append(.spooled(time, sequence: 0, isKept: false), bytes: section.span)
  try writer.append(.recalled(time, pending: 5), bytes: section.span)
  try writer.append(.spoolCount(time, 20_000), bytes: section.span)
}

@Suite struct SecondReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Everything a log can hold; two seconds of each sort of samples.
  func richLog(samples count: Int = 200) throws -> [UInt8] {
    try writeLog(directory) { writer in
      var random = Xorshift(state: 0x1234_5678_9ABC_DEF1)
      try writer.append(configuration: Array("seed=1\n".utf8).span)
      try writer.append(continuationOf: "run-000001-001.leash")
      for style in 0..<7 {
        for sample in samples(style: style, count: count, &random) { try writer.append(sample) }
        try writeOneOfEach(writer, at: .seconds(style * 40))
      }
      for fix in fixes(count: count, &random) { try writer.append(fix) }
      for time in [Int64.min, .max, 0, -1, 1 << 62] { try writer.append(tick: Instant(microseconds: time)) }
      for length in [126, 127, 128, 16_382, 16_383, 16_384, 70_000] {
        let note = [UInt8](repeating: UInt8(length & 0x7F), count: length)
        try writer.append(note: note.span, at: .seconds(5))
      }
    }
  }

  @Test func twoReadersReadTheSameFromWhatIsWritten() throws {
    let rich = try richLog()
    let records = try lines(of: rich)
    #expect(records.count > 1600 && records.last == "end damaged 0 unknown 0 skipped 0 cut -")
    let empty = try writeLog(directory) { _ in }
    let readings = try writeLog(directory) { try writeReadings($0, at: .seconds(50)) }
    #expect(try lines(of: readings).first == "supply 50000000 100 65535 1 0")
    try expectTheSame([rich, try gzip(rich), empty, readings])
  }

  @Test func twoReadersReadTheSameFromWhatIsCutAndDamaged() throws {
    let small = try writeLog(directory) { writer in
      try writer.append(configuration: Array("seed=1\n".utf8).span)
      var random = Xorshift(state: 3)
      for sample in samples(style: 1, count: 20, &random) { try writer.append(sample) }
      for fix in fixes(count: 2, &random) { try writer.append(fix) }
      try writeOneOfEach(writer, at: .seconds(50))
      try writeOneOfEach(writer, at: .seconds(500))
      try writeReadings(writer, at: .seconds(501))
    }
    var logs: [[UInt8]] = []
    for place in small.indices {
      if place % 2 == 0 { logs.append(Array(small[..<place])) }
      var changed = small
      changed[place] ^= UInt8(1 << (place % 8))
      logs.append(changed)
      guard place % 5 == 0 else { continue }
      changed = small
      changed.remove(at: place)
      logs.append(changed)
      changed.insert(contentsOf: [0x6D, 36], at: place)
      logs.append(changed)
    }
    let rich = try richLog(samples: 64)
    var random = Xorshift(state: 17)
    for _ in 0..<6 {
      var changed = rich
      let start = Int(random.next() % UInt64(rich.count - 3000))
      for place in start..<(start + 2500) { changed[place] = UInt8(truncatingIfNeeded: random.next()) }
      logs.append(changed)
      changed.removeSubrange((start / 2)..<(start / 2 + 100))
      logs.append(Array(changed.dropLast(start % 50)))
    }
    try expectTheSame(logs)
  }
}
