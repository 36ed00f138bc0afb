public import Quantities

// What happens once per correction interval, or seldom.

extension LiteAttitudeFilter {
  /// Closes the interval: bias from the mean rate, tilt from the mean force.
  @usableFromInline @inline(never) mutating func correct() {
    let length = state.seconds
    let share = 1 / length
    let sum = state.force
    let force = vector(sum) * (1 / sum[0])
    let turned = state.firstAttitude.conjugate * state.levelFromBody
    let side: Float = turned.w < 0 ? -2 : 2
    let rate = Vector3(turned.x, turned.y, turned.z) * (side * share) + state.bias
    learnBias(rate: rate, force: force, over: length)
    smooth(force, over: length)
    state.fieldPending += length
    beginInterval()
  }

  /// Empties the sums.
  private mutating func beginInterval() {
    state.firstAttitude = state.levelFromBody
    state.force = .zero
    state.seconds = 0
  }

  /// Compares the interval's means with those of the last half second, and takes the rate of long quiet for the bias.
  ///
  /// Only changes count, never the mean: a bias of many degrees per second does not hide rest.
  private mutating func learnBias(rate: Vector3, force: Vector3, over length: Float) {
    let bodyForce = state.levelFromBody.conjugate.rotate(force)
    let rateChange = rate - state.recentRate
    let forceChange = bodyForce - state.recentForce
    let share = min(1, 2 * length)
    state.recentRate += rateChange * share
    state.recentForce += forceChange * share
    guard rateChange.squaredLength < coefficients.restRateSquared,
      forceChange.squaredLength < coefficients.restForceSquared
    else {
      state.quietSeconds = 0
      return
    }
    // The cap keeps the sum exact; a rest may last for days.
    let wasAtRest = state.quietSeconds >= parameters.restDwell
    state.quietSeconds = min(state.quietSeconds + length, 1000)
    let isFar = (state.recentRate - state.bias).squaredLength > coefficients.biasStepSquared
    let isMoved = isFar && state.biasSeconds > 1
    guard state.quietSeconds >= (isMoved ? parameters.restRelearnDwell : parameters.restDwell),
      state.recentRate.squaredLength < coefficients.biasLimitSquared
    else { return }
    if isFar {
      // The level frame has turned with the bias until now: the heading that was averaged in it is worth nothing.
      state.biasSeconds = 0
      state.headingSeconds = 0
    }
    if isFar || !wasAtRest { restartSmoothing() }
    state.biasSeconds = min(state.biasSeconds + length, parameters.biasTimeConstant)
    state.bias += (state.recentRate - state.bias) * min(1, length / state.biasSeconds)
  }

  /// At rest the force is gravity: the smoothing goes on as if it had never seen another.
  private mutating func restartSmoothing() {
    state.smoothed = state.levelFromBody.rotate(state.recentForce)
    state.band = .zero
    state.smoothedSeconds = parameters.tiltTimeConstant
  }

  /// Takes the mean force of the interval into the low-pass and turns its direction to the vertical.
  ///
  /// A plain mean until as much time has passed as the time constant, then two trapezoidal integrators with the damping of
  /// Butterworth: stable for every interval, without coefficients that depend on it.
  private mutating func smooth(_ force: Vector3, over length: Float) {
    let direction: Vector3
    if state.smoothedSeconds < parameters.tiltTimeConstant {
      state.smoothedSeconds += length
      state.smoothed += (force - state.smoothed) * min(1, length / state.smoothedSeconds)
      state.band = .zero
      direction = state.smoothed
    } else {
      let g = coefficients.halfCorner * length
      let damping: Float = 1.414_213_6
      let high = (force - state.band * (damping + g) - state.smoothed) * (1 / (1 + g * (damping + g)))
      let band = high * g + state.band
      direction = band * g + state.smoothed
      state.band = band + high * g
      state.smoothed = direction + band * g
    }
    let correction: Quaternion
    if direction.z > 1 && direction.x * direction.x + direction.y * direction.y < 0.01 * direction.z * direction.z {
      // Half the tangent for the tangent of the half, and 1 - a/2 for the root: what is missing is left to the next interval.
      let half = 0.5 / direction.z
      let x = direction.y * half
      let y = -direction.x * half
      correction = Quaternion(w: 1 - 0.5 * (x * x + y * y), x: x, y: y, z: 0)
    } else {
      guard let exact = tiltCorrection(direction) else { return }
      correction = exact
    }
    let turned = correction * state.levelFromBody
    let squared = turned.w * turned.w + turned.x * turned.x + turned.y * turned.y + turned.z * turned.z
    // One step of Newton's towards length one: in an interval the length moves by rounding only.
    let scale = 1.5 - 0.5 * squared
    state.levelFromBody = Quaternion(w: turned.w * scale, x: turned.x * scale, y: turned.y * scale, z: turned.z * scale)
    state.band = correction.rotate(state.band)
    state.smoothed = correction.rotate(state.smoothed)
  }

  /// The shortest turn that takes a direction to the vertical; nil in free fall, where no vertical is to be seen.
  @inline(never) private func tiltCorrection(_ direction: Vector3) -> Quaternion? {
    let length = direction.length
    guard length > 1 else { return nil }
    guard length + direction.z > 1e-3 * length else {
      // Upside down: every horizontal axis is as good as another.
      return Quaternion(w: 0, x: 1, y: 0, z: 0)
    }
    return Quaternion(w: length + direction.z, x: direction.y, y: -direction.x, z: 0).normalized
  }

  /// Moves the heading offset towards one magnetic sample.
  ///
  /// - Parameter field: µT, body frame after the present step.
  @usableFromInline @inline(never) mutating func turnToNorth(field: Vector3) {
    let level = state.levelFromBody.rotate(field)
    let horizontalSquared = level.x * level.x + level.y * level.y
    let strength = (horizontalSquared + level.z * level.z).squareRoot()
    // A field that points up or down, or none at all, has no heading.
    guard horizontalSquared > 1e-4 * strength * strength, strength > 1e-3 else { return }
    let horizontal = 1 / horizontalSquared.squareRoot()
    let upward = level.z / strength
    let length = state.fieldPending
    state.fieldPending = 0
    var weight: Float = 1
    if state.headingSeconds == 0 {
      state.fieldStrength = strength
      state.fieldUpward = upward
    } else {
      let a = (strength / state.fieldStrength - 1) * coefficients.inverseStrength
      let b = (upward - state.fieldUpward) * coefficients.inverseDip
      let trust = 1 / (1 + a * a + b * b)
      weight = trust * trust
    }
    state.headingSeconds = min(state.headingSeconds + length, 1000)
    let age = state.headingSeconds
    let fieldShare = min(1, length / min(age, parameters.fieldTimeConstant))
    state.fieldStrength += (strength - state.fieldStrength) * fieldShare
    state.fieldUpward += (upward - state.fieldUpward) * fieldShare
    // A plain mean at first, so that the heading is right from the first sample on.
    let share =
      age < parameters.headingTimeConstant ? length / age : min(1, length * coefficients.inverseHeading) * weight
    turn(share: share, towards: level.x * horizontal, level.y * horizontal)
  }

  /// Turns the offset by a share of its distance to the one that takes the level direction (x, y), of length one, to north.
  private mutating func turn(share: Float, towards x: Float, _ y: Float) {
    let cosine = state.halfCosine * state.halfCosine - state.halfSine * state.halfSine
    let sine = 2 * state.halfCosine * state.halfSine
    // The direction in the present earth frame.
    var east = cosine * x - sine * y
    var north = sine * x + cosine * y
    if share < 0.5 && north < 0 {
      // More than a right angle away the sine shrinks again, and south would be a point of rest: turn as for a right angle.
      east = east < 0 ? -1 : 1
      north = 0
    }
    // Mixed with north itself: the low-pass of a unit vector.
    east *= share
    north = 1 - share + share * north
    let length = (east * east + north * north).squareRoot()
    // Half the angle by the diagonal of the rhombus; when the two cancel out, the next sample decides.
    guard length > 1e-6 else { return }
    var c = length + north
    var s = east
    if north < 0 {
      c = east < 0 ? -east : east
      s = east < 0 ? north - length : length - north
    }
    let newCosine = state.halfCosine * c - state.halfSine * s
    let newSine = state.halfCosine * s + state.halfSine * c
    let scale = 1 / (newCosine * newCosine + newSine * newSine).squareRoot()
    state.halfCosine = newCosine * scale
    state.halfSine = newSine * scale
  }

  /// Begins anew from one sample, bias not removed: at the first one, and after a gap.
  ///
  /// The tilt comes from the force; the heading of the level frame is kept; the bias too.
  @usableFromInline @inline(never) mutating func restart(rate: Vector3, force: Vector3, field: Vector3?) {
    if state.isAligned { gapCount &+= 1 }
    state.previousRate = .zero
    state.band = .zero
    state.quietSeconds = 0
    state.headingSeconds = 0
    state.recentRate = rate
    state.recentForce = force
    guard let up = state.levelFromBody.rotate(force).normalized else {
      state.smoothedSeconds = -1
      return
    }
    state.levelFromBody = (Quaternion(from: up, to: Vector3(0, 0, 1)) * state.levelFromBody).normalized
    state.smoothed = state.levelFromBody.rotate(force)
    state.smoothedSeconds = 0
    beginInterval()
    state.fieldPending = 1e-3
    if let field { turnToNorth(field: field) }
  }

  /// Completes a sample in which rate or force is missing with what the filter expects; nil when that is not possible.
  @usableFromInline @inline(never)
  mutating func completedReading(of sample: InertialSample) -> (Vector3, Vector3)? {
    // A rate alone tells nothing before there is a vertical.
    guard sample.specificForce != nil || (sample.angularRate != nil && state.isAligned) else {
      rejections.empty &+= 1
      return nil
    }
    let rate = sample.angularRate ?? state.bias
    let force = sample.specificForce ?? state.levelFromBody.conjugate.rotate(state.smoothed)
    return (rate, force)
  }

  /// Counts a sample that is not later than the one before.
  @usableFromInline @inline(never) mutating func rejectOutOfOrder() { rejections.outOfOrder &+= 1 }

  /// Counts a reading that can't be used, by its reason.
  @usableFromInline @inline(never)
  mutating func reject(_ rate: Vector3, _ force: Vector3, _ field: Vector3, _ seconds: Float) {
    if !rate.isFinite || !force.isFinite || !field.isFinite || !seconds.isFinite {
      rejections.notFinite &+= 1
    } else if seconds < 0 {
      rejections.outOfOrder &+= 1
    } else {
      rejections.outOfRange &+= 1
    }
  }
}
