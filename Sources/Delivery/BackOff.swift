public import Quantities

/// How long a port waits before the next try: longer after each failure in a row, with jitter, so that many trackers do not come
/// back to a server at the same moment.
public struct BackOff: BitwiseCopyable, Sendable {
  /// What kind of failure it is.
  public enum Kind: Sendable {
    /// It may pass by itself at any moment: a server or a network that is away, a port that is unplugged.
    case passing
    /// Somebody has to change something: a password, a certificate, an address.
    case refusal
  }

  /// The shortest wait.
  public var unit: Interval = .seconds(1)
  // Of each kind in a row: what passes by itself makes no refusal last longer.
  private var passing: UInt16 = 0
  private var refusals: UInt16 = 0
  private var jitter: SplitMix64

  /// An alert does not wait for the end of a long pause: it may go this soon after the last try.
  public static var alertPatience: Interval { .seconds(2) }

  /// - Parameter seed: Of the jitter.
  public init(seed: UInt64) { jitter = SplitMix64(seed: seed) }

  /// The next try is the first again.
  public mutating func reset() { (passing, refusals) = (0, 0) }

  /// The wait after one more failure of a kind: 1, 2, 4 … 60 units, after a refusal 60, 120 … 900, and up to a quarter more.
  public mutating func next(after kind: Kind) -> Interval {
    var wait: Int64 = kind == .passing ? 1 : 60
    let most: Int64 = kind == .passing ? 60 : 900
    let count = kind == .passing ? passing : refusals
    var step: UInt16 = 0
    while step < count, wait < most {
      wait *= 2
      step += 1
    }
    wait = min(most, wait) * unit.microseconds
    if kind == .passing { passing = min(1000, passing + 1) } else { refusals = min(1000, refusals + 1) }
    return Interval(microseconds: wait + Int64(jitter.next() % UInt64(max(1, wait / 4))))
  }
}
