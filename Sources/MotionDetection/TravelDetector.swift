import Positioning
import Quantities

/// What one fix says about travel.
struct TravelEvidence: BitwiseCopyable {
  /// The time of the fix.
  var time: Instant
  /// The vehicle travels.
  var isTravelling: Bool
  /// When the travel began.
  var onset: Instant
  /// Speed or displacement against its threshold.
  var ratio: Float
  /// True when displacement, not speed, told.
  var isDisplacement: Bool
  /// Distance covered during a silence at better than walking pace, or to where it is found standing, m.
  var unseenDistance: Float?
  /// When it came there, if it stands there; nil if it may go on.
  var arrival: Instant?
  /// The first fix since it went on after the last one: where it is now, nothing was known before.
  var isArrival = false
  /// The fix says that it does not move.
  var saysItStands = false
}

/// Recognises travel in fixes, by speed that holds or by displacement from where the vehicle stood.
///
/// Two signs, because either fails: receivers invent speed while they stand, and some report none, or a wrong one, while
/// they move.
struct TravelDetector: BitwiseCopyable {
  /// How far fixes scatter about the place where the vehicle stands.
  private(set) var scatter = PositionScatter()
  /// What the receiver says of the way from there.
  private(set) var told = ToldWay()
  /// Where the vehicle was last known to stand or, while it travels, the last fix.
  private(set) var anchor: Anchor?
  /// How far apart fixes usually are: the first two tell, then it follows shorter steps at once and longer ones slowly, so that one gap
  /// changes little. Zero before.
  private var usualInterval: Interval = .zero
  /// First of the unbroken run of fixes with speed.
  private var fastSince: Instant?
  private var fastCount: Int32 = 0
  /// First of the unbroken run of fixes that at least crept: travel is dated back to it.
  private(set) var creepingSince: Instant?
  /// Length of the unbroken run of fixes away from the anchor.
  private var displacedCount: Int32 = 0
  // In an order without gaps: the tracker has no bytes to spare.
  /// Last fix that was clearly at the anchor.
  private var lastAtAnchor: Instant?
  /// Length of the unbroken run of fixes away from the anchor, silences included.
  private var awayCount: Int32 = 0
  /// Last fix that agreed with the anchor.
  private(set) var lastSeenAtAnchor: Instant?
  /// How long ago the position last jumped by more than speed can tell, µs, up to `doubtedFor`.
  private var timeSinceJump: Int32 = 0
  /// The last usable fix.
  private var last: Anchor?
  /// True when it may have been moved while nothing was heard: what a receiver says of its speed now tells nothing of that.
  private(set) var isUnwatched = false
  private var hasJumped = false
  /// Fixes since it jumped, up to `doubted`.
  private var sinceJump: UInt8 = TravelDetector.doubted
  private var lastSpeed: Float?
  /// First of the unbroken run of fixes that move as fast as they say.
  private var steadySince: Instant?
  private var steadyCount: Int32 = 0

  struct Anchor: BitwiseCopyable {
    var time: Instant
    var position: GeodeticPosition
    var accuracy: Float
  }

  /// Fixes that must agree after a jump: receivers lose themselves for a few.
  static var doubted: UInt8 { 8 }
  /// Rare fixes that must agree after one, and over how long.
  static var doubtedRarely: UInt8 { 3 }
  static var doubtedFor: Interval { .seconds(30) }
  /// Time between two fixes beyond which speed explains no more; after a silence as long anything may have happened, and what is as far
  /// away then as somebody carries it is believed.
  static var longestJump: Interval { .seconds(10) }
  /// Distance of such a place, m, and in deviations of the fixes at the place before; what is nearer may be a receiver that has lost itself.
  static var carriedOff: Float { 100 }
  static var carriedOffDeviations: Float { 8 }
  /// How many times as far as it says a receiver may be wrong: fixes up to there are learnt from while the inertial sensor says that it
  /// stands.
  static var wrongest: Float { 4 }
  /// Distance that is no jump, m, and the speed that is assumed where none is told, m/s.
  static var jump: Float { 30 }
  static var untoldSpeed: Float { 15 }

  var lastFixTime: Instant? { last?.time }

  /// True when displacement is believed.
  var isSettled: Bool {
    if sinceJump >= TravelDetector.doubted { return true }
    return sinceJump >= TravelDetector.doubtedRarely && timeSinceJump >= Int32(TravelDetector.doubtedFor.microseconds)
  }

  init(parameters: MotionParameters) { silenceAfter = max(parameters.silenceAfter, .seconds(3)) }

  /// Speed that is believed against an inertial sensor that feels nothing, m/s: more than receivers invent.
  static var steadySpeed: Float { 2.5 }
  /// Slower at the last fix, m/s, it may have stood there soon after, and nobody knows when it came to where it is.
  static var goingSpeed: Float { 1 }
  /// True when it went so fast at the last fix.
  var wasFast: Bool { lastSpeed.map { $0 >= TravelDetector.steadySpeed } ?? false }
  /// How long it must be held, in fixes that move by as much as it says.
  static var steadyConfirmation: Interval { .seconds(10) }

  /// The vehicle stood there when the tracker was last switched off.
  mutating func restore(_ position: GeodeticPosition, accuracy: Float, at time: Instant) {
    move(to: position, accuracy: accuracy, at: time)
    scatter.move(to: position, at: time)
    isUnwatched = true
  }

  /// How long nothing must be heard to call it silence: receivers that save power are silent between any two fixes.
  ///
  /// Stored, because it is asked for at each change of state and changes at most with a fix.
  private(set) var silenceAfter: Interval

  private mutating func follow(interval: Interval, _ parameters: MotionParameters) {
    guard interval > .zero else { return }
    if interval <= usualInterval || usualInterval == .zero {
      usualInterval = interval
    } else {
      let step = (interval - usualInterval).microseconds / 4
      usualInterval = usualInterval + Interval(microseconds: step)
    }
    let usual = min(usualInterval, .seconds(60))
    silenceAfter = max(parameters.silenceAfter, usual + usual + usual)
  }

  /// Forgets travel: what comes is judged from standing.
  mutating func stand() {
    fastSince = nil
    fastCount = 0
    creepingSince = nil
    displacedCount = 0
    told = ToldWay()
  }

  /// The vehicle stands where it is now: where fixes are too rare to show travel, the anchor has stayed behind.
  ///
  /// - Parameter lastTravel: When it travelled last, by whatever sensor.
  mutating func anchorWhereLastSeen(after lastTravel: Instant? = nil) {
    if let lastTravel, forgetPlace(after: lastTravel) { return }
    guard awayCount >= 2, let last else { return }
    move(to: last.position, accuracy: last.accuracy, at: last.time)
    scatter.move(to: last.position, at: last.time)
    told = ToldWay()
  }

  /// What went on after the last fix stands where only the next one can tell.
  ///
  /// - Returns: False when the last fix has seen it.
  @discardableResult mutating func forgetPlace(after lastTravel: Instant) -> Bool {
    guard let lastFixTime, lastTravel - lastFixTime > silenceAfter else { return false }
    forgetPlace()
    return true
  }

  /// Where it stands is not known.
  mutating func forgetPlace() {
    anchor = nil
    awayCount = 0
    scatter = PositionScatter()
  }

  /// It is parked at the anchor: what was learnt of another place says nothing of this one.
  ///
  /// It has moved before it was parked, so less shows that it is elsewhere than once it is parked: as much as when its speeds say so, too.
  mutating func scatterAtAnchor(_ parameters: MotionParameters) {
    guard let anchor, let off = scatter.distance(of: anchor.position) else { return }
    let radius = scatter.toldRadius(least: parameters.parkedDisplacement, stated: anchor.accuracy)
    if off >= radius { scatter.move(to: anchor.position, at: anchor.time) }
  }

  /// The vehicle has come to stand where the last fix is.
  mutating func scatterHere() {
    told = ToldWay()
    if let last { scatter.move(to: last.position, at: last.time) }
  }

  /// Judges one fix.
  ///
  /// - Parameters:
  ///   - isTravelling: The vehicle travels already, so that less is needed to continue.
  ///   - isParked: The vehicle is parked: more is needed against an inertial sensor that feels nothing.
  ///   - stillSince: The inertial sensor, which can be trusted, says that nothing moves and has watched since then; nil when
  ///     it does not say so.
  /// - Returns: nil when the fix has no usable position.
  mutating func judge(
    _ fix: GNSSFix, isTravelling: Bool, isParked: Bool, stillSince: Instant?, _ parameters: MotionParameters
  ) -> TravelEvidence? {
    guard let (position, accuracy) = fix.evidence(parameters) else { return nil }
    let (speed, speedBefore, before) = (fix.plausibleSpeed, lastSpeed, last)
    let silence = lastFixTime.map { fix.time - $0 } ?? .zero
    let (isFirst, usual) = (usualInterval == .zero, silenceAfter)
    follow(interval: silence, parameters)
    // That of a receiver which is asked rarely is no silence, in which something may have happened: nothing else has been heard yet.
    let longestSilence = isFirst ? silenceAfter : usual
    noteJump(speed: speed, position, at: fix.time, isAfterSilence: silence > longestSilence)
    let isSteady = noteSteady(speed: speed, position, at: fix.time)
    let here = Anchor(time: fix.time, position: position, accuracy: accuracy)
    last = here
    guard let standing = anchor else {
      move(to: position, accuracy: accuracy, at: fix.time)
      scatter.learn(position, accuracy: accuracy, speed: speed, at: fix.time)
      updateRun(
        speed: speed, at: fix.time, limit: isTravelling ? parameters.continuedSpeed : parameters.travelSpeed, parameters
      )
      // What other sensors have seen travel goes on if it is fast here, and was on the way to here.
      let isFast = fastCount > 0
      var unseen: Float?
      if let before, isFast, silence > longestSilence {
        let distance = Float(Geodesic.fastDistance(from: before.position, to: position))
        if isAsFast(distance, in: silence, as: speedBefore, parameters) { unseen = distance }
      }
      return TravelEvidence(
        time: fix.time, isTravelling: isTravelling && isFast, onset: fix.time, ratio: 0, isDisplacement: false,
        unseenDistance: unseen, isArrival: silence > longestSilence)
    }
    let distance = Float(Geodesic.fastDistance(from: standing.position, to: position))
    let noise = (standing.accuracy * standing.accuracy + accuracy * accuracy).squareRoot()
    let radius = max(parameters.travelDisplacement, 2 * noise)
    let isVouched = vouches(stillSince, for: lastSeenAtAnchor)
    let isStill = isVouched && !isSteady
    awayCount = distance > radius && !isStill ? awayCount &+ 1 : 0
    if distance < radius { lastSeenAtAnchor = fix.time }
    let radii = distance / radius
    if isStill, TravelDetector.isDoubtful(radii, speed: speed, isTravelling: isTravelling, isParked: isParked) {
      stand()
      // Wherever that is: what says that it stands, too, or was not seen before, has not set off before now.
      let saysItStands = speed.map { Float($0) < parameters.continuedSpeed } ?? (silence > longestSilence)
      if distance < radius || saysItStands { lastAtAnchor = fix.time }
      // What is known to stand teaches most, and what lies far away of it more than the rest.
      learn(
        position, accuracy: accuracy, speed: speed, at: fix.time, isTravelling: isTravelling, noise: noise,
        reach: isSettled ? TravelDetector.wrongest : 1, isVouched: true, parameters)
      return TravelEvidence(
        time: fix.time, isTravelling: false, onset: fix.time, ratio: distance / radius, isDisplacement: true)
    }
    let believed = scatter.believedSpeed(least: parameters.travelSpeed)
    let limit = isTravelling ? parameters.continuedSpeed : believed
    if silence > longestSilence {
      stand()
      isUnwatched = true
      // What happened in the silence is not known: travel is dated to the first fix after it at the earliest.
      lastAtAnchor = fix.time
    }
    let off = scatter.distance(of: position) ?? distance
    told.add(
      speed: speed, passed: silence,
      limit: scatter.believedSpeed(least: parameters.travelSpeed, deviations: PositionScatter.toldDeviations),
      isNear: off < 0.5 * scatter.toldRadius(least: parameters.parkedDisplacement, stated: noise))
    updateRun(speed: speed, at: fix.time, limit: limit, parameters)
    // What has moved as it says for ten seconds needs no more to be believed against the inertial sensor.
    if isSteady, isVouched, let since = steadySince { beginRun(since, steadyCount) }
    let isFast = isTravelling ? fastCount > 0 : isConfirmedFast(at: fix.time, parameters)
    let contradicted = speed.map { Float($0) < parameters.continuedSpeed } ?? false
    let isDisplaced: Bool
    if isTravelling {
      isDisplaced = distance > radius * (speed == nil ? 0.33 : contradicted ? 1 : 0.5)
    } else {
      let leaving = leavingRadius(
        radius, least: parameters.travelDisplacement, accuracy: accuracy,
        isTold: speed.map { Float($0) >= parameters.travelSpeed } ?? false)
      // What is known of the scatter is about its mean; the anchor is a single fix, which errs as the others do.
      let away = scatter.isLearnt && !isUnwatched ? off : distance
      isDisplaced = countDisplacement(away, beyond: leaving * (contradicted ? 2 : 1))
    }
    var unseen: Float?
    var arrival: Instant?
    if silence > longestSilence, distance > radius {
      if !isParked, contradicted, let before {
        arrival = TravelDetector.arrival(from: before.time, at: speedBefore, over: distance, seen: fix.time)
      }
      if arrival != nil || isAsFast(distance, in: silence, as: speedBefore, parameters) { unseen = distance }
    }
    if let before, before.time == lastAtAnchor, silence > TravelDetector.longestJump, let speed {
      // Between two fixes so far apart it set off in time to be here at the mean of standing and what it says, not before.
      let way = TravelDetector.distance(from: before, to: here) / max(Float(speed) / 2, TravelDetector.goingSpeed)
      lastAtAnchor = max(before.time, fix.time - TravelDetector.interval(seconds: way))
    }
    let awaySince = silence > longestSilence ? fix.time : (lastAtAnchor ?? standing.time)
    // Slow travel is seen late, by its distance; where it began to creep is where it began. Without speeds it is no longer away than its
    // last step takes for the distance: errors of minutes keep fixes away from the anchor before.
    let setOff =
      speed == nil ? max(awaySince, fix.time - TravelDetector.time(of: distance, at: here, after: before)) : awaySince
    let onset = isFast ? (creepingSince ?? fix.time) : min(setOff, creepingSince ?? setOff)
    let ratio = isFast ? max(1, Float(speed ?? 0) / limit) : distance / radius
    if isDisplaced || isFast || arrival != nil {
      move(to: position, accuracy: accuracy, at: fix.time)
    } else {
      if distance < radius * 0.5 {
        displacedCount = 0
        lastAtAnchor = fix.time
        isUnwatched = false
        // A better look at the same place.
        if accuracy < standing.accuracy * 0.7 {
          anchor = Anchor(time: standing.time, position: position, accuracy: accuracy)
        }
      }
      learn(
        position, accuracy: accuracy, speed: speed, at: fix.time, isTravelling: isTravelling, noise: noise, reach: 1,
        isVouched: isVouched, parameters)
    }
    return TravelEvidence(
      time: fix.time, isTravelling: isFast || isDisplaced, onset: onset, ratio: ratio, isDisplacement: !isFast,
      unseenDistance: unseen, arrival: arrival, saysItStands: contradicted)
  }

  /// Whether a way is one of a ride that goes on: in a silence in which it could have been parked it must have gone on as fast as it was.
  private func isAsFast(_ distance: Float, in silence: Interval, as speed: Float?, _ parameters: MotionParameters)
    -> Bool
  {
    let pace = silence > parameters.armAfter ? max(1, (speed ?? 0) / 2) : 1
    return distance > 50 && distance > silence.seconds * pace
  }

  /// When what is found standing came there, if it went on as fast as it was; nil if it may have come just now.
  private static func arrival(
    from last: Instant, at speed: Float?, over distance: Float, seen now: Instant
  ) -> Instant? {
    guard let speed, speed >= TravelDetector.goingSpeed else { return nil }
    let arrival = last + TravelDetector.interval(seconds: distance / speed)
    return now - arrival >= TravelDetector.longestJump ? arrival : nil
  }

  /// How long a distance takes at the pace of the last step; a week at no pace.
  private static func time(of distance: Float, at here: Anchor, after before: Anchor?) -> Interval {
    guard let before, here.time > before.time else { return .seconds(604_800) }
    let pace = TravelDetector.distance(from: before, to: here) / (here.time - before.time).seconds
    return pace > 0 ? interval(seconds: distance / pace) : .seconds(604_800)
  }

  /// At most a week.
  @inline(never) private static func interval(seconds: Float) -> Interval {
    Interval(microseconds: Int64(min(seconds, 604_800) * 1e6))
  }

  /// In metres.
  @inline(never) private static func distance(from a: Anchor, to b: Anchor) -> Float {
    Float(Geodesic.fastDistance(from: a.position, to: b.position))
  }

  /// What stands teaches how far fixes scatter; what is elsewhere does not.
  ///
  /// - Parameters:
  ///   - reach: How many times as far as what is believed of the scatter counts as standing.
  ///   - isVouched: An inertial sensor says that it stands.
  private mutating func learn(
    _ position: GeodeticPosition, accuracy: Float, speed: Double?, at time: Instant, isTravelling: Bool, noise: Float,
    reach: Float, isVouched: Bool, _ parameters: MotionParameters
  ) {
    // Nor does what has said that it went away.
    guard !isTravelling, told.metres == 0, let off = scatter.distance(of: position) else { return }
    let radius = scatter.radius(least: parameters.parkedDisplacement, stated: 3 * noise, accuracy: accuracy)
    scatter.learn(
      position, accuracy: accuracy, speed: speed, at: time, isVouched: isVouched, isWithin: off < reach * radius)
  }

  /// The distance from which on it has left, m.
  ///
  /// A receiver that tells no speed, or that it stands, is believed less until its scatter is known: nothing else says that it only wanders.
  private func leavingRadius(_ radius: Float, least: Float, accuracy: Float, isTold: Bool) -> Float {
    if isUnwatched { return radius }
    if scatter.isKnown { return scatter.radius(least: least, stated: radius, accuracy: accuracy) }
    return isTold ? radius : max(radius, min(10 * accuracy, 75))
  }

  /// Whether fixes have moved for some time by as much as they say, and quickly.
  private mutating func noteSteady(speed: Double?, _ position: GeodeticPosition, at time: Instant) -> Bool {
    guard let last, let speed, Float(speed) >= TravelDetector.steadySpeed, time > last.time else {
      steadySince = nil
      steadyCount = 0
      return false
    }
    let way = Float(speed) * (time - last.time).seconds
    let step = Float(Geodesic.fastDistance(from: last.position, to: position))
    let difference = step - way
    guard (difference < 0 ? -difference : difference) <= 0.5 * way + 2 else {
      steadySince = nil
      steadyCount = 0
      return false
    }
    let since = steadySince ?? last.time
    steadySince = since
    steadyCount &+= 1
    return steadyCount >= 3 && time - since >= TravelDetector.steadyConfirmation
  }

  /// Whether a fix is not believed because the inertial sensor feels nothing.
  ///
  /// Receivers wander and invent speeds while they stand. A ride that is under way needs little to go on; to set off, or to be
  /// moved when parked, the fix must be too far away for that.
  private static func isDoubtful(_ radii: Float, speed: Double?, isTravelling: Bool, isParked: Bool) -> Bool {
    if isTravelling { return radii < 1 && (speed ?? 0) < 2 }
    return radii < (isParked ? 20 : 4)
  }

  private mutating func move(to position: GeodeticPosition, accuracy: Float, at time: Instant) {
    isUnwatched = false
    anchor = Anchor(time: time, position: position, accuracy: accuracy)
    lastAtAnchor = time
    lastSeenAtAnchor = time
    displacedCount = 0
    awayCount = 0
  }

  /// Whether the distance from the anchor is travel.
  ///
  /// One fix alone may be wrong by any distance: three in a row must agree.
  private mutating func countDisplacement(_ distance: Float, beyond radius: Float) -> Bool {
    guard distance > radius else {
      displacedCount = 0
      return false
    }
    displacedCount &+= 1
    return displacedCount >= 3 && isSettled
  }

  /// Notices that the position jumps by more than the speed before and after tells. Jumps one after another, each farther away, are travel
  /// that the receiver does not tell.
  private mutating func noteJump(
    speed: Double?, _ position: GeodeticPosition, at time: Instant, isAfterSilence: Bool
  ) {
    let before = lastSpeed
    let speed = speed.map { Float($0) }
    lastSpeed = speed
    if sinceJump < TravelDetector.doubted {
      sinceJump += 1
      if let last, time > last.time {
        let passed = min(time - last.time, TravelDetector.doubtedFor).microseconds
        timeSinceJump = Int32(min(Int64(timeSinceJump) + passed, TravelDetector.doubtedFor.microseconds))
      }
    }
    guard let last, time > last.time else {
      hasJumped = false
      return
    }
    let told = speed ?? before
    let fastest = told == nil ? TravelDetector.untoldSpeed : 2 * max(speed ?? 0, before ?? 0) + 1.5
    let step = Float(Geodesic.fastDistance(from: last.position, to: position))
    let watched = min(time - last.time, TravelDetector.longestJump)
    let isUnheard = isAfterSilence && time - last.time > TravelDetector.longestJump
    guard step > TravelDetector.jump + fastest * watched.seconds, !isUnheard || isNearAnchor(position) else {
      hasJumped = false
      return
    }
    let isFarther = anchor.map {
      Geodesic.fastDistance(from: $0.position, to: position)
        > Geodesic.fastDistance(from: $0.position, to: last.position)
    }
    sinceJump = hasJumped && isFarther ?? false ? TravelDetector.doubted : 0
    timeSinceJump = 0
    hasJumped = true
  }

  /// Whether a place is nearer to the anchor than somebody would carry it.
  private func isNearAnchor(_ position: GeodeticPosition) -> Bool {
    guard let anchor else { return false }
    let far = max(TravelDetector.carriedOff, TravelDetector.carriedOffDeviations * scatter.deviation())
    return Float(Geodesic.fastDistance(from: anchor.position, to: position)) < far
  }

  private mutating func updateRun(speed: Double?, at time: Instant, limit: Float, _ parameters: MotionParameters) {
    if let speed, Float(speed) >= parameters.continuedSpeed {
      if creepingSince == nil { creepingSince = time }
    } else {
      creepingSince = nil
    }
    guard let speed, Float(speed) >= limit else {
      fastSince = nil
      fastCount = 0
      return
    }
    if fastSince == nil { fastSince = time }
    fastCount &+= 1
  }

  /// The run of fast fixes has begun earlier.
  private mutating func beginRun(_ since: Instant, _ count: Int32) {
    fastSince = min(fastSince ?? since, since)
    creepingSince = min(creepingSince ?? since, since)
    fastCount = max(fastCount, count)
  }

  private mutating func isConfirmedFast(at time: Instant, _ parameters: MotionParameters) -> Bool {
    guard let fastSince, fastCount >= 3 else { return false }
    return time - fastSince >= parameters.travelConfirmation
  }
}
