import ASCIIText

/// A number as a program writes it: digits, a point and an exponent, all in the text.
package struct DecimalNumber {
  private var isNegative = false
  private var digits: UInt64 = 0
  private var exponent = 0

  /// Reads a number that fills the whole text; nil when it is none, or has more than 18 digits.
  package init?(_ text: Span<UInt8>) {
    var place = 0
    if place < text.count, text[place] == 0x2D || text[place] == 0x2B {
      isNegative = text[place] == 0x2D
      place += 1
    }
    var count = 0
    var hasPoint = false
    while place < text.count, text[place] != 0x65, text[place] != 0x45 {
      let byte = text[place]
      place += 1
      if byte == 0x2E, !hasPoint {
        hasPoint = true
        continue
      }
      guard isDigit(byte), digits < 100_000_000_000_000_000 else { return nil }
      digits = digits * 10 + UInt64(byte - 0x30)
      count += 1
      if hasPoint { exponent -= 1 }
    }
    guard count > 0 else { return nil }
    if place < text.count {
      guard let power = scanFixed(text.extracting((place + 1)..<text.count), decimals: 0), power > -1000, power < 1000
      else { return nil }
      exponent += Int(power)
    }
    while digits > 0, digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
  }

  /// The number nearest to it in double precision; nil where one division or multiplication does not give it.
  package var double: Double? {
    if digits == 0 { return isNegative ? -0.0 : 0 }
    guard digits <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    var power = 1.0
    for _ in 0..<abs(exponent) { power *= 10 }
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  /// The number in single precision, rounded from that in double precision; nil when there is none.
  package var float: Float? { double.map { Float($0) } }

  /// The number in units of 10^-decimals, rounded, halves away from zero; nil when it does not fit.
  package func rounded(to decimals: Int) -> Int64? {
    var value = digits
    var shift = exponent + decimals
    while shift > 0, value > 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
      shift -= 1
    }
    while shift < 0, value > 0 {
      // The last digit that goes decides.
      value = shift == -1 ? (value + 5) / 10 : value / 10
      shift += 1
    }
    guard let whole = Int64(exactly: value) else { return nil }
    return isNegative ? -whole : whole
  }
}
