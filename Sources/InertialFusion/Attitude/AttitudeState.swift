import Quantities

/// Everything an `AttitudeFilter` remembers. A filter that resumes from it continues bit for bit.
public struct AttitudeState: Equatable, BitwiseCopyable, Sendable {
  /// The stretch since the last correction; its rotation is levelFromBody itself, so its force is in the level frame.
  var motion = PreintegratedMotion()
  /// Angular rate of the last sample, rad/s, body frame, bias and scale taken away.
  var rate = Vector3.zero
  /// Tilt, bias and scale.
  public internal(set) var level: LevelEstimate
  /// The earth's and the body's magnetic field.
  public internal(set) var magnetic: MagneticEstimate
  /// Heading from courses over ground.
  public internal(set) var course = GNSSHeading()
  /// Half-angle cosine and sine of the rotation about the vertical that takes the level frame to ENU.
  var headingCosine: Float = 1
  var headingSine: Float = 0
  /// Rest.
  public internal(set) var rest = RestState()
  /// Activity in the last window against its threshold.
  var restActivity: Float = 0
  /// Runs of windows in which an axis did not change.
  var stuck = StuckAxes()
  /// Fold of the last magnetometer values: equal ones are no new reading.
  var lastMagnetometer: UInt32 = 0
  var lastTime = AttitudeState.never
  /// Time since the magnetometer was last used, s.
  var secondsSinceMagnetometer: Float = 0
  /// Mean vertical specific force of the last second and a half, m/s².
  var meanVerticalForce: Float = 0
  /// True when a sample of the present stretch is not to be trusted.
  var isSuspect = false
  /// True once the vertical is known.
  public internal(set) var isAligned = false
  /// Silences after which the attitude had to be found anew.
  public internal(set) var gapCount: UInt16 = 0

  init(_ parameters: AttitudeParameters, _ coefficients: AttitudeCoefficients) {
    level = LevelEstimate(coefficients)
    magnetic = MagneticEstimate(parameters.magnetic)
  }

  /// The time of the last sample before there was one.
  static var never: Instant { Instant(microseconds: .min) }
}
