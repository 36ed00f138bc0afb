import InertialFusion
import Quantities

/// What one window of the inertial sensor shows, as the detectors of this module need it.
struct InertialWindow: BitwiseCopyable {
  /// Start of the half window that has just closed.
  var start: Instant
  /// End of it.
  var end: Instant
  /// Largest evidence of movement against the sensor's noise; 1 and more is movement.
  var activity: Float
  /// End of the last half window that moved; the end of this one when none has.
  var movementEnd: Instant
  /// True after a dwell of quiet.
  var isAtRest: Bool
  /// Angular rate less bias, mean and scatter together, rad/s per axis (rms).
  var turningRate: Float
  /// Noise of it, rad/s.
  var turningNoise: Float
  /// False without gyroscope.
  var hasTurningRate: Bool
  /// Scatter of the specific force, m/s² per axis (rms).
  var vibration: Float
  /// Noise of it, m/s².
  var vibrationNoise: Float
  /// Attitude; nil while unknown.
  var levelFromBody: Quaternion?
  /// True when the sensor has shown no change at all for ten seconds: it is stuck.
  var isStuck: Bool

  // Inlined, because a call takes a copy of the whole estimator.
  @inline(__always) init(of estimator: borrowing InertialEstimator) {
    let rest = estimator.rest
    start = rest.windowStart
    end = rest.windowEnd
    movementEnd = rest.lastMovement ?? rest.windowEnd
    activity = rest.evidence.activity
    isAtRest = rest.isAtRest
    hasTurningRate = rest.angularRate.count > 0
    let mean = estimator.attitude.isGyroBiasKnown ? rest.angularRate.mean - estimator.attitude.gyroBias : .zero
    turningRate = (rest.angularRate.variance + mean.squaredLength / 3).squareRoot()
    turningNoise = rest.angularRateNoise.variance.squareRoot()
    vibration = rest.specificForce.variance.squareRoot()
    vibrationNoise = rest.specificForceNoise.variance.squareRoot()
    levelFromBody = estimator.attitude.isAligned ? estimator.attitude.levelFromBody : nil
    isStuck = rest.frozen > .seconds(10)
  }
}
