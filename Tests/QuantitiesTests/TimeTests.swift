import Quantities
import Testing

struct TimeTests {
  @Test func everyDayFrom1900To2200MakesTheRoundTripInOrder() throws {
    let first = try #require(CivilDate(year: 1900, month: 1, day: 1))
    #expect(first.daysSince1970 == -25_567)
    var number = first.daysSince1970
    for year in 1900...2200 {
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for month in 1...12 {
        for day in 1...lengths[month - 1] {
          let date = try #require(CivilDate(year: year, month: month, day: day))
          if date.daysSince1970 != number || CivilDate(daysSince1970: number) != date {
            Issue.record("\(year)-\(month)-\(day)")
          }
          number += 1
        }
        #expect(CivilDate(year: year, month: month, day: lengths[month - 1] + 1) == nil)
      }
    }
  }

  @Test func knownDaysHaveTheirNumbers() {
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(CivilDate(year: 2000, month: 2, day: 29)?.daysSince1970 == 11_016)
    #expect(CivilDate(year: 2038, month: 1, day: 19)?.daysSince1970 == 24_855)
  }

  @Test func daysThatDoNotExistAreRefused() {
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2026, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 2026, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2026, month: 4, day: 0) == nil)
    #expect(CivilDate(year: -1, month: 4, day: 1) == nil)
    #expect(CivilDate(year: 10_000, month: 4, day: 1) == nil)
    #expect(CivilDate(year: Int.max, month: Int.max, day: Int.max) == nil)
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
  }

  @Test func utcSplitsIntoDateAndTimeOfDayAlsoBefore1970() throws {
    let time = UTCTime(microseconds: -1)
    #expect(time.date == CivilDate(year: 1969, month: 12, day: 31))
    #expect(time.microsecondsOfDay == 86_399_999_999)
    let date = try #require(CivilDate(year: 2026, month: 7, day: 14))
    let noon = UTCTime(date: date, microsecondsOfDay: 43_200_000_000)
    #expect(noon.microseconds == 1_784_030_400_000_000)
    #expect(noon.date == date && noon.microsecondsOfDay == 43_200_000_000)
    // A leap second runs into the next day.
    #expect(UTCTime(date: date, microsecondsOfDay: 86_400_000_000).date == CivilDate(year: 2026, month: 7, day: 15))
    #expect(noon + .seconds(86_400) - noon == .seconds(86_400))
  }

  @Test func utcAtTheEndsOfItsRangeDoesNotTrap() {
    for microseconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      let time = UTCTime(microseconds: microseconds)
      #expect(time.microsecondsOfDay >= 0 && time.microsecondsOfDay < UTCTime.microsecondsPerDay)
      #expect(time.date.month >= 1 && time.date.month <= 12)
    }
    #expect(CivilDate(daysSince1970: .max) == CivilDate(daysSince1970: 2_000_000_000))
    #expect(UTCTime(date: CivilDate(daysSince1970: .max), microsecondsOfDay: 0).microseconds == .max)
    #expect(UTCTime(date: CivilDate(daysSince1970: .min), microsecondsOfDay: 0).microseconds == .min)
    #expect(UTCTime(date: CivilDate(daysSince1970: 1), microsecondsOfDay: .max).microseconds == .max)
    #expect(UTCTime(microseconds: .max) + .seconds(1) == UTCTime(microseconds: .max))
    #expect(UTCTime(microseconds: .min) - .seconds(1) == UTCTime(microseconds: .min))
  }

  @Test func intervalsAndInstantsSaturate() {
    #expect(Interval.seconds(.max).microseconds == .max)
    #expect(Interval.seconds(.min).microseconds == .min)
    #expect(Interval.milliseconds(.max).microseconds == .max)
    #expect(Interval.milliseconds(.min).microseconds == .min)
    #expect(Interval(microseconds: .max) + .seconds(1) == Interval(microseconds: .max))
    #expect(Interval(microseconds: .min) + .seconds(-1) == Interval(microseconds: .min))
    #expect(Interval(microseconds: .min) - .seconds(1) == Interval(microseconds: .min))
    #expect(Interval.zero - Interval(microseconds: .min) == Interval(microseconds: .max))
    #expect(Instant(microseconds: .max) + .seconds(1) == Instant(microseconds: .max))
    #expect(Instant(microseconds: .min) - .seconds(1) == Instant(microseconds: .min))
    #expect(Instant(microseconds: .max) - Instant(microseconds: .min) == Interval(microseconds: .max))
    #expect(Instant(microseconds: .min) - Instant(microseconds: .max) == Interval(microseconds: .min))
  }

  @Test func instantsAndIntervalsAddUp() {
    let start = Instant.seconds(10)
    let later = start + .milliseconds(1500)
    #expect(later.microseconds == 11_500_000)
    #expect(later - start == .milliseconds(1500))
    #expect(start < later && later > start)
    #expect((later - start).seconds == 1.5)
    #expect((later - start).secondsDouble == 1.5)
    #expect(later.secondsDouble == 11.5)
    #expect(start - Interval.seconds(10) == Instant.zero)
  }
}
