import ASCIIText
import Gear
import Requests
public import TrackerCore

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

extension RequestKind {
  /// How requests are written, for help.
  public static var summary: String { allCases.map { "\($0.syntax)" }.joined(separator: ", ") }
}
