public import Quantities

/// A delay drawn anew each time, all values from `least` to `most` equally likely.
public struct DelayRange: Equatable, Sendable {
  /// Shortest delay.
  public var least: Interval
  /// Longest delay.
  public var most: Interval

  /// Delays from `least` to `most`.
  public init(_ least: Interval, _ most: Interval) {
    self.least = least
    self.most = max(least, most)
  }

  /// Always the same delay.
  public init(_ only: Interval) { self.init(only, only) }

  /// One delay.
  func draw(with random: inout ModemRandom) -> Interval {
    let width = UInt64(max(0, (most - least).microseconds))
    guard width > 0 else { return least }
    return least + Interval(microseconds: Int64(random.integer(below: width + 1)))
  }
}

/// How long a `VirtualNetwork` takes for what; there and back together.
///
/// The defaults are those of a Cat-M1 link in good coverage [U]: some hundred milliseconds per exchange.
public struct NetworkLatency: Equatable, Sendable {
  /// Opening a connection. Default 150 to 600 ms.
  public var connect = DelayRange(.milliseconds(150), .milliseconds(600))
  /// Added to `connect` for TLS. Default 500 to 1500 ms.
  public var handshake = DelayRange(.milliseconds(500), .milliseconds(1500))
  /// A request and its answer. Default 80 to 400 ms.
  public var exchange = DelayRange(.milliseconds(80), .milliseconds(400))
  /// Looking up a name. Default 50 to 300 ms.
  public var lookUp = DelayRange(.milliseconds(50), .milliseconds(300))
  /// A message centre's answer. Default 1 to 4 s.
  public var shortMessage = DelayRange(.milliseconds(1000), .milliseconds(4000))
  /// When a connection attempt that nobody answers is given up. Default 30 s.
  public var connectTimeout = Interval.seconds(30)
  /// How long an open connection holds what it can't deliver before it breaks. Default 120 s.
  public var retransmissionLimit = Interval.seconds(120)

  /// The default delays.
  public init() {}

  /// The same delay for every operation, without jitter: for tests that state times.
  public init(always delay: Interval) {
    connect = DelayRange(delay)
    handshake = DelayRange(.zero)
    exchange = DelayRange(delay)
    lookUp = DelayRange(delay)
    shortMessage = DelayRange(delay)
  }
}
