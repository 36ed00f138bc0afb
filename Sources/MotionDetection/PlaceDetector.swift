import Positioning
import Quantities

/// Recognises that a parked vehicle is somewhere else: fixes beyond all that they have scattered so far.
struct PlaceDetector: BitwiseCopyable {
  // In an order without gaps: the tracker has no bytes to spare.
  /// The first of the fixes in a row that are elsewhere, and of those that say that they went there; of no meaning without any.
  private var since = Instant.zero
  private var toldSince = Instant.zero
  /// Where it was parked; nil without a fix.
  private(set) var position: GeodeticPosition?
  /// Fixes in a row that are elsewhere, and those that have gone there, as far as it matters.
  private var count: UInt8 = 0
  private var toldCount: UInt8 = 0
  /// It may have been moved unheard, when it was elsewhere first.
  private var isUnheard = false
  /// How well that is known, m.
  private(set) var accuracy: Float
  /// Last fix that agreed with the place; nil when there was none.
  private var seen: Instant?
  /// Distance from the parking place, m, as last seen; negative before.
  private var lastDisplacement: Float = -1
  /// Last fix, long ago before the first one, and the last one that did not say that it stands.
  private var last = Instant(microseconds: -86_400_000_000)
  private var doubted: Instant?

  /// Distance from the parking place, m, as last seen.
  var displacement: Float? { lastDisplacement < 0 ? nil : lastDisplacement }

  /// True when the last fix was elsewhere, and nothing vouched for the place.
  var isInDoubt: Bool { count > 0 || toldCount > 0 }

  /// Fixes in a row that must agree: one alone, or two, may be wrong by any distance.
  static var confirmation: UInt8 { 3 }
  /// The same when they say that they stand, and did not go there.
  ///
  /// Outliers come three in a row, whatever the time between two fixes, and one may begin where another ends.
  static var contradicted: UInt8 { 5 }

  /// The same where only the way shows that they went there: outliers are three, and with a fourth two that follow each other.
  static var departed: UInt8 { 4 }

  /// How long a receiver must have said that it stands to be asked for more while its scatter is not known yet, and how many times the
  /// distance: one that is calm for some minutes wanders away later.
  static var standing: Interval { .seconds(60) }
  static var standingFactor: Float { 4 }

  init(position: GeodeticPosition?, accuracy: Float, seen: Instant?) {
    self.position = position
    self.accuracy = accuracy
    self.seen = seen
  }

  /// Judges one fix.
  ///
  /// - Parameters:
  ///   - scatter: Of the fixes until now, about the place.
  ///   - told: What its speeds say of the way there.
  ///   - isUnwatched: It may have been moved while nothing was heard, so that no speed tells of that.
  ///   - isSettled: False when the position has just jumped by more than speed can tell.
  ///   - stillSince: Since when the inertial sensor vouches that it has not moved; nil when it does not.
  mutating func judge(
    _ fix: GNSSFix, _ scatter: PositionScatter, _ told: ToldWay, isUnwatched: Bool, isSettled: Bool,
    stillSince: Instant?, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    guard let (found, accuracy) = fix.evidence(parameters) else { return }
    guard let parked = position else {
      // Parked without a fix, indoors perhaps: the first one shows where.
      position = found
      self.accuracy = accuracy
      seen = fix.time
      return
    }
    lastDisplacement = Float(Geodesic.fastDistance(from: parked, to: found))
    let noise = (self.accuracy * self.accuracy + accuracy * accuracy).squareRoot()
    let learnt = scatter.radius(
      least: parameters.parkedDisplacement, stated: 3 * noise, accuracy: accuracy, isDoubtful: true)
    let radius =
      saysItStands(fix, isSettled: isSettled, parameters) && !scatter.isLearnt
      ? PlaceDetector.standingFactor * learnt : learnt
    let distance = scatter.distance(of: found) ?? lastDisplacement
    let isStill = vouches(stillSince, for: seen)
    let near = scatter.toldRadius(least: parameters.parkedDisplacement, stated: noise)
    let isTold = scatter.isKnown && distance >= near && told.explains(distance)
    let departure = isTold || isUnwatched || isStill ? 0 : departure(of: fix, distance, scatter, parameters)
    if !isStill, isTold || departure >= 1 {
      if toldCount == 0 { toldSince = fix.time }
      toldCount = min(toldCount, 254) + 1
      if isTold ? toldCount >= PlaceDetector.confirmation : toldCount >= PlaceDetector.departed && isSettled {
        judgement.confirm(.displacement, ratio: isTold ? distance / near : departure, onset: toldSince)
      }
    } else {
      toldCount = 0
    }
    if scatter.hasStayedAway, fix.plausibleSpeed == nil, !isStill, distance >= parameters.parkedDisplacement {
      judgement.confirm(.displacement, ratio: max(1, distance / scatter.stayingRadius), onset: fix.time)
    }
    guard distance >= radius, !isStill || distance > 20 * radius else {
      if distance < radius {
        seen = fix.time
        if accuracy < self.accuracy * 0.7 {
          position = found
          self.accuracy = accuracy
        }
      }
      count = 0
      return
    }
    if count == 0 { since = fix.time }
    count = min(count, 254) + 1
    isUnheard = isUnwatched || (isUnheard && count > 1)
    let isContradicted = fix.plausibleSpeed != nil && !isUnheard
    let needed = isContradicted ? PlaceDetector.contradicted : PlaceDetector.confirmation
    guard count >= needed, isSettled else { return }
    judgement.confirm(.displacement, ratio: distance / radius, onset: since)
  }

  /// How far the fix that was judged last is away against what counts; nil before the place is known.
  func ratio(
    of fix: GNSSFix, _ scatter: PositionScatter, stillSince: Instant?, _ parameters: MotionParameters
  ) -> Float? {
    guard let parked = position, let (found, accuracy) = fix.evidence(parameters) else { return nil }
    let stated = 3 * (self.accuracy * self.accuracy + accuracy * accuracy).squareRoot()
    var radius = scatter.radius(
      least: parameters.parkedDisplacement, stated: stated, accuracy: accuracy, isDoubtful: true)
    let saysItStands = doubted.map { fix.time - $0 >= PlaceDetector.standing } ?? false
    if saysItStands, !scatter.isLearnt { radius *= PlaceDetector.standingFactor }
    if vouches(stillSince, for: seen) { radius *= 20 }
    let distance = scatter.distance(of: found) ?? Float(Geodesic.fastDistance(from: parked, to: found))
    if toldCount > 0, fix.plausibleSpeed == nil {
      return max(distance / radius, departure(of: fix, distance, scatter, parameters))
    }
    if toldCount > 0 {
      radius = min(radius, scatter.toldRadius(least: parameters.parkedDisplacement, stated: stated / 3))
    }
    return distance / radius
  }

  /// By how many times what an error can do a fix without a speed has gone away; 0 where that is not asked.
  ///
  /// What is stated counts once, and not when the scatter is learnt.
  private func departure(
    of fix: GNSSFix, _ distance: Float, _ scatter: PositionScatter, _ parameters: MotionParameters
  ) -> Float {
    guard fix.plausibleSpeed == nil, let (found, accuracy) = fix.evidence(parameters) else { return 0 }
    guard distance >= max(parameters.parkedDisplacement, scatter.isLearnt ? 0 : accuracy) else { return 0 }
    return scatter.departure(of: found, accuracy: accuracy, at: fix.time)
  }

  /// Whether each fix of the last time has said that nothing moves, and none has jumped.
  private mutating func saysItStands(_ fix: GNSSFix, isSettled: Bool, _ parameters: MotionParameters) -> Bool {
    let isWatched = fix.time - last <= TravelDetector.longestJump
    last = fix.time
    guard let speed = fix.plausibleSpeed, isWatched, isSettled, Float(speed) < parameters.continuedSpeed else {
      doubted = fix.time
      return false
    }
    return doubted.map { fix.time - $0 >= PlaceDetector.standing } ?? false
  }
}
