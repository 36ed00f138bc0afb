import Quantities

extension AttitudeFilter {
  /// Takes the first direction of gravity there is; the heading is kept.
  mutating func align(to force: Vector3?) {
    guard let force, let up = force.normalized else { return }
    // A force longer or shorter than gravity is accelerated, and most likely as much to the side as along.
    let excess = force.length * (1 / LevelEstimate.gravity) - 1
    let doubt = min(4 * excess * excess, 0.3)
    state.level.ttXX += doubt
    state.level.ttYY += doubt
    let level = state.motion.rotation.rotateOnce(up)
    state.motion.rotation = state.motion.rotation.then(Quaternion(from: level, to: Vector3(0, 0, 1)))
    state.motion = PreintegratedMotion(from: state.motion.rotation)
    state.meanVerticalForce = LevelEstimate.gravity
    state.isAligned = true
    stateUncertainty()
  }

  /// After a silence nobody knows how the sensor has turned. Bias, scale and the body's magnetic field stay.
  mutating func beginAfterSilence() {
    state.gapCount = min(state.gapCount, .max - 1) + 1
    state.motion = PreintegratedMotion(from: state.motion.rotation)
    state.rate = .zero
    state.level.forgetTilt(coefficients)
    state.forgetHeading()
    state.isSuspect = false
    state.rest.interrupt()
    state.secondsSinceMagnetometer = parameters.fusionInterval
    state.isAligned = false
    state.blindTime = AttitudeFilter.unheard
    stateUncertainty()
  }

  /// `AttitudeState.blindTime` of a gyroscope that has been silent for so long that nobody knows how the sensor has turned, and of one that
  /// has not been heard since the beginning or the last silence.
  static var lost: UInt8 { .max - 1 }
  static var unheard: UInt8 { .max }

  /// True while no gyroscope says how the sensor turns: tilt follows the accelerometer, late, and a magnetometer tells nothing of turns.
  var isBlind: Bool { @inline(__always) get { state.blindTime >= AttitudeFilter.lost } }

  /// A sample came without the gyroscope's part: for a tenth of a second the last rate holds, as over a missing sample; after that the
  /// gyroscope's silence is a gap, in which the accelerometer goes on. As a gap, it leaves of the heading nothing when it may have turned too
  /// far.
  ///
  /// - Returns: The rate to go on with, rad/s, corrected.
  mutating func goBlind(seconds: Float) -> Vector3 {
    let before = state.blindTime
    // Nothing is missed of a sensor that has none.
    guard before < AttitudeFilter.lost else { return .zero }
    let most = Int32(AttitudeFilter.lost)
    let after = UInt8(truncatingIfNeeded: Elementary.whole(Float(before) + seconds * 100 + 0.99, upTo: most))
    state.blindTime = after
    let (from, to) = (Float(before) * 0.01, Float(after) * 0.01)
    guard to > AttitudeFilter.longestStep else { return state.rate }
    let squaredRate = state.meanSquareRate + parameters.unseenRate * parameters.unseenRate
    let mayHaveTurned = squaredRate * to * to > AttitudeFilter.largestUnseenTurn && !state.rest.isAtRest
    guard after < AttitudeFilter.lost, !mayHaveTurned else {
      state.blindTime = AttitudeFilter.lost
      state.forgetHeading()
      return .zero
    }
    let start = max(from, AttitudeFilter.longestStep)
    state.mayHaveTurned(variance: squaredRate * (to * to - start * start) * (1.0 / 3))
    return .zero
  }

  /// The gyroscope is heard again, or for the first time.
  @inline(never) mutating func endBlindness() {
    if state.blindTime == AttitudeFilter.lost { beginAfterSilence() }
    state.blindTime = 0
  }

  /// The sensor has slept for so long, s: believed as firmly as before, a bias that wanders on would never be caught up with in the few
  /// seconds that a sensor is heard between its sleeps.
  @inline(never) mutating func noteSleep(of seconds: Float) {
    state.level.addBiasVariance(coefficients.biasNoise * seconds, upTo: coefficients.initialBiasVariance)
  }

  /// A gap too short for a silence: what the sensor did meanwhile is unknown to the extent that it has moved before.
  ///
  /// - Returns: True when so little is left of the attitude that it must be found anew.
  mutating func bridge(seconds: Float) -> Bool {
    let squaredRate = state.meanSquareRate + state.rate.squaredLength + parameters.unseenRate * parameters.unseenRate
    let turned = squaredRate * seconds * seconds
    if turned > AttitudeFilter.largestUnseenTurn, !state.rest.isAtRest { return true }
    state.mayHaveTurned(variance: turned * (1.0 / 3))
    state.isSuspect = true
    stateUncertainty()
    return false
  }

  /// Square of the turn in a gap from which on the attitude is found anew, rad²: 18°.
  static var largestUnseenTurn: Float { 0.1 }

  /// Closes the present stretch and corrects everything by it.
  ///
  /// - Parameter fieldDelay: How long before the end of the stretch the magnetometer's reading was taken, s.
  /// - Returns: The correction of the tilt as a rotation vector, rad, level frame; nil when there was none.
  mutating func correct(hasRate: Bool, hasForce: Bool, reading: Vector3?, fieldDelay: Float) -> Vector3? {
    let motion = state.motion
    let seconds = motion.seconds
    let rotation = motion.rotation.normalized
    state.motion = PreintegratedMotion(from: rotation)
    guard seconds > 0 else { return nil }
    var correction: Vector3?
    let isAtRest = state.rest.isAtRest
    if state.isAligned, hasForce {
      correction = level(motion, rotation: rotation, seconds: seconds, hasRate: hasRate, isAtRest: isAtRest)
    }
    if state.course.variance.isFinite {
      state.course.drift(variance: seconds * (coefficients.gyroscopeVariance + 1e-6))
    }
    if let reading, state.isAligned {
      let interval = state.secondsSinceMagnetometer
      state.secondsSinceMagnetometer = 0
      if !isBlind { learnField(from: reading, elapsed: interval, delay: fieldDelay, isAtRest: isAtRest) }
    }
    turnHeading()
    stateUncertainty()
    state.isSuspect = false
    return correction
  }

  private mutating func learnField(from reading: Vector3, elapsed: Float, delay: Float, isAtRest: Bool) {
    state.magnetic.update(
      with: reading, rotation: state.motion.rotation.turned(by: state.rate * -delay), rate: state.rate,
      elapsed: elapsed,
      isAtRest: isAtRest, tiltVariance: 0.5 * (state.level.ttXX + state.level.ttYY),
      biasVariance: state.level.verticalBiasVariance(state.motion.rotation), parameters: parameters.magnetic)
  }

  /// The inertial part: carry the covariance on, then learn from zero velocity, and at rest from zero rate.
  private mutating func level(
    _ motion: PreintegratedMotion, rotation: Quaternion, seconds: Float, hasRate: Bool, isAtRest: Bool
  ) -> Vector3 {
    let perSecond = 1 / seconds
    let meanSquareRate = motion.angleIntegral.squaredLength * perSecond * perSecond
    state.meanSquareRate += (meanSquareRate - state.meanSquareRate) * min(1, seconds)
    var tiltNoise = coefficients.gyroscopeVariance + coefficients.turningVariance * meanSquareRate
    // Without gyroscope, or with one that lies, the tilt may go anywhere: the accelerometer must lead.
    if !hasRate || state.isSuspect { tiltNoise += 0.01 }
    state.level.propagate(
      forceX: motion.forceIntegral.x, forceY: motion.forceIntegral.y, angle: motion.angleIntegral, rotation: rotation,
      seconds: seconds, tiltVariance: tiltNoise * seconds,
      forceVariance: isAtRest ? coefficients.restForceVariance : coefficients.forceVariance,
      coefficients: coefficients)

    let mean = motion.forceIntegral * perSecond
    let acceleration = mean - Vector3(0, 0, LevelEstimate.gravity)
    let base = isAtRest ? coefficients.restVelocityVariance : coefficients.velocityVariance
    let noise = (base + coefficients.accelerationVariance * acceleration.squaredLength) * perSecond
    var tilt = Vector3.zero
    let before = state.level.ttXX + state.level.ttYY
    // A sensor that lies, or was not heard for a while, shows nothing of its bias.
    let isSound = isAtRest || !(state.isSuspect || state.stuck.isStuck)
    let isCertain = isAtRest || (isSound && !state.level.isDoubtful)
    let learning: Float = isAtRest ? 1 : isSound ? state.level.biasShare : 0
    state.level.stop(
      noise: noise, tilt: &tilt, hasOffset: coefficients.hasOffset, isCertain: isCertain, learning: learning)
    state.level.watch(
      tilt, variance: before - state.level.ttXX - state.level.ttYY, seconds: seconds, isAtRest: isAtRest,
      coefficients: coefficients)
    state.level.bound(coefficients)
    state.motion.rotation = rotation.then(by: tilt)
    watchVertical(mean, seconds: seconds)
    return tilt
  }

  /// The bias as the rest detector may use it: nil until a second of rest has told it to half a degree per second.
  var knownBiasUncertainty: Float? {
    @inline(__always) get {
      let uncertainty = state.level.gyroBiasUncertainty
      guard state.restWindows >= 10, uncertainty < 0.0087 else { return nil }
      // The first seconds may have been the end of a movement.
      return state.restWindows < 50 ? max(uncertainty, 0.003) : uncertainty
    }
  }

  /// At rest the mean rate is the bias.
  mutating func learnBias(from window: RestWindow) {
    guard window.isAtRest, window.angularRate.count > 0 else { return }
    let before = state.level.gyroBias
    let wasKnown = state.restWindows >= 10
    if !wasKnown, isLikeABend(window.angularRate.mean - before) { return }
    if window.biasHasChanged {
      state.level.gyroBias = window.angularRate.mean
      state.level.gyroBias.clamp(to: coefficients.maximumBias)
      state.level.setBiasVariance(window.angularRate.varianceOfMean)
      state.restWindows = 10
    } else {
      var tilt = Vector3.zero
      let noise = max(
        window.angularRate.varianceOfMean, parameters.restBiasNoise * parameters.restBiasNoise / window.seconds)
      state.level.rest(
        at: window.angularRate.mean, noise: noise, tilt: &tilt, hasOffset: coefficients.hasOffset)
      state.level.bound(coefficients)
      state.motion.rotation = state.motion.rotation.then(by: tilt)
    }
    state.restWindows = min(state.restWindows, 254) + 1
    // What the window has turned the heading by was bias and noise. Windows that are no rest are not touched, so a movement
    // that begins loses nothing.
    let turned = state.motion.rotation.rotateOnce(window.angularRate.mean - before)
    let half = -0.5 * turned.z * window.seconds
    if abs(half) < 0.02 {
      state.motion.rotation = state.motion.rotation.then(Quaternion(w: 1, x: 0, y: 0, z: half))
    }
    // With a bias that was wrong by more than a degree per second all that was integrated is worthless; and gravity at rest
    // that stands two degrees off shows the same of the tilt.
    let gravity = state.motion.rotation.rotateOnce(window.specificForce.mean - state.level.accelerometerOffset)
    let isOff = gravity.x * gravity.x + gravity.y * gravity.y > 0.0012 * gravity.squaredLength
    let wasWrong = (state.level.gyroBias - before).squaredLength > 3e-4
    guard wasWrong || isOff else { return stateUncertainty() }
    state.level.forgetTilt(coefficients)
    if window.specificForce.count > 0 { align(to: window.specificForce.mean - state.level.accelerometerOffset) }
    guard wasWrong else { return stateUncertainty() }
    // While the level frame turned with the bias the field of the earth was one that turns with the body.
    if wasKnown { state.magnetic.forgetTurns() } else { state.magnetic = MagneticEstimate(parameters.magnetic) }
    state.course.forget()
    stateUncertainty()
  }

  /// True when what does not change may be a vehicle in a bend: it has moved before, and turns by more than four deviations of a bias.
  /// No bend lasts long at one rate, to within a sensor's noise.
  private func isLikeABend(_ rate: Vector3) -> Bool {
    let limit = 4 * parameters.initialBiasUncertainty
    return state.level.hasMoved && state.rest.quietSeconds < AttitudeFilter.longestBend && rate.largestComponent > limit
  }

  /// Longest bend at one rate, s.
  static var longestBend: Float { 5 }

  /// Gravity whose vertical part is less than half, as the mean over a second and a half, means that the attitude is wrong by
  /// more than 60°, beyond what small corrections can mend.
  private mutating func watchVertical(_ mean: Vector3, seconds: Float) {
    state.meanVerticalForce +=
      (mean.z - state.meanVerticalForce) * min(1, seconds * (1 / AttitudeFilter.verticalSeconds))
    guard state.meanVerticalForce < 0.5 * LevelEstimate.gravity || !state.level.isFinite else { return }
    if !state.level.isFinite { state.level = LevelEstimate(coefficients) }
    state.level.forgetTilt(coefficients)
    align(to: state.motion.rotation.conjugate.rotateOnce(mean))
    state.forgetHeading()
    stateUncertainty()
  }

  /// Time constant of the mean by which a wrong attitude is found, s.
  static var verticalSeconds: Float { 1.5 }
}

extension AttitudeState {
  /// Nobody has seen how the sensor has turned, with this variance about each axis, rad².
  @inline(never) mutating func mayHaveTurned(variance: Float) {
    let share = min(variance, 0.3)
    level.ttXX += share
    level.ttYY += share
    magnetic.turn(variance: share)
    course.drift(variance: share)
  }

  /// Nothing is known of the heading.
  @inline(never) mutating func forgetHeading() {
    magnetic.forgetField()
    course.forget()
  }
}
