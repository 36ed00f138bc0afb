import Quantities

/// Reads an ISO 8601 date and time with optional fraction and offset, such as `2019-09-20T14:10:03.5+02:00`; a space in
/// place of `T` is allowed, and no offset means UTC. Digits beyond microseconds are cut.
func scanUTC(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> UTCTime? {
  var cursor = TimeCursor(place: start, end: end)
  cursor.skipBlanks()
  guard let year = cursor.digits(4), cursor.skip(0x2D), let month = cursor.digits(2), cursor.skip(0x2D),
    let day = cursor.digits(2), let date = CivilDate(year: year, month: month, day: day)
  else { return nil }
  guard cursor.skip(0x54) || cursor.skip(0x74) || cursor.skip(0x20) else { return nil }
  guard let hour = cursor.digits(2), hour <= 24, cursor.skip(0x3A), let minute = cursor.digits(2), minute < 60 else {
    return nil
  }
  var microseconds = Int64(hour) * 3_600_000_000 + Int64(minute) * 60_000_000
  if cursor.skip(0x3A) {
    guard let second = cursor.digits(2), second <= 60 else { return nil }
    microseconds += Int64(second) * 1_000_000
    if cursor.skip(0x2E) || cursor.skip(0x2C) {
      guard let fraction = cursor.fractionMicroseconds() else { return nil }
      microseconds += fraction
    }
  }
  if cursor.skip(0x5A) || cursor.skip(0x7A) {
  } else if let sign = cursor.sign() {
    guard let offsetHour = cursor.digits(2), offsetHour <= 24 else { return nil }
    _ = cursor.skip(0x3A)
    let offsetMinute = cursor.digits(2) ?? 0
    microseconds -= sign * (Int64(offsetHour) * 3_600_000_000 + Int64(offsetMinute) * 60_000_000)
  }
  cursor.skipBlanks()
  guard cursor.place == end else { return nil }
  return UTCTime(date: date, microsecondsOfDay: microseconds)
}

/// Reads `hhmmss` with an optional fraction as microseconds since midnight.
func scanTimeOfDay(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int64? {
  var cursor = TimeCursor(place: start, end: end)
  guard let hour = cursor.digits(2), hour < 24, let minute = cursor.digits(2), minute < 60,
    let second = cursor.digits(2), second <= 60
  else { return nil }
  var microseconds = Int64(hour) * 3_600_000_000 + Int64(minute) * 60_000_000 + Int64(second) * 1_000_000
  if cursor.skip(0x2E), cursor.place < end {
    guard let fraction = cursor.fractionMicroseconds() else { return nil }
    microseconds += fraction
  }
  return cursor.place == end ? microseconds : nil
}

private struct TimeCursor {
  var place: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  mutating func skipBlanks() {
    while place < end, place.pointee == 0x20 || place.pointee == 0x22 { place += 1 }
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard place < end, place.pointee == byte else { return false }
    place += 1
    return true
  }

  mutating func sign() -> Int64? {
    if skip(0x2B) { return 1 }
    return skip(0x2D) ? -1 : nil
  }

  mutating func digits(_ count: Int) -> Int? {
    guard end - place >= count else { return nil }
    var value = 0
    for offset in 0..<count {
      let digit = place[offset] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    place += count
    return value
  }

  mutating func fractionMicroseconds() -> Int64? {
    var scale: Int64 = 100_000
    var sum: Int64 = 0
    let first = place
    while place < end, place.pointee &- 0x30 < 10 {
      sum += Int64(place.pointee &- 0x30) * scale
      scale /= 10
      place += 1
    }
    return place > first ? sum : nil
  }
}
