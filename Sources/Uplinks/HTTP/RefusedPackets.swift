import TrackerRuntime

/// Packets that a server refused for what they say, and what that says about the server.
///
/// One packet that is refused may be alone in that; two after another, with none taken between, make it likely that all will be. So does the
/// first of all, of a server that has taken none.
struct RefusedPackets {
  private struct Key: Hashable {
    var sequence: UInt32
    var way: Int

    init(_ packet: OutgoingPacket) { (sequence, way) = (packet.sequence, packet.way) }
  }

  /// Refused while others were taken.
  private var alone: Set<Key> = []
  /// Refused since one was taken last.
  private var recent: Set<Key> = []
  /// True when one was taken, and none refused since but those that are alone in it.
  private var isProven = false
  /// True while the way pauses over such a refusal.
  var isReason = false

  /// The most that are known: more than can be on their way.
  private static var capacity: Int { 256 }

  /// The server has taken a packet.
  mutating func noteDelivered(_ packet: OutgoingPacket) {
    isProven = true
    isReason = false
    alone.formUnion(recent)
    recent = []
    alone.remove(Key(packet))
    if alone.count > RefusedPackets.capacity { alone = [] }
  }

  /// The server has refused a packet.
  ///
  /// - Returns: True when the way is to pause over it.
  mutating func note(_ packet: OutgoingPacket) -> Bool {
    let key = Key(packet)
    if alone.contains(key) { return false }
    if recent.count < RefusedPackets.capacity { recent.insert(key) }
    defer { isProven = false }
    return !isProven
  }

  /// True when the server has refused the packet before.
  func has(_ packet: OutgoingPacket) -> Bool { alone.contains(Key(packet)) || recent.contains(Key(packet)) }
}
