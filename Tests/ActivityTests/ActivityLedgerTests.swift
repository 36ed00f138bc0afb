import Activity
import Quantities
import Telemetry
import Testing
import TrackerRuntime

/// A ledger on a clock.
struct LedgerBench {
  var ledger = ActivityLedger()
  var zone = ""
  /// Seconds since 1970.
  var now: Int
  private(set) var notices: [String] = []

  /// 24 November 2025, 00:00 UTC.
  static let monday = 1_763_942_400

  init(at now: Int = monday) { self.now = now }

  mutating func look(knowsTime: Bool = true) {
    let text = Array(zone.utf8)
    let time = Instant.seconds(now - 1_700_000_000)
    ledger.look(at: time, utc: knowsTime ? UTCTime(microseconds: Int64(now) * 1_000_000) : nil, zone: text.span)
    while let notice = ledger.nextNotice() {
      let value = (0..<Int(notice.text.count)).map { notice.text[$0] }
      notices.append("\(notice.reason.name) \(String(decoding: value, as: UTF8.self))")
    }
  }

  /// Minutes, in windows of the meter, of which some are active, the others at rest.
  mutating func live(minutes: Int, active: Int = 0, measured: Int? = nil, steps: Int = 0, knowsTime: Bool = true) {
    var windows = (total: 0, active: 0)
    for minute in 1...max(minutes, 1) where minutes > 0 {
      now += 60
      let wanted = min(minute, measured ?? minute) * 1500 / 32
      while windows.total < wanted {
        windows.total += 1
        let isActive = windows.active < (active * 1500 + 31) / 32
        if isActive { windows.active += 1 }
        ledger.note(
          ActivityWindow(level: isActive ? .active : .rest, steps: isActive ? UInt32(steps) : 0), isCarried: false)
      }
      look(knowsTime: knowsTime)
    }
  }

  mutating func days(_ active: [Int]) { for minutes in active { live(minutes: 1440, active: minutes) } }

  /// What was told since the bench was asked to forget.
  func told(_ reason: String) -> [String] { notices.filter { $0.hasPrefix(reason) } }
  mutating func forgetNotices() { notices = [] }

  var section: [UInt8] {
    var buffer = ByteBuffer()
    ledger.encode(into: &buffer)
    return buffer.bytes
  }
}

/// The days of a pet, and its habit.
@Suite struct ActivityLedgerTests {
  @Test func minutesAndStepsAreThoseOfTheDayUntilMidnight() {
    var bench = LedgerBench()
    bench.live(minutes: 600, active: 90, steps: 512)
    #expect(bench.ledger.today.activeMinutes == 90 && bench.ledger.today.restMinutes == 509)
    #expect(bench.ledger.today.wholeSteps == 2 * ((90 * 1500 + 31) / 32))
    bench.live(minutes: 839)
    #expect(bench.ledger.today.activeMinutes == 90)
    bench.live(minutes: 1)
    #expect(bench.ledger.today.activeMinutes == 0 && bench.ledger.today.wholeSteps == 0)
  }

  @Test func aQuietDayIsToldAtMidnightOnceTheHabitIsKnown() {
    var bench = LedgerBench()
    bench.days([120, 100, 130, 110, 140, 90])
    #expect(bench.ledger.habitMinutes == nil)
    // The seventh day is learnt, and judged by nothing.
    bench.days([20])
    #expect(bench.ledger.habitMinutes == 110 && bench.told("quietDay").isEmpty)
    bench.days([55])
    #expect(bench.told("quietDay").isEmpty, "half of the habit is not less than half")
    #expect(bench.ledger.habitMinutes == 100)
    bench.days([49])
    #expect(bench.told("quietDay") == ["quietDay 49 of 100 min"])
    bench.live(minutes: 600)
    #expect(bench.told("quietDay").count == 1, "once a day")
  }

  @Test func theHabitIsOfFourteenDays() {
    var bench = LedgerBench()
    bench.days(Array(repeating: 200, count: 14))
    #expect(bench.ledger.habitMinutes == 200 && bench.ledger.habitCount == 14)
    bench.days(Array(repeating: 100, count: 7))
    #expect(bench.ledger.habitMinutes == 100 && bench.ledger.habitCount == 14)
    #expect(bench.told("quietDay").isEmpty)
  }

  @Test func aDayWithGapsIsNeitherToldNorLearnt() {
    var bench = LedgerBench()
    bench.days(Array(repeating: 100, count: 7))
    bench.forgetNotices()
    bench.live(minutes: 1440, active: 10, measured: 1151)
    #expect(bench.told("quietDay").isEmpty && bench.ledger.habitCount == 7)
    bench.live(minutes: 1440, active: 10, measured: 1153)
    #expect(bench.told("quietDay") == ["quietDay 10 of 100 min"] && bench.ledger.habitCount == 8)
  }

  @Test func whatACarryingVehicleShakesIsMeasuredAndCountsForNothing() {
    var ledger = ActivityLedger()
    ledger.note(ActivityWindow(level: .active, steps: 512), isCarried: true)
    #expect(ledger.today.measured == 1 && ledger.today.active == 0 && ledger.today.steps == 0)
    ledger.note(ActivityWindow(level: .light, steps: 0), isCarried: false)
    #expect(ledger.today.measured == 2 && ledger.today.active == 0 && ledger.today.resting == 0)
  }

  @Test func midnightIsThatOfTheZoneAndDaysOfChangedClocksAreWhole() throws {
    // Berlin: the clock goes back on 26 October 2025 at 03:00, forward on 29 March 2026 at 02:00.
    for (start, hours) in [(1_761_429_600, 25), (1_774_738_800, 23), (1_761_343_200, 24)] {
      var bench = LedgerBench(at: start)
      bench.zone = "CET-1CEST,M3.5.0,M10.5.0/3"
      bench.look()
      let day = bench.ledger.today.day
      bench.live(minutes: hours * 60 - 1, active: 5)
      #expect(bench.ledger.today.day == day && bench.ledger.today.activeMinutes == 5, "\(hours) hours")
      bench.live(minutes: 1)
      #expect(bench.ledger.today.day == day + 1 && bench.ledger.today.activeMinutes == 0, "\(hours) hours")
      #expect(bench.ledger.habitCount == 1)
      // Eighty percent of that day, and not of another one.
      var part = LedgerBench(at: start)
      part.zone = bench.zone
      part.look()
      part.live(minutes: hours * 60, measured: hours * 48 - 1)
      #expect(part.ledger.habitCount == 0, "\(hours) hours")
      part = LedgerBench(at: start)
      part.zone = bench.zone
      part.look()
      part.live(minutes: hours * 60, measured: hours * 48 + 1)
      #expect(part.ledger.habitCount == 1, "\(hours) hours")
    }
  }

  @Test func beforeTheDateIsKnownMinutesCountForTheFirstDayThatIs() {
    var bench = LedgerBench(at: LedgerBench.monday + 36_000)
    bench.live(minutes: 60, active: 30, knowsTime: false)
    #expect(bench.ledger.today.day == 0 && bench.ledger.today.activeMinutes == 30)
    bench.live(minutes: 1)
    #expect(bench.ledger.today.day > 0 && bench.ledger.today.activeMinutes == 30)
  }

  @Test func aClockThatGoesBackJudgesNothing() {
    var bench = LedgerBench()
    bench.days(Array(repeating: 100, count: 7))
    bench.live(minutes: 1400)
    bench.forgetNotices()
    let day = bench.ledger.today.day
    bench.now -= 3 * 86_400
    bench.ledger = {
      var ledger = ActivityLedger()
      let bytes = bench.section
      ledger.restore(bytes.span)
      return ledger
    }()
    bench.look()
    #expect(bench.ledger.today.day == day - 3 && bench.ledger.today.activeMinutes == 0)
    #expect(bench.told("quietDay").isEmpty && bench.ledger.habitCount == 7)
  }

  @Test func reportsComeHourlyIfSomethingHasChangedAndAtTheEndOfTheDay() {
    var bench = LedgerBench()
    bench.look()
    bench.live(minutes: 59, active: 20, steps: 256)
    #expect(bench.told("activity").isEmpty)
    bench.live(minutes: 1)
    #expect(bench.told("activity") == ["activity 938 20 39"])
    bench.forgetNotices()
    bench.live(minutes: 600)
    #expect(bench.told("activity").isEmpty, "rest alone is not told")
    bench.live(minutes: 770)
    bench.live(minutes: 5, active: 5)
    #expect(bench.told("activity").isEmpty)
    bench.live(minutes: 5)
    #expect(bench.told("activity") == ["activity 938 25 1414"])
    // A day on which nothing is done after the evening is told to its end, too, and one of rest alone.
    bench.forgetNotices()
    bench.live(minutes: 600)
    bench.live(minutes: 60, active: 30)
    #expect(bench.told("activity").count == 1)
    bench.live(minutes: 785)
    #expect(bench.told("activity").last == "activity 0 30 1409")
    bench.forgetNotices()
    bench.live(minutes: 1440)
    #expect(bench.told("activity") == ["activity 0 0 1439"])
  }

  @Test func aRestartGoesOnWithTheSameDays() {
    var bench = LedgerBench()
    bench.days([120, 100, 130, 110, 140, 90, 20, 80])
    bench.live(minutes: 300, active: 30, steps: 256)
    var next = LedgerBench(at: bench.now)
    let bytes = bench.section
    next.ledger.restore(bytes.span)
    #expect(next.ledger.today == bench.ledger.today && next.ledger.habitMinutes == bench.ledger.habitMinutes)
    bench.live(minutes: 1140)
    next.live(minutes: 1140)
    #expect(next.section.dropFirst(13) == bench.section.dropFirst(13))
    #expect(bench.told("quietDay") == next.told("quietDay"))
    #expect(bench.ledger.habitCount == 9)
  }

  @Test func aDamagedSectionIsRefusedAndTold() {
    var bench = LedgerBench()
    bench.days([120, 100])
    let bytes = bench.section
    for place in bytes.indices where place > 2 {
      var damaged = bytes
      damaged[place] ^= 0x10
      var next = ActivityLedger()
      next.restore(damaged.span)
      #expect(next.habitCount == 0 && next.today == ActivityDay(), "byte \(place)")
      var told: [StatusReason] = []
      while let notice = next.nextNotice() { told.append(notice.reason) }
      #expect(told == [.stateDamaged], "byte \(place)")
    }
    var whole = ActivityLedger()
    whole.restore(bytes.span)
    #expect(!whole.hasNews && whole.habitCount == 2)
    var none = ActivityLedger()
    let other = Array("no state at all".utf8)
    none.restore(other.span)
    #expect(!none.hasNews && !none.isUsed)
  }

  @Test func aSectionThatSaysWhatCantBeIsRefused() {
    // Active and resting windows without any that were measured; fifteen days of habit.
    for (content, isTaken) in [
      ([0, 0, 0, 0] + [2, 0, 0, 0] + [1, 0, 0, 0] + [1, 0, 0, 0] + Array(repeating: UInt8(0), count: 9), true),
      ([0, 0, 0, 0] + [1, 0, 0, 0] + [1, 0, 0, 0] + [1, 0, 0, 0] + Array(repeating: UInt8(0), count: 9), false),
      (Array(repeating: UInt8(0), count: 24) + [14] + Array(repeating: UInt8(1), count: 28), true),
      (Array(repeating: UInt8(0), count: 24) + [15] + Array(repeating: UInt8(1), count: 30), false),
      (Array(repeating: UInt8(0), count: 25) + [0], false),
    ] as [([UInt8], Bool)] {
      var buffer = ByteBuffer()
      StoredSection(tag: ActivityLedger.sectionTag, version: 1, revision: 3).encode(content.span, into: &buffer)
      var ledger = ActivityLedger()
      ledger.restore(buffer.bytes.span)
      #expect(ledger.isDamaged != isTaken && ledger.isUsed)
    }
  }

  @Test func anotherOwnerFindsNothing() {
    var bench = LedgerBench()
    bench.days(Array(repeating: 100, count: 8))
    bench.ledger.forget()
    #expect(bench.ledger.habitCount == 0 && bench.ledger.today == ActivityDay())
    let isToBeKept = bench.ledger.takeChange()
    #expect(isToBeKept)
  }
}

/// Whether the wearer is in a vehicle.
@Suite struct TravelWatchTests {
  private func carried(_ fixes: [(second: Int, speed: Double?)], at second: Int) -> Bool {
    var watch = TravelWatch()
    for fix in fixes { watch.note(speed: fix.speed, at: .seconds(fix.second)) }
    return watch.isCarried(at: .seconds(second))
  }

  @Test func tenSecondsAboveItsSpeedAreAVehicleAndLessIsASprint() {
    #expect(!carried((0...9).map { ($0, 6) }, at: 9))
    #expect(carried((0...10).map { ($0, 6) }, at: 10))
    #expect(!carried((0...20).map { ($0, 5.9) }, at: 20))
    #expect(!carried((0...20).map { ($0, $0 % 7 == 0 ? 2 : 9) }, at: 20))
    #expect(!carried((0...20).map { ($0, nil) }, at: 20))
  }

  @Test func aStopOfAVehicleIsNoWalk() {
    let ride = (0...20).map { (second: $0, speed: Double?.some(8)) } + (21...140).map { ($0, 0) }
    #expect(carried(ride, at: 110))
    #expect(!carried(ride, at: 111))
  }

  @Test func fixesFarApartAreNoTravel() {
    #expect(carried([(0, 8), (30, 8)], at: 30))
    #expect(!carried([(0, 8), (31, 8)], at: 31))
    #expect(!carried([(0, 8), (12, 8), (11, 8)], at: 200))
  }
}
