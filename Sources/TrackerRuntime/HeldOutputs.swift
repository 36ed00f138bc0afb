import Quantities

/// What nobody may hear of before the storage has it, in order.
struct HeldOutputs {
  enum Content {
    /// Something the tracker did, with its bytes.
    case output(RunOutput, [UInt8])
    /// Something that waits for what has been done so far.
    case call(() -> Void)
  }

  struct Entry {
    var content: Content
    /// The change of the store that it follows from.
    var change: UInt64
    /// When it leaves in any case.
    var until: Instant
    /// True for a packet that goes before reports.
    var isUrgent: Bool
  }

  private var entries: [Entry] = []

  /// True when nothing waits.
  var isEmpty: Bool { entries.isEmpty }
  /// When the next leaves in any case.
  var nextDeadline: Instant? { entries.first?.until }

  /// True when a packet waits that goes before reports.
  var hasUrgent: Bool { entries.contains { $0.isUrgent } }

  /// Takes something.
  mutating func add(_ content: Content, change: UInt64, isUrgent: Bool = false, at now: Instant) {
    entries.append(
      Entry(content: content, change: change, until: now + TrackerRun.longestHold, isUrgent: isUrgent))
  }

  /// The next that may leave: it is kept, or its time is over.
  mutating func next(settled: UInt64, at now: Instant) -> Entry? {
    guard let first = entries.first, first.change <= settled || first.until <= now else { return nil }
    return entries.removeFirst()
  }
}
