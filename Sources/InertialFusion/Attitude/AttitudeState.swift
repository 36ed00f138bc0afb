import Quantities

/// Everything an `AttitudeFilter` remembers. A filter that resumes from it continues bit for bit.
public struct AttitudeState: Equatable, BitwiseCopyable, Sendable {
  /// The stretch since the last correction; its rotation is levelFromBody itself, so its force is in the level frame.
  @usableFromInline var motion = PreintegratedMotion()
  /// Angular rate of the last sample, rad/s, body frame, bias and scale taken away.
  @usableFromInline var rate = Vector3.zero
  /// Tilt, bias and scale.
  public internal(set) var level: LevelEstimate
  /// The earth's and the body's magnetic field.
  public internal(set) var magnetic: MagneticEstimate
  /// Heading from courses over ground.
  public internal(set) var course = GNSSHeading()
  /// Sine and cosine of half the rotation about the vertical that takes the level frame to ENU; the cosine is not negative.
  @usableFromInline var headingSine: Float = 0
  @usableFromInline var headingCosine: Float = 1
  /// Standard deviations of tilt and heading, rad, and of the bias, rad/s, as they are stated: found once per stretch, so that reading
  /// them looks at nothing else.
  @usableFromInline var statedTilt: Float = 0
  @usableFromInline var statedHeading: Float = .pi
  @usableFromInline var statedBias: Float = 0
  /// Rest.
  public internal(set) var rest = RestState()
  /// Activity in the last window against its threshold, in sixteenths.
  var restActivity: UInt16 = 0
  /// Runs of windows in which an axis did not change.
  var stuck = StuckAxes()
  /// Fold of the last magnetometer values: equal ones are no new reading.
  var lastMagnetometer: UInt16 = 0
  var lastTime = AttitudeState.never
  /// Usual time from sample to sample, s.
  var usualStep: Float = 0
  /// Mean square of the rate over the last second, rad²/s².
  var meanSquareRate: Float = 0
  /// Time since the magnetometer was last used, s.
  var secondsSinceMagnetometer: Float = 0
  /// Mean vertical specific force of the last second and a half, m/s².
  var meanVerticalForce: Float = 0
  /// True when a sample of the present stretch is not to be trusted.
  var isSuspect = false
  /// Windows at rest that have told the bias, up to 255: what movement alone tells is no ground to deny rest.
  var restWindows: UInt8 = 0
  /// True once the vertical is known.
  public internal(set) var isAligned = false
  /// How long samples have come without the gyroscope's part, in hundredths of a second, each sample's rounded up; `AttitudeFilter.lost`
  /// and `AttitudeFilter.unheard` tell more.
  @usableFromInline var blindTime: UInt8 = .max
  /// Silences after which the attitude had to be found anew.
  public internal(set) var gapCount: UInt16 = 0

  init(_ parameters: AttitudeParameters, _ coefficients: AttitudeCoefficients) {
    level = LevelEstimate(coefficients)
    magnetic = MagneticEstimate(parameters.magnetic)
    secondsSinceMagnetometer = parameters.fusionInterval
    let offset: Float = coefficients.initialOffsetVariance > 0 ? 0 : 1.6e-5
    statedTilt = (coefficients.initialTiltVariance + offset).squareRoot()
    stateBias(parameters)
  }

  /// Finds the stated deviation of the bias anew.
  mutating func stateBias(_ parameters: AttitudeParameters) {
    // What no rest has shown came by the same corrections as the tilt; but of what fits worst it has learnt nearly nothing (`biasShare`).
    let factor = restWindows < 10 ? max(1, min(level.tiltFactor, 30)) : 1
    statedBias = min(level.gyroBiasUncertainty * factor.squareRoot(), parameters.maximumGyroBias)
  }

  /// The time of the last sample before there was one.
  static var never: Instant { Instant(microseconds: .min) }

  /// Rotation about the vertical from the level frame to ENU, as a half-angle cosine and sine.
  @inlinable var heading: (cosine: Float, sine: Float) {
    @inline(__always) get { (headingCosine, headingSine) }
  }
}
