import HomeAssistant
import TrackerRuntime

/// A tracker that Home Assistant shows by itself.
package struct HomeAssistantSettings: Equatable, Sendable {
  /// What it is told.
  package var device: HomeAssistantDevice
  /// The first level of its topics. Default `homeassistant`.
  package var prefix = "homeassistant"
  /// One message for all or one for each. Default: one for all.
  package var form = HomeAssistantForm.device

  /// A tracker.
  package init(_ device: HomeAssistantDevice) { self.device = device }

  /// What the broker keeps for it.
  package var announcement: MQTTAnnouncement {
    var announcement = MQTTAnnouncement()
    announcement.messages = messages
    announcement.availabilityTopic = text(device.availabilityTopic.span)
    announcement.serverTopic = prefix + "/status"
    return announcement
  }

  private var messages: [MQTTMessage] {
    guard form == .components else { return [deviceMessage(isEmpty: false)] }
    return HomeAssistantEntity.allCases.map { componentMessage($0, isEmpty: false) }
  }

  /// Messages that take away what the other form has told.
  package var otherFormsRemoval: [MQTTMessage] {
    form == .device
      ? HomeAssistantEntity.allCases.map { componentMessage($0, isEmpty: true) } : [deviceMessage(isEmpty: true)]
  }

  /// Messages that take away what was told in either form.
  package var removal: [MQTTMessage] {
    [deviceMessage(isEmpty: true)] + HomeAssistantEntity.allCases.map { componentMessage($0, isEmpty: true) }
  }

  /// Messages that take away what the broker keeps of the packets; after `removal`, as who still shows them can't read nothing.
  package var packetRemoval: [MQTTMessage] {
    let topic = text(device.topic.span)
    let kept =
      ["", "/alert", "/status", "/ride", MQTTAnnouncement.state].map { topic + $0 } + [
        text(device.availabilityTopic.span)
      ]
    return kept.map { MQTTMessage(topic: $0, bytes: []) }
  }

  /// The entities that are shown.
  package var entities: [HomeAssistantEntity] { HomeAssistantEntity.allCases.filter { device.offers($0) } }

  /// The longest message, which says whether a modem can carry it.
  package var longestMessage: Int { messages.map(\.bytes.count).max() ?? 0 }

  /// The longest topic of these messages, which says the same.
  package var longestTopic: Int { messages.map(\.topic.utf8.count).max() ?? 0 }

  private func deviceMessage(isEmpty: Bool) -> MQTTMessage {
    var topic = ByteBuffer()
    device.encodeTopic(prefix: Array(prefix.utf8).span, into: &topic)
    var bytes = ByteBuffer()
    if !isEmpty { device.encode(into: &bytes) }
    return MQTTMessage(topic: text(topic.bytes.span), bytes: bytes.bytes)
  }

  private func componentMessage(_ entity: HomeAssistantEntity, isEmpty: Bool) -> MQTTMessage {
    var topic = ByteBuffer()
    device.encodeTopic(of: entity, prefix: Array(prefix.utf8).span, into: &topic)
    var bytes = ByteBuffer()
    if !isEmpty { _ = device.encode(entity, into: &bytes) }
    return MQTTMessage(topic: text(topic.bytes.span), bytes: bytes.bytes)
  }

  private func text(_ bytes: Span<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension HomeAssistantRequests {
  /// The requests of a list of words, as `trusted` has it.
  package init(words: [String]) {
    let all: [(word: String, request: HomeAssistantRequests)] = HomeAssistantRequests.words
    self.init(all.filter { words.contains($0.word) || words.contains("all") }.map(\.request))
  }

  /// Each with its word.
  package static let words: [(word: String, request: HomeAssistantRequests)] = [
    ("dismiss", .dismiss), ("found", .found), ("arm", .arm), ("disarm", .disarm), ("locate", .locate),
    ("track", .track), ("buzzer", .buzzer), ("alerts", .alerts), ("privacy", .privacy),
  ]
}

extension HomeAssistantSettings {
  fileprivate mutating func tell(version: String) {
    device.version.removeAll()
    device.version.append(contentsOf: Array(version.utf8).span)
  }
}

extension ModemSettings {
  /// Has Home Assistant show the version of the program, where it is announced to.
  package mutating func tell(version: String) { homeAssistant?.tell(version: version) }
}

extension UplinkSettings {
  /// Has Home Assistant show the version of the program, where it is announced to.
  package mutating func tell(version: String) {
    guard case .mqtt(var settings) = kind, var house = settings.homeAssistant else { return }
    house.tell(version: version)
    settings.homeAssistant = house
    settings.announcement = house.announcement
    kind = .mqtt(settings)
  }
}
