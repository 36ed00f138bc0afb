import Quantities

/// Everything an `AttitudeFilter` remembers. A filter that resumes from it continues bit for bit.
public struct AttitudeState: Equatable, BitwiseCopyable, Sendable {
  /// The stretch since the last correction; its rotation is levelFromBody itself, so its force is in the level frame.
  var motion = PreintegratedMotion()
  /// Rotation of the last sample, rad, body frame.
  var previousAngle = Vector3.zero
  /// Rotation by which the output runs ahead of the samples, rad, body frame.
  var lead = Vector3.zero
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
  /// Mean rate of the last window at rest, rad/s, and its variance: it counts as bias once the next window is at rest, too.
  var restRate = Vector3.zero
  var restRateVariance: Float = -1
  /// Activity in the last window against its threshold.
  var restActivity: Float = 0
  /// Samples not used or not trusted.
  public internal(set) var rejections = InertialRejections()
  var stuckRate = StuckAxisDetector()
  var stuckForce = StuckAxisDetector()
  var lastMagnetometer = Vector3.zero
  var lastTime: Instant?
  /// Time since the magnetometer was last used, s.
  var secondsSinceMagnetometer: Float = 0
  /// The last correction of the tilt, rad about the level frame's horizontal axes, and how many there were.
  public internal(set) var correctionX: Float = 0
  public internal(set) var correctionY: Float = 0
  public internal(set) var correctionCount: UInt32 = 0
  /// Mean specific force of the last second and a half, m/s², level frame.
  var meanForce = Vector3.zero
  /// Samples of the present stretch that are not to be trusted.
  var suspectSamples: UInt16 = 0
  /// True once the vertical is known.
  public internal(set) var isAligned = false
  /// Silences after which the attitude had to be found anew.
  public internal(set) var gapCount: UInt32 = 0

  init(_ parameters: AttitudeParameters, _ coefficients: AttitudeCoefficients) {
    level = LevelEstimate(coefficients)
    magnetic = MagneticEstimate(parameters.magnetic)
  }
}
