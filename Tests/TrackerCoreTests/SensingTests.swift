import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerRuntime

@testable import TrackerCore

/// A bike whose tracker may let its sensors sleep, and the plans that it told.
private struct Bike: ~Copyable {
  var tracker: Tracker
  var sensor: SimulatedSensor
  var plans: [(time: Instant, plan: SensingPlan)] = []
  var alerts = 0
  var positions: [Instant] = []
  /// Samples without a gyroscope.
  var isForceAlone = false

  init(
    parked: Bool = true, forceNoise: Float = 0.03, acknowledges: Bool = true,
    change: (inout TrackerConfiguration) -> Void = { _ in }
  ) {
    var configuration = TrackerConfiguration()
    configuration.sensorsSleep = true
    change(&configuration)
    tracker = Tracker(configuration: configuration)
    sensor = SimulatedSensor(hertz: 25, forceNoise: forceNoise, seed: 5)
    feel(seconds: 1)
    fix()
    if parked { feel(seconds: 369) }
  }

  var plan: SensingPlan { plans.last?.plan ?? SensingPlan() }
  var now: Instant { tracker.now }

  mutating func feel(seconds: Double, shaking: Float = 0) {
    for step in 0..<Int(seconds * 25) {
      let sign: Float = step % 2 == 0 ? 1 : -1
      var sample = sensor.next(acceleration: Vector3(shaking * sign, 0, 0))
      if isForceAlone { sample.angularRate = nil }
      tracker.process(sample)
      drain()
    }
  }

  /// The sensor gives nothing.
  mutating func doze(seconds: Int) {
    sensor.pause(Double(seconds))
    let end = now + .seconds(seconds)
    while let due = tracker.nextDeadline, due <= end {
      tracker.advance(to: due)
      drain()
    }
    tracker.advance(to: end)
    drain()
  }

  mutating func fix(north metres: Int64 = 0) {
    var fix = GNSSFix(time: now)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000 + metres * 8987, longitudeE9: 4_000_000_000)
    fix.speed = 0
    fix.horizontalAccuracy = 5
    tracker.process(fix)
    drain()
  }

  mutating func drain() {
    var sent: [UInt32] = []
    while let action = tracker.nextAction() {
      switch action {
      case .sense(let plan): plans.append((tracker.now, plan))
      case .transmit(let sequence, let kind):
        if kind == .movement { alerts += 1 }
        if kind == .location { positions.append(tracker.now) }
        sent.append(sequence)
      default: break
      }
    }
    guard !sent.isEmpty else { return }
    for sequence in sent {
      tracker.acknowledge(sequence, at: tracker.now)
      drain()
    }
  }
}

@Suite struct SensingTests {
  @Test func withoutTheSettingNoPlanIsTold() {
    var bike = Bike { $0.sensorsSleep = false }
    bike.feel(seconds: 60)
    bike.doze(seconds: 4000)
    bike.feel(seconds: 3, shaking: 4)
    #expect(bike.plans.isEmpty && bike.alerts == 1)
  }

  @Test func whatIsParkedAndQuietForAMinuteLetsItsSensorsSleep() {
    var bike = Bike(parked: false)
    bike.feel(seconds: 298)
    #expect(bike.plans.isEmpty)
    bike.feel(seconds: 2)
    #expect(bike.plan.inertial == .watching && bike.plan.reception == .off && !bike.plan.isAlertLikely)
    #expect(bike.plan.wakeThreshold >= 0.3 && bike.plan.wakeThreshold < 0.35, "\(bike.plan.wakeThreshold)")
    // An owner that ignores it hears nothing more of it.
    let count = bike.plans.count
    bike.feel(seconds: 1200)
    #expect(bike.plans.count == count)
  }

  @Test func aTouchWakesThemForAMinute() throws {
    var bike = Bike()
    bike.doze(seconds: 1000)
    #expect(bike.plan.inertial == .watching)
    // What has woken it may be nothing: it is listened to, and nobody is alarmed.
    bike.feel(seconds: 2)
    #expect(bike.plan == SensingPlan(reception: .off))
    let touched = bike.now
    bike.feel(seconds: 0.6, shaking: 0.5)
    #expect(bike.plan == SensingPlan(isAlertLikely: true))
    let woken = try #require(bike.plans.last?.time)
    #expect(woken - touched < .seconds(1))
    bike.feel(seconds: 55)
    #expect(bike.plan.inertial == .awake)
    // The suspicion is over, and an alarm would come before it matters where that is.
    #expect(bike.plan.reception == .off && !bike.plan.isAlertLikely)
    bike.feel(seconds: 20)
    #expect(bike.plan.inertial == .watching && bike.alerts == 0)
  }

  /// A part that wakes by its own noise, again and again.
  @Test func whatWakesForNothingSleepsAfterSomeSeconds() throws {
    var bike = Bike()
    for _ in 0..<5 {
      bike.doze(seconds: 100)
      let count = bike.plans.count
      bike.feel(seconds: 15)
      #expect(bike.plan.inertial == .watching && bike.plans.count <= count + 2 && bike.alerts == 0)
    }
  }

  @Test func anAlarmHasItsReceiver() {
    var bike = Bike()
    bike.doze(seconds: 1000)
    bike.feel(seconds: 2)
    bike.feel(seconds: 3, shaking: 4)
    #expect(bike.alerts == 1 && bike.plan == SensingPlan(isAlertLikely: true))
  }

  @Test func aReportHasAFixOfItsOwn() throws {
    var bike = Bike()
    let first = try #require(bike.positions.first)
    bike.doze(seconds: 3171)
    // A minute before the report the receiver is asked for one fix, and the sensor is heard.
    #expect(bike.plan == SensingPlan(reception: .single))
    let asked = try #require(bike.plans.last?.time)
    #expect(asked == first + .seconds(3540))
    bike.feel(seconds: 3)
    bike.fix()
    // Its gyroscope has drifted: it is heard for so long that its bias is known once more.
    #expect(bike.plan.reception == .off && bike.plan.inertial == .awake)
    bike.feel(seconds: 8)
    #expect(bike.plan.inertial == .awake)
    bike.feel(seconds: 2)
    #expect(bike.plan.inertial == .watching)
    bike.doze(seconds: 60)
    #expect(bike.positions.last == first + .seconds(3600))
    // Where there is no reception it is given up when the report goes.
    bike.doze(seconds: 3530)
    #expect(bike.plan.reception == .single)
    bike.feel(seconds: 5)
    bike.doze(seconds: 55)
    #expect(bike.plan.reception == .off && bike.positions.count == 3)
  }

  /// It was taken away while nothing was felt: the first fix that says so is not left alone for an hour.
  @Test(arguments: [true, false]) func aFixElsewhereIsFollowedByOthersAtOnce(isArmed: Bool) {
    var bike = Bike { $0.alertsEnabled = isArmed }
    bike.doze(seconds: 3171)
    #expect(bike.plan.reception != .off)
    bike.feel(seconds: 3)
    bike.fix(north: 1200)
    #expect(bike.plan.reception == .on)
    bike.feel(seconds: 1)
    bike.fix(north: 1201)
    #expect(bike.alerts == 0 && bike.plan.reception == .on)
    bike.feel(seconds: 1)
    bike.fix(north: 1199)
    #expect(bike.alerts == (isArmed ? 1 : 0) && bike.tracker.monitor.phase == (isArmed ? .stolen : .settling))
    bike.feel(seconds: 400)
    // What is stolen is followed; what nobody watches is parked there.
    #expect(bike.plan.reception == (isArmed ? .on : .off))
  }

  /// A ride that nobody saw ends `disarm`, too.
  @Test func whatIsFoundElsewhereIsArmedThere() throws {
    var bike = Bike()
    let disarm = try #require(Request(text: "disarm"))
    bike.tracker.submit(disarm, at: bike.now)
    bike.drain()
    bike.doze(seconds: 3171)
    #expect(bike.tracker.monitor.isArmed == false)
    for _ in 0..<3 {
      bike.feel(seconds: 3)
      bike.fix(north: 1200)
    }
    #expect(bike.tracker.monitor.isArmed == false && bike.tracker.monitor.phase == .settling)
    bike.feel(seconds: 310)
    #expect(bike.tracker.monitor.isArmed == true && bike.alerts == 0)
  }

  /// One fix that was wrong, or no more of them: the receiver is off again.
  @Test(arguments: [true, false]) func aDoubtEnds(isSeenAgain: Bool) {
    var bike = Bike()
    bike.doze(seconds: 3171)
    bike.feel(seconds: 3)
    bike.fix(north: 1200)
    #expect(bike.plan.reception == .on)
    if isSeenAgain {
      bike.feel(seconds: 1)
      bike.fix()
    } else {
      bike.feel(seconds: 59)
      #expect(bike.plan.reception == .on)
      bike.feel(seconds: 12)
    }
    #expect(bike.plan.reception == .off && bike.alerts == 0)
  }

  @Test func whatIsNotArmedIsLookedForAsSoonAsItMoves() {
    var bike = Bike { $0.alertsEnabled = false }
    #expect(bike.plan.inertial == .watching && bike.plan.reception == .off)
    bike.doze(seconds: 500)
    bike.feel(seconds: 2)
    bike.feel(seconds: 1, shaking: 0.5)
    #expect(bike.plan == SensingPlan())
    bike.feel(seconds: 80)
    #expect(bike.plan.inertial == .watching && bike.plan.reception == .off)
  }

  @Test func aLoudSensorNeedsMoreToWake() {
    let bike = Bike(forceNoise: 0.1)
    #expect(bike.plan.inertial == .watching)
    #expect(bike.plan.wakeThreshold > 0.7 && bike.plan.wakeThreshold < 1, "\(bike.plan.wakeThreshold)")
  }

  @Test func whoLooksLiveKeepsTheReceiverOn() {
    var bike = Bike()
    bike.tracker.submit(.track(interval: .seconds(10), duration: .seconds(300)), at: bike.now)
    bike.drain()
    #expect(bike.plan.reception == .on && bike.plan.inertial == .awake)
    bike.feel(seconds: 320)
    #expect(bike.plan.reception == .off && bike.plan.inertial == .watching)
  }

  @Test func thePetsStepsAreCountedAsLongAsItWearsIt() {
    var bike = Bike(parked: false)
    bike.tracker.hasActivity = true
    bike.feel(seconds: 500)
    #expect(bike.plan.inertial == .awake && bike.plan.reception == .off)
  }

  @Test func aGyroscopeAloneDoesNotWake() {
    var bike = Bike(parked: false)
    for _ in 0..<(500 * 25) {
      var sample = bike.sensor.next()
      sample.specificForce = nil
      bike.tracker.process(sample)
      bike.drain()
    }
    #expect(bike.plan.inertial == .awake && bike.plan.reception == .on)
  }

  @Test func anAccelerometerAloneDoes() {
    var bike = Bike(parked: false)
    bike.isForceAlone = true
    bike.feel(seconds: 400)
    #expect(bike.plan.inertial == .watching)
  }

  @Test func switchedOffItLeavesNothingResting() throws {
    var bike = Bike()
    #expect(bike.plan.inertial == .watching)
    let request = try #require(Request(text: "set sensing.sleep false"))
    bike.tracker.submit(request, at: bike.now)
    bike.drain()
    #expect(bike.plan == SensingPlan())
    bike.feel(seconds: 200)
    #expect(bike.plan == SensingPlan())
  }

  /// Other reports put off the one of a parked vehicle; the sensor is heard all the same.
  @Test func aSensorIsHeardAfterAnHourAtTheLatest() throws {
    var bike = Bike()
    bike.doze(seconds: 3000)
    bike.tracker.submit(.locate, at: bike.now)
    bike.drain()
    bike.doze(seconds: 599)
    #expect(bike.plan.inertial == .watching)
    bike.doze(seconds: 2)
    #expect(bike.plan.inertial == .awake && bike.plan.reception == .off)
    // It works: it sleeps again.
    bike.feel(seconds: 15)
    #expect(bike.plan.inertial == .watching)
    // It says nothing any more: the receiver watches in its place.
    bike.doze(seconds: 2900)
    #expect(bike.plan.inertial == .watching)
    bike.doze(seconds: 720)
    #expect(bike.plan == SensingPlan())
  }

  @Test func aSensorThatIsSilentIsNotLeftToWatch() {
    var bike = Bike(parked: false)
    bike.feel(seconds: 100)
    bike.doze(seconds: 1000)
    #expect(bike.tracker.monitor.phase == .parked && bike.plan.inertial == .awake)
  }

  @Test func hereIsWhereItWasSeenAsLongAsNothingWasFelt() throws {
    var bike = Bike()
    bike.fix()
    bike.doze(seconds: 1000)
    #expect(bike.tracker.scene.hasFix)
    bike.feel(seconds: 2)
    bike.feel(seconds: 1, shaking: 0.5)
    #expect(!bike.tracker.scene.hasFix)
    bike.feel(seconds: 100)
    #expect(bike.plan.reception == .off && !bike.tracker.scene.hasFix)
    // Without the setting a fix is old after a minute.
    var other = Bike { $0.sensorsSleep = false }
    other.fix()
    #expect(other.tracker.scene.hasFix)
    other.doze(seconds: 100)
    #expect(!other.tracker.scene.hasFix)
  }

  @Test func aPlanIsSmall() {
    #expect(MemoryLayout<SensingPlan>.size <= 4 && MemoryLayout<SensingKeeper>.size <= 2)
    for inertial in [SensingPlan.Inertial.awake, .watching] {
      for reception in [SensingPlan.Reception.on, .single, .off] {
        for isLikely in [false, true] {
          let plan = SensingPlan(
            inertial: inertial, reception: reception, isAlertLikely: isLikely, wakeThresholdSteps: 200)
          var keeper = SensingKeeper()
          keeper.tell(plan)
          #expect(keeper.hasNews && keeper.plan == plan && keeper.take() == plan && keeper.take() == nil)
        }
      }
    }
  }
}
