import Quantities

/// Counts per second over the last seconds.
struct RateMeter {
  private var since: Instant?
  private var count = 0
  /// Per second; nil before the first seconds are over.
  private(set) var hertz: Double?

  /// Looks at a count that only grows.
  mutating func look(at count: Int, now: Instant) {
    guard let start = since else {
      since = now
      self.count = count
      return
    }
    let seconds = (now - start).secondsDouble
    guard seconds >= 2 else { return }
    hertz = Double(count - self.count) / seconds
    since = now
    self.count = count
  }
}
