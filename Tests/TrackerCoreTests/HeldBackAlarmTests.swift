import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Alarms that wait for a fix, that quiet hours cut short, and that a wrong date would have missed. The clock begins on Monday,
/// 2025-11-24, 16:00:00 UTC.
@Suite struct HeldBackAlarmTests {
  private func bench() throws -> RequestBench { try AlarmTests.bench(zone: "UTC0") }

  /// Labels of the alarms of which a status tells that.
  private func labels(_ bench: RequestBench, _ reason: String = "alarmRang") -> [String] {
    packets(bench.news(), of: "status").filter { $0.contains("\"reason\":\"\(reason)\"") }.compactMap { packet in
      packet.range(of: "\"name\":\"").map { String(packet[$0.upperBound...].prefix { $0 != "\"" }) }
    }
  }

  @Test(arguments: [0, 50, 500]) func aStayThatWantsAFixRingsOnceThereIsOneInsideAndNotBefore(_ place: Int) throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set sure stay 10 inside 1 nofix skip") == "ruleChanged")
    #expect(try bench.ask("alarm 2 set last stay 10 inside 1") == "ruleChanged")
    try bench.stay(300)
    _ = bench.news()
    try bench.wait(900)
    #expect(labels(bench) == ["last"])
    try bench.stay(62, north: Double(place))
    #expect(labels(bench) == (place < 60 ? ["sure"] : []))
    try bench.stay(900, north: Double(place))
    #expect(labels(bench).isEmpty)
  }

  @Test func aStayThatWantsAFixRingsInTimeWithOne() throws {
    let bench = try bench()
    #expect(try bench.ask("fence 1 set \"home\" circle here 60") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set sure stay 10 inside 1 nofix skip") == "ruleChanged")
    try bench.stay(590)
    #expect(labels(bench).isEmpty)
    try bench.stay(70)
    #expect(labels(bench) == ["sure"])
  }

  @Test func theBeginningOfQuietHoursEndsWhatAnAlarmBegan() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 1 set x at 16:03 sound 300") == "ruleChanged")
    #expect(try bench.ask("alarm 9 set night quiet from 16:04 to 16:06 daily") == "ruleChanged")
    try bench.wait(239 - bench.second)
    #expect(bench.sounds == ["pulse 300.0"])
    try bench.wait(1)
    #expect(bench.sounds == ["pulse 300.0", "steady 0.0"])
    // Once.
    try bench.wait(600)
    #expect(bench.sounds.count == 2)
  }

  @Test func quietHoursThatBeginByRequestEndItAtOnceAndWhatIsOverIsLeftAlone() throws {
    for (sound, isHushed) in [(300, true), (20, false)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 16:03 sound \(sound)") == "ruleChanged")
      try bench.wait(210 - bench.second)
      #expect(bench.sounds.count == 1)
      #expect(try bench.ask("alarm 9 set night quiet") == "ruleChanged")
      #expect(bench.sounds.count == (isHushed ? 2 : 1), "\(sound)")
    }
  }

  @Test func whatTheOwnerWantsToHearGoesOnInQuietHours() throws {
    let bench = try bench()
    #expect(try bench.ask("alarm 9 set night quiet from 16:04 to 16:06 daily") == "ruleChanged")
    try bench.wait(200 - bench.second)
    _ = try bench.ask("buzzer 90")
    #expect(bench.sounds.count == 1)
    try bench.wait(300)
    #expect(bench.sounds.count == 1)
  }

  @Test func aDateThatIsADayAheadMissesNothing() throws {
    for (jump, isMissed) in [(86_390, true), (86_399, false), (86_400, false), (86_401, false)] {
      let bench = try bench()
      #expect(try bench.ask("alarm 1 set x at 18:20") == "ruleChanged")
      try bench.stay(98)
      bench.clockIsAhead = jump
      try bench.fix(north: 0)
      bench.clockIsAhead = 0
      try bench.fix(north: 0)
      #expect(labels(bench, "alarmMissed") == (isMissed ? ["x"] : []), "\(jump) s")
      try bench.wait(8400 - bench.second)
      #expect(labels(bench) == ["x"], "\(jump) s")
    }
  }
}
