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
  /// One standard deviation of the heading, rad; π while it is unknown, as it always is in 6d.
  var headingUncertainty = Float.pi
  /// Evidence of movement as a ratio to its threshold: below 1 is rest.
  var restRatio: Float = 0
  /// Disturbance of the magnetic field as a ratio to its threshold: 1 and more is disturbed.
  var magneticRatio: Float = 0
}

/// The filter behind `leash fuse`: the one place that knows its interface.
struct FusionFilter {
  private let mode: FusionMode
  private var filter = AttitudeFilter()
  /// True once there was an attitude; a gap may have taken it away since.
  private(set) var hasAligned = false

  /// A filter that knows nothing yet.
  init(mode: FusionMode) { self.mode = mode }

  /// Takes one reading in; what can't be used is counted and changes nothing.
  mutating func update(with sample: InertialSample) {
    var sample = sample
    if mode == .level { sample.magneticFluxDensity = nil }
    filter.update(with: sample)
    hasAligned = hasAligned || filter.isAligned
  }

  /// The state after the last reading that was used.
  var state: FusedState {
    let evidence = filter.evidence
    return FusedState(
      attitude: mode == .level ? filter.levelFromBody : filter.earthFromBody, gyroBias: filter.gyroBias,
      isAtRest: filter.isAtRest, headingUncertainty: mode == .level ? .pi : filter.headingUncertainty,
      restRatio: evidence.rest, magneticRatio: evidence.magneticDisturbance)
  }

  /// Readings that were not used, or used with suspicion, by reason.
  var refusals: [(count: Int, reason: String)] {
    let counts = filter.rejections
    let kept = ": the state before was kept"
    let all: [(UInt32, String)] = [
      (counts.outOfOrder, "not later than the one before" + kept), (counts.notFinite, "not finite" + kept),
      (counts.empty, "without angular rate and specific force" + kept),
      (counts.outOfRange, "beyond what any sensor measures" + kept),
      (counts.clipped, "at the end of the sensor's range: used, trusted less"),
      (counts.stuck, "with an axis that stands still while the others move: used, trusted less"),
    ]
    return all.filter { $0.0 > 0 }.map { (Int($0.0), $0.1) }
  }
}
