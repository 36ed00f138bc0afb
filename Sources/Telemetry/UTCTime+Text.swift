public import ASCIIText
public import Quantities

extension ByteSink {
  /// Writes a time as `2026-11-21T08:15:30.123Z`, milliseconds rounded down.
  public mutating func append(iso8601 time: UTCTime) {
    let date = time.date
    let milliseconds = time.microsecondsOfDay / 1000
    append(decimal: Int64(date.year), minimumDigits: 4)
    append(0x2D)
    append(decimal: Int64(date.month), minimumDigits: 2)
    append(0x2D)
    append(decimal: Int64(date.day), minimumDigits: 2)
    append(0x54)
    append(decimal: milliseconds / 3_600_000, minimumDigits: 2)
    append(0x3A)
    append(decimal: milliseconds / 60_000 % 60, minimumDigits: 2)
    append(0x3A)
    append(decimal: milliseconds / 1000 % 60, minimumDigits: 2)
    append(0x2E)
    append(decimal: milliseconds % 1000, minimumDigits: 3)
    append(0x5A)
  }

  /// Writes a single-precision number with a fixed number of decimals; what is not finite becomes `null`.
  public mutating func append(json value: Float, decimals: Int) {
    append(json: Double(value), decimals: decimals)
  }

  /// Writes a number with a fixed number of decimals, never an exponent; what is not finite becomes `null`.
  public mutating func append(json value: Double, decimals: Int) {
    guard value.isFinite else {
      append("null")
      return
    }
    let scaled = Elementary.roundedInteger(value * Double(powerOfTen(decimals)))
    append(fixed: scaled, decimals: decimals)
  }

  /// Writes bytes as a JSON string with its quotes. Control characters, quotes and backslashes are escaped; everything else
  /// is taken for UTF-8 and passed on.
  public mutating func append(jsonString text: Span<UInt8>) {
    append(0x22)
    for place in text.indices {
      let byte = text[place]
      switch byte {
      case 0x22, 0x5C:
        append(0x5C)
        append(byte)
      case 0..<0x20:
        append("\\u00")
        append(hexadecimal: byte)
      default: append(byte)
      }
    }
    append(0x22)
  }
}
