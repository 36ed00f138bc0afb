import Quantities

/// A car or van that carries the vehicle: masses, springs, and what its floor does besides.
package struct CarFrame: Equatable, Sendable {
  /// Sprung mass, kg, and radii of gyration about the axes forward and left, m.
  package var mass = 1400.0
  package var gyration = (forward: 0.62, left: 1.25)
  /// Axles ahead of and behind the middle of mass, and half of the track, m.
  package var axles = (front: 1.25, rear: 1.4, side: 0.75)
  /// Each corner: spring, N/m, damper, N·s/m, mass of the wheel, kg, and stiffness of its tyre, N/m.
  package var corner = (spring: 24_000.0, damper: 1800.0, wheel: 42.0, tyre: 2.1e5)
  /// Where the vehicle stands in it, from the middle of mass, m.
  package var place = (x: -0.8, y: 0.2, z: 0.1)
  /// Shaking of the floor that its springs don't make, m/s² per axis at 10 m/s, and the engine's tone, m/s² and Hz.
  package var floor = 0.6
  /// Turning of the floor that its springs don't make, rad/s at 10 m/s: what the sensor lies on is no rigid part of the car.
  package var floorTurn = 0.03
  package var engine = (force: 0.1, hertz: 27.0)
  /// The road.
  package var road = RoadSurface()

  /// A van.
  package init() {}

  package static func == (a: CarFrame, b: CarFrame) -> Bool {
    a.mass == b.mass && a.gyration == b.gyration && a.axles == b.axles && a.corner == b.corner && a.place == b.place
      && a.floor == b.floor && a.floorTurn == b.floorTurn && a.engine == b.engine && a.road == b.road
  }
}

/// A car's body on its four wheels.
///
/// - Source: [gillespie] chapter 5: the full car of seven degrees of freedom, heave, pitch and roll of the sprung mass and the height of
///   each wheel; symplectic Euler at 500 steps a second. Left and right track: a common profile, and one of a third of its size that is
///   added to one and taken from the other. Floor and engine are our choice within what the recordings show.
struct CarBody: Sendable {
  static let hertz = 500.0
  private let car: CarFrame
  private var heave = (value: 0.0, rate: 0.0)
  private var pitch = (value: 0.0, rate: 0.0)
  private var roll = (value: 0.0, rate: 0.0)
  private var wheels = [(value: Double, rate: Double)](repeating: (0, 0), count: 4)
  private var common: RoadProfile
  private var difference: RoadProfile
  private var travelled = 3.0
  private var shaking: BandNoise3
  private var turning: BandNoise3
  private var tone: Oscillator
  private var random: SeededRandom

  init(_ car: CarFrame, random: SeededRandom) {
    self.car = car
    var random = random
    common = RoadProfile(car.road, contact: 0.16, random: SeededRandom(seed: random.next()))
    difference = RoadProfile(car.road, contact: 0.16, random: SeededRandom(seed: random.next()))
    shaking = BandNoise3(frequency: 45, damping: 0.9, hertz: CarBody.hertz)
    turning = BandNoise3(frequency: 8, damping: 0.8, hertz: CarBody.hertz)
    tone = Oscillator(frequency: car.engine.hertz, phase: random.uniform(0, 6), hertz: CarBody.hertz)
    self.random = random
  }

  /// What the floor does at the next step, rad/s and m/s² (without gravity), at a speed, m/s.
  mutating func next(speed: Double) -> (rate: SpaceVector, force: SpaceVector) {
    let dt = 1 / CarBody.hertz
    travelled += speed * dt
    let (a, b, half) = car.axles
    let c = car.corner
    var lift = 0.0
    var pitching = 0.0
    var rolling = 0.0
    let front = (common.under(travelled), difference.under(travelled))
    let rear = (common.under(travelled - a - b), difference.under(travelled - a - b))
    for corner in 0..<4 {
      let isFront = corner < 2
      let side = corner & 1 == 0 ? 1.0 : -1.0
      let x = isFront ? a : -b
      let road = isFront ? front : rear
      let ground = road.0.height + side * road.1.height / 3
      // Nose up lifts what is ahead, a lean to the right what is on the left.
      let above = heave.value + x * pitch.value + side * half * roll.value
      let aboveRate = heave.rate + x * pitch.rate + side * half * roll.rate
      let wheel = wheels[corner]
      let push = c.spring * (wheel.value - above) + c.damper * (wheel.rate - aboveRate)
      lift += push
      pitching += x * push
      rolling += side * half * push
      let change = (c.tyre * (ground - wheel.value) - push) / c.wheel
      let rate = wheel.rate + change * dt
      wheels[corner] = (wheel.value + rate * dt, rate)
    }
    let up = lift / car.mass
    let pitchChange = pitching / (car.mass * car.gyration.left * car.gyration.left)
    let rollChange = rolling / (car.mass * car.gyration.forward * car.gyration.forward)
    heave.rate += up * dt
    heave.value += heave.rate * dt
    pitch.rate += pitchChange * dt
    pitch.value += pitch.rate * dt
    roll.rate += rollChange * dt
    roll.value += roll.rate * dt
    let share = min(speed / 10, 2)
    let white = shaking.next(&random)
    let turn = turning.next(&random)
    let sound = tone.next().value * car.engine.force * 1.414
    let p = car.place
    let g = BodyMotion.gravity
    let force = SpaceVector(
      -pitchChange * p.z + g * pitch.value + share * car.floor * Double(white.x) + 0.4 * sound,
      -rollChange * p.z + g * roll.value + share * car.floor * Double(white.y) + 0.4 * sound,
      up + pitchChange * p.x + rollChange * p.y + share * car.floor * Double(white.z) + sound)
    // Lean to the right is positive about the axis forward, nose up negative about the axis left.
    let size = share * car.floorTurn
    let rate = SpaceVector(
      roll.rate + 0.4 * size * Double(turn.x), size * Double(turn.y) - pitch.rate, 0.1 * size * Double(turn.z))
    return (rate, force)
  }
}
