import MotionEvaluation
import Quantities
import Testing
import TrackerCore
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// Nights that are passed over, against the same nights streamed.
@Suite struct NightTests {
  private static func night(
    seed: UInt64, hours: Double, threshold: Float? = nil, _ deeds: [StreetDeed.Kind] = []
  ) -> LifeScenario {
    var scene = EvaluatedScene(name: "night", about: "parked", half: .held)
    scene.scene.seed = seed
    scene.scene.sensor.hertz = [12.5, 25, 50][Int(seed % 3)]
    scene.scene.receiver = StreetReceiver()
    var stand = StreetDeed(.stand)
    stand.set("seconds", 3600 * hours + 12.34 * Double(seed))
    scene.scene.deeds = [stand]
    scene.tellings = [nil]
    for kind in deeds {
      scene.scene.deeds.append(StreetDeed(kind))
      scene.tellings.append(.within(5))
    }
    var after = StreetDeed(.stand)
    after.set("seconds", 120)
    scene.scene.deeds.append(after)
    scene.tellings.append(nil)
    var result = LifeScenario(scene, transport: [.http, .mqtt, .tcp][Int(seed % 3)], seed: seed)
    result.wakeThreshold = threshold
    if seed % 2 == 0 { result.wheel = LifeWheel(metresPerPulse: 2.1) }
    return result
  }

  private static func live(
    _ scenario: LifeScenario, isStreamed: Bool
  ) throws -> (report: LifeReport, told: [(time: Instant, what: String)]) {
    var scenario = scenario
    scenario.passesNights = !isStreamed
    var told: [(Instant, String)] = []
    let run = try LifeRun(scenario, SleepTests.configuration())
    run.observer = { time, output, bytes in
      switch output {
      case .event(let event): told.append((time, "\(event.name)"))
      case .packet(let sequence, let kind):
        told.append((time, "\(sequence) \(kind) \(PacketFields(bytes)?.reason ?? "")"))
      }
    }
    return (try run.live(), told)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func aTrackerTellsTheSameOfANightThatIsPassedOver(_ seed: UInt64)
    throws
  {
    let scenario = NightTests.night(seed: seed, hours: 3.2, [.lift])
    let streamed = try NightTests.live(scenario, isStreamed: true)
    let passed = try NightTests.live(scenario, isStreamed: false)
    // Until the theft, whose first class depends on the noise of its moment, to the last word; streamed, what is due waits for a reading.
    let theft = Instant.zero + .seconds(exactly: scenario.scene.scene.starts[1])
    let (before, after) = (streamed.told.filter { $0.time < theft }, passed.told.filter { $0.time < theft })
    #expect(before.map(\.what) == after.map(\.what) && before.count > 6)
    for (a, b) in zip(before, after) { #expect((a.time - b.time).secondsDouble.magnitude < 0.1, "\(a) and \(b)") }
    let alerts = [streamed, passed].compactMap { life in life.told.first { $0.what == "movement" }?.time }
    #expect(alerts.count == 2 && (alerts[0] - alerts[1]).secondsDouble.magnitude < 0.8, "\(alerts)")
    #expect(streamed.report.broken == [] && passed.report.broken == [])
    #expect(passed.report.wakes == 1 && streamed.report.wakes == 1 && passed.report.alerts >= 1)
    #expect(
      streamed.report.passedOver == 0 && passed.report.passedOver > 0.8 * 3.2 * 3600, "\(passed.report.passedOver)")
    #expect(abs(streamed.report.energy.asleep - passed.report.energy.asleep) < 30)
    #expect(passed.report.energy.asleep >= passed.report.passedOver)
    #expect(abs(streamed.report.energy.microcoulombs / passed.report.energy.microcoulombs - 1) < 0.05)
    #expect(streamed.report.checks[.sleepersWake] == passed.report.checks[.sleepersWake])
    #expect(Double(passed.report.steps) < 0.3 * Double(streamed.report.steps))
  }

  /// With a threshold of four standard deviations of its noise it wakes now and then.
  @Test func noiseWakesATrackerAsOftenAsInAStreamedNight() throws {
    var (streamed, passed) = (0, 0)
    var share = 0.0
    for seed in 1...24 as ClosedRange<UInt64> {
      let scenario = NightTests.night(seed: seed, hours: 5, threshold: 0.21)
      streamed += try NightTests.live(scenario, isStreamed: true).report.wakes
      let report = try NightTests.live(scenario, isStreamed: false).report
      passed += report.wakes
      share += report.passedOver / report.end.secondsDouble / 24
      #expect(report.broken == [])
    }
    #expect(streamed > 60 && share > 0.5, "\(streamed) and \(passed), \(share)")
    // Five standard deviations of the difference.
    let difference = Double(streamed - passed)
    #expect(difference * difference < 25 * Double(streamed + passed), "\(streamed) and \(passed)")
  }

  @Test func nothingIsPassedOverWhileASensorIsAwakeOrOutOfOrder() throws {
    var scenario = NightTests.night(seed: 3, hours: 2)
    #expect(try LifeRun(scenario).live().passedOver == 0)
    let whole = try NightTests.live(scenario, isStreamed: false).report.passedOver
    scenario.plan = LifePlan([
      LifeEvent(.sensor(.halfRate, lasting: .seconds(600)), at: .seconds(3000)),
      LifeEvent(.sensor(.noFixes, lasting: .seconds(600)), at: .seconds(5000)),
    ])
    let less = try NightTests.live(scenario, isStreamed: false).report.passedOver
    #expect((560.0...700).contains(whole - less), "\(whole) and \(less)")
  }

  /// Seed 1 of calm lives, day 78: the time of a tracker with sleeping sensors stood still as long as the sensor was silent.
  @Test func aSilentSensorDoesNotStopTheClock() throws {
    var scenario = NightTests.night(seed: 3, hours: 3)
    let told = try NightTests.live(scenario, isStreamed: false).told.map(\.time)
    scenario.plan = LifePlan([LifeEvent(.sensor(.dropOut, lasting: .seconds(1700)), at: .seconds(3000))])
    for isStreamed in [false, true] {
      let silent = try NightTests.live(scenario, isStreamed: isStreamed)
      #expect(silent.report.broken == [], "\(isStreamed)")
      // A report comes at its time.
      #expect(
        silent.told.contains { $0.time > .seconds(3000) && $0.time < .seconds(4700) }
          == told.contains { $0 > .seconds(3000) && $0 < .seconds(4700) })
    }
  }

  @Test func aNightIsTheSameEachTime() throws {
    let scenario = NightTests.night(seed: 8, hours: 3, threshold: 0.21)
    let once = try NightTests.live(scenario, isStreamed: false).report
    #expect(try NightTests.live(scenario, isStreamed: false).report == once && once.wakes > 0)
  }

  /// The bias of its gyroscope walks by more than rest allows for in a night of which it hears nine seconds an hour.
  @Test func aNightInWhichABiasWalksRaisesNoAlarm() throws {
    let scenario = NightTests.night(seed: 7, hours: 12)
    let report = try NightTests.live(scenario, isStreamed: false).report
    #expect(report.broken == [] && report.alerts == 0)
    #expect(report.passedOver > 11 * 3600)
  }

  /// Seed 2 of calm lives, in its 22nd day: a request woke sensors whose gyroscope had drifted for 14 hours, and each half minute told a turn.
  @Test func aRequestWakesAGyroscopeThatHasDriftedAndNoTurnIsTold() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var scenario = NightTests.night(seed: seed, hours: 15)
      scenario.plan = LifePlan([LifeEvent(.text("track 60 300", .owner), at: .seconds(50_000))])
      let report = try NightTests.live(scenario, isStreamed: false).report
      #expect(report.broken == [] && report.alerts == 0, "\(seed)")
    }
  }

  /// A request that wakes its sensors in the middle of a rest, and one that lets it sound.
  @Test func aRequestInTheMiddleOfARestIsHeardAtItsTime() throws {
    for text in ["track 60 300", "locate", "buzzer 5"] {
      var scenario = NightTests.night(seed: 2, hours: 2)
      scenario.plan = LifePlan([LifeEvent(.text(text, .owner), at: Instant(microseconds: 4_000_123_456))])
      let streamed = try NightTests.live(scenario, isStreamed: true)
      let passed = try NightTests.live(scenario, isStreamed: false)
      #expect(passed.report.broken == [] && passed.report.answers.first?.answer != nil)
      #expect(streamed.told.map(\.what) == passed.told.map(\.what), "\(text)")
      #expect(streamed.report.wakes == passed.report.wakes, "\(text)")
      for (a, b) in zip(streamed.told, passed.told) {
        #expect(a.time - b.time < .milliseconds(700) && b.time - a.time < .milliseconds(700), "\(text): \(a) and \(b)")
      }
    }
  }
}
