import MotionDetection
import Quantities
import TestSupport
import Testing

/// What made worlds with other numbers have shown.
@Suite struct StreetTests {
  @Test func lorriesAreNoAlarmForASensorOfTwelveSamplesASecond() {
    var scene = Scene(hertz: 12)
    scene.parkByInertia()
    for _ in 0..<25 {
      scene.rattle(seconds: 6, by: 0.49)
      scene.still(seconds: 20)
    }
    #expect(scene.news().movements.isEmpty)
    scene.rattle(seconds: 6, by: 1.5)
    #expect(scene.news().movements.count == 1, "a grinder is")
  }

  /// Ten swings a second: four samples of one show more of it than twenty.
  @Test(arguments: [40, 200]) func vibrationCountsByItsStrengthHoweverFewSamplesShowIt(hertz: Int) {
    for (strength, alarms) in [(1.2 as Float, 0), (1.4, 1)] {
      var scene = Scene(hertz: hertz)
      scene.sensor.forceNoise = 0.003
      scene.parkByInertia()
      scene.move(seconds: 8) {
        Vector3(strength * Float(Elementary.sin(2 * Double.pi * (10 * Double($0) / Double(hertz) + 0.1))), 0, 0)
      }
      #expect(scene.news().movements.count == alarms, "\(strength)")
    }
  }

  @Test func whatIsThrownOverIsToldWithinASecond() throws {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    let start = scene.sensor.time
    scene.move(seconds: 1.5, rate: Vector3(0.9, 0, 0))
    let told = try #require(scene.news().first { if case .movement = $0.event { true } else { false } })
    #expect(told.time - start <= .milliseconds(1000))
  }

  @Test func aReceiverThatWandersAtHalfAMetreASecondDoesNotSetOff() {
    for (speed, rides) in [(0.6, 0), (1.5, 1)] {
      var scene = Scene()
      scene.stand(seconds: 10)
      scene.ride(seconds: 50, speed: 0.6, says: speed)
      #expect(scene.news().rideStarts.count == rides, "\(speed) m/s")
    }
  }

  @Test func whatFewMinutesHaveShownOfAReceiverIsDoubted() {
    for (away, alerts) in [(40.0, 0), (80.0, 1)] {
      var scene = Scene()
      for minute in 0..<6 {
        scene.east = minute % 2 == 0 ? 0 : 3
        scene.stand(seconds: 60)
      }
      #expect(scene.monitor.isArmed == true)
      _ = scene.news()
      // Too slowly to be a jump.
      for step in 1...20 {
        scene.north = away * Double(step) / 20
        scene.stand(seconds: 1, speed: nil)
      }
      scene.stand(seconds: 10, speed: nil)
      #expect(scene.news().movements.count == alerts, "\(away) m")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func whatComesBackInTheMiddleOfARideIsArmedAfterItAndStaysQuiet(seed: UInt64) {
    // The gyroscope shows 4.6 °/s at rest, and nobody has seen it rest.
    var scene = Scene(hertz: 25, seed: seed)
    scene.sensor.bias = Vector3(-0.08, -0.013, -0.002)
    var random = SeededRandom(seed: seed)
    var before = Vector3.zero
    for second in 0..<600 {
      // A street with corners to the left that are sharp, and to the right that are wide.
      let curve: Float = second % 60 < 3 ? 0.5 : second % 60 < 18 ? -0.1 : 0
      for _ in 0..<25 {
        let sway = random.vector(deviation: 0.15)
        let rate = sway - before + Vector3(0, 0, curve)
        before = sway
        scene.monitor.process(scene.sensor.next(rate: rate, acceleration: random.vector(deviation: 2)))
        scene.collect()
      }
    }
    let end = scene.sensor.time
    scene.still(seconds: 305)
    let isArmed = scene.monitor.isArmed
    #expect(isArmed, "armed five minutes after the ride")
    scene.still(seconds: 1200)
    let phase = scene.monitor.phase
    #expect(phase == .parked)
    let movements = scene.news().movements
    #expect(movements.isEmpty, "\(movements.map { ($0.detector, $0.onset - end) })")
  }

  /// Ridden for ten minutes while the receiver has nothing, or until seconds before the end; it stands 3 km away, and its fixes are back.
  @Test(arguments: [true, false]) func whereARideWithoutFixesEndsIsShownByTheNextFix(_ isBlind: Bool) {
    var scene = Scene(hertz: 25)
    for _ in 0..<62 {
      scene.still(seconds: 5)
      scene.fix(speed: 0)
    }
    scene.monitor.setAlerts(enabled: false, at: scene.clock)
    for _ in 0..<60 {
      scene.shake(seconds: 10)
      if !isBlind {
        scene.north += 50
        scene.fix(speed: 5)
      }
    }
    scene.monitor.setAlerts(enabled: true, at: scene.clock)
    scene.still(seconds: 320)
    let isArmed = scene.monitor.isArmed
    #expect(isArmed)
    _ = scene.news()
    // Blind: this is where it stands. Otherwise nobody knows how it has come here.
    scene.north += 3000
    for _ in 0..<60 {
      scene.still(seconds: 5)
      scene.fix(speed: 0)
    }
    scene.move(seconds: 0.2) { $0 % 2 == 0 ? Vector3(2, 0, 1) : Vector3(-2, 0, -1) }
    for _ in 0..<10 {
      scene.still(seconds: 1)
      scene.fix(speed: 0)
    }
    let movements = scene.news().movements
    #expect(movements.isEmpty == isBlind, "\(movements.map(\.detector))")
  }
}
