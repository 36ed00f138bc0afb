import MotionDetection
import Quantities
import TestSupport
import Testing

/// A sensor that reads wrong things which it may read: nobody is alarmed, and a thief is told of soon after.
@Suite struct SensorFaultTests {
  /// A minute of it, and eight seconds after it somebody works at the vehicle.
  private func expectOnlyTheThief(
    hertz: Int, seed: UInt64, parts: (rate: Bool, force: Bool), _ comment: String,
    change: (inout InertialSample) -> Void
  ) {
    var scene = Scene(hertz: hertz, seed: seed)
    scene.sensor.bias = Vector3(-0.08, -0.01, 0.02)
    scene.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.3, 0.2, 0))
    func feel(_ seconds: Double, _ acceleration: (Int) -> Vector3 = { _ in .zero }, isWrong: Bool = false) {
      for step in 0..<Int(seconds * Double(hertz)) {
        var sample = scene.sensor.next(acceleration: acceleration(step))
        if !parts.rate { sample.angularRate = nil }
        if !parts.force { sample.specificForce = nil }
        if isWrong { change(&sample) }
        scene.monitor.process(sample)
        scene.collect()
      }
    }
    feel(320)
    _ = scene.news()
    feel(60, isWrong: true)
    feel(8)
    #expect(scene.news().movements.isEmpty && scene.monitor.isArmed, "\(comment)")
    #expect(scene.monitor.estimator.faultCount > 0, "\(comment)")
    guard parts.force else { return }
    feel(3, { $0 % 4 < 2 ? Vector3(2.4, 1.5, 0) : Vector3(-2.4, -1.5, 0) })
    #expect(scene.news().movements.first?.detector == .handling, "\(comment)")
  }

  @Test(arguments: [(25, true, true), (100, true, true), (50, false, true), (50, true, false)])
  func axesThatChangePlacesAlarmNobodyAndAThiefIsToldAfterThem(hertz: Int, rate: Bool, force: Bool) {
    for seed in 1...4 as ClosedRange<UInt64> {
      expectOnlyTheThief(hertz: hertz, seed: seed, parts: (rate, force), "\(hertz) \(rate) \(force) \(seed)") {
        sample in
        sample.angularRate = sample.angularRate.map { Vector3($0.y, $0.z, $0.x) }
        sample.specificForce = sample.specificForce.map { Vector3($0.y, $0.z, $0.x) }
      }
    }
  }

  @Test func anAxisThatStandsStillAlarmsNobodyAndAThiefIsToldAfterIt() {
    for seed in 1...6 as ClosedRange<UInt64> {
      var stuck: Float?
      expectOnlyTheThief(hertz: 50, seed: seed, parts: (true, true), "\(seed)") { sample in
        // Wherever its noise or a fault has put it.
        let value = stuck ?? (seed % 2 == 0 ? 0 : sample.specificForce?.z ?? 0)
        stuck = value
        sample.specificForce?.z = value
      }
    }
  }

  /// All its values stay what they are, up to three deviations from what they should be.
  @Test func aSensorThatHangsOnALoudReadingLiftsNothing() {
    for seed in 1...12 as ClosedRange<UInt64> {
      var scene = Scene(hertz: 50, seed: seed)
      scene.sensor.forceNoise = 0.14
      scene.sensor.rateNoise = 0.008
      scene.parkByInertia()
      var held = scene.sensor.next()
      // As far as noise may lift it.
      held.specificForce?.z = 9.80665 + 0.4
      for step in 0..<1000 {
        var sample = held
        sample.time = scene.sensor.time + .milliseconds(20 * step)
        scene.monitor.process(sample)
        scene.collect()
      }
      #expect(scene.news().movements.isEmpty, "\(seed)")
    }
  }

  /// At the end of the range on all axes, and then nothing for a minute: a slow sensor's window of it is a quarter of a second.
  @Test(arguments: [10, 12, 25, 50]) func oneBadReadingIsNoTilt(hertz: Int) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var scene = Scene(hertz: hertz, seed: seed)
      scene.parkByInertia()
      scene.still(seconds: Double(seed) * 0.07)
      for _ in 0..<2 {
        var sample = scene.sensor.next()
        sample.specificForce = Vector3(78, -78, 78)
        sample.angularRate = Vector3(8.7, -8.7, 8.7)
        scene.monitor.process(sample)
        scene.still(seconds: 0.3)
        scene.sensor.pause(60)
        scene.still(seconds: 20)
      }
      let told = scene.news().filter { if case .movement = $0.event { true } else { false } }
      #expect(told.isEmpty, "\(seed): \(told.map(\.time))")
    }
  }

  /// Taken away while the sensor says nothing, found, and armed again where it lies now: how it stood before says nothing.
  /// What nobody has answered for is another matter.
  @Test(arguments: [true, false]) func whereItWasParkedWithoutTheSensorIsHowItStands(isArmedAnew: Bool) {
    for seed in 1...3 as ClosedRange<UInt64> {
      var scene = Scene(hertz: 25, seed: seed)
      scene.parkByInertia()
      scene.stand(seconds: 30)
      if isArmedAnew {
        scene.ride(seconds: 25, speed: 3)
        #expect(scene.news().thefts.count == 1, "\(seed)")
        scene.stand(seconds: 60)
        scene.monitor.dismiss(at: scene.clock)
      }
      scene.stand(seconds: 310)
      #expect(scene.monitor.isArmed && scene.news().movements.isEmpty, "\(seed)")
      scene.sensor.pause((scene.clock - scene.sensor.time).secondsDouble)
      scene.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.8, 0, 0))
      scene.still(seconds: 30)
      #expect(scene.news().movements.isEmpty == isArmedAnew, "\(seed)")
      guard isArmedAnew else { continue }
      scene.handle(seconds: 3)
      #expect(scene.news().movements.first?.detector == .handling, "\(seed)")
    }
  }

  /// One sample that is wrong among those that are right: no part of a vehicle moves so for a hundredth of a second.
  @Test(arguments: [10, 25, 50, 100]) func oneBadReadingAmongGoodOnesIsNothing(hertz: Int) {
    let bad: [(force: Vector3?, rate: Vector3?)] = [
      (Vector3(0, 0, 25), nil), (Vector3(0, 0, 50), nil), (Vector3(0, 0, -30), nil), (Vector3(78, -78, 78), nil),
      (nil, Vector3(0, 0, 8.7)), (nil, Vector3(8.7, 0, 0)), (nil, Vector3(3, -2, 4)),
      (Vector3(78, -78, 78), Vector3(8.7, -8.7, 8.7)), (Vector3(0, 30, 9), Vector3(0, 8.7, 0)),
    ]
    for (number, (force, rate)) in bad.enumerated() {
      for seed in 1...3 as ClosedRange<UInt64> {
        var scene = Scene(hertz: hertz, seed: seed)
        scene.parkByInertia()
        scene.still(seconds: Double(number) * 0.03)
        var sample = scene.sensor.next()
        if let force { sample.specificForce = force }
        if let rate { sample.angularRate = rate }
        scene.monitor.process(sample)
        scene.still(seconds: 30)
        let told = scene.news().movements
        #expect(told.isEmpty, "\(hertz) \(number) \(seed): \(told.first.map { "\($0.detector) \($0.ratio)" } ?? "")")
        scene.handle(seconds: 3)
        #expect(!scene.news().movements.isEmpty, "\(hertz) \(number) \(seed)")
      }
    }
  }

  /// The axis that a turn of the vehicle shows, at the end of its range at once.
  @Test(arguments: [25, 50, 100]) func anAxisAtItsEndIsNoTurn(hertz: Int) {
    for axis in 0..<3 {
      for seed in 1...2 as ClosedRange<UInt64> {
        for seconds in [0.1, 0.3, 2, 30] {
          var scene = Scene(hertz: hertz, seed: seed)
          scene.parkByInertia()
          scene.still(seconds: Double(seed) * 0.07)
          for _ in 0..<Int(seconds * Double(hertz)) {
            var sample = scene.sensor.next()
            switch axis {
            case 0: sample.angularRate?.x = 8.73
            case 1: sample.angularRate?.y = 8.73
            default: sample.angularRate?.z = 8.73
            }
            scene.monitor.process(sample)
          }
          scene.still(seconds: 20)
          let told = scene.news().movements
          #expect(told.isEmpty, "\(hertz) axis \(axis), \(seconds) s, \(seed): \(told.map(\.detector))")
        }
      }
    }
  }

  /// A gyroscope alone tells nothing meanwhile, and has found back ten seconds later.
  @Test(arguments: [13, 25, 50, 200]) func anAxisAtItsEndIsNoTurnOfAGyroscopeAloneEither(hertz: Int) {
    for axis in 0..<3 {
      for seconds in [0.1, 0.3, 2, 45] {
        var scene = Scene(hertz: hertz, seed: UInt64(axis) + 1)
        func feel(_ seconds: Double, rate: Vector3 = .zero, isAtEnd: Bool = false) {
          for _ in 0..<Int(seconds * Double(hertz)) {
            var sample = scene.sensor.next(rate: rate)
            sample.specificForce = nil
            if isAtEnd {
              switch axis {
              case 0: sample.angularRate?.x = 8.73
              case 1: sample.angularRate?.y = 8.73
              default: sample.angularRate?.z = 8.73
              }
            }
            scene.monitor.process(sample)
            scene.collect()
          }
        }
        feel(311)
        #expect(scene.monitor.isArmed == true)
        feel(0.07 * Double(axis))
        _ = scene.news()
        feel(seconds, isAtEnd: true)
        feel(10)
        let told = scene.news().movements
        #expect(told.isEmpty, "\(hertz) axis \(axis), \(seconds) s: \(told.map(\.detector))")
        feel(1, rate: Vector3(0, 0, 0.7))
        feel(2)
        #expect(!scene.news().movements.isEmpty, "\(hertz) axis \(axis), \(seconds) s")
      }
    }
  }

  /// So many axes of the accelerometer and of the gyroscope at an end of their range: it tells nothing meanwhile, neither at rest nor in a
  /// gust of 0.9°, and ten seconds later a thief is told of.
  @Test(arguments: [13, 50, 100]) func axesOfAnAccelerometerAtTheirEndsAlarmNobody(hertz: Int) {
    let ends: [(forces: Int, rates: Int?)] = [(1, 0), (2, 0), (1, 1), (1, 3), (3, 1), (1, nil)]
    for (number, end) in ends.enumerated() {
      for isGusty in [false, true] {
        for seconds in [0.4, 1.8, 3, 40] {
          var scene = Scene(hertz: hertz, seed: UInt64(number) + 1)
          var count = 0
          func feel(_ seconds: Double, sway: Bool = false, isAtEnd: Bool = false) {
            for _ in 0..<Int(seconds * Double(hertz)) {
              count += 1
              // 0.9° to each side.
              let angle = 2 * Double.pi * 1.3 * Double(count) / Double(hertz)
              let rate = sway ? 0.0157 * 2 * Double.pi * 1.3 * Elementary.cos(angle) : 0
              var sample = scene.sensor.next(rate: Vector3(Float(rate), 0, 0))
              if isAtEnd { SensorFaultTests.end(&sample, forces: end.forces, rates: end.rates ?? 0, from: number) }
              if end.rates == nil { sample.angularRate = nil }
              scene.monitor.process(sample)
              scene.collect()
            }
          }
          feel(312)
          feel(3, sway: isGusty)
          #expect(scene.monitor.isArmed && scene.news().movements.isEmpty)
          let before = scene.monitor.estimator.rejections.outOfRange
          let faults = scene.monitor.estimator.faultCount
          feel(seconds, sway: isGusty, isAtEnd: true)
          #expect(Int(scene.monitor.estimator.rejections.outOfRange - before) == Int(seconds * Double(hertz)) - 1)
          feel(4, sway: isGusty)
          feel(6)
          let told = scene.news().movements
          let comment = "\(hertz) \(end), \(seconds) s, gust: \(isGusty)"
          #expect(told.isEmpty, "\(comment): \(told.map(\.detector))")
          #expect(scene.monitor.estimator.faultCount > faults, "\(comment)")
          for step in 0..<(3 * hertz) {
            var sample = scene.sensor.next(
              acceleration: step % 4 < 2 ? Vector3(2.4, 1.5, 0) : Vector3(-2.4, -1.5, 0))
            if end.rates == nil { sample.angularRate = nil }
            scene.monitor.process(sample)
          }
          #expect(scene.news().movements.first?.detector == .handling, "\(comment)")
        }
      }
    }
  }

  /// Puts axes to ±4 g and ±250 °/s, beginning with one of them.
  private static func end(_ sample: inout InertialSample, forces: Int, rates: Int, from first: Int) {
    let places: [WritableKeyPath<Vector3, Float>] = [\.x, \.y, \.z]
    for place in 0..<forces {
      sample.specificForce?[keyPath: places[(place + first) % 3]] = place % 2 == 0 ? 39.22 : -39.22
    }
    for place in 0..<rates {
      sample.angularRate?[keyPath: places[(place + first + 1) % 3]] = place % 2 == 0 ? -4.363 : 4.363
    }
  }

  /// A grinder or a blow clips a part of ±2 g for a sample or two, again and again, and is told as ever.
  @Test(arguments: [50, 100]) func blowsBeyondTheRangeAreStillWork(hertz: Int) {
    var scene = Scene(hertz: hertz)
    scene.parkByInertia()
    for step in 0..<(3 * hertz) {
      var sample = scene.sensor.next(
        acceleration: step % 5 < 2 ? Vector3(12, 9, 14) : Vector3(-8, -6, -4))
      if let force = sample.specificForce, force.z > 19.6 { sample.specificForce?.z = 19.6 }
      scene.monitor.process(sample)
      scene.collect()
    }
    let told = scene.news().movements.first
    #expect((told?.duration ?? .seconds(9)) < .seconds(2), "\(told.map { "\($0.detector) \($0.duration)" } ?? "")")
  }

  /// A sensor that has never been at rest knows how it stands all the same.
  @Test(arguments: [25, 50]) func whatSwaysFromTheFirstSampleIsTiltedAsAnyOther(hertz: Int) {
    for seed in 1...4 as ClosedRange<UInt64> {
      var scene = Scene(hertz: hertz, seed: seed)
      func sway(_ seconds: Double) {
        for step in 0..<Int(seconds * Double(hertz)) {
          let angle = 2 * Double.pi * 1.3 * (Double(step) / Double(hertz) + Double(seed) / 9)
          // 0.6° to each side.
          let rate = 0.010_47 * 2 * Double.pi * 1.3 * Elementary.cos(angle)
          scene.monitor.process(scene.sensor.next(rate: Vector3(Float(rate), 0, 0)))
          scene.collect()
        }
      }
      sway(700)
      let news = scene.news()
      #expect(scene.monitor.isArmed && news.movements.isEmpty, "\(hertz) \(seed)")
      let before = scene.sensor.time
      scene.move(seconds: 0.8, rate: Vector3(0, 0.4363, 0))
      sway(5)
      let told = scene.news().movements
      #expect(told.contains { $0.detector == .tilt }, "\(hertz) \(seed) after \(before.secondsDouble): \(told)")
    }
  }

  /// It feels nothing, and shows less than it would.
  @Test func aSensorWithAStuckAxisDoesNotVouch() {
    func alarms(isStuck: Bool) -> Int {
      var scene = Scene(hertz: 10)
      func feel(isStuck: Bool) {
        for _ in 0..<10 {
          var sample = scene.sensor.next()
          if isStuck { sample.specificForce?.x = 0.3 }
          scene.monitor.process(sample)
        }
        scene.clock = scene.sensor.time
      }
      for _ in 0..<330 {
        feel(isStuck: false)
        scene.fix(speed: 0)
      }
      for second in 0..<60 {
        feel(isStuck: isStuck)
        if second >= 20 { scene.north += 2 }
        scene.fix(speed: second >= 20 ? 2 : 0)
      }
      return scene.news().movements.count
    }
    #expect(alarms(isStuck: true) > 0 && alarms(isStuck: false) == 0)
  }
}
