import Glibc
import Quantities
import Testing
import TrackerLog

@testable import Recording
@testable import TrackerRuntime

/// What a log gave, with the bytes of each record.
struct ReadRecord: Equatable {
  var record: LogRecord
  var bytes: [UInt8]
}

func readLog(_ bytes: [UInt8]) throws -> (records: [ReadRecord], report: ImportReport) {
  let reader = try LeashLogReader(ByteSource(bytes: bytes, name: "log"))
  var records: [ReadRecord] = []
  while let record = try reader.next() {
    let hasBytes =
      switch record {
      case .configuration, .action, .output, .note, .input(.bytes), .input(.command): true
      default: false
      }
    records.append(ReadRecord(record: record, bytes: hasBytes ? reader.payload : []))
  }
  return (records, reader.report)
}

/// A pseudo-random sequence for tests.
struct Xorshift {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// Bits of all numbers of a sample, so that NaN equals NaN and zero is not minus zero.
func bits(_ sample: InertialSample) -> [UInt64] {
  var result = [UInt64(bitPattern: sample.time.microseconds)]
  for vector in [sample.angularRate, sample.specificForce, sample.magneticFluxDensity] {
    guard let vector else {
      result.append(.max)
      continue
    }
    result += [vector.x, vector.y, vector.z].map { UInt64($0.bitPattern) }
  }
  return result
}

func bits(_ fix: GNSSFix) -> [UInt64?] {
  var result: [UInt64?] = [
    UInt64(bitPattern: fix.time.microseconds), fix.utc.map { UInt64(bitPattern: $0.microseconds) },
    UInt64(fix.mode.rawValue), fix.quality.map { UInt64($0.rawValue) },
    fix.position.map { UInt64(bitPattern: $0.latitudeE9) }, fix.position.map { UInt64(bitPattern: $0.longitudeE9) },
    fix.satellitesUsed.map(UInt64.init), fix.satellitesInView.packed,
  ]
  for value in [
    fix.heightAboveSeaLevel, fix.heightAboveEllipsoid, fix.speed, fix.course, fix.horizontalAccuracy,
    fix.verticalAccuracy,
  ] { result.append(value?.bitPattern) }
  for value in [fix.dilution.horizontal, fix.dilution.vertical, fix.dilution.position] {
    result.append(value.map { UInt64($0.bitPattern) })
  }
  return result
}

func writeLog(_ directory: TemporaryDirectory, _ body: (LeashLogWriter) throws -> Void) throws -> [UInt8] {
  let path = directory.path + "/log.leash"
  let writer = try LeashLogWriter(path: path)
  try body(writer)
  try writer.close()
  return try contents(path)
}

func contents(_ path: String) throws -> [UInt8] {
  let stream = try #require(fopen(path, "rb"))
  defer { fclose(stream) }
  var result: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&chunk, 1, chunk.count, stream)
    if count == 0 { return result }
    result += chunk[..<count]
  }
}

@Suite struct LeashLogTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A log with a record of every kind.
  func smallLog() throws -> [UInt8] {
    try writeLog(directory) { writer in
      try writer.append(configuration: Array("mass = 1".utf8).span)
      for index in 0..<5 {
        try writer.append(
          InertialSample(
            time: .milliseconds(index * 10), angularRate: Vector3(Float(index) * 0.01, 0, -0.02),
            specificForce: Vector3(0, 0.5, 9.81)))
      }
      var fix = GNSSFix(time: .milliseconds(41))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 48.1234567, longitudeDegrees: 11.7654321)
      fix.speed = 3.25
      fix.course = courseRadians(123.4)
      try writer.append(fix)
      try writer.append(bytes: Array("$GPRMC\r\n".utf8).span, from: 2, at: .milliseconds(50))
      try writer.append(tick: .milliseconds(60))
      let command: [UInt8] = [1, 2, 3]
      try writer.append(command: command.span, at: .milliseconds(61))
      try writer.append(acknowledgement: 4_000_000_000, at: .milliseconds(62))
      try writer.append(action: Array("{}".utf8).span, at: .milliseconds(62))
      let nothing: [UInt8] = []
      try writer.append(output: nothing.span, to: 7, at: .milliseconds(62))
      try writer.append(note: Array("note".utf8).span, at: .seconds(100))
      try writer.append(tick: .seconds(101))
    }
  }

  @Test func everyRecordComesBackInItsOrder() throws {
    let (records, report) = try readLog(try smallLog())
    #expect(records.count == 15)
    #expect(records[0] == ReadRecord(record: .configuration, bytes: Array("mass = 1".utf8)))
    #expect(records[3].record.time == .milliseconds(20))
    guard case .input(.fix(let fix)) = records[6].record else {
      Issue.record("no fix")
      return
    }
    #expect(fix.course == courseRadians(123.4))
    #expect(fix.position?.latitudeE9 == 48_123_456_700)
    #expect(
      records[7]
        == ReadRecord(record: .input(.bytes(port: 2, time: .milliseconds(50))), bytes: Array("$GPRMC\r\n".utf8)))
    #expect(records[9] == ReadRecord(record: .input(.command(.milliseconds(61))), bytes: [1, 2, 3]))
    #expect(records[10].record == .input(.acknowledgement(.milliseconds(62), sequence: 4_000_000_000)))
    #expect(records[12] == ReadRecord(record: .output(port: 7, time: .milliseconds(62)), bytes: []))
    #expect(records[13] == ReadRecord(record: .note(.seconds(100)), bytes: Array("note".utf8)))
    #expect(report.entries.isEmpty && report.truncatedAtByte == nil)
  }

  @Test func samplesComeBackBitForBit() throws {
    var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
    var samples: [InertialSample] = []
    var time: Int64 = -5_000_000
    let odd: [Float] = [
      -0.0, .nan, .signalingNaN, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      Float(bitPattern: 0xFFC0_1234), 1e-30, 16_777_216, 0,
    ]
    for index in 0..<20000 {
      let style = index / 640 % 7
      func value(_ scale: Double) -> Float { reading(style: style, scale, odd, &random) }
      time += style == 2 ? Int64(bitPattern: random.next()) >> 45 : 10000 + Int64(random.next() % 5)
      var sample = InertialSample(time: Instant(microseconds: time))
      if style != 3 || random.next() % 2 == 0 { sample.angularRate = Vector3(value(1), value(2), value(3)) }
      if style != 4 { sample.specificForce = Vector3(value(10), value(10), value(10)) }
      if index % 5 == 0 { sample.magneticFluxDensity = Vector3(value(40), value(40), value(40)) }
      samples.append(sample)
    }
    samples.append(InertialSample(time: Instant(microseconds: .max), angularRate: .zero))
    samples.append(InertialSample(time: Instant(microseconds: .min), specificForce: .zero))
    let log = try writeLog(directory) { writer in
      for sample in samples { try writer.append(sample) }
    }
    let (records, report) = try readLog(log)
    #expect(report.entries.isEmpty)
    #expect(records.count == samples.count)
    for (record, sample) in zip(records, samples) {
      guard case .input(.inertial(let found)) = record.record, bits(found) == bits(sample) else {
        Issue.record("\(record) is not \(sample)")
        return
      }
    }
  }

  /// Zero has two signs, and a block of them need not have one.
  @Test func zerosKeepTheirSigns() throws {
    var samples: [InertialSample] = []
    for index in 0..<256 {
      let zero: Float = index % 5 == 3 ? -0.0 : 0
      samples.append(InertialSample(time: .milliseconds(index * 10), angularRate: Vector3(zero, 0, -zero)))
    }
    let log = try writeLog(directory) { writer in
      for sample in samples { try writer.append(sample) }
    }
    let (records, _) = try readLog(log)
    let found = records.compactMap { record in
      if case .input(.inertial(let sample)) = record.record { bits(sample) } else { nil }
    }
    #expect(found == samples.map { bits($0) })
  }

  @Test func fixesComeBackBitForBit() throws {
    var random = Xorshift(state: 42)
    var fixes: [GNSSFix] = []
    for index in 0..<3000 {
      var fix = GNSSFix(time: .milliseconds(index * 997))
      func maybe<T>(_ value: T) -> T? { random.next() % 3 == 0 ? nil : value }
      func number(_ scale: Double) -> Double {
        let noise = Double(Int64(bitPattern: random.next()) >> 30) / 1e10 * scale
        return random.next() % 2 == 0 ? (noise * 100).rounded() / 100 : noise
      }
      fix.mode = FixMode(rawValue: UInt8(random.next() % 4)) ?? .none
      fix.quality = maybe(FixQuality(rawValue: UInt8(random.next() % 9)) ?? .invalid)
      fix.utc = maybe(UTCTime(microseconds: 1_568_988_603_000_000 + Int64(index) * 1_000_000))
      fix.position = GeodeticPosition(
        latitudeE9: Int64(random.next() % 180_000_000_001) - 90_000_000_000,
        longitudeE9: Int64(random.next() % 360_000_000_001) - 180_000_000_000)
      fix.heightAboveSeaLevel = maybe(number(100))
      fix.heightAboveEllipsoid = maybe(index % 9 == 0 ? -0.0 : number(100))
      fix.speed = maybe(index % 7 == 0 ? .nan : number(10))
      fix.course = maybe(courseRadians((number(100).magnitude * 10).rounded() / 10))
      fix.horizontalAccuracy = maybe(number(5))
      fix.verticalAccuracy = maybe(index % 5 == 0 ? .infinity : number(5))
      fix.dilution.horizontal = maybe(Float(number(1)))
      fix.dilution.vertical = maybe(index % 3 == 0 ? -0.0 : 1.7)
      fix.dilution.position = maybe(Float.nan)
      fix.satellitesUsed = maybe(UInt8(random.next() % 40))
      if index % 2 == 0 { fix.satellitesInView[.sbas] = 255 }
      fixes.append(fix)
    }
    let log = try writeLog(directory) { writer in
      for fix in fixes { try writer.append(fix) }
    }
    let (records, _) = try readLog(log)
    #expect(records.count == fixes.count)
    for (record, fix) in zip(records, fixes) {
      guard case .input(.fix(let found)) = record.record, bits(found) == bits(fix) else {
        Issue.record("\(record.record) is not \(fix)")
        return
      }
    }
  }

  @Test func aLogCutAtAnyByteGivesEveryWholeRecordBefore() throws {
    let log = try smallLog()
    let whole = try readLog(log).records
    var previous = 0
    for cut in 0..<log.count {
      do {
        let (records, report) = try readLog(Array(log[..<cut]))
        #expect(records.elementsEqual(whole.prefix(records.count)))
        #expect(records.count >= previous)
        previous = records.count
        if let place = report.truncatedAtByte {
          #expect(place < cut)
          #expect(report.skippedByteCount == cut - place)
        }
        #expect(report.count(of: .damagedStretch) == 0)
      } catch let error as RecordingError {
        #expect(cut < 16 && error.kind == .truncated)
      }
    }
    #expect(previous == whole.count - 1)
  }

  @Test func damageAtAnyByteLosesOneRecordOrBlock() throws {
    let log = try smallLog()
    let whole = try readLog(log).records
    for place in 16..<log.count {
      for pattern in [UInt8(0x01), 0x80, 0xFF, 0x55] {
        var damaged = log
        damaged[place] ^= pattern
        let (records, report) = try readLog(damaged)
        // Five samples share a block; the loss of the marker of instant zero costs nothing.
        #expect(records.count <= whole.count)
        #expect(records.allSatisfy { whole.contains($0) })
        #expect(records.count >= 2)
        #expect(report.count(of: .damagedStretch) > 0 || report.truncatedAtByte != nil)
        #expect(report.skippedByteCount > 0)
      }
    }
  }

  @Test func lostAndInsertedBytesAreSurvived() throws {
    let log = try smallLog()
    let whole = try readLog(log).records
    for place in 16..<log.count {
      for change in 0..<2 {
        var damaged = log
        if change == 0 { damaged.remove(at: place) } else { damaged.insert(0x6D, at: place) }
        let (records, _) = try readLog(damaged)
        #expect(records.allSatisfy { whole.contains($0) })
      }
    }
  }

  @Test func randomBytesBehindTheHeaderNeverCrash() throws {
    let log = try smallLog()
    var random = Xorshift(state: 7)
    for _ in 0..<2000 {
      var damaged = log
      for _ in 0..<(random.next() % 20) {
        damaged[16 + Int(random.next() % UInt64(log.count - 16))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try readLog(damaged)
      _ = try readLog(Array(log[..<16]) + (0..<300).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }

  @Test func payloadsOfRandomBytesNeverCrashTheDecoders() {
    var random = Xorshift(state: 99)
    var decoder = InertialBlockDecoder()
    for round in 0..<20000 {
      var bytes = (0..<(random.next() % 80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if !bytes.isEmpty { bytes[0] = UInt8(1 + random.next() % 64) }
      if bytes.count > 1 { bytes[1] = UInt8(random.next() % 64) }
      bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        var payload = PayloadReader(start: start, count: buffer.count)
        _ = decoder.decode(&payload, relativeTo: Instant(microseconds: round % 2 == 0 ? .max : 0))
        payload = PayloadReader(start: start, count: buffer.count)
        _ = payload.fix(relativeTo: .zero)
      }
    }
  }

  @Test func aLargeLogIsFoundAgainBehindADamagedStretch() throws {
    let log = try writeLog(directory) { writer in
      for index in 0..<40000 {
        try writer.append(bytes: Array("line \(index)\n".utf8).span, from: 1, at: .milliseconds(index * 10))
      }
    }
    var damaged = log
    for place in 200_000..<300_000 { damaged[place] = UInt8(truncatingIfNeeded: place &* 31) }
    let (records, report) = try readLog(damaged)
    #expect(report.count(of: .damagedStretch) == 1)
    #expect(report.skippedByteCount >= 100_000 && report.skippedByteCount < 170_000)
    #expect(records.count > 20000)
    for record in records {
      let text = String(decoding: record.bytes, as: UTF8.self)
      let index = (record.record.time?.microseconds ?? 0) / 10000
      #expect(text == "line \(index)\n")
      if text != "line \(index)\n" { return }
    }
  }

  @Test func bytesOfASkippedMarkerDoNotMoveTheTimes() throws {
    let log = try smallLog()
    let whole = try readLog(log).records
    // The second marker stands before the note at 100 s.
    let pattern = LogFormat.markerPattern
    let second = try #require(
      log.indices.reversed().first { place in
        place + pattern.count <= log.count && Array(log[place..<(place + pattern.count)]) == pattern
      })
    var damaged = log
    damaged.removeSubrange((second - 2)..<(second - 2 + LogFormat.markerLength))
    let (records, report) = try readLog(damaged)
    #expect(records.elementsEqual(whole.prefix(records.count)))
    #expect(records.count == whole.count - 2)
    #expect(report.truncatedAtByte != nil)
  }

  @Test func aFullDiskIsATypedError() throws {
    guard access("/dev/full", W_OK) == 0 else { return }
    let descriptor = open("/dev/full", O_WRONLY)
    let writer = LeashLogWriter(descriptor: descriptor, name: "full", ownsDescriptor: true)
    try writer.append(tick: .zero)
    do {
      try writer.flush()
      Issue.record("no error")
    } catch {
      #expect(error.kind == .system(code: ENOSPC))
      #expect(error.description == "full: can't write: No space left on device")
    }
    #expect(throws: RecordingError.self) { try writer.append(tick: .zero) }
  }

  @Test func aRecordBeyondTheLimitIsRefusedAndTheLogGoesOn() throws {
    let log = try writeLog(directory) { writer in
      let huge = [UInt8](repeating: 1, count: LogFormat.maximumPayload + 1)
      #expect(throws: RecordingError.self) { try writer.append(note: huge.span, at: .zero) }
      let large = [UInt8](repeating: 1, count: LogFormat.maximumPayload - 10)
      try writer.append(note: large.span, at: .zero)
      try writer.append(tick: .zero)
    }
    let (records, report) = try readLog(log)
    #expect(records.count == 2)
    #expect(report.entries.isEmpty)
  }

  @Test func foreignAndFutureFilesAreNamed() throws {
    #expect(throws: RecordingError.self) { try readLog(Array("t_s,gx,gy,gz,ax,ay,az\n".utf8)) }
    #expect(throws: RecordingError.self) { try readLog([]) }
    let log = try smallLog()
    #expect(try readLog(try gzip(log)).records.count == 15)
    let packed = try gzip(log)
    let cut = try readLog(Array(packed[..<(packed.count - 20)]))
    #expect(cut.report.remarks.count == 1)
  }
}
