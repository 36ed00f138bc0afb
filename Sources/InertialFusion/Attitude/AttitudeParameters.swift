public import Quantities

/// Tuning of `AttitudeFilter`. The defaults are one set for all recordings, chosen on recordings of one instrument; see
/// docs/fusion.md for what each does to the errors, and what other choices would have made of them.
@frozen public struct AttitudeParameters: Equatable, BitwiseCopyable, Sendable {
  /// Stretch of samples that is folded before the filter corrects, s. Default 0.04; small costs time, large delays.
  public var fusionInterval: Float = 0.04
  /// Delay of the gyroscope's own low-pass filter, s: the attitude is carried forward by it. Default 0.0024, that of a common
  /// consumer part (1 to 5 ms; the data sheet calls it group delay); 0 for an ideal or simulated sensor.
  public var gyroscopeLatency: Float = 0.0024
  /// Noise of the gyroscope, rad/s/√Hz. Default 0.0005 (0.03 °/s/√Hz); large trusts the accelerometer more.
  public var gyroscopeNoise: Float = 0.0005
  /// Noise of the rotation in proportion to the rate, rad per rad/√Hz: cross-axis errors and what is not modelled.
  /// Default 0.002; large corrects the tilt faster while turning.
  public var turningNoise: Float = 0.002
  /// How far the velocity of what carries the sensor may be from none, m/s·√s. Default 0.4; small corrects faster and lets
  /// accelerations tilt the attitude, large does the opposite.
  public var velocityNoise: Float = 0.4
  /// More of it in proportion to the acceleration of the motion, m/s·√s per m/s². Default 0.14.
  public var velocityNoisePerAcceleration: Float = 0.14
  /// Noise of the accelerometer with the wandering of its offset, m/s²/√Hz. Default 0.02.
  public var accelerometerNoise: Float = 0.02
  /// The same at rest, where the offset does not wander, m/s²/√Hz. Default 0.006; small follows a slow tilt of a parked
  /// vehicle sooner, large averages longer.
  public var restAccelerometerNoise: Float = 0.006
  /// Velocity at rest, m/s·√s. Default 0.003; small follows a slow tilt of a parked vehicle sooner.
  public var restVelocityNoise: Float = 0.003
  /// What the mean rate of a second of rest shows of the bias, rad/s. Default 0.00017 (0.01 °/s).
  public var restBiasNoise: Float = 0.000_17
  /// Tilt error of the first alignment, one sample of the accelerometer, rad. Default 0.25 (14°); a force that is not as long
  /// as gravity adds to it.
  public var initialTiltUncertainty: Float = 0.25
  /// Bias of a gyroscope never seen before, rad/s per axis. Default 0.035 (2 °/s). The first rest finds more than that.
  public var initialBiasUncertainty: Float = 0.035
  /// Wandering of the bias, rad/s/√s. Default 1e-5 (0.0006 °/s/√s).
  public var biasWandering: Float = 1e-5
  /// Largest bias a part may have, rad/s. Default 0.45 (26 °/s).
  public var maximumGyroBias: Float = 0.45
  /// Scale error of a gyroscope never seen before. Default 0.01 (1 %); 0 switches its estimation off.
  public var initialScaleUncertainty: Float = 0.01
  /// Largest scale error a part may have. Default 0.05.
  public var maximumGyroScale: Float = 0.05
  /// Full scale of the gyroscope, rad/s per axis: a sample at 99 % of it counts as clipped. Default 0, unknown.
  public var gyroscopeRange: Float = 0
  /// Full scale of the accelerometer, m/s² per axis. Default 0, unknown.
  public var accelerometerRange: Float = 0
  /// Magnetic declination of the place, rad, east positive: north of `earthFromBody` is true north then. Default 0.
  public var magneticDeclination: Float = 0
  /// Offset of an accelerometer never seen before, m/s² per axis. Default 0.115 (12 mg), between a good part and one that may have
  /// tens of mg; large takes slow accelerations for an offset, 0 estimates none.
  public var initialAccelerometerOffset: Float = 0.115
  /// Wandering of that offset, m/s²/√s. Default 0.0005.
  public var offsetWandering: Float = 0.0005
  /// Rate that a sensor may take up unseen while samples are missing, rad/s. Default 1.
  public var unseenRate: Float = 1
  /// Tuning of the magnetometer.
  public var magnetic = MagneticParameters()
  /// Tuning of the rest detector.
  public var rest = RestParameters()

  /// The defaults.
  @inline(never) public init() {}
}

extension AttitudeParameters {
  /// The defaults for a sensor: what is known about it takes their place; a latency that is unknown is none.
  public init(sensor: SensorDescription) {
    self.init()
    gyroscopeRange = sensor.angularRateRange
    accelerometerRange = sensor.specificForceRange
    gyroscopeLatency = sensor.latency.seconds
    if sensor.angularRateNoise > 0 { gyroscopeNoise = sensor.angularRateNoise }
    if sensor.specificForceNoise > 0 { accelerometerNoise = sensor.specificForceNoise }
    magneticDeclination = sensor.magneticDeclination
  }
}

/// Numbers derived from `AttitudeParameters`, once.
struct AttitudeCoefficients: BitwiseCopyable, Sendable {
  let gyroscopeVariance: Float
  let turningVariance: Float
  let velocityVariance: Float
  let accelerationVariance: Float
  let forceVariance: Float
  let restForceVariance: Float
  let restVelocityVariance: Float
  let initialTiltVariance: Float
  let initialBiasVariance: Float
  let biasNoise: Float
  let initialScaleVariance: Float
  let scaleNoise: Float
  let initialOffsetVariance: Float
  let offsetNoise: Float
  /// Whether an offset of the accelerometer is estimated: else all that would be learnt of it is zero.
  var hasOffset: Bool { initialOffsetVariance > 0 }
  let maximumBias: Float
  let maximumScale: Float
  let declinationCosine: Float
  let declinationSine: Float

  init(_ p: AttitudeParameters) {
    func square(_ x: Float) -> Float { x * x }
    gyroscopeVariance = square(p.gyroscopeNoise)
    turningVariance = square(p.turningNoise)
    velocityVariance = square(p.velocityNoise)
    accelerationVariance = square(p.velocityNoisePerAcceleration)
    forceVariance = square(p.accelerometerNoise)
    restForceVariance = square(p.restAccelerometerNoise)
    restVelocityVariance = square(p.restVelocityNoise)
    initialTiltVariance = square(p.initialTiltUncertainty)
    initialBiasVariance = square(p.initialBiasUncertainty)
    biasNoise = square(p.biasWandering)
    initialScaleVariance = square(p.initialScaleUncertainty)
    // The scale may wander by a twentieth of its first uncertainty in a quarter of an hour.
    scaleNoise = square(0.05 * p.initialScaleUncertainty) * (1.0 / 900)
    initialOffsetVariance = square(p.initialAccelerometerOffset)
    offsetNoise = square(p.offsetWandering)
    maximumBias = p.maximumGyroBias
    maximumScale = p.maximumGyroScale
    let declination = Elementary.shortSincos(p.magneticDeclination)
    declinationCosine = declination.cos
    declinationSine = declination.sin
  }
}
