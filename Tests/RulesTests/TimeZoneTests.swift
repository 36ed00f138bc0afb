import Glibc
import OtherPrograms
import Quantities
import Rules
import SkippedTests
import Testing

func posixZone(_ text: String) -> PosixTimeZone? { PosixTimeZone(Array(text.utf8).span) }

private func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> UTCTime {
  UTCTime(
    date: try #require(CivilDate(year: year, month: month, day: day)),
    microsecondsOfDay: Int64(hour * 60 + minute) * 60_000_000)
}

@Suite struct TimeZoneTests {
  /// All zones of the system and some made ones, random instants to 2099, and the seconds before and after changes.
  @Test func clocksShowWhatThoseOfTheCLibraryShow() throws {
    guard access("/usr/bin/python3", X_OK) == 0 else {
      noteSkipped("there is no /usr/bin/python3; the Debian package python3 has it")
      return
    }
    let folder = String(#filePath[..<(#filePath.lastIndex(of: "/") ?? #filePath.startIndex)])
    let run = try OtherProgram.output(of: ["/usr/bin/python3", "-B", "\(folder)/time_zone_judge.py"])
    #expect(run.status == 0, "\(run.err)")
    var zones: [Substring: PosixTimeZone] = [:]
    var count = 0
    for line in run.out.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let second = Int64(words[1]), let offset = Int32(words[2]) else {
        Issue.record("\(line)")
        continue
      }
      let known = try #require(zones[words[0]] ?? posixZone(String(words[0])), "\(line)")
      zones[words[0]] = known
      let ours = known.offset(at: UTCTime(microseconds: second * 1_000_000))
      #expect(ours == offset, "\(line): \(ours)")
      count += 1
    }
    #expect(count > 5000)
  }

  @Test func whatIsNoZoneIsRefused() {
    for text in [
      "", "CE", "CET", "CET-", "CET-25", "CET-1:60", "CET-1CE", "CET-1CEST,", "CET-1CEST,M3.5.0",
      "CET-1CEST,M3.5.0,M10.5.0/168",
      "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
      "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,100",
      "CET-1CEST,M3.5.0,M10.5.0 ",
      "<+1-1", "<>1", "C3T-1", "CET1CEST-25", "Europe/Berlin", ":CET-1", "ABCDEFGHIJKLMNOPQ1",
    ] { #expect(posixZone(text) == nil, "'\(text)'") }
    for text in [
      "UTC0", "CET-24", "ABC24", "<+03>-3", "CET-1CEST,M3.5.0,M10.5.0/167", "CET-1CEST,J1,J365", "CET-1CEST,0,365",
      "CET-1CEST",
      "CET-1CEST,M12.5.6,M1.1.0/-167", "ABCDEFGHIJKLMNOP1",
    ] { #expect(posixZone(text) != nil, "'\(text)'") }
  }

  @Test func aZoneThatIsAlwaysInSummerIs() throws {
    let zone = try #require(posixZone("XXX3EDT4,0/0,J365/23"))
    for month in 1...12 { #expect(zone.offset(at: try utc(2027, month, 1, 0)) == -4 * 3600) }
  }
}

@Suite struct AlarmScheduleTests {
  private func berlin() throws -> PosixTimeZone { try #require(posixZone("CET-1CEST,M3.5.0,M10.5.0/3")) }

  /// What the clock shows, minute by minute, is where the next alarm is found, too.
  @Test func theNextAlarmIsTheNextMinuteAtWhichTheClockShowsIt() throws {
    var random = SplitMix64(seed: 60)
    for text in [
      "CET-1CEST,M3.5.0,M10.5.0/3", "AEST-10AEDT,M10.1.0,M4.1.0/3", "UTC0", "<+0545>-5:45",
      "LHST-10:30LHDT-11,M10.1.0,M4.1.0",
    ] {
      let zone = try #require(posixZone(text))
      for _ in 0..<12 {
        let days = WeekdaySet(rawValue: UInt8(random.next() % 127 + 1))
        let minute = Int(random.next() % 1440)
        let schedule = try #require(AlarmSchedule(.weekdays(days), minute: minute))
        // Not in the nights of the changes, which have a test of their own.
        let start = UTCTime(microseconds: Int64(1_800_000_000 + random.next() % 6_000_000) / 60 * 60_000_000)
        let next = try #require(schedule.next(after: start, in: zone))
        var time = start
        repeat {
          time = time + .seconds(60)
          let (date, second) = zone.local(time)
          let weekday = ((date.daysSince1970 + 3) % 7 + 7) % 7
          if days.contains(WeekdaySet(rawValue: 1 << weekday)), second / 60 == minute { break }
        } while time - start < .seconds(9 * 86_400)
        #expect(time == next, "\(text) \(minute) \(days.rawValue) \(start)")
      }
    }
  }

  @Test func anAlarmInTheHourThatIsLeftOutRingsWhenTheClockIsPutForward() throws {
    let schedule = try #require(AlarmSchedule(.weekdays(.all), minute: 150))
    // 28 March 2027, 2:30 is not there; 3:00 is 1:00 UTC.
    #expect(schedule.next(after: try utc(2027, 3, 27, 12), in: try berlin()) == (try utc(2027, 3, 28, 1)))
    #expect(schedule.next(after: try utc(2027, 3, 28, 1), in: try berlin()) == (try utc(2027, 3, 29, 0, 30)))
  }

  @Test func anAlarmInTheHourThatComesTwiceRingsOnce() throws {
    let schedule = try #require(AlarmSchedule(.weekdays(.all), minute: 150))
    // 31 October 2027, 2:30 comes at 0:30 and 1:30 UTC.
    #expect(schedule.next(after: try utc(2027, 10, 30, 12), in: try berlin()) == (try utc(2027, 10, 31, 0, 30)))
    #expect(schedule.next(after: try utc(2027, 10, 31, 0, 30), in: try berlin()) == (try utc(2027, 11, 1, 1, 30)))
  }

  @Test func aDateRingsOnceAndMidnightBelongsToItsDay() throws {
    let date = try #require(CivilDate(year: 2027, month: 7, day: 1))
    let schedule = try #require(AlarmSchedule(.date(date), minute: 0))
    let instant = try utc(2027, 6, 30, 22)
    #expect(schedule.next(after: instant + Interval(microseconds: -1), in: try berlin()) == instant)
    #expect(schedule.next(after: instant, in: try berlin()) == nil)
    // 1 July 2027 is a Thursday.
    let thursdays = try #require(AlarmSchedule(.weekdays(WeekdaySet(rawValue: 0b1000)), minute: 0))
    #expect(thursdays.next(after: instant + Interval(microseconds: -1), in: try berlin()) == instant)
    #expect(thursdays.next(after: instant, in: try berlin()) == instant + .seconds(7 * 86_400))
  }

  @Test func whatIsNoTimeOfADayIsRefused() {
    #expect(AlarmSchedule(.weekdays(.all), minute: 1439) != nil && AlarmSchedule(.weekdays(.all), minute: 1440) == nil)
    #expect(AlarmSchedule(.weekdays(.all), minute: -1) == nil && AlarmSchedule(.weekdays([]), minute: 1) == nil)
    #expect(DailyWindow(start: 0, end: 1439) != nil && DailyWindow(start: 1440, end: 0) == nil)
    #expect(DailyWindow(start: 0, end: 1440) == nil && DailyWindow(start: -1, end: 0) == nil)
  }

  @Test func quietHoursGoPastMidnightAndBelongToTheDayOnWhichTheyBegin() throws {
    // Fridays from 22:00 to 6:00; 2 July 2027 is a Friday.
    let window = try #require(DailyWindow(WeekdaySet(rawValue: 0b1_0000), start: 1320, end: 360))
    let zone = try berlin()
    let (start, end) = (try utc(2027, 7, 2, 20), try utc(2027, 7, 3, 4))
    #expect(!window.contains(start + Interval(microseconds: -1), in: zone) && window.contains(start, in: zone))
    #expect(window.contains(end + Interval(microseconds: -1), in: zone) && !window.contains(end, in: zone))
    #expect(!window.contains(try utc(2027, 7, 2, 2), in: zone), "the night before is Thursday's")
    #expect(window.nextChange(after: try utc(2027, 7, 1, 0), in: zone) == start)
    #expect(window.nextChange(after: start, in: zone) == end)
    #expect(window.nextChange(after: end, in: zone) == start + .seconds(7 * 86_400))
    #expect(DailyWindow([], start: 1, end: 2)?.nextChange(after: end, in: zone) == nil)
  }

  /// What changes, changes where it was said to, over the nights of both changes of the year.
  @Test func nothingChangesBeforeTheNextChange() throws {
    let zone = try berlin()
    for (start, end) in [(120, 180), (1320, 150), (150, 150), (0, 1439), (90, 170)] {
      let window = try #require(DailyWindow(WeekdaySet(rawValue: 0b100_0001), start: start, end: end))
      for begin in [try utc(2027, 3, 25, 0), try utc(2027, 10, 28, 0)] {
        var time = begin
        var next = try #require(window.nextChange(after: time, in: zone))
        var isWithin = window.contains(time, in: zone)
        while time < begin + .seconds(6 * 86_400) {
          time = time + .seconds(60)
          if time >= next {
            next = try #require(window.nextChange(after: time, in: zone))
          } else {
            #expect(window.contains(time, in: zone) == isWithin, "\(start) \(end) \(time)")
          }
          isWithin = window.contains(time, in: zone)
        }
      }
    }
  }
}
