import Quantities
import Testing

@testable import VehicleSimulation

/// Rest that is passed over, against rest that is streamed.
@Suite struct RestTests {
  @Test func theTailOfTheNormalDistributionIsThatOfTables() {
    // Abramowitz and Stegun, table 26.1.
    for (x, chance) in [(2.0, 2.275013194817921e-2), (3, 1.349898031630095e-3), (5, 2.866515718791939e-7)] {
      #expect((NormalTail.beyond(x) / chance - 1).magnitude < 1e-9, "\(x)")
    }
    #expect(NormalTail.beyond(.infinity) == 0)
    var random = SeededRandom(seed: 1)
    let draws = (0..<20_000).map { _ in NormalTail.drawn(beyond: 3, &random) }
    #expect(draws.allSatisfy { $0 > 3 })
    // φ(3) / Q(3).
    #expect((draws.reduce(0, +) / 20_000 - 3.28310).magnitude < 0.008)
  }

  @Test func theWaitForNoiseBeyondTheBoundsIsThatOfReadingAfterReading() throws {
    let quiet = try #require(QuietNoise(low: [-3.3, -4, -3.2], high: [3.5, 3.4, 5]))
    var random = SeededRandom(seed: 2)
    let tails = [3.3, 4, 3.2, 3.5, 3.4, 5].map(NormalTail.beyond)
    #expect((quiet.chance / tails.reduce(0, +) - 1).magnitude < 0.01)
    let waits = (0..<4000).compactMap { _ in quiet.drawnWait(&random) }
    let mean = Double(waits.reduce(0, +)) / 4000
    #expect(waits.count == 4000 && (mean * quiet.chance - 1).magnitude < 0.07, "\(mean)")
    // Reading after reading, for as long.
    var (count, readings) = (0, 0)
    var axes = [0, 0, 0]
    while count < 1500 {
      readings += 1
      let noise = [random.gaussian(), random.gaussian(), random.gaussian()]
      var isBeyond = false
      for axis in 0..<3 where noise[axis] < quiet.low[axis] || noise[axis] > quiet.high[axis] {
        axes[axis] += 1
        isBeyond = true
      }
      if isBeyond { count += 1 }
    }
    #expect((Double(readings) / 1500 * quiet.chance - 1).magnitude < 0.1, "\(readings)")
    // And beyond the same bounds as often.
    var drawn = [0, 0, 0]
    for _ in 0..<1500 {
      let noise = quiet.drawnBeyond(&random)
      let values = [Double(noise.x), Double(noise.y), Double(noise.z)]
      let places = (0..<3).filter { values[$0] < quiet.low[$0] || values[$0] > quiet.high[$0] }
      #expect(!places.isEmpty)
      for axis in places { drawn[axis] += 1 }
      let within = quiet.drawnWithin(&random)
      #expect(Double(within.x) <= quiet.high[0] && Double(within.z) >= quiet.low[2])
    }
    for axis in 0..<3 { #expect((drawn[axis] - axes[axis]).magnitude < 150, "\(drawn) and \(axes)") }
  }

  @Test func boundsThatAreNearAreNone() {
    #expect(QuietNoise(low: [-3.3, -4, -3.1], high: [3.5, 3.4, 5]) == nil)
    #expect(QuietNoise(low: [-3.3, -4, -4], high: [3.1, 3.4, 5]) == nil)
    #expect(QuietNoise(low: [-3.3, -4, -4], high: [.nan, 3.4, 5]) == nil)
    #expect(QuietNoise(low: [-.infinity, -4, -4], high: [4, 4, 4]) != nil)
  }

  /// A sensor without noise, whose biases walk.
  private static func walking(_ seed: UInt64, reach: Float = .infinity) -> SimulatedSensor {
    var model = SensorModel.ideal
    model.hertz = 4
    model.accelerometer.biasWalk = 0.5
    model.accelerometer.biasReach = reach
    model.gyroscope.biasWalk = 0.25
    return SimulatedSensor(model, seed: seed)
  }

  @Test func theBiasWalksAsFarInOneStepAsInMany() throws {
    var (streamed, passed) = (0.0, 0.0)
    for seed in 1...500 as ClosedRange<UInt64> {
      var sensor = RestTests.walking(seed)
      var reading = InertialSample(time: .zero)
      for step in 0..<401 { reading = sensor.read(at: .seconds(step), angularRate: .zero, specificForce: .zero) }
      let walked = try #require(reading.specificForce)
      streamed += Double(walked.x * walked.x + walked.y * walked.y + walked.z * walked.z) / 1500
      var other = RestTests.walking(seed &+ 1000)
      for count in [1, 2, 37, 203, 5, 152] { other.pass(over: count) }
      let force = try #require(other.read(at: .seconds(401), angularRate: .zero, specificForce: .zero).specificForce)
      passed += Double(force.x * force.x + force.y * force.y + force.z * force.z) / 1500
    }
    // A hundred steps of 0.5.
    #expect((streamed / 25 - 1).magnitude < 0.1 && (passed / 25 - 1).magnitude < 0.1, "\(streamed) and \(passed)")
  }

  /// After a hundred steps of 0.5 the walk is at 1.999 of its 2; after a million it is no farther.
  @Test(arguments: [400, 4_000_000]) func aWalkThatIsDrawnBackStaysWithinItsReach(readings: Int) throws {
    var square = (streamed: 0.0, passed: 0.0)
    func size(_ sensor: inout SimulatedSensor) throws -> Double {
      let force = try #require(sensor.read(at: .zero, angularRate: .zero, specificForce: .zero).specificForce)
      return Double(force.x * force.x + force.y * force.y + force.z * force.z)
    }
    for seed in 1...500 as ClosedRange<UInt64> {
      var sensor = RestTests.walking(seed, reach: 2)
      sensor.pass(over: readings - 400)
      for _ in 0..<400 { _ = sensor.read(at: .zero, angularRate: .zero, specificForce: .zero) }
      square.streamed += try size(&sensor) / 1500
      var other = RestTests.walking(seed &+ 1000, reach: 2)
      for count in [1, 2, 37, 203, 5, readings - 248] { other.pass(over: count) }
      square.passed += try size(&other) / 1500
    }
    #expect((square.streamed / 4 - 1).magnitude < 0.1 && (square.passed / 4 - 1).magnitude < 0.1, "\(square)")
  }

  /// A vehicle that stands and is then lifted.
  private static func scene(hertz: Double, seed: UInt64) -> StreetScene {
    var scene = StreetScene()
    scene.seed = seed
    scene.sensor.hertz = hertz
    scene.receiver = StreetReceiver()
    var stand = StreetDeed(.stand)
    stand.set("seconds", 300)
    scene.deeds = [stand, StreetDeed(.lift)]
    return scene
  }

  /// Plays it beside a part that sleeps from the thirtieth second on.
  ///
  /// - Parameter ends: Where rests end that are passed over, s.
  /// - Returns: What the part hands over when it wakes, and all fixes with their times.
  private static func play(
    _ scene: StreetScene, ends: [Double]
  ) -> (history: [InertialSample], woken: Instant?, fixes: [Int64: GNSSFix]) {
    var player = StreetPlayer(scene)
    var engine = WakeEngine()
    var fixes: [Int64: GNSSFix] = [:]
    var ends = ends[...]
    var isWatching = false
    while let output = player.next() {
      switch output {
      case .begin: break
      case .fix(let fix): fixes[fix.time.microseconds] = fix
      case .inertial(let sample):
        if sample.time >= .seconds(30), !isWatching {
          isWatching = true
          engine.watch(WakeEngine.Settings(threshold: 0.5))
        }
        if case .woken(let history) = engine.take(sample) { return (history, sample.time, fixes) }
        if sample.time > .seconds(40), let end = ends.first,
          let quiet = player.quietNoise(for: engine, lasting: .seconds(60))
        {
          ends.removeFirst()
          _ = player.rest(
            until: Instant(microseconds: Int64(end * 1e6)), quiet: quiet, isBeyond: false, into: &engine)
        }
      }
    }
    return ([], nil, fixes)
  }

  @Test(arguments: [12.5, 25, 50, 100]) func afterARestTheFIFOAndTheReceiverAreAsStreamed(_ hertz: Double) throws {
    let scene = RestTests.scene(hertz: hertz, seed: 4)
    let streamed = RestTests.play(scene, ends: [])
    // To odd moments, in long and short steps, and to the very instant of the lift.
    let passed = RestTests.play(scene, ends: [77.123, 131, 131.5, 190.0, 233.337, 300])
    #expect(streamed.woken == passed.woken && streamed.history.map(\.time) == passed.history.map(\.time))
    #expect(streamed.history.count >= 24)
    // Until it is lifted it lies as it lay.
    for (a, b) in zip(streamed.history, passed.history) where a.time < .seconds(300) {
      let change = try #require(a.specificForce) - #require(b.specificForce)
      #expect(change.squaredLength < 0.25)
    }
    #expect(passed.fixes.count < streamed.fixes.count && passed.fixes.count > 40)
    for (time, fix) in passed.fixes { #expect(streamed.fixes[time] == fix) }
  }

  @Test func onlyWhatStandsAndCannotBeFeltIsPassedOver() {
    func rests(_ change: (inout StreetScene) -> Void) -> Bool {
      var scene = RestTests.scene(hertz: 25, seed: 5)
      change(&scene)
      var player = StreetPlayer(scene)
      for _ in 0..<100 { _ = player.next() }
      return player.restsUntil(watchedAt: 12.5) == .seconds(300)
    }
    #expect(rests { _ in })
    #expect(!rests { $0.sensor.hertz = 20 })
    #expect(!rests { $0.sensor.make = .none })
    #expect(!rests { $0.sensor.parts = .gyroscope })
    #expect(!rests { $0.instrument = Instrument() })
    #expect(!rests { $0.satellites = SatelliteModel() })
    #expect(!rests { $0.vehicle = .bike(StreetBike()) })
    #expect(!rests { $0.backgrounds = [StreetScene.Background(StreetDeed(.hum), every: 1000)] })
    #expect(!rests { $0.sensor.recordedNoise = [(.zero, .zero)] })
    #expect(!rests { $0.deeds[0] = StreetDeed(.noFix) })
    var player = StreetPlayer(RestTests.scene(hertz: 25, seed: 5))
    // Its begin, and nothing of it.
    _ = player.next()
    #expect(player.restsUntil(watchedAt: 12.5) == nil)
    for _ in 0..<100 { _ = player.next() }
    player.sound(for: .seconds(5), beat: .pulse, at: .seconds(3))
    #expect(player.restsUntil(watchedAt: 12.5) == nil)
    for _ in 0..<300 { _ = player.next() }
    #expect(player.restsUntil(watchedAt: 12.5) == .seconds(300))
  }
}
