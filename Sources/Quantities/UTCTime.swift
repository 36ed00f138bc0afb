/// A calendar date of the proleptic Gregorian calendar.
@frozen public struct CivilDate: Equatable, BitwiseCopyable, Sendable {
  /// Year, such as 2026.
  public var year: Int32
  /// Month, 1 to 12.
  public var month: UInt8
  /// Day of the month, 1 to 31.
  public var day: UInt8

  /// Makes a date, or nil when there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
    guard day <= CivilDate.dayCount(ofMonth: month, year: year) else { return nil }
    self.year = Int32(year)
    self.month = UInt8(month)
    self.day = UInt8(day)
  }

  /// The date that lies `daysSince1970` days after 1 January 1970; numbers beyond ±2,000,000,000 count as those.
  ///
  /// - Source: our derivation; years are counted from 1 March so that the leap day comes last.
  public init(daysSince1970: Int) {
    let days = min(max(daysSince1970, -2_000_000_000), 2_000_000_000) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    // Below zero there is nothing from here on: small and unsigned numbers divide faster.
    let dayOfEra = UInt32(truncatingIfNeeded: days - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = UInt8(truncatingIfNeeded: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    month = UInt8(truncatingIfNeeded: shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    year = Int32(truncatingIfNeeded: Int(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0))
  }

  /// Days since 1 January 1970.
  public var daysSince1970: Int {
    let shiftedYear = Int(year) - (month <= 2 ? 1 : 0)
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = Int(month) + (month > 2 ? -3 : 9)
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Number of days in a month.
  static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}

/// Coordinated Universal Time in microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
///
/// A leap second 23:59:60 has no number of its own here: it maps to 00:00:00 of the next day, as POSIX does.
@frozen public struct UTCTime: Equatable, Comparable, BitwiseCopyable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  /// The time `microseconds` µs after the start of 1970.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A time from a date and the microseconds since that day's midnight (86,400,000,000 and more run into the next day);
  /// saturating.
  public init(date: CivilDate, microsecondsOfDay: Int64) {
    let (midnight, overflow) = Int64(date.daysSince1970).multipliedReportingOverflow(by: UTCTime.microsecondsPerDay)
    microseconds = saturatingSum(overflow ? (date.year < 1970 ? .min : .max) : midnight, microsecondsOfDay)
  }

  /// The calendar date.
  public var date: CivilDate { CivilDate(daysSince1970: Int(dayNumber)) }

  /// Microseconds since midnight, 0 to 86,399,999,999.
  public var microsecondsOfDay: Int64 {
    let rest = microseconds % UTCTime.microsecondsPerDay
    return rest < 0 ? rest + UTCTime.microsecondsPerDay : rest
  }

  var dayNumber: Int64 {
    let quotient = microseconds / UTCTime.microsecondsPerDay
    return microseconds % UTCTime.microsecondsPerDay < 0 ? quotient - 1 : quotient
  }

  /// Length of a day without leap second, in microseconds.
  public static var microsecondsPerDay: Int64 { 86_400_000_000 }

  /// True when the first time is earlier.
  @inlinable public static func < (a: UTCTime, b: UTCTime) -> Bool { a.microseconds < b.microseconds }

  /// The time `b` later, saturating.
  @inlinable public static func + (a: UTCTime, b: Interval) -> UTCTime {
    UTCTime(microseconds: saturatingSum(a.microseconds, b.microseconds))
  }

  /// The time `b` earlier, saturating.
  @inlinable public static func - (a: UTCTime, b: Interval) -> UTCTime {
    UTCTime(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }

  /// The interval from `b` to `a`, saturating.
  @inlinable public static func - (a: UTCTime, b: UTCTime) -> Interval {
    Interval(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }
}
