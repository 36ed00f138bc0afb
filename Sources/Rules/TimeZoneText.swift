import Quantities

// The text of a time zone, read.

extension PosixTimeZone {
  /// Reads a text; nil when it is none.
  public init?(_ text: Span<UInt8>) {
    var reader = TimeZoneReader(text.count)
    guard reader.name(text), let standard = reader.offset(text, largestHour: 24) else { return nil }
    if reader.isAtEnd {
      self.init(standardOffset: -standard, daylightOffset: -standard, daylight: nil)
      return
    }
    guard reader.name(text) else { return nil }
    var summer = standard - 3600
    if !reader.isAtEnd, reader.next(text) != 0x2C {
      guard let told = reader.offset(text, largestHour: 24) else { return nil }
      summer = told
    }
    // What most systems do where no rule is told.
    var start = TimeZoneRule(.weekday(month: 3, week: 2, day: 0), secondOfDay: 7200)
    var end = TimeZoneRule(.weekday(month: 11, week: 1, day: 0), secondOfDay: 7200)
    if !reader.isAtEnd {
      guard let first = reader.rule(text), let second = reader.rule(text), reader.isAtEnd else { return nil }
      (start, end) = (first, second)
    }
    self.init(standardOffset: -standard, daylightOffset: -summer, daylight: Daylight(start: start, end: end))
  }
}

private struct TimeZoneReader {
  private var place = 0
  private let end: Int

  init(_ count: Int) { end = count }

  var isAtEnd: Bool { place == end }

  func next(_ text: Span<UInt8>) -> UInt8? { place < end ? text[place] : nil }

  private mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
    guard next(text) == byte else { return false }
    place += 1
    return true
  }

  /// Three letters or more, or what stands between `<` and `>`.
  mutating func name(_ text: Span<UInt8>) -> Bool {
    let isQuoted = take(0x3C, text)
    let start = place
    while let byte = next(text), isNameByte(byte, isQuoted) { place += 1 }
    guard place - start >= 3, place - start <= 16 else { return false }
    return !isQuoted || take(0x3E, text)
  }

  private func isNameByte(_ byte: UInt8, _ isQuoted: Bool) -> Bool {
    let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
    return isLetter || (isQuoted && ((byte >= 0x30 && byte <= 0x39) || byte == 0x2B || byte == 0x2D))
  }

  /// Up to three digits.
  private mutating func number(_ text: Span<UInt8>, largest: Int32) -> Int32? {
    let start = place
    var value: Int32 = 0
    while let byte = next(text), byte >= 0x30, byte <= 0x39, place - start < 3 {
      value = value * 10 + Int32(byte - 0x30)
      place += 1
    }
    guard place > start, value <= largest else { return nil }
    return value
  }

  /// Hours, and minutes and seconds where they are told; in seconds.
  mutating func offset(_ text: Span<UInt8>, largestHour: Int32) -> Int32? {
    let isNegative = take(0x2D, text)
    if !isNegative { _ = take(0x2B, text) }
    guard let hours = number(text, largest: largestHour) else { return nil }
    var seconds = hours * 3600
    if take(0x3A, text) {
      guard let minutes = number(text, largest: 59) else { return nil }
      seconds += minutes * 60
      if take(0x3A, text) {
        guard let rest = number(text, largest: 59) else { return nil }
        seconds += rest
      }
    }
    return isNegative ? -seconds : seconds
  }

  /// A comma and a day, and a time where one is told.
  mutating func rule(_ text: Span<UInt8>) -> TimeZoneRule? {
    guard take(0x2C, text), let day = day(text) else { return nil }
    guard take(0x2F, text) else { return TimeZoneRule(day, secondOfDay: 7200) }
    return offset(text, largestHour: 167).map { TimeZoneRule(day, secondOfDay: $0) }
  }

  private mutating func day(_ text: Span<UInt8>) -> TimeZoneRule.Day? {
    if take(0x4A, text) {
      guard let number = number(text, largest: 365), number >= 1 else { return nil }
      return .julian(number)
    }
    guard take(0x4D, text) else { return number(text, largest: 365).map { .ordinal($0) } }
    guard let month = number(text, largest: 12), month >= 1, take(0x2E, text), let week = number(text, largest: 5),
      week >= 1, take(0x2E, text), let day = number(text, largest: 6)
    else { return nil }
    return .weekday(month: month, week: week, day: day)
  }
}
