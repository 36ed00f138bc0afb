import MotionEvaluation
import Quantities
import Testing
import TrackerCore
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// A battery that the world empties and charges, and what its tracker tells of it.
@Suite struct LifeBatteryTests {
  private static func scenario(
    hours: Double, level: Double, capacity: Double = 100, _ events: [LifeEvent] = [],
    change: (inout LifeBattery) -> Void = { _ in }
  ) -> LifeScenario {
    var scene = EvaluatedScene(name: "parked", about: "parked", half: .held)
    scene.scene.sensor.hertz = 12.5
    scene.scene.receiver = StreetReceiver()
    var stand = StreetDeed(.stand)
    stand.set("seconds", 3600 * hours)
    scene.scene.deeds = [stand]
    scene.tellings = [nil]
    var result = LifeScenario(scene, plan: LifePlan(events), transport: .http, seed: 4)
    result.idle = .awake
    var battery = LifeBattery()
    (battery.level, battery.capacity) = (level, capacity)
    change(&battery)
    result.battery = battery
    return result
  }

  private struct Story {
    var report: LifeReport
    /// Reasons of status packets.
    var told: [(time: Instant, reason: String)] = []
    func times(_ reason: String) -> [Double] { told.filter { $0.reason == reason }.map(\.time.secondsDouble) }
  }

  private static func live(_ scenario: LifeScenario, saving: UInt8 = 20, alerts: Bool = true) throws -> Story {
    var configuration = RunConfiguration()
    configuration.tracker.alertsEnabled = alerts
    configuration.tracker.savingLevel = saving
    let run = try LifeRun(scenario, configuration)
    var told: [(Instant, String)] = []
    run.observer = { time, output, bytes in
      if case .packet = output, let reason = PacketFields(bytes)?.reason { told.append((time, reason)) }
    }
    return Story(report: try run.live(), told: told)
  }

  @Test func whatIsDrawnEmptiesItAndAChargerFillsIt() {
    var battery = LifeBattery()
    (battery.capacity, battery.level) = (100, 50)
    // 1 mAh of 50 that can be used.
    battery.pass(to: .seconds(100), drawn: 3.6e6, usable: 0.5)
    #expect(abs(battery.level - 48) < 1e-9 && battery.due == .seconds(160) && !battery.isEmpty)
    #expect(battery.supply == Supply(charge: 48, millivolts: 3813, isCharging: false, isExternal: false))
    // A ledger that begins anew takes nothing back.
    battery.pass(to: .seconds(200), drawn: 0, usable: 0.5)
    #expect(abs(battery.level - 48) < 1e-9)
    battery.isPlugged = true
    battery.pass(to: .seconds(218), drawn: 3.6e6, usable: 0.5)
    #expect(abs(battery.level - 53) < 1e-9 && battery.supply.isCharging == true && battery.supply.isExternal == true)
    battery.pass(to: .seconds(2000), drawn: 3.6e6, usable: 0.5)
    #expect(battery.level == 100 && battery.supply.isCharging == false && battery.supply.millivolts == 4180)
    // A last position must have been told when its charge was so low for three minutes.
    battery.level = 5
    battery.isPlugged = false
    battery.noteRead(limit: 5, at: .seconds(2000))
    #expect(!battery.mustHaveTold(by: .seconds(2179)) && battery.mustHaveTold(by: .seconds(2180)))
    battery.noteRead(limit: nil, at: .seconds(2100))
    battery.noteRead(limit: 5, at: .seconds(2120))
    #expect(!battery.mustHaveTold(by: .seconds(2180)))
    battery.noteRead(limit: 4, at: .seconds(2180))
    battery.noteRead(limit: 0, at: .seconds(2240))
    #expect(!battery.mustHaveTold(by: .seconds(9000)))
    battery.pass(to: .seconds(2001), drawn: 1e9, usable: 0.5)
    #expect(battery.isEmpty && battery.supply.charge == 0 && battery.supply.millivolts == 3300)
  }

  @Test func theLadderOfSavingsIsLivedThroughToItsEndAndBack() throws {
    let story = try LifeBatteryTests.live(
      LifeBatteryTests.scenario(
        hours: 6, level: 24, [LifeEvent(.charger(isOn: true), at: .seconds(4 * 3600))]))
    let report = story.report
    #expect(report.broken == [] && report.cuts == 1 && report.lives == 2, "\(report.broken)")
    let (low, last) = (story.times("batteryLow"), story.times("lastPosition"))
    #expect(low.count == 2 && last.count == 1 && (low.last ?? .infinity) < (last.first ?? 0), "\(story.told)")
    #expect(report.checks[.lastPositionTold] == 2 && report.states.marks[.batteryEmpty]?.count == 1)
    // It was off until the charger came, and for as long as three percent take.
    let emptyAt = try #require(report.states.marks[.batteryEmpty]).first.secondsDouble
    #expect(emptyAt < 2.5 * 3600 && (last.first ?? 0) < emptyAt)
    #expect(report.batteryLevel == 100)
  }

  @Test func powerThatComesAndGoesIsTold() throws {
    let story = try LifeBatteryTests.live(
      LifeBatteryTests.scenario(
        hours: 2, level: 60, capacity: 2600,
        [LifeEvent(.charger(isOn: true), at: .seconds(2000)), LifeEvent(.charger(isOn: false), at: .seconds(4000))]))
    #expect(story.report.broken == [] && story.report.cuts == 0)
    let (back, gone) = (story.times("powerRestored"), story.times("powerLost"))
    #expect(back.count == 1 && gone.count == 1, "\(story.told)")
    #expect((2000...2002).contains(back.first ?? 0) && (4000...4002).contains(gone.first ?? 0))
    // 2000 s at 500 mA of 2210 mAh, less what was drawn.
    #expect((68...73).contains(story.report.batteryLevel ?? 0), "\(story.report.batteryLevel ?? 0)")
  }

  @Test func withoutSavingsNoLastPositionIsExpected() throws {
    let story = try LifeBatteryTests.live(LifeBatteryTests.scenario(hours: 2, level: 8), saving: 0)
    #expect(!story.report.broken.contains { $0.promise == .lastPositionTold })
    #expect(story.times("lastPosition") == [] && story.report.states.marks[.batteryEmpty] != nil)
  }

  @Test func aLastPositionThatIsMissingOrToldTwiceIsABrokenPromise() {
    func broken(_ body: (LifeChecker) -> Void) -> [LifePromise] {
      let checker = LifeChecker()
      body(checker)
      return checker.broken.map(\.promise)
    }
    #expect(broken { $0.noteEmpty(mustHaveTold: false, at: .zero) } == [])
    #expect(broken { $0.noteEmpty(mustHaveTold: true, at: .zero) } == [.lastPositionTold])
    #expect(
      broken {
        $0.noteLastPosition(at: .zero)
        $0.noteEmpty(mustHaveTold: true, at: .zero)
        $0.noteCharged()
        $0.noteLastPosition(at: .zero)
      } == [])
    #expect(
      broken {
        $0.noteLastPosition(at: .zero)
        $0.noteLastPosition(at: .zero)
      } == [.lastPositionTold])
    #expect(
      broken {
        $0.noteLastPosition(at: .zero)
        $0.noteCharged()
        $0.noteEmpty(mustHaveTold: true, at: .zero)
      } == [.lastPositionTold])
  }

  /// A theft while it is empty is excused; one after it is back is not.
  @Test func aTrackerThatIsBackGuardsAgain() throws {
    var scenario = LifeBatteryTests.scenario(
      hours: 3, level: 3, [LifeEvent(.charger(isOn: true), at: .seconds(2 * 3600))])
    for (kind, telling) in [(StreetDeed.Kind.lift, Telling.within(5)), (.stand, nil)] as [(StreetDeed.Kind, Telling?)] {
      var deed = StreetDeed(kind)
      if kind == .stand { deed.set("seconds", 120) }
      scenario.scene.scene.deeds.append(deed)
      scenario.scene.tellings.append(telling)
    }
    let report = try LifeBatteryTests.live(scenario).report
    #expect(report.states.marks[.batteryEmpty] != nil && report.broken == [])
    #expect(report.thefts == 1 && report.excused == 0 && report.delays.count == 1)
    let silent = try LifeBatteryTests.live(scenario, alerts: false).report
    #expect(silent.excused == 0 && silent.broken.map(\.promise) == [.theftTold], "\(silent.broken)")
  }
}
