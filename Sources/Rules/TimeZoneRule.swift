public import Quantities

/// A day and a time of the year at which a zone changes its offset.
@frozen public struct TimeZoneRule: Equatable, BitwiseCopyable, Sendable {
  /// How the day is given.
  public enum Day: Equatable, BitwiseCopyable, Sendable {
    /// Day 1 to 365; 29 February is not counted.
    case julian(Int32)
    /// Day 0 to 365; 29 February is counted.
    case ordinal(Int32)
    /// Weekday (0 is Sunday) of a week (1 to 5, 5 is the last) of a month.
    case weekday(month: Int32, week: Int32, day: Int32)
  }

  /// The day.
  public var day: Day
  /// Seconds after midnight of that day, on the clock as it stands before; −167 to 167 hours.
  public var secondOfDay: Int32

  /// A rule.
  public init(_ day: Day, secondOfDay: Int32) {
    self.day = day
    self.secondOfDay = secondOfDay
  }

  /// Days since 1 January 1970 of the rule's day in a year.
  func dayNumber(year: Int) -> Int {
    let first = daysOfYear(year)
    switch day {
    case .julian(let number):
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      return first + Int(number) - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .ordinal(let number): return first + Int(number)
    case .weekday(let month, let week, let weekday):
      guard let start = CivilDate(year: year, month: Int(month), day: 1)?.daysSince1970 else { return first }
      // 1 January 1970 was a Thursday.
      let ahead = ((Int(weekday) - (start + 4)) % 7 + 7) % 7
      var found = start + ahead + 7 * (Int(week) - 1)
      let next =
        month == 12
        ? daysOfYear(year + 1) : CivilDate(year: year, month: Int(month) + 1, day: 1)?.daysSince1970 ?? found + 1
      while found >= next { found -= 7 }
      return found
    }
  }
}

private func daysOfYear(_ year: Int) -> Int { CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0 }

/// A time zone as POSIX writes it in `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`: no table of the past, and none of names.
///
/// - Source: POSIX.1-2017, Base Definitions, section 8.3; times of rules from −167 to 167 hours as RFC 8536, section 3.3.1.
public struct PosixTimeZone: Equatable, BitwiseCopyable, Sendable {
  /// Seconds to be added to UTC.
  public private(set) var standardOffset: Int32 = 0
  /// Seconds to be added to UTC in summer.
  public private(set) var daylightOffset: Int32 = 0
  /// When summer begins and ends; nil when there is none.
  public private(set) var daylight: Daylight?

  /// When summer begins and ends.
  public struct Daylight: Equatable, BitwiseCopyable, Sendable {
    /// On the clock of winter.
    public var start: TimeZoneRule
    /// On the clock of summer.
    public var end: TimeZoneRule
  }

  /// UTC.
  public init() {}

  init(standardOffset: Int32, daylightOffset: Int32, daylight: Daylight?) {
    self.standardOffset = standardOffset
    self.daylightOffset = daylightOffset
    self.daylight = daylight
  }

  /// Seconds to be added to UTC at an instant.
  public func offset(at time: UTCTime) -> Int32 {
    guard daylight != nil else { return standardOffset }
    let seconds = floorSeconds(time)
    var latest = Int64.min
    var offset = standardOffset
    for year in years(about: seconds) {
      for turn in 0..<2 {
        let isStart = turn == 1
        let change = change(isStart: isStart, year: year)
        // Where summer ends and begins in the same second, there is no winter.
        if change <= seconds, change >= latest {
          latest = change
          offset = isStart ? daylightOffset : standardOffset
        }
      }
    }
    return offset
  }

  /// Date and second of the day on the clock there.
  public func local(_ time: UTCTime) -> (date: CivilDate, secondOfDay: Int) {
    let seconds = floorSeconds(time) + Int64(offset(at: time))
    let day = floorDivide(seconds, 86_400)
    return (CivilDate(daysSince1970: Int(day)), Int(seconds - day * 86_400))
  }

  /// When the clock there shows a time of a day: of a time that comes twice the first, and for one that is left out the instant at which
  /// the clock is put forward.
  ///
  /// - Parameters:
  ///   - day: Days since 1 January 1970.
  ///   - secondOfDay: 0 to 86,400.
  public func instant(day: Int, secondOfDay: Int) -> UTCTime {
    let shown = Int64(day) * 86_400 + Int64(secondOfDay)
    let first = shown - Int64(max(standardOffset, daylightOffset))
    let second = shown - Int64(min(standardOffset, daylightOffset))
    for turn in 0..<2 {
      let candidate = turn == 0 ? first : second
      let time = UTCTime(microseconds: candidate * 1_000_000)
      if candidate + Int64(offset(at: time)) == shown { return time }
    }
    for year in years(about: first) {
      for turn in 0..<2 {
        let isStart = turn == 0
        let change = change(isStart: isStart, year: year)
        if change > first, change <= second { return UTCTime(microseconds: change * 1_000_000) }
      }
    }
    return UTCTime(microseconds: second * 1_000_000)
  }

  private func change(isStart: Bool, year: Int) -> Int64 {
    guard let daylight else { return .max }
    let rule = isStart ? daylight.start : daylight.end
    let before = isStart ? standardOffset : daylightOffset
    return Int64(rule.dayNumber(year: year)) * 86_400 + Int64(rule.secondOfDay) - Int64(before)
  }

  /// The year of a time and those beside it, from which a change may reach into it.
  private func years(about seconds: Int64) -> ClosedRange<Int> {
    let year = Int(CivilDate(daysSince1970: Int(floorDivide(seconds, 86_400))).year)
    let middle = min(max(year, 1), 9997)
    return middle - 1...middle + 1
  }
}

func floorSeconds(_ time: UTCTime) -> Int64 { floorDivide(time.microseconds, 1_000_000) }

func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
  let quotient = a / b
  return a % b < 0 ? quotient - 1 : quotient
}
