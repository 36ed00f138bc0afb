import Positioning
import Quantities

/// What a fix is worth as evidence.
struct FixTrust: BitwiseCopyable {
  var time: Instant
  var previous: Instant?
  /// Standard deviation per axis, m.
  var deviation: Float
  /// Fixes in a row that must agree.
  var needed: Int32
  /// Since when the inertial sensor has felt nothing, when nothing speaks against it; nil when it does not vouch.
  var stillSince: Instant?
  /// Where it is by speed, course and all positions, when that is known better than by this one.
  var reckoned: GeodeticPosition?
  /// Standard deviation of that per axis, m.
  var reckonedDeviation: Float = 0
}

/// Judges each fix by the one before it.
struct FixJudge: BitwiseCopyable {
  private var time: Instant?
  private var position: GeodeticPosition?
  private var speed: Double?
  private var sinceJump: Int32 = FixJudge.settled
  private var steadySince: Instant?
  private var reckoner = Reckoner()

  /// Fixes in a row that must agree after a jump; after as many two are enough again.
  static var settled: Int32 { 8 }
  /// Speed that is believed against an inertial sensor that feels nothing, m/s, and for how long it must agree.
  static var steadySpeed: Double { 2.5 }
  static var steadyFor: Interval { .seconds(10) }
  /// Nobody on legs or wheels is faster where no speed is told, m/s.
  static var untoldSpeed: Double { 30 }

  init() {}

  /// Judges a fix; nil when it is no evidence: without a position, late, or of no use by its own account.
  mutating func judge(
    _ fix: GNSSFix, scatter: LearntScatter?, stillSince: Instant?, _ parameters: FenceParameters
  ) -> FixTrust? {
    guard fix.hasPosition, let here = fix.position, time.map({ fix.time > $0 }) ?? true else { return nil }
    var stated = parameters.assumedAccuracy
    if let told = fix.horizontalAccuracy, told == told {
      guard told >= 0, told <= 1000 else { return nil }
      stated = Float(told)
    }
    let deviation = FixJudge.deviation(stated: stated, scatter)
    let told = fix.speed.flatMap { $0 >= 0 && $0 <= 500 ? $0 : nil }
    if let before = position, let last = time {
      follow(
        step: Geodesic.fastDistance(from: before, to: here), elapsed: fix.time - last, told, at: fix.time, deviation)
    }
    let scale = LocalScale(at: here)
    reckon(to: here, scale, told, fix.course, fix.time, deviation)
    let isSteady = steadySince.map { fix.time - $0 >= FixJudge.steadyFor } ?? false
    let previous = time
    (time, position, speed) = (fix.time, here, told)
    var trust = FixTrust(
      time: fix.time, previous: previous, deviation: deviation,
      needed: sinceJump < FixJudge.settled ? FixJudge.settled : told == nil ? 3 : 2,
      stillSince: isSteady ? nil : stillSince)
    if reckoner.isBetter(than: deviation) {
      trust.reckoned = scale?.position(east: Double(reckoner.east), north: Double(reckoner.north))
      trust.reckonedDeviation = reckoner.variance.squareRoot()
    }
    return trust
  }

  private mutating func reckon(
    to here: GeodeticPosition, _ scale: LocalScale?, _ told: Double?, _ course: Double?, _ now: Instant,
    _ deviation: Float
  ) {
    guard let before = position, let last = time, let scale else {
      reckoner.begin()
      return
    }
    // Seen from here, as what is left of the way is.
    let back = scale.offset(of: before)
    reckoner.follow(
      step: (Float(-back.east), Float(-back.north)), speed: told.map { Float($0) }, course: course,
      elapsed: (now - last).seconds, deviation)
  }

  private mutating func follow(
    step: Double, elapsed: Interval, _ told: Double?, at now: Instant, _ deviation: Float
  ) {
    let seconds = elapsed.secondsDouble
    let noise = 5 + 6 * Double(deviation) * Elementary.squareRoot(min(1, seconds / 100))
    var fastest = FixJudge.untoldSpeed
    if let told, let before = speed { fastest = 2 * max(told, before) + 0.5 }
    sinceJump = step > fastest * seconds + noise ? 0 : min(sinceJump + 1, FixJudge.settled)
    guard let told, let before = speed, min(told, before) >= FixJudge.steadySpeed, seconds <= 10 else {
      steadySince = nil
      return
    }
    let way = 0.5 * (told + before) * seconds
    if step >= 0.5 * way, step <= 2 * way {
      steadySince = steadySince ?? now - elapsed
    } else {
      steadySince = nil
    }
  }

  /// Standard deviation per axis, m.
  static func deviation(stated: Float, _ scatter: LearntScatter?) -> Float {
    let own = max(FenceParameters.leastDeviation, stated / FenceParameters.radiusOfDeviation)
    guard let scatter, scatter.deviation > 0, scatter.deviation < 1e4 else { return 2 * own }
    guard scatter.isLearnt else { return max(2 * own, scatter.deviation) }
    let worse = max(1, stated / max(scatter.usualAccuracy, 0.1))
    return max(FenceParameters.leastDeviation, scatter.deviation * worse)
  }
}
