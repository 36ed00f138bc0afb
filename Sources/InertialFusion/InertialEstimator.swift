public import Quantities

/// Counts of samples that were not used, by reason.
@frozen public struct InertialRejections: Equatable, BitwiseCopyable, Sendable {
  /// Not later than the sample before it.
  public var outOfOrder: UInt32 = 0
  /// A value was NaN or infinite.
  public var notFinite: UInt32 = 0
  /// Neither angular rate nor specific force.
  public var empty: UInt32 = 0
  /// Beyond what any part for vehicles measures: more than 200 rad/s or 4,000 m/s².
  public var outOfRange: UInt32 = 0

  /// All of them.
  @inlinable public var total: UInt32 { outOfOrder &+ notFinite &+ empty &+ outOfRange }

  @inlinable init() {}
}

/// From raw inertial samples to rest, bias and attitude.
///
/// - Complexity: O(1) per sample; no allocation.
public struct InertialEstimator: BitwiseCopyable, Sendable {
  /// Offsets, scales and mounting.
  public let calibration: InertialCalibration
  /// Rest and movement.
  public private(set) var rest: RestDetector
  /// Gyroscope bias.
  public private(set) var bias = GyroBias()
  /// Attitude.
  public private(set) var attitude = AttitudeFilter()
  /// Samples that were not used.
  public private(set) var rejections = InertialRejections()
  /// The time of the last sample that was used.
  public private(set) var lastSampleTime: Instant?
  /// The first sample since which there was no silence of more than `longestGap`.
  public private(set) var watchedSince: Instant?
  /// Silences of more than `longestGap` between two samples.
  public private(set) var gapCount: UInt32 = 0

  /// A pause longer than this starts a new window. Slow sensors (1 Hz) are still continuous.
  public static var longestGap: Interval { .milliseconds(2500) }

  /// An estimator that knows nothing yet.
  public init(calibration: InertialCalibration = InertialCalibration(), rest: RestParameters = RestParameters()) {
    self.calibration = calibration
    self.rest = RestDetector(parameters: rest)
  }

  /// Takes one raw sample of the sensor frame in.
  ///
  /// - Returns: True when a half window of the rest detector has closed. A sample that can't be used is counted and changes
  ///   nothing else.
  public mutating func update(with raw: InertialSample) -> Bool {
    guard raw.angularRate != nil || raw.specificForce != nil else {
      rejections.empty &+= 1
      return false
    }
    guard raw.angularRate?.isFinite ?? true, raw.specificForce?.isFinite ?? true else {
      rejections.notFinite &+= 1
      return false
    }
    guard raw.angularRate.map({ $0.squaredLength < 4e4 }) ?? true,
      raw.specificForce.map({ $0.squaredLength < 1.6e7 }) ?? true
    else {
      rejections.outOfRange &+= 1
      return false
    }
    if let last = lastSampleTime, raw.time <= last {
      rejections.outOfOrder &+= 1
      return false
    }
    let sample = calibration.apply(to: raw)
    let elapsed = lastSampleTime.map { sample.time - $0 } ?? .zero
    let isAfterGap = elapsed > InertialEstimator.longestGap
    if isAfterGap {
      gapCount &+= 1
      attitude.loosen()
    }
    if isAfterGap || lastSampleTime == nil { watchedSince = sample.time }
    lastSampleTime = sample.time
    var closed = false
    if rest.add(sample, isAfterGap: isAfterGap) {
      bias.learn(rest.closeWindow(bias: bias.value, biasUncertainty: bias.uncertainty))
      closed = rest.hasClosedHalf
    }
    let rate = sample.angularRate.map { rest.isAtRest ? Vector3.zero : $0 - bias.value }
    // The time of the gap must not count as smoothing: one shaken sample would be taken for the vertical.
    attitude.update(
      angularRate: isAfterGap ? nil : rate, specificForce: sample.specificForce,
      seconds: isAfterGap ? 0 : elapsed.seconds)
    return closed
  }
}
