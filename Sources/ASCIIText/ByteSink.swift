public import InlineStorage

/// Something that takes bytes one after another: a fixed buffer in firmware, a growing one on a host.
public protocol ByteSink {
  /// Takes one byte; false when there is no room.
  @discardableResult mutating func append(_ byte: UInt8) -> Bool
}

extension InlineBytes: ByteSink {}

extension ByteSink {
  /// Writes a literal.
  @inlinable public mutating func append(_ text: StaticString) {
    let start = text.utf8Start
    var place = 0
    while place < text.utf8CodeUnitCount {
      append(start[place])
      place += 1
    }
  }

  /// Writes bytes as they are.
  @inlinable public mutating func append(bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      append(bytes[place])
      place += 1
    }
  }

  /// Writes an integer in decimal, padded on the left with zeros to `minimumDigits` digits.
  public mutating func append(decimal value: Int64, minimumDigits: Int = 1) {
    if value < 0 { append(0x2D) }
    append(decimal: value.magnitude, minimumDigits: minimumDigits)
  }

  /// Writes an unsigned integer in decimal, padded on the left with zeros to `minimumDigits` digits.
  public mutating func append(decimal value: UInt64, minimumDigits: Int = 1) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var count = 0
    var rest = value
    while rest > 0 || count < minimumDigits {
      guard count < 20 else { break }
      digits[count] = 0x30 + UInt8(rest % 10)
      rest /= 10
      count += 1
    }
    while count > 0 {
      count -= 1
      append(digits[count])
    }
  }

  /// Writes the number `value / 10^decimals` in plain decimal notation, never with an exponent.
  ///
  /// - Parameters:
  ///   - value: The number in units of its last digit.
  ///   - decimals: Digits after the point, 0 to 18.
  public mutating func append(fixed value: Int64, decimals: Int) {
    if value < 0 { append(0x2D) }
    let scale = powerOfTen(decimals)
    let magnitude = value.magnitude
    append(decimal: magnitude / scale)
    guard decimals > 0 else { return }
    append(0x2E)
    append(decimal: magnitude % scale, minimumDigits: decimals)
  }

  /// Writes two upper-case hexadecimal digits.
  @inlinable public mutating func append(hexadecimal byte: UInt8) {
    append(hexadecimalDigit(byte >> 4))
    append(hexadecimalDigit(byte & 15))
  }
}

/// The upper-case digit for 0 to 15.
@inlinable public func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? 0x30 + value : 0x37 + value
}

/// Ten to the power of `exponent`, which is limited to 0 to 18.
public func powerOfTen(_ exponent: Int) -> UInt64 {
  var power: UInt64 = 1
  var step = 0
  while step < exponent && step < 18 {
    power *= 10
    step += 1
  }
  return power
}
