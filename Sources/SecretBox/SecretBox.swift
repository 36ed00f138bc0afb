public import ASCIIText
import InlineStorage

/// Secret-key authenticated encryption as NaCl's `crypto_secretbox` has it: XSalsa20 and Poly1305. No heap; a message is sealed in two
/// passes over it, so that no second copy is needed.
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

  /// Writes the tag and the cipher text of a message.
  public func seal(_ message: Span<UInt8>, into sink: inout some ByteSink) {
    var sealing = sealing(message)
    while let byte = sealing.next(of: message) { sink.append(byte) }
  }

  /// The tag and the cipher text of a message, byte by byte.
  public func sealing(_ message: Span<UInt8>) -> Sealing {
    var stream = SalsaStream(subkey)
    var authenticator = Poly1305(stream.firstHalf)
    var place = 0
    while place < message.count {
      authenticator.take(message[place] ^ stream.next())
      place += 1
    }
    return Sealing(tag: authenticator.tag(), stream: SalsaStream(subkey))
  }

  /// What `sealing(_:)` goes through.
  public struct Sealing: BitwiseCopyable, Sendable {
    var tag: Poly1305.Tag
    var stream: SalsaStream
    var place = 0

    /// The next byte; nil at the end.
    ///
    /// - Parameter message: The same as before.
    public mutating func next(of message: Span<UInt8>) -> UInt8? {
      defer { place += 1 }
      if place < SecretBox.tagCount { return tag.byte(at: place) }
      guard place - SecretBox.tagCount < message.count else { return nil }
      return message[place - SecretBox.tagCount] ^ stream.next()
    }
  }

  /// Writes the message that was sealed.
  ///
  /// - Returns: False, and nothing written, when it was not sealed with this key and nonce, or has been changed.
  public func open(_ sealed: Span<UInt8>, into sink: inout some ByteSink) -> Bool {
    guard sealed.count >= SecretBox.tagCount else { return false }
    var stream = SalsaStream(subkey)
    var authenticator = Poly1305(stream.firstHalf)
    var place = SecretBox.tagCount
    while place < sealed.count {
      authenticator.take(sealed[place])
      place += 1
    }
    let tag = authenticator.tag()
    // All bytes are compared, whatever they are, so that the time says nothing.
    var difference: UInt8 = 0
    place = 0
    while place < SecretBox.tagCount {
      difference |= sealed[place] ^ tag.byte(at: place)
      place += 1
    }
    guard difference == 0 else { return false }
    while place < sealed.count {
      sink.append(sealed[place] ^ stream.next())
      place += 1
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
