public import ASCIIText
import InlineStorage

/// Secret-key authenticated encryption as NaCl's `crypto_secretbox` has it: XSalsa20 and Poly1305. No heap.
///
/// - Source: [xsalsa20] sections 2 and 3, RFC 8439 section 2.5 (Poly1305), NaCl's documentation of `crypto_secretbox`.
@frozen public struct SecretBox: Sendable {
  /// Bytes of a key.
  public static var keyCount: Int { 32 }
  /// Bytes of a nonce, which must never come twice with a key.
  public static var nonceCount: Int { 24 }
  /// Bytes that a sealed message is longer.
  public static var tagCount: Int { 16 }

  private var subkey: SalsaKey

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - nonce: 24 bytes, of which the first 16 are used here and the last 8 by the stream.
  /// - Returns: nil when one of them has another length.
  public init?(key: SecretKey, nonce: Span<UInt8>) {
    guard nonce.count == SecretBox.nonceCount else { return nil }
    subkey = SalsaKey.derived(from: key.words, nonce)
  }

  /// Writes the tag and the cipher text of a message; nothing where there is no room for both.
  public func seal(_ message: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { writer in
      writer.append(count: message.count + SecretBox.tagCount) { seal(message, at: $0) }
    }
  }

  /// Puts the tag and the cipher text of a message into their places.
  package func seal(_ message: Span<UInt8>, at place: UnsafeMutablePointer<UInt8>) {
    let stream = SalsaStream(subkey)
    let first = stream.first
    var authenticator = Poly1305(first)
    let text = place + SecretBox.tagCount
    message.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { stream.mix(first, start, bytes.count, to: text) }
    }
    authenticator.take(text, count: message.count)
    let tag = authenticator.tag()
    for word in 0..<4 {
      UnsafeMutableRawPointer(place + word * 4).storeBytes(of: tag[word].littleEndian, as: UInt32.self)
    }
  }

  /// Writes the message that was sealed; nothing where there is no room for it.
  ///
  /// - Returns: False, and nothing written, when it was not sealed with this key and nonce, or has been changed.
  public func open(_ sealed: Span<UInt8>, into sink: inout some ByteSink) -> Bool {
    guard sealed.count >= SecretBox.tagCount else { return false }
    let stream = SalsaStream(subkey)
    let first = stream.first
    let count = sealed.count - SecretBox.tagCount
    // All bytes are compared, whatever they are, so that the time says nothing.
    let isTrue = sealed.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      var authenticator = Poly1305(first)
      authenticator.take(start + SecretBox.tagCount, count: count)
      let tag = authenticator.tag()
      var difference: UInt32 = 0
      for word in 0..<4 {
        difference |= UnsafeRawPointer(start + word * 4).loadUnaligned(as: UInt32.self) ^ tag[word].littleEndian
      }
      return difference == 0
    }
    guard isTrue else { return false }
    sink.write { writer in
      writer.append(count: count) { target in
        sealed.withUnsafeBufferPointer { bytes in
          guard let start = bytes.baseAddress else { return }
          stream.mix(first, start + SecretBox.tagCount, count, to: target)
        }
      }
    }
    return true
  }
}

/// A key of 32 bytes, in eight words.
@frozen public struct SecretKey: Equatable, BitwiseCopyable, Sendable {
  var words: SalsaKey

  /// A passphrase as a key: its bytes, and zeros behind them; nil when there are more than 32 or none.
  ///
  /// - Source: OwnTracks' booklet, "Encrypting payloads": no function of derivation.
  public init?(passphrase: Span<UInt8>) {
    guard passphrase.count <= SecretBox.keyCount, !passphrase.isEmpty else { return nil }
    words = SalsaKey()
    var place = 0
    while place < passphrase.count {
      words.set(place, passphrase[place])
      place += 1
    }
  }
}
