import Quantities

/// A bicycle with its stand, its road and its rider, to which deeds are done by forces.
struct BikeRun: Sendable {
  private(set) var body: BikeBody
  private let bike: StreetBike
  private var random: SeededRandom
  private var deed = StreetDeed(.stand)
  private var duration = 0.0
  /// Steps since the deed began.
  private var count = 0
  private var hands: Hands?
  private var wind: WindForce?
  private var windWay = SpaceVector.zero
  private var tool: ToolForce?
  private var rumble: [Rocking] = []
  private var rider: [RiderMass] = []
  private var front: RoadProfile
  private var travelled = 0.0
  private var side = 1.0
  private var start = (place: SpaceVector.zero, lean: 0.0, slope: 0.0)
  private var calm = 0
  private var held: (place: SpaceVector, lean: Double)?
  private var pedalling = 0.0
  private let parkedLean: Double
  private let parkedHeight: Double

  init(_ bike: StreetBike, random: SeededRandom) {
    self.bike = bike
    self.random = random
    body = BikeBody(bike.frame)
    front = RoadProfile(bike.road, contact: 0.03, random: SeededRandom(seed: self.random.next()))
    body.settle()
    parkedLean = body.attitude.angles.lean
    parkedHeight = body.place.z
    calm = BikeRun.patience
  }

  /// Steps without a force or a motion after which it rests.
  private static var patience: Int { 1500 }

  /// True while nothing moves it.
  var isResting: Bool { calm >= BikeRun.patience }

  /// A deed begins.
  mutating func begin(_ deed: StreetDeed) {
    finish()
    self.deed = deed
    duration = deed.duration
    count = 0
    side = random.next() & 1 == 0 ? 1 : -1
    let angles = body.attitude.angles
    start = (body.place, angles.lean, angles.slope)
    switch deed.kind {
    case .wind:
      let turn = Elementary.sincos(random.uniform(0.9, 2.2) * side)
      windWay = SpaceVector(turn.cos, turn.sin, 0)
      wind = WindForce(
        speed: deed["speed"], height: 0.9, roughness: 0.1, drag: 0.008, area: bike.frame.side.area,
        hertz: BikeRun.windHertz, random: &random)
    case .saw, .grinder, .boltCutter: tool = ToolForce(deed, random: SeededRandom(seed: random.next()))
    case .lorry:
      rumble = []
      for _ in 0..<3 { rumble.append(Rocking(frequency: deed["hertz"], hertz: BikeBody.hertz, random: &random)) }
    case .hoist, .haul, .setDown, .upright:
      if hands == nil { take(stiffness: bike.arms) }
      if deed.kind == .hoist || deed.kind == .haul {
        body.release()
        body.isStandDown = false
      }
    case .ride, .roll:
      let load = deed.kind == .ride ? bike.rider : 5
      take(stiffness: deed.kind == .ride ? 2500 : 800, balance: (200 + 28 * load, 5 + 0.9 * load))
      hands?.isLifting = false
      body.release()
      body.isStandDown = false
      rider = deed.kind == .ride ? bike.riderMasses : []
    default: break
    }
    if deed.kind != .stand { calm = 0 }
  }

  private mutating func take(stiffness: Double, balance: (spring: Double, inertia: Double)? = nil) {
    hands = Hands(
      mass: bike.frame.mass, stiffness: stiffness, balance: balance, random: SeededRandom(seed: random.next()))
  }

  /// The deed is over.
  private mutating func finish() {
    wind = nil
    tool = nil
    rumble = []
    body.ground = (.zero, .zero)
    switch deed.kind {
    case .hoist, .haul: held = hands.map { ($0.place, $0.lean) }
    case .setDown, .upright, .ride, .roll:
      hands = nil
      held = nil
      rider = []
    default: break
    }
  }

  /// Wind changes slowly: it is made anew at this rate.
  private static var windHertz: Double { 50 }
  private var blowing = 0.0
  /// Those of this step.
  private var forces: [PointForce] = []

  /// One step, at the speed (m/s) of the way that goes on beside it.
  mutating func step(speed: Double) {
    guard !isResting || hands != nil else { return }
    let s = Double(count) / BikeBody.hertz
    count += 1
    forces.removeAll(keepingCapacity: true)
    var torque = SpaceVector.zero
    act(at: s, speed: speed)
    if var hands = self.hands {
      guide(&hands, at: s, speed: speed)
      let push = hands.act(on: body)
      forces.append(PointForce(force: push.force, point: SpaceVector(0, 0, bike.frame.height)))
      torque += push.torque
      self.hands = hands
    }
    for place in rider.indices { forces.append(rider[place].next(body)) }
    body.step(forces, torque: torque)
    if forces.isEmpty, body.kinetic < 2e-7 * bike.frame.mass {
      calm += 1
      if isResting { body.still() }
    } else {
      calm = 0
    }
  }

  private mutating func act(at s: Double, speed: Double) {
    let edge = Jet.window(at: s, duration: duration, edge: min(1, duration / 3)).value
    switch deed.kind {
    case .wind:
      if count % Int(BikeBody.hertz / BikeRun.windHertz) == 1 { blowing = wind?.next() ?? 0 }
      // ½ρ·c·A·u|u| at the middle of the side.
      let pressure = 0.6 * bike.frame.side.drag * bike.frame.side.area * blowing * blowing.magnitude
      let force = windWay * (pressure * edge)
      // Along the nose there is less to blow at.
      forces.append(
        PointForce(force: SpaceVector(0.3 * force.x, force.y, 0), point: SpaceVector(-0.05, 0, bike.frame.height + 0.1))
      )
    case .press:
      // Nobody presses what has fallen.
      guard body.isUpright else { return }
      let rise = Jet.window(at: s, duration: duration, edge: min(0.8, duration / 3)).value
      forces.append(
        PointForce(force: SpaceVector(0, -deed["newtons"] * rise, 0), point: SpaceVector(-0.25, 0, deed["height"])))
    case .knock:
      let t = s - 0.05
      guard t >= 0, t < 0.02 else { return }
      let size = deed["newtonSeconds"] * Double.pi / 0.04 * Elementary.sin(Double.pi * t / 0.02)
      forces.append(
        PointForce(force: SpaceVector(0.3 * size, side * size, 0), point: SpaceVector(0.2, 0, deed["height"])))
    case .lorry:
      let turn = 2 * Double.pi * deed["hertz"]
      let size = deed["gravities"] * BodyMotion.gravity * 1.414 / (turn * turn) * edge
      var waves: [Jet] = []
      for place in rumble.indices { waves.append(rumble[place].next() * size) }
      guard waves.count == 3 else { return }
      body.ground = (
        SpaceVector(0.5 * waves[0].value, 0.5 * waves[1].value, waves[2].value),
        SpaceVector(0.5 * waves[0].rate, 0.5 * waves[1].rate, waves[2].rate)
      )
      // The body does not rest while the ground moves.
      forces.append(PointForce(force: .zero, point: .zero))
    case .saw, .grinder, .boltCutter:
      if let force = tool?.next(at: s) { forces.append(PointForce(force: force, point: ToolForce.lock)) }
    case .ride, .roll: roll(at: s, speed: speed)
    default: break
    }
  }

  /// The road passes by under the wheels.
  private mutating func roll(at s: Double, speed: Double) {
    travelled += speed / BikeBody.hertz
    // Where it stands before and after, the ground is level.
    let share = Jet.window(at: s, duration: duration, edge: min(2, duration / 3)).value
    let ahead = front.under(travelled + 1.5)
    let behind = front.under(travelled + 1.5 - bike.frame.wheelbase)
    body.road = [ahead * share, behind * share]
    body.rolling = speed
  }

  /// Where the hands want it.
  private mutating func guide(_ hands: inout Hands, at s: Double, speed: Double) {
    switch deed.kind {
    case .hoist:
      let share = Jet.step(at: s, duration: duration)
      hands.place = start.place + SpaceVector(0, 0, deed["metres"] * share.value)
      hands.velocity = SpaceVector(0, 0, deed["metres"] * share.rate)
      hands.load = Jet.step(at: s, duration: min(0.7, duration / 3)).value
      hands.lean = start.lean * (1 - share.value) + side * 0.35 * share.value
      hands.slope = start.slope * (1 - share.value) + 0.25 * share.value
    case .haul:
      let way = StreetAct.distance(
        at: s, speed: deed["speed"], ramp: StreetDeed.ramp(speed: deed["speed"], acceleration: 1), duration: duration)
      let hertz = deed["hertz"]
      let pace = min(way.rate / deed["speed"], 1)
      // [gait-trunk]: a walker's middle rises and falls by 2 cm about its mean each step, and sways as far each second one.
      let step = Jet.sine(at: s, hertz: hertz) * (0.02 * pace)
      let sway = Jet.sine(at: s, hertz: hertz / 2) * (0.02 * pace)
      let lift = max(0, 0.45 - (start.place.z - bike.frame.height)) * Jet.step(at: s, duration: 1.5).value
      hands.place = start.place + SpaceVector(way.value, sway.value, lift + step.value)
      hands.velocity = SpaceVector(way.rate, sway.rate, step.rate)
      hands.load = max(hands.load, Jet.step(at: s, duration: 0.7).value)
    case .setDown, .upright:
      let share = Jet.step(at: s, duration: duration * 0.8)
      let stand = SpaceVector(start.place.x, start.place.y, parkedHeight)
      hands.place = start.place * (1 - share.value) + stand * share.value
      hands.velocity = (stand - start.place) * share.rate
      hands.lean = start.lean * (1 - share.value) + parkedLean * share.value
      hands.slope = start.slope * (1 - share.value)
      hands.load = s < duration * 0.8 ? max(0.8, hands.load) : hands.load * 0.995
      if s > 0.7 * duration { body.stand(at: body.place) }
    case .ride, .roll:
      hands.place = SpaceVector(start.place.x, start.place.y, body.place.z)
      hands.velocity = SpaceVector(0, 0, 0)
      let end = Jet.step(at: s - duration + 2, duration: 1.5).value
      let begin = Jet.step(at: s, duration: 1).value
      var sway = 0.0
      if deed.kind == .ride, speed > 1 {
        pedalling += 2 * Double.pi * Double(RiderMotion.cadence(speed: Float(speed))) / BikeBody.hertz
        sway = 2.5 * Double(RiderMotion.pedallingLean) * Elementary.sin(pedalling)
      } else if deed.kind == .roll {
        // Who walks beside it moves it with each step.
        pedalling += 2 * Double.pi * (0.9 + 0.6 * speed) * 0.5 / BikeBody.hertz
        sway = 0.002 * min(speed, 1) * Elementary.sin(pedalling)
      }
      hands.lean = start.lean * (1 - begin) + (sway * begin) * (1 - end) + parkedLean * end
      hands.load = 0
      if s > duration - 0.6 { body.stand(at: body.place) }
    default:
      if let held {
        hands.place = held.place
        hands.velocity = .zero
        hands.lean = held.lean
      }
    }
  }
}
