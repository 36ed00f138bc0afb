import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Alarms of a tracker whose receiver once says a wrong date. The clock begins on Monday, 2025-11-24, 16:00:00 UTC.
@Suite struct WrongClockTests {
  /// How often it rang, and how often it was told as missed.
  private func told(_ bench: RequestBench) -> [Int] {
    let news = packets(bench.news(), of: "status")
    return ["alarmRang", "alarmMissed"].map { reason in news.filter { $0.contains("\"reason\":\"\(reason)\"") }.count }
  }

  private func bench(_ rule: String) throws -> RequestBench {
    let bench = try RequestBench()
    try bench.fix(north: 0)
    #expect(try bench.ask("alarm 1 set x \(rule)") == "ruleChanged")
    _ = bench.news()
    return bench
  }

  private func restart(_ bench: RequestBench, ahead: Int = 0) throws -> RequestBench {
    let next = try RequestBench(restoring: bench.state, from: bench.second + 5)
    next.clockIsAhead = ahead
    _ = next.news()
    return next
  }

  private static let years = 15 * 365 * 86_400

  @Test(arguments: ["at 16:10", "at 16:10 mon", "at 16:10 2025-11-24"])
  func anAlarmRingsAtItsTimeThoughALifeBeforeKnewADateInTheFuture(_ rule: String) throws {
    for isToldEarly in [true, false] {
      let bench = try bench(rule)
      try bench.stay(10)
      let wrong = try restart(bench, ahead: Self.years)
      // Once its row is kept, which a look after a minute does too.
      try wrong.stay(isToldEarly ? 4 : 130)
      let next = try restart(wrong)
      try next.stay(5)
      #expect(told(next)[0] == 0, "\(rule)")
      try next.wait(599 - next.second)
      #expect(told(next)[0] == 0, "\(rule)")
      try next.wait(1)
      #expect(told(next) == [1, 0] && next.sounds.count == 1, "\(rule)")
      // And then not again before its day.
      let again = try restart(next)
      try again.stay(120)
      #expect(told(again)[0] == 0, "\(rule)")
    }
  }

  @Test(arguments: ["at 16:10", "at 16:10 mon", "at 16:10 2025-11-24"])
  func aSecondOfAWrongDateTakesNoAlarmAway(_ rule: String) throws {
    for ahead in [2 * 86_400, Self.years] {
      let bench = try bench(rule)
      try bench.stay(10)
      bench.clockIsAhead = ahead
      try bench.stay(1)
      bench.clockIsAhead = 0
      try bench.stay(10)
      let missed = told(bench)[1]
      #expect(missed == (rule.contains("2025") ? 1 : 0), "\(rule): of a date it is told as it may be over")
      #expect(bench.run.look { $0.alarmStatus(row: 0)?.isEnabled } == true, "\(rule)")
      try bench.wait(599 - bench.second)
      #expect(told(bench) == [0, 0], "\(rule)")
      try bench.wait(1)
      #expect(told(bench) == [1, 0], "\(rule)")
    }
  }

  @Test func aDateThatIsOverIsToldOnceWhateverTheClockShowsSince() throws {
    let bench = try bench("at 16:10 2025-11-24")
    try bench.wait(900)
    #expect(told(bench) == [1, 0])
    for ahead in [-30 * 365 * 86_400, 0, -3 * 86_400, 0] {
      bench.clockIsAhead = ahead
      try bench.stay(2)
    }
    #expect(told(bench) == [0, 0])
    let next = try restart(bench, ahead: -30 * 365 * 86_400)
    try next.stay(3)
    next.clockIsAhead = 0
    try next.stay(100)
    #expect(told(next) == [0, 0] && next.run.look { $0.alarmStatus(row: 0)?.isEnabled } == false)
  }

  @Test func whoSwitchesAnAlarmOffHasItOffWhateverTheClockShows() throws {
    for isRung in [false, true] {
      let bench = try bench("at 16:10 2025-11-24")
      if isRung { try bench.wait(600) }
      #expect(try bench.ask("alarm 1 off") == "ruleChanged")
      _ = bench.news()
      for ahead in [-86_400, 0, -7200] {
        bench.clockIsAhead = ahead
        try bench.stay(2)
      }
      #expect(bench.run.look { $0.alarmStatus(row: 0)?.isEnabled } == false)
      try bench.wait(86_400)
      #expect(told(bench) == [0, 0])
    }
  }

  @Test func aSnoozeThatWasAskedForInTheFutureIsMissed() throws {
    let bench = try RequestBench()
    bench.clockIsAhead = Self.years
    try bench.fix(north: 0)
    let minute = bench.utc.microsecondsOfDay / 60_000_000 + 1
    let text = "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    #expect(try bench.ask("alarm 1 set x at \(text)") == "ruleChanged")
    try bench.wait(60)
    #expect(try told(bench)[0] == 1 && bench.ask("snooze 5") == "snoozed")
    let next = try restart(bench)
    try next.stay(2)
    #expect(told(next) == [0, 1])
  }
}
