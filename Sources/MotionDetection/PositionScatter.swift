import Positioning
import Quantities

/// How far the fixes of a vehicle that stands scatter, learnt from themselves: what a receiver states of its accuracy is wrong
/// by three and four times either way.
///
/// Two things are learnt. The variance about the mean is right after hours, for the errors of a receiver last for minutes and
/// few of them are seen in the first half hour. What a minute changes is right after ten, and says how much may still come:
/// an error that is forgotten over five minutes changes in one by 0.6 of what it reaches.
///
/// - Source: our derivation; a Gauss-Markov error with deviation σ and time constant τ changes in a time t by
///   σ·√(2(1 − exp(−t/τ))) per axis.
struct PositionScatter: BitwiseCopyable {
  // In an order without gaps: the tracker has no bytes to spare.
  /// From which the mean is counted.
  private var origin: GeodeticPosition?
  /// Minutes whose change was learnt, up to `mostSteps`.
  private var stepCount: UInt8 = 0
  /// Minutes in which something changed, less those in which nothing did.
  private var liveCount: UInt8 = 0
  /// Minutes that it has stayed away since it left.
  private var minutesAway: UInt8 = 0
  private var meanEast: Float = 0
  private var meanNorth: Float = 0
  /// Per axis, m².
  private var variance: Float = 0
  /// What a minute changes, per axis, m².
  private var stepVariance: Float = 0
  /// Where it was at the end of the last minute, and of the two before.
  private var stepEast: Float = 0
  private var stepNorth: Float = 0
  private var twoEast: Float = 0
  private var twoNorth: Float = 0
  private var threeEast: Float = 0
  private var threeNorth: Float = 0
  /// What was known at the end of the last minute, and of the one before.
  private var before = Minute()
  private var twoBefore = Minute()
  /// The squares of speeds that may be invented, summed over their time, m²/s, and that time, s.
  private var toldSquares: Float = 0
  private var stepTime = Instant.zero
  /// What fixes usually state, m.
  private(set) var usualAccuracy: Float = 0
  /// Of the speed that it invents, per axis, (m/s)².
  private var speedVariance: Float = 0
  private var toldSeconds: Float = 0
  /// Seconds learnt from, up to `memory`.
  private(set) var seconds: Float = 0
  private var lastTime = Instant.zero

  /// What was known at the end of a minute: what is on its way is taken out of what was learnt again.
  private struct Minute: BitwiseCopyable {
    var distance = Float.infinity
    var variance: Float = 0
    var stepVariance: Float = 0
  }

  /// By how many deviations of a minute's change a fix must have gone outward in each of two minutes to be on its way.
  ///
  /// - Source: our derivation; an error is beyond two deviations on one side once in 44, and then in the next minute once in 44 at most,
  ///   for errors come back: once in 2,000 minutes at rest, and two minutes of thousands say little less of it.
  static var outward: Float { 2 }

  /// Time over which it is forgotten, s.
  static var memory: Float { 43_200 }
  /// Time after which the variance alone tells, s.
  static var matured: Float { 21_600 }
  /// Seconds that the first fix of a place counts for: what sets off is not learnt as the place.
  static var firstWeight: Float { 30 }
  /// Seconds after which what was learnt is believed instead of what is stated.
  static var learnt: Float { 1800 }
  /// Deviations within which nothing is displacement: once in a hundred million errors.
  static var deviations: Float { 6 }
  /// How many deviations an error may be to be learnt from; what is beyond is taken for as much.
  static var clip: Float { 4 }
  /// What a minute changes times this may come, at first and at last.
  static var firstFactor: Float { 2.2 }
  static var lastFactor: Float { 0.7 }

  /// How many times the deviation of a minute's change may be what few minutes have shown.
  ///
  /// - Source: our derivation; of n changes in two axes the variance is a χ² of 2n degrees: once in a thousand it is a seventh of
  ///   what it should be after five, and half after thirty.
  static var fewMinutes: Float { 4 }
  /// How many times what a minute's change was so far another is learnt as.
  ///
  /// - Source: our derivation; half the square of a change in two axes is exponential: once in 400 it is beyond six times its mean, which
  ///   loses a 400th of it.
  static var mostOfStep: Float { 6 }
  /// Minutes over which their change is averaged.
  static var mostSteps: UInt8 { 120 }

  /// Standard deviation per axis, m; 0 before anything is known.
  ///
  /// - Parameter isDoubtful: Whether what few minutes have shown is doubted.
  func deviation(isDoubtful: Bool = false) -> Float {
    let age = min(1, seconds / PositionScatter.matured)
    var factor =
      PositionScatter.firstFactor + (PositionScatter.lastFactor - PositionScatter.firstFactor) * age
    if isDoubtful { factor *= 1 + PositionScatter.fewMinutes * (1 - age) / Float(max(stepCount, 1)) }
    return max(variance.squareRoot(), factor * stepVariance.squareRoot())
  }

  /// Standard deviation per axis, m, as one who is to be missed when it walks off may be off by it.
  ///
  /// Where a minute changes as much as all errors reach, they are new in each minute, and half an hour has shown enough of them: nothing
  /// larger is to come.
  ///
  /// - Source: our derivation; a Gauss-Markov error with time constant τ changes in a minute by 2(1 − exp(−60 s/τ)) of its variance, which
  ///   is 1.2 for τ of 65 s. In half an hour are then 14 independent ones in two axes, whose χ² of 28 degrees is below 0.37 of what it should
  ///   be once in a thousand: a deviation is at most 1.65 times the one that was seen.
  var walkingDeviation: Float {
    let doubted = deviation(isDoubtful: true)
    guard isLearnt, stepVariance >= PositionScatter.newEachMinute * variance else { return doubted }
    return min(doubted, PositionScatter.mostOfSeen * variance.squareRoot())
  }

  /// Share of the variance by which a minute changes from which on the errors of each minute are new.
  static var newEachMinute: Float { 1.2 }
  /// How many times what they have shown such errors may be.
  static var mostOfSeen: Float { 1.65 }

  /// Distance of a fix from the mean, m; nil before there is one.
  func distance(of position: GeodeticPosition) -> Float? {
    guard let origin else { return nil }
    // A place seen again and again to the last digit is measured on the ellipsoid.
    if meanEast == 0, meanNorth == 0 { return Float(Geodesic.fastDistance(from: origin, to: position)) }
    let (east, north) = PositionScatter.offset(position, from: origin)
    let (x, y) = (east - meanEast, north - meanNorth)
    return (x * x + y * y).squareRoot()
  }

  /// The distance from which on a fix of such an accuracy is elsewhere, m.
  ///
  /// - Parameters:
  ///   - least: However good fixes are.
  ///   - stated: What the accuracies that were stated ask for.
  ///   - isDoubtful: Whether what few minutes have shown is doubted.
  func radius(least: Float, stated: Float, accuracy: Float, isDoubtful: Bool = false) -> Float {
    let own = PositionScatter.deviations * deviation(isDoubtful: isDoubtful)
    guard isLearnt else { return max(least, stated, own) }
    return max(least, own * worsening(accuracy))
  }

  /// Deviations of the invented speed that a speed must exceed to be one.
  ///
  /// - Source: our derivation; the length of a vector of two such errors is beyond five once in 270,000.
  static var speedDeviations: Float { 5 }
  /// The same where its positions have to say so, too: once in 25,000.
  static var toldDeviations: Float { 4.5 }

  /// The speed from which on a fix says that it moves, m/s.
  ///
  /// - Parameters:
  ///   - least: However quiet its speeds are.
  ///   - deviations: Of what it invents.
  func believedSpeed(least: Float, deviations: Float = PositionScatter.speedDeviations) -> Float {
    max(least, deviations * speedVariance.squareRoot())
  }

  /// The distance from which on a fix is elsewhere when its speeds say so, too: half of what they must be beyond alone. What is stated
  /// counts once, and not when it is learnt.
  func toldRadius(least: Float, stated: Float) -> Float {
    max(least, 0.5 * PositionScatter.deviations * deviation(), isLearnt ? 0 : stated)
  }

  /// How far apart two positions a minute apart are at most, m, but once in e to the power `odds`.
  ///
  /// - Source: our derivation; half the square of a change in two axes is exponential with the mean v, and the v that n changes have
  ///   shown is v·χ²/2n of 2n degrees: that r² exceeds c² times what was shown has the probability (1 + c²/2n)^−n.
  private func mostChange(odds: Float) -> Float {
    let n = Float(max(liveCount, 1))
    return (2 * n * (Elementary.exp(odds / n) - 1) * max(stepVariance, 1)).squareRoot()
  }

  /// How far a position has gone since the last minutes, m, as if in one.
  ///
  /// - Source: our derivation; whatever its time constant, a Gauss-Markov error changes in n minutes by no more than √n of what it does in
  ///   one.
  private func change(_ east: Float, _ north: Float, at time: Instant) -> Float {
    let age = (time - stepTime).seconds / 60
    let (x, y) = (east - stepEast, north - stepNorth)
    let (x2, y2) = (east - twoEast, north - twoNorth)
    let (x3, y3) = (east - threeEast, north - threeNorth)
    return max((x * x + y * y) / max(1, age), (x2 * x2 + y2 * y2) / (1 + age), (x3 * x3 + y3 * y3) / (2 + age))
      .squareRoot()
  }

  /// By how many times what an error can do a fix has gone away within three minutes; 0 while that is not known.
  ///
  /// It must be as far from the mean, too: what has come back from an outlier has changed as much.
  func departure(of position: GeodeticPosition, accuracy: Float, at time: Instant) -> Float {
    guard let origin, isYoung else { return 0 }
    let (east, north) = PositionScatter.offset(position, from: origin)
    let (x, y) = (east - meanEast, north - meanNorth)
    let reach = min((x * x + y * y).squareRoot(), change(east, north, at: time))
    return reach / (mostChange(odds: PositionScatter.departed) * worsening(accuracy))
  }

  /// The distance from which on what stays there has left, m.
  var stayingRadius: Float { PositionScatter.staying * mostChange(odds: PositionScatter.departed) }

  /// True when it has left, and has stayed away for longer than an error does.
  var hasStayedAway: Bool { minutesAway >= PositionScatter.stayed }

  /// True while little is known of how far fixes scatter, and more of what a minute changes.
  private var isYoung: Bool { liveCount >= PositionScatter.fewestLive && seconds < PositionScatter.young }

  /// A fix that says of itself that it is worse than usual is.
  private func worsening(_ accuracy: Float) -> Float { max(1, accuracy / max(usualAccuracy, 0.1)) }

  /// Once in how many minutes an error goes as far as what has departed, and as what may have left: ten million, and ten thousand.
  static var departed: Float { 16.1 }
  static var left: Float { 9.2 }
  /// The share of the first at which what may have left has to stay, and for how many minutes.
  ///
  /// - Source: our derivation; a Gauss-Markov error with time constant τ that is beyond 3 deviations returns with a rate of 5/τ at least:
  ///   with τ of ten minutes once in 2,000 does not within 15.
  static var staying: Float { 0.9 }
  static var stayed: UInt8 { 15 }
  /// How many minutes a minute away that is nearer takes back.
  static var takenBack: UInt8 { 3 }
  /// How long the variance about the mean is worse than that, s, and minutes that must have changed.
  static var young: Float { 10_800 }
  static var fewestLive: UInt8 { 8 }
  /// The share of what a minute changes below which nothing has changed: of a Gaussian change once in 50. What stands for minutes and
  /// then jumps is not one, and what it may do is not known from its minutes.
  static var dead: Float { 0.02 }
  /// The longest time between two positions that are taken for minutes.
  static var longestMinute: Interval { .seconds(300) }

  /// True when it is believed instead of what fixes state.
  var isLearnt: Bool { seconds >= PositionScatter.learnt }

  /// True when a minute's change has been seen twice.
  var isKnown: Bool { stepCount >= 2 }

  /// Learns from a fix of a vehicle that stands.
  ///
  /// - Parameters:
  ///   - isVouched: An inertial sensor says that it stands: what goes outward then is an error.
  ///   - isWithin: It is where errors may put it; else it only shows, where no speeds do, whether it stays away.
  mutating func learn(
    _ position: GeodeticPosition, accuracy: Float, speed: Double?, at time: Instant, isVouched: Bool = false,
    isWithin: Bool = true
  ) {
    let isMute = speed == nil && !isVouched
    if !isMute { minutesAway = 0 }
    guard isWithin || isMute else { return }
    guard let origin, lastTime <= time else {
      begin(at: position, accuracy: accuracy, time: time)
      return
    }
    let (east, north) = PositionScatter.offset(position, from: origin)
    let passed = min((time - lastTime).seconds, 60)
    lastTime = time
    var (x, y) = (east - meanEast, north - meanNorth)
    let square = x * x + y * y
    // What may have left teaches nothing about the place.
    if isWithin, minutesAway == 0 {
      let share = passed / (max(PositionScatter.firstWeight, seconds) + passed)
      seconds = min(seconds + passed, PositionScatter.memory)
      usualAccuracy += (accuracy - usualAccuracy) * share
      learn(speed: speed, over: passed, square: square)
      // What walks off slowly may not be told from scatter: where nothing larger is to come, it must not become so.
      let most = PositionScatter.clip * max(min(deviation(), walkingDeviation), stepCount < 3 ? .infinity : 1)
      if square > most * most {
        let held = most / square.squareRoot()
        x *= held
        y *= held
      }
      meanEast += x * share
      meanNorth += y * share
      variance += (0.5 * (x * x + y * y) - variance) * share
    }
    guard time - stepTime >= .seconds(60) else { return }
    let distance = square.squareRoot()
    noteAway(distance, changed: change(east, north, at: time), accuracy: accuracy, isMute: isMute)
    let (dx, dy) = (east - stepEast, north - stepNorth)
    let isLate = time - stepTime > PositionScatter.longestMinute
    (threeEast, threeNorth) = isLate ? (east, north) : (twoEast, twoNorth)
    (twoEast, twoNorth) = isLate ? (east, north) : (stepEast, stepNorth)
    (stepEast, stepNorth, stepTime) = (east, north, time)
    // Far away the first minutes are those of the way.
    if isWithin || minutesAway > 2 { learn(step: 0.5 * (dx * dx + dy * dy), distance, isVouched: isVouched) }
  }

  /// Learns what a minute has changed, m² per axis.
  private mutating func learn(step: Float, _ distance: Float, isVouched: Bool) {
    guard isVouched || !isOutward(distance) else {
      // The minute before was the first of its way.
      (variance, stepVariance) = (twoBefore.variance, twoBefore.stepVariance)
      stepCount = max(stepCount, 1) - 1
      liveCount = max(liveCount, 1) - 1
      before = Minute(distance: distance, variance: variance, stepVariance: stepVariance)
      return
    }
    let isLive = step >= PositionScatter.dead * max(stepVariance, 1)
    liveCount = isLive ? min(liveCount + 1, PositionScatter.mostSteps) : max(liveCount, 2) - 2
    let most = stepCount >= 3 ? PositionScatter.mostOfStep * max(stepVariance, 1) : .infinity
    stepCount = min(stepCount + 1, PositionScatter.mostSteps)
    stepVariance += (min(step, most) - stepVariance) / Float(stepCount)
    twoBefore = before
    before = Minute(distance: distance, variance: variance, stepVariance: stepVariance)
  }

  /// Whether a minute has ended where it stays away.
  private mutating func noteAway(_ distance: Float, changed change: Float, accuracy: Float, isMute: Bool) {
    guard isMute, isYoung, !hasStayedAway else {
      // Nobody has missed it: it stands there.
      minutesAway = 0
      return
    }
    let isFar = distance >= stayingRadius * worsening(accuracy)
    if minutesAway > 0 {
      let taken = min(minutesAway, PositionScatter.takenBack)
      minutesAway = isFar ? minutesAway + 1 : minutesAway - taken
    } else if isFar, change >= mostChange(odds: PositionScatter.left) * worsening(accuracy) {
      minutesAway = 1
    }
  }

  /// Whether it has gone outward in this minute and the one before by more than errors do.
  private func isOutward(_ distance: Float) -> Bool {
    let least = PositionScatter.outward * max(twoBefore.stepVariance, 1).squareRoot()
    return distance - before.distance > least && before.distance - twoBefore.distance > least
  }

  /// Speeds are invented where the positions have not gone the way that they tell: it grows with time, how far fixes scatter does not.
  ///
  /// What sets off goes that way, and a receiver that tells too little of it does so all the more. One that is as fast as a walk teaches
  /// no more than that.
  ///
  /// - Parameter square: Of the distance from the mean, m².
  /// - Source: our derivation; the way that is told is taken for the root of the mean square of its speeds times its time.
  private mutating func learn(speed: Double?, over passed: Float, square: Float) {
    guard let speed else { return }
    let told = min(Float(speed), PositionScatter.fastestInvented)
    toldSquares += told * told * passed
    toldSeconds += passed
    guard ToldWay.share * ToldWay.share * toldSquares * toldSeconds > square else { return }
    let share = toldSeconds / max(PositionScatter.firstWeight + toldSeconds, seconds)
    speedVariance += (0.5 * toldSquares / toldSeconds - speedVariance) * share
    (toldSquares, toldSeconds) = (0, 0)
  }

  /// What a receiver invents at most that is learnt from, m/s.
  static var fastestInvented: Float { 1.5 }

  /// The vehicle stands at another place: the mean goes there, what was learnt of the scatter stays.
  mutating func move(to position: GeodeticPosition, at time: Instant) {
    origin = position
    standHere(at: time)
    // The mean of a place is learnt anew; how far fixes scatter is not.
    seconds = min(seconds, PositionScatter.matured)
    (toldSquares, toldSeconds) = (0, 0)
  }

  private mutating func begin(at position: GeodeticPosition, accuracy: Float, time: Instant) {
    origin = position
    standHere(at: time)
    (toldSquares, toldSeconds) = (0, 0)
    usualAccuracy = accuracy
  }

  private mutating func standHere(at time: Instant) {
    (meanEast, meanNorth, stepEast, stepNorth) = (0, 0, 0, 0)
    (twoEast, twoNorth, threeEast, threeNorth) = (0, 0, 0, 0)
    (before, twoBefore) = (Minute(), Minute())
    minutesAway = 0
    (stepTime, lastTime) = (time, time)
  }

  /// Metres east and north of a place.
  static func offset(_ position: GeodeticPosition, from origin: GeodeticPosition) -> (east: Float, north: Float) {
    let offset = LocalTangentPlane(origin: origin).offset(of: position)
    return (Float(offset.east), Float(offset.north))
  }
}
