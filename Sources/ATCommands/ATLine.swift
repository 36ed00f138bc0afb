/// One line that a modem sent, without its line end: its name and its fields.
///
/// Nothing is copied; the view is good as long as the bytes are.
@frozen public struct ATLine: ~Escapable {
  /// The line's bytes.
  public let bytes: Span<UInt8>

  /// A view of a line.
  @_lifetime(copy bytes)
  @inlinable public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// True when the line is this text, byte by byte.
  public func equals(_ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && matches(text, at: 0)
  }

  /// True when the line's first bytes are this text.
  public func begins(with text: StaticString) -> Bool { matches(text, at: 0) }

  /// True when the line's last bytes are this text.
  public func ends(with text: StaticString) -> Bool { matches(text, at: bytes.count - text.utf8CodeUnitCount) }

  /// True when the line has this text somewhere.
  public func contains(_ text: StaticString) -> Bool {
    var place = 0
    while place + text.utf8CodeUnitCount <= bytes.count {
      if matches(text, at: place) { return true }
      place += 1
    }
    return false
  }

  /// True when the line is a response or URC of this name: the name, then a colon.
  public func isNamed(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    return bytes.count > count && bytes[count] == 0x3A && matches(name, at: 0)
  }

  /// The fields after the name and its colon; nil when the line has another name.
  @_lifetime(copy self)
  public func fields(of name: StaticString) -> ATFields? {
    guard isNamed(name) else { return nil }
    var start = name.utf8CodeUnitCount + 1
    // Modems differ in the blank after the colon, some firmware between versions.
    while start < bytes.count && bytes[start] == 0x20 { start += 1 }
    return ATFields(bytes.extracting(start..<bytes.count))
  }

  private func matches(_ text: StaticString, at start: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard start >= 0, start + count <= bytes.count else { return false }
    let expected = text.utf8Start
    var place = 0
    while place < count {
      if bytes[start + place] != expected[place] { return false }
      place += 1
    }
    return true
  }
}
