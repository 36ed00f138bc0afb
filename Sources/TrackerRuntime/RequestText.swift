import ASCIIText
import Requests
public import TrackerCore

/// Requests of the owner as Swift text; the core has their grammar.
extension Request {
  /// Reads a request, with or without a number; nil when the text is none.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard let envelope = RequestEnvelope(bytes.span) else { return nil }
    self.init(bytes.span.extracting(envelope.start..<envelope.end))
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

  /// Why a text is no request.
  public static func complaint(about text: String) -> String {
    let words = text.split(separator: " ").map(String.init)
    let isSet = words.first == "\(RequestKind.set.word)"
    guard isSet || words.first == "\(RequestKind.reset.word)", words.count > 1 else {
      guard let kind = allCases.first(where: { "\($0.word)" == words.first }) else {
        return "unknown command '\(text)'; one of: \(summary)"
      }
      return "can't read '\(text)'; expected \(kind.syntax)"
        + (kind.hasPageOfRules ? ", with examples in docs/rules.md" : "")
    }
    let names = isSet ? stride(from: 1, to: words.count, by: 2).map { words[$0] } : [words[1]]
    for (place, name) in names.enumerated() {
      guard let setting = Setting.all.first(where: { $0.name == name }) else { return "unknown setting '\(name)'" }
      guard setting.isLive else {
        return "'\(name)' can't be changed while the tracker runs; set it in the configuration file"
      }
      guard isSet else { continue }
      let value = 2 + 2 * place
      var configuration = TrackerConfiguration()
      if value >= words.count || !setting.set(&configuration, words[value]) {
        return "'\(name)': expected \(setting.expectation)"
      }
    }
    return
      "expected \(isSet ? RequestKind.set.syntax : RequestKind.reset.syntax), up to \(SettingChanges.capacity) at once"
  }

  /// True for those whose words are too many for one line of help.
  private var hasPageOfRules: Bool { self == .fence || self == .place || self == .alarm }
}
