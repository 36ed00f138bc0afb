import Quantities

/// How long to wait before the next try: longer after each failure in a row, with jitter, so that many trackers do not come
/// back to a server at the same moment.
struct BackOff {
  /// What kind of failure it is.
  enum Kind {
    /// It may pass by itself at any moment: a server or a network that is away, a port that is unplugged.
    case passing
    /// Somebody has to change something: a password, a certificate, an address.
    case refusal
  }

  /// The shortest wait.
  var unit: Interval = .seconds(1)
  private var count = 0
  private var jitter: SplitMix64

  /// - Parameter seed: Of the jitter.
  init(seed: UInt64) { jitter = SplitMix64(seed: seed) }

  /// The next try is the first again.
  mutating func reset() { count = 0 }

  /// The wait after one more failure: 1, 2, 4 … 60 units, after a refusal 60, 120 … 900, and up to a quarter more.
  mutating func next(after kind: Kind) -> Interval {
    let (first, most): (Int64, Int64) = kind == .passing ? (1, 60) : (60, 900)
    let wait = min(most, first << Int64(min(count, 10))) * unit.microseconds
    count += 1
    return Interval(microseconds: wait + Int64(jitter.next() % UInt64(max(1, wait / 4))))
  }
}

/// An alert does not wait for the end of a long pause: it may go this soon after the last try.
let alertPatience: Interval = .seconds(2)
