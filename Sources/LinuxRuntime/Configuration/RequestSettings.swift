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
  /// Telephone numbers of the owner, for text messages.
  package var senders: [String] = []
  /// Words of what a text message may ask unsigned.
  package var trusted: [String] = []

  /// Nobody but the console.
  package init() {}
}

extension RequestKindSet {
  /// The kinds of some words; those that are none are passed over, and `all` is every one.
  init(_ words: [String]) {
    self.init()
    if words.contains("all") { self = .all }
    for kind in RequestKind.allCases where words.contains("\(kind.word)") { insert(RequestKindSet(kind)) }
  }
}

extension BoardConfiguration {
  /// What decides who is let in.
  var requestDoor: RequestDoor {
    var door = RequestDoor()
    if let key = requests.key { door.key = RequestKey(hexadecimal: Array(key.revealed.utf8).span) }
    for byte in (requests.pin?.revealed ?? "").utf8 { door.pin.append(byte) }
    door[.textMessage()] = RequestKindSet(requests.trusted)
    // A way through a modem that is not there is no way.
    let ways = uplinks.filter { !$0.isModem || modem != nil }
    for (place, way) in ways.enumerated() { door[.way(place)] = RequestKindSet(way.trusted) }
    return door
  }
}

// The local page.
extension BoardConfiguration {
  /// Who hears what a browser has signed can try tokens one by one; of this length there are too many.
  static var shortestPageToken: Int { 16 }

  /// What the page has buttons for; its token asks for nothing else.
  package static var pageRequests: RequestKindSet {
    [
      RequestKindSet(.alerts), RequestKindSet(.dismiss), RequestKindSet(.found), RequestKindSet(.locate),
      RequestKindSet(.track), RequestKindSet(.fence), RequestKindSet(.place), RequestKindSet(.alarm),
      RequestKindSet(.zone), RequestKindSet(.secure), RequestKindSet(.temporary), RequestKindSet(.snooze),
      RequestKindSet(.hush),
    ]
  }

  /// What lets a request of the page in that is signed with the page's token; nil when there is none.
  var pageDoor: RequestDoor? {
    guard let token = pageToken else { return nil }
    var door = RequestDoor()
    door.key = RequestKey(token: token.revealed)
    door.reach = BoardConfiguration.pageRequests
    return door
  }
}

extension RequestKey {
  /// The key that a token stands for: its own digits when it is 64 hexadecimal ones, as the owner's key is, and the SHA-256 of its UTF-8
  /// otherwise.
  package init?(token: String) {
    let bytes = Array(token.utf8)
    if let key = RequestKey(hexadecimal: bytes.span) {
      self = key
      return
    }
    var hash = SHA256()
    hash.update(bytes.span)
    let digest = hash.finish()
    var digits: [UInt8] = []
    for place in 0..<digest.count {
      for value in [digest[place] >> 4, digest[place] & 15] { digits.append(value < 10 ? 0x30 + value : 0x57 + value) }
    }
    self.init(hexadecimal: digits.span)
  }
}

extension ConfigurationSchema {
  /// What may stand in a list of requests: who owns the tracker is no matter of lists.
  static let requestWords = ["all"] + RequestKind.allCases.filter { !$0.isOfOwnership }.map { "\($0.word)" }

  static let requests = BoundSection(
    "requests",
    "Who may send which requests, in addition to 'trusted' of the uplinks. Without it signed requests are not accepted.",
    fresh: RequestSettings(),
    [
      .secret(
        "key", \.key, "The owner's key, 64 hexadecimal digits. A request signed with it is accepted on every channel.",
        example: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
      .secret(
        "pin", \.pin, "PIN of four to eight digits that allows text messages from unlisted senders.",
        example: "4711"),
      BoundKey(
        "senders", .texts(1...20), "Telephone numbers of the owner, for text messages.",
        example: "[\"+31600000000\"]",
        get: { $0.senders.isEmpty ? nil : .words($0.senders) },
        set: { settings, value in
          guard case .words(let numbers) = value else { return nil }
          guard numbers.allSatisfy(isNumber) else { return "numbers such as \"+31600000000\"" }
          settings.senders = numbers
          return nil
        }),
      .words(
        "trusted", \.trusted, requestWords,
        "Requests accepted without a signature in text messages from these numbers, or with the PIN.",
        example: ["dismiss", "locate"]),
    ])
}

private func isNumber(_ text: String) -> Bool {
  text.hasPrefix("+") && (6...20).contains(text.utf8.count)
    && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
}

extension BoardDraft {
  mutating func take(_ requests: ReadSection<RequestSettings>) {
    add(requests.settings)
    if let key = requests.settings.key, RequestKey(hexadecimal: Array(key.revealed.utf8).span) == nil {
      reader.note("'requests.key': expected 64 hexadecimal digits", at: requests.position(of: "key"))
    }
    let isPIN = requests.settings.pin.map {
      (4...8).contains($0.revealed.utf8.count) && $0.revealed.allSatisfy(\.isNumber)
    }
    if isPIN == false {
      reader.note("'requests.pin': expected four to eight digits", at: requests.position(of: "pin"))
    }
  }
}
