import MotionDetection
import Quantities
import TestSupport
import Testing

/// Fixes alone, that err as those of real receivers do: outliers, a wrong accuracy, invented speeds.
@Suite struct LyingFixTests {
  /// A receiver whose error is forgotten within five minutes.
  struct Receiver {
    var sigma: Double
    var stated: Double
    var every: Int
    var doppler = 0.1
    /// It tells no speed.
    var isMute = false
    var random: SeededRandom
    private var error = (north: 0.0, east: 0.0)

    init(_ sigma: Double, stated: Double, every: Int, doppler: Double = 0.1, seed: UInt64) {
      (self.sigma, self.stated, self.every, self.doppler) = (sigma, stated, every, doppler)
      random = SeededRandom(seed: seed)
      error = (sigma * random.normal(), sigma * random.normal())
    }

    mutating func fix(_ scene: inout Scene, north: Double, speed: Double = 0) {
      let keep = Elementary.exp(-Double(every) / 300)
      let step = sigma * (1 - keep * keep).squareRoot()
      error.north = keep * error.north + step * random.normal()
      error.east = keep * error.east + step * random.normal()
      scene.clock = scene.clock + .seconds(every)
      (scene.north, scene.east) = (north + error.north, error.east)
      if isMute { return scene.fix(accuracy: stated) }
      let (x, y) = (speed + doppler * random.normal(), doppler * random.normal())
      scene.fix(speed: (x * x + y * y).squareRoot(), accuracy: stated)
    }

    mutating func stand(_ scene: inout Scene, seconds: Int, north: Double = 0) {
      for _ in 0..<(seconds / every) { fix(&scene, north: north) }
    }

    /// Carried to there, and left: the fix at the new place, from 1 on, that told it.
    mutating func carry(_ scene: inout Scene, to metres: Double, speed: Double = 1.4) -> Int? {
      let start = scene.clock
      var fixes = 0
      while fixes < 40 {
        let north = speed * Double((scene.clock - start).seconds + Float(every))
        let isThere = north >= metres
        fix(&scene, north: min(north, metres), speed: isThere ? 0 : speed)
        if isThere { fixes += 1 }
        if !scene.news().movements.isEmpty { return fixes }
      }
      return nil
    }
  }

  @Test(arguments: [1, 2, 5, 10, 30, 60]) func threeOutliersInARowAreNoTheftHoweverNearTheyAre(every: Int) {
    for metres in [30.0, 38, 45, 60, 100, 190] {
      for count in [3, 40] {
        var scene = Scene()
        scene.stand(seconds: 3600, every: .seconds(every), speed: 0.1)
        _ = scene.news()
        scene.north = metres
        scene.stand(seconds: every * count, every: .seconds(every), speed: 0.1)
        // The other side: what stays there is elsewhere.
        #expect(scene.news().movements.isEmpty == (count == 3), "\(count) of \(metres) m")
      }
    }
  }

  @Test(arguments: [
    (15.0, 22.5, 3600), (15, 5, 1800), (9, 40, 2400), (30, 135, 14_400), (30, 240, 7200), (5, 7.5, 700),
  ])
  func whatSaysThatItIsCarriedOffIsToldByTheThirdFix(sigma: Double, stated: Double, parked: Int) {
    for every in [1, 10, 30, 60] {
      for seed in 1...4 as ClosedRange<UInt64> {
        var scene = Scene()
        var receiver = Receiver(sigma, stated: stated, every: every, seed: seed)
        receiver.stand(&scene, seconds: parked)
        #expect(scene.news().movements.isEmpty)
        let told = receiver.carry(&scene, to: max(100, 8 * sigma))
        #expect(told.map { $0 <= 3 } ?? false, "every \(every) s, seed \(seed): \(told ?? 0)")
        #expect(scene.monitor.phase == .alarmed || scene.monitor.phase == .stolen)
      }
    }
  }

  /// Without speeds a way looks like scatter at first, and must not be learnt as such.
  @Test(arguments: [10.0, 15, 20, 30]) func whatIsRiddenOffWithoutSpeedsIsTold(sigma: Double) {
    for seed in 1...12 as ClosedRange<UInt64> {
      var scene = Scene()
      var receiver = Receiver(sigma, stated: sigma, every: 1, seed: seed)
      receiver.isMute = true
      receiver.stand(&scene, seconds: 900)
      #expect(scene.news().movements.isEmpty)
      let start = scene.clock
      var told: Interval?
      // To a place 500 m away in two stages.
      for second in 1...160 {
        receiver.fix(&scene, north: 5 * Double(min(second, 50) + max(0, second - 110)))
        if told == nil, !scene.news().movements.isEmpty { told = scene.clock - start }
      }
      receiver.stand(&scene, seconds: 60, north: 500)
      if told == nil, !scene.news().movements.isEmpty { told = scene.clock - start }
      #expect(told.map { $0 <= .seconds(220) } ?? false, "seed \(seed): \(told?.seconds ?? 0) s")
    }
  }

  /// The same before it is parked: a ride that begins two minutes after the tracker.
  @Test(arguments: [5.0, 10, 15, 20]) func aRideWithoutSpeedsIsFoundWhereItsReceiverErrs(sigma: Double) {
    for seed in 1...12 as ClosedRange<UInt64> {
      var scene = Scene()
      var receiver = Receiver(sigma, stated: sigma, every: 1, seed: seed)
      receiver.isMute = true
      receiver.stand(&scene, seconds: 150)
      for second in 1...100 { receiver.fix(&scene, north: 5 * Double(second)) }
      receiver.stand(&scene, seconds: 60, north: 500)
      for second in 1...100 { receiver.fix(&scene, north: 500 + 5 * Double(second)) }
      #expect(scene.news().rideStarts.count == 1, "seed \(seed)")
    }
  }

  /// For weeks without speeds and without alerts: a fix errs, and so does the one that it is measured from.
  @Test func whatWandersForWeeksWithoutSpeedsRidesNowhere() {
    for (sigma, stated, every, days) in [(3.5, 1.7, 20, 20), (10.6, 5, 5, 4), (35, 150, 20, 20)] {
      for seed in 1...3 as ClosedRange<UInt64> {
        var scene = Scene(alertsEnabled: false)
        var receiver = Receiver(sigma, stated: stated, every: every, seed: seed)
        receiver.isMute = true
        receiver.stand(&scene, seconds: days * 86_400)
        #expect(scene.news().rideStarts.isEmpty, "\(sigma) m stated \(stated), seed \(seed)")
      }
    }
  }

  /// A new place is not taken for scatter while the receiver says that it went there.
  @Test func whatHasSaidThatItWentAwayTeachesNoScatter() {
    var scene = Scene()
    var receiver = Receiver(15, stated: 22.5, every: 30, seed: 3)
    receiver.stand(&scene, seconds: 7200)
    let before = scene.monitor.fixScatter.deviation
    // So far that it is no alarm, and nobody comes back.
    for step in 1...2 { receiver.fix(&scene, north: 25 * Double(step), speed: 1.2) }
    receiver.stand(&scene, seconds: 3600, north: 50)
    #expect(scene.monitor.fixScatter.deviation <= before * 1.1)
  }

  @Test(arguments: [0.3, 0.4]) func inventedSpeedsAreLearntAndNoTheft(doppler: Double) {
    for every in [1, 2, 5] {
      var scene = Scene()
      var receiver = Receiver(15, stated: 5, every: every, doppler: doppler, seed: 11)
      receiver.stand(&scene, seconds: 86_400)
      let news = scene.news()
      #expect(news.movements.isEmpty && news.rideStarts.isEmpty, "every \(every) s: \(news.movements.count)")
      // The other side: a bicycle that is ridden off is faster than that.
      for second in 1...15 { receiver.fix(&scene, north: 5 * Double(second * every), speed: 5) }
      #expect(scene.news().movements.contains { $0.detector == .speed })
    }
  }

  /// What has gone the way that its speeds tell has invented none of them.
  @Test func whatIsPushedAwayFromTheStartOnTeachesNoInventedSpeed() {
    for seconds in [10, 30, 60, 90] {
      var scene = Scene()
      scene.fix(speed: 0.2, accuracy: 30)
      for _ in 0..<seconds {
        scene.clock = scene.clock + .seconds(1)
        scene.north += 0.9
        scene.fix(speed: 0.9, accuracy: 30)
      }
      #expect(scene.news().rideStarts.isEmpty)
      for _ in 0..<4 {
        scene.clock = scene.clock + .seconds(1)
        scene.north += 1.3
        scene.fix(speed: 1.3, accuracy: 30)
      }
      #expect(scene.news().rideStarts.count == 1, "pushed for \(seconds) s")
    }
  }

  @Test func aQuietReceiverIsBelievedAtAWalk() {
    var scene = Scene()
    var receiver = Receiver(4, stated: 6, every: 1, doppler: 0.05, seed: 5)
    receiver.stand(&scene, seconds: 3600)
    _ = scene.news()
    for second in 1...5 { receiver.fix(&scene, north: 1.3 * Double(second), speed: 1.3) }
    #expect(scene.news().movements.contains { $0.detector == .speed })
  }

  /// Four fixes over at least ten seconds that move as they say: that is enough, and no more is asked for.
  @Test(arguments: [(1, 11), (2, 12), (3, 12), (4, 12), (5, 15)]) func speedThatHoldsBeatsAnInertialSensorAtOnce(
    every: Int, longest: Int
  ) {
    var scene = Scene(hertz: 25)
    for _ in 0..<(700 / every) {
      scene.still(seconds: Double(every))
      scene.fix(speed: 0.1)
    }
    _ = scene.news()
    let start = scene.clock
    var told: Interval?
    for _ in 0..<20 where told == nil {
      scene.still(seconds: Double(every))
      scene.north += 5 * Double(every)
      scene.fix(speed: 5)
      if scene.news().movements.contains(where: { $0.detector == .speed }) { told = scene.clock - start }
    }
    #expect(told.map { $0 <= .seconds(longest) && $0 >= .seconds(10) } ?? false, "\(told?.seconds ?? 0) s")
  }

  /// By less than what its fixes scatter, and the owner answers: it is parked there, and its fixes scatter about that.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func whatWasCarriedALittleWayIsParkedWhereItIs(seed: UInt64) {
    var scene = Scene()
    var receiver = Receiver(5, stated: 6, every: 1, seed: seed)
    receiver.stand(&scene, seconds: 6 * 3600)
    #expect(scene.news().movements.isEmpty)
    #expect(receiver.carry(&scene, to: 25) != nil)
    scene.monitor.dismiss(at: scene.clock)
    receiver.stand(&scene, seconds: 400, north: 25)
    #expect(scene.monitor.phase == .parked)
    _ = scene.news()
    receiver.every = 60
    receiver.stand(&scene, seconds: 12 * 3600, north: 25)
    #expect(scene.news().movements.isEmpty)
    // The other side: from there it is told as from anywhere.
    #expect(receiver.carry(&scene, to: 100) != nil)
  }
}
