public import Quantities

/// Puts dates to times of day: most sentences carry only the time, and RMC or ZDA the date now and then.
@frozen public struct UTCClock: Equatable, BitwiseCopyable, Sendable {
  /// Dates before this one are taken for the work of a receiver whose ten-bit week number has rolled over, and moved on
  /// by 1024 weeks at a time until they are not.
  ///
  /// - Default: nil, no repair: an old recording must keep its date. A device sets the date its firmware was built.
  public var rolloverReference: CivilDate?
  private var dayNumber: Int64
  private var microsecondsOfDay: Int64
  private var isSet: Bool

  /// A clock that does not know the date yet.
  public init(rolloverReference: CivilDate? = nil) {
    self.rolloverReference = rolloverReference
    dayNumber = 0
    microsecondsOfDay = 0
    isSet = false
  }

  /// Forgets the date.
  mutating func forgetDate() { isSet = false }

  /// Takes a date with its time of day and gives the whole time.
  public mutating func set(_ date: CivilDate, microsecondsOfDay: Int64) -> UTCTime {
    var day = Int64(date.daysSince1970)
    if let rolloverReference {
      let earliest = Int64(rolloverReference.daysSince1970)
      while day < earliest { day += 7 * 1024 }
    }
    dayNumber = day
    self.microsecondsOfDay = microsecondsOfDay
    isSet = true
    return time
  }

  /// Takes a time of day without date and gives the whole time; nil while no date is known.
  ///
  /// A time more than half a day before the last one belongs to the next day, more than half a day after it to the day
  /// before: sentences around midnight come in any order.
  public mutating func advance(toMicrosecondsOfDay microseconds: Int64) -> UTCTime? {
    guard isSet else { return nil }
    let halfDay = UTCTime.microsecondsPerDay / 2
    let step = microseconds - microsecondsOfDay
    if step < -halfDay { dayNumber += 1 }
    if step > halfDay { dayNumber -= 1 }
    microsecondsOfDay = microseconds
    return time
  }

  private var time: UTCTime {
    UTCTime(microseconds: dayNumber * UTCTime.microsecondsPerDay + microsecondsOfDay)
  }
}
