import Positioning
import Quantities

/// What a fix is worth as evidence.
struct FixTrust: BitwiseCopyable {
  var time: Instant
  var previous: Instant?
  /// Standard deviation per axis, m.
  var deviation: Float
  /// Fixes in a row that must agree.
  var needed: Int16
  /// Each of them must be as far away as an exit needs: there was a jump, and they are few.
  var mustBeFar: Bool
  /// Neither noise nor speeds explain the way from the fix before, so it may have been a jump of the receiver.
  var isSudden: Bool
  /// Since when the inertial sensor has felt nothing, and nothing has spoken against it; nil when it does not vouch.
  var stillSince: Instant?
  /// Where it is by speed, course and all positions, when that is known better than by this one.
  var reckoned: GeodeticPosition?
  /// Standard deviation of that per axis, m.
  var reckonedDeviation: Float = 0
}

/// Judges each fix by the one before it.
struct FixJudge: BitwiseCopyable {
  private var time = PackedInstant()
  /// When positions last went the way that speed and course tell: since then at the earliest can an inertial sensor vouch for anything.
  private var travelled = PackedInstant()
  private var position: GeodeticPosition?
  private var sinceJump: Int16 = FixJudge.settled
  /// The last fix is where the one before was, but for noise and the speeds of both.
  private var agrees = false
  private var speed: Float?
  private var reckoner = Reckoner()
  private var agreement = WayAgreement()

  /// Fixes in a row that must agree after a jump; after as many two are enough again.
  static var settled: Int16 { 8 }
  /// Time between two fixes up to which the way between may be compared with their speeds, s.
  static var comparable: Double { 10 }
  /// Nobody on legs or wheels is faster where no speed is told, m/s.
  static var untoldSpeed: Double { 30 }
  /// Time between two fixes from which on their speeds say nothing about the way between, s.
  static var sparse: Double { 30 }
  /// What a receiver at rest may tell as the sum of two speeds, m/s.
  static var untravelled: Double { 0.5 }
  /// Time between two fixes up to which two that agree are enough, s.
  static var longestPair: Double { 120 }
  /// How many times worse than it states a receiver may be before its scatter is learnt. Less: one that states a third of its errors is
  /// believed. More: who walks off in the first minutes is taken for scatter.
  static var mostWrong: Float { 3 }
  /// The same once it is learnt. Less: one that states a quarter of its errors has false exits. More: a slow walk is scatter for a day.
  static var mostWrongLearnt: Float { 6 }
  /// Time between two fixes up to which as many must agree after a jump; beyond it those that take as long together, s.
  static var dense: Double { 10 }

  init() {}

  /// Judges a fix; nil when it is no evidence: without a position, late, or of no use by its own account.
  mutating func judge(
    _ fix: GNSSFix, scatter: LearntScatter?, stillSince: Instant?, _ parameters: FenceParameters
  ) -> FixTrust? {
    guard fix.hasPosition, let here = fix.position, time.value.map({ fix.time > $0 }) ?? true else { return nil }
    var stated = parameters.assumedAccuracy
    if let told = fix.horizontalAccuracy, told == told {
      guard told >= 0, told <= 1000 else { return nil }
      stated = Float(told)
    }
    let deviation = FixJudge.deviation(stated: stated, scatter)
    let told = fix.speed.flatMap { $0 >= 0 && $0 <= 500 ? $0 : nil }
    let scale = LocalScale(at: here)
    var step: FixStep?
    if let before = position, let last = time.value {
      step = FixStep(from: before, to: here, scale, over: fix.time - last)
    }
    if let step { follow(step, told, deviation) }
    reckon(step, told, fix.course, fix.time, deviation)
    let seconds = step?.elapsed.secondsDouble ?? 0
    let previous = time.value
    time.value = fix.time
    (position, speed) = (here, told.map { Float($0) })
    var trust = FixTrust(
      time: fix.time, previous: previous, deviation: deviation,
      needed: needed(told == nil, seconds), mustBeFar: sinceJump < FixJudge.settled && seconds > FixJudge.dense,
      isSudden: !agrees, stillSince: stillSince.map { max($0, travelled.value ?? $0) })
    if reckoner.isBetter(than: deviation) {
      trust.reckoned = scale?.position(east: Double(reckoner.offset.east), north: Double(reckoner.offset.north))
      trust.reckonedDeviation = reckoner.variance.squareRoot()
    }
    return trust
  }

  private mutating func reckon(
    _ step: FixStep?, _ told: Double?, _ course: Double?, _ now: Instant, _ deviation: Float
  ) {
    guard let step, let offset = step.offset else {
      reckoner.begin()
      agreement.begin()
      return
    }
    let elapsed = step.elapsed.seconds
    let told = told.map { Float($0) }
    reckoner.follow(step: offset, speed: told, course: course, elapsed: elapsed, deviation)
    guard let told, let speed, sinceJump > 0, step.elapsed.secondsDouble <= FixJudge.comparable else {
      agreement.begin()
      return
    }
    let length = 0.5 * (told + speed) * elapsed
    if agreement.follow(step: offset, length: length, course: course, elapsed: elapsed) { travelled.value = now }
  }

  /// Fixes in a row that must agree, by the time since the one before, s.
  private func needed(_ isSpeedUntold: Bool, _ seconds: Double) -> Int16 {
    // One that lies may be followed by another; two that lie at one place are none.
    if seconds >= FixJudge.sparse { return (agrees ? 2 : 3) + (seconds > FixJudge.longestPair ? 1 : 0) }
    if sinceJump < FixJudge.settled {
      let time = Double(FixJudge.settled) * FixJudge.dense
      return max(3, Int16(time / max(seconds, FixJudge.dense)))
    }
    return isSpeedUntold ? 3 : 2
  }

  private mutating func follow(_ step: FixStep, _ told: Double?, _ deviation: Float) {
    let seconds = step.elapsed.secondsDouble
    let noise = 5 + 6 * Double(deviation) * Elementary.squareRoot(min(1, seconds / 100))
    var fastest = FixJudge.untoldSpeed
    // What nobody has told explains nothing.
    var explained = told == nil ? 0 : fastest
    if seconds >= FixJudge.sparse {
      // Twice the mean speed of the ends.
      fastest = (told ?? 0) + (speed.map { Double($0) } ?? 0)
      explained = max(0, fastest - FixJudge.untravelled)
    } else if let told, let speed {
      fastest = 2 * max(told, Double(speed)) + 0.5
      explained = fastest
    }
    sinceJump = step.length > fastest * seconds + noise ? 0 : min(sinceJump + 1, FixJudge.settled)
    agrees = step.length <= explained * seconds + 0.5 * noise
  }

  /// Standard deviation per axis, m.
  static func deviation(stated: Float, _ scatter: LearntScatter?) -> Float {
    let own = max(FenceParameters.leastDeviation, stated / FenceParameters.radiusOfDeviation)
    guard let scatter, scatter.deviation >= 0, scatter.deviation < 1e4 else { return 2 * own }
    // One fix that says much better of itself than those before may lie.
    let usual = max(own, scatter.usualAccuracy / FenceParameters.radiusOfDeviation)
    // What was learnt may be the way of one that left at once, or walked slowly for long.
    guard scatter.isLearnt else { return max(2 * usual, min(scatter.deviation, FixJudge.mostWrong * usual)) }
    let worse = max(1, stated / max(scatter.usualAccuracy, 0.1))
    return max(FenceParameters.leastDeviation, min(scatter.deviation * worse, FixJudge.mostWrongLearnt * usual))
  }
}

/// From one fix to the next.
private struct FixStep {
  /// m.
  let length: Double
  let elapsed: Interval
  /// m; nil beside a pole.
  let offset: GroundVector?

  init(from before: GeodeticPosition, to here: GeodeticPosition, _ scale: LocalScale?, over elapsed: Interval) {
    length = Geodesic.fastDistance(from: before, to: here)
    self.elapsed = elapsed
    offset = scale.map { scale in
      // Seen from here, as what is left of the way is.
      let back = scale.offset(of: before)
      return GroundVector(east: Float(-back.east), north: Float(-back.north))
    }
  }
}
