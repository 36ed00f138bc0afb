/// A value in JSON text: where it stands. Nothing is copied, and whatever the text is, it is read once from left to right.
package struct JSONValue: Equatable, BitwiseCopyable, Sendable {
  /// What a value is.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    case object, array, string, number, yes, no, null
  }

  /// What it is.
  package let kind: Kind
  /// Its first byte; of a string the quote.
  package let start: Int
  /// Behind its last byte.
  package let end: Int

  /// The deepest that values may be in each other; what is deeper is no JSON here.
  package static var depthLimit: Int { 31 }

  /// The value that a text is, with blanks around it; nil when it is none, or more than one.
  ///
  /// - Source: RFC 8259.
  package init?(_ text: Span<UInt8>) {
    var place = 0
    guard let value = JSONValue.next(in: text, at: &place) else { return nil }
    JSONValue.skipBlanks(text, &place)
    guard place == text.count else { return nil }
    self = value
  }

  private init(kind: Kind, start: Int, end: Int) {
    self.kind = kind
    self.start = start
    self.end = end
  }

  // MARK: What is in it

  /// Goes through the members of an object.
  package struct Members: BitwiseCopyable, Sendable {
    private var place: Int
    private let end: Int

    /// At the first member; of anything else there are none.
    package init(of value: JSONValue) {
      place = value.start + 1
      end = value.kind == .object ? value.end - 1 : place
    }

    /// The next member with its key, a string; nil behind the last.
    package mutating func next(in text: Span<UInt8>) -> (key: JSONValue, value: JSONValue)? {
      JSONValue.skipBlanks(text, &place)
      if place < end, text[place] == 0x2C { place += 1 }
      guard place < end, let key = JSONValue.next(in: text, at: &place), key.kind == .string else { return nil }
      JSONValue.skipBlanks(text, &place)
      place += 1
      guard let value = JSONValue.next(in: text, at: &place) else { return nil }
      return (key, value)
    }
  }

  /// Goes through the elements of an array.
  package struct Elements: BitwiseCopyable, Sendable {
    private var place: Int
    private let end: Int

    /// At the first element; of anything else there are none.
    package init(of value: JSONValue) {
      place = value.start + 1
      end = value.kind == .array ? value.end - 1 : place
    }

    /// The next element; nil behind the last.
    package mutating func next(in text: Span<UInt8>) -> JSONValue? {
      JSONValue.skipBlanks(text, &place)
      if place < end, text[place] == 0x2C { place += 1 }
      JSONValue.skipBlanks(text, &place)
      guard place < end else { return nil }
      return JSONValue.next(in: text, at: &place)
    }
  }

  /// The first member of a name; nil when there is none, or this is no object.
  package func member(_ name: StaticString, in text: Span<UInt8>) -> JSONValue? {
    var members = Members(of: self)
    while let (key, value) = members.next(in: text) {
      if key.equals(name, in: text) { return value }
    }
    return nil
  }

  /// True for a string of these bytes, written without escapes.
  package func equals(_ word: StaticString, in text: Span<UInt8>) -> Bool {
    kind == .string && TextWord(from: start + 1, to: end - 1).equals(word, in: text)
  }

  /// A number scaled by 10^decimals, halves away from zero; also one that is written as a string. Nil for anything else, and for
  /// what does not fit.
  package func number(decimals: Int, in text: Span<UInt8>) -> Int64? {
    let isQuoted = kind == .string
    guard isQuoted || kind == .number else { return nil }
    let digits = text.extracting(isQuoted ? start + 1..<end - 1 : start..<end)
    var split = 0
    while split < digits.count, digits[split] | 0x20 != 0x65 { split += 1 }
    guard split < digits.count else { return scanFixed(digits, decimals: decimals) }
    guard let exponent = scanFixed(digits.extracting(split + 1..<digits.count), decimals: 0), exponent.magnitude < 40
    else { return nil }
    let mantissa = digits.extracting(0..<split)
    let shift = Int(exponent) + decimals
    if shift < 0 {
      // Far smaller than a digit: rounded from what 18 digits hold.
      guard let value = scanFixed(mantissa, decimals: 0) else { return nil }
      let divisor = Int64(powerOfTen(min(18, -shift)))
      let half = divisor / 2
      return value < 0 ? (value - half) / divisor : (value &+ half) / divisor
    }
    guard shift <= 18 else {
      guard let value = scanFixed(mantissa, decimals: 18) else { return nil }
      let (result, overflow) = value.multipliedReportingOverflow(by: Int64(powerOfTen(min(18, shift - 18))))
      return overflow || shift > 36 ? nil : result
    }
    return scanFixed(mantissa, decimals: shift)
  }

  /// Yes or no; nil for anything else.
  package var flag: Bool? { kind == .yes ? true : kind == .no ? false : nil }

  /// Writes the text of a string without its quotes and escapes, UTF-8; nothing for anything else. An escaped half of a surrogate pair
  /// without its other half becomes U+FFFD.
  package func appendText(of text: Span<UInt8>, to sink: inout some ByteSink) {
    guard kind == .string else { return }
    var place = start + 1
    var high: UInt32 = 0
    while place < end - 1 {
      let byte = text[place]
      place += 1
      var unit: UInt32?
      if byte == 0x5C, place < end - 1 {
        let letter = text[place]
        place += 1
        switch letter {
        case 0x62: unit = 8
        case 0x66: unit = 12
        case 0x6E: unit = 10
        case 0x72: unit = 13
        case 0x74: unit = 9
        case 0x75:
          var value: UInt32 = 0
          var digit = 0
          while digit < 4, place < end - 1 {
            value = value << 4 | UInt32(hexadecimalValue(text[place]) ?? 0)
            place += 1
            digit += 1
          }
          unit = value
        default: unit = UInt32(letter)
        }
      }
      guard var scalar = unit else {
        if high != 0 { sink.append("\u{FFFD}") }
        high = 0
        sink.append(byte)
        continue
      }
      if (0xD800..<0xDC00).contains(scalar) {
        if high != 0 { sink.append("\u{FFFD}") }
        high = scalar
        continue
      }
      if (0xDC00..<0xE000).contains(scalar) {
        scalar = high == 0 ? 0xFFFD : 0x10000 + (high - 0xD800) << 10 + (scalar - 0xDC00)
      } else if high != 0 {
        sink.append("\u{FFFD}")
      }
      high = 0
      JSONValue.append(scalar, to: &sink)
    }
    if high != 0 { sink.append("\u{FFFD}") }
  }

  private static func append(_ scalar: UInt32, to sink: inout some ByteSink) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
    switch scalar {
    case 0..<0x80: sink.append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      sink.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
      sink.append(tail(0))
    case 0x800..<0x10000:
      sink.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
      sink.append(tail(6))
      sink.append(tail(0))
    default:
      sink.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
      sink.append(tail(12))
      sink.append(tail(6))
      sink.append(tail(0))
    }
  }

  // MARK: Reading

  fileprivate static func skipBlanks(_ text: Span<UInt8>, _ place: inout Int) {
    while place < text.count, text[place] == 0x20 || text[place] == 0x0A || text[place] == 0x0D || text[place] == 0x09 {
      place += 1
    }
  }

  /// Reads a value and all that is in it; nil, and the place anywhere, when there is none.
  fileprivate static func next(in text: Span<UInt8>, at place: inout Int) -> JSONValue? {
    skipBlanks(text, &place)
    let start = place
    guard start < text.count else { return nil }
    // A bit for each level that is open, 1 for an object.
    var objects: UInt32 = 0
    var depth = 0
    while true {
      guard let (kind, isOpen) = begin(text, &place) else { return nil }
      if isOpen {
        guard depth < depthLimit else { return nil }
        objects = objects << 1 | (kind == .object ? 1 : 0)
        depth += 1
        if kind == .object, !skipKey(text, &place) { return nil }
        continue
      }
      // Behind a value: what is closed by it, or the next member or element.
      var goesOn = false
      while depth > 0, !goesOn {
        skipBlanks(text, &place)
        guard place < text.count else { return nil }
        let byte = text[place]
        place += 1
        let isObject = objects & 1 != 0
        if byte == 0x2C {
          if isObject, !skipKey(text, &place) { return nil }
          goesOn = true
        } else if byte == (isObject ? 0x7D : 0x5D) {
          objects >>= 1
          depth -= 1
        } else {
          return nil
        }
      }
      if goesOn { continue }
      let first: Kind =
        switch text[start] {
        case 0x7B: .object
        case 0x5B: .array
        case 0x22: .string
        case 0x74: .yes
        case 0x66: .no
        case 0x6E: .null
        default: .number
        }
      return JSONValue(kind: first, start: start, end: place)
    }
  }

  /// Reads a plain value, or the beginning of one that holds others; an empty one is read whole.
  private static func begin(_ text: Span<UInt8>, _ place: inout Int) -> (kind: Kind, isOpen: Bool)? {
    skipBlanks(text, &place)
    guard place < text.count else { return nil }
    switch text[place] {
    case 0x7B, 0x5B:
      let isObject = text[place] == 0x7B
      place += 1
      skipBlanks(text, &place)
      if place < text.count, text[place] == (isObject ? 0x7D : 0x5D) {
        place += 1
        return (isObject ? .object : .array, false)
      }
      return (isObject ? .object : .array, true)
    case 0x22: return skipString(text, &place) ? (.string, false) : nil
    case 0x74: return skip("true", text, &place) ? (.yes, false) : nil
    case 0x66: return skip("false", text, &place) ? (.no, false) : nil
    case 0x6E: return skip("null", text, &place) ? (.null, false) : nil
    default: return skipNumber(text, &place) ? (.number, false) : nil
    }
  }

  private static func skipKey(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    skipBlanks(text, &place)
    guard skipString(text, &place) else { return false }
    skipBlanks(text, &place)
    guard place < text.count, text[place] == 0x3A else { return false }
    place += 1
    return true
  }

  private static func skip(_ word: StaticString, _ text: Span<UInt8>, _ place: inout Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - place >= count, TextWord(from: place, to: place + count).equals(word, in: text) else {
      return false
    }
    place += count
    return true
  }

  private static func skipString(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    guard place < text.count, text[place] == 0x22 else { return false }
    place += 1
    while place < text.count {
      let byte = text[place]
      place += 1
      switch byte {
      case 0x22: return true
      case 0x5C:
        guard place < text.count else { return false }
        let letter = text[place]
        place += 1
        switch letter {
        case 0x22, 0x2F, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74: break
        case 0x75:
          var digit = 0
          while digit < 4 {
            guard place < text.count, hexadecimalValue(text[place]) != nil else { return false }
            place += 1
            digit += 1
          }
        default: return false
        }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  private static func skipDigits(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    let start = place
    while place < text.count, isDigit(text[place]) { place += 1 }
    return place > start
  }

  private static func skipNumber(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    if place < text.count, text[place] == 0x2D { place += 1 }
    if place < text.count, text[place] == 0x30 {
      place += 1
    } else if !skipDigits(text, &place) {
      return false
    }
    if place < text.count, text[place] == 0x2E {
      place += 1
      guard skipDigits(text, &place) else { return false }
    }
    if place < text.count, text[place] | 0x20 == 0x65 {
      place += 1
      if place < text.count, text[place] == 0x2B || text[place] == 0x2D { place += 1 }
      guard skipDigits(text, &place) else { return false }
    }
    return true
  }
}
