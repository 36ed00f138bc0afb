import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import Recording
import TrackerRuntime
import Testing
import TrackerCore

/// A sensor that gives what it was told, one input a turn, then fails if it was told so.
private final class ScriptedSensor: SensorSource {
  let name = "imu scripted"
  var sink: (SensorInput) -> Void = { _ in }
  private(set) var failure: DeviceFailure?
  var facts: [(name: String, value: String)] { [] }
  var patience: Interval? { nil }
  private var inputs: [SensorInput]
  private let fails: Bool
  private weak var loop: EventLoop?
  private var due: Instant?

  init(_ inputs: [SensorInput], fails: Bool = false) {
    self.inputs = inputs
    self.fails = fails
  }

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    self.loop = loop
    failure = nil
    loop.add(self)
    due = now
  }

  func stop() {
    loop?.remove(self)
    due = nil
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  var nextDeadline: Instant? { due }
  func advance(to now: Instant) {
    guard due != nil else { return }
    guard !inputs.isEmpty else {
      stop()
      if fails { failure = DeviceFailure(.read, "part", .explained("gone")) }
      return
    }
    sink(inputs.removeFirst())
  }
}

private let sentence = "$GPRMC,094327.00,A,5037.4,N,00533.5,E,0.1,77.5,010626,,,A*"

private func checksummed(_ text: String) -> [UInt8] {
  let sum = text.dropFirst().dropLast().utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return Array((text + (digits.count < 2 ? "0" : "") + digits + "\r\n").utf8)
}

@Test func whatSensorsGiveIsInTheFileInItsOrderWithTheConfigurationAhead() throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "leash-record-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  let loop = try EventLoop(clock: MachineClock())
  let now = MonotonicClock.now
  let samples = (0..<3).map {
    InertialSample(time: now + .milliseconds($0 * 10), specificForce: Vector3(0, 0, 9.8))
  }
  var fix = GNSSFix(time: now + .milliseconds(40))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 5)
  let bytes = checksummed(sentence)
  let later = now + .milliseconds(50)
  let sensor = ScriptedSensor(
    samples.map { .inertial($0) } + [
      .fix(fix), .sentences(bytes, at: later), .sentences(bytes, at: later + .seconds(1)),
    ])
  let recording = SensorRecording(
    RecordingSettings(folder: folder.path), configuration: RunConfiguration(), sensors: [sensor], loop: loop, at: now)
  try recording.start(at: now)
  let limit = MonotonicClock.now + .seconds(10)
  while recording.sensors[0].inputCount < 6, MonotonicClock.now < limit { recording.turn(until: limit) }
  let progress = recording.progress(at: MonotonicClock.now)
  #expect(progress.samples == 3 && progress.fixes >= 1 && progress.positions >= 1 && progress.lost == 0)
  #expect(progress.sensors.map(\.state) == ["running"] && progress.bytes > 0)
  #expect(String(decoding: progress.json, as: UTF8.self).contains("\"samples\":3"))
  recording.stop()

  let name = try #require(progress.file)
  let reader = try LeashLogReader(path: folder.appending(path: name).path)
  var records: [LogRecord] = []
  while let record = try reader.next() { records.append(record) }
  guard case .configuration = records.first else {
    Issue.record("\(records.first as Any)")
    return
  }
  let inputs = records.compactMap { record -> TrackerInput? in
    if case .input(let input) = record { return input }
    return nil
  }
  #expect(
    inputs.count == 6
      && records.allSatisfy { record in
        switch record {
        case .action, .output: false
        default: true
        }
      })
  #expect(inputs.prefix(3).map(\.time) == samples.map(\.time))
  #expect(inputs.last == .bytes(port: Port.gnss.rawValue, time: later + .seconds(1)))
}

@Test func aRecordingThatCantBeWrittenDoesNotBegin() throws {
  let loop = try EventLoop(clock: MachineClock())
  let recording = SensorRecording(
    RecordingSettings(folder: "/proc/leash"), configuration: RunConfiguration(), sensors: [], loop: loop,
    at: MonotonicClock.now)
  #expect(throws: DeviceFailure.self) { try recording.start(at: MonotonicClock.now) }
}

@Test func aSensorThatFailsIsTriedAgainAndSaysWhy() throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "leash-record-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  let loop = try EventLoop(clock: MachineClock())
  let now = MonotonicClock.now
  let sensor = ScriptedSensor([.inertial(InertialSample(time: now))], fails: true)
  let recording = SensorRecording(
    RecordingSettings(folder: folder.path), configuration: RunConfiguration(), sensors: [sensor], loop: loop, at: now)
  try recording.start(at: now)
  let limit = MonotonicClock.now + .seconds(10)
  while recording.sensors[0].failureCount == 0, MonotonicClock.now < limit { recording.turn(until: limit) }
  let progress = recording.progress(at: MonotonicClock.now)
  #expect(progress.sensors[0].state == "failed" && progress.sensors[0].reason == "part: gone")
  recording.stop()
}
