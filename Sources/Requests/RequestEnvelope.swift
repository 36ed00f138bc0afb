import ASCIIText

/// What stands around a request: a PIN and a number before it, a signature behind it.
///
///     alerts off
///     #17 alerts off
///     4711 #17 alerts off
///     #17 alerts off !1764000000000:0f1e2d3c4b5a69788796a5b4c3d2e1f0
///
/// Spaces and line ends around the whole count for nothing.
@frozen public struct RequestEnvelope: Equatable, BitwiseCopyable, Sendable {
  /// The longest text, bytes: a fence of eight corners with its name, number, PIN and signature. A text message has 160.
  public static var longestText: Int { 400 }

  /// The number that the asker gave it, up to 999,999,999.
  public var number: UInt32?
  /// The counter of its signature; nil when it is not signed.
  public var counter: UInt64?
  /// Where the request itself begins.
  public var start: Int
  /// Behind its last byte.
  public var end: Int
  private var first = 0
  private var pin: TextWord?
  private var code: TextWord?

  /// Reads what stands around a request; whether there is one is not looked at.
  ///
  /// - Returns: nil when it is too long, or begins or ends like an envelope and is none.
  public init?(_ text: Span<UInt8>) {
    guard text.count <= RequestEnvelope.longestText else { return nil }
    var begin = 0
    var last = text.count
    while begin < last, isBlank(text[begin]) { begin += 1 }
    while last > begin, isBlank(text[last - 1]) { last -= 1 }
    start = begin
    end = last
    first = begin
    readFront(text)
    guard readNumber(text), readSignature(text), start < end else { return nil }
  }

  /// A first word of four to eight digits.
  private mutating func readFront(_ text: Span<UInt8>) {
    var place = start
    while place < end, (0x30...0x39).contains(text[place]) { place += 1 }
    guard (4...8).contains(place - start), place < end, text[place] == 0x20 else { return }
    pin = TextWord(from: start, to: place)
    start = place
    skipSpaces(text)
  }

  private mutating func readNumber(_ text: Span<UInt8>) -> Bool {
    guard start < end, text[start] == 0x23 else { return true }
    var place = start + 1
    while place < end, text[place] != 0x20 { place += 1 }
    guard (1...9).contains(place - start - 1), let value = scanUnsigned(text.extracting(start + 1..<place)) else {
      return false
    }
    number = UInt32(truncatingIfNeeded: value)
    start = place
    skipSpaces(text)
    return true
  }

  private mutating func readSignature(_ text: Span<UInt8>) -> Bool {
    var mark = end
    while mark > start, text[mark - 1] != 0x20 { mark -= 1 }
    guard mark < end, text[mark] == 0x21 else { return true }
    let digits = 2 * RequestKey.codeLength
    let colon = end - digits - 1
    guard colon > mark + 1, text[colon] == 0x3A, colon - mark - 1 <= 17,
      let counter = scanUnsigned(text.extracting(mark + 1..<colon))
    else { return false }
    var place = colon + 1
    while place < end {
      guard hexadecimalDigit(text[place]) != nil else { return false }
      place += 1
    }
    self.counter = counter
    code = TextWord(from: colon + 1, to: end)
    end = mark
    while end > start, isBlank(text[end - 1]) { end -= 1 }
    return true
  }

  private mutating func skipSpaces(_ text: Span<UInt8>) {
    while start < end, text[start] == 0x20 { start += 1 }
  }

  /// True when the owner's key made the signature.
  ///
  /// It takes as long for a wrong code as for the right one.
  public func isSigned(_ text: Span<UInt8>, by key: RequestKey, for trackerID: Span<UInt8>) -> Bool {
    guard let code else { return false }
    // A PIN before a signed request is not part of it.
    let from = pin.map { $0.end + 1 } ?? first
    let digest = key.code(of: text.extracting(min(from, code.start - 1)..<code.start - 1), for: trackerID)
    var difference: UInt8 = 0
    var place = 0
    while place < RequestKey.codeLength {
      let high = hexadecimalDigit(text[code.start + 2 * place]) ?? 0
      let low = hexadecimalDigit(text[code.start + 2 * place + 1]) ?? 0
      difference |= digest[place] ^ (high << 4 | low)
      place += 1
    }
    return difference == 0
  }

  /// True when a PIN stands before it and is this one, of four digits or more.
  public func hasPIN(_ wanted: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    guard let pin, pin.count == wanted.count, wanted.count >= 4 else { return false }
    var difference: UInt8 = 0
    var place = 0
    while place < wanted.count {
      difference |= text[pin.start + place] ^ wanted[place]
      place += 1
    }
    return difference == 0
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
