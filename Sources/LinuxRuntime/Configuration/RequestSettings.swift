import JSON5
import LinuxDevices
import Requests
import TrackerCore
import Uplinks

/// Who may ask what, beside the lists of the ways.
package struct RequestSettings: Equatable, Sendable {
  /// The owner's key, 64 hexadecimal digits; nil for none.
  package var key: Secret?
  /// Digits that may stand before a text message in place of a listed sender.
  package var pin: Secret?
  /// Telephone numbers with blanks between them.
  package var senders: String?
  /// Words of what a text message may ask unsigned, joined by '+'.
  package var trusted: String?

  /// Nobody but the console.
  package init() {}
}

extension RequestKindSet {
  /// Reads words joined by '+', or `all`; nil when one is none.
  init?(words text: String) {
    self.init()
    if text == "all" {
      self = .all
      return
    }
    for word in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let kind = RequestKind.allCases.first(where: { "\($0.word)" == word }), !kind.isOfOwnership else {
        return nil
      }
      insert(RequestKindSet(kind))
    }
  }
}

extension BoardConfiguration {
  /// What decides who is let in.
  var requestDoor: RequestDoor {
    var door = RequestDoor()
    if let key = requests.key { door.key = RequestKey(hexadecimal: Array(key.revealed.utf8).span) }
    for byte in (requests.pin?.revealed ?? "").utf8 { door.pin.append(byte) }
    if let words = requests.trusted { door[.textMessage()] = RequestKindSet(words: words) ?? RequestKindSet() }
    // A way through a modem that is not there is no way.
    let ways = uplinks.filter { !$0.isModem || modem != nil }
    for (place, way) in ways.enumerated() where !way.trusted.isEmpty {
      door[.way(place)] = RequestKindSet(words: way.trusted.joined(separator: "+")) ?? RequestKindSet()
    }
    return door
  }
}

extension ConfigurationSchema {
  /// What a list of requests must be; nil when this is one.
  static func requestKindsExpectation(_ text: String) -> String? {
    RequestKindSet(words: text) == nil
      ? "all, or of " + RequestKind.allCases.filter { !$0.isOfOwnership }.map { "\($0.word)" }.joined(separator: ", ")
        + " some joined by '+'" : nil
  }

  static let requests = BoundSection(
    "requests", "Who may ask what, beside the lists of the uplinks; without it nobody can sign.",
    fresh: RequestSettings(),
    [
      .secret(
        "key", \.key, "The owner's key, 64 hexadecimal digits: who has it may ask everything, on every way.",
        example: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
      .secret(
        "pin", \.pin, "Four to eight digits that may stand before a text message in place of a listed sender.",
        example: "4711"),
      .optionalText(
        "senders", \.senders, "Telephone numbers whose text messages are the owner's, with blanks between them.",
        example: "+31600000000 +31611111111",
        expectation: { text in
          text.split(separator: " ").allSatisfy { number in
            number.hasPrefix("+") && number.count > 5 && number.dropFirst().allSatisfy(\.isNumber)
          } ? nil : "numbers such as +31600000000, with blanks between them"
        }),
      .optionalText(
        "trusted", \.trusted, "Requests that a text message may ask without a signature, joined by '+'.",
        bytes: 1...128, example: "dismiss+locate", expectation: requestKindsExpectation),
    ])
}

extension BoardDraft {
  mutating func readRequests(_ section: ([JSON5Member], TextPosition)?) {
    guard let (members, position) = section else { return }
    let given = reader.values(of: members, keys: ConfigurationSchema.requests.section.keys, label: "requests")
    let settings = reader.fill(ConfigurationSchema.requests, given, label: "requests", at: position)
    add(settings, reader.rows(ConfigurationSchema.requests, settings, given, path: ["requests"]))
    if let key = settings.key, RequestKey(hexadecimal: Array(key.revealed.utf8).span) == nil {
      reader.note("'requests.key': expected 64 hexadecimal digits", at: given["key"]?.position ?? position)
    }
    let isPIN = settings.pin.map { (4...8).contains($0.revealed.utf8.count) && $0.revealed.allSatisfy(\.isNumber) }
    if isPIN == false {
      reader.note("'requests.pin': expected four to eight digits", at: given["pin"]?.position ?? position)
    }
  }
}
