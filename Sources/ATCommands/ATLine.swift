/// One line that a modem sent, without its line end: its name and its fields.
///
/// Nothing is copied; the view is good as long as the bytes are. Firmware differs in where it puts blanks: comparisons pass over
/// them, on both sides.
@frozen public struct ATLine: ~Escapable {
  /// The line's bytes.
  public let bytes: Span<UInt8>

  /// A view of a line.
  @_lifetime(copy bytes)
  @inlinable public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// True when the line is this text.
  public func equals(_ text: StaticString) -> Bool { pass(text).map { skipBlanks($0) == bytes.count } ?? false }

  /// True when the line begins with this text.
  public func begins(with text: StaticString) -> Bool { pass(text) != nil }

  /// True when the line ends with this text.
  public func ends(with text: StaticString) -> Bool {
    let expected = text.utf8Start
    var place = bytes.count
    var wanted = text.utf8CodeUnitCount
    while wanted > 0 {
      wanted -= 1
      if expected[wanted] == 0x20 { continue }
      repeat { place -= 1 } while place >= 0 && bytes[place] == 0x20
      guard place >= 0, bytes[place] == expected[wanted] else { return false }
    }
    return true
  }

  /// True when the line has this text somewhere.
  public func contains(_ text: StaticString) -> Bool {
    var place = 0
    while place < bytes.count {
      if ATLine(bytes.extracting(place..<bytes.count)).begins(with: text) { return true }
      place += 1
    }
    return false
  }

  /// True when the line is a response or URC of this name: the name, then a colon.
  public func isNamed(_ name: StaticString) -> Bool { colon(after: name) != nil }

  /// The fields after the name and its colon; nil when the line has another name.
  @_lifetime(copy self)
  public func fields(of name: StaticString) -> ATFields? {
    guard let colon = colon(after: name) else { return nil }
    return ATFields(bytes.extracting(skipBlanks(colon + 1)..<bytes.count))
  }

  /// The line without the number of a connection and its comma, as in `0, SEND OK`.
  public var withoutConnection: ATLine {
    @_lifetime(copy self) get { ATLine(bytes.extracting(connectionEnd..<bytes.count)) }
  }

  private var connectionEnd: Int {
    guard bytes.count > 2, bytes[0] >= 0x30, bytes[0] <= 0x39, bytes[1] == 0x2C else { return 0 }
    return skipBlanks(2)
  }

  private func colon(after name: StaticString) -> Int? {
    guard let end = pass(name) else { return nil }
    let place = skipBlanks(end)
    return place < bytes.count && bytes[place] == 0x3A ? place : nil
  }

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
      if expected[wanted] != 0x20 {
        place = skipBlanks(place)
        guard place < bytes.count, bytes[place] == expected[wanted] else { return nil }
        place += 1
      }
      wanted += 1
    }
    return place
  }
}
