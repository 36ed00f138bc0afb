import InlineStorage
import Quantities

/// Notices an inertial sensor that has gone wrong though each of its values is one that a sensor may read: an axis that stands
/// still, axes that have changed places.
///
/// - **Stuck**: the noise of an axis changes its mean from window to window. One that used to, and does not any more while the
///   others do, is stuck. How often it stays the same by chance is learnt, for a coarse converter hides its noise.
/// - **Stepped**: what was at rest and is at rest again can't have turned from one sample to the next. Readings that step like
///   that, with nothing but their noise before and after, and that the gyroscope does not explain, are those of another frame.
///
/// What a thief does to a vehicle is seen by more than a step: it is never a fault, and a fault keeps him unheard for two seconds.
///
/// - Complexity: O(1) per half window; no allocation.
/// - Source: our derivation; a mixture of two levels a and b, a share p of b, has the variance p(1 − p)(b − a)², three times that of
///   a ramp between them.
struct SensorWatch: BitwiseCopyable, Sendable {
  /// Faults noticed so far.
  private(set) var faultCount: UInt32 = 0
  /// For how long still nothing of what the sensor shows is to be believed, s.
  private(set) var troubleSeconds: Float = 0
  /// Axes that stand still, a bit each: 0 to 2 of the angular rate, 3 to 5 of the specific force.
  private(set) var stuckAxes: UInt8 = 0
  /// Whether attitude and bias are those of another frame.
  private var age = Age.current
  /// Steps that are no rest before or after.
  private var frame = FrameWatch()
  /// What has been turned by since such a step, rad, body frame, and for how long, s.
  private var swayed = Vector3.zero
  private var swayedSeconds: Float = 0
  /// For how long the readings have been steady since it, s.
  private var stillSeconds: Float = 0

  /// One axis.
  private struct Axis: BitwiseCopyable {
    /// Share of half windows in which it stays the same, as learnt.
    var share: Float = 1
    /// The same before it began to stay the same.
    var before: Float = 1
    /// Probability by that that it stays the same for as long as it has.
    var chance: Float = 1
  }

  private var axes = InlineArray<6, Axis>(repeating: Axis())
  /// Half windows at rest that was learnt from, up to `memory`.
  private var learnt: Float = 0

  /// Means of the last half window at rest; what follows is a step from there.
  private var force = Vector3.zero
  private var rate = Vector3.zero
  private var isKnown = false
  private var hasForce = false
  private var hasRate = false
  /// The half window in which the step fell; nil when it fell between two.
  private var mixture: Mixture?
  /// Steady half windows since the step, and what was turned by in them, rad, body frame.
  private var steadyCount: Float = 0
  private var turned = Vector3.zero
  /// Specific force of the first of them: what accelerates goes on to change.
  private var stepped = Vector3.zero

  /// What attitude and bias are to wait for before they begin anew.
  private enum Age: UInt8, BitwiseCopyable {
    case current
    /// A half window without movement.
    case outdated
    /// A second without movement, or the mean of a sway: at its turning points a half window may look like rest.
    case outdatedSwaying
    /// A second without movement; until then the mean of a sway serves.
    case measuredSwaying
  }

  /// What must begin anew by what a half window shows.
  enum Restart: BitwiseCopyable, Sendable {
    case nothing
    /// Attitude and bias, of a sensor that shows nothing but its noise.
    case atRest
    /// The same of one that sways: its bias is what it has turned by on average, rad/s.
    case swaying(bias: Vector3)
  }

  /// Mean and variance of a half window.
  fileprivate struct Mixture: BitwiseCopyable {
    var force: Vector3
    var forceVariance: Float
    var rate: Vector3
    var rateVariance: Float
    var count: Float
  }

  /// Half windows over which the share is learnt: two minutes.
  static var memory: Float { 600 }
  /// Half windows at rest before an axis is known: ten seconds.
  static var fewest: Float { 50 }
  /// Largest share of an axis of which it can be told that it stands still.
  static var dullest: Float { 0.25 }
  /// Least share that counts: of an axis that has never stayed the same three half windows are enough.
  static var rarest: Float { 1e-5 }
  /// Probability below which it does.
  static var stuckChance: Float { 1e-7 }
  /// How many times the learnt variance a half window of nothing but noise may have.
  static var loudest: Float { 4 }
  /// Least step of the specific force, m/s², and without gyroscope: 3° and 4°.
  static var leastStep: Float { 0.5 }
  static var leastUnseenStep: Float { 0.7 }
  /// Least step of the angular rate, rad/s, and without accelerometer.
  static var leastRateStep: Float { 0.01 }
  static var leastUnseenRateStep: Float { 0.04 }
  /// Turn of the vertical that the gyroscope tells and the accelerometer denies, rad.
  static var deniedTurn: Float { 0.035 }
  /// Most that the specific force of the two may differ by, m/s², beyond their noise: axes that have changed places stay there.
  static var steadiness: Float { 0.1 }
  /// Steady half windows after a step, and for how many a step of the rate is followed.
  static var confirmation: Float { 2 }
  static var longest: Float { 25 }
  /// How long nothing is believed after a step, and while an axis stands still, s; after that it counts as it is.
  static var stepTrouble: Float { 1.5 }
  static var stuckTrouble: Float { 8 }
  /// How long nothing is believed of a sensor that sways in another frame, s; all but `stepTrouble` of it its bias is measured.
  static var swayTrouble: Float { 8 }
  /// How well it is known then, rad/s: a sway by two degrees does not end where it began.
  static var swayDeviation: Float { 0.005 }
  /// How long a sensor that swayed must be steady before it counts as one at rest, s.
  static var stillness: Float { 1 }

  /// A silence: what was seen before it tells nothing of a step.
  mutating func interrupt() {
    forgetStep()
    for place in 0..<6 { axes[place].chance = 1 }
    stuckAxes = 0
  }

  /// Something was passed over: a step in it is not seen.
  mutating func forgetStep() {
    frame = FrameWatch()
    forgetRest()
  }

  /// An axis of the angular rate has come to stand at an end of its range, or has left it.
  ///
  /// - Parameters:
  ///   - isNew: False when it has left it.
  ///   - unheard: For how long no sample has been taken, s.
  mutating func noteEnd(isNew: Bool, unheard: Float = 0) {
    forgetStep()
    for place in 0..<3 { axes[place].chance = 1 }
    stuckAxes &= ~7
    if isNew { faultCount &+= 1 }
    troubleSeconds = max(troubleSeconds, SensorWatch.stepTrouble + unheard)
    age = .current
  }

  private mutating func forgetRest() {
    isKnown = false
    mixture = nil
    steadyCount = 0
    turned = .zero
  }

  /// Takes in the half window that has just closed.
  ///
  /// - Returns: What must begin anew; the bias only when the half window shows nothing else.
  mutating func judge(_ rest: borrowing RestDetector) -> Restart {
    let seconds = (rest.windowEnd - rest.windowStart).seconds
    troubleSeconds = max(0, troubleSeconds - seconds)
    let before = stuckAxes
    watchAxes(rest)
    if stuckAxes & ~before != 0 {
      faultCount &+= 1
      troubleSeconds = SensorWatch.stuckTrouble
    } else if before != 0, stuckAxes == 0 {
      troubleSeconds = SensorWatch.stepTrouble
      age = .outdated
    }
    let half = HalfWindow(rest, seconds: seconds)
    let isSteady = SensorWatch.isSteady(half, rest)
    let isOther = frame.hasTurned(half)
    let hasStepped = hasStepped(half, rest, isSteady: isSteady)
    if hasStepped || isOther {
      forgetStep()
      faultCount &+= 1
      troubleSeconds = max(troubleSeconds, hasStepped ? SensorWatch.stepTrouble : SensorWatch.swayTrouble)
      age = hasStepped ? .outdated : .outdatedSwaying
      (swayed, swayedSeconds, stillSeconds) = (.zero, 0, 0)
    }
    return age == .current ? .nothing : restart(half, isSteady: isSteady)
  }

  private mutating func restart(_ half: HalfWindow, isSteady: Bool) -> Restart {
    stillSeconds = isSteady ? stillSeconds + half.seconds : 0
    if isSteady, age == .outdated || stillSeconds >= SensorWatch.stillness {
      if age == .outdatedSwaying, stuckAxes == 0 { troubleSeconds = SensorWatch.stepTrouble }
      age = .current
      return .atRest
    }
    guard age == .outdatedSwaying, stuckAxes == 0, half.rateCount > 0 else { return .nothing }
    swayed += half.rate * half.seconds
    swayedSeconds += half.seconds
    guard troubleSeconds <= SensorWatch.stepTrouble else { return .nothing }
    age = .measuredSwaying
    return .swaying(bias: swayed * (1 / swayedSeconds))
  }

  // MARK: Stuck

  private mutating func watchAxes(_ rest: borrowing RestDetector) {
    let isAtRest = rest.isAtRest
    let isLearning = isAtRest && stuckAxes == 0
    if isLearning { learnt = min(learnt + 1, SensorWatch.memory) }
    // What has not been seen in so many half windows may be one of them.
    let rarest = max(SensorWatch.rarest, 1 / (learnt * learnt + 1))
    for place in 0..<6 {
      let bit: UInt8 = 1 << UInt8(place)
      let isSame = rest.unchangedAxes & bit != 0
      if axes[place].chance == 1 { axes[place].before = axes[place].share }
      if isLearning { axes[place].share += ((isSame ? 1 : 0) - axes[place].share) / learnt }
      guard isSame else {
        axes[place].chance = 1
        stuckAxes &= ~bit
        continue
      }
      // When no axis of a sensor changes it is slow, or stands still as a whole.
      let all: UInt8 = place < 3 ? 7 : 56
      guard rest.unchangedAxes & all != all else { continue }
      let share = axes[place].before
      guard learnt >= SensorWatch.fewest, share < SensorWatch.dullest else { continue }
      // What has stayed the same once stays it again by the root of the share: the value that most samples have.
      axes[place].chance *= max(share, rarest).squareRoot()
      if axes[place].chance < SensorWatch.stuckChance {
        axes[place].chance = 0
        stuckAxes |= bit
      }
    }
  }

  // MARK: Stepped

  /// Whether a half window shows nothing but the sensor's noise.
  private static func isSteady(_ half: HalfWindow, _ rest: borrowing RestDetector) -> Bool {
    let (rate, force) = (rest.parameters.minimumAngularRate, rest.parameters.minimumSpecificForce)
    let rateLimit = max(loudest * rest.angularRateNoise.variance, rate * rate)
    let forceLimit = max(loudest * rest.specificForceNoise.variance, force * force)
    return half.rateVariance <= rateLimit && half.forceVariance <= forceLimit
  }

  /// A half window that is neither rest nor the time after a step: the step may have fallen into it. Movement lasts for longer.
  private mutating func note(_ half: HalfWindow) {
    guard isKnown, mixture == nil, steadyCount == 0 else { return forgetRest() }
    mixture = Mixture(
      force: half.force, forceVariance: half.forceVariance, rate: half.rate, rateVariance: half.rateVariance,
      count: Float(half.count))
    if half.rateCount > 0 { turned = (half.rate - rate) * half.seconds }
  }

  private mutating func hasStepped(_ half: HalfWindow, _ rest: borrowing RestDetector, isSteady: Bool) -> Bool {
    let count = half.count
    guard isSteady, count > 0 else {
      note(half)
      return false
    }
    let forceStep = half.forceCount > 0 ? half.force - force : .zero
    let rateStep = half.rateCount > 0 ? half.rate - rate : .zero
    // A faint turn hides in one window, so that a step of the rate must be ten deviations on either side.
    let forceNoise = 72 * rest.specificForceNoise.varianceOfMean(count: count)
    let rateNoise = 200 * rest.angularRateNoise.varianceOfMean(count: count)
    let leastForce = half.rateCount > 0 ? SensorWatch.leastStep : SensorWatch.leastUnseenStep
    let leastRate = half.forceCount > 0 ? SensorWatch.leastRateStep : SensorWatch.leastUnseenRateStep
    let isForceStep = forceStep.squaredLength > max(leastForce * leastForce, forceNoise)
    let faintest = max(leastRate * leastRate, rateNoise)
    let isRateStep = rateStep.squaredLength > faintest
    let isWhole = hasForce == (half.forceCount > 0) && hasRate == (half.rateCount > 0)
    guard isKnown, isWhole, isForceStep || isRateStep, steadyCount < SensorWatch.longest else {
      guard rest.isAtRest || !isWhole else {
        // One sample beyond the step is no more than a little louder.
        note(half)
        return false
      }
      forgetRest()
      (force, hasForce) = (half.force, half.forceCount > 0)
      (rate, hasRate) = (half.rate, half.rateCount > 0)
      isKnown = rest.isAtRest
      return false
    }
    steadyCount += 1
    turned += rateStep * half.seconds
    if steadyCount == 1 { stepped = half.force }
    guard steadyCount >= SensorWatch.confirmation else { return false }
    guard half.forceCount > 0 else {
      if let mixture, !mixture.isStep(ofRate: rateStep, from: rate, noise: rest.angularRateNoise.variance) {
        return false
      }
      return steadyCount > SensorWatch.confirmation
    }
    let told = force.cross(turned)
    if steadyCount == SensorWatch.confirmation {
      let drift = max(SensorWatch.steadiness * SensorWatch.steadiness, forceNoise)
      guard (half.force - stepped).squaredLength <= drift else {
        forgetRest()
        return false
      }
    }
    if isForceStep {
      if let mixture, !mixture.isStep(ofForce: forceStep, from: force, noise: rest.specificForceNoise.variance) {
        return false
      }
      // What passed for rest may have turned by nearly a step of the rate: that is missing from all that was told since.
      let missed = half.rateCount > 0 ? force.length * faintest.squareRoot() * half.seconds * steadyCount : 0
      return (forceStep - told).length - missed > 0.5 * forceStep.length
    }
    // A step of the rate alone: a turn about anything but the vertical is seen by the accelerometer, too.
    let denied = SensorWatch.deniedTurn * force.length
    return told.squaredLength > max(denied * denied, 9 * forceStep.squaredLength)
  }
}

extension SensorWatch.Mixture {
  /// Whether a half window is a share of what was before and the rest of what came after.
  ///
  /// - Parameters:
  ///   - step: From the one to the other.
  ///   - offset: From the one to the mean.
  ///   - variance: Of the half window, per axis.
  ///   - noise: That of the sensor at rest.
  private func isMixed(of step: Vector3, offset: Vector3, variance: Float, noise: Float) -> Bool {
    let square = step.squaredLength
    let share = max(0, offset.dot(step) / square)
    guard share < 1, (offset - step * share).squaredLength < 0.04 * square else { return false }
    let expected = share * (1 - share) * square * count / (3 * (count - 1))
    // One sample is lost in the noise of the mean.
    let isEnough = share * count < 1.5 || variance > 0.75 * expected
    return isEnough && variance < 1.35 * expected + SensorWatch.loudest * noise
  }

  func isStep(ofForce step: Vector3, from before: Vector3, noise: Float) -> Bool {
    isMixed(of: step, offset: force - before, variance: forceVariance, noise: noise)
  }

  func isStep(ofRate step: Vector3, from before: Vector3, noise: Float) -> Bool {
    isMixed(of: step, offset: rate - before, variance: rateVariance, noise: noise)
  }
}
