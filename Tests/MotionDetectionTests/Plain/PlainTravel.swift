import MotionDetection
import Positioning
import Quantities

/// Travel as `docs/motion.md` and the comments of the parameters describe it, written down as plainly as it goes.
///
/// It serves as the reference for the real detector and shares nothing with it but distances.
struct PlainTravel {
  struct Place: Equatable {
    var time: Instant
    var position: GeodeticPosition
    var accuracy: Float
  }

  struct Finding {
    var time: Instant
    var travels = false
    var onset: Instant
    var ratio: Float = 0
    var byDistance = false
    var unseen: Float?
    var arrived: Instant?
    /// Nothing was known of where it is.
    var isFirst = false
    /// It says that it does not move.
    var stands = false
  }

  let p: MotionParameters
  var anchor: Place?
  var lastFix: Instant?
  /// Times of the fixes that were fast enough, without a break.
  var fast: [Instant] = []
  /// Times of the fixes that at least crept, without a break.
  var creeping: [Instant] = []
  /// Fixes beyond the radius since the anchor was last left or since it last stood.
  var displaced = 0
  /// Fixes beyond the radius in a row, whatever came between.
  var away = 0
  var clearlyAtAnchor: Instant?
  var agreedWithAnchor: Instant?
  var latest: Place?
  var scatter = PlainScatter()
  /// How far it has said that it went since it was last near the place, and its last speed as far as that is believed.
  var toldWay: Float = 0
  private var toldSpeed: Float = 0
  /// Whether it may have been moved unheard.
  var unwatched = false
  /// Times of the fixes that moved as fast as they said, without a break, that before the first included.
  private var steady: [Instant] = []
  private var usual: Interval?
  /// Fixes since the position jumped, eight and more when it has not of late.
  private var sinceJump = 8
  private var jumpedAt: Instant?
  private var jumpedLast = false
  private(set) var speedBefore: Double?

  init(_ p: MotionParameters) { self.p = p }

  var silence: Interval {
    let capped = min(usual?.microseconds ?? 0, 60_000_000)
    return Interval(microseconds: max(p.silenceAfter.microseconds, 3 * capped))
  }

  /// Position and accuracy of a fix that may be believed.
  func usable(_ fix: GNSSFix) -> (GeodeticPosition, Float)? {
    guard fix.mode == .twoDimensional || fix.mode == .threeDimensional, let position = fix.position else { return nil }
    guard let stated = fix.horizontalAccuracy, !stated.isNaN else { return (position, p.assumedAccuracy) }
    if stated < 0 || stated > Double(p.worstAccuracy) { return nil }
    return (position, Float(stated))
  }

  func speed(_ fix: GNSSFix) -> Double? {
    guard let speed = fix.speed, speed >= 0, speed <= 500 else { return nil }
    return speed
  }

  mutating func settle(at place: Place) {
    anchor = place
    unwatched = false
    clearlyAtAnchor = place.time
    agreedWithAnchor = place.time
    displaced = 0
    away = 0
  }

  mutating func forget() {
    fast = []
    creeping = []
    displaced = 0
    (toldWay, toldSpeed) = (0, 0)
  }

  /// Where fixes are too rare to show travel the anchor has stayed behind: two fixes away from it are where it stands.
  mutating func standWhereLastSeen(after lastTravel: Instant? = nil) {
    if let lastTravel, forgetPlace(after: lastTravel) {
    } else if away >= 2, let latest {
      settle(at: latest)
      scatter.stand(at: latest.position, latest.time)
      (toldWay, toldSpeed) = (0, 0)
    }
  }

  @discardableResult mutating func forgetPlace(after lastTravel: Instant) -> Bool {
    guard let lastFix, lastTravel - lastFix > silence else { return false }
    (anchor, away, scatter) = (nil, 0, PlainScatter())
    return true
  }

  mutating func scatterAtAnchor() {
    guard let anchor, let off = scatter.distance(anchor.position) else { return }
    if off >= scatter.toldRadius(least: p.parkedDisplacement, stated: anchor.accuracy) {
      scatter.stand(at: anchor.position, anchor.time)
    }
  }

  mutating func scatterHere() {
    (toldWay, toldSpeed) = (0, 0)
    if let latest { scatter.stand(at: latest.position, latest.time) }
  }

  /// Whether displacement is believed.
  var isSettled: Bool {
    // The last fix is the one that is judged.
    let age = jumpedAt.flatMap { jump in latest.map { $0.time - jump } } ?? .zero
    return sinceJump >= 8 || sinceJump >= 3 && age >= .seconds(30)
  }

  private mutating func lookForJump(
    _ speed: Double?, _ position: GeodeticPosition, at time: Instant, _ wasSilent: Bool
  ) {
    defer { speedBefore = speed }
    sinceJump = min(8, sinceJump + 1)
    guard let latest, time > latest.time else {
      jumpedLast = false
      return
    }
    let gap = time - latest.time
    // After a longer silence a place as far from the anchor as somebody carries it is no jump.
    var canJump = gap <= .seconds(10) || !wasSilent
    if !canJump, let anchor {
      let far = max(100, 8 * scatter.deviation)
      canJump = Float(Geodesic.fastDistance(from: anchor.position, to: position)) < far
    }
    let fastest: Float = speed == nil && speedBefore == nil ? 15 : 2 * Float(max(speed ?? 0, speedBefore ?? 0)) + 1.5
    let step = Float(Geodesic.fastDistance(from: latest.position, to: position))
    let isJump = canJump && step > 30 + fastest * min(gap, .seconds(10)).seconds
    if isJump {
      var goesOn = false
      if jumpedLast, let anchor {
        goesOn =
          Geodesic.fastDistance(from: anchor.position, to: position)
          > Geodesic.fastDistance(from: anchor.position, to: latest.position)
      }
      sinceJump = goesOn ? 8 : 0
      jumpedAt = time
    }
    jumpedLast = isJump
  }

  private mutating func isSteady(_ speed: Double?, _ position: GeodeticPosition, at time: Instant) -> Bool {
    guard let latest, let speed, Float(speed) >= 2.5, time > latest.time else {
      steady = []
      return false
    }
    let way = Float(speed) * (time - latest.time).seconds
    let step = Float(Geodesic.fastDistance(from: latest.position, to: position))
    guard (step - way).magnitude <= 0.5 * way + 2 else {
      steady = []
      return false
    }
    if steady.isEmpty { steady = [latest.time] }
    steady.append(time)
    return steady.count >= 4 && time - steady[0] >= .seconds(10)
  }

  private mutating func run(_ speed: Double?, at time: Instant, limit: Float) {
    let value = speed.map { Float($0) } ?? -1
    if value >= p.continuedSpeed { creeping.append(time) } else { creeping = [] }
    if value >= limit { fast.append(time) } else { fast = [] }
  }

  mutating func judge(_ fix: GNSSFix, travelling: Bool, parked: Bool, vouchedSince: Instant?) -> Finding? {
    guard let (position, accuracy) = usable(fix) else { return nil }
    let speed = speed(fix)
    let gap = lastFix.map { fix.time - $0 } ?? .zero
    let longest = silence
    let isFirst = usual == nil
    if gap > .zero {
      let before = usual ?? gap
      usual = gap <= before ? gap : Interval(microseconds: before.microseconds + (gap - before).microseconds / 4)
    }
    let wasSilent = gap > (isFirst ? silence : longest)
    let least = gap > p.armAfter ? max(1, Float(speedBefore ?? 0) / 2) : 1
    var pace: Float = 0
    if let latest, fix.time > latest.time {
      pace = Float(Geodesic.fastDistance(from: latest.position, to: position)) / (fix.time - latest.time).seconds
    }
    let (lastTold, lastSeen) = (speedBefore, latest?.time)
    let wayFromLast = latest.map { Float(Geodesic.fastDistance(from: $0.position, to: position)) }
    lookForJump(speed, position, at: fix.time, wasSilent)
    lastFix = fix.time
    let isSteady = isSteady(speed, position, at: fix.time)
    let here = Place(time: fix.time, position: position, accuracy: accuracy)
    latest = here
    guard let stood = anchor else {
      settle(at: here)
      scatter.learn(position, accuracy, speed, fix.time, isVouched: false)
      run(speed, at: fix.time, limit: travelling ? p.continuedSpeed : p.travelSpeed)
      var finding = Finding(time: fix.time, onset: fix.time)
      finding.travels = travelling && !fast.isEmpty
      finding.isFirst = wasSilent
      if wasSilent, !fast.isEmpty, let away = wayFromLast, away > 50, away > gap.seconds * least {
        finding.unseen = away
      }
      return finding
    }
    let distance = Float(Geodesic.fastDistance(from: stood.position, to: position))
    let noise = (stood.accuracy * stood.accuracy + accuracy * accuracy).squareRoot()
    let radius = max(p.travelDisplacement, 2 * noise)
    let isStill = vouchedSince.flatMap { since in agreedWithAnchor.map { since <= $0 } } ?? false
    let isVouched = isStill && !isSteady
    away = distance > radius && !isVouched ? away + 1 : 0
    if distance < radius { agreedWithAnchor = fix.time }
    if isVouched {
      let radii = distance / radius
      let isDoubted = travelling ? radii < 1 && (speed ?? 0) < 2 : parked ? radii < 20 : radii < 4
      if isDoubted {
        forget()
        if distance < radius || speed == nil && wasSilent || speed.map({ Float($0) < p.continuedSpeed }) ?? false {
          clearlyAtAnchor = fix.time
        }
        // It is known to stand: how far away the receiver puts it, up to four times what it may, is its scatter.
        if !travelling { learn(position, accuracy, speed, noise, fix.time, upTo: isSettled ? 4 : 1, isVouched: true) }
        return Finding(time: fix.time, onset: fix.time, ratio: radii, byDistance: true)
      }
    }
    if wasSilent {
      forget()
      unwatched = true
      clearlyAtAnchor = fix.time
    }
    let off = scatter.distance(position) ?? distance
    let before = toldSpeed
    toldSpeed = Float(speed ?? 0) >= scatter.fastest(p.travelSpeed, 4.5) ? Float(speed ?? 0) : 0
    if toldSpeed == 0, off < 0.5 * scatter.toldRadius(least: p.parkedDisplacement, stated: noise) {
      toldWay = 0
    } else {
      toldWay += 0.5 * (before + toldSpeed) * max(0, min(gap.seconds, 60))
    }
    let limit = travelling ? p.continuedSpeed : scatter.fastest(p.travelSpeed, 5)
    run(speed, at: fix.time, limit: limit)
    if isSteady, isStill {
      // Nothing more has to hold against the sensor.
      if fast.first.map({ $0 > steady[0] }) ?? true { fast = steady }
      if creeping.first.map({ $0 > steady[0] }) ?? true { creeping = steady }
    }
    var isFast = !fast.isEmpty
    if !travelling, let first = fast.first {
      isFast = fast.count >= 3 && fix.time - first >= p.travelConfirmation
    }
    let saysItStands = speed.map { Float($0) < p.continuedSpeed } ?? false
    let isDisplaced: Bool
    if travelling {
      isDisplaced = distance > radius * (speed == nil ? 0.33 : saysItStands ? 1 : 0.5)
    } else {
      var leaving = radius
      if unwatched {
        leaving = radius
      } else if scatter.steps >= 2 {
        leaving = scatter.radius(least: p.travelDisplacement, stated: radius, accuracy: accuracy)
      } else if Float(speed ?? 0) < p.travelSpeed {
        leaving = max(radius, min(10 * accuracy, 75))
      }
      // After half an hour the middle of all fixes is where it stands.
      let gone = !unwatched && scatter.seconds >= 1800 ? off : distance
      displaced = gone > leaving * (saysItStands ? 2 : 1) ? displaced + 1 : 0
      isDisplaced = displaced >= 3 && isSettled
    }
    var finding = Finding(time: fix.time, onset: fix.time)
    finding.travels = isFast || isDisplaced
    finding.byDistance = !isFast
    finding.stands = saysItStands
    if wasSilent, distance > radius {
      // Found standing, it has been there since it can have come there at its last speed, if that is ten seconds ago.
      if saysItStands, !parked, let speed = lastTold.map({ Float($0) }), speed >= 1, let lastSeen {
        let came = lastSeen + Interval(microseconds: Int64(min(distance / speed, 604_800) * 1e6))
        if fix.time - came >= .seconds(10) { finding.arrived = came }
      }
      if finding.arrived != nil || distance > 50 && distance > gap.seconds * least { finding.unseen = distance }
    }
    // Between two fixes ten seconds and more apart it set off no sooner than it had to.
    if !wasSilent, gap > .seconds(10), clearlyAtAnchor == lastSeen, let lastSeen, let wayFromLast, let speed {
      let needed = wayFromLast / max(1, Float(speed) / 2)
      clearlyAtAnchor = max(lastSeen, fix.time - Interval(microseconds: Int64(min(needed, 604_800) * 1e6)))
    }
    var left = wasSilent ? fix.time : clearlyAtAnchor ?? stood.time
    if speed == nil, pace > 0 {
      left = max(left, fix.time - Interval(microseconds: Int64(min(distance / pace, 604_800) * 1e6)))
    }
    if isFast {
      finding.onset = creeping.first ?? fix.time
      finding.ratio = max(1, Float(speed ?? 0) / limit)
    } else {
      finding.onset = creeping.first.map { min($0, left) } ?? left
      finding.ratio = distance / radius
    }
    if finding.travels || finding.arrived != nil {
      settle(at: here)
      if finding.travels { return finding }
    } else if distance < radius * 0.5 {
      displaced = 0
      clearlyAtAnchor = fix.time
      unwatched = false
      if accuracy < stood.accuracy * 0.7 {
        anchor = Place(time: stood.time, position: position, accuracy: accuracy)
      }
    }
    if finding.arrived != nil { return finding }
    if !travelling { learn(position, accuracy, speed, noise, fix.time, upTo: 1, isVouched: isStill) }
    return finding
  }

  private mutating func learn(
    _ position: GeodeticPosition, _ accuracy: Float, _ speed: Double?, _ noise: Float, _ time: Instant,
    upTo times: Float, isVouched: Bool
  ) {
    guard toldWay == 0, let off = scatter.distance(position) else { return }
    let radius = scatter.radius(least: p.parkedDisplacement, stated: 3 * noise, accuracy: accuracy)
    scatter.learn(position, accuracy, speed, time, isVouched: isVouched, isNear: off < times * radius)
  }
}
