import InertialFusion
import Quantities

/// What one window of the inertial sensor shows, as the detectors of this module need it.
struct InertialWindow: BitwiseCopyable {
  /// Start of the half window that has just closed.
  var start: Instant
  /// End of it.
  var end: Instant
  /// Its length, s.
  var seconds: Float
  /// Largest evidence of movement against the sensor's noise; 1 and more is movement.
  var activity: Float
  /// End of the last half window that moved; the end of this one when none has.
  var movementEnd: Instant
  /// True after a dwell of quiet.
  var isAtRest: Bool
  /// Mean angular rate of the half window, its bias in it, rad/s.
  var rate: Vector3
  /// Angular rate less bias, mean and scatter together, over the half window, rad/s per axis (rms).
  var turningRate: Float
  /// Noise of it, rad/s.
  var turningNoise: Float
  /// The same as a vector, rad/s, body frame: by how much it turns; zero while the bias is unknown.
  var turn: Vector3
  /// False while the bias is unknown.
  var isBiasKnown: Bool
  /// True when the angular rate is that of one sample among others that do not turn: a bad reading, as nothing with the mass of a vehicle
  /// turns for so short a moment. Of n samples with one that differs, the squared deviations are n times the square of the mean.
  var isTurnMomentary: Bool
  /// True while an axis of the gyroscope may stand at an end of its range.
  var mayRateBeAtEnd: Bool
  /// False without gyroscope.
  var hasTurningRate: Bool
  /// Mean specific force of the half window, m/s².
  var force: Vector3
  /// Length of it, m/s², and its direction; nil without one.
  var forceLength: Float
  var forceDirection: Vector3?
  /// Samples in that mean.
  var samples: Int32
  /// False without accelerometer.
  var hasForce: Bool
  /// Standard deviation of one component of that mean by noise alone, m/s².
  var forceDeviation: Float
  /// Scatter of the specific force over two half windows, m/s² per axis (rms): a road.
  var vibration: Float
  /// Scatter of it within tenths of a second, in the half window: what is faster than a sway, m/s² per axis (rms).
  var shaking: Float
  /// Noise of both, m/s².
  var vibrationNoise: Float
  /// Where the window before ended, when only a tone of the own buzzer lies between them; its own start otherwise.
  var begin: Instant
  /// From there to the start, s, and what the gyroscope told there, rad, body frame, its bias not in it.
  var passedSeconds: Float = 0
  var passedTurn = Vector3.zero
  /// What of a turn may be missing there, rad.
  var passedMissed: Float = 0
  /// Attitude; nil while unknown.
  var levelFromBody: Quaternion?
  /// The vertical in the body; nil while unknown. Five ask for it in each window.
  var up: Vector3?
  /// True when no value has changed at all within the half window.
  var isUnchanged: Bool
  /// True when the sensor has shown no change at all for ten seconds, or an axis of it does not: it is stuck.
  var isStuck: Bool
  /// True when the sensor has just gone wrong: nothing of the window is to be believed.
  var isInTrouble: Bool

  /// How near to the deviations of a single sample those of a window must come.
  static var momentaryShare: Float { 0.75 }
  /// Square of the least mean rate that is looked at, (rad/s)²: what is slower turns by three degrees in a window.
  static var leastMomentary: Float { 0.0625 }

  // Inlined, because a call takes a copy of the whole estimator.
  @inline(__always) init(of estimator: borrowing InertialEstimator) {
    // Each by its own way in: a name for the whole of the detector would be a copy of it.
    let rates = estimator.rest.angularRateHalf
    let forces = estimator.rest.specificForceHalf
    start = estimator.rest.windowStart
    begin = estimator.rest.windowStart
    end = estimator.rest.windowEnd
    seconds = (estimator.rest.windowEnd - estimator.rest.windowStart).seconds
    movementEnd = estimator.rest.lastMovement ?? estimator.rest.windowEnd
    activity = estimator.rest.evidence.activity
    isAtRest = estimator.rest.isAtRest
    hasTurningRate = rates.count > 0
    rate = rates.mean
    isBiasKnown = estimator.attitude.isGyroBiasKnown
    let mean = isBiasKnown ? rate - estimator.attitude.gyroBias : .zero
    turn = mean
    turningRate = (rates.variance + mean.squaredLength / 3).squareRoot()
    let part = InertialWindow.momentaryShare * Float(Int(rates.count))
    let turned = mean.squaredLength
    isTurnMomentary =
      turned > InertialWindow.leastMomentary && rates.count > 2 && 3 * rates.variance >= part * turned
    mayRateBeAtEnd = estimator.mayRateBeAtEnd
    turningNoise = estimator.rest.angularRateNoise.variance.squareRoot()
    hasForce = forces.count > 0
    force = forces.mean
    let length = force.length
    forceLength = length
    // As `normalized`, which would take the root once more.
    forceDirection = length > 0 && length.isFinite ? force * (1 / length) : nil
    samples = max(1, forces.count)
    forceDeviation = estimator.rest.specificForceNoise.varianceOfMean(count: samples).squareRoot()
    vibration = estimator.rest.specificForce.variance.squareRoot()
    shaking = estimator.rest.specificForceRipple.squareRoot()
    vibrationNoise = estimator.rest.specificForceNoise.variance.squareRoot()
    levelFromBody = estimator.attitude.isAligned ? estimator.attitude.levelFromBody : nil
    up = levelFromBody.map { $0.conjugate.rotate(Vector3(0, 0, 1)) }
    isUnchanged = estimator.rest.frozen >= estimator.rest.windowEnd - estimator.rest.windowStart
    isStuck = estimator.rest.frozen > .seconds(10) || estimator.isAxisStuck
    isInTrouble = estimator.isInTrouble
  }
}

/// What is asked of the last window later.
struct SeenWindow: BitwiseCopyable {
  var end: Instant
  var isAtRest: Bool
  var isStuck: Bool

  init(_ window: InertialWindow) {
    end = window.end
    (isAtRest, isStuck) = (window.isAtRest, window.isStuck)
  }
}
