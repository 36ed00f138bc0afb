import Quantities
import Requests

/// Telephones that write text messages to a tracker: its owner's, and others.
struct LifeTelephone {
  /// A text message on its way.
  struct Message {
    let text: String
    let number: String
    /// The number of its request, and whether it is the owner's; nil for one that has no number, or had it before.
    let request: (number: UInt64, isOwner: Bool)?
  }

  private let name: [UInt8]
  private var requestCount: UInt64 = 0
  private var lastRequest = ""

  /// The owner's key.
  static let key = RequestKey(hexadecimal: Array(String(repeating: "5a", count: 32).utf8).span)
  private static let otherKey = RequestKey(hexadecimal: Array(String(repeating: "a5", count: 32).utf8).span)
  /// UTC at the world's zero, as the receivers of scenes tell it, ms.
  let utcMilliseconds: Int64

  /// - Parameters:
  ///   - name: Of the tracker.
  ///   - utc: At the world's zero.
  init(to name: [UInt8], utc: UTCTime) {
    self.name = name
    utcMilliseconds = utc.microseconds / 1000
  }

  /// What somebody writes; nil when there is nothing to repeat.
  mutating func write(_ text: String, from sender: TextSender, at time: Instant) -> Message? {
    switch sender {
    case .owner, .forger:
      requestCount += 1
      let isOwner = sender == .owner
      let numbered = "#\(requestCount) \(text)"
      let counter = UInt64(utcMilliseconds + max(0, time.microseconds / 1000))
      let signed = signed(numbered, by: isOwner ? LifeTelephone.key : LifeTelephone.otherKey, counter: counter)
      let message = signed ?? numbered
      if isOwner { lastRequest = message }
      return Message(text: message, number: LifeModem.owner, request: (requestCount, isOwner))
    case .echo:
      return lastRequest.isEmpty ? nil : Message(text: lastRequest, number: LifeModem.owner, request: nil)
    case .stranger: return Message(text: text, number: "+31699999999", request: nil)
    }
  }

  private func signed(_ text: String, by key: RequestKey?, counter: UInt64) -> String? {
    guard let signed = key?.signed(Array(text.utf8).span, for: name.span, counter: counter) else { return nil }
    return signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
