import FaultInjection
import Quantities
import Testing
import TrackerRuntime

@testable import SimulatedWorld

/// Rare states, forks from them, and what is chosen next.
@Suite struct ExplorationTests {
  // MARK: Forks

  @Test(
    arguments: [
      ("0:0", 0, 0), ("901.25:7", 901_250_000, 7), ("901.250000:7", 901_250_000, 7),
      ("34560000:1", 34_560_000_000_000, 1),
      ("3.000001:18446744073709551615", 3_000_001, .max),
    ] as [(String, Int64, UInt64)]) func aForkIsWrittenAsItIsRead(_ text: String, _ microseconds: Int64, _ seed: UInt64)
  {
    let fork = LifeFork(text)
    #expect(fork == LifeFork(at: Instant(microseconds: microseconds), seed: seed))
    #expect(fork.flatMap { LifeFork($0.text) } == fork)
  }

  @Test(arguments: [
    "", ":", "1", "1:", ":1", "1:2:3", "-1:2", "+1:2", "1.:2", "1.2345678:2", "1.+2:3", "x:1", "1:-1", "34560001:1",
    "nan:1",
  ])
  func whatIsNoForkIsRefused(_ text: String) { #expect(LifeFork(text) == nil) }

  private static func told(_ scenario: LifeScenario) throws -> (told: [(Instant, [UInt8])], report: LifeReport) {
    let run = try LifeRun(scenario)
    var told: [(Instant, [UInt8])] = []
    run.observer = { time, _, bytes in told.append((time, bytes)) }
    let report = try run.live()
    return (told, report)
  }

  @Test func aForkIsTheSameLifeToItsPointAndAnotherBehindIt() throws {
    let classes = Set(FaultClass.allCases)
    let day = LifeScenario.drawn(LifeTests.theft(), seed: 3, classes: [])
    let point = Instant.seconds(701)
    var seen: Set<UInt64> = []
    for seed in 1...4 as ClosedRange<UInt64> {
      var base = day
      base.plan = LifePlan([
        LifeEvent(.text("ping", .owner), at: .seconds(300)), LifeEvent(.text("ping", .owner), at: .seconds(900)),
      ])
      let fork = base.forked(LifeFork(at: point, seed: seed), classes: classes)
      #expect(fork.plan.events.filter { $0.time <= point } == base.plan.events.filter { $0.time <= point })
      #expect(fork.plan == base.forked(LifeFork(at: point, seed: seed), classes: classes).plan)
      let (before, after) = (try ExplorationTests.told(base), try ExplorationTests.told(fork))
      let mark = before.told.prefix { $0.0 <= point }
      #expect(mark.count >= 3 && after.told.prefix(mark.count).elementsEqual(mark) { $0 == $1 })
      #expect(after.report.broken == [])
      seen.insert(after.report.hash)
    }
    // The scene is too short for faults behind the point: its last hour is without any.
    #expect(seen.count == 1)
    let long = LifeScenario.day(seed: 3, classes: [])
    let middle = Instant.zero + Interval(microseconds: long.length.microseconds / 3)
    let forks = (1...8).map { long.forked(LifeFork(at: middle, seed: $0), classes: classes) }
    for fork in forks {
      #expect(
        fork.plan.events.contains { $0.time > middle && $0.time <= middle + .seconds(120) && $0.fault.kind != nil })
      let last = Instant.zero + long.length - Interval.seconds(3600)
      #expect(fork.plan.events.allSatisfy { $0.time < last })
      #expect(fork.plan.events.allSatisfy { $0.time > middle || long.plan.events.contains($0) })
    }
    #expect(Set(forks.map { "\($0.plan)" }).count == 8)
    #expect(long.forked(LifeFork(at: middle, seed: 1), classes: []).plan.events.allSatisfy { $0.fault.kind == nil })
  }

  @Test func whereTheVehicleStandsInPlaceOfATheftNothingIsTold() throws {
    let theft = LifeScenario(LifeTests.theft(), transport: .http, seed: 1)
    #expect(theft.movingPlaces == [1, 2, 4])
    let still = theft.standing(at: [1, 2, 77])
    #expect(still.length == theft.length && still.movingPlaces == [4])
    let report = try LifeRun(still).live()
    #expect(report.broken == [] && report.alerts == 0 && report.thefts == 0)
  }

  // MARK: States

  private static func cut(_ loss: StoreLoss = .nothing, off: Int = 5, changes: Int? = nil, modem: Bool = false)
    -> LifeFault
  {
    .power(PowerCut(off: .seconds(off), loss: loss, changesBefore: changes, takesModem: modem))
  }

  /// The alert is made at about 701 s, and told again each minute until 780 s.
  @Test(
    arguments: [
      (.cutInAlarm, [LifeEvent(cut(), at: .seconds(705))]),
      (.cutInFlight, [LifeEvent(.outage(.seconds(60)), at: .seconds(690)), LifeEvent(cut(), at: .seconds(720))]),
      (
        .restartWithPackets, [LifeEvent(.outage(.seconds(60)), at: .seconds(690)), LifeEvent(cut(), at: .seconds(720))]
      ),
      (.cutAgain, [LifeEvent(cut(), at: .seconds(300)), LifeEvent(cut(), at: .seconds(320))]),
      (
        .cutOnBadLine,
        [
          LifeEvent(.line(to: .none, from: .rough, lasting: .seconds(60)), at: .seconds(300)),
          LifeEvent(cut(), at: .seconds(320)),
        ]
      ),
      (.cutWhileKeeping, [LifeEvent(cut(.later), at: Instant(microseconds: 700_970_000))]),
      (.tornIsWhole, [LifeEvent(cut(.torn, changes: 0), at: .seconds(701))]),
      (.tornIsPart, [LifeEvent(cut(.torn, changes: 0), at: Instant(microseconds: 700_500_000))]),
      (.alertWithoutServers, [LifeEvent(.outage(.seconds(60)), at: .seconds(690))]),
      (.alertWithoutSecond, [LifeEvent(.server(.refuses, lasting: .seconds(60)), at: .seconds(690))]),
      (.alertWithoutModem, [LifeEvent(cut(off: 2, modem: true), at: .seconds(698))]),
      (.alertInTrouble, [LifeEvent(.sensor(.noFixes, lasting: .seconds(60)), at: .seconds(690))]),
      (.troubleInAlarm, [LifeEvent(.sensor(.noFixes, lasting: .seconds(60)), at: .seconds(705))]),
      (.requestInAlarm, [LifeEvent(.text("ping", .owner), at: .seconds(705))]),
      (
        .requestWhileOff,
        [LifeEvent(cut(off: 60), at: .seconds(300)), LifeEvent(.text("ping", .owner), at: .seconds(320))]
      ),
      (.modemReset, [LifeEvent(.modem(.freeze), at: .seconds(650))]),
      (.sentTwice, [LifeEvent(.mishap(.loseAnswer), at: .seconds(690))]),
    ] as [(RareState, [LifeEvent])]) func aRareStateIsMarkedWhereItIsReachedAndNotElsewhere(
      _ state: RareState, _ events: [LifeEvent]
    ) throws
  {
    let quiet = try LifeRun(LifeScenario(LifeTests.theft(), transport: .http, seed: 3)).live()
    #expect(quiet.states.marks[state] == nil)
    let report = try LifeRun(
      LifeScenario(LifeTests.theft(), plan: LifePlan(events), transport: .http, seed: state == .tornIsWhole ? 1 : 3)
    ).live()
    let mark = try #require(report.states.marks[state], "\(report.states.marks.keys)")
    #expect(mark.count >= 1 && mark.first >= events[0].time && mark.first <= report.end, "\(mark)")
    #expect(report.broken == [] && report.steps > 15_000)
  }

  @Test func aStateThatLastsCountsOnceUntilItIsOver() {
    var marks = RareStateMarks()
    for (second, isThere) in [false, true, true, false, true].enumerated() {
      marks.note(.outboxFull, isThere, at: .seconds(second))
    }
    #expect(marks.marks == [.outboxFull: RareStateMarks.Mark(count: 2, first: .seconds(1))])
  }

  // MARK: Choices

  private static func marks(_ states: [RareState], at second: Int = 100) -> RareStateMarks {
    var marks = RareStateMarks()
    for state in states { marks.note(state, at: .seconds(second)) }
    return marks
  }

  @Test func newSeedsAndForksOfTheRarestStateTakeTurns() {
    var exploration = Exploration(from: 7, leavingOut: [8])
    #expect(exploration.choose() == LifeChoice(seed: 7))
    // Nothing to begin a fork at; 8 is known.
    #expect(exploration.choose() == LifeChoice(seed: 9))
    exploration.note(LifeChoice(seed: 7), ExplorationTests.marks([.sentTwice, .outboxFull]))
    exploration.note(LifeChoice(seed: 9), ExplorationTests.marks([.sentTwice], at: 200))
    #expect(exploration.reached == [.sentTwice: 2, .outboxFull: 1])
    #expect(exploration.firsts == [.sentTwice: LifeChoice(seed: 7), .outboxFull: LifeChoice(seed: 7)])
    #expect(exploration.choose() == LifeChoice(seed: 10))
    let fork = exploration.choose()
    #expect(fork == LifeChoice(seed: 7, forks: [LifeFork(at: .seconds(100), seed: 1)]))
    #expect(fork.words == "--seed 7 --fork 100.000000:1")
    _ = exploration.choose()
    // Both weigh two now; the first in the list is taken, and of its lives the first.
    #expect(exploration.choose() == LifeChoice(seed: 7, forks: [LifeFork(at: .seconds(100), seed: 2)]))
    _ = exploration.choose()
    // The same again would be the third of the first state: the other is rarer.
    #expect(exploration.choose().forks.last?.seed == 3)
  }

  @Test func eachFourthLifeIsADrawnScenario() {
    var exploration = Exploration(from: 7, leavingOut: [8], drawsScenarios: true)
    let words = (0..<7).map { _ in exploration.choose().words }
    #expect(words == ["--seed 7", "--seed 9", "drawn:7", "--seed 10", "--seed 11", "--seed 12", "drawn:8"])
    // Rare states of a scenario count, and are no place to begin a fork at.
    exploration.note(LifeChoice(seed: 7, isScenario: true), ExplorationTests.marks([.stolen]))
    #expect(exploration.reached == [.stolen: 1])
    #expect(exploration.firsts[.stolen]?.words == "drawn:7")
    #expect(exploration.choose() == LifeChoice(seed: 13))
  }

  @Test func forksOfForksEndAndNeverGoBack() {
    var exploration = Exploration(from: 1)
    let deep = LifeChoice(seed: 1, forks: (1...3).map { LifeFork(at: .seconds(10 * $0), seed: UInt64($0)) })
    exploration.note(deep, ExplorationTests.marks([.stolen]))
    // What was reached before the last point is no news of it.
    exploration.note(
      LifeChoice(seed: 2, forks: [LifeFork(at: .seconds(500), seed: 1)]), ExplorationTests.marks([.stolen], at: 499))
    #expect(exploration.reached[.stolen] == 2)
    for seed in 1...6 as ClosedRange<UInt64> { #expect(exploration.choose() == LifeChoice(seed: seed)) }
    exploration.note(
      LifeChoice(seed: 2, forks: [LifeFork(at: .seconds(500), seed: 1)]), ExplorationTests.marks([.stolen], at: 500))
    _ = exploration.choose()
    #expect(exploration.choose().forks.map(\.time) == [.seconds(500), .seconds(500)])
  }
}
