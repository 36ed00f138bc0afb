import ASCIIText
import OwnTracks
public import Quantities
public import SecretBox

/// Reads what goes to servers and comes from them, in all forms there are encoders for, and as other makers write them.
///
/// Any bytes may be given: what is no message is refused with a line that says why. What a message says twice, the first holds; what the
/// form does not know is kept as a field without a meaning.
public struct PacketDecoder: Sendable {
  /// The longest message, bytes.
  public static var capacity: Int { 65_536 }
  /// The most fields of a message.
  static var fieldCapacity: Int { 512 }

  /// Opens sealed messages; nil when there is none.
  public var key: SecretKey?
  /// The time by the reader's clock, for what is said to be yet to come; nil for no opinion.
  public var now: UTCTime?

  /// A decoder.
  public init(key: SecretKey? = nil, now: UTCTime? = nil) {
    self.key = key
    self.now = now
  }

  /// Reads one message, or the array of messages that a server answers; its topic may stand before it, as `mosquitto_sub -v` prints it.
  public func decode(_ bytes: [UInt8]) throws(DecodingFailure) -> [DecodedMessage] {
    guard bytes.count <= PacketDecoder.capacity else {
      throw DecodingFailure("\(bytes.count) bytes; a message has \(PacketDecoder.capacity) at most")
    }
    let text = trimmed(bytes)
    guard let (topic, message) = split(text) else { return try decode(text, topic: nil) }
    return try decode(message, topic: topic).map { message in
      var message = message
      message.topic = topic
      return message
    }
  }

  /// A topic, and what stands behind it; nil when the text does not begin with one.
  private func split(_ text: [UInt8]) -> (topic: String, message: [UInt8])? {
    // A topic with blanks ends where JSON begins.
    let opening = text.indices.first { $0 > 0 && text[$0 - 1] == 0x20 && (text[$0] == 0x7B || text[$0] == 0x5B) }
    guard let blank = opening.map({ $0 - 1 }) ?? text.firstIndex(of: 0x20), text[..<blank].contains(0x2F),
      text[0] != 0x2F,
      text[blank - 1] != 0x3A, !text[..<blank].contains(where: { [0x3D, 0x3F, 0x7B, 0x5B, 0x2C].contains($0) }),
      let topic = String(validating: text[..<blank], as: UTF8.self)
    else { return nil }
    return (topic, trimmed(Array(text[blank...])))
  }

  private func decode(_ text: [UInt8], topic: String?) throws(DecodingFailure) -> [DecodedMessage] {
    guard let first = text.first else { throw DecodingFailure("empty") }
    if first == 0x7B || first == 0x5B { return try decodeJSON(text, topic: topic) }
    if let topic, text.elementsEqual("(null)".utf8) {
      guard DiscoveryReading.isAnnouncement(topic) else {
        throw DecodingFailure("empty: the broker forgets what it kept")
      }
      return [DecodedMessage(form: .homeAssistant, type: "removal", fields: [], facts: DecodedFacts())]
    }
    if let topic, let word = RequestReading.availability(text, topic: topic) { return [word] }
    if isTeltonika(text) { throw DecodingFailure("a frame of Teltonika's codecs, which Leash can't decode yet") }
    if let request = RequestReading.message(text, isWhole: true) { return [request] }
    if let query = QueryText.query(in: text) { return [try OsmAndReading.message(query, now)] }
    if let fault = QueryText.fault(in: text) { throw DecodingFailure(fault) }
    if let compact = OwnTracksCompactRecord(text) { return [compact.message(now)] }
    if let fault = OwnTracksCompactRecord.fault(in: text) { throw DecodingFailure(fault) }
    if let message = TextReading.message(text, now) { return [message] }
    if let plain = plainBytes(text) { return try decodeJSON(plain, topic: topic) }
    if let sealed = sealedBytes(text) { return try unsealed(opened(sealed)) }
    if text.contains(0x3D), let query = QueryText(text), query.parameters.count > 1 {
      return [try OsmAndReading.message(query, now)]
    }
    if let request = RequestReading.message(text, isWhole: false) { return [request] }
    throw DecodingFailure(
      "unknown message; expected JSON, a query, compact fields, a text message, a request or base64")
  }

  /// Four zero bytes, a length, and the number of a codec, as bytes or in hexadecimal.
  private func isTeltonika(_ text: [UInt8]) -> Bool {
    let codecs: [UInt8] = [0x08, 0x8E, 0x10, 0x0C]
    if text.count >= 18, text.starts(with: "00000000".utf8) {
      let codec = UInt8(String(decoding: text[16..<18], as: UTF8.self), radix: 16)
      return text.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } && codec.map { codecs.contains($0) } ?? false
    }
    return text.count >= 9 && text.starts(with: [0, 0, 0, 0]) && codecs.contains(text[8])
  }

  private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
    var start = 0
    var end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return Array(bytes[start..<end])
  }

  // MARK: Sealed

  /// JSON that somebody has written as base64 without sealing it; nil for any other text.
  private func plainBytes(_ text: [UInt8]) -> [UInt8]? {
    var plain = DecodedBytes()
    guard decodeBase64(text.span, into: &plain), plain.bytes.first == 0x7B || plain.bytes.first == 0x5B,
      JSONValue(plain.bytes.span) != nil
    else { return nil }
    return plain.bytes
  }

  /// What was sealed: that it was opened proves the key, whatever it says.
  private func unsealed(_ plain: [UInt8]) throws(DecodingFailure) -> [DecodedMessage] {
    do throws(DecodingFailure) {
      return try decode(trimmed(plain), topic: nil).map { sealedMessage($0) }
    } catch {
      let text = String(decoding: plain.prefix(200), as: UTF8.self)
      throw DecodingFailure("the key fits, but '\(terminalText(text))' is no message: \(error.message)")
    }
  }

  private func sealedBytes(_ text: [UInt8]) -> [UInt8]? {
    guard text.count >= 56 else { return nil }
    var bytes = DecodedBytes()
    guard decodeBase64(text.span, into: &bytes) else { return nil }
    return text
  }

  private func opened(_ base64: [UInt8]) throws(DecodingFailure) -> [UInt8] {
    try openedObject(Array("{\"_type\":\"encrypted\",\"data\":\"".utf8) + base64 + Array("\"}".utf8))
  }

  private func openedObject(_ object: [UInt8]) throws(DecodingFailure) -> [UInt8] {
    guard let key else { throw DecodingFailure("sealed; give the key to open it", isAboutKey: true) }
    var plain = DecodedBytes()
    guard OwnTracksSeal.open(object.span, key: key, into: &plain) else {
      let count = contentCount(object)
      guard count <= OwnTracksSeal.capacity else {
        throw DecodingFailure("sealed, with \(count) bytes in it; up to \(OwnTracksSeal.capacity) are opened")
      }
      throw DecodingFailure("sealed with another key, or damaged")
    }
    // One within another would have no end.
    guard !OwnTracksSeal.isSealed(plain.bytes.span) else { throw DecodingFailure("sealed twice") }
    return plain.bytes
  }

  /// How many bytes were sealed in an outer object.
  private func contentCount(_ object: [UInt8]) -> Int {
    var bytes = DecodedBytes()
    guard let data = JSONValue(object.span)?.member("data", in: object.span), data.kind == .string,
      decodeBase64(object.span.extracting(data.start + 1..<data.end - 1), into: &bytes)
    else { return 0 }
    return max(0, bytes.bytes.count - SecretBox.nonceCount - SecretBox.tagCount)
  }

  private func sealedMessage(_ message: DecodedMessage) -> DecodedMessage {
    var result = message
    result.wasSealed = true
    return result
  }

  // MARK: JSON

  private func decodeJSON(_ text: [UInt8], topic: String?) throws(DecodingFailure) -> [DecodedMessage] {
    guard let whole = JSONValue(text.span) else { throw DecodingFailure(JSONReading.fault(in: text)) }
    guard whole.kind == .array else { return try messages(whole, text, topic) }
    var result: [DecodedMessage] = []
    var elements = JSONValue.Elements(of: whole)
    while let element = elements.next(in: text.span) {
      guard element.kind == .object else { throw DecodingFailure("an array that does not contain messages") }
      result += try messages(element, text, topic)
    }
    return result
  }

  private func messages(
    _ object: JSONValue, _ text: [UInt8], _ topic: String?
  ) throws(DecodingFailure) -> [DecodedMessage] {
    if object.member("_type", in: text.span)?.equals("encrypted", in: text.span) == true {
      let message = try JSONReading.message(object, text, now, topic: topic)
      // What can't be sealed is shown, with what is wrong with it.
      let isWhole = message.missing.isEmpty && message.fields.allSatisfy { $0.problem == nil }
      guard key != nil, isWhole else { return [message] }
      return try unsealed(openedObject(Array(text[object.start..<object.end])))
    }
    return [try JSONReading.message(object, text, now, topic: topic)]
  }
}

/// Bytes that are read, as many as there are.
struct DecodedBytes: ByteSink {
  private(set) var bytes: [UInt8] = []

  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}
