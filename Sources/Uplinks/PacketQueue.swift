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

  /// True when the packet of that number waits.
  func contains(_ sequence: UInt32) -> Bool { packets.contains { $0.sequence == sequence } }

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

  /// Takes the next out.
  mutating func popFirst() -> OutgoingPacket? { packets.isEmpty ? nil : packets.removeFirst() }

  /// Forgets a packet.
  mutating func remove(_ sequence: UInt32) { packets.removeAll { $0.sequence == sequence } }
}

extension PacketPriority {
  /// True when the first does not go before the second.
  fileprivate static func <= (a: PacketPriority, b: PacketPriority) -> Bool { a.rawValue <= b.rawValue }
}
