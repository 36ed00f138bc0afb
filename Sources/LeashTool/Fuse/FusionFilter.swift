import InertialFusion
import Quantities

/// Which attitude is asked for.
enum FusionMode: String, CaseIterable, ArgumentValue {
  /// Gyroscope and accelerometer: the vertical is right, the heading has an arbitrary origin.
  case level = "6d"
  /// With magnetometer: east, north, up.
  case earth = "9d"
}

/// What the filter says after one row.
struct FusedState {
  /// Earth (6d: level) from sensor.
  var attitude = Quaternion.identity
  /// Bias of the gyroscope, rad/s, sensor frame.
  var gyroBias = Vector3.zero
  /// True at rest.
  var isAtRest = false
  /// One sigma of the heading, rad.
  var headingUncertainty = FusedState.unknownHeading
  /// Evidence of movement as a ratio to its threshold: below 1 is rest.
  var restRatio: Float = 0
  /// Disturbance of the magnetic field as a ratio to its threshold: 1 and more is disturbed.
  var magneticRatio: Float = 0

  /// What stands for the uncertainty of a heading about which nothing is known.
  static var unknownHeading: Float { .pi }
}

/// The filter behind `leash fuse`: the one place that knows its interface.
struct FusionFilter {
  private let mode: FusionMode
  private var filter = AttitudeFilter()
  /// True once there was an attitude; a gap may have taken it away since.
  private(set) var isAligned = false

  /// A filter that knows nothing yet.
  init(mode: FusionMode) { self.mode = mode }

  /// Takes one reading in; what can't be used is counted and changes nothing.
  mutating func update(with sample: InertialSample) {
    var sample = sample
    if mode == .level { sample.magneticFluxDensity = nil }
    filter.update(with: sample)
    if filter.isAligned { isAligned = true }
  }

  /// The state after the last reading that was used.
  var state: FusedState {
    let evidence = filter.evidence
    let isLevel = mode == .level
    return FusedState(
      attitude: isLevel ? filter.levelFromBody : filter.earthFromBody, gyroBias: filter.gyroBias,
      isAtRest: filter.isAtRest,
      headingUncertainty: isLevel ? FusedState.unknownHeading : filter.headingUncertainty,
      restRatio: evidence.rest, magneticRatio: evidence.magneticDisturbance)
  }

  /// What the filter did not use or did not trust, each with its count; `outOfOrder` false leaves out what the reader has
  /// told by line.
  func remarks(outOfOrder: Bool) -> [String] {
    let counts = filter.rejections
    let all: [(count: UInt32, text: String)] = [
      (outOfOrder ? counts.outOfOrder : 0, "not later than the one before: not used"),
      (counts.notFinite, "with a value that is not finite: not used"),
      (counts.empty, "without angular rate and specific force: not used"),
      (counts.outOfRange, "beyond what any sensor measures: not used"),
      (counts.clipped, "at the end of the sensor's range: trusted less"),
      (counts.stuck, "while an axis stood still and the others moved: trusted less"),
    ]
    return all.filter { $0.count > 0 }.map { entry in
      "\(TimeText.count(Int(entry.count))) sample\(entry.count == 1 ? "" : "s") \(entry.text)"
    }
  }
}
