import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerRuntime

@testable import TrackerCore

/// A parked bike on a battery, and what it told.
private struct Bike: ~Copyable {
  var tracker: Tracker
  var sensor = SimulatedSensor(hertz: 25, forceNoise: 0.03, seed: 5)
  var plans: [SensingPlan] = []
  var reports: [Instant] = []
  var reasons: [StatusReason] = []
  var lastPosition: PacketPosition?
  var alerts = 0

  init(change: (inout TrackerConfiguration) -> Void = { _ in }) {
    var configuration = TrackerConfiguration()
    configuration.readings.batteryLevels = NumberList()
    change(&configuration)
    tracker = Tracker(configuration: configuration)
    fix()
    for _ in 0..<25 * 370 { feel() }
    reports = []
  }

  var now: Instant { tracker.now }

  mutating func feel(shaking: Float = 0) {
    let sign: Float = now.microseconds / 40_000 % 2 == 0 ? 1 : -1
    tracker.process(sensor.next(acceleration: Vector3(shaking * sign, 0, 0)))
    drain()
  }

  mutating func charge(_ percent: UInt8, isCharging: Bool? = nil, isExternal: Bool? = nil) {
    tracker.process(
      .supply(SupplyReading(time: now, Supply(charge: percent, isCharging: isCharging, isExternal: isExternal))))
    drain()
  }

  mutating func fix(east: Int64 = 0, speed: Double = 0) {
    var fix = GNSSFix(time: now)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000 + east)
    fix.speed = speed
    fix.horizontalAccuracy = 5
    tracker.process(fix)
    drain()
  }

  mutating func pass(_ seconds: Int) {
    let end = now + .seconds(seconds)
    sensor.pause(Double(seconds))
    while let due = tracker.nextDeadline, due <= end {
      tracker.advance(to: due)
      drain()
    }
    tracker.advance(to: end)
    drain()
  }

  mutating func drain() {
    while let action = tracker.nextAction() {
      switch action {
      case .sense(let plan): plans.append(plan)
      case .transmit(let sequence, let kind):
        let place = tracker.outbox.place(of: sequence)
        if let packet = place.map({ tracker.outbox.packet(at: $0) }) {
          if kind == .movement { alerts += 1 }
          if kind == .location { reports.append(now) }
          if let reason = packet.status?.reason {
            reasons.append(reason)
            if reason == .lastPosition { lastPosition = packet.position }
          }
        }
        tracker.acknowledge(sequence, at: now)
      default: break
      }
    }
  }

  /// Hours between reports over the next days, at that charge.
  mutating func hours(at percent: UInt8) -> [Int64] {
    reports = []
    charge(percent)
    for _ in 0..<48 { pass(3600) }
    return zip(reports, reports.dropFirst()).map { (($1 - $0).microseconds + 1_000_000) / 3_600_000_000 }
  }
}

@Suite struct ThriftTests {
  @Test(
    arguments: [
      (100, 20, 1), (21, 20, 1), (20, 20, 2), (11, 20, 2), (10, 20, 4), (6, 20, 4), (41, 40, 1), (40, 40, 2),
      (20, 40, 4),
      (11, 40, 4), (1, 0, 1), (0, 0, 1),
    ] as [(UInt8, UInt8, Int64)])
  func theLowerTheBatteryTheRarerTheReports(charge: UInt8, level: UInt8, hours: Int64) {
    var bike = Bike { $0.savingLevel = level }
    let told = bike.hours(at: charge)
    #expect(told.count >= 48 / Int(hours) - 2 && told.allSatisfy { $0 == hours }, "\(told)")
    #expect(bike.reasons.isEmpty)
    bike.reports = []
    bike.charge(charge, isExternal: true)
    for _ in 0..<5 { bike.pass(3600) }
    #expect(bike.reports.count >= 4, "with power from outside nothing is spared")
  }

  @Test func aRideIsToldMoreRarelyToo() {
    func reports(at charge: UInt8) -> Int {
      var bike = Bike {
        $0.reports.distance = 100_000
        $0.motion.armAfter = .seconds(86_400)
      }
      bike.charge(charge)
      var east: Int64 = 0
      for second in 0..<1300 {
        for _ in 0..<25 { bike.feel(shaking: 2) }
        east += 73_000
        bike.fix(east: east, speed: 5)
        if second == 99 { bike.reports = [] }
      }
      return bike.reports.count
    }
    let (all, half, quarter, last) = (reports(at: 90), reports(at: 15), reports(at: 7), reports(at: 5))
    #expect(
      all >= 18 && abs(2 * half - all) <= 2 && abs(4 * quarter - all) <= 4 && last == 0, "\(all) \(half) \(quarter)")
  }

  @Test func aLastPositionIsToldOnceWithAFixOfThatMinute() {
    var bike = Bike()
    bike.fix()
    bike.charge(6)
    bike.pass(600)
    #expect(bike.reasons.isEmpty)
    bike.charge(5)
    bike.pass(20)
    #expect(bike.reasons.isEmpty && bike.plans.last?.reception == .single, "a fix is asked for")
    bike.fix(east: 500_000)
    #expect(bike.reasons == [.lastPosition])
    #expect(bike.lastPosition?.longitudeE7 == 40_005_000)
    bike.reports = []
    for charge in [5, 4, 6, 5, 3, 0] as [UInt8] {
      bike.charge(charge)
      for _ in 0..<24 { bike.pass(3600) }
    }
    #expect(bike.reasons == [.lastPosition] && bike.reports.isEmpty)
    // An alert comes as ever.
    for _ in 0..<100 { bike.feel(shaking: 4) }
    #expect(bike.alerts == 1)
  }

  @Test func withoutAFixItIsToldAfterAMinute() {
    var bike = Bike()
    bike.charge(5)
    bike.pass(59)
    #expect(bike.reasons.isEmpty)
    bike.pass(1)
    #expect(bike.reasons == [.lastPosition])
  }

  @Test func whatIsChargedAgainReportsAgain() {
    var bike = Bike()
    bike.charge(5)
    bike.pass(5 * 3600)
    bike.reports = []
    // With the four percent that a cold night takes it is where it was.
    bike.charge(9)
    bike.pass(6 * 3600)
    #expect(bike.reports.isEmpty)
    bike.charge(10)
    bike.pass(1)
    #expect(bike.reports.count == 1, "at once, as one is due")
    bike.charge(24)
    bike.reports = []
    for _ in 0..<12 { bike.pass(3600) }
    #expect(bike.reports.count == 6)
    bike.charge(25)
    bike.reports = []
    for _ in 0..<12 { bike.pass(3600) }
    #expect(bike.reports.count == 12)
    bike.charge(5)
    bike.pass(60)
    #expect(bike.reasons == [.lastPosition, .lastPosition], "and once more when it is empty again")
  }

  @Test func aPlugThatIsLooseDoesNotFlood() {
    var bike = Bike()
    for second in 0..<600 {
      bike.charge(3, isExternal: second % 2 == 0)
      bike.pass(1)
    }
    #expect(bike.reasons.count { $0 == .lastPosition } <= 1 && bike.reports.count <= 2)
  }

  @Test func aParkedReceiverSleepsFromHalfOfTheLevelOn() {
    var bike = Bike()
    bike.charge(11)
    bike.pass(300)
    #expect(bike.plans.isEmpty, "no plan without the setting")
    bike.charge(10)
    bike.pass(300)
    #expect(bike.plans.last?.reception == .off)
    bike.charge(10, isCharging: true)
    #expect(bike.plans.last == SensingPlan())
  }

  @Test func liveEndsWhenItGetsLow() {
    var bike = Bike()
    bike.tracker.submit(.track(interval: .seconds(5), duration: .seconds(3600)), at: bike.now)
    bike.drain()
    bike.reports = []
    for _ in 0..<10 {
      bike.pass(5)
      bike.fix()
    }
    #expect(bike.reports.count >= 9)
    bike.charge(10)
    bike.reports = []
    for _ in 0..<10 {
      bike.pass(5)
      bike.fix()
    }
    #expect(bike.reports.isEmpty)
    // What the owner asks for then is done.
    bike.tracker.submit(.track(interval: .seconds(5), duration: .seconds(3600)), at: bike.now)
    bike.drain()
    bike.charge(9)
    for _ in 0..<10 {
      bike.pass(5)
      bike.fix()
    }
    #expect(bike.reports.count >= 9)
  }
}
