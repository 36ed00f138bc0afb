public import Quantities

/// Days of the week: Monday is bit 0, Sunday bit 6.
@frozen public struct WeekdaySet: OptionSet, Equatable, BitwiseCopyable, Sendable {
  /// The bits.
  public var rawValue: UInt8
  /// Days by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }
  /// All seven.
  public static var all: WeekdaySet { WeekdaySet(rawValue: 0x7F) }

  /// True when the day, counted from 1 January 1970, is one of them.
  func holds(day: Int) -> Bool { rawValue >> UInt8(((day + 3) % 7 + 7) % 7) & 1 == 1 }
}

/// A time of the day on one date or on days of the week, on the clock of a zone.
///
/// An alarm in the hour that is left out rings when the clock is put forward; one in the hour that comes twice rings once.
public struct AlarmSchedule: Equatable, BitwiseCopyable, Sendable {
  /// On which days.
  public enum Days: Equatable, BitwiseCopyable, Sendable {
    /// Once.
    case date(CivilDate)
    /// Every week.
    case weekdays(WeekdaySet)
  }

  /// On which days.
  public var days: Days
  /// Minute of the day, 0 to 1439.
  public private(set) var minute: Int32

  /// A schedule; nil for a minute that no day has, and without a day.
  public init?(_ days: Days, minute: Int) {
    guard minute >= 0, minute < 1440, days != .weekdays([]) else { return nil }
    self.days = days
    self.minute = Int32(minute)
  }

  /// The next instant after a time; nil when there is none.
  public func next(after time: UTCTime, in zone: PosixTimeZone) -> UTCTime? {
    switch days {
    case .date(let date):
      let instant = zone.instant(day: date.daysSince1970, secondOfDay: Int(minute) * 60)
      return instant > time ? instant : nil
    case .weekdays(let set):
      let today = zone.local(time).date.daysSince1970
      for day in today - 1...today + 8 where set.holds(day: day) {
        let instant = zone.instant(day: day, secondOfDay: Int(minute) * 60)
        if instant > time { return instant }
      }
      return nil
    }
  }
}

/// From one time of the day to another, on days of the week, on the clock of a zone: quiet hours. One that ends before it begins goes on past
/// midnight, and belongs to the day on which it begins; one that ends when it begins lasts a day.
public struct DailyWindow: Equatable, BitwiseCopyable, Sendable {
  /// The days on which it begins.
  public var days: WeekdaySet
  /// Minute of the day from which on, 0 to 1439.
  public private(set) var start: Int32
  /// Minute of the day until which, 0 to 1439; that minute is not within.
  public private(set) var end: Int32

  /// A window; nil for minutes that no day has.
  public init?(_ days: WeekdaySet = .all, start: Int, end: Int) {
    guard start >= 0, start < 1440, end >= 0, end < 1440 else { return nil }
    self.days = days
    self.start = Int32(start)
    self.end = Int32(end)
  }

  /// True when a time is within.
  public func contains(_ time: UTCTime, in zone: PosixTimeZone) -> Bool {
    let today = zone.local(time).date.daysSince1970
    for day in today - 1...today + 1 where days.holds(day: day) {
      if bounds(day, zone, isEnd: false) <= time, time < bounds(day, zone, isEnd: true) { return true }
    }
    return false
  }

  /// The next instant after a time at which `contains` may change; nil for a window without days.
  public func nextChange(after time: UTCTime, in zone: PosixTimeZone) -> UTCTime? {
    let today = zone.local(time).date.daysSince1970
    var earliest: UTCTime?
    for day in today - 2...today + 8 where days.holds(day: day) {
      for turn in 0..<2 {
        let instant = bounds(day, zone, isEnd: turn == 1)
        if instant > time, earliest.map({ instant < $0 }) ?? true { earliest = instant }
      }
    }
    return earliest
  }

  private func bounds(_ day: Int, _ zone: PosixTimeZone, isEnd: Bool) -> UTCTime {
    guard isEnd else { return zone.instant(day: day, secondOfDay: Int(start) * 60) }
    return zone.instant(day: end > start ? day : day + 1, secondOfDay: Int(end) * 60)
  }
}
