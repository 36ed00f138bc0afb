public import Quantities

/// Learns how far a wheel goes with each pulse of its sensor, and counts the way by it.
///
/// The sensor counts pulses, one or more with each turn; what is learnt is metres per pulse, so that nobody need know how many. Beside
/// the wheel runs `TripMeter`, whose way by fixes teaches the wheel, judges it, and stands in for it.
///
/// **Learning.** Stretches between fixes teach (`WheelLesson`) what is known of the wheel (`WheelScale`). From a standard deviation of
/// `WheelScale.aim` on it counts: after three stretches.
///
/// **What is judged.** While it counts, the way by fixes is compared with the way by the wheel since the last stand. If they differ by
/// more than four standard deviations of the two ends and a tenth of the way, the wheel is wrong, and what it missed is counted by
/// fixes: pulses are missed, or come twice, or the sensor has died. If the wheel has stood since the vehicle set off, or all through a
/// silence, it works and the vehicle is carried: that way is counted as carried only.
///
/// **What is proven.** Nobody gets off while it is under way: if the wheel turns again though the vehicle has not stood, its sensor has
/// failed, and the way is counted by fixes after all. So is that of two rides in a row on which it never turned when it does not turn on
/// the third either, but for rides on which it was faster than `fastestRidden`: that was a car.
///
/// **A changed wheel.** A stretch that differs ends the trust; in between, and until the third one of the new wheel, fixes count.
///
/// - Source: our derivation.
@frozen public struct WheelMeter: Equatable, BitwiseCopyable, Sendable {
  // In the order that leaves no holes.
  /// Of the distance, what the wheel has counted, m.
  package private(set) var counted: Double = 0
  /// How far that may be off, m: each way with the deviation of its time, as one wheel errs to one side.
  package private(set) var doubt: Double = 0
  /// When the last reading was taken.
  private var time: Instant = .zero
  /// What is known of the wheel.
  private var known = WheelScale()
  /// What was carried since the ride began, m.
  package private(set) var carried: Float = 0
  /// Of it, what was carried since the wheel turned last, m.
  private var held: Float = 0
  /// What was carried on the rides before, since the wheel turned last, m.
  private var unproven: Float = 0
  /// The last reading.
  private var count: UInt32 = 0
  /// Pulses per second between the last two readings.
  private var rate: Float = 0
  /// What the wheel has turned while the vehicle was not known to travel, m; below zero what fixes have counted before its pulses came.
  package private(set) var pending: Float = 0
  /// Way by fixes since the last reading, m.
  private var since: Float = 0
  /// Since the last stand, or the last stretch.
  private var judged = WheelStretch()
  /// What is learnt from.
  private var lesson = WheelLesson()
  /// What the wheel is, a bit each: at first it stands.
  private var flags: UInt8 = 0b0100_0000
  /// Rides that have begun since the wheel has turned.
  private var stillRides: UInt8 = 0
  /// True when it has been too fast for a ride since it is carried.
  private var isDriven = false

  /// True while the wheel decides what is counted.
  package private(set) var isCounting: Bool {
    get { flags & 1 != 0 }
    set { note(1, newValue) }
  }
  /// True while the vehicle moves and the wheel stands.
  package private(set) var isCarried: Bool {
    get { flags & 2 != 0 }
    set { note(2, newValue) }
  }
  /// True while fixes contradict the wheel.
  package private(set) var isDoubted: Bool {
    get { flags & 4 != 0 }
    set { note(4, newValue) }
  }
  private var hasCount: Bool {
    get { flags & 8 != 0 }
    set { note(8, newValue) }
  }
  /// True when no reading has come for longer than `patience`.
  private var isSilent: Bool {
    get { flags & 16 != 0 }
    set { note(16, newValue) }
  }
  /// True while `judged` began where the vehicle stood.
  private var isFromStand: Bool {
    get { flags & 32 != 0 }
    set { note(32, newValue) }
  }
  /// True since a fix at which it was not known to travel, until the next way.
  private var isStanding: Bool {
    get { flags & 64 != 0 }
    set { note(64, newValue) }
  }
  /// True when it has stood, or was not seen, since it is carried.
  private var hasStood: Bool {
    get { flags & 128 != 0 }
    set { note(128, newValue) }
  }

  private mutating func note(_ bit: UInt8, _ isSo: Bool) {
    if isSo { flags |= bit } else { flags &= ~bit }
  }

  /// Accuracy of a fix that tells none, m.
  @inlinable package static var assumedAccuracy: Float { 5 }
  /// No wheel that is ridden turns faster, m/s.
  @inlinable package static var fastest: Float { 40 }
  /// A sensor that is silent for longer than this has died.
  @inlinable package static var patience: Interval { .seconds(10) }
  /// So long after a reading it is known how many pulses there are.
  @inlinable package static var reach: Interval { .seconds(2) }
  /// The ways by fixes and by the wheel agree to this share.
  @inlinable package static var agreement: Float { 0.1 }
  /// A way on which the wheel turned by less than this share is carried.
  @inlinable package static var turning: Float { 0.2 }
  /// While it is carried, the wheel is looked at after each such way, m.
  @inlinable package static var look: Float { 20 }
  /// Faster, m/s, no bike is ridden for 20 m: 90 km/h.
  @inlinable package static var fastestRidden: Float { 25 }
  /// With so many rides in a row in which it has not turned at all, a wheel is broken.
  @inlinable package static var stillRidesOfBroken: UInt8 { 3 }

  /// Nothing is known.
  public init() {}

  /// Metres per pulse; 0 while nothing is known.
  package var scale: Float { known.metres }
  /// Standard deviation of `scale`, as a share of it.
  package var deviation: Float { known.deviation }
  /// What it was set to, m; 0 for nothing.
  var given: Float { known.given }

  /// What is kept over a restart.
  @frozen package struct Kept: Equatable, BitwiseCopyable, Sendable {
    /// What is known of the wheel.
    package var known = WheelScale()
    /// As of the meter.
    package var carried: Float = 0
    /// As of the meter.
    package var counted: Double = 0
    /// As of the meter.
    package var doubt: Double = 0
    /// As of the meter.
    package var isDoubted = false
    /// As of the meter.
    package var isCarried = false
    /// Rides that have begun since the wheel has turned.
    package var stillRides: UInt8 = 0
    /// What was carried since then and may have been ridden, m.
    package var unproven: Float = 0

    /// Nothing is known.
    package init() {}
  }

  /// What is to be kept; nil before anything is known of a wheel.
  package var kept: Kept? {
    guard hasCount || scale > 0 || counted > 0 || carried > 0 else { return nil }
    var kept = Kept()
    kept.known = known
    (kept.carried, kept.counted, kept.doubt) = (carried, counted, doubt)
    (kept.isDoubted, kept.isCarried, kept.stillRides) = (isDoubted, isCarried, stillRides)
    kept.unproven = unproven + held
    return kept
  }

  /// Goes on where an earlier meter was; another circumference than that one was set to counts as another wheel.
  package mutating func restore(_ kept: Kept) {
    (carried, counted, doubt) = (kept.carried, kept.counted, kept.doubt)
    guard kept.known.given == known.given else { return }
    known = kept.known
    (isDoubted, isCarried, stillRides) = (kept.isDoubted, kept.isCarried, kept.stillRides)
    (unproven, hasStood) = (kept.unproven, true)
  }

  /// Begins with a wheel as the owner has measured it.
  ///
  /// - Parameter circumference: m; 0 when nobody knows. The same as before changes nothing.
  package mutating func begin(circumference: Float) {
    guard circumference != known.given else { return }
    known = WheelScale(given: circumference)
    isDoubted = false
    leave()
  }

  /// True when it may count: it is known well enough, and works.
  private var isTrusted: Bool { hasCount && !isSilent && !isDoubted && deviation <= WheelScale.aim }

  /// True once there is a wheel in this life.
  var isThere: Bool { hasCount }

  /// Pulses at a time close to the last reading, of the whole ones and the part.
  private func pulses(at time: Instant) -> WheelPulses {
    let ahead = Float(min(max((time - self.time).secondsDouble, 0), WheelMeter.reach.secondsDouble))
    return WheelPulses(whole: count, part: rate * ahead)
  }

  /// How fast it turned at the last reading, m/s; 0 while it does not count.
  package var speed: Float { isCounting && !isCarried ? rate * scale : 0 }

  // MARK: Readings

  /// Takes how many pulses the sensor has counted; an older reading than the last changes nothing.
  ///
  /// - Parameters:
  ///   - pulses: Since any time; it may begin anew after `UInt32.max`, or at any time.
  ///   - time: When it was read.
  ///   - isTravelling: Whether the vehicle travelled at the last fix.
  /// - Returns: What is to be counted, m.
  package mutating func record(pulses: UInt32, at time: Instant, isTravelling: Bool) -> Double {
    guard hasCount, !isSilent else {
      begin(at: pulses, time)
      return 0
    }
    let elapsed = Float((time - self.time).secondsDouble)
    guard elapsed > 0 else { return 0 }
    let turned = pulses &- count
    // The first pulse may have been due long before.
    let least = scale > 0 ? scale : WheelScale.range.lowerBound
    guard Float(turned) - 1 <= WheelMeter.fastest * elapsed / least else {
      // It has begun anew, or bounces: what was ridden since is counted by fixes.
      let missed = isCounting && !isCarried ? since : 0
      leave()
      begin(at: pulses, time)
      return Double(missed)
    }
    self.time = time
    count = pulses
    rate = Float(turned) / elapsed
    since = 0
    if turned > 0 { (stillRides, unproven) = (0, 0) }
    guard isCounting, !isCarried else { return 0 }
    let way = Float(turned) * scale
    guard isTravelling, pending <= 0 else {
      pending += way
      return 0
    }
    let fresh = max(0, way + pending)
    pending = min(0, way + pending)
    return count(fresh)
  }

  private mutating func begin(at pulses: UInt32, _ time: Instant) {
    hasCount = true
    isSilent = false
    (count, self.time, rate, since) = (pulses, time, 0, 0)
    lesson.spoil()
  }

  private mutating func count(_ way: Float) -> Double {
    counted += Double(way)
    doubt += Double(way * deviation)
    return Double(way)
  }

  /// Fixes count from here on.
  private mutating func leave() {
    isCounting = false
    isCarried = false
    lesson.spoil()
    (pending, since) = (0, 0)
  }

  /// A wheel that is known counts where no fix can say whether it may.
  mutating func trust(at time: Instant) {
    if !isCounting, isTrusted { enter(at: time) }
  }

  /// The first fix of all: what the wheel has counted before it no way by fixes can be held against.
  mutating func meet(at time: Instant) {
    guard isCounting else { return }
    restart(pulses(at: time))
    // What it turns until the next one shows travel is counted then.
    isStanding = true
  }

  /// Counts what it has turned while the vehicle was not known to travel.
  mutating func countPending() -> Double {
    guard isCounting, !isCarried, pending > 0 else { return 0 }
    defer { pending = 0 }
    return count(pending)
  }

  /// The wheel counts from a fix on, up to which fixes have counted.
  private mutating func enter(at time: Instant) {
    isCounting = true
    since = 0
    let now = pulses(at: time)
    pending = -scale * now.part
    judged = WheelStretch(from: now)
    (isFromStand, isStanding) = (false, false)
  }

  // MARK: Fixes

  /// So much was carried, m: as something else than the wheel has shown, unless `isCarried`.
  mutating func noteCarried(_ way: Float) {
    carried += way
    if isCarried, !isDriven { held += way }
  }

  /// A ride begins.
  ///
  /// - Returns: What is to be counted of earlier rides by fixes, as the wheel is found broken, m.
  package mutating func beginRide() -> Double {
    carried = 0
    lesson.spoil()
    unproven += held
    (held, isDriven, hasStood) = (0, false, true)
    stillRides = min(stillRides, 254) + 1
    guard isCarried, stillRides >= WheelMeter.stillRidesOfBroken else { return 0 }
    leave()
    isDoubted = true
    defer { unproven = 0 }
    return Double(unproven)
  }

  /// Takes the way of a fix that adds none in, and looks whether the sensor still speaks.
  ///
  /// - Parameters:
  ///   - time: Of the fix.
  ///   - reach: How far it is from where the vehicle stands, m; nil while it travels.
  ///   - accuracy: Of the fix, m; nil when unknown.
  ///   - isOpen: Whether a way is followed that may be counted later.
  /// - Returns: What is to be counted by fixes, m.
  mutating func look(at time: Instant, reach: Float?, accuracy: Float?, isOpen: Bool) -> Double {
    if !isSilent, time - self.time > WheelMeter.patience {
      // In a silence of the receiver it may have counted a part of the way.
      let uncounted = max(0, judged.way - scale * WheelPulses(whole: count).since(judged.start))
      let missed = isCarried ? judged.way : min(since, uncounted)
      let counts = isCounting
      leave()
      isSilent = true
      return counts ? Double(missed) : 0
    }
    guard let reach else { return 0 }
    isStanding = true
    hasStood = true
    // A wheel that is turned on a stand goes nowhere.
    pending = min(pending, Float(TripMeter.straightest) * reach + WheelMeter.radius(accuracy))
    if !isCounting, isTrusted, !isOpen {
      enter(at: time)
      isStanding = true
    }
    return 0
  }

  /// Within so much of where it stood nobody can tell whether it has moved, m.
  private static func radius(_ accuracy: Float?) -> Float { max(Float(TripMeter.homeRadius), accuracy ?? 0) }

  /// What of a way by fixes is to be counted.
  ///
  /// - Parameters:
  ///   - step: The way.
  ///   - time: When it ended.
  ///   - accuracy: There, m; nil when unknown.
  /// - Returns: m, by fixes or by the wheel.
  mutating func follow(_ step: Step, to time: Instant, accuracy: Float?) -> Double {
    let now = pulses(at: time)
    let hasCounted = isCounting
    let isFresh = time - self.time <= WheelMeter.reach
    let hasLearnt = learn(step, now, accuracy: accuracy ?? WheelMeter.assumedAccuracy, isFresh: isFresh)
    guard isCounting else {
      if isTrusted { enter(at: time) }
      // The wheel has counted this way before it was found wrong.
      return hasCounted ? 0 : step.way
    }
    let way = Float(step.way)
    since += way
    if isCarried { return carry(step, now, isFresh: isFresh) }
    var result = 0.0
    if isStanding {
      isStanding = false
      let most = max(0, step.hasSilence ? pending : min(pending, way + WheelMeter.radius(accuracy)))
      result = count(most)
      pending = min(0, pending)
      if !step.hasSilence {
        // What was turned so far and what is counted of it now are no matter of the way from here on, what is missing is.
        judged = WheelStretch(from: now)
        judged.way = max(0, way - most)
        isFromStand = true
        return result + judge(now, radius: accuracy ?? WheelMeter.assumedAccuracy, hasSilence: false)
      }
    }
    // What is learnt from ends with this way, and what is judged begins behind it.
    if !hasLearnt { judged.way += way }
    guard isFresh, !step.isEnd else { return result }
    return result + judge(now, radius: accuracy ?? WheelMeter.assumedAccuracy, hasSilence: step.hasSilence)
  }

  /// A way by fixes.
  struct Step {
    /// m
    var way: Double
    /// Of it, what was added for corners, m.
    var corners: Double = 0
    /// At its end, m/s; 0 when unknown.
    var speed: Float = 0
    var hasSilence = false
    /// The rest of the last way, to where it came to stand: what lies behind that is not known yet, as a silence.
    var isEnd = false
  }

  /// What speeds tell of the way between two fixes, m; nil when they tell nothing.
  mutating func note(told way: Double?) { lesson.note(told: way) }

  /// What lies behind can't be compared: a jump of the receiver.
  mutating func spoil() { lesson.spoil() }

  /// Compares the two ways since the last stand.
  private mutating func judge(_ now: WheelPulses, radius: Float, hasSilence: Bool) -> Double {
    let turned = scale * now.since(judged.start)
    let missing = judged.way - turned
    let limit = 5.66 * radius + WheelMeter.agreement * max(judged.way, turned)
    defer { if hasSilence, !isCarried, isCounting { restart(now) } }
    guard missing > limit else {
      if -missing > limit, !hasSilence {
        leave()
        isDoubted = true
      }
      return 0
    }
    guard hasSilence || isFromStand && turned < WheelMeter.turning * judged.way else {
      leave()
      isDoubted = true
      return Double(missing)
    }
    isCarried = true
    lesson.spoil()
    (hasStood, isDriven, held) = (hasSilence, false, 0)
    noteCarried(missing)
    judged = WheelStretch(from: now)
    return 0
  }

  private mutating func restart(_ now: WheelPulses) {
    judged = WheelStretch(from: now)
    isFromStand = false
  }

  /// While it is carried: whether the wheel turns again.
  private mutating func carry(_ step: Step, _ now: WheelPulses, isFresh: Bool) -> Double {
    lesson.spoil()
    let way = Float(step.way)
    judged.way += way
    hasStood = hasStood || step.hasSilence
    if step.speed > WheelMeter.fastestRidden { (isDriven, held) = (true, 0) }
    guard isFresh, judged.way >= WheelMeter.look else { return 0 }
    let turned = scale * now.since(judged.start)
    guard turned >= 0.5 * judged.way else {
      noteCarried(judged.way)
      judged = WheelStretch(from: now)
      return 0
    }
    isCarried = false
    pending = -scale * now.part
    restart(now)
    let result = hasStood ? 0 : held
    carried -= result
    held = 0
    return Double(result) + count(min(turned, 2 * way + WheelMeter.look))
  }

  // MARK: Learning

  /// - Returns: True when a stretch ends with this way, and the wheel counts.
  private mutating func learn(_ step: Step, _ now: WheelPulses, accuracy: Float, isFresh: Bool) -> Bool {
    let teaches = !isSilent && !isCarried
    guard let shown = lesson.follow(step, now, accuracy: accuracy, isFresh: isFresh, teaches: teaches) else {
      return false
    }
    switch known.take(shown.metres, variance: shown.variance) {
    case .agreement: isDoubted = false
    case .difference:
      if isCounting { leave() }
      isDoubted = true
    }
    if isCounting { restart(now) }
    return isCounting
  }
}
