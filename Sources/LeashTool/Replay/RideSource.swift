import InertialFusion
import Quantities
import Recording
import TrackerRuntime
import TrackerCore
import VehicleSimulation

/// A remark about what a simulation does at a time.
struct SceneRemark {
  var time: Instant
  var text: String
}

/// The inputs of a replay: the recording as it is, or with what a simulation adds to it.
final class RideSource {
  private let recording: any RecordingImporter
  private var simulation: RideExtension?
  private var remarks: [SceneRemark] = []
  private var nextRemarkPlace = 0
  private let seed: UInt64
  /// What is recorded and what is made, a line each.
  let provenance: [String]

  /// - Throws: When a simulation is asked for that the recording can't carry.
  init(
    _ recording: any RecordingImporter, parts: [any RecordingImporter], _ arguments: Arguments, seed: UInt64
  ) throws(CommandFailure) {
    self.recording = recording
    self.seed = seed
    let scene = arguments[ReplayCommand.scene]
    let isSynthesized = arguments[ReplayCommand.synthesize]
    guard scene == nil || isSynthesized else {
      throw .usage("--simulate-scene needs --simulate-inertial: the thief must be felt by the sensor")
    }
    var lines = parts.map { part in
      "recorded   \(part.reports.first?.file ?? "?") (\(part.formatName))"
    }
    if isSynthesized {
      simulation = RideExtension(seed: seed, scene: scene == .thief ? .tenMinutesThenThief : nil)
      lines.append("SYNTHETIC  accelerometer and gyroscope at 100 Hz, made from the track with seed \(seed),")
      lines.append("           sitting on the seat tube (calibration.mounting=+z +x +y)")
      if scene != nil { lines.append("SYNTHETIC  everything after the recording ends: positions, too") }
      lines.append(
        "           The model is described in docs/ride-model.md. It is no proof of detection in the field.")
    }
    provenance = lines
  }

  /// How the synthetic sensor sits: x points left, y up along the seat tube, z forward.
  static var syntheticMounting: AxisRemap { AxisRemap(forward: .plusZ, left: .plusX, up: .plusY) ?? .identity }

  /// Bytes of the last input.
  var payload: [UInt8] { simulation == nil ? recording.payload : [] }
  /// What was passed over.
  var reports: [ImportReport] { recording.reports }

  /// The next input.
  func next() throws(RecordingError) -> TrackerInput? {
    guard simulation != nil else { return try recording.next() }
    while true {
      if let output = simulation?.next() {
        switch output {
        case .inertial(let sample): return .inertial(sample)
        case .fix(let fix): return .fix(fix)
        }
      }
      guard simulation?.isFinished == false else { return nil }
      if let input = try recording.next() {
        if case .fix(let fix) = input { simulation?.receive(fix) }
      } else {
        simulation?.finish()
        remarks = (simulation?.remarks ?? []).map { SceneRemark(time: $0.time, text: $0.text) }
      }
    }
  }

  /// The next remark that lies before a time.
  func nextRemark(until time: Instant) -> SceneRemark? {
    guard nextRemarkPlace < remarks.count, remarks[nextRemarkPlace].time <= time else { return nil }
    nextRemarkPlace += 1
    return remarks[nextRemarkPlace - 1]
  }
}
