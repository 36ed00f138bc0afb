import ASCIIText

/// One line that a modem sent, without its line end: its name and its fields.
///
/// Nothing is copied; the view is good as long as the bytes are. Firmware differs in where it puts blanks: comparisons pass over
/// those that the line lacks, and over those that it has behind punctuation and at its end.
@frozen package struct ATLine: ~Escapable {
  /// The line's bytes.
  package let bytes: Span<UInt8>

  /// A view of a line.
  @_lifetime(copy bytes)
  @inlinable package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// True when the line is this text.
  package func equals(_ text: StaticString) -> Bool { pass(text).map { skipBlanks($0) == bytes.count } ?? false }

  /// True when the line begins with this text.
  package func begins(with text: StaticString) -> Bool { pass(text) != nil }

  /// True when the line ends with this text.
  package func ends(with text: StaticString) -> Bool {
    var start = bytes.count - text.utf8CodeUnitCount
    if start < 0 { start = 0 }
    // A line that leaves blanks out is shorter than the text.
    while start < bytes.count {
      if ATLine(bytes.extracting(start..<bytes.count)).equals(text) { return true }
      start += 1
    }
    return text.utf8CodeUnitCount == 0
  }

  /// True when the line has this text somewhere.
  package func contains(_ text: StaticString) -> Bool {
    var place = 0
    while place < bytes.count {
      if ATLine(bytes.extracting(place..<bytes.count)).begins(with: text) { return true }
      place += 1
    }
    return false
  }

  /// True when the line is a response or URC of this name: the name, then a colon.
  package func isNamed(_ name: StaticString) -> Bool { colon(after: name) != nil }

  /// The fields after the name and its colon; nil when the line has another name.
  @_lifetime(copy self)
  package func fields(of name: StaticString) -> ATFields? {
    guard let colon = colon(after: name) else { return nil }
    return ATFields(bytes.extracting(skipBlanks(colon + 1)..<bytes.count))
  }

  /// The line without the number of the first connection and its comma, as in `0, SEND OK`.
  package var withoutConnection: ATLine {
    @_lifetime(copy self) get { ATLine(bytes.extracting(connectionEnd..<bytes.count)) }
  }

  private var connectionEnd: Int {
    guard bytes.count > 2, bytes[0] == 0x30, bytes[1] == 0x2C else { return 0 }
    return skipBlanks(2)
  }

  private func colon(after name: StaticString) -> Int? {
    guard let place = pass(name), place < bytes.count, bytes[place] == 0x3A else { return nil }
    return place
  }

  private func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

  private func skipBlanks(_ start: Int) -> Int {
    var place = start
    while place < bytes.count && bytes[place] == 0x20 { place += 1 }
    return place
  }

  /// The place behind the text at the beginning; nil when the line begins otherwise.
  private func pass(_ text: StaticString) -> Int? {
    let expected = text.utf8Start
    var place = 0
    var wanted = 0
    while wanted < text.utf8CodeUnitCount {
      if place < bytes.count, bytes[place] == expected[wanted] {
        place += 1
        wanted += 1
      } else if expected[wanted] == 0x20 {
        wanted += 1
      } else if place > 0, place < bytes.count, bytes[place] == 0x20, !isWord(bytes[place - 1]) {
        place += 1
      } else {
        return nil
      }
    }
    return place
  }
}
