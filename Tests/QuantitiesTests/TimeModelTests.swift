import Foundation
import Quantities
import Testing

/// Times against arithmetic of twice the width, and calendars against another library.
struct TimeModelTests {
  private static let ends: [Int64] = [
    .min, .min + 1, .min + 999_999, -1 << 62, -9_223_372_036_855, -9_223_372_036_854, -1_000_000, -2, -1, 0, 1, 2, 999,
    1_000_000, 9_223_372_036_854, 9_223_372_036_855, 1 << 62, .max - 999_999, .max - 1, .max,
  ]

  private func saturated(_ value: Int128) -> Int64 { Int64(clamping: value) }

  @Test func everySumAndDifferenceIsExactOrAtItsEnd() {
    for a in Self.ends {
      for b in Self.ends {
        let (sum, difference) = (saturated(Int128(a) + Int128(b)), saturated(Int128(a) - Int128(b)))
        let (i, j) = (Interval(microseconds: a), Interval(microseconds: b))
        #expect((i + j).microseconds == sum && (i - j).microseconds == difference, "\(a) \(b)")
        let (t, u) = (Instant(microseconds: a), Instant(microseconds: b))
        #expect((t + j).microseconds == sum && (t - j).microseconds == difference, "\(a) \(b)")
        #expect((t - u).microseconds == difference, "\(a) \(b)")
        let (v, w) = (UTCTime(microseconds: a), UTCTime(microseconds: b))
        #expect((v + j).microseconds == sum && (v - j).microseconds == difference, "\(a) \(b)")
        #expect((v - w).microseconds == difference, "\(a) \(b)")
        #expect((i < j) == (a < b) && (t < u) == (a < b) && (v < w) == (a < b), "\(a) \(b)")
        #expect((i == j) == (a == b) && (t == u) == (a == b) && (v == w) == (a == b))
      }
      let count = Int(a)
      #expect(Interval.seconds(count).microseconds == saturated(Int128(a) * 1_000_000), "\(a)")
      #expect(Interval.milliseconds(count).microseconds == saturated(Int128(a) * 1000), "\(a)")
      #expect(Instant.seconds(count).microseconds == saturated(Int128(a) * 1_000_000), "\(a)")
      #expect(Instant.milliseconds(count).microseconds == saturated(Int128(a) * 1000), "\(a)")
      #expect(Interval(microseconds: a).secondsDouble == Double(a) / 1e6)
      #expect(Instant(microseconds: a).secondsDouble == Double(a) / 1e6)
      let seconds: Double = Double(a) / 1e6
      let error: Double = Double(Interval(microseconds: a).seconds) - seconds
      #expect(abs(error) <= 2e-7 * abs(seconds))
    }
    #expect(Interval.zero.microseconds == 0 && Instant.zero.microseconds == 0)
    #expect(UTCTime.microsecondsPerDay == 86_400_000_000)
  }

  /// The first of every month of the years 0 to 9999 by counting days, and days of six centuries against Foundation.
  @Test func datesAreThoseOfTheCalendar() throws {
    var number = -719_528
    for year in 0...9999 {
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      for (place, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        let first = CivilDate(daysSince1970: number)
        let last = CivilDate(daysSince1970: number + length - 1)
        let isRight =
          first.year == year && first.month == place + 1 && first.day == 1 && last.month == place + 1
          && last.day == length
          && first.daysSince1970 == number && last.daysSince1970 == number + length - 1
        if !isRight { Issue.record("\(year)-\(place + 1): \(first) to \(last)") }
        number += length
      }
    }
    #expect(number == 2_932_897)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      // From 1600 on Foundation's calendar is the same.
      let day = Int(random.next() % 219_146) - 135_140
      let date = CivilDate(daysSince1970: day)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      #expect(Int(date.year) == parts.year && Int(date.month) == parts.month && Int(date.day) == parts.day)
    }
    // Before the year 0 and after 9999 it goes on, to the ends of what is counted.
    #expect(CivilDate(daysSince1970: -719_529).year == -1 && CivilDate(daysSince1970: -719_529).month == 12)
    for far in [2_000_000_000, -2_000_000_000] {
      let date = CivilDate(daysSince1970: far)
      #expect(date.daysSince1970 == far)
      #expect(CivilDate(daysSince1970: far > 0 ? far + 1 : far - 1) == date)
      #expect(CivilDate(daysSince1970: far > 0 ? far - 1 : far + 1) != date)
      #expect(CivilDate(daysSince1970: far > 0 ? .max : .min) == date)
    }
    #expect(CivilDate(year: 0, month: 1, day: 1)?.daysSince1970 == -719_528)
    #expect(CivilDate(year: 9999, month: 12, day: 31)?.daysSince1970 == 2_932_896)
    #expect(CivilDate(year: 9999, month: 12, day: 32) == nil && CivilDate(year: 0, month: 1, day: 0) == nil)
  }

  @Test func aTimeIsItsDateAndTheRestOfTheDay() throws {
    let day = UTCTime.microsecondsPerDay
    for base in [Int64(-2), -1, 0, 1, 20_000] {
      for rest in [Int64(0), 1, day / 2, day - 1] {
        let time = UTCTime(microseconds: base * day + rest)
        #expect(time.date == CivilDate(daysSince1970: Int(base)) && time.microsecondsOfDay == rest)
        #expect(UTCTime(date: time.date, microsecondsOfDay: rest) == time)
      }
    }
    // 23:59:60 has no number of its own.
    let newYear = try #require(CivilDate(year: 2016, month: 12, day: 31))
    let leap = UTCTime(date: newYear, microsecondsOfDay: 86_400_000_000)
    #expect(leap.microseconds == 1_483_228_800_000_000 && leap.microsecondsOfDay == 0)
    #expect(leap.date == CivilDate(year: 2017, month: 1, day: 1))
    #expect(UTCTime(date: newYear, microsecondsOfDay: -1).date == CivilDate(year: 2016, month: 12, day: 30))
    // The last day that fits, and the first that does not.
    for (days, isWhole) in [(106_751_991, true), (106_751_992, false), (-106_751_991, true), (-106_751_992, false)] {
      let time = UTCTime(date: CivilDate(daysSince1970: days), microsecondsOfDay: 0)
      #expect(isWhole ? time.microseconds == Int64(days) * day : time.microseconds == (days < 0 ? .min : .max))
    }
    let last = CivilDate(daysSince1970: 106_751_991)
    #expect(UTCTime(date: last, microsecondsOfDay: day).microseconds == .max)
    #expect(UTCTime(date: CivilDate(daysSince1970: -106_751_991), microsecondsOfDay: -day).microseconds == .min)
  }
}
