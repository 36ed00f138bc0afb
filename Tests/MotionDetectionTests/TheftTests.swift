import MotionDetection
import Quantities
import TestSupport
import Testing

/// What makes a theft of an alarm.
@Suite struct TheftTests {
  /// Lifted with a lean of 35° within 1.6 s, and carried on at once by steps of such a strength.
  private func carriedOff(
    hertz: Int = 50, seed: UInt64 = 1, seconds: Double, step strength: Float
  ) -> (onset: Instant, events: [StampedMotionEvent]) {
    var scene = Scene(hertz: hertz, seed: seed)
    scene.parkByInertia()
    let onset = scene.sensor.time
    scene.move(seconds: 1.6, rate: Vector3(0.3818, 0, 0))
    // Along the vertical of what leans.
    let up = scene.sensor.earthFromBody.conjugate.rotate(Vector3(0, 0, 1))
    scene.move(seconds: seconds) { step in
      up * (strength * Float(Elementary.sin(2 * Double.pi * 1.9 * Double(step) / Double(hertz))))
    }
    scene.still(seconds: 30)
    return (onset, scene.news())
  }

  @Test(arguments: [25, 50, 100]) func whatIsCarriedIsStolenAfterTwentySecondsThoughItsLeanIsTheClearerSign(hertz: Int)
  {
    for seed in 1...3 as ClosedRange<UInt64> {
      let (onset, events) = carriedOff(hertz: hertz, seed: seed, seconds: 40, step: 1.5)
      #expect(events.movements.first?.detector == .tilt, "\(seed)")
      let stolen = events.first { if case .stolen = $0.event { true } else { false } }
      let delay = stolen.map { ($0.time - onset).seconds } ?? 99
      #expect(events.thefts.count == 1 && delay > 20 && delay < 25, "\(seed): \(delay)")
    }
  }

  @Test func whatLeansAndIsNotCarriedForTwentySecondsIsNotStolen() {
    #expect(carriedOff(seconds: 60, step: 0).events.thefts.isEmpty)
    #expect(carriedOff(seconds: 15, step: 1.5).events.thefts.isEmpty)
  }

  @Test func aTheftCountsFromTheCarryingAndNotFromTheWindBeforeIt() {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    scene.sway(seconds: 60, degrees: 0.7, hertz: 1)
    #expect(scene.monitor.phase == .suspicious)
    scene.move(seconds: 5) { Vector3(0, 0, 1.5 * Float(Elementary.sin(2 * Double.pi * 1.9 * Double($0) / 50))) }
    scene.still(seconds: 5)
    let news = scene.news()
    #expect(news.movements.first?.detector == .carry && news.thefts.isEmpty && scene.monitor.phase == .alarmed)
  }

  // MARK: Without a fix

  /// Parked, and then shaken (m/s² per axis) and turned to and fro (rad/s at the most) as told.
  private func moved(
    hertz: Int = 50, seed: UInt64 = 1, seconds: Double, shaking: Float, turning: Float, at turningHertz: Double = 1,
    about axis: Vector3 = Vector3(1, 0, 0), then quiet: Double = 900
  ) -> (onset: Instant, events: [StampedMotionEvent], phase: MotionPhase) {
    var scene = Scene(hertz: hertz, seed: seed)
    scene.parkByInertia()
    let onset = scene.sensor.time
    var random = SeededRandom(seed: 90 &+ seed)
    let steps = Int((seconds * Double(hertz)).rounded())
    for step in 0..<steps {
      let angle = 2 * Double.pi * turningHertz * Double(step) / Double(hertz)
      let rate = axis * (turning * Float(Elementary.cos(angle)))
      scene.monitor.process(scene.sensor.next(rate: rate, acceleration: random.vector(deviation: shaking)))
      scene.collect()
    }
    scene.still(seconds: quiet)
    return (onset, scene.news(), scene.monitor.phase)
  }

  @Test(arguments: [12, 25, 50, 100]) func whatRollsForAMinuteAfterItsAlarmIsStolenWithoutAFix(hertz: Int) {
    for seed in 1...2 as ClosedRange<UInt64> {
      let (onset, events, phase) = moved(hertz: hertz, seed: seed, seconds: 120, shaking: 0.9, turning: 0.25)
      #expect(events.movements.first?.detector == .handling, "\(seed)")
      #expect(phase == .stolen && events.thefts.count == 1, "\(seed): \(phase)")
      let delay = events.first { if case .stolen = $0.event { true } else { false } }.map { ($0.time - onset).seconds }
      // Half of that where few samples show a lift in it.
      #expect(((hertz < 20 ? 30 : 58)...75).contains(delay ?? 0), "\(seed): \(delay ?? 0)")
      #expect(events.thefts.allSatisfy { ($0 - onset).seconds < 5 }, "\(seed)")
    }
  }

  @Test func whatIsDrivenOffSmoothlyByItsCurvesIsStolenInHalfAMinute() {
    // A van: faint shaking, and curves of 40° to each side.
    let (onset, events, phase) = moved(
      seconds: 150, shaking: 0.25, turning: 0.09, at: 0.02, about: Vector3(0, 0, 1))
    #expect(events.movements.first?.detector == .heading && phase == .stolen)
    let delay = events.first { if case .stolen = $0.event { true } else { false } }.map { ($0.time - onset).seconds }
    #expect((30...60).contains(delay ?? 0), "\(delay ?? 0)")
  }

  @Test func whatIsLiftedAndThenRollsIsStolenAfterTwentySeconds() {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    let onset = scene.sensor.time
    // 0.8 m in five seconds.
    scene.move(seconds: 5) { step in
      let x = Double(step) / 250
      return Vector3(0, 0, Float(0.8 / 25 * 60 * x * (1 - x) * (1 - 2 * x)))
    }
    var random = SeededRandom(seed: 5)
    for step in 0..<(50 * 28) {
      let rate = 0.25 * Float(Elementary.cos(2 * Double.pi * Double(step) / 50))
      scene.monitor.process(scene.sensor.next(rate: Vector3(rate, 0, 0), acceleration: random.vector(deviation: 0.6)))
      scene.collect()
    }
    let news = scene.news()
    let stolen = news.first { if case .stolen = $0.event { true } else { false } }.map { ($0.time - onset).seconds }
    #expect(news.movements.contains { $0.detector == .lift } && (20...24).contains(stolen ?? 0), "\(stolen ?? 0)")
  }

  @Test func whatWorksAtItForLessThanAMinuteDoesNotStealIt() {
    let (_, events, phase) = moved(seconds: 50, shaking: 0.9, turning: 0.25)
    #expect(events.movements.first?.detector == .handling && events.thefts.isEmpty && phase == .parked)
  }

  @Test func shakingAloneNeverMakesATheftOfAnAlarm() {
    // A grinder, held by a hand that is steady, or not.
    for (strength, turning) in [(0.7, 0.06), (1.5, 0.06), (3, 0.15)] as [(Float, Float)] {
      let (_, events, phase) = moved(seconds: 240, shaking: strength, turning: turning)
      #expect(!events.movements.isEmpty && events.thefts.isEmpty && phase == .parked, "\(strength)")
    }
  }

  @Test func windInAnOpenAlarmStealsNothing() {
    // Half a degree to each side, and what of it shakes; the alarm is open by a knock now and then.
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    for _ in 0..<20 {
      scene.handle(seconds: 1.5)
      scene.sway(seconds: 30, degrees: 1, hertz: 2)
    }
    let news = scene.news()
    #expect(!news.movements.isEmpty && news.thefts.isEmpty && scene.monitor.phase == .alarmed)
  }

  @Test func whatIsLeantToAndFroInItsPlaceIsNotStolen() {
    let (_, events, phase) = moved(seconds: 120, shaking: 0.4, turning: 1, at: 0.5)
    #expect(!events.movements.isEmpty && events.thefts.isEmpty && phase == .parked)
  }

  @Test func anAccelerometerThatIsWrongByItsLeanCarriesNothing() {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    // Leant by hand one way and the other, and the force is larger and smaller by it.
    for turn in 0..<6 {
      let sign: Float = turn % 2 == 0 ? 1 : -1
      scene.move(seconds: 1, rate: Vector3(0.6 * sign, 0, 0))
      let up = scene.sensor.earthFromBody.conjugate.rotate(Vector3(0, 0, 1))
      scene.move(seconds: 9) { _ in up * (0.2 * sign) }
    }
    let news = scene.news()
    #expect(!news.movements.isEmpty && news.thefts.isEmpty && scene.monitor.phase == .alarmed)
  }

  @Test func whatAnAccelerometerAloneSeesLeanAtRestIsToldInTenSecondsAndHasBeenStillSince() {
    var scene = Scene(hertz: 50)
    func move(seconds: Double, rate: Vector3 = .zero) {
      for _ in 0..<Int(seconds * 50) {
        var sample = scene.sensor.next(rate: rate)
        sample.angularRate = nil
        scene.monitor.process(sample)
        scene.collect()
      }
    }
    move(seconds: 320)
    _ = scene.news()
    let onset = scene.sensor.time
    move(seconds: 1, rate: Vector3(0.13, 0, 0))
    while scene.events.movements.isEmpty, (scene.sensor.time - onset).seconds < 60 { move(seconds: 0.2) }
    let delay = (scene.sensor.time - onset).seconds
    #expect(delay > 8 && delay < 14, "\(delay)")
    _ = scene.news()
    // It has stood still since: who turns it over three seconds later is told at once.
    move(seconds: 3)
    move(seconds: 1, rate: Vector3(0.8, 0, 0))
    move(seconds: 3)
    #expect(scene.news().movements.map(\.detector) == [.tilt])
  }
}
