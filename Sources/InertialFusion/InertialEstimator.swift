public import Quantities

/// From raw inertial samples of the sensor frame to rest, bias and attitude of the body: calibration before an
/// `AttitudeFilter`.
///
/// - Complexity: O(1) per sample; no allocation.
public struct InertialEstimator: BitwiseCopyable, Sendable {
  /// Offsets, scales and mounting.
  public let calibration: InertialCalibration
  /// Rest, bias and attitude.
  public private(set) var attitude: AttitudeFilter
  /// The first sample since which there was no silence of more than `longestGap`.
  public private(set) var watchedSince: Instant?

  /// A pause longer than this starts a new window. Slow sensors (1 Hz) are still continuous.
  public static var longestGap: Interval { AttitudeFilter.longestGap }

  /// An estimator that knows nothing yet.
  public init(calibration: InertialCalibration = InertialCalibration(), rest: RestParameters = RestParameters()) {
    self.calibration = calibration
    var parameters = AttitudeParameters()
    parameters.rest = rest
    attitude = AttitudeFilter(parameters: parameters)
  }

  /// Rest.
  public var rest: RestDetector { attitude.state.rest }
  /// Samples that were not used, by reason.
  public var rejections: InertialRejections { attitude.state.rejections }
  /// The time of the last sample that was used.
  public var lastSampleTime: Instant? { attitude.state.lastTime }
  /// Silences of more than `longestGap` between two samples.
  public var gapCount: UInt32 { attitude.state.gapCount }

  /// Takes one raw sample of the sensor frame in.
  ///
  /// - Returns: True when a window of the rest detector has closed. A sample that can't be used is counted and changes
  ///   nothing else.
  public mutating func update(with raw: InertialSample) -> Bool {
    let gaps = attitude.state.gapCount
    let last = attitude.state.lastTime
    let closed = attitude.update(with: calibration.apply(to: raw))
    if attitude.state.gapCount != gaps || last == nil { watchedSince = attitude.state.lastTime }
    return closed
  }
}
