import InertialFusion
import MotionDetection
import Quantities

/// What one window of the sensor shows, taken from the estimator's public doors.
struct PlainWindow {
  var start: Instant
  var end: Instant
  var activity: Float
  var lastMovement: Instant
  var isAtRest: Bool
  var rate: Vector3
  /// The rate less bias.
  var turn: Vector3
  var isBiasKnown: Bool
  /// Whether no value has changed within the half window.
  var isUnchanged: Bool
  var turning: Float
  var turningNoise: Float
  /// One sample alone turns.
  var isOdd: Bool
  var mayBeAtEnd: Bool
  var hasGyroscope: Bool
  var force: Vector3
  var hasAccelerometer: Bool
  var samples: Int32
  var meanNoise: Float
  var vibration: Float
  var shaking: Float
  var vibrationNoise: Float
  var attitude: Quaternion?
  var isStuck: Bool
  var isBelieved: Bool

  init(_ estimator: borrowing InertialEstimator) {
    let rest = estimator.rest
    start = rest.windowStart
    end = rest.windowEnd
    activity = rest.evidence.activity
    lastMovement = rest.lastMovement ?? rest.windowEnd
    isAtRest = rest.isAtRest
    hasGyroscope = rest.angularRateHalf.count > 0
    rate = rest.angularRateHalf.mean
    var unbiased = Vector3.zero
    isBiasKnown = estimator.attitude.isGyroBiasKnown
    if isBiasKnown { unbiased = rate - estimator.attitude.gyroBias }
    turn = unbiased
    isUnchanged = rest.frozen >= rest.windowEnd - rest.windowStart
    turning = (rest.angularRateHalf.variance + unbiased.squaredLength / 3).squareRoot()
    turningNoise = rest.angularRateNoise.variance.squareRoot()
    mayBeAtEnd = estimator.mayRateBeAtEnd
    let turns = rest.angularRateHalf
    let square = unbiased.squaredLength
    isOdd = turns.count > 2 && square > 0.0625 && turns.variance * 3 >= 0.75 * Float(Int(turns.count)) * square
    force = rest.specificForceHalf.mean
    hasAccelerometer = rest.specificForceHalf.count > 0
    samples = max(rest.specificForceHalf.count, 1)
    meanNoise = rest.specificForceNoise.varianceOfMean(count: samples).squareRoot()
    vibration = rest.specificForce.variance.squareRoot()
    shaking = rest.specificForceRipple.squareRoot()
    vibrationNoise = rest.specificForceNoise.variance.squareRoot()
    attitude = estimator.attitude.isAligned ? estimator.attitude.levelFromBody : nil
    isStuck = rest.frozen > .seconds(10) || estimator.isAxisStuck
    isBelieved = !estimator.isInTrouble
  }

  var length: Interval { end - start }
  var seconds: Float { length.seconds }
  var up: Vector3? { attitude?.conjugate.rotate(Vector3(0, 0, 1)) }
}

/// A sign that a parked vehicle is moved.
struct PlainSign {
  var detector: MovementDetector
  var ratio: Float
  var onset: Instant

  /// 0 noticed, 1 tampered with, 2 moved, 3 gone.
  static func badness(_ detector: MovementDetector) -> Int {
    switch detector {
    case .touch, .brake: 0
    case .handling, .kickStand, .lock, .tamper: 1
    case .tilt, .heading, .lift, .carry, .shift: 2
    case .speed, .displacement, .fence: 3
    }
  }

  var badness: Int { PlainSign.badness(detector) }

  /// The worse counts; of two as bad the clearer, the first of equals.
  static func worse(_ a: PlainSign?, _ b: PlainSign?) -> PlainSign? {
    guard let a else { return b }
    guard let b else { return a }
    return b.badness > a.badness || (b.badness == a.badness && b.ratio > a.ratio) ? b : a
  }
}

/// The watch over a vehicle by the table of detectors in `docs/motion.md`.
struct PlainWatch {
  let p: MotionParameters
  /// Noise that an earlier life learnt: gyroscope, accelerometer.
  var earlierNoise: (turning: Float, vibration: Float)?
  /// The vertical as the vehicle was left.
  var left: Vector3?
  var tilt: Float?
  /// The larger of turn and swing of late, for tests that look for limits.
  var heading: Float = 0
  var speed: Float = 0
  var swinging: Float = 0

  private var lifting: Float = 0
  private var stepping: Float = 0
  private var lastEnd: Instant?
  // Work.
  private var worked: Float = 0
  private(set) var isWorkedAt = false
  private var workOnset: Instant?
  private var workPeak: Float = 0
  // Turn.
  private var still = Vector3.zero
  private var lastStep = Vector3.zero
  private var turned = Vector3.zero
  private var known: Float = 0
  private var lastShaken: Instant?
  private var warming = Vector3.zero
  private var wasRestless = false
  private var stood = false
  private var curve = Vector3.zero
  /// Whether it turns as fast as a hand turns it.
  private(set) var isTurning = false
  private var turnedSince: (Instant, Interval)?
  // Tilt.
  private var average: Vector3?
  private var tiltedSince: (Instant, Interval)?
  private var leantSince: (Instant, Interval)?
  private var followed: Float = 0
  private var isSettled = false
  private var swayed = Interval.zero
  private var felt: Vector3?
  private var previousUp: Vector3?
  private var doubt = Vector3.zero
  // Vertical.
  private var gravity: Float?
  private var gravitySeconds: Float = 0
  private var velocity: Float = 0
  private var swing: Float = 0
  private var before: Float = 0
  private var earlier: Float = 0
  private var jolts: Float = 0
  private var unrest: Float = 0
  private var liftedSince: (Instant, Interval)?
  private var carriedSince: (Instant, Interval)?
  // Under way.
  private var windings: Float = 0
  private var rattling: Float = 0
  private var bend: Float = 0
  /// Whether it swings as what is carried, and whether it shakes and turns as what rolls, by the last window.
  private(set) var isSwung = false
  private(set) var isUnderWay = false
  /// Whether a lean is told that was seen at rest, and by no gyroscope.
  private(set) var isPast = false
  // Shift.
  private(set) var shift = PlainShift()

  init(p: MotionParameters) { self.p = p }

  /// How it stands now is how it was left, unless nothing has been felt for a minute.
  mutating func leave(at now: Instant) {
    if let lastEnd, now - lastEnd > .seconds(60) { return disbelieve() }
    leave()
  }

  /// How it stands once the sensor is believed again is how it was left.
  mutating func disbelieve() {
    worked = 0
    forgetVertical()
    recall(up: nil)
    (still, known, turned, turnedSince, lastShaken, heading) = (.zero, 0, .zero, nil, nil, 0)
    (warming, wasRestless, stood, curve, isTurning, lastStep) = (.zero, false, false, .zero, false, .zero)
    (windings, rattling, bend) = (0, 0, 0)
  }

  private mutating func leave() {
    (turned, turnedSince, curve) = (.zero, nil, .zero)
    left = average
    tilt = average.map { _ in 0 }
    (tiltedSince, leantSince, followed, swayed) = (nil, nil, 0, .zero)
    doubt = .zero
    worked = 0
    forgetVertical()
  }

  private mutating func forgetVertical() {
    (velocity, swing, before, earlier, jolts, liftedSince, carriedSince, gravity) = (0, 0, 0, 0, 0, nil, nil, nil)
    shift.forget()
  }

  mutating func recall(up: Vector3?) {
    left = up
    (tilt, average, tiltedSince, leantSince, followed, isSettled) = (nil, nil, nil, nil, 0, false)
    (felt, previousUp, doubt, swayed) = (nil, nil, .zero, .zero)
  }

  /// - Returns: The worst sign, whether anything moves by more than wind and traffic move it, and since when it is carried, as a sign
  /// of that tells, the worst or not.
  mutating func judge(_ window: PlainWindow) -> (sign: PlainSign?, moves: Bool, carried: Instant?) {
    if let lastEnd, lastEnd != window.start {
      worked = 0
      forgetVertical()
      (turned, turnedSince, curve) = (.zero, nil, .zero)
      // A gyroscope that has slept has drifted.
      if window.start - lastEnd > .seconds(60) { (known, warming) = (min(known, 5), .zero) }
      (previousUp, tiltedSince, swayed) = (nil, nil, .zero)
      (windings, rattling, bend) = (0, 0, 0)
    }
    (isSwung, isUnderWay, isPast) = (false, false, false)
    lastEnd = window.end
    if !window.isBelieved {
      disbelieve()
      return (nil, false, nil)
    }
    let turn = judgeTurn(window)
    let lean = judgeTilt(window)
    let (lift, carry, isLifted) = judgeVertical(window)
    let shifted = shift.judge(window, isSettled: isSettled, limit: p.shiftLimit)
    let work = judgeWork(window, moved: min(1, max(lifting, stepping, (tilt ?? 0) / p.tiltLimit)))
    let sign = [work.sign, turn, lean, lift, carry, shifted].reduce(nil) { PlainSign.worse($0, $1) }
    let carried = [lift, carry, shifted].compactMap { $0?.onset }.min()
    judgeWay(window, isCarried: carried != nil)
    return (sign, work.moves || isLifted || shifted != nil || isUnderWay, carried)
  }

  /// What goes turns by 0.05 to 1 rad/s for each m/s² by which it shakes.
  private mutating func judgeWay(_ window: PlainWindow, isCarried: Bool) {
    isSwung = stepping >= 0.5 && isCarried
    guard window.hasAccelerometer, window.hasGyroscope, !window.isOdd else { return }
    let turn = window.isBiasKnown ? window.turn : lastStep
    let excess: Float = window.samples < 10 ? 1.154_700_5 : 1
    let shake = window.shaking / excess
    windings += (turn.squaredLength - windings) * min(1, window.seconds / 2)
    rattling += (shake * shake - rattling) * min(1, window.seconds / 2)
    if let up = window.up { bend += (turn.dot(up) - bend) * min(1, window.seconds / 5) }
    let curves = bend.magnitude >= 0.04 && rattling >= 0.15 * 0.15
    let rolls = rattling >= 0.3 * 0.3 && windings >= max(0.08 * 0.08, 0.05 * 0.05 * rattling)
    isUnderWay = windings <= rattling && (curves || rolls)
    if windings <= rattling, stepping >= 0.5, windings >= 0.08 * 0.08 { isSwung = true }
    if isUnderWay { isSwung = true }
  }

  private mutating func judgeWork(_ window: PlainWindow, moved: Float) -> (sign: PlainSign?, moves: Bool) {
    var turningNoise = window.turningNoise
    var vibrationNoise = window.vibrationNoise
    if let earlierNoise {
      turningNoise = min(turningNoise, earlierNoise.turning * 2)
      vibrationNoise = min(vibrationNoise, earlierNoise.vibration * 2)
    }
    let turning = window.turning / max(p.handlingRate, 4 * turningNoise)
    let excess: Float = window.samples < 10 ? 1.154_700_5 : 1
    let shaking = window.shaking / max(p.handlingVibration * excess, 4 * vibrationNoise)
    let strength = (turning * turning + shaking * shaking + 0.2 * moved * moved).squareRoot()
    let isStrong = strength >= 0.65
    isWorkedAt = isStrong
    if isStrong {
      if worked == 0 { (workOnset, workPeak) = (window.start, 0) }
      workPeak = max(workPeak, strength)
      worked += min(strength * strength * strength, turning < 1 && moved < 0.7 ? 1.25 : 2.5) * window.seconds
    } else {
      if window.isAtRest { earlierNoise = nil }
      worked = max(0, worked - window.seconds)
    }
    let needed = p.handlingConfirmation.seconds
    guard worked >= needed, worked > 0 else { return (nil, isStrong) }
    worked = needed
    return (PlainSign(detector: .handling, ratio: max(1, workPeak), onset: workOnset ?? window.start), isStrong)
  }

  private mutating func judgeTurn(_ window: PlainWindow) -> PlainSign? {
    if !window.hasGyroscope || window.isUnchanged { return nil }
    if known == 0 {
      (still, known) = (window.rate, window.seconds)
      return nil
    }
    let step = window.isOdd || window.mayBeAtEnd ? lastStep : window.rate - still
    lastStep = step
    let length = step.length
    let isRestless = isUneasy(step, window)
    if !isRestless, known < 5, length >= 0.03 {
      // Switched on in a turn.
      (still, known, warming, lastStep, stood) = (window.rate, window.seconds, .zero, .zero, false)
      (turned, turnedSince, curve, heading, isTurning) = (.zero, nil, .zero, 0, true)
      return nil
    }
    if wasRestless, !isRestless { known = min(known, 10) }
    wasRestless = isRestless
    stood = stood || (!isRestless && window.up != nil)
    if stood || !isRestless {
      known = min(known + window.seconds, 75)
      warming += (length > 0.0026 ? step * (0.0026 / length) : step) * (window.seconds / (isRestless ? 300 : 75) / 100)
      let change = length > 0.02 ? step * (0.02 / length) : step
      still += change * (window.seconds / (isRestless ? 300 : known)) + warming * window.seconds
    } else {
      known = min(known + window.seconds, 300)
      still += step * (window.seconds / known)
    }
    var slow = Vector3.zero
    if let up = window.up { slow = up * min(max(step.dot(up), -0.03), 0.03) }
    let counted = step - slow
    turned = turned * (1 - window.seconds / 75) + (isRestless ? counted : step) * window.seconds
    if isRestless {
      turned -= curve
      curve = .zero
    } else {
      curve = curve * max(0, 1 - window.seconds / 8) + (step - counted) * window.seconds
    }
    isTurning = length >= 0.03
    heading = window.up.map { turned.dot($0).magnitude } ?? turned.length
    return holds(
      heading / p.headingLimit, .heading, &turnedSince, window, for: p.orientationConfirmation,
      most: length < 0.03 ? 1 : 4)
  }

  /// Whether it has shaken or swayed within ten seconds.
  private mutating func isUneasy(_ step: Vector3, _ window: PlainWindow) -> Bool {
    guard let up = window.up else { return false }
    let sway = (step - up * step.dot(up)).length
    let noise = window.turningNoise / Float(Int(window.samples)).squareRoot()
    if window.shaking >= max(0.08, 2 * window.vibrationNoise) || sway >= max(0.012, 4 * noise) {
      lastShaken = window.end
    }
    guard let lastShaken else { return false }
    return window.end - lastShaken < .seconds(10)
  }

  private func rolled(_ window: PlainWindow) -> Float {
    window.up.map { (turned - $0 * turned.dot($0)).length } ?? 0
  }

  private mutating func judgeTilt(_ window: PlainWindow) -> PlainSign? {
    guard let up = window.up else {
      (average, previousUp) = (nil, nil)
      return nil
    }
    doubtWhatIsUnseen(up, window)
    feel(window)
    if let old = average {
      average = (old + (up - old) * min(1, window.seconds / 3)).normalized ?? up
    } else {
      average = up
    }
    if !isSettled {
      // One sample is no vertical: it may be a blow. One that only sways will do.
      let most = 0.3 * p.tiltLimit
      let isNear = average.map { up.dot($0) >= 1 - 0.5 * most * most } ?? false
      if !window.isAtRest { swayed = isNear ? swayed + window.length : .zero }
      guard window.isAtRest || swayed >= .seconds(20) else { return nil }
      (isSettled, swayed) = (true, .zero)
      if window.isAtRest { average = up }
    }
    guard let left else {
      self.left = average
      return nil
    }
    let believed = up - doubt
    let angle = Elementary.atan2(left.cross(believed).length, left.dot(believed))
    tilt = angle
    var ratio = angle / p.tiltLimit
    var slow: PlainSign?
    if !window.hasGyroscope {
      slow = holds(ratio, .tilt, &leantSince, window, for: .seconds(window.isAtRest ? 9 : 45))
      isPast = window.isAtRest && slow != nil
      ratio /= 2
    } else if rolled(window) < 0.35 * angle {
      ratio /= 2
    }
    // The force itself must show half of the limit.
    let half = 0.5 * p.tiltLimit
    if let felt, felt.dot(left) > 1 - 0.5 * half * half, ratio > 0.99 { ratio = 0.99 }
    var most: Float = 1
    if let now = window.force.normalized, now.dot(left) <= 1 - 0.5 * half * half { most = 4 }
    let quick = holds(ratio, .tilt, &tiltedSince, window, for: p.orientationConfirmation, most: most)
    if angle < p.tiltLimit, followed < 0.174_532_93, angle > 0 {
      let step = min(angle, 1.94e-5 * window.seconds)
      followed += step
      self.left = (left + (up - left) * (step / angle)).normalized ?? left
    }
    return PlainSign.worse(slow, quick)
  }

  /// The direction of the force over half a second.
  private mutating func feel(_ window: PlainWindow) {
    guard window.hasAccelerometer, let direction = window.force.normalized else {
      felt = nil
      return
    }
    felt = felt.map { ($0 + (direction - $0) * min(1, window.seconds / 0.5)).normalized ?? direction } ?? direction
  }

  /// What the vertical turns by and the gyroscope does not see, faster than 0.02 rad/s, is no tilt until it has gone back.
  private mutating func doubtWhatIsUnseen(_ up: Vector3, _ window: PlainWindow) {
    let past = previousUp
    previousUp = up
    guard let past, window.hasGyroscope, isSettled else { return }
    let seen = window.isOdd ? .zero : window.isBiasKnown ? window.turn : lastStep
    let unseen = up - past - past.cross(seen) * window.seconds
    let next = doubt + unseen
    let isFast = unseen.squaredLength > 0.02 * 0.02 * window.seconds * window.seconds
    if isFast || next.squaredLength < doubt.squaredLength { doubt = next }
  }

  private mutating func judgeVertical(_ window: PlainWindow) -> (lift: PlainSign?, carry: PlainSign?, moves: Bool) {
    guard window.hasAccelerometer, !window.isUnchanged else { return (nil, nil, false) }
    let seconds = window.seconds
    guard let rest = gravity else {
      (gravity, gravitySeconds) = (window.force.length, seconds)
      return (nil, nil, false)
    }
    gravitySeconds = min(gravitySeconds + seconds, 20)
    var acceleration = window.force.length - rest
    var share: Float = 1.2
    if window.hasGyroscope, isSettled {
      share = 1
      // What both show, the whole force and the part of it along the vertical.
      if let attitude = window.attitude {
        let upward = attitude.rotate(window.force).z - rest
        let agree = upward * acceleration > 0
        acceleration = !agree ? 0 : upward.magnitude < acceleration.magnitude ? upward : acceleration
      }
    }
    gravity = rest + min(max(acceleration, -0.5), 0.5) * min(1, seconds / gravitySeconds)
    velocity = (velocity + acceleration * seconds) * max(0, 1 - seconds / 3)
    let bend = before - 0.5 * (earlier + acceleration)
    (earlier, before) = (before, acceleration)
    jolts += (bend * bend / 1.5 - jolts) * min(1, seconds / 1.5)
    let wander = max(8 * window.meanNoise, 3.5 * jolts.squareRoot()) * (seconds * 3 / 2).squareRoot()
    speed = velocity.magnitude
    let least = max(p.liftSpeed * share, wander)
    let usual = unrest.squareRoot()
    let lifted = speed / (usual >= 1.1 * least ? 9 * least : max(least, min(3 * usual, 4 * least)))
    let felt = min(speed, 2 * least)
    unrest += (felt * felt - unrest) * min(1, seconds / 300)
    let chance = 3 * window.shaking / Float(Int(window.samples)).squareRoot()
    let limit = max(p.carryForce, 6 * window.meanNoise, chance)
    let part = min(acceleration.magnitude / limit, 1.5)
    swing += (part * part - swing) * min(1, seconds / 1)
    let carried = swing.squareRoot()
    swinging = carried * p.carryForce
    (lifting, stepping) = (lifted, carried)
    let lift = holds(lifted, .lift, &liftedSince, window, for: .milliseconds(800), most: 2)
    let carry = holds(carried, .carry, &carriedSince, window, for: .milliseconds(600), most: 2)
    return (lift, carry, lifted >= 1 || carried >= 1)
  }

  private func holds(
    _ ratio: Float, _ detector: MovementDetector, _ since: inout (Instant, Interval)?, _ window: PlainWindow,
    for time: Interval,
    most: Float = 1
  ) -> PlainSign? {
    if ratio < 1 || ratio.isNaN {
      since = nil
      return nil
    }
    let isFirst = since == nil
    let (onset, before) = since ?? (window.start, .zero)
    let more = (min(ratio * ratio * ratio, isFirst ? 1 : most) - 1) * Float(window.length.microseconds)
    let held = before + window.length + Interval(microseconds: Int64(more))
    since = (onset, held)
    return held >= time ? PlainSign(detector: detector, ratio: ratio, onset: onset) : nil
  }
}
