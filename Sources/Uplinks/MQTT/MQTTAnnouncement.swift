import Telemetry

/// A broker.
package struct MQTTHost: Equatable, Sendable {
  /// Its name or address.
  package var name: String
  /// Its port.
  package var port: UInt16

  /// A broker.
  package init(name: String, port: UInt16) {
    self.name = name
    self.port = port
  }

  /// `NAME:PORT`, with brackets around an address that has colons itself.
  package var text: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
}

/// A message that the broker keeps.
package struct MQTTMessage: Equatable, Sendable {
  /// Its topic.
  package var topic: String
  /// Its bytes; none take the one before it away.
  package var bytes: [UInt8]

  /// A message.
  package init(topic: String, bytes: [UInt8]) {
    self.topic = topic
    self.bytes = bytes
  }
}

/// What a server is told about a tracker beside its packets, so that it shows it by itself.
package struct MQTTAnnouncement: Equatable, Sendable {
  /// Kept at the broker, in this order.
  package var messages: [MQTTMessage] = []
  /// Where `online` and, by the broker's will too, `offline` is kept.
  package var availabilityTopic = ""
  /// Where the server says `online` when it has started; then it is told all again.
  package var serverTopic = ""

  /// Nothing.
  package init() {}

  /// Where the newest packet is.
  package static let online = "online"
  /// What the broker says when the tracker is gone.
  package static let offline = "offline"

  /// What follows the topic of the packets where the last packet of such a kind is kept; nil for none.
  package static func suffix(of kind: PacketKind) -> String? {
    switch kind {
    case .movement, .fence: "/alert"
    case .status: "/status"
    case .ride: "/ride"
    case .location, .parking, .transition: nil
    }
  }

  /// What follows it for what the board says of itself.
  package static let state = "/state"

  /// What follows it for packets that come late: newer ones were there before, and what is shown must not go back in time.
  package static let late = "/late"
}
