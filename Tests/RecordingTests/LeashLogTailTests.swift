import Quantities
import Testing

@testable import Recording

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
