import MotionDetection
import Quantities
import TestSupport
import Testing

extension Scene {
  /// Sways about an axis along the vehicle, by so many degrees at so many hertz, with the sensor so many metres above it.
  mutating func sway(seconds: Double, degrees: Float, hertz: Double, height: Float = 0) {
    let steps = Int((seconds * Double(sensor.hertz)).rounded())
    let omega = 2 * Double.pi * hertz
    for step in 0..<steps {
      let (sine, cosine) = Elementary.sincos(omega * Double(step) / Double(sensor.hertz))
      let rate = degrees * .pi / 180 * Float(omega)
      let aside = Vector3(0, rate * Float(omega) * Float(sine) * height, 0)
      monitor.process(sensor.next(rate: Vector3(rate * Float(cosine), 0, 0), acceleration: aside))
      collect()
    }
    clock = max(clock, sensor.time)
  }

  /// Shakes faster than a sway, as a lorry or a tool does.
  mutating func rattle(seconds: Double, by strength: Float) {
    var random = SeededRandom(seed: 78)
    var before = Vector3.zero
    move(seconds: seconds) { _ in
      // Differences of white noise have no slow part.
      let white = random.vector(deviation: strength * 0.7071)
      defer { before = white }
      return white - before
    }
  }
}

@Suite struct WindTests {
  @Test func aTouchDelaysArmingByThreeSecondsAndNoMore() {
    var scene = Scene(hertz: 50)
    scene.still(seconds: 298)
    scene.move(seconds: 0.1) { $0 % 2 == 0 ? Vector3(0.7, 0, 0) : Vector3(-0.7, 0, 0) }
    scene.still(seconds: 2.5)
    #expect(scene.monitor.isArmed == false)
    scene.still(seconds: 1.5)
    #expect(scene.monitor.isArmed == true)
    #expect(scene.news().parkings.map(\.lastMotion) == [.zero], "a touch is no motion")
    var sooner = Scene(hertz: 50) { $0.touchDelay = .zero }
    sooner.still(seconds: 298)
    sooner.move(seconds: 0.1) { $0 % 2 == 0 ? Vector3(0.7, 0, 0) : Vector3(-0.7, 0, 0) }
    sooner.still(seconds: 2.5)
    #expect(sooner.monitor.isArmed == true)
  }

  @Test func whateverTouchesItItIsArmedAfterTenMinutes() {
    for (minutes, isArmed) in [(599.0, false), (600.5, true)] {
      var scene = Scene(hertz: 20)
      scene.sway(seconds: minutes, degrees: 1, hertz: 1)
      #expect(scene.monitor.isArmed == isArmed)
      #expect(scene.news().movements.isEmpty)
    }
    var short = Scene(hertz: 20) { $0.armBy = .seconds(400) }
    short.sway(seconds: 401, degrees: 1, hertz: 1)
    #expect(short.monitor.isArmed == true)
  }

  /// A sensor on the handlebar is shaken by wind as strongly as on a road.
  @Test(arguments: [13, 16, 25, 50, 100]) func windThatShakesASensorHighUpIsNoRide(hertz: Int) {
    var scene = Scene(hertz: hertz)
    scene.still(seconds: 5)
    for _ in 0..<8 {
      scene.sway(seconds: 40, degrees: 1, hertz: 2, height: 0.95)
      scene.still(seconds: 20)
    }
    scene.sway(seconds: 125, degrees: 1, hertz: 2, height: 0.95)
    #expect(scene.monitor.isArmed == true)
    #expect(scene.news().rideStarts.isEmpty)
    scene.handle(seconds: 4)
    #expect(scene.news().movements.count == 1)
  }

  @Test func aRideWithoutAFixEndsInTheWind() {
    var scene = Scene(hertz: 25)
    scene.still(seconds: 5)
    scene.shake(seconds: 60)
    #expect(scene.monitor.phase == .riding)
    let end = scene.sensor.time
    scene.sway(seconds: 640, degrees: 1, hertz: 2, height: 0.95)
    #expect(scene.monitor.isArmed == true)
    let ended = scene.news().standings.last?.since ?? .zero
    #expect(ended - end < .seconds(15), "the wind is taken for a road for \((ended - end).seconds) s")
  }

  /// A hum at nearly a multiple of the sample rate shows as a slow swing, all day.
  @Test(arguments: [(0.04, 0.1 as Float), (0.04, 0.2), (0.1, 0.1), (0.1, 0.2), (0.06, 0.2)])
  func whatHumsNearTheSampleRateIsArmedByTenMinutesAndNoAlarm(hertz: Double, strength: Float) {
    var scene = Scene(hertz: 25)
    func hum(seconds: Double) {
      let start = Int((scene.sensor.time - .zero).seconds * 25)
      scene.move(seconds: seconds) { step in
        Vector3(0.6, 0.5, 0.62) * (strength * Float(Elementary.sin(2 * Double.pi * hertz * Double(start + step) / 25)))
      }
    }
    hum(seconds: 601)
    #expect(scene.monitor.isArmed == true)
    _ = scene.news()
    hum(seconds: 3600)
    #expect(scene.news().movements.isEmpty && scene.monitor.isArmed)
    scene.move(seconds: 1.5, rate: Vector3(0.3, 0, 0))
    hum(seconds: 3)
    #expect(scene.news().movements.count == 1)
  }

  @Test func handlingDelaysArmingHoweverLongItLasts() {
    var scene = Scene(hertz: 50)
    for _ in 0..<30 {
      scene.handle(seconds: 4)
      scene.still(seconds: 30)
    }
    #expect(scene.monitor.isArmed == false)
  }

  @Test func gustsAndLorriesDelayNothingForLong() {
    var scene = Scene(hertz: 20)
    for _ in 0..<5 {
      scene.sway(seconds: 6, degrees: 0.2, hertz: 0.8)
      scene.still(seconds: 60)
    }
    #expect(scene.monitor.isArmed == true)
  }

  @Test func afterADismissalInWindItIsArmedAgainAndATheftIsTold() {
    var scene = Scene(hertz: 20)
    scene.parkByInertia()
    scene.handle(seconds: 4)
    #expect(scene.monitor.phase == .alarmed)
    scene.monitor.dismiss(at: scene.sensor.time)
    scene.sway(seconds: 602, degrees: 0.8, hertz: 1.2)
    #expect(scene.monitor.isArmed == true)
    _ = scene.news()
    scene.sway(seconds: 600, degrees: 0.8, hertz: 1.2)
    #expect(scene.news().movements.isEmpty)
    scene.move(seconds: 2, rate: Vector3(0.4, 0, 0))
    #expect(scene.news().movements.count == 1)
  }

  @Test(arguments: [0.5, 1, 1.5, 2]) func windIsNoAlarm(hertz: Double) {
    var scene = Scene(hertz: 100)
    scene.parkByInertia()
    for _ in 0..<25 {
      scene.sway(seconds: 8, degrees: 1, hertz: hertz)
      scene.still(seconds: 15)
    }
    #expect(scene.news().movements.isEmpty && scene.monitor.phase != .alarmed)
  }

  @Test func aLorryIsNoAlarmAndAGrinderIs() {
    for (strength, seconds, alarms) in [(0.49 as Float, 6.0, false), (1.2, 4, true), (3, 2, true)] {
      var scene = Scene(hertz: 100)
      scene.parkByInertia()
      scene.rattle(seconds: seconds, by: strength)
      #expect(scene.news().movements.isEmpty != alarms, "\(strength)")
      #expect(scene.monitor.phase != .stolen)
    }
  }

  @Test func aLeanOfFourDegreesIsNoAlarmAndWindDoesNotKeepOneOpen() {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    scene.move(seconds: 1, rate: Vector3(4 * .pi / 180, 0, 0))
    scene.still(seconds: 10)
    scene.move(seconds: 1, rate: Vector3(-4 * .pi / 180, 0, 0))
    #expect(scene.news().movements.isEmpty)
    scene.handle(seconds: 3)
    #expect(scene.news().movements.count == 1)
    // Gusts every ten seconds.
    for _ in 0..<8 {
      scene.sway(seconds: 5, degrees: 0.7, hertz: 1)
      scene.still(seconds: 5)
    }
    #expect(scene.monitor.phase != .alarmed && scene.monitor.isArmed)
    #expect(scene.news().quiets == 1)
  }

  @Test func aTheftAfterAPushIsToldHoweverSoonItComes() {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    scene.move(seconds: 1, rate: Vector3(0.16, 0, 0))
    scene.still(seconds: 20)
    #expect(scene.news().movements.map(\.detector) == [.tilt])
    #expect(scene.monitor.phase == .alarmed)
    scene.still(seconds: 30)
    scene.move(seconds: 2, rate: Vector3(0.3, 0, 0))
    #expect(scene.news().movements.count == 1)
  }

  @Test func aStandThatSinksIsNoAlarm() {
    var scene = Scene(hertz: 10)
    scene.parkByInertia()
    scene.move(seconds: 7200, rate: Vector3(5 * .pi / 180 / 7200, 0, 0))
    #expect(scene.news().movements.isEmpty)
  }

  @Test func aGyroscopeThatWarmsIsNoAlarmAndASlowTurnIs() {
    var warm = Scene(hertz: 10)
    warm.parkByInertia()
    for _ in 0..<360 {
      warm.sensor.bias = warm.sensor.bias + Vector3(1, -1, 1) * (0.1 * .pi / 180 / 36)
      warm.still(seconds: 10)
    }
    #expect(warm.news().movements.isEmpty, "ten kelvins in an hour")
    var turned = Scene(hertz: 25)
    turned.parkByInertia()
    turned.move(seconds: 180, rate: Vector3(0, 0, .pi / 3 / 180))
    #expect(turned.news().movements.map(\.detector) == [.heading])
  }

  @Test func aTrainThatSetsOffIsNoAlarm() {
    var scene = Scene(hertz: 20)
    scene.parkByInertia()
    for _ in 0..<5 {
      scene.move(seconds: 20) { _ in Vector3(0.6, 0, 0) }
      scene.still(seconds: 60)
      scene.move(seconds: 20) { _ in Vector3(-0.6, 0, 0) }
      scene.still(seconds: 60)
    }
    #expect(scene.news().movements.isEmpty)
  }

  @Test func aLevelLiftIsToldAndSoIsCarryingWhichIsATheft() {
    var lifted = Scene(hertz: 100)
    lifted.parkByInertia()
    // 0.8 m in five seconds, and slid away.
    lifted.move(seconds: 5) { step in
      let x = Double(step) / 500
      return Vector3(0, 0, Float(0.8 / 25 * 60 * x * (1 - x) * (1 - 2 * x)))
    }
    lifted.move(seconds: 5) { Vector3($0 < 250 ? 0.4 : -0.4, 0, 0) }
    #expect(lifted.news().movements.map(\.detector) == [.lift])
    var carried = Scene(hertz: 100)
    carried.parkByInertia()
    let start = carried.sensor.time
    carried.move(seconds: 30) { Vector3(0, 0, 1.5 * Float(Elementary.sin(2 * Double.pi * 1.9 * Double($0) / 100))) }
    let events = carried.news()
    #expect(events.movements.first?.detector == .carry && events.thefts.count == 1)
    #expect((events.first { $0.event != .armed }.map { ($0.time - start).seconds } ?? 99) < 5)
    #expect(carried.monitor.phase == .stolen)
  }
}
