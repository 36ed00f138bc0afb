public import Recording

/// The spool of a board: a table beside the state, changed in the same transaction.
///
/// What was put in or taken out is in memory until the next change of the state is kept, which is before anything else happens; a
/// disk that is full delays both together. When it is full positions are thinned out evenly, so that the whole way stays visible.
public final class StateSpool: PacketSpool {
  /// Packets that may wait for a disk that takes nothing.
  static var pendingCapacity: Int { 64 }

  /// The most packets.
  public let capacity: Int
  /// Packets that went to make room.
  public private(set) var thinnedCount = 0
  /// The table; nil while there is no file.
  var file: StateFile? {
    didSet { rowCount = file?.spoolCount() ?? 0 }
  }

  /// Packets of the table.
  private var rowCount = 0
  private var toPut: [SpooledPacket] = []
  private var taken: Set<UInt32> = []
  /// Packets of the table after the change that is being made, and how many were thinned out in it.
  private var next: (rowCount: Int, thinnedCount: Int)?

  init(capacity: Int) { self.capacity = max(2, capacity) }

  /// True when something is not in the table yet, or still in it.
  var hasChanges: Bool { !toPut.isEmpty || !taken.isEmpty }

  /// Packets in it.
  public var count: Int { rowCount - taken.count + toPut.count }

  /// Takes a packet; false when a disk has not taken 64 of them.
  public func put(_ sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) -> Bool {
    guard toPut.count < StateSpool.pendingCapacity else { return false }
    let place = toPut.lastIndex { $0.sequence < sequence }.map { $0 + 1 } ?? 0
    toPut.insert(
      SpooledPacket(sequence: sequence, pending: pending, isThinnable: isThinnable, section: section), at: place)
    return true
  }

  /// Takes over what a spool held whose file is lost; in ascending order.
  func adopt(_ packets: [SpooledPacket]) { toPut = packets }

  /// Gives back packets, those with the lowest numbers first. A table that can't be read gives none now.
  public func take(_ count: Int) -> [SpooledPacket] {
    let rows = (file?.spooled(count + taken.count) ?? []).filter { !taken.contains($0.sequence) }
    let result = Array((rows + toPut).sorted { $0.sequence < $1.sequence }.prefix(count))
    for packet in result {
      if let place = toPut.firstIndex(where: { $0.sequence == packet.sequence }) {
        toPut.remove(at: place)
      } else {
        taken.insert(packet.sequence)
      }
    }
    return result
  }

  /// Writes what has changed, inside a transaction.
  func write(into file: StateFile) throws(SQLiteFailure) {
    next = nil
    guard !toPut.isEmpty || !taken.isEmpty else { return }
    for packet in toPut { try file.insertSpooled(packet) }
    for sequence in taken { try file.deleteSpooled(sequence) }
    var rows = rowCount + toPut.count - taken.count
    var thinned = 0
    if rows > capacity {
      thinned = try file.thinSpool(capacity: capacity)
      rows -= thinned
    }
    next = (rows, thinned)
  }

  /// The transaction is on the storage.
  func noteWritten() {
    guard let next else { return }
    rowCount = next.rowCount
    thinnedCount += next.thinnedCount
    toPut = []
    taken = []
    self.next = nil
  }

  /// The table is gone with its file: a new one begins with what is in memory.
  func noteLost() {
    rowCount = 0
    taken = []
    next = nil
  }
}
