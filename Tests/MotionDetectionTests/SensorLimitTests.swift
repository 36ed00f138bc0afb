import InertialFusion
import MotionDetection
import Quantities
import TestSupport
import Testing

/// A sensor with hardly any noise, whose windows all show the same.
private struct SensorScene {
  private var held: CopyableMonitor
  var sensor: SimulatedSensor
  var events: [StampedMotionEvent] = []
  var windowEnds: [Instant] = []

  var monitor: MotionMonitor {
    _read { yield held.value }
    _modify { yield &held.value }
  }

  init(change: (inout MotionParameters) -> Void = { _ in }) {
    var parameters = MotionParameters()
    parameters.armAfter = .seconds(20)
    change(&parameters)
    held = CopyableMonitor(MotionMonitor(parameters: parameters))
    sensor = SimulatedSensor(hertz: 50, rateNoise: 0, forceNoise: 0, seed: 1)
  }

  mutating func feel(seconds: Double, rate: Vector3 = .zero, swing: Float = 0, turnSwing: Float = 0) {
    for step in 0..<Int(seconds * 50) {
      let sign: Float = step % 4 < 2 ? 1 : -1
      var sample = sensor.next(rate: rate, acceleration: Vector3(sign * swing, 0, 0))
      // A sensor that stands still to the last digit is not believed to turn.
      sample.angularRate = sample.angularRate.map { $0 + Vector3(0, 0, step % 2 == 0 ? 1e-5 : -1e-5) }
      if turnSwing != 0 { sample.angularRate = sample.angularRate.map { $0 + Vector3(0, sign * turnSwing, 0) } }
      let before = monitor.estimator.rest.windowEnd
      monitor.process(sample)
      if monitor.estimator.rest.windowEnd != before { windowEnds.append(sample.time) }
      while let event = monitor.nextEvent() { events.append(event) }
    }
  }

  mutating func park() {
    feel(seconds: 30)
    events = []
  }

  var vibration: Float { monitor.estimator.rest.specificForce.variance.squareRoot() }
}

private func alarm(
  seconds: Double = 4, rate: Vector3 = .zero, swing: Float = 0, turnSwing: Float = 0,
  change: (inout MotionParameters) -> Void = { _ in }
) -> StampedMotionEvent? {
  var scene = SensorScene(change: change)
  scene.park()
  scene.feel(seconds: seconds, rate: rate, swing: swing, turnSwing: turnSwing)
  scene.feel(seconds: 1.5)
  return scene.events.first { if case .movement = $0.event { true } else { false } }
}

@Suite struct SensorLimitTests {
  // Work counts from 0.65 of the limits on, and less of it longer.

  @Test func vibrationIsHandlingFromItsLimitOn() throws {
    func shown(_ swing: Float) -> ClosedRange<Float> {
      var probe = SensorScene { $0.handlingVibration = 1000 }
      probe.park()
      probe.feel(seconds: 1, swing: swing)
      var (least, most) = (Float.infinity, Float(0))
      for _ in 0..<10 {
        probe.feel(seconds: 0.2, swing: swing)
        let value = probe.monitor.estimator.rest.specificForceRipple.squareRoot()
        (least, most) = (min(least, value), max(most, value))
      }
      return least...most
    }
    let seen = shown(2)
    func raises(_ limit: Float, swing: Float = 2) -> Bool {
      alarm(seconds: 8, swing: swing) { $0.handlingVibration = limit } != nil
    }
    #expect(raises(seen.lowerBound / 0.65 * 0.99) && !raises(seen.upperBound / 0.65 * 1.01))
    let (below, above) = (2 * 0.65 * 0.8 / seen.upperBound * 0.98, 2 * 0.65 * 0.8 / seen.lowerBound * 1.02)
    #expect(!raises(0.8, swing: below) && raises(0.8, swing: above), "the default")
  }

  @Test func turningIsHandlingFromItsLimitOn() {
    // Per axis: a rate about one of three, the scatter of ten samples.
    #expect(alarm(seconds: 8, turnSwing: 0.132 * 1.732) == nil && alarm(seconds: 8, turnSwing: 0.141 * 1.732) != nil)
    #expect(alarm(seconds: 8, turnSwing: 0.141 * 1.732) { $0.handlingRate = 0.24 } == nil)
    // A steady turn is a mean rate.
    #expect(alarm(seconds: 8, rate: Vector3(0, 0, 0.141 * 1.732)) { $0.headingLimit = 9 } == nil)
    #expect(alarm(seconds: 8, rate: Vector3(0, 0, 0.1455 * 1.732)) { $0.headingLimit = 9 } != nil)
  }

  @Test func strongHandlingIsConfirmedAfterOneAndAHalfSecondsOfItsStrength() throws {
    // A second counts for a second and a quarter at most: six windows of 0.2 s.
    let first = try #require(alarm(swing: 6))
    for (confirmation, later) in [
      (1_500_100, 200), (1_499_900, 0), (1_250_100, 0), (1_249_900, -200), (2_999_900, 1200),
    ] as [(Int64, Int)] {
      let time = alarm(swing: 6) { $0.handlingConfirmation = Interval(microseconds: confirmation) }?.time
      #expect(time == first.time + .milliseconds(later), "handling \(confirmation)")
    }
    // Without a confirmation the first window of it alarms, and stillness does not.
    #expect(alarm(swing: 6) { $0.handlingConfirmation = .zero }?.time == first.time - .milliseconds(1000))
    #expect(alarm(swing: 0) { $0.handlingConfirmation = .zero } == nil)
  }

  @Test func tiltAndHeadingAreConfirmedByASecondWithoutABreak() throws {
    for (axis, name) in [(Vector3(1, 0, 0), "tilt"), (Vector3(0, 0, 1), "heading")] {
      func raised(_ confirmation: Interval, rate: Float = 0.035) -> Instant? {
        alarm(seconds: 14, rate: axis * rate) {
          $0.handlingRate = 9
          $0.orientationConfirmation = confirmation
        }?.time
      }
      // Windows are judged every 0.2 s, and the first beyond the limit is one of them.
      let first = try #require(raised(.zero))
      #expect(raised(.milliseconds(200)) == first, "\(name)")
      // A second counts for more as it turns on: a third beyond the limit for two.
      let second = try #require(raised(.seconds(1)))
      #expect((300...900).contains((second - first).microseconds / 1000), "\(name): \(second - first)")
      let third = try #require(raised(.seconds(3)))
      #expect((600...1700).contains((third - second).microseconds / 1000), "\(name): \(third - second)")
      // And at most for four, when it has been turned far at once.
      let fast = try #require(raised(.zero, rate: 0.8))
      let faster = try #require(raised(.seconds(1), rate: 0.8))
      #expect((0...400).contains((faster - fast).microseconds / 1000), "\(name): \(faster - fast)")
      let latest = try #require(raised(.seconds(3), rate: 0.8))
      #expect((600...1000).contains((latest - fast).microseconds / 1000), "\(name): \(latest - fast)")
    }
  }

  @Test func tiltAndHeadingCountFromTheirLimitsOn() {
    // Of a turn that takes ten seconds a fifth is forgotten on the way, half a minute after switching on.
    for (axis, limit, setting) in [
      (Vector3(0, 1, 0), 5.73, \MotionParameters.tiltLimit),
      (Vector3(0, 0, 1), 8.02 / 0.8, \MotionParameters.headingLimit),
    ] as [(Vector3, Float, WritableKeyPath<MotionParameters, Float>)] {
      func raises(_ degrees: Float, _ change: (inout MotionParameters) -> Void = { _ in }) -> Float? {
        var scene = SensorScene {
          $0.handlingRate = 9
          change(&$0)
        }
        scene.park()
        scene.feel(seconds: 10, rate: axis * (degrees * .pi / 1800))
        scene.feel(seconds: 20)
        return scene.events.movements.first?.ratio
      }
      #expect(raises(limit * 0.94) == nil && raises(limit * 1.06) != nil, "\(limit)")
      #expect(raises(limit * 1.06) { $0[keyPath: setting] *= 1.12 } == nil, "\(limit)")
    }
  }

  @Test func aSuspicionIsDroppedAfterTenQuietSeconds() throws {
    var scene = SensorScene()
    scene.park()
    scene.feel(seconds: 0.1, swing: 2)
    scene.feel(seconds: 1)
    #expect(scene.monitor.phase == .suspicious)
    let movement = scene.monitor.estimator.rest.lastMovement
    let last = try #require(movement)
    scene.monitor.advance(to: last + Interval(microseconds: 9_999_999))
    #expect(scene.monitor.phase == .suspicious && scene.monitor.isArmed)
    scene.monitor.advance(to: last + .seconds(10))
    #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
    #expect(scene.monitor.nextEvent()?.event == .calmed)
  }

  @Test func shakingIsARideFromItsLimitOn() {
    for (swing, rides) in [(0.58 as Float, false), (0.62, true)] {
      var scene = SensorScene()
      scene.feel(seconds: 5)
      scene.feel(seconds: 30, swing: swing * 1.732)
      #expect((scene.monitor.phase == .riding) == rides, "\(swing)")
    }
  }

  @Test func shakingIsARideAfterTenSeconds() throws {
    func begin(_ change: (inout MotionParameters) -> Void = { _ in }) -> (began: Instant, onset: Instant)? {
      var scene = SensorScene(change: change)
      scene.feel(seconds: 5)
      scene.feel(seconds: 20, swing: 3)
      for event in scene.events { if case .rideStarted(let onset) = event.event { return (event.time, onset) } }
      return nil
    }
    let first = try #require(begin())
    let taken = first.began - first.onset
    #expect(taken >= .seconds(10) && taken < .milliseconds(10_300))
    #expect(begin { $0.rideVibrationConfirmation = taken }?.began == first.began)
    let later = try #require(begin { $0.rideVibrationConfirmation = taken + Interval(microseconds: 1) })
    #expect(later.began > first.began && later.began - first.began < .milliseconds(300))
  }

  @Test func theTuningOfRestIsUsed() {
    // A swing far above the noise, below the least that is called movement.
    func isSuspected(_ change: (inout MotionParameters) -> Void) -> Bool {
      var scene = SensorScene(change: change)
      scene.park()
      scene.feel(seconds: 3, swing: 0.15)
      return !scene.events.suspicions.isEmpty
    }
    #expect(!isSuspected { _ in })
    #expect(
      isSuspected {
        $0.rest.minimumSpecificForce = 0.01
      })
  }

  @Test func aSensorMountedAskewIsPutRight() {
    var calibration = InertialCalibration()
    calibration.specificForceOffset = Vector3(0, 3, 0)
    var monitor = MotionMonitor(calibration: calibration)
    var sensor = SimulatedSensor(hertz: 50, seed: 3)
    for _ in 0..<200 {
      var sample = sensor.next()
      sample.specificForce = sample.specificForce.map { $0 + Vector3(0, 3, 0) }
      monitor.process(sample)
    }
    let up = monitor.estimator.attitude.levelFromBody.conjugate.rotate(Vector3(0, 0, 1))
    #expect(up.z > 0.9999)
  }

  /// One word raises or lowers all limits together; each of them can still be set.
  @Test func sensitivityMultipliesTheLimits() {
    for (word, turning) in [(Sensitivity.low, 0.141 * 1.5), (.normal, 0.141), (.high, 0.141 * 0.7)]
      as [(Sensitivity, Float)]
    {
      #expect(alarm(seconds: 8, turnSwing: turning * 1.732 * 1.02) { $0.sensitivity = word } != nil, "\(word.name)")
      #expect(alarm(seconds: 8, turnSwing: turning * 1.732 * 0.92) { $0.sensitivity = word } == nil, "\(word.name)")
      var parameters = MotionParameters()
      parameters.sensitivity = word
      parameters.tiltLimit = 0.2
      let limits = MotionMonitor(parameters: parameters).parameters
      let factor = word.factor
      #expect(limits.tiltLimit == 0.2 * factor && limits.handlingRate == 0.22 * factor)
      #expect(limits.handlingVibration == 0.8 * factor && limits.headingLimit == 0.14 * factor)
      #expect(limits.liftSpeed == 0.13 * factor && limits.carryForce == 0.6 * factor)
      #expect(limits.shiftLimit == 0.5 * factor)
      #expect(limits.sensitivity == .normal && limits.parkedDisplacement == 25 && limits.armAfter == .seconds(300))
    }
    #expect(MotionParameters().sensitivity == .normal && Sensitivity.allCases.map(\.factor) == [1.5, 1, 0.7])
    #expect(Sensitivity.allCases.map { "\($0.name)" } == ["low", "normal", "high"])
  }
}
