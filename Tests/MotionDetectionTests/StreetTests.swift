import MotionDetection
import Quantities
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
}
