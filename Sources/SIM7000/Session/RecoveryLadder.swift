import Quantities

/// What the driver does against trouble, from cheap to dear.
///
/// - Source: [sim7000an] TCP/IP, section 13 (close, shut down, reset); the rest is our derivation.
@frozen public enum RecoveryRung: UInt8, BitwiseCopyable, Sendable, CaseIterable, Comparable {
  /// Do the same again after a moment.
  case retry
  /// Close the session with the server and open it again.
  case session
  /// Take the bearer down and up.
  case bearer
  /// Detach from the packet network and attach.
  case attach
  /// Switch the radio off and on.
  case radio
  /// Reset the modem.
  case reset
  /// Take its power away and give it back.
  case power

  /// True when the first is cheaper.
  @inlinable public static func < (a: RecoveryRung, b: RecoveryRung) -> Bool { a.rawValue < b.rawValue }

  /// How often a rung is tried before the next.
  var limit: UInt8 {
    switch self {
    case .retry: return 3
    case .session, .bearer: return 2
    case .attach, .radio, .reset, .power: return 1
    }
  }

  /// The name used in logs.
  public var name: StaticString {
    switch self {
    case .retry: return "retry"
    case .session: return "session"
    case .bearer: return "bearer"
    case .attach: return "attach"
    case .radio: return "radio"
    case .reset: return "reset"
    case .power: return "power"
    }
  }
}

/// Which rung is next: each is tried a few times, then the next higher; success goes back to the ground.
///
/// After the highest rung it begins again at the lowest, a lap later: a server that is down for hours costs one power cycle
/// per lap, and the wait before each lap grows from one minute to fifteen. A modem that does not answer, has no supply or is
/// refused by the network waits up to an hour between tries. No rung is climbed for what is proven sound (`ModemReach`): a server
/// that answers with a fault is asked again, later and later, and so are one that does not acknowledge, to which the connection is
/// made anew, and one that can't be reached though there is a bearer, which is made anew before each try. Only after a long time the modem itself is doubted, and reset. All waits have jitter from the
/// seed, so that many trackers do not come back at the same moment.
@frozen public struct RecoveryLadder: BitwiseCopyable, Sendable {
  /// How often each rung was climbed since the driver was made, by raw value.
  public internal(set) var counts: InlineArray<7, UInt32>
  /// The rung last climbed; nil when all is well.
  public internal(set) var current: RecoveryRung?
  var triesOnRung: UInt8
  /// Times the top was reached since all was well.
  var laps: UInt8
  /// When a modem is doubted that shows a sound way to a server that can't be reached; nil while there is no such trouble.
  var doubtedAt: Instant?
  /// How often it was since all was well.
  var doubts: UInt8
  /// Something was lost since all was well, and no more than had again.
  var hasForgiven: Bool
  /// Long waits before the session or the bearer was tried again since all was well: they grow also while the trouble changes.
  var longWaits: UInt8
  var jitter: SplitMix64

  /// A ladder on the ground.
  public init(seed: UInt64) {
    counts = InlineArray(repeating: 0)
    current = nil
    triesOnRung = 0
    laps = 0
    doubtedAt = nil
    doubts = 0
    hasForgiven = false
    longWaits = 0
    jitter = SplitMix64(seed: seed)
  }

  /// All is well again.
  mutating func descend() {
    current = nil
    triesOnRung = 0
    laps = 0
    doubtedAt = nil
    doubts = 0
    hasForgiven = false
    longWaits = 0
  }

  /// True for the first loss since all was well: a server may close what is idle, and then has it opened again at once.
  mutating func forgivesLoss() -> Bool {
    guard current == nil, !hasForgiven else { return false }
    hasForgiven = true
    return true
  }

  /// The rung for a trouble, and how long to wait before it.
  ///
  /// - Parameters:
  ///   - trouble: What went wrong.
  ///   - lowest: The lowest rung that can help; nil for the trouble's own.
  ///   - reach: How far the exchange got; nil when nothing is known but the trouble.
  ///   - now: The time.
  ///   - cutsPower: The board can take the modem's power away.
  mutating func climb(
    for trouble: ModemTrouble, from lowest: RecoveryRung? = nil, reaching reach: ModemReach? = nil,
    at now: Instant = .zero, cutsPower: Bool = false
  ) -> (rung: RecoveryRung, wait: Interval) {
    let lowest = lowest ?? trouble.firstRung
    let reach = reach ?? trouble.reach
    let highest = trouble.lastRung(reaching: reach)
    // What it refuses with a reason it refuses behind a start, too.
    let isRefusal = trouble == .refused && reach == .message
    let mayDoubt = reach != .server && highest < .reset && !trouble.isBeyondRepair && !isRefusal
    if mayDoubt, doubtsModem(at: now) {
      doubts &+= 1
      // Some faults outlive a reset.
      let rung: RecoveryRung = cutsPower && doubts % 3 == 2 ? .power : .reset
      current = rung
      triesOnRung = 1
      counts[Int(rung.rawValue)] &+= 1
      return (rung, jittered(.seconds(2)))
    }
    var rung = current ?? lowest
    if rung < lowest {
      rung = lowest
      triesOnRung = 0
    } else if triesOnRung >= rung.limit, rung < highest {
      rung = RecoveryRung(rawValue: rung.rawValue + 1) ?? lowest
      triesOnRung = 0
    } else if triesOnRung >= rung.limit, highest == .power {
      rung = lowest
      current = nil
      triesOnRung = 0
    }
    if rung > highest {
      rung = highest
      triesOnRung = 0
    }
    var wait = wait(before: rung, trouble, highest, isAnswered: reach == .server)
    // A long wait must not put off the doubt.
    if mayDoubt, let doubtedAt, doubtedAt < now + wait { wait = doubtedAt - now }
    current = rung
    // What climbing can't mend leaves the way up to other troubles.
    if trouble.isBeyondRepair { triesOnRung = 0 } else if triesOnRung < .max { triesOnRung += 1 }
    counts[Int(rung.rawValue)] &+= 1
    if rung == .power || trouble.isBeyondRepair, laps < .max { laps += 1 }
    return (rung, wait)
  }

  /// How long a sound way to a server that can't be reached is believed, first and then again.
  static var belief: Interval { .seconds(1200) }
  static var laterBelief: Interval { .seconds(3600) }

  /// True when it is time to take a modem for one that lies.
  private mutating func doubtsModem(at now: Instant) -> Bool {
    guard let doubtedAt else {
      self.doubtedAt = now + RecoveryLadder.belief
      return false
    }
    guard doubtedAt <= now else { return false }
    self.doubtedAt = now + RecoveryLadder.laterBelief
    return true
  }

  private mutating func wait(
    before rung: RecoveryRung, _ trouble: ModemTrouble, _ highest: RecoveryRung, isAnswered: Bool
  ) -> Interval {
    if trouble.isBeyondRepair || trouble == .noStart || trouble == .supply || (trouble == .silent && rung == .power) {
      return jittered(.seconds(RecoveryLadder.waitSeconds(lap: laps, most: 3600)))
    }
    // Higher is of no use: later and later.
    // A server that has not answered with an error is tried once more at once.
    let atOnce: UInt8 = rung != .session ? rung.limit : isAnswered ? 0 : 1
    if rung == highest, triesOnRung >= atOnce || (rung == .session && longWaits > 0) {
      let tries = triesOnRung > atOnce ? triesOnRung - atOnce : 0
      if rung < .radio {
        let waits = tries > longWaits ? tries : longWaits
        longWaits = waits < 6 ? waits + 1 : 6
        return jittered(.seconds(min(5 << Int(waits < 6 ? waits : 6), 300)))
      }
      let shift = Int(tries < 6 ? tries : 6)
      if rung == .radio { return jittered(.seconds(min(60 << shift, 900))) }
    }
    // The first step of a new lap.
    if current == nil, laps > 0 { return jittered(.seconds(RecoveryLadder.waitSeconds(lap: laps, most: 900))) }
    switch rung {
    case .retry: return jittered(.seconds(1 << Int(triesOnRung < 3 ? triesOnRung : 2)))
    case .session, .bearer: return jittered(.milliseconds(triesOnRung == 0 ? 500 : 2000))
    case .attach, .radio, .reset, .power: return jittered(.seconds(2))
    }
  }

  /// Waits that grow: the first at once, then 1, 2, 5, 15 and 60 minutes, but never more than `most`.
  static func waitSeconds(lap: UInt8, most: Int) -> Int {
    let wait: Int
    switch lap {
    case 0: wait = 2
    case 1: wait = 60
    case 2: wait = 120
    case 3: wait = 300
    case 4: wait = 900
    default: wait = 3600
    }
    return wait < most ? wait : most
  }

  /// Up to a quarter more.
  mutating func jittered(_ interval: Interval) -> Interval {
    let draw = jitter.next()
    let quarter = interval.microseconds / 4
    guard quarter > 0 else { return interval }
    return interval + Interval(microseconds: Int64(draw % UInt64(quarter)))
  }
}
