import Glibc

/// What a field of text turned out to be.
enum ScannedNumber {
  case value(Double)
  case notFinite
  case empty
  case unreadable
}

private let exactPowersOfTen: InlineArray<23, Double> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]

/// Reads a decimal number that fills the bytes from `start` to `end`, correctly rounded; spaces around it are allowed.
///
/// Up to 2^53 and 22 places, one multiplication or division of exact numbers is correctly rounded (Clinger's fast
/// path); everything else goes to the C library.
@inline(__always)
func scanNumber(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> ScannedNumber {
  var place = start
  guard place < end else { return .empty }
  var isNegative = false
  if place.pointee == 0x2D {
    isNegative = true
    place += 1
  }
  var mantissa: UInt64 = 0
  let digitsStart = place
  while place < end {
    let digit = place.pointee &- 0x30
    guard digit < 10 else { break }
    mantissa = mantissa &* 10 &+ UInt64(digit)
    place += 1
  }
  var digitCount = place - digitsStart
  var decimals = 0
  if place < end, place.pointee == 0x2E {
    place += 1
    let fractionStart = place
    while place < end {
      let digit = place.pointee &- 0x30
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      place += 1
    }
    decimals = place - fractionStart
    digitCount += decimals
  }
  guard place == end, digitCount > 0, digitCount <= 19, mantissa <= 1 << 53 else {
    return scanUnusualNumber(from: start, to: end)
  }
  // At most 19 decimals: the power is exact.
  let value = Double(mantissa) / exactPowersOfTen[decimals]
  return .value(isNegative ? -value : value)
}

/// The slow path: spaces, signs, exponents, many digits, NaN and infinity.
@inline(never)
private func scanUnusualNumber(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> ScannedNumber {
  var first = start
  var last = end
  while first < last, first.pointee == 0x20 || first.pointee == 0x09 { first += 1 }
  while first < last, last[-1] == 0x20 || last[-1] == 0x09 { last -= 1 }
  if last - first >= 2, first.pointee == 0x22, last[-1] == 0x22 {
    first += 1
    last -= 1
  }
  guard first < last else { return .empty }
  var place = first
  if place.pointee == 0x2D || place.pointee == 0x2B { place += 1 }
  var mantissa: UInt64 = 0
  var significantCount = 0
  var digitCount = 0
  var exponent = 0
  var isFraction = false
  while place < last {
    let byte = place.pointee
    if byte == 0x2E, !isFraction {
      isFraction = true
    } else if byte &- 0x30 < 10 {
      digitCount += 1
      if significantCount > 0 || byte != 0x30 { significantCount += 1 }
      if significantCount <= 19 {
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
        if isFraction { exponent -= 1 }
      }
    } else {
      break
    }
    place += 1
  }
  guard digitCount > 0 else { return isNotANumberName(place, last) ? .notFinite : .unreadable }
  if place < last, place.pointee | 0x20 == 0x65 {
    place += 1
    var exponentIsNegative = false
    if place < last, place.pointee == 0x2D || place.pointee == 0x2B {
      exponentIsNegative = place.pointee == 0x2D
      place += 1
    }
    guard place < last else { return .unreadable }
    var written = 0
    while place < last, place.pointee &- 0x30 < 10 {
      if written < 100_000 { written = written * 10 + Int(place.pointee &- 0x30) }
      place += 1
    }
    exponent += exponentIsNegative ? -written : written
  }
  guard place == last else { return .unreadable }
  if significantCount <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
    let magnitude =
      exponent < 0 ? Double(mantissa) / exactPowersOfTen[-exponent] : Double(mantissa) * exactPowersOfTen[exponent]
    return .value(first.pointee == 0x2D ? -magnitude : magnitude)
  }
  // The syntax is checked, so the C library (C locale) sees nothing but a plain decimal number.
  let value = withUnsafeTemporaryAllocation(of: CChar.self, capacity: last - first + 1) { text in
    for index in 0..<(last - first) { text[index] = CChar(bitPattern: first[index]) }
    text[last - first] = 0
    return text.baseAddress.map { strtod($0, nil) } ?? .nan
  }
  return value.isFinite ? .value(value) : .notFinite
}

private func isNotANumberName(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
  let names: [StaticString] = ["nan", "inf", "infinity", "null", "none", "na", "n/a", "-", "--"]
  let count = end - start
  return names.contains { name in
    guard name.utf8CodeUnitCount == count else { return false }
    for place in 0..<count where start[place] | 0x20 != name.utf8Start[place] | 0x20 { return false }
    return true
  }
}

/// Reads a plain integer that fills the bytes; nil otherwise.
func scanInteger(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int64? {
  var place = start
  var isNegative = false
  if place < end, place.pointee == 0x2D {
    isNegative = true
    place += 1
  }
  guard place < end, end - place <= 18 || (end - place == 19 && place.pointee < 0x39) else { return nil }
  var value: Int64 = 0
  while place < end {
    let digit = place.pointee &- 0x30
    guard digit < 10 else { return nil }
    value = value &* 10 &+ Int64(digit)
    place += 1
  }
  return isNegative ? -value : value
}
