public import ASCIIText
import InlineStorage
public import SecretBox

/// Encrypted messages of OwnTracks: the whole object sealed, in an object that says so.
///
/// - Source: booklet of OwnTracks, "Encrypting payloads": `data` is base64 of nonce, tag and cipher text.
public enum OwnTracksSeal {
  /// Writes the outer object of a message.
  ///
  /// - Parameters:
  ///   - message: An object of OwnTracks, whole.
  ///   - key: What the receiver has for this tracker.
  ///   - nonce: 24 bytes that were never used with this key; chance is good enough.
  ///   - sink: Takes the object.
  /// - Returns: False, and nothing written, when the nonce has another length.
  public static func seal(
    _ message: Span<UInt8>, key: SecretKey, nonce: Span<UInt8>, into sink: inout some ByteSink
  ) -> Bool {
    guard let box = SecretBox(key: key, nonce: nonce) else { return false }
    sink.write { writer in
      writer.append("{\"_type\":\"encrypted\",\"data\":\"")
      writer.append(base64: nonce.count + SecretBox.tagCount + message.count) { place in
        nonce.withUnsafeBufferPointer { bytes in
          if let start = bytes.baseAddress { place.update(from: start, count: bytes.count) }
        }
        box.seal(message, at: place + SecretBox.nonceCount)
      }
      writer.append("\"}")
    }
    return true
  }

  /// The longest message that is opened, bytes.
  public static var capacity: Int { 3072 }

  /// Writes the message in an outer object.
  ///
  /// - Returns: False, and nothing written, when the text is no such object, is too long, or was not sealed with this key.
  public static func open(_ text: Span<UInt8>, key: SecretKey, into sink: inout some ByteSink) -> Bool {
    guard let whole = JSONValue(text), whole.member("_type", in: text)?.equals("encrypted", in: text) == true,
      let data = whole.member("data", in: text), data.kind == .string
    else { return false }
    var bytes = InlineBytes<3112>()
    guard decodeBase64(text.extracting(data.start + 1..<data.end - 1), into: &bytes), !bytes.isTruncated,
      bytes.count >= SecretBox.nonceCount + SecretBox.tagCount,
      let box = SecretBox(key: key, nonce: bytes.span.extracting(0..<SecretBox.nonceCount))
    else { return false }
    return box.open(bytes.span.extracting(SecretBox.nonceCount..<bytes.count), into: &sink)
  }

  /// True for an object that says it is encrypted.
  public static func isSealed(_ text: Span<UInt8>) -> Bool {
    JSONValue(text)?.member("_type", in: text)?.equals("encrypted", in: text) == true
  }
}
