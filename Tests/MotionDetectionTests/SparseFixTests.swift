import MotionDetection
import Quantities
import Testing

/// Receivers that save power, and tracks recorded with a fix now and then.
@Suite struct SparseFixTests {
  @Test(arguments: [5, 15, 30, 45]) func aRideWithRareFixesIsOneRideWithoutStops(interval: Int) {
    var scene = Scene()
    scene.stand(seconds: 2 * interval, every: .seconds(interval), speed: 0)
    let standing = scene.clock
    for _ in 0..<20 {
      scene.clock = scene.clock + .seconds(interval)
      scene.north += 5 * Double(interval)
      scene.fix(speed: 5)
    }
    let events = scene.news()
    #expect(events.rideStarts.count == 1)
    #expect(events.standings.isEmpty && events.resumptions.isEmpty)
    if let onset = events.rideStarts.first {
      #expect(onset >= standing && onset <= standing + .seconds(interval))
    }
  }

  /// A receiver that rests while the bike is parked and not armed, a minute after its last fix.
  @Test(arguments: [11, 30, 77, 150]) func aRideBehindAPauseBeginsWhenItCanHaveBegun(pause: Int) throws {
    for lead in [2, 8] {
      var scene = Scene(hertz: 10, alertsEnabled: false)
      scene.stand(seconds: 3 * 3600, every: .seconds(3600), speed: 0.2)
      scene.stand(seconds: 400, every: .seconds(60), speed: 0.2)
      _ = scene.news()
      scene.clock = scene.clock + .seconds(pause)
      let left = scene.clock - Interval.seconds(lead)
      scene.north += 2 * Double(lead)
      scene.fix(speed: 4)
      scene.ride(seconds: 20)
      let onset = try #require(scene.news().rideStarts.first)
      #expect(onset >= left - .seconds(10) && onset <= left + .seconds(10), "\(pause) \(lead) \(onset - left)")
    }
  }

  /// Its sensor was out of order while it was ridden off, and its receiver is asked for a fix an hour.
  @Test(arguments: [false, true]) func whatIsFoundStandingElsewhereHasNotSetOff(isMoving: Bool) {
    var scene = Scene(hertz: 10, alertsEnabled: false)
    for _ in 0..<600 {
      scene.still(seconds: 1)
      scene.fix(speed: 0.1)
    }
    _ = scene.news()
    for _ in 0..<4 {
      scene.sensor.pause(3587)
      scene.still(seconds: 12)
      scene.north = 1200
      scene.fix(speed: 0.1)
    }
    for _ in 0..<20 {
      scene.still(seconds: 1)
      if isMoving { scene.north += 6 }
      scene.fix(speed: isMoving ? 6 : 0.2)
    }
    let news = scene.news()
    #expect(news.rideStarts.count == (isMoving ? 1 : 0) && news.movements.isEmpty, "\(news)")
    guard !isMoving else { return }
    // There it is parked after the usual time, without a ride, and rides off from there.
    for _ in 0..<300 {
      scene.still(seconds: 1)
      scene.fix(speed: 0.2)
    }
    let parkings = scene.news().parkings
    #expect(parkings.count == 1 && parkings.first?.start == nil)
    for _ in 0..<30 {
      scene.shake(seconds: 1)
      scene.north += 5
      scene.fix(speed: 5)
    }
    let left = scene.clock - Interval.seconds(30)
    #expect(scene.news().rideStarts.contains { $0 > left - .seconds(5) && $0 < left + .seconds(5) })
  }

  @Test func whatASimulatorMakesIsNoRide() {
    for (quality, rides) in [(FixQuality.autonomous, 1), (.estimated, 1), (.simulated, 0)] {
      var scene = Scene()
      scene.stand(seconds: 10)
      for second in 1...60 {
        scene.clock = scene.clock + .seconds(1)
        var fix = makeFix(at: scene.clock, north: 5 * Double(second), east: 0, speed: 5)
        fix.quality = quality
        scene.monitor.process(fix)
        scene.collect()
      }
      #expect(scene.news().rideStarts.count == rides, "\(quality)")
    }
  }

  @Test func aFleeingVehicleWithAFixAMinuteRaisesOneAlarmAndIsStolen() {
    var scene = Scene()
    scene.stand(seconds: 480, every: .seconds(60), speed: 0)
    _ = scene.news()
    for _ in 0..<20 {
      scene.clock = scene.clock + .seconds(60)
      scene.north += 300
      scene.fix(speed: 5)
    }
    let events = scene.news()
    #expect(events.movements.count == 1 && events.quiets == 0)
    #expect(events.thefts.count == 1 && events.rideStarts.isEmpty)
  }

  /// A receiver that finds its satellites again may be 80 m off for some fixes, whatever it says of its accuracy.
  @Test(arguments: [9, 11, 15, 60, 600]) func reacquisitionBesideTheParkedVehicleIsNoTheft(gap: Int) {
    for count in [3, 5, 7] {
      var scene = Scene()
      scene.stand(seconds: 900, speed: 0.1)
      _ = scene.news()
      scene.clock = scene.clock + .seconds(gap)
      for _ in 0..<count {
        scene.north = 80
        scene.fix(speed: 0.1)
        scene.clock = scene.clock + .seconds(1)
      }
      scene.north = 0
      scene.stand(seconds: 300, speed: 0.1)
      let events = scene.news()
      #expect(events.movements.isEmpty && events.thefts.isEmpty, "\(count) fixes after \(gap) s")
    }
  }

  /// As far as somebody carries it, it is told by the third fix.
  @Test(arguments: [11, 60, 600]) func whatWasCarriedOffInASilenceIsToldByTheThirdFix(gap: Int) {
    var scene = Scene()
    scene.stand(seconds: 900, speed: 0.1)
    _ = scene.news()
    scene.clock = scene.clock + .seconds(gap)
    scene.north = 120
    for number in 1...3 {
      scene.fix(speed: 0.1)
      #expect(scene.news().movements.count == (number == 3 ? 1 : 0), "fix \(number) after \(gap) s")
      scene.clock = scene.clock + .seconds(1)
    }
  }

  /// Moved by less, and left there, it is told when eight fixes agree.
  @Test func whatWasMovedALittleInASilenceIsToldByTheEighthFix() {
    var scene = Scene()
    scene.stand(seconds: 900, speed: 0.1)
    _ = scene.news()
    scene.clock = scene.clock + .seconds(60)
    scene.north = 80
    scene.stand(seconds: 9, speed: 0.1)
    #expect(scene.news().movements.count == 1)
  }

  /// Between its first two fixes nobody knows how often a receiver is asked.
  @Test(arguments: [11, 15, 30, 60]) func theFirstFixesOfAReceiverThatIsAskedRarelyAreNoSilence(interval: Int) {
    var scene = Scene()
    for north in [0.0, 40, 45, 42, 38, 5, -30, 44, 40, 41] {
      scene.north = north
      scene.fix(speed: 0, accuracy: 7.5)
      scene.clock = scene.clock + .seconds(interval)
    }
    let wandering = scene.news()
    #expect(wandering.rideStarts.isEmpty && wandering.movements.isEmpty, "it wanders by more than it says")
    // One that is gone is gone.
    for _ in 0..<8 {
      scene.north += 200
      scene.fix(speed: 0, accuracy: 7.5)
      scene.clock = scene.clock + .seconds(interval)
    }
    let leaving = scene.news()
    #expect(leaving.rideStarts.count == 1 || leaving.movements.count == 1)
  }

  @Test func rareFixesWithoutSpeedMakeARideToo() {
    var scene = Scene()
    scene.stand(seconds: 60, every: .seconds(20), speed: nil)
    for _ in 0..<20 {
      scene.clock = scene.clock + .seconds(20)
      scene.north += 90
      scene.fix(speed: nil)
    }
    #expect(scene.news().rideStarts.count == 1)
  }

  @Test func aGapInARideOfFrequentFixesIsStillAStop() {
    var scene = Scene()
    scene.ride(seconds: 60)
    scene.clock = scene.clock + .seconds(120)
    scene.fix(speed: 4)
    scene.ride(seconds: 60)
    let events = scene.news()
    #expect(events.resumptions.count == 1)
    #expect(events.standings.first?.cause == .silence)
  }

  @Test func aSmoothRoadIsNoStopWhileTheReceiverIsSilentForAMoment() {
    // Shaking too faint to be a ride by itself, but no rest either.
    var scene = Scene()
    scene.ride(seconds: 30)
    _ = scene.news()
    scene.sensor.time = scene.clock
    scene.move(seconds: 8) { $0 % 2 == 0 ? Vector3(0, 0, 0.35) : Vector3(0, 0, -0.35) }
    #expect(scene.news().standings.isEmpty)
  }

  @Test func aRideKnownByDistanceStandsAfterThreeTimesThePatienceUnlessShakingHasToldIt() throws {
    for isShaken in [false, true] {
      var scene = Scene(hertz: 20) { $0.silenceAfter = .seconds(30) }
      scene.stand(seconds: 30, speed: nil)
      scene.ride(seconds: 60, speed: 6, says: .some(nil))
      #expect(scene.monitor.phase == .riding)
      scene.sensor.pause((scene.clock - scene.sensor.time).secondsDouble)
      if isShaken { scene.shake(seconds: 8) }
      _ = scene.news()
      scene.stand(seconds: 20, speed: nil)
      let standing = try #require(scene.news().first { if case .standing = $0.event { true } else { false } })
      guard case .standing(let since, let cause) = standing.event else { continue }
      let patience: Interval = .seconds(isShaken ? 5 : 15)
      #expect(cause == .observed)
      #expect(standing.time - since >= patience && standing.time - since < patience + .milliseconds(1100))
    }
  }
}
