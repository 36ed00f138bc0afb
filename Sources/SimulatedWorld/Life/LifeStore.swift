import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

/// A storage that takes its time and outlives the tracker.
///
/// Its changes are on a flash, where each is whole or not there, wherever the power goes; those that are under way then are lost from the
/// last one on.
final class LifeStore: TrackerStore {
  /// What the storage holds.
  struct Content: Equatable {
    var sections: [UInt8: [UInt8]] = [:]
    var packets: [UInt32: [UInt8]] = [:]
    var spool = SpooledPackets(capacity: 2000)
    /// What the odometer has measured, m, by the section of the trip: its first number behind a head of thirteen bytes (docs/state.md).
    var metres: Double? {
      guard let trip = sections[3], trip.count >= 21 else { return nil }
      return Double(bitPattern: trip[13..<21].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// True when both hold the same.
    static func == (a: Content, b: Content) -> Bool {
      a.sections == b.sections && a.packets == b.packets && a.spool.all == b.spool.all
    }

    var bytes: [UInt8] {
      sections.sorted { $0.key < $1.key }.reduce(into: []) { $0 += $1.value }
        + packets.sorted { $0.key < $1.key }.reduce(into: []) { $0 += $1.value }
    }
  }

  private struct Change {
    let number: UInt64
    let due: Instant
    let content: Content
  }

  /// Until a change is on the storage: an SD card's usual time.
  static var latency: Interval { .milliseconds(30) }

  /// Called before a change is taken; false: there is no power for it.
  var mayKeep: () -> Bool = { true }
  /// Packets that were sent before the storage had them, as it took too long.
  private(set) var unkeptCount = 0
  private var newest = Content()
  private(set) var settled = Content()
  private let medium: LifeMedium
  /// The change in which the power goes is begun all the same.
  var tearsLast = false
  private var hasBegunLast = false
  /// What a new life found is not what was kept, nor what it was before the last change: what is wrong; nil when all is well.
  private(set) var difference: String?
  /// Whether the change in which the power went was there after it; nil when none was torn.
  private(set) var tornIsWhole: Bool?
  /// True while a change is on its way.
  var isKeeping: Bool { !underWay.isEmpty }

  init(seed: UInt64) { medium = LifeMedium(seed: seed) }
  private var underWay: [Change] = []
  private var changeCount: UInt64 = 0
  private(set) var settledChange: UInt64 = 0

  /// When the next change is on the storage, on the tracker's clock.
  var nextDeadline: Instant? { underWay.first?.due }

  func keep(beside tag: UInt8, _ record: [UInt8]) { note(tag, record) }

  private func note(_ tag: UInt8, _ record: [UInt8]) { newest.sections[tag] = record.isEmpty ? nil : record }

  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    if !mayKeep() {
      guard tearsLast, !hasBegunLast else { return changeCount }
      hasBegunLast = true
    }
    for tag in StateSections.tags where sections.contains(StateSections(tag: tag)) {
      var buffer = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &buffer)
      note(tag, buffer.bytes)
    }
    if sections.contains(.waiting) {
      var waiting: [UInt32: [UInt8]] = [:]
      for place in 0..<tracker.outbox.count {
        let (sequence, _) = tracker.outbox.name(at: place)
        if let bytes = newest.packets[sequence] {
          waiting[sequence] = bytes
        } else {
          var buffer = ByteBuffer()
          tracker.encodePacket(at: place, into: &buffer)
          waiting[sequence] = buffer.bytes
        }
      }
      newest.packets = waiting
    }
    changeCount += 1
    let after = underWay.last?.due ?? tracker.now
    underWay.append(Change(number: changeCount, due: max(after, tracker.now) + LifeStore.latency, content: newest))
    return changeCount
  }

  /// Lets what is due be on the storage.
  func advance(to now: Instant) {
    while let first = underWay.first, first.due <= now {
      medium.write(first.content)
      settled = first.content
      settledChange = first.number
      underWay.removeFirst()
    }
  }

  /// Numbers of the packets that the spool holds.
  var spooled: [UInt32] { newest.spool.all.map(\.sequence) }

  /// True when the spool holds a packet.
  func holds(_ sequence: UInt32) -> Bool { newest.spool.all.contains { $0.sequence == sequence } }

  func noteUnkept(_ sequence: UInt32, after wait: Interval) { unkeptCount += 1 }

  /// The power goes, and comes back.
  func cut(_ loss: StoreLoss) {
    // Of changes under way the last ones are lost.
    let kept =
      switch loss {
      case .nothing: underWay.count
      case .later: underWay.count / 2
      case .unsettled: 0
      case .torn, .shuffled: max(0, underWay.count - 1)
      }
    for change in underWay.prefix(kept) { medium.write(change.content) }
    if kept > 0 { settled = underWay[kept - 1].content }
    let torn = loss == .torn || loss == .shuffled ? underWay.last?.content : nil
    if let torn { medium.tear(torn, isShuffled: loss == .shuffled) }
    take(medium.mount(), orElse: torn)
    underWay.removeAll()
    newest = settled
    settledChange = changeCount
    tearsLast = false
    hasBegunLast = false
  }

  private func take(_ found: Content, orElse torn: Content?) {
    difference = LifeStore.difference(of: found, from: settled, orElse: torn)
    tornIsWhole = torn.map { found == $0 }
    if let torn, found == torn { settled = torn } else if difference != nil { settled = found }
  }

  /// What is there must be what was kept last, or with it the change that was being written, and never a part of that.
  ///
  /// - Returns: What is wrong; nil when all is well.
  static func difference(of found: Content, from kept: Content, orElse torn: Content?) -> String? {
    guard found != kept, found != torn else { return nil }
    let tags = Set(found.sections.keys).union(kept.sections.keys).filter { found.sections[$0] != kept.sections[$0] }
    let packets = Set(found.packets.keys).symmetricDifference(kept.packets.keys).sorted()
    return
      "sections \(tags.sorted()) and packets \(packets) are not as they were kept, nor as the change that was cut off has them"
  }
}

/// The spool is kept by the same changes as the state.
extension LifeStore: PacketSpool {
  var count: Int { newest.spool.count }

  func put(_ sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) -> Bool {
    newest.spool.put(SpooledPacket(sequence: sequence, pending: pending, isThinnable: isThinnable, section: section))
  }

  func take(_ count: Int, pending: UInt8) -> [SpooledPacket] { newest.spool.take(count, pending: pending) }
}
