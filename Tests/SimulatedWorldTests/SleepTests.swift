import MotionEvaluation
import Quantities
import Testing
import TrackerCore
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// Lives in which sensors sleep.
@Suite struct SleepTests {
  static func configuration(_ sleeps: Bool = true) throws -> RunConfiguration {
    var configuration = RunConfiguration()
    try configuration.set("sensing.sleep", to: "\(sleeps)")
    return configuration
  }

  @Test func aTheftWakesTheTrackerAndIsTold() throws {
    for hertz in [12.5, 25, 50] {
      let scenario = LifeScenario(LifeTests.theft(hertz: hertz), transport: .http, seed: 1)
      let awake = try LifeRun(scenario).live()
      let asleep = try LifeRun(scenario, SleepTests.configuration()).live()
      #expect(asleep.broken == [], "\(hertz)")
      #expect(asleep.thefts == 1 && asleep.delays.count == 1 && asleep.wakes == 1, "\(hertz): \(asleep.wakes)")
      #expect(abs(asleep.delays[0] - awake.delays[0]) < 1, "\(hertz): \(asleep.delays) and \(awake.delays)")
      #expect(asleep.samples < awake.samples && awake.wakes == 0)
    }
  }

  @Test func aRideIsToldFromItsBegin() throws {
    let report = try LifeRun(LifeTests.ride(), SleepTests.configuration()).live()
    #expect(report.broken == [] && report.judgedRides == 1 && report.ridden == 1)
    #expect(report.checks[.sleepersWake] ?? 0 >= 1)
  }

  /// Half an hour of a day is lived awake, and all the rest asleep.
  @Test func asleepItTakesATenthOfTheCharge() throws {
    var scene = EvaluatedScene(name: "night", about: "parked", half: .held)
    scene.scene.sensor.hertz = 12.5
    scene.scene.receiver = StreetReceiver()
    var deed = StreetDeed(.stand)
    deed.set("seconds", 4 * 3600)
    scene.scene.deeds = [deed]
    scene.tellings = [nil]
    let scenario = LifeScenario(scene, transport: .http, seed: 1)
    let awake = try LifeRun(scenario).live()
    let asleep = try LifeRun(scenario, SleepTests.configuration()).live()
    #expect(asleep.broken == [] && awake.broken == [])
    #expect(10 * asleep.energy.microcoulombs < awake.energy.microcoulombs, "\(asleep.energy.charges)")
    // Each hour it is heard, and a position is told that is no older than a minute.
    #expect(asleep.checks[.sleepersWake] == 3 || asleep.checks[.sleepersWake] == 4, "\(asleep.checks)")
    let (receiver, single) = (asleep.energy.charges[.receiver] ?? 0, asleep.energy.charges[.singleFix] ?? 0)
    #expect(receiver > 0 && single > 0 && single < receiver)
    #expect(abs(asleep.energy.seconds - asleep.end.secondsDouble) < 0.001)
  }

  @Test func theLedgerIsTimeByCurrentAndEvents() {
    var currents = PartCurrents()
    currents.receiver = 100
    currents.inertial = 10
    currents.processorAsleep = 1
    currents.processor = 1000
    currents.selfDischarge = 0
    currents.capacity = 1
    currents.usable = 0.5
    var energy = LifeEnergy(currents)
    energy.go(.receiverOff, .watching, at: .seconds(10))
    energy.work(0.5)
    energy.goOff(at: .seconds(20))
    energy.book(at: .seconds(100))
    #expect(energy.charges[.receiver] == 1000 && energy.charges[.inertial] == 100)
    #expect(energy.charges[.receiverOff] == 150 && energy.charges[.watching] == 100)
    #expect(energy.charges[.processorAsleep] == 20 && energy.charges[.processor] == 500)
    #expect(energy.charges[.selfDischarge] == 0 && energy.seconds == 100)
    // 1870 µC in 100 s are 18.7 µA; 0.5 mAh last 26.7 h, less what the modem takes.
    let days = energy.days(withModem: 0) ?? 0
    #expect(abs(days - 500 / 18.7 / 24) < 1e-6)
    #expect(abs((energy.days(withModem: 1870) ?? 0) - days / 2) < 1e-6)
  }

  @Test func aSensorThatIsNotWokenInTimeIsABrokenPromise() {
    let watching = SensingPlan(inertial: .watching)
    func broken(_ body: (LifeChecker) -> Void) -> [LifePromise] {
      let checker = LifeChecker()
      checker.noteSensing(watching, deadline: .seconds(3600), at: .seconds(100))
      body(checker)
      return checker.broken.map(\.promise)
    }
    #expect(broken { $0.noteSensing(SensingPlan(), deadline: .seconds(3600), at: .seconds(3700)) } == [])
    #expect(
      broken {
        $0.noteSensing(watching, deadline: .seconds(3600), at: .seconds(3000))
        $0.noteSensing(SensingPlan(), deadline: .seconds(3600), at: .seconds(3701))
      } == [.sleepersWake])
    #expect(broken { for second in 100...9000 { $0.noteTime(.seconds(second)) } } == [.sleepersWake])
    // What it felt woke it, and it went to sleep again by itself: its hour counts from the last reading.
    #expect(
      broken {
        $0.noteHeard(at: .seconds(111))
        $0.noteTime(.seconds(3711))
      } == [])
    #expect(
      broken {
        $0.noteHeard(at: .seconds(111))
        $0.noteTime(Instant(microseconds: 3_711_000_001))
      } == [.sleepersWake])
    #expect(broken { $0.noteHeard(at: .seconds(3701)) } == [.sleepersWake])
    #expect(
      broken {
        $0.noteCut(at: .seconds(200))
        $0.noteTime(.seconds(9000))
      } == [])
  }
}
