import MotionDetection
import Quantities
import TestSupport
import Testing

/// The vehicle's own buzzer: its shaking is nobody's work, and covers nobody's.
@Suite struct OwnSoundTests {
  /// What a buzzer does to the sensor, m/s² per axis: a tone that arrives as noise, in pulses of half a second.
  private func sound(_ scene: inout Scene, seconds: Double, by strength: Float, isPulsed: Bool = true, work: Float = 0)
  {
    var random = SeededRandom(seed: 5)
    let half = scene.sensor.hertz / 2
    scene.move(seconds: seconds) { step in
      let isOn = !isPulsed || step / half % 2 == 0
      return random.vector(deviation: isOn ? strength : 0) + random.vector(deviation: work)
    }
  }

  private func parked(hertz: Int = 50) -> Scene {
    var scene = Scene(hertz: hertz)
    scene.parkByInertia()
    return scene
  }

  @Test(arguments: [(25, Float(0.3)), (50, 1.5), (100, 3)]) func itSetsNothingOff(hertz: Int, strength: Float) {
    for (isTold, isPulsed) in [(true, true), (true, false), (false, true)] {
      var scene = parked(hertz: hertz)
      if isTold { scene.monitor.expectSound(for: .seconds(30), at: scene.sensor.time) }
      sound(&scene, seconds: 30, by: strength, isPulsed: isPulsed)
      scene.still(seconds: 60)
      let news = scene.news()
      // The other side: one that nobody has told it of is a disturbance.
      #expect(news.isEmpty == isTold, "told: \(isTold), pulses: \(isPulsed), \(news)")
      let phase = scene.monitor.phase
      #expect(phase == .parked || !isTold)
    }
  }

  @Test func itSoundsAgainAndAgainAndForAnHour() {
    var scene = parked(hertz: 25)
    for seconds in [10, 30, 30, 3600, 5] {
      scene.monitor.expectSound(for: .seconds(seconds), at: scene.sensor.time)
      sound(&scene, seconds: Double(seconds), by: 1)
      scene.still(seconds: 7)
    }
    let isArmed = scene.monitor.isArmed
    let news = scene.news()
    #expect(news.isEmpty && isArmed, "\(news)")
  }

  @Test func whatIsStrongerIsToldWhileItSounds() throws {
    for at in [4.0, 25] {
      var scene = parked()
      scene.monitor.expectSound(for: .seconds(60), at: scene.sensor.time)
      sound(&scene, seconds: at, by: 0.8)
      #expect(scene.news().isEmpty)
      let start = scene.sensor.time
      sound(&scene, seconds: 10, by: 0.8, work: 3)
      let told = try #require(scene.news().first { if case .movement = $0.event { true } else { false } })
      #expect(told.time - start <= .seconds(4), "\(told.time - start)")
    }
  }

  @Test func tiltingIsToldFromItsFirstSecondAndLiftingFromItsThird() throws {
    for tilts in [true, false] {
      var scene = parked()
      scene.monitor.expectSound(for: .seconds(30), at: scene.sensor.time)
      var random = SeededRandom(seed: 6)
      if !tilts { sound(&scene, seconds: 3, by: 0.8) }
      let start = scene.sensor.time
      scene.move(seconds: 2, rate: tilts ? Vector3(0.4, 0, 0) : .zero) { _ in
        random.vector(deviation: 0.8) + (tilts ? .zero : Vector3(0, 0, 1.2))
      }
      sound(&scene, seconds: 3, by: 0.8)
      let told = try #require(
        scene.news().first { if case .movement = $0.event { true } else { false } }, "tilts: \(tilts)")
      #expect(told.time - start <= .seconds(3))
    }
  }

  @Test func whatIsStrongerThanAnyBuzzerIsNotTakenForOne() {
    for (strength, isTold) in [(Float(4), false), (12, true)] {
      var scene = parked()
      scene.monitor.expectSound(for: .seconds(30), at: scene.sensor.time)
      sound(&scene, seconds: 20, by: strength, isPulsed: false)
      #expect(scene.news().movements.isEmpty == !isTold, "\(strength) m/s²")
    }
  }

  @Test func whoShakesWhileItBeginsIsHiddenForSecondsOnly() throws {
    var scene = parked()
    scene.monitor.expectSound(for: .seconds(120), at: scene.sensor.time)
    sound(&scene, seconds: 2, by: 0.5, work: 3)
    sound(&scene, seconds: 12, by: 0.5)
    _ = scene.news()
    let start = scene.sensor.time
    sound(&scene, seconds: 6, by: 0.5, work: 3)
    let told = try #require(scene.news().first { if case .movement = $0.event { true } else { false } })
    #expect(told.time - start <= .seconds(4))
  }

  @Test func onceItIsSilentTheSameShakingIsSomebodys() {
    for hushes in [false, true] {
      var scene = parked()
      scene.monitor.expectSound(for: .seconds(hushes ? 600 : 20), at: scene.sensor.time)
      sound(&scene, seconds: 20, by: 1.5)
      if hushes { scene.monitor.expectSound(for: .zero, at: scene.sensor.time) }
      scene.still(seconds: 10)
      #expect(scene.news().isEmpty)
      sound(&scene, seconds: 10, by: 1.5, isPulsed: false)
      #expect(!scene.news().movements.isEmpty, "hushed: \(hushes)")
    }
  }

  @Test func itDelaysNoArming() {
    var scene = Scene(hertz: 25)
    scene.still(seconds: 200)
    scene.monitor.expectSound(for: .seconds(60), at: scene.sensor.time)
    sound(&scene, seconds: 60, by: 1)
    scene.still(seconds: 45)
    let isArmed = scene.monitor.isArmed
    #expect(isArmed, "300 s after it was left")
  }

  @Test func aRestingSensorVouchesWhileItSounds() throws {
    for moves in [false, true] {
      var scene = parked()
      scene.monitor.expectSound(for: .seconds(60), at: scene.sensor.time)
      sound(&scene, seconds: 5, by: 1)
      if moves { sound(&scene, seconds: 3, by: 1, work: 1.5) }
      sound(&scene, seconds: 5, by: 1)
      let during = scene.monitor.stillByInertiaSince
      #expect((during != nil) == !moves)
      // And after it, when nothing but the buzzer has moved.
      sound(&scene, seconds: 47, by: 1)
      scene.still(seconds: 3)
      let after = scene.monitor.stillByInertiaSince
      if !moves { #expect(after != nil) }
    }
  }

  @Test func anAlarmIsNotKeptOpenByIt() {
    var scene = parked()
    scene.handle(seconds: 4)
    let before = scene.monitor.phase
    #expect(before == .alarmed)
    scene.monitor.expectSound(for: .seconds(600), at: scene.sensor.time)
    sound(&scene, seconds: 120, by: 1)
    let after = scene.monitor.phase
    #expect(scene.news().quiets == 1 && after == .parked)
  }
}
