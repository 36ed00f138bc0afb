import Quantities
import Testing
import TrackerLog

@testable import Recording
@testable import TrackerRuntime

@Suite struct LeashLogTailTests {
  @Test func aLongLogIsReadFromNearItsEnd() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/long.leash"
    let writer = try LeashLogWriter(path: path)
    for second in 0..<7200 { try writer.append(tick: .seconds(second)) }
    try writer.close()
    let reader = try LeashLogReader.tail(path: path, span: .seconds(300))
    var times: [Instant] = []
    while let record = try reader.next() { times += [record.time].compactMap { $0 } }
    let first = try #require(times.first)
    #expect(first <= .seconds(6900) && first >= .seconds(6600))
    #expect(times.last == .seconds(7199))
    #expect(times.count == 7200 - Int(first.microseconds / 1_000_000))
    #expect(reader.report.entries.isEmpty)
    #expect(reader.recordOffset > writer.byteCount / 2)
    let whole = try LeashLogReader.tail(path: path, span: .seconds(100_000))
    var count = 0
    while try whole.next() != nil { count += 1 }
    #expect(count == 7200)
  }

  /// Whatever the span, it begins at a marker before it and never far before it.
  @Test func theTailBeginsJustBeforeItsSpan() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/long.leash"
    let writer = try LeashLogWriter(path: path)
    // A tick of a third of a second, so that markers are no whole number of seconds apart.
    for tick in 0..<3600 { try writer.append(tick: .milliseconds(tick * 333)) }
    try writer.close()
    for step in 0..<400 {
      let span = Interval.milliseconds(step * 2500)
      let reader = try LeashLogReader.tail(path: path, span: span)
      var first: Instant?
      while first == nil, let record = try reader.next() { first = record.time }
      let back = try #require(first.map { Instant.milliseconds(3599 * 333) - $0 })
      #expect(back >= span && back <= span + .seconds(122), "\(span) is \(back)")
    }
  }

  /// Bytes of a port may hold a marker of the same log: where they stand is no place to begin.
  @Test func aMarkerThatWasCopiedIsNone() throws {
    let directory = try TemporaryDirectory()
    func write(_ name: String, _ copied: [UInt8]) throws -> String {
      let path = directory.path + "/" + name
      let writer = try LeashLogWriter(path: path)
      for second in 0..<600 { try writer.append(tick: .seconds(second)) }
      try writer.append(bytes: copied.span, from: 2, at: .seconds(600))
      try writer.append(tick: .seconds(601))
      try writer.close()
      return path
    }
    let bytes = try contents(try write("one.leash", [1]))
    let pattern = LogFormat.markerPattern
    let found = bytes.indices.filter { bytes[$0...].starts(with: pattern) }
    let start = try #require(found.dropLast().last) - 2
    let marker = Array(bytes[start..<(start + LogFormat.markerLength)])
    let path = try write("two.leash", marker)
    let reader = try LeashLogReader.tail(path: path, span: .zero)
    var payloads: [[UInt8]] = []
    while let record = try reader.next() {
      if case .input(.bytes) = record { payloads.append(reader.payload) }
    }
    #expect(payloads == [marker])
    #expect(reader.report.entries.isEmpty)
  }

  @Test func aShortOrPackedOrForeignFileIsHandled() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/short.leash"
    let writer = try LeashLogWriter(path: path)
    try writer.append(configuration: Array("x".utf8).span)
    try writer.flush()
    let reader = try LeashLogReader.tail(path: path, span: .seconds(10))
    #expect(try reader.next() == .configuration)
    let packed = try directory.write("packed.leash", bytes: gzip(contents(path)))
    #expect(try LeashLogReader.tail(path: packed, span: .seconds(10)).next() == .configuration)
    let foreign = try directory.write("foreign", "hello, this is no log")
    #expect(throws: RecordingError.self) { try LeashLogReader.tail(path: foreign, span: .zero) }
    #expect(throws: RecordingError.self) { try LeashLogReader.tail(path: "/nonexistent", span: .zero) }
  }

  @Test func recordsReadAsLinesOfJSON() {
    #expect(
      LogRecord.input(.tick(Instant(microseconds: -1_500_001))).json(payload: []) == #"{"t":-1.500001,"kind":"tick"}"#)
    #expect(
      LogRecord.action(.milliseconds(10)).json(payload: Array("{\"a\":1}\n".utf8))
        == #"{"t":0.010000,"kind":"action","text":"{\"a\":1}\n"}"#)
    #expect(
      LogRecord.output(port: 3, time: .zero).json(payload: [0, 255])
        == #"{"t":0.000000,"kind":"output","port":3,"hex":"00ff"}"#)
    let sample = InertialSample(time: .zero, specificForce: Vector3(0.5, .nan, 9.81))
    #expect(
      LogRecord.input(.inertial(sample)).json(payload: [])
        == #"{"t":0.000000,"kind":"inertial","specificForce":[0.5,null,9.81]}"#)
    #expect(LogRecord.configuration.json(payload: []) == #"{"kind":"configuration","text":""}"#)
  }
}
