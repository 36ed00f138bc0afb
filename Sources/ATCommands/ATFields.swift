import ASCIIText

/// The comma-separated fields of a response, counted from 0. A comma between quotes does not separate.
///
/// A field is found by scanning from the start: lines are short, and nothing has to be stored.
@frozen package struct ATFields: ~Escapable {
  /// What stands after the name and the colon.
  package let text: Span<UInt8>

  /// Fields of a text.
  @_lifetime(copy text)
  @inlinable package init(_ text: Span<UInt8>) { self.text = text }

  /// Number of fields; an empty text has none.
  package var count: Int {
    guard !text.isEmpty else { return 0 }
    var count = 1
    var isQuoted = false
    var place = 0
    while place < text.count {
      if text[place] == 0x22 { isQuoted.toggle() }
      if text[place] == 0x2C, !isQuoted { count += 1 }
      place += 1
    }
    return count
  }

  /// Where a field lies, blanks around it left out; nil when there is no such field.
  private func bounds(_ index: Int) -> (start: Int, end: Int)? {
    guard index >= 0, !text.isEmpty else { return nil }
    var field = 0
    var isQuoted = false
    var start = 0
    var place = 0
    while place <= text.count {
      let isEnd = place == text.count || (text[place] == 0x2C && !isQuoted)
      if isEnd {
        if field == index {
          var end = place
          while start < end && text[start] == 0x20 { start += 1 }
          while end > start && text[end - 1] == 0x20 { end -= 1 }
          return (start, end)
        }
        field += 1
        start = place + 1
      } else if text[place] == 0x22 {
        isQuoted.toggle()
      }
      place += 1
    }
    return nil
  }

  /// True when there is such a field and it begins with a quote.
  package func isQuoted(_ index: Int) -> Bool {
    guard let (start, end) = bounds(index) else { return false }
    return start < end && text[start] == 0x22
  }

  /// True when there is no such field, or nothing in it.
  package func isEmpty(_ index: Int) -> Bool {
    guard let (start, end) = bounds(index) else { return true }
    return start == end
  }

  /// A field without its quotes; nil when there is no such field.
  @_lifetime(copy self)
  package func text(_ index: Int) -> Span<UInt8>? {
    guard let (first, last) = bounds(index) else { return nil }
    var start = first
    var end = last
    if start < end && text[start] == 0x22 {
      start += 1
      if end > start && text[end - 1] == 0x22 { end -= 1 }
    }
    return text.extracting(start..<end)
  }

  /// An unsigned decimal number, quoted or not; nil when the field is something else or the number exceeds `maximum`.
  package func unsigned(_ index: Int, maximum: UInt64 = 4_294_967_295) -> UInt64? {
    guard let field = text(index), let value = scanUnsigned(field), value <= maximum else { return nil }
    return value
  }

  /// A small unsigned number, such as a state or an index.
  package func number(_ index: Int) -> Int? {
    guard let value = unsigned(index, maximum: 2_147_483_647) else { return nil }
    return Int(value)
  }

  /// A signed decimal number scaled by 10^decimals; nil when the field is something else.
  package func fixed(_ index: Int, decimals: Int) -> Int64? {
    guard let field = text(index) else { return nil }
    return scanFixed(field, decimals: decimals)
  }

  /// A signed whole number of at most 32 bits.
  package func signed(_ index: Int) -> Int? {
    guard let value = fixed(index, decimals: 0), let narrow = Int32(exactly: value) else { return nil }
    return Int(narrow)
  }

  /// A hexadecimal number of at most 32 bits, quoted or not, with or without `0x`.
  package func hexadecimal(_ index: Int) -> UInt32? {
    guard let field = text(index) else { return nil }
    var place = field.count > 2 && field[0] == 0x30 && (field[1] | 0x20) == 0x78 ? 2 : 0
    guard place < field.count, field.count - place <= 8 else { return nil }
    var value: UInt32 = 0
    while place < field.count {
      guard let digit = hexadecimalValue(field[place]) else { return nil }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }

  /// True when the field's text, without quotes, is this.
  package func equals(_ index: Int, _ expected: StaticString) -> Bool {
    guard let field = text(index) else { return false }
    return ATLine(field).equals(expected)
  }
}
