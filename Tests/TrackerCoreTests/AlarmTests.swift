import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Alarms by time and place, from the request to the packet and the buzzer. The clock begins on Monday, 2025-11-24, 16:00:00 UTC.
@Suite struct AlarmTests {
  /// A tracker that knows the time, in central Europe.
  private func bench() throws -> RequestBench { try AlarmTests.bench(zone: "CET-1CEST,M3.5.0,M10.5.0/3") }

  /// The same in any zone.
  static func bench(zone: String) throws -> RequestBench {
    let bench = try RequestBench()
    try bench.fix(north: 0)
    #expect(try bench.ask("zone \(zone)") == "ruleChanged")
    _ = bench.news()
    return bench
  }

  /// Uptimes of the alarms that rang.
  private func rung(_ bench: RequestBench) -> [Int] {
    packets(bench.news(), of: "status").filter { $0.contains("\"reason\":\"alarmRang\"") }
      .compactMap { number("uptime", in: $0).map { Int($0) } }
  }

  @Test func anAlarmRingsAtItsTimeOnTheClockOfItsZoneAndSoundsForHalfAMinute() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set \"Feed her\" at 17:05") == "ruleChanged")
    try bench.wait(298)
    #expect(rung(bench).isEmpty && bench.sounds.isEmpty)
    try bench.wait(1)
    let news = bench.news()
    #expect(news.count == 1 && news[0].contains("\"alarm\":{\"number\":1,\"name\":\"Feed her\"}"))
    #expect(news[0].contains("\"reason\":\"alarmRang\"") && news[0].contains("\"uptime\":300.000"))
    #expect(bench.sounds == ["pulse 30.0"])
    // And again a day later, without anything that happens between.
    try bench.wait(86_399)
    #expect(rung(bench).isEmpty)
    try bench.wait(1)
    #expect(bench.sounds.count == 2)
  }

  @Test func itRingsOnItsDaysOrOnItsDateOnce() throws {
    for (days, expected) in [
      ("mon", [0, 7]), ("tue,thu", [1, 3, 8]), ("weekend", [5, 6]), ("weekdays", [0, 1, 2, 3, 4, 7, 8]),
      ("2025-11-26", [2]),
    ] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 17:05 \(days)") == "ruleChanged")
      try bench.wait(9 * 86_400 - 10)
      #expect(rung(bench).map { ($0 - 300) / 86_400 } == expected, "\(days)")
    }
  }

  @Test func anAlarmOfADateThatIsOverIsRefusedWhereTheTimeIsKnown() throws {
    let bench = try bench()
    for (text, answer) in [
      ("at 17:05 2025-11-23", "ruleRefused"), ("at 17:00 2025-11-24", "ruleRefused"),
      ("at 17:01 2025-11-24", "ruleChanged"), ("at 17:00 mon", "ruleChanged"),
      // As one that has rung, of an export.
      ("at 17:05 2025-11-23 disabled", "ruleChanged"),
    ] {
      #expect(try bench.ask("alarm 1 set x \(text)") == answer, "\(text)")
      let isTold = bench.news().last?.contains("\"value\":\"pastDate\"") == true
      #expect(isTold == (answer == "ruleRefused"), "\(text)")
    }
    // Before the time is known it is taken, and does not ring.
    let early = try RequestBench()
    #expect(try early.ask("alarm 1 set x at 17:05 2025-11-23") == "ruleChanged")
    try early.fix(north: 0)
    try early.wait(86_400)
    #expect(rung(early).isEmpty)
  }

  @Test func soundAndSnoozeAreTheAlarmsOwn() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set x at 17:01 sound 90 snooze 5") == "ruleChanged")
    #expect(try bench.ask("snooze") == "ruleRefused", "none has rung")
    try bench.wait(59)
    #expect(bench.sounds == ["pulse 90.0"])
    #expect(try bench.ask("snooze") == "snoozed")
    #expect(bench.sounds.last == "steady 0.0", "silent at once")
    try bench.wait(299)
    #expect(bench.sounds.count == 2)
    try bench.wait(1)
    #expect(bench.sounds.count == 3)
    #expect(try bench.ask("snooze 2") == "snoozed" && bench.ask("hush") == "hushed")
    let count = bench.sounds.count
    try bench.wait(600)
    #expect(bench.sounds.count == count, "hush ends the snooze")
    #expect(try bench.ask("alarm 1 set x at 17:59 sound 0") == "ruleChanged")
    _ = bench.news()
    try bench.wait(3600)
    #expect(bench.sounds.count == count && rung(bench).count == 1, "told, and not heard")
  }

  @Test func anAlarmOfADateCanBeSnoozedAsOthersCan() throws {
    for days in ["2025-11-24", "daily"] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set vet at 17:01 \(days)") == "ruleChanged")
      try bench.wait(59)
      #expect(try bench.ask("snooze 5") == "snoozed")
      _ = bench.news()
      try bench.wait(299)
      #expect(rung(bench).isEmpty, "\(days)")
      try bench.wait(1)
      #expect(rung(bench) == [360] && bench.sounds.last == "pulse 30.0", "\(days)")
      // And over a restart.
      #expect(try bench.ask("snooze 5") == "snoozed")
      let next = try RequestBench(restoring: bench.state, from: bench.second + 10)
      try next.fix(north: 0)
      _ = next.news()
      try next.wait(400)
      #expect(rung(next).count == 1 && next.sounds == ["pulse 30.0"], "\(days)")
      #expect(try next.ask("alarm 1 off") == "ruleChanged" && next.ask("snooze") == "ruleRefused", "what is off")
    }
  }

  @Test func aSnoozeThatWasDueWhileItWasOffIsMissedAndNotRung() throws {
    for (off, isMissed) in [(36 * 3600, true), (330, false)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set vet at 17:01 2025-11-24") == "ruleChanged")
      try bench.wait(59)
      #expect(try bench.ask("snooze 5") == "snoozed")
      _ = bench.news()
      let next = try RequestBench(restoring: bench.state, from: bench.second + off)
      try next.fix(north: 0)
      try next.wait(10)
      let news = packets(next.news(), of: "status")
      #expect(news.contains { $0.contains("alarmMissed") && $0.contains("\"name\":\"vet\"") } == isMissed)
      #expect(next.sounds.isEmpty == isMissed)
      try next.wait(100_000)
      #expect(rung(next).isEmpty && next.sounds.count == (isMissed ? 0 : 1), "once")
    }
  }

  @Test func aSnoozedAlarmIsSilentWhereItWouldNotRing() throws {
    for (rule, place, rings) in [
      ("at 17:02 inside 1", 500, false), ("at 17:02 inside 1", 0, true), ("at 17:02 outside 2", 0, true),
    ] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
      #expect(try bench.ask("fence 2 set \"far\" circle 53.0,4.0 60") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set x \(rule)") == "ruleChanged")
      try bench.stay(150)
      #expect(try rung(bench).count == 1 && bench.ask("snooze 10") == "snoozed", "\(rule)")
      try bench.stay(900, north: Double(place))
      #expect(rung(bench).isEmpty == !rings, "\(rule), \(place) m")
    }
    // One of leaving rings where it is outside.
    for isBack in [false, true] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set went leave inside 1") == "ruleChanged")
      try bench.stay(300)
      try bench.walk(from: 1, to: 400)
      #expect(try rung(bench).count == 1 && bench.ask("snooze 10") == "snoozed")
      try bench.stay(900, north: isBack ? 0 : 400)
      #expect(rung(bench).isEmpty == isBack)
    }
  }

  @Test func aFenceThatAnAlarmDependsOnCannotGo() throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("fence 2 set \"park\" circle here 80") == "ruleChanged")
    #expect(try bench.ask("alarm 200 set x at 17:10 inside 1 nofix ring") == "ruleChanged")
    for text in ["fence 1 delete", "fence clear"] {
      #expect(try bench.ask(text) == "ruleRefused", "\(text)")
      #expect(bench.news().last?.contains("\"value\":\"usedByAlarm 200\"") == true, "\(text)")
    }
    #expect(try bench.ask("fence 2 delete") == "ruleChanged" && bench.ask("fence 9 delete") == "ruleRefused")
    #expect(bench.news().last?.contains("unknownNumber") == true)
    #expect(try bench.ask("alarm 200 delete") == "ruleChanged" && bench.ask("fence 1 delete") == "ruleChanged")
  }

  @Test func theZoneIsToldWhenItIsAskedForAndChangesOnlyToAnother() throws {
    let bench = try bench()
    func value() -> String? {
      guard let last = bench.news().last, let found = last.firstRange(of: "\"value\":\"") else { return nil }
      return String(last[found.upperBound...].prefix { $0 != "\"" })
    }
    for (text, answer, told, zone) in [
      ("zone", "rules", "CET-1CEST,M3.5.0,+", "CET-1CEST,M3.5.0,M10.5.0/3"),
      ("zone CET-1CEST,M3.5.0,M10.5.0/4", "ruleChanged", "CET-1CEST,M3.5.0,+", "CET-1CEST,M3.5.0,M10.5.0/4"),
      ("zone nonsense", "ruleRefused", "badZone", "CET-1CEST,M3.5.0,M10.5.0/4"),
      ("zone <+12345678901234>-12:34:56", "ruleChanged", "<+12345678901234>-+", "<+12345678901234>-12:34:56"),
      ("zone <-03>3,M3.5.0,M9.1", "ruleRefused", "badZone", "<+12345678901234>-12:34:56"),
      ("zone <-03>3", "ruleChanged", "<-03>3", "<-03>3"), ("zone", "rules", "<-03>3", "<-03>3"),
      ("zone UTC", "ruleChanged", "UTC", ""), ("zone", "rules", "UTC", ""), ("zone utc", "ruleChanged", "UTC", ""),
      ("zone UTC0", "ruleChanged", "UTC0", "UTC0"),
    ] {
      #expect(try bench.ask(text) == answer, "\(text)")
      #expect(value() == told, "\(text)")
      let kept = bench.run.look { tracker in
        let zone = tracker.alarmZone
        return zone.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      }
      #expect(kept == zone, "\(text)")
    }
    #expect(Request(text: "zone")?.text == "zone" && Request(text: "zone UTC")?.text == "zone UTC")
  }

  @Test func ofTwoAlarmsThatRingTogetherTheLongerOneIsHeardToItsEnd() throws {
    for (first, second) in [(90, 10), (10, 90)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set a at 17:01 sound \(first)") == "ruleChanged")
      #expect(try bench.ask("alarm 2 set b at 17:01 sound \(second)") == "ruleChanged")
      #expect(try bench.ask("alarm 3 set c at 17:02 sound 20") == "ruleChanged")
      try bench.wait(59)
      #expect(bench.sounds == ["pulse 90.0"] && rung(bench).count == 2)
      try bench.wait(60)
      #expect(bench.sounds.count == 1 && rung(bench).count == 1, "30 s of the longer one are left")
    }
  }

  @Test func elsewhereThanAtItsPlaceItIsSilent() throws {
    for (place, isInside) in [(0, true), (500, false)] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set in at 17:10 inside 1") == "ruleChanged")
      #expect(try bench.ask("alarm 2 set out at 17:10 outside 1") == "ruleChanged")
      #expect(try bench.ask("alarm 3 set everywhere at 17:10") == "ruleChanged")
      try bench.stay(700, north: Double(place))
      let names = packets(bench.news(), of: "status").filter { $0.contains("alarmRang") }
        .map { $0.contains("\"name\":\"in\"") ? 1 : $0.contains("\"name\":\"out\"") ? 2 : 3 }
      #expect(names == (isInside ? [1, 3] : [2, 3]))
    }
  }

  @Test func withoutAFixItDoesWhatItsPolicySays() throws {
    for (policy, wasInside, rings) in [
      ("nofix ring", false, true), ("nofix skip", true, false), ("nofix last", true, true),
      ("nofix last", false, false),
      ("", true, true), ("", false, false),
    ] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set x at 17:10 inside 1 \(policy)") == "ruleChanged")
      try bench.stay(300, north: wasInside ? 0 : 500)
      _ = bench.news()
      try bench.wait(600)
      #expect(rung(bench).isEmpty == !rings, "\(policy), was inside: \(wasInside)")
    }
    // Nobody ever knew where it is: what may matter rings.
    let bench = try RequestBench()
    bench.advanceSecond()
    var fix = GNSSFix(time: .seconds(bench.second))
    fix.mode = .none
    fix.utc = bench.utc
    try bench.run.feed(.fix(fix))
    #expect(try bench.ask("fence 1 set \"home\" circle 52.0,4.0 60") == "ruleChanged")
    for (number, policy) in [(1, "last"), (2, "ring"), (3, "skip")] {
      #expect(try bench.ask("alarm \(number) set x\(number) at 16:10 inside 1 nofix \(policy)") == "ruleChanged")
    }
    try bench.wait(700)
    #expect(rung(bench).count == 2)
  }

  @Test func arrivalDepartureAndStay() throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set came arrive inside 1") == "ruleChanged")
    #expect(try bench.ask("alarm 2 set went leave inside 1") == "ruleChanged")
    #expect(try bench.ask("alarm 3 set stays stay 20 inside 1") == "ruleChanged")
    try bench.stay(300)
    try bench.walk(from: 1, to: 400)
    try bench.walk(from: 399, to: 0)
    let back = bench.second - 60
    let between = packets(bench.news(), of: "status").filter { $0.contains("alarmRang") }
    #expect(between.count == 1 && between[0].contains("\"name\":\"went\""))
    try bench.stay(1500)
    let told = packets(bench.news(), of: "status").filter { $0.contains("alarmRang") }
    try #require(told.count == 2)
    #expect(told[0].contains("\"name\":\"came\"") && told[1].contains("\"name\":\"stays\""))
    let stayed = try #require(number("uptime", in: told[1]))
    #expect(abs(stayed - Double(back + 1200)) < 30)
    try bench.stay(3000)
    #expect(rung(bench).isEmpty, "once for each stay")
  }

  @Test func quietHoursSilenceTheBuzzerAndNothingElse() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 9 set night quiet from 17:04 to 17:06 daily") == "ruleChanged")
    for (number, minute) in [(1, 3), (2, 4), (3, 5), (4, 6)] {
      #expect(try bench.ask("alarm \(number) set x at 17:0\(minute)") == "ruleChanged")
    }
    try bench.wait(500)
    #expect(rung(bench) == [180, 240, 300, 360] && bench.sounds.count == 2)
    #expect(bench.events.filter { $0.contains("alarmRang") }.map { number("sound", in: $0) } == [30, 0, 0, 30])
  }

  @Test func anAlarmThatWasDueWhileItWasOffIsMissedOnceAndNotRung() throws {
    for (off, isMissed) in [(200, true), (98, false)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set \"up\" at 17:03") == "ruleChanged")
      try bench.wait(78)
      _ = bench.news()
      let next = try RequestBench(restoring: bench.state, from: bench.second + off)
      try next.fix(north: 0)
      let news = packets(next.news(), of: "status")
      #expect(news.contains { $0.contains("alarmMissed") && $0.contains("\"name\":\"up\"") } == isMissed)
      #expect(next.sounds.isEmpty)
      try next.wait(10)
      #expect(next.sounds.isEmpty == isMissed, "one that is due soon after rings")
      let third = try RequestBench(restoring: next.state, from: next.second + 10)
      try third.fix(north: 0)
      #expect(!third.news().contains { $0.contains("alarmMissed") && !$0.contains("\"boot\":2") })
    }
  }

  @Test func whatWouldNotHaveRungWhereItWasIsNotMissed() throws {
    for (place, isMissed) in [
      ("", true), ("inside 1", true), ("outside 1", false), ("inside 2", false), ("outside 2", true),
      ("inside 2 nofix last", false), ("inside 1 nofix ring", true),
    ] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set home circle here 60") == "ruleChanged")
      #expect(try bench.ask("fence 2 set far circle 12,34 60") == "ruleChanged")
      try bench.stay(120)
      #expect(try bench.ask("alarm 1 set x at 17:10 \(place)") == "ruleChanged")
      try bench.stay(60)
      _ = bench.news()
      let next = try RequestBench(restoring: bench.state, from: bench.second + 3600)
      try next.fix(north: 0)
      try next.wait(10)
      #expect(told(next) == [0, isMissed ? 1 : 0], "\(place)")
      // A snooze is missed where it would ring as well.
      #expect(try next.ask("alarm 1 set x at 18:20 \(place)") == "ruleChanged")
      try next.stay(1100)
      guard told(next)[0] == 1 else { continue }
      #expect(try next.ask("snooze 5") == "snoozed" && next.ask("fence 1 set home circle 12,34 60") == "ruleChanged")
      let third = try RequestBench(restoring: next.state, from: next.second + 3600)
      try third.fix(north: 0)
      try third.wait(10)
      #expect(told(third)[1] == (place.hasPrefix("inside 1") ? 0 : 1), "\(place), snoozed")
    }
  }

  @Test func whereItWasIsKnownOverARestart() throws {
    for wasInside in [true, false] {
      let bench = try bench()
      #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set x at 17:10 inside 1 nofix last") == "ruleChanged")
      try bench.stay(300, north: wasInside ? 0 : 500)
      let next = try RequestBench(restoring: bench.state, from: bench.second + 10)
      // One fix tells the time, and is too little to tell the place.
      try next.fix(north: wasInside ? 0 : 500)
      _ = next.news()
      try next.wait(400)
      #expect(rung(next).isEmpty == !wasInside)
    }
  }

  @Test func whatWasLeftWhileItWasOffIsToldOnceThatIsConfirmed() throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set went leave inside 1") == "ruleChanged")
    try bench.stay(300)
    let next = try RequestBench(restoring: bench.state, from: bench.second + 1000)
    _ = next.news()
    try next.stay(120, north: 500)
    let news = next.news()
    #expect(packets(news, of: "transition").count == 1 && news.contains { $0.contains("\"entered\":false") })
    #expect(packets(news, of: "status").filter { $0.contains("\"name\":\"went\"") }.count == 1)
    let third = try RequestBench(restoring: next.state, from: next.second + 1000)
    _ = third.news()
    try third.stay(300, north: 500)
    #expect(packets(third.news(), of: "transition").allSatisfy { !$0.contains("\"boot\":3") }, "once")
  }

  @Test func untilTheTimeIsKnownNothingRingsAndThenWhatIsDue() throws {
    let bench = try RequestBench()
    #expect(try bench.ask("alarm 1 set x at 16:10") == "ruleChanged")
    try bench.wait(400)
    #expect(rung(bench).isEmpty)
    try bench.fix(north: 0)
    try bench.wait(198)
    #expect(rung(bench).isEmpty)
    try bench.wait(1)
    #expect(rung(bench) == [600])
  }

  @Test func aClockThatIsSetMakesNothingRingThatLayBetween() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set x at 17:05") == "ruleChanged")
    try bench.wait(70)
    var fix = GNSSFix(time: .seconds(bench.second))
    fix.mode = .none
    // An hour ahead of what it had said.
    fix.utc = bench.utc + .seconds(3600)
    bench.advanceSecond()
    fix.time = .seconds(bench.second)
    try bench.run.feed(.fix(fix))
    #expect(rung(bench).isEmpty)
    try bench.wait(86_400 - 3600 + 302 - bench.second)
    #expect(rung(bench).count == 1)
  }

  /// How often it rang, and how often it was told as missed.
  private func told(_ bench: RequestBench) -> [Int] {
    let news = packets(bench.news(), of: "status")
    return ["alarmRang", "alarmMissed"].map { reason in news.filter { $0.contains("\"reason\":\"\(reason)\"") }.count }
  }

  @Test(arguments: [6, 18, 60, 3600]) func whatIsAheadWhenTheClockIsSetForwardRingsAtItsMinute(_ jump: Int) throws {
    for lead in [0, 1, 20, 40, 58, 61, 119] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 18:20") == "ruleChanged")
      try bench.wait(4800 - jump - lead - 100)
      try bench.stay(98)
      bench.clockIsAhead = jump
      try bench.fix(north: 0)
      if lead > 0 {
        try bench.wait(lead - 1)
        #expect(rung(bench).isEmpty, "\(jump) s, \(lead) s before")
        try bench.wait(1)
      }
      #expect(told(bench) == [1, 0], "\(jump) s, \(lead) s before")
      try bench.stay(150)
      #expect(told(bench) == [0, 0])
    }
  }

  @Test func whatTheClockHasSkippedIsMissedUnlessItIsAMinuteAtMost() throws {
    for (jump, late, expected) in [(50, 1, [1, 0]), (3600, 59, [1, 0]), (3600, 62, [0, 1]), (3600, 3500, [0, 1])] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 18:20") == "ruleChanged")
      try bench.wait(4800 - jump + late - bench.second - 1)
      bench.clockIsAhead = jump
      try bench.fix(north: 0)
      #expect(told(bench) == expected, "\(jump) s, \(late) s after")
      // And the next day as ever.
      try bench.wait(86_400 + 4800 - jump - bench.second)
      #expect(told(bench) == [1, 0], "\(jump) s, \(late) s after")
    }
  }

  @Test func whatRangDoesNotRingAgainWhenTheClockIsSetBackByAMinuteAtMost() throws {
    for (back, after, isAgain) in [(10, 3, false), (58, 3, false), (3600, 3, true), (10, -3, false)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 17:05") == "ruleChanged")
      try bench.wait(299 + after - 1 - bench.second)
      bench.clockIsAhead = -back
      try bench.stay(400)
      try bench.wait(4000)
      #expect(told(bench) == [isAgain ? 2 : 1, 0], "\(back) s back, \(after) s after")
    }
  }

  @Test func aSnoozeLastsAsLongAsWasAskedForWhateverTheClockShows() throws {
    for jump in [-3600, -60, 60, 3600] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 17:01") == "ruleChanged")
      try bench.wait(60 - bench.second)
      #expect(try bench.ask("snooze 5") == "snoozed")
      _ = bench.news()
      bench.clockIsAhead = jump
      try bench.fix(north: 0)
      try bench.wait(298)
      #expect(rung(bench).isEmpty, "\(jump) s")
      try bench.wait(1)
      #expect(rung(bench) == [360], "\(jump) s")
    }
  }

  @Test func whatWasDueAMinuteAgoAtMostRingsThoughADayBeforeItWasMissed() throws {
    for (late, expected) in [(20, [1, 1]), (60, [1, 1]), (62, [0, 1])] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 17:05") == "ruleChanged")
      let next = try RequestBench(restoring: bench.state, from: 2 * 86_400 + 300 + late - 1)
      _ = next.news()
      try next.fix(north: 0)
      #expect(told(next) == expected, "\(late) s")
      try next.wait(80_000)
      #expect(told(next) == [0, 0])
    }
  }

  @Test(arguments: ["alarm 1 on", "alarm 1 set x at 17:01 snooze 5"])
  func whatChangesNothingLeavesASnoozedAlarmAsItIs(_ request: String) throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set x at 17:01 snooze 5") == "ruleChanged")
    try bench.wait(59)
    #expect(try bench.ask("snooze") == "snoozed" && bench.ask(request) == "ruleChanged")
    _ = bench.news()
    try bench.wait(301)
    #expect(rung(bench) == [360])
    #expect(try bench.ask("snooze") == "snoozed" && bench.ask("alarm 1 set y at 17:01 snooze 5") == "ruleChanged")
    try bench.wait(400)
    #expect(rung(bench).isEmpty, "another one is not snoozed")
  }

  @Test func whatChangesNothingDoesNotLetAStayRingTwice() throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("alarm 3 set stays stay 20 inside 1") == "ruleChanged")
    try bench.stay(1500)
    #expect(rung(bench).count == 1)
    #expect(try bench.ask("alarm 3 set stays stay 20 inside 1") == "ruleChanged")
    try bench.stay(1500)
    #expect(rung(bench).isEmpty)
  }

  @Test func anAlarmOfADateThatIsOverIsNotSwitchedOn() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set vet at 17:01 2025-11-24") == "ruleChanged")
    #expect(try bench.ask("alarm 1 off") == "ruleChanged" && bench.ask("alarm 1 on") == "ruleChanged")
    try bench.wait(120)
    _ = bench.news()
    #expect(try bench.ask("alarm 1 on") == "ruleRefused")
    #expect(bench.news().last?.contains("\"value\":\"pastDate\"") == true)
  }

  @Test func switchedOffItIsKeptAndSilent() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set x at 17:05") == "ruleChanged" && bench.ask("alarm 1 off") == "ruleChanged")
    try bench.wait(400)
    #expect(rung(bench).isEmpty)
    #expect(try bench.ask("alarm list") == "rules" && bench.news().last?.contains("\"value\":\"1\"") == true)
    #expect(try bench.ask("alarm 1 on") == "ruleChanged" && bench.ask("alarm list") == "rules")
    #expect(bench.news().last?.contains("\"value\":\"1*\"") == true)
    try bench.wait(86_400)
    #expect(rung(bench).count == 1)
    #expect(try bench.ask("alarm 1 delete") == "ruleChanged" && bench.ask("alarm 1 delete") == "ruleRefused")
  }

  @Test func whatIsNoAlarmIsUnreadableOrRefused() throws {
    let bench = try bench()
    for (text, answer) in [
      ("alarm 1 set x at 24:00", "unreadable"), ("alarm 1 set x at 7:30", "unreadable"),
      ("alarm 1 set x at 07:30 someday", "unreadable"), ("alarm 1 set x at 07:30 mon,", "unreadable"),
      ("alarm 1 set x at 07:30 2025-02-29", "unreadable"), ("alarm 1 set x arrive", "unreadable"),
      ("alarm 1 set x arrive outside 1", "unreadable"), ("alarm 1 set x stay 0 inside 1", "unreadable"),
      ("alarm 1 set x stay 1441 inside 1", "unreadable"), ("alarm 1 set x at 07:30 sound 3601", "unreadable"),
      ("alarm 1 set x at 07:30 snooze 121", "unreadable"), ("alarm 1 set x quiet from 22:00", "unreadable"),
      ("alarm 1 set x at 07:30 from 07:00 to 08:00", "unreadable"), ("alarm 1 set x arrive inside 1", "ruleRefused"),
      ("alarm 1 set x at 07:30 sound 30 sound 40", "unreadable"),
      ("alarm 1 set x at 07:30 snooze 5 snooze 5", "unreadable"),
      ("alarm 1 set x at 07:30 disabled disabled", "unreadable"),
      ("alarm 1 set x at 07:30 nofix ring nofix skip", "unreadable"),
      ("alarm 1 set x at 07:30 inside 1 outside 2", "unreadable"),
      ("alarm only 1", "unreadable"), ("alarm only", "unreadable"), ("alarm 0 on", "unreadable"),
      ("zone Mars", "ruleRefused"), ("zone Europe/Berlin", "ruleRefused"),
    ] {
      #expect(try bench.ask(text) == answer, "\(text)")
    }
    for number in 1...6 { #expect(try bench.ask("alarm \(number) set x at 07:30") == "ruleChanged") }
    #expect(try bench.ask("alarm 7 set x at 07:30") == "ruleRefused")
    #expect(bench.news().last?.contains("\"value\":\"tableFull alarms\"") == true)
  }
}
