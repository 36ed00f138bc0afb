import InertialFusion
import NMEA
import Quantities
import Recording
import TrackerRuntime
import TrackerCore

/// `leash calibrate mount`: how the sensor sits on the vehicle, from a ride.
enum CalibrateMountCommand {
  static let settings = Option<String>(
    "set", "NAME=VALUE",
    "Offset or scale of the accelerometer, as printed by 'leash calibrate accelerometer'; may be given several times.")
  static let files = Positional(
    "FILE", count: .oneOrMore,
    "Recordings of one ride: CSV, Leash log, a phone's export folder, NMEA log of its receiver.")

  static let command = Command(
    "mount", "Find how a sensor is mounted, from a ride",
    discussion: """
      Needs a few minutes of riding with stops, braking and turns both ways. Speed from a receiver makes the result \
      more certain; without it only the turns show which way is forward.
      """,
    parameters: [.positional(files), .option(settings), .flag(CalibrateCommand.json)]
  ) { arguments, console throws(CommandFailure) in
    var configuration = RunConfiguration()
    for text in arguments.all(settings) {
      guard text.hasPrefix("calibration.specificForce") else {
        throw .usage("option '--set': '\(text)' is neither calibration.specificForceOffset nor …Scale")
      }
      try ReplayOptions.set(text, &configuration)
    }
    var sources: [any RecordingImporter] = []
    for path in arguments[files] {
      sources.append(try reading { () throws(RecordingError) in try openRecording(path) })
    }
    let recording =
      sources.count == 1
      ? sources[0] : try reading { () throws(RecordingError) in try MergedRecording(sources) }
    var ride = MountRide(configuration.tracker.calibration)
    defer { for line in ReplaySummary.problems(recording.reports) { console.err.writeLine(line) } }
    try reading { () throws(RecordingError) in
      while let input = try recording.next() { ride.take(input, payload: recording.payload) }
    }
    guard ride.sampleCount > 0 else {
      throw .environment("\(arguments[files][0]): no accelerometer in it; expected columns ax, ay, az in m/s²")
    }
    let report = MountReport(ride.calibration, settings: arguments.all(settings), files: arguments[files])
    console.out.write(arguments[CalibrateCommand.json] ? report.json : report.text)
    if let problem = report.problem { throw .check(problem) }
    return .success
  }
}

/// Feeds a recording to a mount calibration.
struct MountRide: ~Copyable {
  private(set) var calibration = MountCalibration()
  private(set) var sampleCount = 0
  private var sensor: InertialCalibration
  private var receiver = NMEAReceiver()

  /// - Parameter sensor: What is known of the sensor; its mounting is not used.
  init(_ sensor: InertialCalibration) {
    self.sensor = sensor
    self.sensor.mounting = .identity
  }

  mutating func take(_ input: TrackerInput, payload: [UInt8]) {
    switch input {
    case .inertial(let sample):
      sampleCount += 1
      calibration.process(sensor.apply(to: sample))
    case .fix(let fix): calibration.process(fix)
    case .bytes(_, let time):
      receiver.receive(payload.span, at: time)
      while let fix = receiver.nextFix() { calibration.process(fix) }
    case .reading, .tick, .command, .acknowledgement, .settlement, .spooled, .recalled, .spoolCount, .restoration: break
    }
  }
}

/// A mount calibration in words and as JSON.
struct MountReport {
  private let calibration: MountCalibration
  private let estimate: MountEstimate
  private let settings: [String]
  private let files: [String]

  /// - Parameters:
  ///   - calibration: After the ride.
  ///   - settings: What was set of the sensor, which belongs to the mounting that came of it.
  ///   - files: The recordings.
  init(_ calibration: MountCalibration, settings: [String], files: [String]) {
    self.calibration = calibration
    self.settings = settings
    self.files = files
    estimate = calibration.estimate
  }

  private static let degrees: Float = 180 / .pi

  /// Why there is no mounting; nil when there is one.
  var problem: String? {
    guard let obstacle = estimate.obstacle else { return nil }
    let riding = TimeText.decimal(Double(estimate.ridingSeconds), 0)
    switch obstacle {
    case .tooLittleRiding:
      let kind = calibration.hasSpeed ? "above 2 m/s" : "with the vibration of a ride (no speed is known)"
      return "\(riding) s of riding \(kind); expected 60 s or more"
    case .forwardUnknown:
      return calibration.hasSpeed
        ? "the forward direction is unknown: ride with more acceleration, braking and turns"
        : "the forward direction is unknown from turns alone; add the receiver's recording"
    case .upUncertain: return "the vertical is uncertain by \(angle(estimate.upDeviation)); expected below 3°"
    case .forwardUncertain:
      return
        "forward is uncertain by \(angle(estimate.forwardDeviation)); expected below 8°: ride longer, with more turns and stops"
    }
  }

  private func angle(_ radians: Float) -> String {
    radians.isFinite ? "\(CalibrateCommand.short(radians * MountReport.degrees, 1))°" : "any angle"
  }

  private var mounting: Mounting { .rotation(estimate.bodyFromSensor) }

  /// The witnesses by name.
  private var witnesses: [(name: String, key: String, evidence: MountEvidence)] {
    [
      ("speeding up and braking", "acceleration", estimate.acceleration),
      ("cornering without lean", "cornering", estimate.cornering), ("leaning into turns", "lean", estimate.lean),
    ]
  }

  var text: String {
    var table = TextTable(("direction", .left), ("x", .right), ("y", .right), ("z", .right), ("±", .right))
    let sensorFromBody = estimate.bodyFromSensor.conjugate
    var text = "\(TimeText.decimal(Double(estimate.ridingSeconds), 0)) s of riding"
    text += calibration.hasSpeed ? "\n" : ", speed unknown\n"
    if calibration.remountCount > 0 { text += "mounting changed \(calibration.remountCount) times; this is the last\n" }
    if estimate.forwardDeviation.isFinite {
      add(sensorFromBody.rotate(Vector3(1, 0, 0)), "forward", estimate.forwardDeviation, to: &table)
      add(sensorFromBody.rotate(Vector3(0, 0, 1)), "up", estimate.upDeviation, to: &table)
      text += "\n" + table.text()
    }
    var list = TextTable(("witness of forward", .left), ("felt/expected", .right), ("±", .right), ("", .left))
    for witness in witnesses where witness.evidence.deviation.isFinite {
      list.add(
        witness.name, CalibrateCommand.short(witness.evidence.gain, 2), angle(witness.evidence.deviation),
        witness.evidence.isUsed ? "used" : "not used")
    }
    if !list.isEmpty { text += "\n" + list.text() }
    guard estimate.isReliable else { return text }
    return text + "\n" + CalibrateCommand.replay(settings + ["calibration.mounting=\(mounting.text)"], files)
  }

  private func add(_ v: Vector3, _ name: String, _ deviation: Float, to table: inout TextTable) {
    table.add(
      name, CalibrateCommand.short(v.x, 3), CalibrateCommand.short(v.y, 3), CalibrateCommand.short(v.z, 3),
      angle(deviation))
  }

  var json: String {
    func number(_ value: Float) -> String { value.isFinite ? "\(value)" : "null" }
    let q = estimate.bodyFromSensor
    var text = "{\"isReliable\":\(estimate.isReliable)"
    if let obstacle = estimate.obstacle { text += ",\"obstacle\":\"\(obstacle)\"" }
    text += ",\"ridingSeconds\":\(estimate.ridingSeconds),\"hasSpeed\":\(calibration.hasSpeed)"
    text += ",\"remountCount\":\(calibration.remountCount)"
    if estimate.forwardDeviation.isFinite {
      text += ",\"bodyFromSensor\":[\(q.w),\(q.x),\(q.y),\(q.z)]"
    }
    text += ",\"upDeviationDegrees\":\(number(estimate.upDeviation * MountReport.degrees))"
    text += ",\"forwardDeviationDegrees\":\(number(estimate.forwardDeviation * MountReport.degrees))"
    text += ",\"uncertaintyRatio\":\(number(estimate.uncertaintyRatio)),\"witnesses\":{"
    text += witnesses.map { witness in
      let e = witness.evidence
      let direction = "[\(e.forward.x),\(e.forward.y),\(e.forward.z)]"
      return "\"\(witness.key)\":{\"gain\":\(e.gain),\"deviationDegrees\":\(number(e.deviation * MountReport.degrees))"
        + ",\"forward\":\(direction),\"isUsed\":\(e.isUsed)}"
    }.joined(separator: ",")
    text += "}"
    if estimate.isReliable { text += ",\"settings\":{\"calibration.mounting\":\"\(mounting.text)\"}" }
    return text + "}\n"
  }
}
