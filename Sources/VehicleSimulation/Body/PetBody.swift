import Quantities

/// An animal that wears a collar.
package struct PetFrame: Equatable, Sendable {
  /// kg.
  package var mass = 20.0
  /// Breaths a second at rest, and how far they lift the neck, m.
  package var breathing = (hertz: 0.35, lift: 0.003)
  /// From the axis of the neck to the tracker that hangs below it, m.
  package var neck = 0.075
  /// Damping of the collar on the neck as a share of the critical one: fur and how tight it is.
  package var grip = 0.7
  /// How far the neck turns to either side when it shakes itself, rad.
  package var shake = 1.2

  /// A dog of middle size.
  package init() {}

  package static func == (a: PetFrame, b: PetFrame) -> Bool {
    a.mass == b.mass && a.breathing == b.breathing && a.neck == b.neck && a.grip == b.grip && a.shake == b.shake
  }

  /// Strides a second where it goes over from trot to gallop: [heglund], 269 M^−0.14 a minute.
  package var gallopHertz: Double { 4.483 * Elementary.pow(mass, -0.14) }
  /// Shakes a second when it is wet: [dickerson] finds M^−0.22; the factor and the bounds are our choice for dogs, 4 to 8 Hz.
  package var shakeHertz: Double { min(max(10.8 * Elementary.pow(mass, -0.22), 4), 8) }
}

/// The neck of an animal and the collar on it, as joints that move.
///
/// - Source: our derivation. Trunk and neck move along sines of the stride; the collar is a pendulum about the neck: with φ its turn, r its
///   lever and ψ that of the neck, φ'' = −(g/r) sin φ − 2ζ√(g/r) (φ' − ψ') − (a/r) cos φ, where a is the neck's acceleration to the left.
struct PetRun: Sendable {
  private static let step = 1.0 / 500
  private let pet: PetFrame
  private var deed = StreetDeed(.stand)
  private var duration = 0.0
  private var turn = (value: 0.0, rate: 0.0)
  private var clock = 0.0
  private var stride = 0.0
  private var phase = 0.0
  private var wander: Rocking
  private var standing = Posture()
  private var pose = (height: 0.0, slope: 0.0)
  private var random: SeededRandom

  /// Amplitudes of a way to move.
  private struct Posture {
    var height = 0.0
    var slope = 0.0
  }

  init(_ pet: PetFrame, random: SeededRandom) {
    self.pet = pet
    self.random = random
    wander = Rocking(frequency: 0.15, hertz: 1 / PetRun.step, random: &self.random)
  }

  mutating func begin(_ deed: StreetDeed) {
    self.deed = deed
    duration = deed.duration
    clock = 0
    phase = random.uniform(0, 6)
    pose = (standing.height, standing.slope)
    switch deed.kind {
    case .petWalk: stride = pet.gallopHertz * (0.3 + 0.25 * min(deed["speed"] / 1.5, 1.6))
    case .petRun: stride = pet.gallopHertz * (0.95 + 0.03 * deed["speed"])
    case .petDig: stride = 3.2
    case .petShake: stride = pet.shakeHertz
    default: stride = 0
    }
  }

  /// The joints at a time: where the axis of the neck is since the deed began, its slope, and its turn and accelerations.
  private func joints(at s: Double, looking: Jet) -> (motion: RigidMotion, neckRate: Double, left: Double) {
    var motion = RigidMotion()
    let strength = Jet.window(at: s, duration: duration, edge: min(0.8, duration / 3))
    let change = Jet.step(at: s, duration: min(1.5, duration))
    var end = Posture()
    switch deed.kind {
    case .petLie: end = Posture(height: -0.35, slope: -0.2)
    case .petDig: end = Posture(height: -0.15, slope: -0.6)
    default: break
    }
    motion.up = Jet(pose.height) + change * (end.height - pose.height)
    motion.slope = Jet(pose.slope) + change * (end.slope - pose.slope)
    let breath = pet.breathing
    motion.up += Jet.sine(at: s, hertz: breath.hertz, phase: phase) * breath.lift
    motion.slope += Jet.sine(at: s, hertz: breath.hertz, phase: phase + 0.4) * (breath.lift / 0.4)
    var left = Jet.zero
    var neck = 0.0
    func sine(_ times: Double, _ size: Double, _ shift: Double = 0) -> Jet {
      strength * Jet.sine(at: s, hertz: stride * times, phase: phase * times + shift) * size
    }
    switch deed.kind {
    case .petWalk:
      // Two steps of the fore legs a stride; the head nods with each, and the trunk sways with the stride.
      motion.up += sine(2, 0.012) + sine(4, 0.002, 1)
      motion.slope += sine(2, 0.07, 0.6)
      left = sine(1, 0.015, 0.3)
      neck = sine(1, 0.09).rate
      motion.yaw += strength * looking * 0.25
    case .petRun:
      // One leap a stride, the trunk pitches, and each landing is hard.
      motion.up += sine(1, 0.055) + sine(2, 0.016, 0.7) + sine(4, 0.003, 0.2)
      motion.slope += sine(1, 0.16, 1.2) + sine(2, 0.04)
      left = sine(1, 0.012, 0.9)
      neck = sine(1, 0.12).rate
      motion.yaw += strength * looking * 0.15
    case .petDig:
      motion.up += sine(1, 0.02) + sine(2, 0.004, 0.5)
      motion.slope += sine(1, 0.12, 0.8)
      left = sine(0.5, 0.02)
      neck = sine(1, 0.1).rate
    case .petShake:
      neck = sine(1, pet.shake).rate
      left = sine(1, 0.02, 0.4)
      motion.up += sine(2, 0.004)
    default: motion.yaw += strength * looking * 0.05
    }
    motion.north = left
    if deed.kind == .petWalk || deed.kind == .petRun {
      let speed = deed["speed"]
      motion.east =
        StreetAct.distance(
          at: s, speed: speed, ramp: StreetDeed.ramp(speed: speed, acceleration: 2), duration: duration)
        + sine(2, deed.kind == .petRun ? 0.012 : 0.006)
    }
    return (motion, neck, left.acceleration)
  }

  /// The motion of the collar `s` seconds after the deed began; the sensor sits `neck` below its axis.
  mutating func next(at s: Double) -> RigidMotion {
    var looking = wander.next()
    var joints = self.joints(at: clock, looking: looking)
    func change(_ neckRate: Double, _ left: Double) -> Double {
      let square = BodyMotion.gravity / pet.neck
      let wave = Elementary.sincos(turn.value)
      return -square * wave.sin - 2 * pet.grip * square.squareRoot() * (turn.rate - neckRate) - left / pet.neck
        * wave.cos
    }
    while clock < s - 1e-9 {
      let dt = min(PetRun.step, s - clock)
      clock += dt
      looking = wander.next()
      joints = self.joints(at: clock, looking: looking)
      turn.rate += change(joints.neckRate, joints.left) * dt
      turn.value += turn.rate * dt
    }
    var motion = joints.motion
    motion.lean = Jet(turn.value, rate: turn.rate, acceleration: change(joints.neckRate, joints.left))
    standing = Posture(height: motion.up.value, slope: motion.slope.value)
    return motion
  }

  /// Where the tracker is below the axis of the neck, m.
  var arm: (x: Double, y: Double, z: Double) { (0, 0, -pet.neck) }
}
