import ASCIIText
import ATCommands
import InlineStorage

extension ATFields {
  /// An unsigned number of eight bits, not above `maximum`.
  func byte(_ index: Int, maximum: UInt8 = 255) -> UInt8? {
    guard let value = unsigned(index, maximum: UInt64(maximum)) else { return nil }
    return UInt8(truncatingIfNeeded: value)
  }

  /// An unsigned number of sixteen bits, not above `maximum`.
  func word(_ index: Int, maximum: UInt16 = 65535) -> UInt16? {
    guard let value = unsigned(index, maximum: UInt64(maximum)) else { return nil }
    return UInt16(truncatingIfNeeded: value)
  }

  /// An unsigned number of 32 bits.
  func longWord(_ index: Int) -> UInt32? {
    guard let value = unsigned(index) else { return nil }
    return UInt32(truncatingIfNeeded: value)
  }

  /// `0` or `1`.
  func flag(_ index: Int) -> Bool? {
    guard let value = byte(index, maximum: 1) else { return nil }
    return value == 1
  }

  /// True when there is no such field, or nothing in it, or nothing between its quotes.
  func isBlank(_ index: Int) -> Bool {
    guard let field = text(index) else { return true }
    return field.isEmpty
  }

  /// A copy of a field without its quotes; nil when there is none or it is too long.
  func copy<let capacity: Int>(_ index: Int) -> InlineBytes<capacity>? {
    guard let field = text(index), field.count <= capacity else { return nil }
    var bytes = InlineBytes<capacity>()
    bytes.append(contentsOf: field)
    return bytes
  }

  /// The bits of a field such as `"01011111"`: exactly `count` of them, eight at most.
  func bits(_ index: Int, count: Int) -> UInt8? {
    guard let field = text(index), field.count == count, count <= 8 else { return nil }
    var value: UInt8 = 0
    var place = 0
    while place < count {
      guard field[place] == 0x30 || field[place] == 0x31 else { return nil }
      value = value << 1 | (field[place] & 1)
      place += 1
    }
    return value
  }
}

extension ByteSink {
  /// Writes the lowest `count` bits as digits.
  mutating func append(bits value: UInt8, count: Int) {
    var place = count
    while place > 0 {
      place -= 1
      append(0x30 + (value >> UInt8(truncatingIfNeeded: place) & 1))
    }
  }
}
