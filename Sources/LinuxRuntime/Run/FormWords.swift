import OwnTracks
import PacketForms
import SecretBox
import Telemetry
import TrackerRuntime
import Uplinks

extension MQTTFormWords {
  /// What a form says, sealed as its packets are.
  ///
  /// - Parameters:
  ///   - format: The form, which declares what it needs.
  ///   - trackerID: The tracker's name, UTF-8.
  ///   - key: Seals it; nil for messages that anybody may read.
  ///   - chance: 64 bits of chance, for nonces.
  init(_ format: PacketFormat, trackerID: [UInt8], key: SecretKey?, chance: @escaping () -> UInt64) {
    self.init()
    let needs = format.needs
    if needs.contains(.will) {
      will = { time in
        var bytes = ByteBuffer()
        if let time { OwnTracksMessages.encodeWill(connectedAt: time, into: &bytes) }
        return text(time == nil ? Array("{\"_type\":\"lwt\"}".utf8) : bytes.bytes, key, chance)
      }
    }
    if needs.isSuperset(of: [.topics, .retain]) {
      card = {
        var bytes = ByteBuffer()
        OwnTracksMessages.encodeCard(trackerID: trackerID.span, into: &bytes)
        return text(bytes.bytes, key, chance)
      }
    }
  }
}

extension UplinkSettings {
  /// Where OwnTracks' messages go on this way; nil where there are no topics. Over HTTP a recorder makes the topic from user and device.
  ///
  /// - Parameter modem: The modem, if there is one.
  /// - Source: booklet of OwnTracks, "HTTP".
  package func ownTracksTopic(_ modem: ModemSettings?) -> String? {
    switch kind {
    case .mqtt(let settings): return settings.topic
    case .http(let settings):
      func header(_ name: String) -> String? {
        settings.headers.first { $0.name.lowercased() == name }?.value.revealed
      }
      guard let user = header("x-limit-u") ?? parameter("u", of: settings.url),
        let device = header("x-limit-d") ?? parameter("d", of: settings.url)
      else { return nil }
      return "owntracks/\(user)/\(device)"
    case .modem(let own):
      guard let modem, own ?? modem.transport == .mqtt else { return nil }
      return modem.driver.mqttTopic.string
    }
  }

  /// The value of a parameter of an address, if it stands there as it is.
  private func parameter(_ name: String, of url: String) -> String? {
    guard let mark = url.firstIndex(of: "?") else { return nil }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" }
    let value = query.split(separator: "&").first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    return value.flatMap { $0.isEmpty || $0.contains("%") || $0.contains("+") ? nil : String($0) }
  }
}

extension OwnTracksTopicForm {
  /// The form of a way; nil where there is no topic.
  package init?(_ uplink: UplinkSettings, _ modem: ModemSettings?) {
    guard let topic = uplink.ownTracksTopic(modem).map({ Array($0.utf8) }) else { return nil }
    self.init(topic: topic.span)
  }
}

/// The message as it goes out.
private func text(_ message: [UInt8], _ key: SecretKey?, _ chance: @escaping () -> UInt64) -> String {
  String(decoding: key.map { MessageSeal(key: $0, chance: chance).sealed(message) } ?? message, as: UTF8.self)
}
