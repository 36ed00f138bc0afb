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
  private var filter = InertialEstimator()

  /// A filter that knows nothing yet.
  init(mode: FusionMode) { self.mode = mode }

  /// Takes one reading in; what can't be used is counted and changes nothing.
  mutating func update(with sample: InertialSample) { _ = filter.update(with: sample) }

  /// The state after the last reading that was used.
  var state: FusedState {
    FusedState(
      attitude: filter.attitude.earthFromBody, gyroBias: filter.rest.bias.value, isAtRest: filter.rest.isAtRest,
      restRatio: filter.rest.evidence.activity)
  }

  /// True once there is an attitude.
  var isAligned: Bool { filter.attitude.isAligned }

  /// What the filter did not use, each with its count; `outOfOrder` false leaves out what the reader has told by line.
  func remarks(outOfOrder: Bool) -> [String] {
    let counts = filter.rejections
    let all: [(count: UInt32, text: String)] = [
      (outOfOrder ? counts.outOfOrder : 0, "samples not later than the one before: not used"),
      (counts.notFinite, "samples with a value that is not finite: not used"),
      (counts.empty, "samples without angular rate and specific force: not used"),
      (counts.outOfRange, "samples beyond what any sensor measures: not used"),
    ]
    return all.filter { $0.count > 0 }.map { "\(TimeText.count(Int($0.count))) \($0.text)" }
  }
}
