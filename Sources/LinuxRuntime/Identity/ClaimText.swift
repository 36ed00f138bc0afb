import Requests

/// What the label of a tracker says: its name, and what its first owner claims it with.
///
///     leash://claim/bike42#4f1c…
///
/// Behind the mark, so that no program that takes it for an address sends the secret anywhere.
package struct ClaimText {
  /// The tracker's name.
  package var trackerID: String
  /// The claim secret.
  package var secret: RequestKey

  private static var front: String { "leash://claim/" }

  /// A label.
  package init(trackerID: String, secret: RequestKey) {
    self.trackerID = trackerID
    self.secret = secret
  }

  /// Reads a label; nil when the text is none. Blanks and line ends around it count for nothing.
  package init?(_ text: String) {
    let text = text.trimmingBlanks
    guard text.hasPrefix(ClaimText.front) else { return nil }
    let parts = text.dropFirst(ClaimText.front.count).split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, DeviceID.expectation(String(parts[0])) == nil,
      let secret = RequestKey(hexadecimal: Array(parts[1].utf8).span)
    else { return nil }
    self.init(trackerID: String(parts[0]), secret: secret)
  }

  /// The text of the label.
  package var text: String { "\(ClaimText.front)\(trackerID)#\(secret.digits)" }
}

extension RequestKey {
  /// Its 64 digits.
  package var digits: String {
    hexadecimal.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
