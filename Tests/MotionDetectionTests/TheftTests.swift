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
}
