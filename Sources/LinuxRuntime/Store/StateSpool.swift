import TrackerRuntime

/// The spool of a board: in memory, with a table beside the state that is changed in the same transaction.
///
/// The table is read when it is opened and written after that, so that no reader waits for a storage that is slow. A disk that is
/// full delays both together. When the spool is full positions are thinned out evenly, so that the whole way stays visible.
package final class StateSpool: PacketSpool {
  /// Packets that may wait for a disk that takes nothing.
  static var pendingCapacity: Int { 64 }

  private(set) var packets: SpooledPackets
  /// Packets that are not in the table.
  private var unwritten: Set<UInt32> = []
  /// Packets that have left the spool, and may be in the table.
  private var gone: Set<UInt32> = []
  /// What a change that is not over yet puts in and takes out.
  private var underWay: (written: Set<UInt32>, gone: Set<UInt32>) = ([], [])

  init(capacity: Int) { packets = SpooledPackets(capacity: max(2, capacity)) }

  /// The most packets.
  package var capacity: Int { packets.capacity }
  /// Packets that went to make room.
  package var thinnedCount: Int { packets.thinnedCount }
  /// Packets in it.
  package var count: Int { packets.count }
  /// True when something is not in the table yet, or still in it.
  var hasChanges: Bool { !unwritten.isEmpty || !gone.isEmpty }

  /// Takes a packet; false when a disk has not taken 64 of them.
  package func put(_ sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) -> Bool {
    guard unwritten.count + underWay.written.count < StateSpool.pendingCapacity else { return false }
    let packet = SpooledPacket(sequence: sequence, pending: pending, isThinnable: isThinnable, section: section)
    guard packets.put(packet, thinned: forget) else { return false }
    unwritten.insert(sequence)
    gone.remove(sequence)
    return true
  }

  /// Gives back packets, those with the lowest numbers first, of those that one of some receivers lacks.
  package func take(_ count: Int, pending: UInt8) -> [SpooledPacket] {
    let result = packets.take(count, pending: pending)
    for packet in result { forget(packet.sequence) }
    return result
  }

  private func forget(_ sequence: UInt32) {
    unwritten.remove(sequence)
    // Also one that is not in the table now: the change under way may put it there, and it may have been there before.
    gone.insert(sequence)
  }

  // MARK: The table

  /// Goes on with what a table holds.
  func load(_ rows: [SpooledPacket]) { packets.replace(with: rows) }

  /// Takes over what a spool held whose table is lost; in ascending order.
  func adopt(_ rows: [SpooledPacket]) {
    packets.replace(with: rows)
    noteLost()
  }

  /// What has changed, for a change that begins; one at a time.
  func takeChanges() -> (spooled: [SpooledPacket], unspooled: [UInt32]) {
    underWay = (unwritten, gone)
    (unwritten, gone) = ([], [])
    return (packets.all.filter { underWay.written.contains($0.sequence) }, underWay.gone.sorted())
  }

  /// The change is on the storage.
  func noteWritten() { underWay = ([], []) }

  /// The change was refused: what it was to do is to be done, but for what has been overtaken.
  func noteRefused() {
    let present = Set(packets.all.lazy.map(\.sequence))
    gone.formUnion(underWay.gone.subtracting(present))
    unwritten.formUnion(underWay.written.intersection(present))
    underWay = ([], [])
  }

  /// The table is gone with its file: a new one wants all.
  func noteLost() {
    unwritten = Set(packets.all.lazy.map(\.sequence))
    gone = []
    underWay = ([], [])
  }
}
