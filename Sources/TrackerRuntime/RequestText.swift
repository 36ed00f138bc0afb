import ASCIIText
import Gear
import Requests
public import TrackerCore

extension RequestOrigin {
  /// Which way a channel is, from 0; nil for one that is no way.
  package static func way(ofChannel channel: UInt8) -> Int? {
    switch channel {
    case console.channel, textMessage().channel, page.channel, configuration.channel: nil
    default: Int(channel) - Int(way(0).channel)
    }
  }

  /// A channel in words; a way only has its number from 1, as a log has no names of uplinks.
  package static func name(ofChannel channel: UInt8) -> String {
    switch channel {
    case console.channel: "control socket"
    case textMessage().channel: "text message"
    case page.channel: "local page"
    case configuration.channel: "configuration"
    default: "uplink \(Int(channel) - Int(way(0).channel) + 1)"
    }
  }
}

/// Requests of the owner as Swift text; the core has their grammar.
extension Request {
  /// Reads a request, with or without a number; nil when the text is none.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard let envelope = RequestEnvelope(bytes.span) else { return nil }
    self.init(bytes.span.extracting(envelope.start..<envelope.end))
    // The core does not read what stands behind this word.
    guard case .gear(let words) = self else { return }
    var reader = TextWords()
    guard GearChange(&reader, words.span) != nil, !reader.hasNext(in: words.span) else { return nil }
  }

  /// The request as text.
  public var text: String {
    var buffer = ByteBuffer()
    encode(into: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

extension Request {
  /// A setting's name and value, as a request to set it has them.
  public static func text(of setting: UInt8, _ value: Int64) -> String {
    var changes = SettingChanges()
    changes.append(SettingChange(id: setting, value: value))
    return String(Request.set(changes).text.dropFirst(4))
  }
}
