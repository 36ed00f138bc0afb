import TrackerRuntime
import Telemetry

/// Which packets are the newest of those that a broker keeps: what is shown must not go back in time.
struct NewestPackets {
  private var newest: UInt32 = 0
  private var newestOfKind: [String: UInt32] = [:]
  private var newestOfTopic: [MessageTopic: UInt32] = [:]

  /// True for a packet that is older than one that went before it.
  mutating func isLate(_ sequence: UInt32) -> Bool {
    guard sequence >= newest else { return true }
    newest = sequence
    return false
  }

  /// True for a packet that is the newest of those which are kept together.
  mutating func keeps(_ packet: OutgoingPacket) -> Bool {
    guard let suffix = MQTTAnnouncement.suffix(of: packet.kind), packet.sequence >= newestOfKind[suffix] ?? 0 else {
      return false
    }
    newestOfKind[suffix] = packet.sequence
    return true
  }

  /// True when none that is newer went to the same topic: whoever subscribes later is not to find where it was hours ago.
  mutating func isNewest(_ packet: OutgoingPacket) -> Bool {
    guard packet.sequence >= newestOfTopic[packet.head.topic] ?? 0 else { return false }
    newestOfTopic[packet.head.topic] = packet.sequence
    return true
  }
}
