public import InlineStorage

/// Something that takes bytes one after another: a fixed buffer in firmware, a growing one on a host.
public protocol ByteSink {
  /// Takes one byte; false when there is no room.
  @discardableResult mutating func append(_ byte: UInt8) -> Bool

  /// Takes bytes as they are. A sink that can copy many at once says so by its own version.
  mutating func append(bytes: Span<UInt8>)

  /// Takes a literal. A sink that can copy many bytes at once says so by its own version.
  mutating func append(_ text: StaticString)

  /// Lends memory for a text and takes what was written into it. A sink that has memory to lend says so by its own version; any other
  /// takes the text at the end, out of a buffer of 4 KiB on the stack, and on a host of 64 KiB where that is too small: firmware gives its
  /// sinks a version of their own.
  ///
  /// - Parameter body: Writes the text; it may be called twice.
  mutating func write<Result>(_ body: (inout TextWriter) -> Result) -> Result
}

extension InlineBytes: ByteSink {
  /// Lends the room that is left.
  @inlinable public mutating func write<Result>(_ body: (inout TextWriter) -> Result) -> Result {
    var rejected = 0
    let result = appendInPlace { start, end in
      var writer = TextWriter(from: start, to: end)
      let result = body(&writer)
      rejected = writer.rejectedCount
      return (result, writer.place)
    }
    reject(rejected)
    return result
  }

  /// Takes bytes as they are, as far as there is room.
  @inlinable public mutating func append(bytes: Span<UInt8>) { append(contentsOf: bytes) }
}

extension ByteSink {
  /// Has a text written into a buffer, and takes it out of that.
  @inlinable public mutating func write<Result>(_ body: (inout TextWriter) -> Result) -> Result {
    var buffer = InlineBytes<4096>()
    let result = buffer.write(body)
    #if !hasFeature(Embedded)
      if buffer.isTruncated {
        var larger = InlineBytes<65536>()
        let result = larger.write(body)
        append(bytes: larger.span)
        return result
      }
    #endif
    append(bytes: buffer.span)
    return result
  }

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

  /// Writes an integer in decimal, padded on the left with zeros to `minimumDigits` digits (at most 20).
  @inlinable public mutating func append(decimal value: Int64, minimumDigits: Int = 1) {
    if value < 0 { append(0x2D) }
    append(decimal: value.magnitude, minimumDigits: minimumDigits)
  }

  /// Writes an unsigned integer in decimal, padded on the left with zeros to `minimumDigits` digits (at most 20).
  @inlinable public mutating func append(decimal value: UInt64, minimumDigits: Int = 1) {
    append(bytes: DecimalDigits(value, minimumCount: minimumDigits).span)
  }

  /// Writes the number `value / 10^decimals` in plain decimal notation, never with an exponent.
  ///
  /// - Parameters:
  ///   - value: The number in units of its last digit.
  ///   - decimals: Digits after the point, limited to 0 to 18; with 0 there is no point.
  @inlinable public mutating func append(fixed value: Int64, decimals: Int) {
    if value < 0 { append(0x2D) }
    let decimals = decimals < 0 ? 0 : decimals > 18 ? 18 : decimals
    let digits = DecimalDigits(value.magnitude, minimumCount: decimals + 1)
    let wholeCount = digits.count - decimals
    append(bytes: digits.span.extracting(0..<wholeCount))
    guard decimals > 0 else { return }
    append(0x2E)
    append(bytes: digits.span.extracting(wholeCount..<digits.count))
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
