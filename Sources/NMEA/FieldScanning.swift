public import ASCIIText

/// Readers of the field types of NMEA 0183. All of them give nil for an empty or missing field, and nil with
/// `malformedField` set for one that makes no sense.
extension SentenceFields {
  /// A whole number up to 65,535.
  @inlinable public mutating func integer(_ field: Int) -> UInt16? {
    let value = rawInteger(field)
    return value < 0 ? nil : UInt16(truncatingIfNeeded: value)
  }

  /// The same with -1 for nil: nearly all numbers in GSV and GSA have one to three digits.
  @inlinable @inline(__always) mutating func rawInteger(_ field: Int) -> Int32 {
    guard field < used else { return -1 }
    let place = startOffset(field)
    let digits = base + place
    switch endOffset(field) &- place {
    case 0: return -1
    case 1:
      let ones = UInt32(digits[0]) &- 0x30
      if ones < 10 { return Int32(bitPattern: ones) }
    case 2:
      let tens = UInt32(digits[0]) &- 0x30
      let ones = UInt32(digits[1]) &- 0x30
      if tens < 10, ones < 10 { return Int32(bitPattern: tens &* 10 &+ ones) }
    case 3:
      let hundreds = UInt32(digits[0]) &- 0x30
      let tens = UInt32(digits[1]) &- 0x30
      let ones = UInt32(digits[2]) &- 0x30
      if hundreds < 10, tens < 10, ones < 10 {
        return Int32(bitPattern: (hundreds &* 10 &+ tens) &* 10 &+ ones)
      }
    default: break
    }
    return slowInteger(field)
  }

  /// Longer whole numbers, and those in odd dress: spaces around, a fraction that is rounded, a plus sign.
  @usableFromInline @inline(never) mutating func slowInteger(_ field: Int) -> Int32 {
    guard let value = slowFixed(field, decimals: 0) else { return -1 }
    guard value >= 0, value <= 0xFFFF else {
      flag(field)
      return -1
    }
    return value
  }

  /// A decimal number scaled by 10^decimals, digits beyond that rounded, halves away from zero.
  @inlinable public mutating func fixed(_ field: Int, decimals: Int) -> Int32? {
    guard field < used else { return nil }
    var place = startOffset(field)
    let end = endOffset(field)
    if place == end { return nil }
    if end &- place > 11 { return slowFixed(field, decimals: decimals) }
    let isNegative = base[place] == 0x2D
    if isNegative {
      place &+= 1
      // A sign alone is no zero.
      if place == end { return slowFixed(field, decimals: decimals) }
    }
    let first = place
    var value: UInt64 = 0
    while place < end {
      let digit = base[place] &- 0x30
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      place &+= 1
    }
    var missing = decimals
    if place < end {
      if base[place] != 0x2E { return slowFixed(field, decimals: decimals) }
      place &+= 1
      if end &- first == 1 { return slowFixed(field, decimals: decimals) }
      while place < end {
        let digit = base[place] &- 0x30
        if digit > 9 || missing == 0 { return slowFixed(field, decimals: decimals) }
        value = value &* 10 &+ UInt64(digit)
        missing &-= 1
        place &+= 1
      }
    }
    value = value &* powersOfTen[unchecked: missing]
    if value > 0x7FFF_FFFF { return slowFixed(field, decimals: decimals) }
    let magnitude = Int32(truncatingIfNeeded: value)
    return isNegative ? 0 &- magnitude : magnitude
  }

  /// Decimal numbers in odd dress: spaces around, a plus sign, more digits than are kept.
  @usableFromInline @inline(never) mutating func slowFixed(_ field: Int, decimals: Int) -> Int32? {
    var place = startOffset(field)
    var end = endOffset(field)
    while place < end, base[place] == 0x20 { place += 1 }
    while place < end, base[end - 1] == 0x20 { end -= 1 }
    if place == end { return nil }
    guard end - place <= 24, let value = Self.scaled(base, place, end, decimals: decimals),
      value >= -0x7FFF_FFFF, value <= 0x7FFF_FFFF
    else {
      flag(field)
      return nil
    }
    return Int32(value)
  }

  /// The general reader behind `slowFixed`; nil when the text is no plain decimal number or overflows.
  static func scaled(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, decimals: Int) -> Int64? {
    var place = start
    var isNegative = false
    if place < end, base[place] == 0x2D || base[place] == 0x2B {
      isNegative = base[place] == 0x2D
      place += 1
    }
    var value: Int64 = 0
    var digits = 0
    var kept = -1
    var roundsUp = false
    while place < end {
      let byte = base[place]
      place += 1
      if byte == 0x2E, kept < 0 {
        kept = 0
        continue
      }
      guard byte &- 0x30 < 10 else { return nil }
      digits += 1
      if kept >= decimals {
        if kept == decimals { roundsUp = byte >= 0x35 }
        kept += 1
        continue
      }
      if kept >= 0 { kept += 1 }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow || product > Int64.max - 10 { return nil }
      value = product + Int64(byte - 0x30)
    }
    if digits == 0 { return nil }
    kept = max(kept, 0)
    while kept < decimals {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow || product > Int64.max - 10 { return nil }
      value = product
      kept += 1
    }
    if roundsUp { value += 1 }
    return isNegative ? -value : value
  }

  /// Time of day `hhmmss` or `hhmmss.sss…` in microseconds since midnight; the second 60 is a leap second.
  @inlinable public mutating func timeOfDay(_ field: Int) -> Int64? {
    guard field < used else { return nil }
    var place = startOffset(field)
    let end = endOffset(field)
    if place == end { return nil }
    guard end &- place >= 6 else {
      flag(field)
      return nil
    }
    let hour = pair(place)
    let minute = pair(place &+ 2)
    let second = pair(place &+ 4)
    guard hour < 24, minute < 60, second < 61 else {
      flag(field)
      return nil
    }
    var microseconds = Int64((hour &* 60 &+ minute) &* 60 &+ second)
    place &+= 6
    if place == end { return microseconds &* 1_000_000 }
    guard base[place] == 0x2E else {
      flag(field)
      return nil
    }
    place &+= 1
    var missing = 6
    while place < end {
      let digit = base[place] &- 0x30
      guard digit < 10 else {
        flag(field)
        return nil
      }
      if missing > 0 {
        microseconds = microseconds &* 10 &+ Int64(digit)
        missing &-= 1
      }
      place &+= 1
    }
    return microseconds &* Int64(truncatingIfNeeded: powersOfTen[unchecked: missing])
  }

  /// Two digits as a number; 255 when they are no digits.
  @inlinable @inline(__always) func pair(_ place: Int) -> UInt32 {
    let tens = base[place] &- 0x30
    let ones = base[place &+ 1] &- 0x30
    return tens < 10 && ones < 10 ? UInt32(tens) &* 10 &+ UInt32(ones) : 255
  }

  /// A latitude `ddmm.mmmm,N` in nanodegrees, north positive, from a field and the one after it.
  @inlinable public mutating func latitudeE9(_ field: Int) -> Int64? {
    coordinateE9(field, positive: 0x4E, negative: 0x53, limit: 90_000_000_000)
  }

  /// A longitude `dddmm.mmmm,E` in nanodegrees, east positive, from a field and the one after it.
  @inlinable public mutating func longitudeE9(_ field: Int) -> Int64? {
    coordinateE9(field, positive: 0x45, negative: 0x57, limit: 180_000_000_000)
  }

  /// Degrees and minutes as nanodegrees: a minute is 1e9/60 of them, rounded once.
  @inlinable mutating func coordinateE9(
    _ field: Int, positive: UInt8, negative: UInt8, limit: Int64
  ) -> Int64? {
    guard field &+ 1 < used else { return nil }
    var place = startOffset(field)
    let end = endOffset(field)
    let hemisphere = character(field &+ 1)
    if place == end || hemisphere == 0 { return nil }
    var whole: UInt64 = 0
    guard end &- place <= 16 else {
      flag(field)
      return nil
    }
    while place < end {
      let digit = base[place] &- 0x30
      if digit > 9 { break }
      whole = whole &* 10 &+ UInt64(digit)
      place &+= 1
    }
    let degrees = whole / 100
    var minutes = whole &- degrees &* 100
    var missing = 8
    if place < end {
      if base[place] != 0x2E { missing = -1 }
      place &+= 1
      while place < end {
        let digit = base[place] &- 0x30
        if digit > 9 {
          missing = -1
          break
        }
        if missing > 0 {
          minutes = minutes &* 10 &+ UInt64(digit)
          missing &-= 1
        }
        place &+= 1
      }
    }
    guard missing >= 0, degrees <= 180 else {
      flag(field)
      return nil
    }
    minutes = minutes &* powersOfTen[unchecked: missing]
    var nanodegrees = (minutes &+ 3) / 6
    if missing == 0, nanodegrees &* 6 == minutes &+ 3, isBelowInBinary(degrees, minutes) { nanodegrees &-= 1 }
    let magnitude = Int64(degrees) &* 1_000_000_000 &+ Int64(nanodegrees)
    guard minutes < 6_000_000_000, magnitude <= limit else {
      flag(field)
      return nil
    }
    if hemisphere == positive { return magnitude }
    if hemisphere == negative { return 0 &- magnitude }
    flag(field &+ 1)
    return nil
  }

  /// Decides the one case that decimals leave open: eight decimals of minutes can lie exactly between two nanodegrees.
  ///
  /// Programs that calculate in doubles print what their binary value is nearest to. The same value is formed here and
  /// compared with the middle exactly, so that digits printed side by side are equal.
  ///
  /// - Parameter minutes: In units of 1e-8 minute, three more than a multiple of six.
  @usableFromInline @inline(never) func isBelowInBinary(_ degrees: UInt64, _ minutes: UInt64) -> Bool {
    let whole = minutes / 100_000_000
    let fraction = Double(minutes - whole * 100_000_000) / 100_000_000
    let value = (Double(degrees * 60 + whole) + fraction) * (1.0 / 60.0)
    guard value > 1e-6, value < 512 else { return false }
    // Twice the value in nanodegrees is an odd number at the middle; below it the quotient is smaller.
    let middle = degrees * 2_000_000_000 + minutes / 3
    let bits = value.bitPattern
    let significand = bits & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
    let shift = 1075 - (bits >> 52)
    let product = significand.multipliedFullWidth(by: 2_000_000_000)
    let quotient = shift < 64 ? product.high << (64 - shift) | product.low >> shift : product.high >> (shift - 64)
    return quotient < middle
  }

  /// A date `ddmmyy`.
  @inlinable mutating func shortDate(_ field: Int) -> ShortDate? {
    guard field < used else { return nil }
    let place = startOffset(field)
    let end = endOffset(field)
    if place == end { return nil }
    guard end &- place == 6 else {
      flag(field)
      return nil
    }
    let day = pair(place)
    let month = pair(place &+ 2)
    let year = pair(place &+ 4)
    guard day >= 1, day <= 31, month >= 1, month <= 12, year < 100 else {
      flag(field)
      return nil
    }
    return ShortDate(
      day: UInt8(truncatingIfNeeded: day), month: UInt8(truncatingIfNeeded: month),
      yearOfCentury: UInt8(truncatingIfNeeded: year))
  }
}

extension SentenceFields {
  /// A small whole number that may have a sign.
  @inlinable public mutating func signedInteger(_ field: Int) -> Int16? {
    let value = rawSignedInteger(field)
    return value == -1000 ? nil : Int16(truncatingIfNeeded: value)
  }

  /// The same with -1000 for nil.
  @inlinable @inline(__always) mutating func rawSignedInteger(_ field: Int) -> Int32 {
    guard field < used else { return -1000 }
    let place = startOffset(field)
    let length = endOffset(field) &- place
    if length == 0 { return -1000 }
    if length == 2 {
      let tens = UInt32(base[place]) &- 0x30
      let ones = UInt32(base[place &+ 1]) &- 0x30
      if tens < 10, ones < 10 { return Int32(bitPattern: tens &* 10 &+ ones) }
    }
    return slowSignedInteger(field)
  }

  @usableFromInline @inline(never) mutating func slowSignedInteger(_ field: Int) -> Int32 {
    guard let value = slowFixed(field, decimals: 0) else { return -1000 }
    guard value > -1000, value <= 9999 else {
      flag(field)
      return -1000
    }
    return value
  }

  /// A number in units of 1e-4 whose sign is a letter in the field after it, such as `11.6,W`.
  @inlinable mutating func signedByLetter(_ field: Int, negative: UInt8) -> Int32? {
    guard let value = fixed(field, decimals: 4) else { return nil }
    let letter = character(field &+ 1)
    if letter == 0 { return nil }
    return letter == negative ? 0 &- value : value
  }
}

/// The value of a one-digit hexadecimal identifier, 0 when it is none.
@inlinable @inline(__always) func hexadecimalIdentifier(_ byte: UInt8) -> UInt8 {
  hexadecimalValue(byte) ?? 0
}

/// Ten to the powers 0 to 8.
@usableFromInline let powersOfTen: [9 of UInt64] = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
]
