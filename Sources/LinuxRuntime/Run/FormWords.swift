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

/// The message as it goes out.
private func text(_ message: [UInt8], _ key: SecretKey?, _ chance: @escaping () -> UInt64) -> String {
  String(decoding: key.map { MessageSeal(key: $0, chance: chance).sealed(message) } ?? message, as: UTF8.self)
}
