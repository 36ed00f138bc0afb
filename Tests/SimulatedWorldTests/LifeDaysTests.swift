import MotionEvaluation
import Quantities
import Testing
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

@Suite struct LifeDaysTests {
  private static let all = Set(FaultClass.allCases)

  @Test(arguments: 1...5 as ClosedRange<UInt64>) func aLongerLifeBeginsAsAShorterOneOfTheSameSeed(_ seed: UInt64) {
    let short = LifeScenario.life(days: 2, seed: seed, classes: LifeDaysTests.all)
    let long = LifeScenario.life(days: 9, seed: seed, classes: LifeDaysTests.all)
    // The last deed of the shorter one is its last night.
    let count = short.scene.scene.deeds.count - 1
    #expect(Array(long.scene.scene.deeds.prefix(count)) == Array(short.scene.scene.deeds.prefix(count)))
    #expect(Array(long.scene.tellings.prefix(count)) == Array(short.scene.tellings.prefix(count)))
    #expect(short.length == .seconds(2 * 86_400) && long.length == .seconds(9 * 86_400))
    #expect(long.transport == short.transport && long.scene.scene.sensor.hertz == short.scene.scene.sensor.hertz)
    let end = Instant.seconds(86_400 + 43_200)
    #expect(long.plan.events.filter { $0.time < end } == short.plan.events.filter { $0.time < end })
    #expect(short.plan.events.allSatisfy { $0.time < .seconds(2 * 86_400 - 3600) })
  }

  @Test func aYearIsALivedYear() {
    let life = LifeScenario.life(days: 365, seed: 11, classes: [])
    let deeds = life.scene.scene.deeds
    #expect(deeds.count { $0.kind == .ride } >= 300)
    #expect(deeds.count { $0.kind.isDisturbance } >= 300)
    let thefts = life.scene.tellings.indices.filter {
      if case .within = life.scene.tellings[$0] { true } else { false }
    }
    #expect(thefts.count >= 30)
    // Each theft is answered, and after whatever came before it the tracker had time to arm itself.
    for place in thefts {
      #expect(deeds[place - 1].kind == .stand && deeds[place - 1].duration >= 1500, "\(place)")
      #expect(deeds[place...].prefix(4).contains { $0.kind == .dismiss }, "\(place)")
    }
    // Whoever rides has stood it up before and says so.
    for (place, deed) in deeds.enumerated() where deed.kind == .ride {
      #expect(deeds[place - 2].kind == .upright && life.scene.tellings[place - 2] == .maybe)
    }
    // Each night of six hours nothing happens.
    for (start, deed) in zip(life.scene.scene.starts, deeds) where deed.kind != .stand {
      #expect((6 * 3600.0..<23 * 3600).contains(start.truncatingRemainder(dividingBy: 86_400)))
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aCalmYearHasEnoughOfEverythingAndIsShort(_ seed: UInt64) {
    let life = LifeScenario.life(days: 365, seed: seed, pace: .calm, classes: LifeDaysTests.all)
    let deeds = life.scene.scene.deeds
    let rides = deeds.filter { $0.kind == .ride }
    #expect((300...400).contains(rides.count), "\(rides.count)")
    #expect(rides.allSatisfy { 120...300 ~= $0["seconds"] })
    #expect(zip(deeds, life.scene.tellings).count { $0.0.kind.isDisturbance && $0.1 == nil } >= 200)
    #expect(life.scene.tellings.contains { if case .within = $0 { true } else { false } })
    var counts: [FaultClass: Int] = [:]
    for event in life.plan.events { if let kind = event.fault.kind { counts[kind, default: 0] += 1 } }
    for kind in FaultClass.allCases where kind != .wheel || life.wheel != nil {
      #expect((20...800).contains(counts[kind] ?? 0), "\(kind)")
    }
    #expect(LifeScenario.sleeps(seed: seed) || life.scene.scene.sensor.hertz == 12.5)
    let short = LifeScenario.life(days: 3, seed: seed, pace: .calm, classes: LifeDaysTests.all)
    let end = Instant.seconds(2 * 86_400 + 43_200)
    #expect(life.plan.events.filter { $0.time < end } == short.plan.events.filter { $0.time < end })
  }

  /// Three weeks with all that can go wrong, asleep at night: nothing that is left broken at their end (S2-11).
  @Test func threeWeeksHaveNoFailureThatIsNotRecoveredFrom() throws {
    let scenario = LifeScenario.life(days: 21, seed: 1, pace: .calm, classes: LifeDaysTests.all)
    var configuration = RunConfiguration()
    configuration.tracker.sensorsSleep = true
    let run = try LifeRun(scenario, configuration)
    var last = Instant.zero
    run.observer = { time, output, _ in if case .packet = output { last = time } }
    let report = try run.live()
    #expect(report.broken == [])
    #expect(report.judgedRides >= 15 && report.thefts >= 1 && report.cuts >= 5 && report.disturbances >= 10)
    for kind in ["modem", "line", "network", "sensors", "servers"] {
      #expect((report.faults[kind] ?? 0) >= 3, "\(kind)")
    }
    #expect((report.checks[.outboxEmpties] ?? 0) == 1 && report.unkept == 0)
    // It lives and reports to the end.
    #expect(report.end - last < .seconds(3700), "\(report.end - last)")
  }

  @Test func threeCalmLivesOfFourSleep() {
    let count = (1...400).count { LifeScenario.sleeps(seed: UInt64($0)) }
    #expect((270...330).contains(count), "\(count)")
  }

  @Test func faultsComeOnEachDayAndSomeLivesAreWithoutAClass() {
    var without: [FaultClass: Int] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      let events = LifeScenario.life(days: 10, seed: seed, classes: LifeDaysTests.all).plan.events
      for kind in FaultClass.allCases {
        let days = Set(events.filter { $0.fault.kind == kind }.map { $0.time.microseconds / 86_400_000_000 })
        if days.isEmpty { without[kind, default: 0] += 1 } else { #expect(days.count >= 9, "\(seed) \(kind)") }
      }
      // No server is away when nothing may go wrong any more.
      for event in events {
        guard case .server(_, let length) = event.fault else { continue }
        #expect(event.time + length <= .seconds(10 * 86_400 - 3600))
      }
      #expect(events.count { $0.fault.kind == nil } >= 19)
    }
    for kind in FaultClass.allCases where kind != .wheel { #expect((2...18).contains(without[kind] ?? 0), "\(kind)") }
    // Half of the vehicles have no wheel sensor.
    #expect((16...34).contains(without[.wheel] ?? 0))
  }

  // MARK: What checkers remember

  private static func packet(_ sequence: UInt32, type: String = "status", _ more: String = "") -> [UInt8] {
    Array("{\"type\":\"\(type)\",\"sequence\":\(sequence)\(more)}".utf8)
  }

  private static func make(_ checker: LifeChecker, _ sequence: UInt32, _ bytes: [UInt8], at time: Instant) {
    guard let fields = PacketFields(bytes) else { return }
    checker.notePacket(sequence, fields, bytes, at: time)
  }

  @Test func whatIsLongAgoIsJudgedAndForgotten() {
    let checker = LifeChecker()
    var most = 0
    // A packet each ten minutes for a month, of which each sixth is a report that is thinned out.
    for number in 1...(30 * 144) as ClosedRange<UInt32> {
      let time = Instant.seconds(600 * Int(number))
      let isThinned = number % 6 == 0
      let bytes = LifeDaysTests.packet(number, type: isThinned ? "location" : "status", ",\"distance\":\(number)")
      LifeDaysTests.make(checker, number, bytes, at: time)
      if !isThinned {
        checker.noteReceived(bytes, at: time + .seconds(1))
        checker.noteReceivedBySecond(bytes, at: time + .seconds(1))
      }
      checker.noteAsked(UInt64(number), isOwner: false, at: time)
      if number % 36 == 0 {
        checker.settle(waiting: [], hasSecond: true, at: time)
        most = max(most, checker.unsettledCount)
      }
    }
    #expect(checker.broken == [] && checker.madeCount == 30 * 144)
    #expect((1...2 * 54 * 6).contains(most), "\(most)")
    // One that was settled can't come any more.
    checker.noteReceived(LifeDaysTests.packet(7, ",\"distance\":7"), at: .seconds(30 * 86_400))
    #expect(checker.broken.map(\.promise) == [.nothingInvented])
  }

  @Test func whatIsLostIsMissedAfterTwoDaysAndWhatWaitsIsNot() {
    let checker = LifeChecker()
    LifeDaysTests.make(checker, 1, LifeDaysTests.packet(1), at: .seconds(0))
    LifeDaysTests.make(checker, 2, LifeDaysTests.packet(2), at: .seconds(0))
    checker.noteReceived(LifeDaysTests.packet(1), at: .seconds(1))
    checker.noteReceivedBySecond(LifeDaysTests.packet(1), at: .seconds(1))
    checker.noteReceived(LifeDaysTests.packet(2), at: .seconds(1))
    checker.settle(waiting: [], hasSecond: true, at: .seconds(2 * 86_400))
    checker.settle(waiting: [2], hasSecond: true, at: .seconds(2 * 86_400 + 1))
    #expect(checker.broken == [])
    checker.settle(waiting: [], hasSecond: true, at: .seconds(2 * 86_400 + 1))
    #expect(checker.broken.map(\.promise) == [.nothingLost] && checker.unsettledCount == 0)
  }

  @Test func aRequestWithoutAnAnswerIsMissedAfterTwoDays() {
    let checker = LifeChecker()
    for number in [1, 2, 3] as [UInt64] { checker.noteAsked(number, isOwner: number != 2, at: .seconds(100)) }
    LifeDaysTests.make(
      checker, 1, LifeDaysTests.packet(1, type: "location", ",\"status\":{\"reason\":\"pong\",\"request\":1}"),
      at: .seconds(200))
    checker.settle(waiting: [], hasSecond: false, at: .seconds(2 * 86_400 + 300))
    #expect(checker.broken.map(\.what) == ["request 3, sent at 100.0 s, has no answer"])
    checker.finish(waiting: [], at: .seconds(3 * 86_400))
    #expect(checker.broken.count == 1)
  }

  @Test func aTheftThatNobodyToldIsJudgedAnHourAfterItsLimit() {
    let checker = LifeChecker()
    var witness = LifeWitness(EvaluatedScene(name: "theft", about: "", half: .held))
    witness.begin(.within(5), .lift, from: .seconds(700), to: .seconds(702))
    witness.settle(at: .seconds(4305), checker: checker)
    #expect(checker.broken == [])
    witness.settle(at: .seconds(4306), checker: checker)
    #expect(checker.broken.map(\.promise) == [.theftTold] && witness.thefts == 1)
    witness.finish(checker: checker)
    #expect(checker.broken.count == 1 && witness.thefts == 1 && witness.delays == [])
  }

  @Test func oneKindOfFaultDoesNotHideTheOthers() {
    let checker = LifeChecker()
    for number in 1...100 { checker.check(.noFalseAlert, false, at: .seconds(number), "") }
    checker.check(.theftTold, false, at: .seconds(200), "")
    #expect(checker.broken.count < 20 && checker.broken.last?.promise == .theftTold)
  }

  @Test func timesOfPacketsAreRead() {
    #expect(PacketFields.milliseconds("1970-01-01T00:00:00.000Z") == 0)
    #expect(PacketFields.milliseconds("2026-06-01T00:00:00.000Z") == 1_780_272_000_000)
    #expect(PacketFields.milliseconds("2028-02-29T23:59:59.999Z") == 1_835_481_599_999)
    #expect(PacketFields.milliseconds("2028-03-01T00:00:00.000Z") == 1_835_481_600_000)
    #expect(PacketFields.milliseconds("2028-13-01T00:00:00.000Z") == nil)
    #expect(PacketFields.milliseconds("2028-03-01 00:00") == nil)
    for (told, broken) in [(1_000_000, false), (1_001_000, false), (1_001_001, true), (998_999, true)]
      as [(Int64, Bool)]
    {
      let checker = LifeChecker()
      checker.noteUTC(told, of: 1, madeAt: .seconds(1000))
      #expect(checker.broken.map(\.promise) == (broken ? [.timeIsTrue] : []))
    }
  }
}
