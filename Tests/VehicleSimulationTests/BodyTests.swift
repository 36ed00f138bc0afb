import Quantities
import Testing

@testable import VehicleSimulation

private func force(_ newtons: SpaceVector, at point: SpaceVector) -> PointForce {
  PointForce(force: newtons, point: point)
}

/// A body at rest on its stand, and what a hand makes of it that presses at the saddle for three seconds.
private func pressed(_ frame: BikeFrame, _ newtons: Double) -> (before: Double, after: Double) {
  var body = BikeBody(frame)
  body.settle()
  let before = body.attitude.angles.lean
  for _ in 0..<3000 {
    guard body.isUpright else { break }
    body.step([force(SpaceVector(0, newtons, 0), at: SpaceVector(-0.25, 0, 0.9))])
  }
  for _ in 0..<6000 { body.step([]) }
  return (before, body.attitude.angles.lean)
}

private func scatter(_ values: [Double]) -> Double {
  let mean = values.reduce(0, +) / Double(values.count)
  return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
}

@Suite struct BodyTests {
  @Test func aFrameOnWheelsAloneFallsAsAnInvertedPendulum() {
    var frame = BikeFrame()
    frame.support = .held
    frame.friction = 50
    // Stiff tyres, so that the wheels stay where they are.
    frame.tyre = (1e6, 0.5)
    var body = BikeBody(frame)
    for _ in 0..<2000 { body.step([]) }
    // A nudge at the height of the middle of mass, along the left.
    for _ in 0..<10 { body.step([force(SpaceVector(0, 20, 0), at: SpaceVector(0, 0, frame.height))]) }
    for _ in 0..<100 { body.step([]) }
    let start = (lean: body.attitude.angles.lean, rate: body.rate.x)
    // I = m (k² + h²): λ = √(g h / (k² + h²)).
    let k = frame.gyration.forward
    let growth = (9.80665 * frame.height / (k * k + frame.height * frame.height)).squareRoot()
    for _ in 0..<500 { body.step([]) }
    let (grown, shrunk) = (Elementary.exp(growth * 0.5), Elementary.exp(-growth * 0.5))
    let expected = start.lean * (grown + shrunk) / 2 + start.rate / growth * (grown - shrunk) / 2
    #expect(abs(body.attitude.angles.lean / expected - 1) < 0.03)
  }

  @Test func onItsStandItLeansAsItShouldAndCarriesItsWeight() {
    var body = BikeBody(BikeFrame())
    body.settle()
    #expect(abs(body.attitude.angles.lean + 0.17) < 0.015)
    for _ in 0..<5000 { body.step([]) }
    let felt = body.sensed(at: SpaceVector(-0.15, 0.03, 0.55)).specificForce
    let norm = (felt.x * felt.x + felt.y * felt.y + felt.z * felt.z).squareRoot()
    #expect(abs(norm - 9.80665) < 0.01)
    // Leaning to the left, the left axis points down.
    #expect(felt.y < -1.4)
  }

  @Test func aStandHoldsUpToTheWeightThatItBearsAndNoFurther() {
    let frame = BikeFrame()
    // To the right it is lifted off its foot by the moment of its weight about the wheels, m g h sin θ.
    let off = frame.mass * 9.80665 * frame.height * Elementary.sin(0.17) / 0.9
    let held = pressed(frame, -0.6 * off)
    #expect(abs(held.after - held.before) < 0.02)
    #expect(pressed(frame, -1.6 * off).after > 1)
    // To the left it goes over the line from its foot to the front wheel, which is 0.22 · 0.53/(0.53 + 0.15) beside the middle of mass.
    let over = frame.mass * 9.80665 * (0.1715 - frame.height * Elementary.sin(0.17)) / 0.9
    // A push that comes at once swings up to twice as far.
    let still = pressed(frame, 0.4 * over)
    #expect(abs(still.after - still.before) < 0.02)
    #expect(pressed(frame, 2.2 * over).after < -1)
    #expect(frame.stabilityLean.map { abs($0 - 0.3171) < 0.001 } == true)
  }

  @Test func aWallHoldsWhatARackDoesNotAndTheOtherWayRound() {
    var wall = BikeFrame()
    wall.support = .wall(lean: 0.15)
    // Against the wall a push that would throw a bicycle over its stand does nothing.
    let leant = pressed(wall, 60)
    #expect(abs(leant.after - leant.before) < 0.05)
    #expect(pressed(wall, -60).after > 1)
    var rack = BikeFrame()
    rack.support = .rack(play: 0.01)
    for newtons in [25.0, -25] { #expect(abs(pressed(rack, newtons).after) < 0.3) }
  }

  @Test func whatIsHeavierIsMovedLessByTheSameBlow() {
    func speed(_ mass: Double) -> Double {
      var frame = BikeFrame()
      frame.mass = mass
      frame.support = .held
      frame.tyre = (1e5, 0.1)
      var body = BikeBody(frame)
      var most = 0.0
      // 2 N·s ahead, within 20 ms, at the middle of mass.
      for step in 0..<40 {
        let push = step < 20 ? 100.0 : 0
        body.step([force(SpaceVector(push, 0, 0), at: SpaceVector(0, 0, frame.height))])
        most = max(most, body.velocity.x)
      }
      return most
    }
    var unlocked = BikeFrame()
    unlocked.isLocked = false
    #expect(speed(16) < 2.0 / 16 && speed(16) > 0.6 * 2 / 16)
    #expect(speed(16) / speed(28) > 1.4)
  }

  @Test func gustsHaveTheSpectrumOfDavenport() {
    var random = SeededRandom(seed: 2)
    var squares = 0.0
    var mean = 0.0
    let runs = 60
    for _ in 0..<runs {
      // A small body far up feels all of it.
      var wind = WindForce(
        speed: 8, height: 10, roughness: 0.1, drag: 0.01, area: 1e-9, hertz: 4, random: &random)
      for _ in 0..<4000 {
        let gust = wind.next() - wind.mean
        squares += gust * gust / Double(4000 * runs)
      }
      mean += wind.mean / Double(runs)
    }
    #expect(abs(mean - 8) < 1e-6)
    // σ² = 6 κ U²; a tenth of it is slower than what is simulated.
    #expect(abs(squares / (6 * 0.01 * 64) - 0.93) < 0.1)
    // Its peak, n·S(n), is at x = √3 · ... = 1.7: 4 x² / (1 + x²)^(4/3) = 1.76 at most.
    let peak = WindForce.density(8 * 1.7320508 / 1200, speed: 8, drag: 0.01) * 8 * 1.7320508 / 1200 / (0.01 * 64)
    #expect(abs(peak - 1.8899) < 0.001)
  }

  @Test func whatALargeBodyFeelsOfAGustIsLess() {
    func gusts(_ area: Double) -> Double {
      var random = SeededRandom(seed: 7)
      var wind = WindForce(speed: 6, height: 0.9, roughness: 0.1, drag: 0.01, area: area, hertz: 20, random: &random)
      return scatter((0..<20_000).map { _ in wind.next() })
    }
    #expect(gusts(100) < 0.9 * gusts(0.01))
    #expect(gusts(4) < 0.99 * gusts(0.01))
  }

  @Test func aRoadHasTheDensityOfItsClass() {
    var surface = RoadSurface()
    surface.roughness = 64e-6
    surface.patches = 0
    surface.bumps = (0, 0)
    var road = RoadProfile(surface, contact: 0.02, random: SeededRandom(seed: 3))
    // Differences over L of a road with n⁻²: the mean square is 4π²n₀²G(n₀)·L/2.
    let length = 1.0
    var squares = 0.0
    let count = 60_000
    for step in 0..<count {
      let at = Double(step) * 0.5 + 4
      let change = road.under(at).height
      let before = road.under(at - length).height
      squares += (change - before) * (change - before) / Double(count)
    }
    #expect(abs(squares / (0.39478 * 64e-6 * length / 2) - 1) < 0.1)
  }

  @Test func aRoughRoadShakesARiddenBicycleMoreThanASmoothOne() {
    func shaking(_ roughness: Double) -> Double {
      var bike = StreetBike()
      bike.road.roughness = roughness
      bike.road.bumps = (0, 0)
      bike.road.patches = 0
      var deed = StreetDeed(.ride)
      deed.set("seconds", 40)
      var run = BikeRun(bike, random: SeededRandom(seed: 4))
      run.begin(deed)
      var values: [Double] = []
      for step in 0..<12_000 {
        run.step(speed: 6)
        if step > 4000 { values.append(Double(run.body.sensed(at: SpaceVector(-0.15, 0.03, 0.55)).specificForce.z)) }
      }
      #expect(run.body.isUpright)
      return scatter(values)
    }
    let (smooth, rough) = (shaking(16e-6), shaking(64e-6))
    // Four times the density is twice the shaking, but for the wheels that leave the ground.
    #expect(abs(rough / smooth - 2) < 0.4)
  }

  @Test func handsLiftCarryAndPutDown() {
    var run = BikeRun(StreetBike(), random: SeededRandom(seed: 6))
    let stood = run.body.place.z
    var lift = StreetDeed(.hoist)
    lift.set("metres", 0.6)
    run.begin(lift)
    for _ in 0..<2500 { run.step(speed: 0) }
    run.begin(StreetDeed(.stand))
    for _ in 0..<2000 { run.step(speed: 0) }
    #expect(abs(run.body.place.z - stood - 0.6) < 0.03)
    #expect(!run.isResting)
    var carry = StreetDeed(.haul)
    carry.set("metres", 12)
    carry.set("hertz", 2)
    run.begin(carry)
    var height: [Double] = []
    for step in 0..<Int(carry.duration * 1000) {
      run.step(speed: 0)
      if step > 4000, step < 10_000 { height.append(run.body.place.z) }
    }
    #expect(abs(run.body.place.x - 12) < 0.2)
    // Two steps a second, each with two crossings of its mean.
    let mean = height.reduce(0, +) / Double(height.count)
    let crossings = zip(height.dropFirst(), height).count { ($0 > mean) != ($1 > mean) }
    #expect(abs(crossings - 24) <= 3)
    run.begin(StreetDeed(.setDown))
    for _ in 0..<3000 { run.step(speed: 0) }
    run.begin(StreetDeed(.stand))
    for _ in 0..<9000 { run.step(speed: 0) }
    #expect(run.isResting && run.body.isUpright)
    #expect(abs(run.body.place.z - stood) < 0.01)
  }

  @Test func aToolShakesTheFrameWithItsOwnFrequency() {
    var deed = StreetDeed(.grinder)
    deed.set("hertz", 125)
    deed.set("newtons", 20)
    var run = BikeRun(StreetBike(), random: SeededRandom(seed: 9))
    run.begin(deed)
    var values: [Double] = []
    for step in 0..<9192 {
      run.step(speed: 0)
      if step >= 1000 { values.append(Double(run.body.sensed(at: SpaceVector(0, 0, 0.55)).specificForce.z)) }
    }
    // Power in bands of 20 Hz by sums of sines and cosines.
    func power(_ hertz: Double) -> Double {
      var (c, s) = (0.0, 0.0)
      for (place, value) in values.enumerated() {
        let turn = Elementary.sincos(2 * Double.pi * hertz * Double(place) / 1000)
        c += (value - 9.8) * turn.cos
        s += (value - 9.8) * turn.sin
      }
      return c * c + s * s
    }
    func band(_ middle: Double) -> Double {
      stride(from: -12.0, through: 12, by: 0.5).reduce(0) { $0 + power(middle + $1) }
    }
    #expect(band(125) > 8 * band(200))
    #expect(band(125) > 8 * band(60))
    // 20 N on 16 kg: about a metre per second squared.
    #expect(scatter(values) > 0.4 && scatter(values) < 3)
  }

  @Test func aCarRocksAtItsOwnFrequency() {
    var car = CarFrame()
    car.floor = 0
    car.floorTurn = 0
    car.engine.force = 0
    var body = CarBody(car, random: SeededRandom(seed: 3))
    var crossings = 0
    var last = 0.0
    var low = 0.0
    for step in 0..<60_000 {
      let force = body.next(speed: 15).force.z
      // A low-pass leaves the body and takes the wheels away.
      low += (force - low) * 0.02
      if step > 2000, (low > 0) != (last > 0) { crossings += 1 }
      last = low
    }
    let hertz = Double(crossings) / 2 / 116
    let own = (4 * car.corner.spring / car.mass).squareRoot() / (2 * Double.pi)
    #expect(hertz > 0.7 * own && hertz < 3 * own)
  }

  @Test func aDogBreathesWalksAndShakesItself() {
    let pet = PetFrame()
    func rolls(_ kind: StreetDeed.Kind, _ seconds: Double) -> [Double] {
      var run = PetRun(pet, random: SeededRandom(seed: 5))
      run.begin(
        {
          var deed = StreetDeed(kind)
          deed.set("seconds", seconds)
          return deed
        }())
      return (1...Int(seconds * 100)).map { run.next(at: Double($0) / 100).lean.value }
    }
    let shaking = rolls(.petShake, 4)
    #expect(shaking.map(\.magnitude).max() ?? 0 > 0.3)
    let crossings = zip(shaking.dropFirst(100), shaking.dropFirst(99)).count { ($0 > 0) != ($1 > 0) }
    #expect(abs(Double(crossings) / 2 / 3 - pet.shakeHertz) < 1.2)
    #expect(rolls(.petLie, 20).map(\.magnitude).max() ?? 1 < 0.1)
    #expect(rolls(.petWalk, 20).map(\.magnitude).max() ?? 0 > 0.02)
    // What it feels is what its motion is: rates are those of the angles.
    var run = PetRun(pet, random: SeededRandom(seed: 8))
    var deed = StreetDeed(.petRun)
    deed.set("seconds", 20)
    run.begin(deed)
    var (before, worst) = (run.next(at: 5), 0.0)
    for step in 1...2000 {
      let now = run.next(at: 5 + Double(step) / 1000)
      worst = max(worst, ((now.up.value - before.up.value) * 1000 - (now.up.rate + before.up.rate) / 2).magnitude)
      before = now
    }
    #expect(worst < 0.01)
  }
}

@Suite struct BodySceneTests {
  private func play(_ scene: StreetScene) -> [InertialSample] {
    var player = StreetPlayer(scene)
    var samples: [InertialSample] = []
    while let output = player.next() { if case .inertial(let sample) = output { samples.append(sample) } }
    return samples
  }

  private func scene(_ deeds: [StreetDeed], _ vehicle: StreetVehicle) -> StreetScene {
    var scene = StreetScene()
    scene.deeds = deeds
    scene.vehicle = vehicle
    scene.instrument = Instrument()
    scene.seed = 12
    return scene
  }

  private func deed(_ kind: StreetDeed.Kind, _ numbers: [String: Double]) -> StreetDeed {
    var deed = StreetDeed(kind)
    for (name, value) in numbers {
      let isSet = deed.set(name, value)
      #expect(isSet)
    }
    return deed
  }

  @Test func aBodyThatNothingMovesFeelsGravityAndNothingElse() {
    let samples = play(scene([deed(.stand, ["seconds": 30])], .bike(StreetBike())))
    #expect(samples.count == 1500)
    let first = samples[100].specificForce ?? .zero
    for sample in samples.dropFirst(100) {
      #expect(sample.angularRate == Vector3.zero)
      #expect(sample.specificForce == first)
    }
  }

  @Test func aBodyThatIsCarriedIsWhereItWasCarried() {
    var carried = scene(
      [deed(.stand, ["seconds": 5]), deed(.hoist, [:]), deed(.haul, ["metres": 30]), deed(.stand, ["seconds": 5])],
      .bike(StreetBike()))
    carried.receiver = StreetReceiver()
    var player = StreetPlayer(carried)
    let start = player.truePosition
    while player.next() != nil {}
    let end = player.truePosition
    guard let start, let end, let usual = StreetOrigin.usual else {
      Issue.record("no place")
      return
    }
    let way = LocalFrame(at: usual).displacement(from: start, to: end)
    #expect(abs((way.east * way.east + way.north * way.north).squareRoot() - 30) < 0.5)
  }

  @Test func aRideEndsUprightOnTheStandWhereItWasRiddenTo() {
    var ridden = scene(
      [deed(.stand, ["seconds": 5]), deed(.ride, ["speed": 5, "seconds": 60]), deed(.stand, ["seconds": 20])],
      .bike(StreetBike()))
    ridden.receiver = StreetReceiver()
    ridden.sensor.hertz = 100
    let samples = play(ridden)
    func shaking(_ from: Double, _ to: Double) -> Double {
      scatter(samples[Int(from * 100)..<Int(to * 100)].map { Double($0.specificForce?.z ?? 0) })
    }
    #expect(shaking(0, 4.9) < 1e-3 && shaking(75, 84.9) < 1e-3)
    #expect(shaking(20, 50) > 0.5)
    let parked = samples[8400].specificForce ?? .zero
    #expect(parked.y < -1.2 && parked.y > -2.2)
  }

  @Test func theSameSeedGivesTheSameBitsAndAnotherOthers() {
    func hash(_ seed: UInt64) -> [UInt32] {
      var world = scene([deed(.wind, ["seconds": 20]), deed(.knock, [:])], .bike(StreetBike()))
      world.seed = seed
      return play(world).map { ($0.specificForce?.y ?? 0).bitPattern }
    }
    #expect(hash(3) == hash(3))
    #expect(hash(3) != hash(4))
  }
}
