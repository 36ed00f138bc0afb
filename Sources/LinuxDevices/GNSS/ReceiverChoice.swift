import Quantities

/// Which of several receivers is listened to.
///
/// One receiver is kept for as long as it has a fix, since two of them differ by metres, and a track that jumps between them
/// looks like movement. It loses its place to one with a fix once it has been without for five seconds, or at once when it
/// never had one.
struct ReceiverChoice {
  /// Time without a fix after which another receiver may take over. Five epochs of the usual 1 Hz: a bridge is shorter.
  static let patience = Interval.seconds(5)

  /// The only receiver that counts; nil for whichever works.
  let configured: String?
  /// The one that is listened to.
  private(set) var current: String?
  /// When the current one had a fix last.
  private(set) var lastFix: Instant?

  /// A choice among all, or of one.
  init(configured: String? = nil) { self.configured = configured }

  /// True when a report of this receiver counts.
  mutating func accepts(_ device: String, hasPosition: Bool, at now: Instant) -> Bool {
    if let configured, device != configured { return false }
    if device != current {
      guard current == nil || (hasPosition && isOpen(at: now)) else { return false }
      current = device
      lastFix = nil
    }
    if hasPosition { lastFix = now }
    return true
  }

  /// Gives up a receiver that is gone.
  mutating func forget(_ device: String) {
    if device == current {
      current = nil
      lastFix = nil
    }
  }

  private func isOpen(at now: Instant) -> Bool { lastFix.map { now - $0 >= Self.patience } ?? true }
}

/// Passes one fix of each epoch.
///
/// gpsd reports an epoch again when a receiver has more to say of it than gpsd expected. The first report counts, so that
/// none has to wait; a later one only when the first had no position yet.
struct EpochFilter {
  /// Reports without time within this are of one epoch. Receivers give ten epochs a second at most that tell no time.
  static let width = Interval.milliseconds(90)

  private var last: GNSSFix?

  /// Nothing has come yet.
  init() {}

  /// True for the first report of an epoch, and for the first with a position.
  mutating func passes(_ fix: GNSSFix) -> Bool {
    if let last, isSameEpoch(last, fix), last.hasPosition || !fix.hasPosition { return false }
    last = fix
    return true
  }

  private func isSameEpoch(_ a: GNSSFix, _ b: GNSSFix) -> Bool {
    if let first = a.utc, let second = b.utc { return first == second }
    return a.utc == nil && b.utc == nil && b.time - a.time < Self.width
  }
}
