public import Quantities

extension ByteSink {
  /// Writes a time as `2026-11-21T08:15:30.123Z`, milliseconds rounded down.
  public mutating func append(iso8601 time: UTCTime) { append(parts: time.date, of: time) }

  /// The same, part by part.
  mutating func append(parts date: CivilDate, of time: UTCTime) {
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

  /// Writes bytes as a JSON string with its quotes. Control characters, quotes and backslashes are escaped; UTF-8 is passed
  /// on, and bytes that are not UTF-8 become U+FFFD, the replacement character.
  public mutating func append(jsonString text: Span<UInt8>) {
    append(0x22)
    append(escaped: text)
    append(0x22)
  }

  /// The same without its quotes, byte by byte.
  mutating func append(escaped text: Span<UInt8>) {
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte >= 0x80 {
        let (length, isValid) = utf8Sequence(in: text, at: place)
        if isValid { append(bytes: text.extracting(place..<place + length)) } else { append("\u{FFFD}") }
        place += length
        continue
      }
      place += 1
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
  }
}

/// The multi-byte UTF-8 sequence that starts at a place, or the longest beginning of one that is broken off there.
///
/// - Source: The Unicode Standard, table 3-7 (well-formed sequences) and section 3.9 (maximal subparts).
package func utf8Sequence(in text: Span<UInt8>, at start: Int) -> (length: Int, isValid: Bool) {
  let first = text[start]
  let length: Int
  var lowest: UInt8 = 0x80
  var highest: UInt8 = 0xBF
  switch first {
  case 0xC2...0xDF: length = 2
  case 0xE0...0xEF:
    length = 3
    if first == 0xE0 { lowest = 0xA0 }
    if first == 0xED { highest = 0x9F }
  case 0xF0...0xF4:
    length = 4
    if first == 0xF0 { lowest = 0x90 }
    if first == 0xF4 { highest = 0x8F }
  default: return (1, false)
  }
  var count = 1
  while count < length {
    guard start + count < text.count else { return (count, false) }
    let byte = text[start + count]
    guard byte >= lowest, byte <= highest else { return (count, false) }
    lowest = 0x80
    highest = 0xBF
    count += 1
  }
  return (length, true)
}
