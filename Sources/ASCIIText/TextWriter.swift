public import Quantities

/// Text on its way into memory that a sink lends: room is looked for once for each piece, and pieces are copied whole.
///
/// A sink makes it in `write(_:)`, and it is good for nothing after that call. What has no room is counted, and the piece is cut.
@frozen public struct TextWriter: ByteSink {
  @usableFromInline var place: UnsafeMutablePointer<UInt8>
  @usableFromInline let end: UnsafeMutablePointer<UInt8>
  @usableFromInline var refused = 0
  /// Bytes that had no room.
  @inlinable package var rejectedCount: Int { refused }

  @usableFromInline init(from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>) {
    place = start
    self.end = end
  }

  @inline(never) @usableFromInline mutating func cut(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let room = end - place
    place.initialize(from: bytes, count: room)
    place = end
    refused += count - room
  }

  /// Writes a byte; false and counted when there is no room.
  @inlinable @discardableResult public mutating func append(_ byte: UInt8) -> Bool {
    guard place < end else {
      refused &+= 1
      return false
    }
    place.pointee = byte
    place += 1
    return true
  }

  /// Writes a literal. On a host it is a store or two where it is written: its bytes and their number are known there.
  #if hasFeature(Embedded)
    @inline(never)
  #else
    @inline(__always)
  #endif
  @inlinable public mutating func append(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    guard end - place >= count else { return cut(text.utf8Start, count) }
    place.initialize(from: text.utf8Start, count: count)
    place += count
  }

  /// Writes a literal between two others.
  #if hasFeature(Embedded)
    @inline(never)
  #else
    @inline(__always)
  #endif
  @inlinable package mutating func append(_ before: StaticString, _ text: StaticString, _ after: StaticString) {
    let count = before.utf8CodeUnitCount + text.utf8CodeUnitCount + after.utf8CodeUnitCount
    guard end - place >= count else {
      append(before)
      append(text)
      append(after)
      return
    }
    place.initialize(from: before.utf8Start, count: before.utf8CodeUnitCount)
    place += before.utf8CodeUnitCount
    place.initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
    place += text.utf8CodeUnitCount
    place.initialize(from: after.utf8Start, count: after.utf8CodeUnitCount)
    place += after.utf8CodeUnitCount
  }

  /// Writes `true` or `false`.
  #if hasFeature(Embedded)
    @inline(never)
  #else
    @inline(__always)
  #endif
  @inlinable package mutating func append(flag: Bool) {
    if flag { append("true") } else { append("false") }
  }

  /// Writes bytes as they are.
  @inlinable public mutating func append(bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      guard end - place >= buffer.count else { return cut(start, buffer.count) }
      place.initialize(from: start, count: buffer.count)
      place += buffer.count
    }
  }

  /// Has bytes put into their places; where there is no room for all of them none is, and all are counted.
  package mutating func append(count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    guard end - place >= count else {
      refused += count
      return
    }
    body(place)
    place += count
  }

  /// Writes bytes as base64 with padding and without line ends; where there is no room for all of it nothing is, and all is counted.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - body: Puts them into their places: at the end of the room for the text, which then runs after them.
  /// - Source: RFC 4648 section 4.
  package mutating func append(base64 count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    append(count: (count + 2) / 3 * 4) { start in
      let table = digits.utf8Start
      var from = start + ((count + 2) / 3 * 4 - count)
      var to = start
      body(from)
      var left = count
      while left >= 8 {
        // Six bytes at once, and no more than there are.
        let bits = UInt64(bigEndian: UnsafeRawPointer(from).loadUnaligned(as: UInt64.self))
        to[0] = table[Int(truncatingIfNeeded: bits >> 58)]
        to[1] = table[Int(truncatingIfNeeded: bits >> 52 & 63)]
        to[2] = table[Int(truncatingIfNeeded: bits >> 46 & 63)]
        to[3] = table[Int(truncatingIfNeeded: bits >> 40 & 63)]
        to[4] = table[Int(truncatingIfNeeded: bits >> 34 & 63)]
        to[5] = table[Int(truncatingIfNeeded: bits >> 28 & 63)]
        to[6] = table[Int(truncatingIfNeeded: bits >> 22 & 63)]
        to[7] = table[Int(truncatingIfNeeded: bits >> 16 & 63)]
        from += 6
        to += 8
        left &-= 6
      }
      while left >= 3 {
        let bits = UInt32(from[0]) << 16 | UInt32(from[1]) << 8 | UInt32(from[2])
        to[0] = table[Int(bits >> 18)]
        to[1] = table[Int(bits >> 12 & 63)]
        to[2] = table[Int(bits >> 6 & 63)]
        to[3] = table[Int(bits & 63)]
        from += 3
        to += 4
        left -= 3
      }
      guard left > 0 else { return }
      let bits = UInt32(from[0]) << 16 | (left > 1 ? UInt32(from[1]) << 8 : 0)
      to[0] = table[Int(bits >> 18)]
      to[1] = table[Int(bits >> 12 & 63)]
      to[2] = left > 1 ? table[Int(bits >> 6 & 63)] : 0x3D
      to[3] = 0x3D
    }
  }

  // MARK: Numbers

  /// Two digits for each number below a hundred.
  private static var pairs: StaticString {
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"
  }

  @inline(__always) private static func put(_ pair: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
    let digits = UnsafeRawPointer(pairs.utf8Start + Int(truncatingIfNeeded: pair &* 2))
    UnsafeMutableRawPointer(place).storeBytes(of: digits.loadUnaligned(as: UInt16.self), as: UInt16.self)
  }

  /// The eight digits of a number below 10^8, a byte for each and the first in the lowest, as numbers from 0 to 9.
  ///
  /// - Source: our derivation: each step divides all lanes of a word at once, by a product whose error does not reach the quotient.
  @inline(__always) private static func eightDigits(_ value: UInt32) -> UInt64 {
    let upper = value / 10_000
    let fours = UInt64(upper) | UInt64(value &- upper &* 10_000) << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  @inline(__always) private static func put(_ word: UInt64, _ place: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Writes digits with a point before the last `decimals` of them. Words are stored whole, and what follows goes over what is too much
  /// of them: where there is no room for that, `crowd` writes the same.
  @usableFromInline mutating func append(number value: UInt32, isNegative: Bool, minimum: Int, decimals: Int) {
    guard end - place >= 24, minimum <= 8 else { return crowd(UInt64(value), isNegative, minimum, decimals) }
    var at = place
    at.pointee = 0x2D
    if isNegative { at += 1 }
    var rest = value
    var zeros = 0
    if value >= 100_000_000 {
      let upper = value / 100_000_000
      rest = value &- upper &* 100_000_000
      if upper >= 10 {
        TextWriter.put(upper, at)
        at += 2
      } else {
        at.pointee = 0x30 &+ UInt8(truncatingIfNeeded: upper)
        at += 1
      }
    }
    let digits = TextWriter.eightDigits(rest)
    if value < 100_000_000 {
      zeros = digits.trailingZeroBitCount >> 3
      if zeros > 8 &- minimum { zeros = 8 &- minimum }
    }
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8)
    TextWriter.put(text, at)
    let whole = 8 &- zeros &- decimals
    at += whole
    if decimals > 0 {
      at.pointee = 0x2E
      TextWriter.put(text &>> UInt64(truncatingIfNeeded: whole &* 8), at + 1)
      at += decimals &+ 1
    }
    place = at
  }

  /// The same of numbers that are long, or have no room.
  @inline(never) @usableFromInline mutating func crowd(
    _ magnitude: UInt64, _ isNegative: Bool, _ minimum: Int, _ decimals: Int
  ) {
    let minimum = minimum > 20 ? 20 : minimum
    if decimals == 0, magnitude > 0xFFFF_FFFF, magnitude < 400_000_000_000_000_000 {
      let quotient = magnitude / 100_000_000
      append(
        number: UInt32(truncatingIfNeeded: quotient), isNegative: isNegative, minimum: minimum > 8 ? minimum - 8 : 1,
        decimals: 0)
      return append(
        number: UInt32(truncatingIfNeeded: magnitude &- quotient &* 100_000_000), isNegative: false, minimum: 8,
        decimals: 0)
    }
    if isNegative { append(0x2D) }
    let digits = DecimalDigits(magnitude, minimumCount: minimum)
    let whole = digits.count - decimals
    append(bytes: digits.span.extracting(0..<whole))
    guard decimals > 0 else { return }
    append(0x2E)
    append(bytes: digits.span.extracting(whole..<digits.count))
  }

  /// Writes a number without a point and without zeros in front, of which most are short.
  @usableFromInline mutating func append(whole value: UInt32, isNegative: Bool) {
    guard value < 100, end - place >= 3 else {
      return append(number: value, isNegative: isNegative, minimum: 1, decimals: 0)
    }
    var at = place
    if isNegative {
      at.pointee = 0x2D
      at += 1
    }
    if value >= 10 {
      TextWriter.put(value, at)
      place = at + 2
    } else {
      at.pointee = 0x30 &+ UInt8(truncatingIfNeeded: value)
      place = at + 1
    }
  }

  /// Writes an integer in decimal, padded on the left with zeros to `minimumDigits` digits (at most 20).
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package mutating func append(decimal value: Int64, minimumDigits: Int = 1) {
    append(magnitude: value.magnitude, isNegative: value < 0, minimum: minimumDigits, decimals: 0)
  }

  /// Writes an unsigned integer in decimal, padded on the left with zeros to `minimumDigits` digits (at most 20).
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package mutating func append(decimal value: UInt64, minimumDigits: Int = 1) {
    append(magnitude: value, isNegative: false, minimum: minimumDigits, decimals: 0)
  }

  /// Writes the number `value / 10^decimals` in plain decimal notation, never with an exponent.
  ///
  /// - Parameters:
  ///   - value: The number in units of its last digit.
  ///   - decimals: Digits after the point, limited to 0 to 18; with 0 there is no point.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package mutating func append(fixed value: Int64, decimals: Int) {
    let decimals = decimals < 0 ? 0 : decimals > 18 ? 18 : decimals
    append(magnitude: value.magnitude, isNegative: value < 0, minimum: decimals + 1, decimals: decimals)
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable mutating func append(magnitude: UInt64, isNegative: Bool, minimum: Int, decimals: Int) {
    guard magnitude <= 0xFFFF_FFFF else { return crowd(magnitude, isNegative, minimum, decimals) }
    if minimum <= 1, decimals == 0 {
      return append(whole: UInt32(truncatingIfNeeded: magnitude), isNegative: isNegative)
    }
    let minimum = minimum > 20 ? 20 : minimum < 1 ? 1 : minimum
    append(
      number: UInt32(truncatingIfNeeded: magnitude), isNegative: isNegative, minimum: minimum, decimals: decimals)
  }

  /// Writes an unsigned integer in upper-case hexadecimal, without zeros in front.
  package mutating func append(hexadecimal value: UInt64) {
    if value > 0xFFFF_FFFF {
      append(hexadecimal: value >> 32)
      return append(eight: UInt32(truncatingIfNeeded: value), count: 8)
    }
    let bits = 35 &- UInt32(truncatingIfNeeded: value | 1).leadingZeroBitCount
    append(eight: UInt32(truncatingIfNeeded: value), count: bits >> 2)
  }

  /// Writes the last digits of eight in hexadecimal.
  private mutating func append(eight value: UInt32, count: Int) {
    // A byte for each, the last in the lowest.
    var digits = UInt64(value)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    digits = digits &+ 0x3030_3030_3030_3030 &+ letters &* 7
    var text = digits.byteSwapped &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    if end - place >= 8 {
      TextWriter.put(text, place)
      place += count
      return
    }
    var left = count
    while left > 0 {
      append(UInt8(truncatingIfNeeded: text & 0xFF))
      text >>= 8
      left &-= 1
    }
  }

  /// Writes a time as `2026-11-21T08:15:30.123Z`, milliseconds rounded down.
  public mutating func append(iso8601 time: UTCTime) {
    let date = time.date
    guard date.year >= 0, date.year <= 9999, end - place >= 24 else { return append(parts: date, of: time) }
    let milliseconds = UInt32(truncatingIfNeeded: time.microsecondsOfDay / 1000)
    let seconds = milliseconds / 1000
    put(date, between: 0x54)
    let start = place
    place += 24
    TextWriter.put(seconds / 3600, start + 11)
    (start + 13).pointee = 0x3A
    TextWriter.put(seconds / 60 % 60, start + 14)
    (start + 16).pointee = 0x3A
    TextWriter.put(seconds % 60, start + 17)
    (start + 19).pointee = 0x2E
    let rest = milliseconds % 1000
    (start + 20).pointee = 0x30 &+ UInt8(truncatingIfNeeded: rest / 100)
    TextWriter.put(rest % 100, start + 21)
    (start + 23).pointee = 0x5A
  }

  /// Writes a number with a fixed number of decimals, never an exponent; what is not finite becomes `null`.
  package mutating func append(json value: Float, decimals: Int) { append(json: Double(value), decimals: decimals) }

  /// Writes a number with a fixed number of decimals, never an exponent; what is not finite becomes `null`.
  package mutating func append(json value: Double, decimals: Int) {
    guard value.isFinite else { return append("null") }
    append(fixed: Elementary.roundedInteger(value * Double(powerOfTen(decimals))), decimals: decimals)
  }

  // MARK: JSON

  /// Writes bytes as a JSON string with its quotes, as any sink does; what needs no escape is copied in one piece.
  package mutating func append(jsonString text: Span<UInt8>) {
    guard text.withUnsafeBufferPointer({ TextWriter.isPlain($0) }), end - place >= text.count + 2 else {
      append(0x22)
      append(escaped: text)
      append(0x22)
      return
    }
    append(0x22)
    append(bytes: text)
    append(0x22)
  }

  /// Writes a part of a JSON string, without quotes.
  package mutating func append(jsonText text: Span<UInt8>) {
    guard text.withUnsafeBufferPointer({ TextWriter.isPlain($0) }) else { return append(escaped: text) }
    append(bytes: text)
  }

  /// True when nothing needs an escape, or may be no UTF-8.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let (text, count) = (UnsafeRawPointer(start), bytes.count)
    if count >= 8 {
      // The last eight may have been looked at in part.
      var at = 0
      while at &+ 8 < count {
        guard isPlain(text.loadUnaligned(fromByteOffset: at, as: UInt64.self)) else { return false }
        at &+= 8
      }
      return isPlain(text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    }
    if count >= 4 {
      let (first, last) = (
        text.loadUnaligned(as: UInt32.self), text.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      )
      return isPlain(UInt64(first) | UInt64(last) << 32)
    }
    return bytes.allSatisfy { $0 &- 0x20 < 0x60 && $0 != 0x22 && $0 != 0x5C }
  }

  /// The same of eight bytes at once: a byte that is 0 loses a bit that it did not have when 1 is taken from it.
  @inline(__always) private static func isPlain(_ eight: UInt64) -> Bool {
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (quotes, slashes) = (eight ^ (ones &* 0x22), eight ^ (ones &* 0x5C))
    let control = (eight &- ones &* 0x20) & ~eight
    let quote = (quotes &- ones) & ~quotes
    let slash = (slashes &- ones) & ~slashes
    return (eight | control | quote | slash) & tops == 0
  }

  /// True when a byte has its bit in a mask of 128.
  @inline(__always) @inlinable package static func has(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
    byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 63) & 1 != 0
  }

  /// Writes a time as `2026-11-21 08:15`, seconds cut off.
  package mutating func append(minuteOf time: UTCTime) {
    let date = time.date
    let minutes = UInt32(truncatingIfNeeded: time.microsecondsOfDay / 60_000_000)
    guard date.year >= 0, date.year <= 9999, end - place >= 16 else {
      append(decimal: Int64(date.year), minimumDigits: 4)
      append("-")
      append(decimal: UInt64(date.month), minimumDigits: 2)
      append("-")
      append(decimal: UInt64(date.day), minimumDigits: 2)
      append(" ")
      append(decimal: UInt64(minutes / 60), minimumDigits: 2)
      append(":")
      append(decimal: UInt64(minutes % 60), minimumDigits: 2)
      return
    }
    put(date, between: 0x20)
    TextWriter.put(minutes / 60, place + 11)
    (place + 13).pointee = 0x3A
    TextWriter.put(minutes % 60, place + 14)
    place += 16
  }

  /// Puts `2026-11-21` and a byte behind it into their places.
  private func put(_ date: CivilDate, between byte: UInt8) {
    let year = UInt32(bitPattern: date.year)
    TextWriter.put(year / 100, place)
    TextWriter.put(year % 100, place + 2)
    (place + 4).pointee = 0x2D
    TextWriter.put(UInt32(date.month), place + 5)
    (place + 7).pointee = 0x2D
    TextWriter.put(UInt32(date.day), place + 8)
    (place + 10).pointee = byte
  }
}
