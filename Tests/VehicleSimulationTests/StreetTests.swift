import Quantities
import Testing

@testable import VehicleSimulation

/// A motion in all six ways at once, as jets.
private func tumbling(_ s: Double) -> RigidMotion {
  var motion = RigidMotion()
  motion.yaw = Jet.sine(at: s, hertz: 0.3) * 0.7 + Jet(0.4)
  motion.slope = Jet.sine(at: s, hertz: 0.5, phase: 1) * 0.3
  motion.lean = Jet.sine(at: s, hertz: 0.8, phase: 2) * 0.5
  motion.east = Jet.sine(at: s, hertz: 0.4, phase: 0.5) * 1.5
  motion.north = Jet.sine(at: s, hertz: 0.6, phase: 0.2) * 0.8
  motion.up = Jet.sine(at: s, hertz: 0.9, phase: 0.9) * 0.2
  return motion
}

private typealias Vector = (x: Double, y: Double, z: Double)

/// A vector of the body in the earth frame: lean, then pitch, then yaw, written out anew.
private func turned(_ motion: RigidMotion, _ v: Vector) -> Vector {
  let (l, p, y) = (
    Elementary.sincos(motion.lean.value), Elementary.sincos(-motion.slope.value), Elementary.sincos(motion.yaw.value)
  )
  let a: Vector = (v.x, v.y * l.cos - v.z * l.sin, v.y * l.sin + v.z * l.cos)
  let b: Vector = (a.x * p.cos + a.z * p.sin, a.y, a.z * p.cos - a.x * p.sin)
  return (b.x * y.cos - b.y * y.sin, b.x * y.sin + b.y * y.cos, b.z)
}

private func place(_ s: Double, _ arm: Vector) -> Vector {
  let motion = tumbling(s)
  let a = turned(motion, arm)
  return (motion.east.value + a.x, motion.north.value + a.y, motion.up.value + a.z)
}

@Suite struct StreetTests {
  @Test func aSensorFeelsTheAccelerationOfItsPlaceAndTheTurnOfItsAxes() {
    let arm: Vector = (-0.2, 0.1, 0.6)
    let h = 1e-4
    for step in 0..<40 {
      let s = Double(step) * 0.11
      let (a, b, c) = (place(s - h, arm), place(s, arm), place(s + h, arm))
      let force: Vector = (
        (a.x - 2 * b.x + c.x) / (h * h), (a.y - 2 * b.y + c.y) / (h * h), (a.z - 2 * b.z + c.z) / (h * h) + 9.80665
      )
      let sensed = tumbling(s).sensed(at: arm)
      let felt = turned(
        tumbling(s), (Double(sensed.specificForce.x), Double(sensed.specificForce.y), Double(sensed.specificForce.z)))
      #expect(abs(felt.x - force.x) < 1e-4 && abs(felt.y - force.y) < 1e-4 && abs(felt.z - force.z) < 1e-4)
      // The axes move as ω × axis.
      let rate = turned(
        tumbling(s), (Double(sensed.angularRate.x), Double(sensed.angularRate.y), Double(sensed.angularRate.z)))
      let (before, now, after) = (
        turned(tumbling(s - h), (1, 0, 0)), turned(tumbling(s), (1, 0, 0)), turned(tumbling(s + h), (1, 0, 0))
      )
      #expect(abs((after.x - before.x) / (2 * h) - (rate.y * now.z - rate.z * now.y)) < 1e-4)
      #expect(abs((after.y - before.y) / (2 * h) - (rate.z * now.x - rate.x * now.z)) < 1e-4)
      #expect(abs((after.z - before.z) / (2 * h) - (rate.x * now.y - rate.y * now.x)) < 1e-4)
    }
  }

  /// Every shape has the derivatives that it says it has, at its seams, too.
  @Test func ratesAndAccelerationsAreThoseOfTheValues() {
    let shapes: [(Double) -> Jet] = [
      { Jet.step(at: $0, duration: 3) }, { Jet.window(at: $0, duration: 4, edge: 1) },
      { Jet.ring(at: $0, hertz: 2, time: 0.4) },
      { Jet.sine(at: $0, hertz: 0.7, phase: 1) * Jet.step(at: $0, duration: 2) },
    ]
    let h = 1e-4
    for shape in shapes {
      for step in 1..<80 {
        let s = Double(step) * 0.0513
        let (a, b, c) = (shape(s - h), shape(s), shape(s + h))
        #expect(abs((c.value - a.value) / (2 * h) - b.rate) < 1e-4)
        #expect(abs((c.rate - a.rate) / (2 * h) - b.acceleration) < 5e-3)
      }
    }
  }

  private func samples(_ scene: StreetScene) -> [InertialSample] {
    var player = StreetPlayer(scene)
    var samples: [InertialSample] = []
    while let output = player.next() {
      if case .inertial(let sample) = output { samples.append(sample) }
    }
    return samples
  }

  @Test func oneSeedIsOneWorld() {
    var scene = StreetScene()
    scene.deeds = [StreetDeed(.gust), StreetDeed(.lift), StreetDeed(.carry)]
    scene.receiver = StreetReceiver()
    scene.sensor.mounting = .askew
    let first = samples(scene)
    #expect(first == samples(scene))
    scene.seed = 2
    #expect(first != samples(scene))
  }

  @Test func aFloorThatShakesDoesNotCarryAway() {
    var random = SeededRandom(seed: 5)
    var noise = BandNoise(frequency: 8, damping: 0.3, hertz: 50)
    var sums = (value: Float(0), square: Float(0), worst: Float(0))
    for _ in 0..<50_000 {
      let value = noise.next(Float(random.gaussian()))
      sums.value += value
      sums.square += value * value
      sums.worst = max(sums.worst, sums.value.magnitude)
    }
    #expect(abs(sums.square / 50_000 - 1) < 0.05)
    // White noise would have wandered by √50,000 = 224.
    #expect(sums.worst < 12)
  }

  @Test(arguments: [(0.5, 50.0), (1, 12.5), (2, 400)])
  func aGustRocksUpToItsDegreesAndNoFurther(hertz: Double, rate: Double) {
    var scene = StreetScene()
    var gust = StreetDeed(.gust)
    gust.set("degrees", 1)
    gust.set("hertz", hertz)
    gust.set("seconds", 30)
    scene.deeds = [gust]
    scene.sensor.hertz = rate
    var player = StreetPlayer(scene)
    var first: Double?
    var largest = 0.0
    while player.next() != nil {
      let lean = player.motion.lean.value
      if first == nil { first = lean }
      largest = max(largest, abs(lean - (first ?? 0)))
    }
    let degree = Double.pi / 180
    #expect(largest < 1.001 * degree && largest > 0.6 * degree)
  }

  @Test func whatIsCarriedEndsWhereItShould() {
    var scene = StreetScene()
    var carry = StreetDeed(.carry)
    carry.set("metres", 50)
    scene.deeds = [StreetDeed(.lift), carry, StreetDeed(.stand)]
    var player = StreetPlayer(scene)
    while player.next() != nil {}
    let way =
      (player.motion.east.value * player.motion.east.value + player.motion.north.value * player.motion.north.value)
      .squareRoot()
    #expect(abs(way - 50) < 0.01)
    #expect(abs(player.motion.up.value - 0.7) < 0.01)
    #expect(player.motion.groundSpeed < 1e-9)
  }

  @Test func whatWasLiftedAndFellStandsUprightWhereItWasCarriedWhenItsOwnerHasStoodItUp() {
    var scene = StreetScene()
    scene.deeds = [StreetDeed(.lift), StreetDeed(.carry), StreetDeed(.fall), StreetDeed(.stand)]
    var lying = StreetPlayer(scene)
    while lying.next() != nil {}
    #expect(lying.motion.lean.value.magnitude > 0.5 && lying.motion.up.value > 0.6)
    scene.deeds.insert(StreetDeed(.upright), at: 3)
    var player = StreetPlayer(scene)
    while player.next() != nil {}
    #expect(player.motion.lean.value.magnitude < 1e-9 && player.motion.up.value.magnitude < 1e-9)
    #expect(player.motion.east == lying.motion.east && player.motion.yaw == lying.motion.yaw)
  }

  /// 100 s at 5 m/s with ramps of 4 s are 480 m.
  @Test func aGlideMovesTheFixesAndNothingThatIsFelt() {
    var scene = StreetScene()
    scene.deeds = [StreetDeed(.glide), StreetDeed(.stand)]
    var receiver = StreetReceiver()
    receiver.sigma = 0
    receiver.doppler = 0
    scene.receiver = receiver
    scene.sensor.hertz = 20
    var player = StreetPlayer(scene)
    var fixes: [GNSSFix] = []
    var largest: Float = 0
    while let output = player.next() {
      switch output {
      case .fix(let fix): fixes.append(fix)
      case .inertial(let sample): largest = max(largest, abs((sample.specificForce?.length ?? 0) - 9.8))
      case .begin: break
      }
    }
    #expect(largest < 0.5)
    #expect(abs((fixes[50].speed ?? 0) - 5) < 0.01)
    guard let from = fixes.first?.position, let to = fixes.last?.position else {
      Issue.record("no fixes")
      return
    }
    let way = LocalFrame(at: from).displacement(from: from, to: to)
    #expect(abs((way.east * way.east + way.north * way.north).squareRoot() - 480) < 0.5)
  }

  @Test func aParkedReceiverScattersAsTold() {
    var scene = StreetScene()
    var stand = StreetDeed(.stand)
    stand.set("seconds", 60_000)
    scene.deeds = [stand]
    scene.sensor.make = .none
    for isSmooth in [false, true] {
      var receiver = StreetReceiver()
      receiver.sigma = 10
      receiver.tau = 20
      receiver.isSmooth = isSmooth
      scene.receiver = receiver
      var player = StreetPlayer(scene)
      var sums = (count: 0.0, value: 0.0, square: 0.0)
      while case .fix(let fix)? = skippingBegins(&player) {
        let north = Double((fix.position?.latitudeE9 ?? 0) - 52_370_000_000) * 1e-9 * 111_275
        sums = (sums.count + 1, sums.value + north, sums.square + north * north)
      }
      #expect(abs((sums.square / sums.count).squareRoot() - 10) < 1)
      #expect(abs(sums.value / sums.count) < 1)
    }
  }

  private func skippingBegins(_ player: inout StreetPlayer) -> StreetOutput? {
    while let output = player.next() {
      if case .begin = output { continue }
      return output
    }
    return nil
  }

  @Test func aSensorInTroubleGivesWhatTheTroubleSays() {
    func readings(_ kind: StreetDeed.Kind) -> [InertialSample] {
      var scene = StreetScene()
      var trouble = StreetDeed(kind)
      trouble.set("seconds", 2)
      scene.deeds = [StreetDeed(.stand), trouble]
      return samples(scene).filter { $0.time >= .seconds(60) || $0.time < .seconds(56) }.suffix(110).filter {
        $0.time >= .seconds(55)
      }
    }
    #expect(readings(.notANumber).suffix(90).allSatisfy { $0.angularRate?.x.isNaN ?? false })
    #expect(readings(.saturate).suffix(90).allSatisfy { ($0.specificForce?.x ?? 0) > 78 })
    let stuck = readings(.stick).suffix(90).map { $0.specificForce?.z }
    #expect(Set(stuck).count == 1)
    #expect(readings(.gap).allSatisfy { $0.time < .seconds(60) })
    #expect(readings(.halfRate).filter { $0.time >= .seconds(60) }.count == 50)
  }
}
