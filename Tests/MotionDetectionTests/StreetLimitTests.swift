import InertialFusion
import MotionDetection
import Quantities
import TestSupport
import Testing

/// Limits of what a street, a receiver and a warm sensor do.
@Suite struct StreetLimitTests {
  /// A gyroscope alone that drifts by so much, rad/s, over a time of so many seconds.
  private func warm(_ drift: Float, over seconds: Double, minutes: Int) -> Scene {
    var scene = Scene()
    var random = SeededRandom(seed: 12)
    for step in 0..<(25 * 60 * minutes) {
      let time = Double(step) / 25
      let bias = drift * Float(1 - Elementary.exp(-time / seconds))
      let sample = InertialSample(
        time: Instant(microseconds: Int64(step) * 40_000),
        angularRate: Vector3(bias, bias, bias) + random.vector(deviation: 0.0028), specificForce: nil)
      scene.monitor.process(sample)
      scene.collect()
    }
    return scene
  }

  @Test(arguments: [900.0, 400]) func aGyroscopeThatGetsWarmIsArmedByTenMinutesAndTurnsNothing(seconds: Double) {
    // 0.1 °/s per kelvin, 15 K.
    var scene = warm(0.0262, over: seconds, minutes: 30)
    let news = scene.news()
    let armed = news.parkings.first?.time ?? .zero
    #expect(armed >= .seconds(300) && armed <= .seconds(600))
    #expect(news.movements.isEmpty)
  }

  @Test func aTurnByHandAfterRidingPutsOffArmingAndASlowOneDoesNot() {
    func parked(turning degrees: Float) -> Instant? {
      var scene = Scene(hertz: 50)
      scene.still(seconds: 100)
      // Thirty degrees either way.
      scene.move(seconds: Double(30 / degrees), rate: Vector3(0, 0, degrees * .pi / 180))
      scene.still(seconds: 320)
      return scene.news().parkings.first?.time
    }
    let quick = parked(turning: 10)
    let slow = parked(turning: 1)
    #expect((quick ?? .zero) > .seconds(400) && (slow ?? .zero) < .seconds(302), "\(String(describing: (quick, slow)))")
  }

  /// Fixes of a place that is known, and then at another one; how many of them until it is told.
  private func fixes(every seconds: Int, to metres: Double) -> Int? {
    var scene = Scene()
    scene.stand(seconds: 4000, every: .seconds(seconds))
    _ = scene.news()
    scene.north += metres
    for count in 1...12 {
      scene.stand(seconds: seconds, every: .seconds(seconds))
      if !scene.news().movements.isEmpty { return count }
    }
    return nil
  }

  @Test func whatIsThirtyMetresAwayWithinASecondHasJumpedAndMustLastForEightFixesMore() {
    // 1.5 m are left to a receiver that says it stands.
    #expect(fixes(every: 1, to: 31.3) == 5)
    #expect(fixes(every: 1, to: 31.7) == 9)
  }

  @Test func whatTenSecondsOfTheSpeedExplainIsNoJumpHoweverRareFixesAre() {
    #expect(fixes(every: 10, to: 44.5) == 5 && fixes(every: 10, to: 45.5) == 5)
    #expect(fixes(every: 7, to: 40.4) == 5 && fixes(every: 7, to: 40.6) == 6)
    #expect(fixes(every: 5, to: 45.5) == 7 && fixes(every: 4, to: 45.5) == 9)
    #expect(fixes(every: 60, to: 44.5) == 5 && fixes(every: 60, to: 45.5) == 5)
  }

  @Test func afterASilenceItMayHaveBeenCarriedOffButNotByLessThanAHundredMetres() {
    func fixes(after silence: Int, to metres: Double) -> Int? {
      var scene = Scene()
      scene.stand(seconds: 4000)
      _ = scene.news()
      scene.clock = scene.clock + .seconds(silence - 1)
      scene.north += metres
      for count in 1...12 {
        scene.stand(seconds: 1)
        if !scene.news().movements.isEmpty { return count }
      }
      return nil
    }
    #expect(fixes(after: 10, to: 101) == 9 && fixes(after: 11, to: 101) == 3)
    #expect(fixes(after: 11, to: 99) == 9)
  }

  @Test func aPlaceThatIsNotKnownYetIsLeftByFourTimesTheDistanceWhenTheReceiverSaysItStands() {
    func told(_ metres: Double, speed: Double?) -> Bool {
      var scene = Scene()
      scene.park()
      scene.stand(seconds: 70)
      _ = scene.news()
      // It wanders there slowly.
      for _ in 0..<100 {
        scene.clock = scene.clock + .seconds(1)
        scene.north += metres / 100
        scene.fix(speed: speed)
      }
      for _ in 0..<5 {
        scene.clock = scene.clock + .seconds(1)
        scene.fix(speed: speed)
      }
      return !scene.news().movements.isEmpty
    }
    #expect(!told(60, speed: 0) && told(60, speed: nil) && told(160, speed: 0))
  }

  /// What a sensor does at the end of its range: the same values again and again.
  @Test func valuesThatStandStillBeyondTheEndOfTheRangeAreCountedAndThoseBeforeItAreNot() {
    func counted(rate: Float, force: Float) -> UInt32 {
      var scene = Scene(hertz: 50)
      scene.parkByInertia()
      let before = scene.monitor.estimator.rejections.outOfRange
      for _ in 0..<50 {
        var sample = scene.sensor.next()
        sample.angularRate = Vector3(rate, 0, 0)
        sample.specificForce = Vector3(0, 0, force)
        scene.monitor.process(sample)
      }
      return scene.monitor.estimator.rejections.outOfRange - before
    }
    #expect(counted(rate: 0, force: 15) == 0 && counted(rate: 0, force: 15.01) == 49)
    #expect(counted(rate: 1, force: 9.8) == 0 && counted(rate: 1.001, force: 9.8) == 49)
  }

  /// What a train does: it shakes, and curves by 0.02 rad/s.
  @Test func aCurveIsATurnUnlessItShakes() {
    func turns(shaking: Float, quietFor seconds: Double, sway: Float = 0) -> Int {
      var scene = Scene(hertz: 50)
      scene.parkByInertia()
      var random = SeededRandom(seed: 3)
      func curve(seconds: Double, shaking: Float, sway: Float) {
        for step in 0..<Int(seconds * 50) {
          let rocking = sway * Float(Elementary.sincos(Double(step) * 0.14).sin)
          scene.monitor.process(
            scene.sensor.next(
              rate: Vector3(rocking, 0, 0.02), acceleration: random.vector(deviation: shaking)))
          scene.collect()
        }
      }
      curve(seconds: seconds, shaking: 0, sway: 0)
      curve(seconds: 30 - seconds, shaking: shaking, sway: sway)
      return scene.news().movements.count { $0.detector == .heading }
    }
    #expect(turns(shaking: 0, quietFor: 0) >= 1)
    #expect(turns(shaking: 0.2, quietFor: 0) == 0)
    // It sways by four degrees a second.
    #expect(turns(shaking: 0.2, quietFor: 0, sway: 0.07) == 0)
    #expect(turns(shaking: 0, quietFor: 0, sway: 0.07) == 0)
    // It sets off in a curve.
    #expect(turns(shaking: 0.2, quietFor: 6) == 0)
  }

  /// Up by so many metres within a second and a half, with jolts.
  private func delay(ofLifting metres: Float, hasGyroscope: Bool, seed: UInt64) -> Double? {
    var scene = Scene(hertz: 50, seed: seed)
    func feed(_ acceleration: Vector3) {
      var sample = scene.sensor.next(acceleration: acceleration)
      if !hasGyroscope { sample.angularRate = nil }
      scene.monitor.process(sample)
      scene.collect()
    }
    for _ in 0..<(50 * 310) { feed(.zero) }
    _ = scene.news()
    let start = scene.sensor.time
    var random = SeededRandom(seed: seed)
    for step in 0..<250 {
      let x = min(Float(step) / 75, 1)
      let up = metres / (1.5 * 1.5) * 60 * x * (1 - 3 * x + 2 * x * x)
      let jolt = x < 1 ? Float(Elementary.sincos(Double(x) * .pi).sin) * 0.3 : 0
      feed(Vector3(0, 0, up) + random.vector(deviation: jolt))
      if !scene.news().movements.isEmpty { return Double((scene.sensor.time - start).microseconds) / 1e6 }
    }
    return nil
  }

  @Test func aGentleLiftIsToldWithinTwoSecondsByEitherPartOfTheSensor() {
    for hasGyroscope in [true, false] {
      let delays = (1...9).compactMap { delay(ofLifting: 0.3, hasGyroscope: hasGyroscope, seed: $0) }.sorted()
      #expect(delays.count == 9 && (delays.dropFirst(4).first ?? 9) <= 1.6 && (delays.last ?? 9) <= 2, "\(delays)")
    }
  }
}
