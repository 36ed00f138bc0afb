/// The value of a hexadecimal digit of either case; nil for any other byte.
@inlinable public func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: return byte - 0x30
  case 0x41...0x46: return byte - 0x37
  case 0x61...0x66: return byte - 0x57
  default: return nil
  }
}

/// True for the ASCII digits.
@inlinable public func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// Reads a plain unsigned integer that fills the whole span; nil when it is empty, has other bytes or overflows.
public func scanUnsigned(_ bytes: Span<UInt8>) -> UInt64? {
  guard !bytes.isEmpty else { return nil }
  var value: UInt64 = 0
  for place in bytes.indices {
    guard isDigit(bytes[place]) else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[place] - 0x30))
    if overflow || carry { return nil }
    value = sum
  }
  return value
}

/// Reads a plain decimal number that fills the whole span, such as `-12.345`, as an integer scaled by 10^decimals.
///
/// Digits beyond the scale are rounded, halves away from zero. No exponent, no spaces.
///
/// - Parameters:
///   - bytes: The text.
///   - decimals: Digits to keep after the point, limited to 0 to 18.
/// - Returns: nil when the span is empty, is not such a number, or does not fit.
public func scanFixed(_ bytes: Span<UInt8>, decimals: Int) -> Int64? {
  var place = 0
  var isNegative = false
  if place < bytes.count, bytes[place] == 0x2D || bytes[place] == 0x2B {
    isNegative = bytes[place] == 0x2D
    place += 1
  }
  let decimals = decimals < 0 ? 0 : decimals > 18 ? 18 : decimals
  var magnitude: UInt64 = 0
  var digitCount = 0
  var fractionDigits = -1
  var roundsUp = false
  while place < bytes.count {
    let byte = bytes[place]
    place += 1
    if byte == 0x2E, fractionDigits < 0 {
      fractionDigits = 0
      continue
    }
    guard isDigit(byte) else { return nil }
    digitCount += 1
    if fractionDigits >= decimals {
      if fractionDigits == decimals { roundsUp = byte >= 0x35 }
      fractionDigits += 1
      continue
    }
    if fractionDigits >= 0 { fractionDigits += 1 }
    guard magnitude <= largestTenth else { return nil }
    magnitude = magnitude * 10 + UInt64(byte - 0x30)
  }
  guard digitCount > 0 else { return nil }
  var kept = fractionDigits < 0 ? 0 : fractionDigits
  while kept < decimals && magnitude > 0 {
    guard magnitude <= largestTenth else { return nil }
    magnitude *= 10
    kept += 1
  }
  if roundsUp { magnitude += 1 }
  if isNegative {
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }
  return Int64(exactly: magnitude)
}

/// A tenth of the largest magnitude; ten times this and a digit fits into 64 bits without sign, and is checked at the end.
private var largestTenth: UInt64 { Int64.min.magnitude / 10 }

/// How many bytes of a text in UTF-8 are sent where there is room for so many: whole characters, and no blank at the cut.
package func countOfWholeCharacters(_ text: Span<UInt8>, upTo most: Int) -> Int {
  guard text.count > most else { return text.count }
  var count = max(0, most)
  while count > 0, text[count] & 0xC0 == 0x80 { count -= 1 }
  while count > 0, text[count - 1] == 0x20 { count -= 1 }
  return count
}
