import Quantities

/// Whether somebody is within a region, as far as fixes have shown.
public enum PresenceState: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// Not known yet.
  case unknown
  /// Within.
  case inside
  /// Outside.
  case outside
}

/// Fixes on one side of an edge, since the first of them.
struct SideRun: BitwiseCopyable {
  private(set) var since: Instant? {
    get { begun.value }
    set { begun.value = newValue }
  }
  private var begun = PackedInstant()
  /// When the way from the fix before crossed the edge.
  private(set) var crossing = Instant.zero
  private(set) var count: Int16 = 0
  /// Of them the last ones that were each as far away as is asked for.
  private var farCount: Int16 = 0
  private var sum: Float = 0
  private var weight: Float = 0
  private var recent: Float = 0

  init() {}

  /// Takes a fix in that is `metres` on this side of the edge, and was `before` at the fix before; far is from so many deviations on.
  mutating func take(
    _ metres: Float, before: Float?, far deviations: Float, _ trust: FixTrust, _ parameters: FenceParameters
  ) {
    let isFar = metres >= deviations * trust.deviation
    let clip = parameters.clip * trust.deviation
    let held = min(max(metres, -clip), clip)
    guard since != nil else {
      guard metres > 0 else { return }
      since = trust.time
      crossing = trust.time
      if let before, before < 0, let previous = trust.previous {
        let share = metres / (metres - before)
        crossing = trust.time - Interval(microseconds: Int64(Float((trust.time - previous).microseconds) * share))
      }
      (count, sum, weight, recent) = (1, held, 1, held)
      farCount = isFar ? 1 : 0
      return
    }
    let elapsed = trust.previous.map { (trust.time - $0).seconds } ?? 1
    let share = min(max(elapsed, 1), 60)
    sum += held * share
    weight += share
    recent += (held - recent) * (elapsed / (FenceParameters.shortTime + elapsed))
    count = metres > 0 ? min(count + 1, 1000) : 0
    farCount = isFar ? min(farCount + 1, 1000) : 0
    // The edge was not crossed after all.
    if sum <= 0 { self = SideRun() }
  }

  /// The mean since the first fix, m.
  var mean: Float { weight > 0 ? sum / weight : 0 }

  /// True when enough fixes in a row are on this side.
  func isAgreed(_ trust: FixTrust) -> Bool { (trust.mustBeFar ? farCount : count) >= trust.needed }

  /// True when all of it is this far from the edge, in deviations, by the mean of the last half minute or of all.
  ///
  /// - Parameter surplus: Deviations more, because of a jump; the mean of all says nothing about how long one lasts.
  func isBeyond(_ deviations: Float, surplus: Float = 0, _ trust: FixTrust, for time: Interval) -> Bool {
    guard let since, isAgreed(trust), trust.time - since >= time else { return false }
    let least = (deviations + surplus) * trust.deviation
    if recent >= least { return true }
    let age = (trust.time - since).seconds
    return surplus == 0 && mean * (1 + age / (2 * FenceParameters.errorTime)).squareRoot() >= least
  }
}

/// Follows whether somebody is within one region, or the union of several.
///
/// - Source: our derivation; the mean of a Gauss-Markov error with time constant τ has over a time T about the variance
///   σ²/(1 + T/2τ).
struct Presence: BitwiseCopyable {
  private(set) var state = PresenceState.unknown
  private var farCount: Int16 = 0
  /// Seconds since what may have been a jump led outside.
  private var sinceJump = Float.infinity
  /// When the edge was crossed, as far as it is known.
  private(set) var since = Instant.zero
  private var leaving = SideRun()
  private var entering = SideRun()
  private var last: Float?
  private var seen = PackedInstant()
  private var walked = PackedInstant()

  /// The last fix that was within.
  private var seenInside: Instant? {
    get { seen.value }
    set { seen.value = newValue }
  }
  /// Since when it is outside by speed and course.
  private var reckonedSince: Instant? {
    get { walked.value }
    set { walked.value = newValue }
  }

  /// How many times as far as an exit needs fixes must be to be believed against an inertial sensor.
  static var farFactor: Float { 20 }
  /// Deviations outside by speed and course with which no position is an entry.
  static var vetoDeviations: Float { 2 }
  /// Time after which a jump of a receiver is over, s. Shorter: far ones are exits. Longer: one that is set down outside is told later.
  static var jumpTime: Float { 360 }
  /// For each so many seconds that are left of it, an exit needs one deviation more. Shorter and longer: as above, the other way round.
  static var jumpTail: Float { 120 }

  init() {}

  /// Goes on in a state of before.
  init(_ state: PresenceState, since: Instant) {
    self.state = state
    self.since = since
  }

  /// The edge was crossed then, as has turned out.
  mutating func date(at time: Instant) { since = time }

  /// Takes a fix in.
  ///
  /// - Parameters:
  ///   - distance: To the edge, m, positive within.
  ///   - depth: How deep the region is, m.
  ///   - reckoned: The distance of where speed and course put it, m; nil when that is not known better.
  /// - Returns: The new state; nil when it is as before.
  mutating func process(
    distance: Double, depth: Double, reckoned: Double? = nil, _ trust: FixTrust, _ parameters: FenceParameters
  ) -> PresenceState? {
    let metres = Float(max(-1e7, min(1e7, distance)))
    let before = last
    last = metres
    if state != .outside, isVouched(metres, trust, parameters) { return nil }
    if metres >= 0 { seenInside = trust.time }
    if state != .outside {
      if let since = hasWalkedOut(reckoned, trust, parameters) { return change(to: .outside, at: since) }
      leaving.take(-metres, before: before.map { -$0 }, far: parameters.exitDeviations, trust, parameters)
      noteJump(beyond: -metres, before: before.map { -$0 }, trust, parameters)
      let surplus = max(0, Presence.jumpTime - sinceJump) / Presence.jumpTail
      if leaving.isBeyond(parameters.exitDeviations, surplus: surplus, trust, for: parameters.confirmAfter) {
        return change(to: .outside, at: leaving.crossing)
      }
    }
    if state != .inside {
      if let reckoned, -Float(max(-1e7, reckoned)) >= Presence.vetoDeviations * trust.reckonedDeviation {
        entering = SideRun()
        return nil
      }
      // A fence that is hardly deeper than fixes scatter is entered at its edge.
      let deviation = trust.deviation
      let margin = min(parameters.entryDeviations * deviation, max(0, Float(depth) - 1.5 * deviation))
      entering.take(metres - margin, before: before.map { $0 - margin }, far: 0, trust, parameters)
      if entering.isBeyond(0, trust, for: parameters.confirmAfter) {
        return change(to: .inside, at: entering.crossing)
      }
    }
    return nil
  }

  /// A jump of one that is well outside already takes nothing from what led there.
  private mutating func noteJump(beyond metres: Float, before: Float?, _ trust: FixTrust, _ parameters: FenceParameters)
  {
    guard metres > 0 else {
      sinceJump = .infinity
      return
    }
    if let previous = trust.previous { sinceJump += (trust.time - previous).seconds }
    let wellOutside = 0.5 * parameters.exitDeviations * trust.deviation
    if trust.isSudden, before.map({ $0 < wellOutside }) ?? true { sinceJump = 0 }
  }

  private mutating func change(to new: PresenceState, at time: Instant) -> PresenceState {
    (state, since) = (new, time)
    leaving = SideRun()
    entering = SideRun()
    farCount = 0
    reckonedSince = nil
    return new
  }

  /// Since when it is outside by speed and course, once that is certain.
  private mutating func hasWalkedOut(_ reckoned: Double?, _ trust: FixTrust, _ parameters: FenceParameters) -> Instant?
  {
    guard let reckoned, reckoned < 0 else {
      reckonedSince = nil
      return nil
    }
    let since = reckonedSince ?? trust.time
    reckonedSince = since
    guard trust.time - since >= parameters.confirmAfter else { return nil }
    return -reckoned >= Double(parameters.exitDeviations * trust.reckonedDeviation) ? since : nil
  }

  /// True when a fix outside is an error, as a sensor that has felt nothing since a fix within vouches.
  private mutating func isVouched(_ metres: Float, _ trust: FixTrust, _ parameters: FenceParameters) -> Bool {
    guard let still = trust.stillSince, let seen = seenInside, still <= seen else {
      farCount = 0
      return false
    }
    let far = Presence.farFactor * parameters.exitDeviations * trust.deviation
    farCount = -metres > far ? min(farCount + 1, FixJudge.settled) : 0
    if farCount >= FixJudge.settled { return false }
    // Nor has it walked out by speeds that a receiver tells of one at rest.
    reckonedSince = nil
    guard metres < 0 else { return false }
    leaving = SideRun()
    return true
  }
}
