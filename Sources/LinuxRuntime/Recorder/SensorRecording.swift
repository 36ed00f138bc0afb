import LinuxDevices
import NMEA
import Quantities
import TrackerRuntime
import TrackerCore

/// Sensors written to a recording, without a tracker: no decisions, nothing sent, no state kept.
///
/// The file begins with the configuration, as that of a run does, and holds the inputs in the order they came. `leash replay`
/// makes decisions from it later, `leash fuse` attitudes.
package final class SensorRecording: LoopMember {
  /// How it stands, for people and as JSON.
  package struct Progress: Codable, Equatable, Sendable {
    /// A sensor.
    package struct Sensor: Codable, Equatable, Sendable {
      /// What and where.
      package var name: String
      /// `idle`, `running` or `failed`.
      package var state: String
      /// Why it failed, in a line.
      package var reason: String?
      /// Inputs so far.
      package var inputs: Int
      /// Inputs per second over the last seconds; nil in the first ones.
      package var hertz: Double?
    }

    /// Since the recording began, s.
    package var seconds: Double
    /// The sensors.
    package var sensors: [Sensor]
    /// Inertial samples so far.
    package var samples: Int
    /// Epochs of the satellite receiver so far.
    package var fixes: Int
    /// Those of them with a position.
    package var positions: Int
    /// The folder.
    package var folder: String
    /// The file at hand; nil while there is none.
    package var file: String?
    /// Bytes written so far.
    package var bytes: Int
    /// Records that could not be written.
    package var lost: Int
    /// Why nothing is written now.
    package var problem: String?

    /// As one JSON object, keys in the order of the alphabet.
    package var json: [UInt8] { jsonBytes(self) }
  }

  /// Sensors with their states.
  package let sensors: [SupervisedSensor]
  /// The files.
  package let recorder: RideRecorder
  /// Inertial samples so far.
  package private(set) var sampleCount = 0
  /// Epochs of the satellite receiver so far.
  package private(set) var fixCount = 0
  /// Those of them with a position.
  package private(set) var positionCount = 0

  private let loop: EventLoop
  private let configuration: RunConfiguration
  private var receiver = NMEAReceiver()
  private var startedAt: Instant

  /// A recording that has not begun.
  ///
  /// - Parameters:
  ///   - settings: Where to, and how much is kept.
  ///   - configuration: Stands at the beginning of each file, so that a replay decides as this board would.
  ///   - sensors: Not started.
  ///   - loop: The loop that its owner turns.
  ///   - now: The monotonic clock.
  package init(
    _ settings: RecordingSettings, configuration: RunConfiguration, sensors: [any SensorSource], loop: EventLoop,
    at now: Instant
  ) {
    recorder = RideRecorder(settings) { loop.clock.now }
    self.configuration = configuration
    self.loop = loop
    startedAt = now
    self.sensors = sensors.map { SupervisedSensor($0) }
    for sensor in self.sensors { sensor.sink = { [unowned self] input in self.take(input) } }
  }

  /// Opens the first file and starts the sensors.
  ///
  /// - Throws: When nothing can be written: a recording that records nothing is of no use to anybody who waits for it.
  package func start(at now: Instant) throws(DeviceFailure) {
    startedAt = now
    let text = Array(configuration.text.utf8)
    recorder.append(configuration: text.span)
    if let problem = recorder.problem {
      throw DeviceFailure(.create, recorder.settings.folder, .explained("can't record there: \(problem)"))
    }
    loop.add(self)
    for sensor in sensors { sensor.start(in: loop, at: now) }
  }

  /// One turn of the loop.
  package func turn(until limit: Instant? = nil) {
    loop.turn(until: limit)
    let now = loop.clock.now
    for sensor in sensors { sensor.check(at: now) }
  }

  /// Stops the sensors; everything is on the storage when it returns.
  package func stop() {
    for sensor in sensors { sensor.stop() }
    loop.remove(self)
    recorder.close()
  }

  /// How it stands.
  package func progress(at now: Instant) -> Progress {
    let sensors = sensors.map { sensor in
      Progress.Sensor(
        name: sensor.source.name, state: sensor.state.word, reason: sensor.state.failure?.reason,
        inputs: sensor.inputCount, hertz: sensor.hertz(at: now))
    }
    return Progress(
      seconds: (now - startedAt).secondsDouble, sensors: sensors, samples: sampleCount, fixes: fixCount,
      positions: positionCount, folder: recorder.settings.folder, file: recorder.file, bytes: recorder.byteCount,
      lost: recorder.lostCount, problem: recorder.problem)
  }

  private func take(_ input: SensorInput) {
    let nothing: [UInt8] = []
    switch input {
    case .inertial(let sample):
      sampleCount += 1
      recorder.append(.inertial(sample), bytes: nothing.span)
    case .fix(let fix):
      count(fix)
      recorder.append(.fix(fix), bytes: nothing.span)
    case .reading(let reading): recorder.append(.reading(reading), bytes: nothing.span)
    case .sentences(let bytes, let time):
      recorder.append(.bytes(port: Port.gnss.rawValue, time: time), bytes: bytes.span)
      receiver.receive(bytes.span, at: time)
      while let fix = receiver.nextFix() { count(fix) }
    }
  }

  private func count(_ fix: GNSSFix) {
    fixCount += 1
    if fix.hasPosition { positionCount += 1 }
  }

  // MARK: In the loop

  /// No descriptors of its own.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  /// When what was recorded goes to the operating system.
  package var nextDeadline: Instant? { recorder.nextDeadline }
  /// Hands it over.
  package func advance(to now: Instant) { recorder.advance(to: now) }
}
