/// Tuning of `LiteAttitudeFilter`; one set serves all the recordings it was chosen on.
///
/// - Source: chosen on the 14 development trials of [broad] at the middle of plateaus; `docs/fusion-lite.md` has the sweeps.
@frozen public struct LiteParameters: Equatable, BitwiseCopyable, Sendable {
  /// Time between corrections, s. Default 0.05; small costs time and gains nothing, large saves time and notices rest later.
  public var correctionInterval: Float = 0.05
  /// Time constant of the smoothing of the specific force, s. Default 3; small follows the accelerometer and its shaking,
  /// large the gyroscope and its drift.
  public var tiltTimeConstant: Float = 3
  /// Time constant of the magnetic heading, s. Default 15; small follows magnetic disturbances, large the gyroscope's drift.
  public var headingTimeConstant: Float = 15
  /// Relative deviation of the field's strength that takes three quarters of its weight. Default 0.15; small trusts only a
  /// steady field, large takes disturbances in.
  public var fieldStrengthTolerance: Float = 0.15
  /// Deviation of the sine of the field's dip that takes three quarters of its weight. Default 0.12 (7° to 18°); small and
  /// large as for the strength.
  public var fieldDipTolerance: Float = 0.12
  /// Time constant with which the expected field follows the measured one, s. Default 20; small forgives a new place sooner,
  /// large outlasts longer disturbances.
  public var fieldTimeConstant: Float = 20
  /// Change of the angular rate against its mean of the last half second that ends rest, rad/s. Default 0.02; small misses
  /// rest on noisy parts, large takes slow movement for bias.
  public var restRateDeviation: Float = 0.02
  /// Change of the specific force against its mean of the last half second that ends rest, m/s². Default 0.5; small misses
  /// rest on noisy parts, large leaves the decision to the gyroscope.
  public var restForceDeviation: Float = 0.5
  /// Quiet time after which the mean angular rate is taken for bias, s. Default 1.5; small is quick, and takes pauses of an
  /// even movement for rest.
  public var restDwell: Float = 1.5
  /// Quiet time needed when a bias is known and the mean rate lies far from it, s. Default 10; small takes a slow even turn
  /// for bias, large is slow to follow a part that warms up.
  public var restRelearnDwell: Float = 10
  /// Distance from a known bias that counts as far, rad/s. Default 0.02; small and large as for the deviation.
  public var biasStep: Float = 0.02
  /// Time constant of the bias once as much rest has been seen, s. Default 20; small follows the noise, large the past.
  public var biasTimeConstant: Float = 20
  /// Largest bias, rad/s. Default 0.35 (20 °/s); an even turn faster than that is never taken for bias.
  public var biasLimit: Float = 0.35
  /// A longer pause between samples begins anew, s. Default 1; the last rate is not worth integrating over more.
  public var longestGap: Float = 1

  /// The defaults.
  @inlinable public init() {}
}

/// Numbers that follow from the parameters alone.
@frozen @usableFromInline struct LiteCoefficients: Equatable, BitwiseCopyable, Sendable {
  /// Half the corner frequency of the smoothing, rad/s.
  var halfCorner: Float
  var inverseHeading: Float
  var inverseStrength: Float
  var inverseDip: Float
  var restRateSquared: Float
  var restForceSquared: Float
  var biasStepSquared: Float
  var biasLimitSquared: Float
  @usableFromInline var interval: Float
  @usableFromInline var longestGap: Float

  init(_ parameters: LiteParameters) {
    let p = parameters
    precondition(p.correctionInterval > 0 && p.tiltTimeConstant > 0 && p.headingTimeConstant > 0)
    precondition(p.fieldStrengthTolerance > 0 && p.fieldDipTolerance > 0 && p.fieldTimeConstant > 0)
    precondition(p.biasTimeConstant > 0 && p.longestGap > 0)
    halfCorner = 0.707_106_78 / p.tiltTimeConstant
    inverseHeading = 1 / p.headingTimeConstant
    inverseStrength = 1 / p.fieldStrengthTolerance
    inverseDip = 1 / p.fieldDipTolerance
    restRateSquared = p.restRateDeviation * p.restRateDeviation
    restForceSquared = p.restForceDeviation * p.restForceDeviation
    biasStepSquared = p.biasStep * p.biasStep
    biasLimitSquared = p.biasLimit * p.biasLimit
    interval = p.correctionInterval
    longestGap = p.longestGap
  }
}
