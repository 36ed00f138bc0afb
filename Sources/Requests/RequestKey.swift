public import InlineStorage

/// What the owner and the tracker know and nobody else: 32 bytes.
///
/// It is never written anywhere by this library.
@frozen public struct RequestKey: BitwiseCopyable, Sendable {
  private var bytes: InlineArray<32, UInt8>

  /// Digits of a key as text.
  public static var digitCount: Int { 64 }
  /// Bytes of a code that stand in a signed request.
  static var codeLength: Int { 16 }

  /// Reads a key: 64 hexadecimal digits, nil for anything else.
  public init?(hexadecimal text: Span<UInt8>) {
    guard text.count == RequestKey.digitCount else { return nil }
    bytes = InlineArray(repeating: 0)
    var place = 0
    while place < 32 {
      guard let high = hexadecimalDigit(text[2 * place]), let low = hexadecimalDigit(text[2 * place + 1]) else {
        return nil
      }
      bytes[place] = high << 4 | low
      place += 1
    }
  }

  /// The code of a request for a tracker, of which the first 128 bits count.
  ///
  /// - Parameters:
  ///   - text: Everything before the colon of the signature.
  ///   - trackerID: So that a request to one of the owner's trackers says nothing to another.
  public func code(of text: Span<UInt8>, for trackerID: Span<UInt8>) -> SHA256.Digest {
    var code = HMACSHA256(key: bytes.span)
    code.update(trackerID)
    code.update(0x0A)
    code.update(text)
    return code.finish()
  }

  /// The owner's key that a claim makes, of a key that is a claim secret: it is known on both sides and never sent.
  ///
  /// No signed text is this one: each has ` !` before its counter.
  ///
  /// - Parameters:
  ///   - claim: The counter of the claim.
  ///   - trackerID: Which tracker was claimed.
  public func ownersKey(claim: UInt64, for trackerID: Span<UInt8>) -> RequestKey {
    var text = InlineBytes<40>("owner's key ")
    text.append(digits: claim)
    return RequestKey(bytes: code(of: text.span, for: trackerID))
  }

  /// Writes it down as 64 digits, for who keeps it in a file.
  public var hexadecimal: InlineBytes<64> {
    var text = InlineBytes<64>()
    var place = 0
    while place < 32 {
      text.append(digit(bytes[place] >> 4))
      text.append(digit(bytes[place] & 15))
      place += 1
    }
    return text
  }

  private init(bytes: SHA256.Digest) { self.bytes = bytes }

  /// Adds its signature to a request.
  ///
  /// - Parameters:
  ///   - text: The request, with or without a number.
  ///   - trackerID: For which tracker.
  ///   - counter: Milliseconds of UTC, more than in the request before.
  /// - Returns: nil when it is too long to be one.
  public func signed(
    _ text: Span<UInt8>, for trackerID: Span<UInt8>, counter: UInt64
  ) -> InlineBytes<416>? {
    var result = InlineBytes<416>()
    result.append(contentsOf: text)
    result.append(" !")
    result.append(digits: counter)
    let digest = code(of: result.span, for: trackerID)
    result.append(":")
    var place = 0
    while place < RequestKey.codeLength {
      result.append(digit(digest[place] >> 4))
      result.append(digit(digest[place] & 15))
      place += 1
    }
    return result.isTruncated || result.count > RequestEnvelope.longestText ? nil : result
  }
}

/// The value of a hexadecimal digit, of either case.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: return byte - 0x30
  case 0x61...0x66: return byte - 0x57
  case 0x41...0x46: return byte - 0x37
  default: return nil
  }
}

private func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

extension InlineBytes {
  /// A number in decimal digits.
  fileprivate mutating func append(digits number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
