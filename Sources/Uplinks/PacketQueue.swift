import TrackerRuntime
import Telemetry

/// Packets that wait, in the order they are to go: alerts, notices, reports, and among equals the oldest.
struct PacketQueue {
  private(set) var packets: [OutgoingPacket] = []

  /// True when nothing waits.
  var isEmpty: Bool { packets.isEmpty }
  /// How many wait.
  var count: Int { packets.count }
  /// The next to go.
  var first: OutgoingPacket? { packets.first }
  /// True when an alert waits.
  var hasAlert: Bool { packets.first?.kind.priority == .alert }

  /// True when the packet waits, on the same way.
  func contains(_ packet: OutgoingPacket) -> Bool { packets.contains { $0.isSame(as: packet) } }

  /// The first that takes another channel.
  func first(notOn channel: UInt8?) -> OutgoingPacket? { packets.first { $0.channel != channel } }

  /// Puts a packet behind its equals.
  mutating func append(_ packet: OutgoingPacket) {
    let place = packets.firstIndex { $0.kind.priority < packet.kind.priority } ?? packets.count
    packets.insert(packet, at: place)
  }

  /// Puts a packet back before its equals.
  mutating func putBack(_ packet: OutgoingPacket) {
    let place = packets.firstIndex { $0.kind.priority <= packet.kind.priority } ?? packets.count
    packets.insert(packet, at: place)
  }

  /// Puts a packet back behind its equals that take another channel, and before those that take the same.
  mutating func yield(_ packet: OutgoingPacket) {
    let before = packets.filter { packet.kind.priority < $0.kind.priority }
    let equal = packets.filter { $0.kind.priority == packet.kind.priority }
    let after = packets.dropFirst(before.count + equal.count)
    packets =
      before + equal.filter { $0.channel != packet.channel } + [packet]
      + equal.filter { $0.channel == packet.channel } + after
  }

  /// Takes the next out.
  mutating func popFirst() -> OutgoingPacket? { packets.isEmpty ? nil : packets.removeFirst() }

  /// Takes the next out; of alerts the first that is preferred goes before those that are not.
  mutating func popFirst(preferring isPreferred: (OutgoingPacket) -> Bool) -> OutgoingPacket? {
    guard let place = packets.firstIndex(where: { $0.kind.priority == .alert && isPreferred($0) }) else {
      return popFirst()
    }
    return packets.remove(at: place)
  }

  /// Forgets a packet of a way.
  mutating func remove(_ sequence: UInt32, way: Int) {
    packets.removeAll { $0.sequence == sequence && $0.way == way }
  }
}

extension PacketPriority {
  /// True when the first does not go before the second.
  fileprivate static func <= (a: PacketPriority, b: PacketPriority) -> Bool { a.rawValue <= b.rawValue }
}
