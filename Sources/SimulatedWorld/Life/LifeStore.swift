import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

/// A storage that takes its time and outlives the tracker.
///
/// A change is whole or not there, as in a database; those that are under way when the power goes are lost from the last one on.
final class LifeStore: TrackerStore {
  /// What the storage holds.
  struct Content {
    var sections: [UInt8: [UInt8]] = [:]
    var packets: [UInt32: [UInt8]] = [:]
    var spool = SpooledPackets(capacity: 2000)

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
  private var underWay: [Change] = []
  private var changeCount: UInt64 = 0
  private(set) var settledChange: UInt64 = 0

  /// When the next change is on the storage, on the tracker's clock.
  var nextDeadline: Instant? { underWay.first?.due }

  func keep(beside tag: UInt8, _ record: [UInt8]) { newest.sections[tag] = record }

  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    guard mayKeep() else { return changeCount }
    for tag in StateSections.tags where sections.contains(StateSections(tag: tag)) {
      var buffer = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &buffer)
      newest.sections[tag] = buffer.bytes
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

  /// The power goes.
  func cut(_ loss: StoreLoss) {
    // Of changes under way the last ones are lost.
    let kept = loss == .nothing ? underWay.count : loss == .later ? underWay.count / 2 : 0
    if kept > 0 { settled = underWay[kept - 1].content }
    underWay.removeAll()
    newest = settled
    settledChange = changeCount
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
