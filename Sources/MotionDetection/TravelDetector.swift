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
  /// Distance covered during a silence at better than walking pace, m.
  var unseenDistance: Float?
}

/// Recognises travel in fixes, by speed that holds or by displacement from where the vehicle stood.
///
/// Two signs, because either fails: receivers invent speed while they stand, and some report none, or a wrong one, while
/// they move.
struct TravelDetector: BitwiseCopyable {
  let parameters: MotionParameters
  /// Where the vehicle was last known to stand or, while it travels, the last fix.
  private(set) var anchor: Anchor?
  private(set) var lastFixTime: Instant?
  /// How far apart fixes usually are: follows shorter steps at once and longer ones slowly, so that one gap changes little.
  private var usualInterval: Interval = .seconds(1)
  /// First of the unbroken run of fixes with speed.
  private var fastSince: Instant?
  private var fastCount: Int32 = 0
  /// First of the unbroken run of fixes that at least crept: travel is dated back to it.
  private(set) var creepingSince: Instant?
  /// Length of the unbroken run of fixes away from the anchor.
  private var displacedCount: Int32 = 0
  /// Last fix that was clearly at the anchor.
  private var lastAtAnchor: Instant?
  /// Last fix that agreed with the anchor.
  private(set) var lastSeenAtAnchor: Instant?
  /// The last usable fix.
  private var last: Anchor?
  /// Length of the unbroken run of fixes away from the anchor, silences included.
  private var awayCount: Int32 = 0

  struct Anchor: BitwiseCopyable {
    var time: Instant
    var position: GeodeticPosition
    var accuracy: Float
  }

  init(parameters: MotionParameters) {
    self.parameters = parameters
    silenceAfter = .zero
    updateSilence()
  }

  private mutating func updateSilence() {
    let usual = min(usualInterval, .seconds(60))
    silenceAfter = max(parameters.silenceAfter, usual + usual + usual)
  }

  /// The vehicle stood there when the tracker was last switched off.
  mutating func restore(_ position: GeodeticPosition, accuracy: Float, at time: Instant) {
    move(to: position, accuracy: accuracy, at: time)
  }

  /// How long nothing must be heard to call it silence: receivers that save power are silent between any two fixes.
  ///
  /// Stored, because it is asked for at each change of state and changes at most with a fix.
  private(set) var silenceAfter: Interval

  private mutating func follow(interval: Interval) {
    guard interval > .zero else { return }
    if interval <= usualInterval {
      usualInterval = interval
    } else {
      let step = (interval - usualInterval).microseconds / 4
      usualInterval = usualInterval + Interval(microseconds: step)
    }
    updateSilence()
  }

  /// Forgets travel: what comes is judged from standing.
  mutating func stand() {
    fastSince = nil
    fastCount = 0
    creepingSince = nil
    displacedCount = 0
  }

  /// The vehicle stands where it is now: where fixes are too rare to show travel, the anchor has stayed behind.
  mutating func anchorWhereLastSeen() {
    guard awayCount >= 2, let last else { return }
    move(to: last.position, accuracy: last.accuracy, at: last.time)
  }

  /// Judges one fix.
  ///
  /// - Parameters:
  ///   - isTravelling: The vehicle travels already, so that less is needed to continue.
  ///   - isParked: The vehicle is parked: more is needed against an inertial sensor that feels nothing.
  ///   - stillSince: The inertial sensor, which can be trusted, says that nothing moves and has watched since then; nil when
  ///     it does not say so.
  /// - Returns: nil when the fix has no usable position.
  mutating func judge(_ fix: GNSSFix, isTravelling: Bool, isParked: Bool, stillSince: Instant?) -> TravelEvidence? {
    guard let (position, accuracy) = fix.evidence(parameters) else { return nil }
    let speed = fix.plausibleSpeed
    let silence = lastFixTime.map { fix.time - $0 } ?? .zero
    let longestSilence = silenceAfter
    follow(interval: silence)
    lastFixTime = fix.time
    last = Anchor(time: fix.time, position: position, accuracy: accuracy)
    guard let standing = anchor else {
      move(to: position, accuracy: accuracy, at: fix.time)
      updateRun(speed: speed, at: fix.time, limit: parameters.travelSpeed)
      return TravelEvidence(time: fix.time, isTravelling: false, onset: fix.time, ratio: 0, isDisplacement: false)
    }
    let distance = Float(Geodesic.fastDistance(from: standing.position, to: position))
    let noise = (standing.accuracy * standing.accuracy + accuracy * accuracy).squareRoot()
    let radius = max(parameters.travelDisplacement, 2 * noise)
    let isStill = vouches(stillSince, for: lastSeenAtAnchor)
    awayCount = distance > radius && !isStill ? awayCount &+ 1 : 0
    if distance < radius { lastSeenAtAnchor = fix.time }
    let radii = distance / radius
    if isStill, TravelDetector.isDoubtful(radii, speed: speed, isTravelling: isTravelling, isParked: isParked) {
      stand()
      if distance < radius { lastAtAnchor = fix.time }
      return TravelEvidence(
        time: fix.time, isTravelling: false, onset: fix.time, ratio: distance / radius, isDisplacement: true)
    }
    let limit = isTravelling ? parameters.continuedSpeed : parameters.travelSpeed
    if silence > longestSilence {
      stand()
      // What happened in the silence is not known: travel is dated to the first fix after it at the earliest.
      lastAtAnchor = fix.time
    }
    updateRun(speed: speed, at: fix.time, limit: limit)
    let isFast = isTravelling ? fastCount > 0 : isConfirmedFast(at: fix.time)
    let isDisplaced = countDisplacement(distance, beyond: radius, speed: speed, isTravelling: isTravelling)
    var unseen: Float?
    if silence > longestSilence, distance > max(50, radius), distance > silence.seconds { unseen = distance }
    let awaySince = silence > longestSilence ? fix.time : (lastAtAnchor ?? standing.time)
    // Slow travel is seen late, by its distance; where it began to creep is where it began.
    let onset = isFast ? (creepingSince ?? fix.time) : min(awaySince, creepingSince ?? awaySince)
    let ratio = isFast ? Float(speed ?? 0) / limit : distance / radius
    if isDisplaced || isFast {
      move(to: position, accuracy: accuracy, at: fix.time)
    } else if distance < radius * 0.5 {
      displacedCount = 0
      lastAtAnchor = fix.time
      // A better look at the same place.
      if accuracy < standing.accuracy * 0.7 {
        anchor = Anchor(time: standing.time, position: position, accuracy: accuracy)
      }
    }
    return TravelEvidence(
      time: fix.time, isTravelling: isFast || isDisplaced, onset: onset, ratio: ratio, isDisplacement: !isFast,
      unseenDistance: unseen)
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
    anchor = Anchor(time: time, position: position, accuracy: accuracy)
    lastAtAnchor = time
    lastSeenAtAnchor = time
    displacedCount = 0
    awayCount = 0
  }

  /// Whether the distance from the anchor is travel.
  ///
  /// One fix alone may be wrong by any distance: three in a row must agree. Against a receiver that says it stands, twice the
  /// distance is needed. Once it travels, the next fixes need not leave the whole radius again.
  private mutating func countDisplacement(
    _ distance: Float, beyond radius: Float, speed: Double?, isTravelling: Bool
  ) -> Bool {
    if isTravelling { return distance > radius * (speed == nil ? 0.33 : 0.5) }
    let isContradicted = (speed ?? 1) < 0.3
    guard distance > radius * (isContradicted ? 2 : 1) else { return false }
    displacedCount &+= 1
    return displacedCount >= 3
  }

  private mutating func updateRun(speed: Double?, at time: Instant, limit: Float) {
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

  private mutating func isConfirmedFast(at time: Instant) -> Bool {
    guard let fastSince, fastCount >= 3 else { return false }
    return time - fastSince >= parameters.travelConfirmation
  }
}
