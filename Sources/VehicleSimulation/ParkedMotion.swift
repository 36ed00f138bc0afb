import Quantities

/// Plays a `ParkingScene` sample by sample: the true motion of the bicycle, what shakes it, and where it goes.
struct ParkedMotion: Sendable {
  /// Standard deviation of the wind's sway, rad: 0.006 m/s² of tilt and 0.0015 rad/s, far below any threshold. Our choice.
  static let windLean: Float = 0.0006
  /// Time constant of the ringing after a knock, s: e⁻⁵·⁷ is left after 0.4 s.
  static let ringing = 0.07

  private(set) var motion: BodyMotion
  /// Shaking beside the motion, rad/s and m/s² in the body frame.
  private(set) var shaking: (rate: Vector3, force: Vector3) = (.zero, .zero)
  /// Displacement since the scene began, m.
  private(set) var east = 0.0
  private(set) var north = 0.0

  private let period: Double
  private let startLean: Double
  private var addedLean = 0.0
  private var tilt = 0.0
  private var phaseTilt = 0.0
  private var strides = 2.0
  private var strength = 1.0
  private var wind: ColouredNoise
  private var jolts: ColouredNoise3
  private var turns: ColouredNoise3
  private var texture: ColouredNoise3
  private var random: SeededRandom

  init(after ride: BodyMotion, seed: UInt64, hertz: Int) {
    period = 1 / Double(hertz)
    motion = BodyMotion()
    motion.yaw = ride.yaw
    motion.slope = ride.slope
    motion.lean = ride.lean
    motion.speed = ride.speed
    startLean = ride.lean
    wind = ColouredNoise(frequency: 0.4, damping: 0.4, hertz: hertz)
    jolts = ColouredNoise3(frequency: 5, damping: 0.3, hertz: hertz)
    turns = ColouredNoise3(frequency: 3, damping: 0.4, hertz: hertz)
    texture = ColouredNoise3(frequency: 11, damping: 0.5, hertz: hertz)
    random = SeededRandom(seed: seed, stream: 4)
  }

  /// A ride that ends on the way brakes first, at this rate, m/s².
  static let braking = 2.0

  /// One sample of braking to a stop from `speed` (m/s), `s` seconds after the ride.
  mutating func brake(from speed: Double, at s: Double) {
    motion.forwardAcceleration = s * ParkedMotion.braking < speed ? -ParkedMotion.braking : 0
    let now = max(speed - ParkedMotion.braking * s, 0)
    let share = speed > 0 ? now / speed : 0
    roll(at: now, texture: 0.5, rate: 0.02)
    settle(lean: startLean * share - startLean)
  }

  /// Draws what differs from one run of a phase to another.
  mutating func begin(_ phase: ParkingScene.Phase) {
    shaking = (.zero, .zero)
    switch phase {
    case .standing, .rolled: break
    case .nudged: strength = random.uniform(0.8, 1.2)
    case .lifted:
      let side: Double = random.next() & 1 == 0 ? 1 : -1
      phaseTilt = side * random.uniform(0.6, 1.0)
      strength = random.uniform(0.8, 1.2)
    case .carriedOff: strides = random.uniform(1.7, 2.2)
    }
  }

  /// One sample of a phase, `s` seconds after its begin.
  mutating func play(_ phase: ParkingScene.Phase, at s: Double) {
    motion.forwardAcceleration = 0
    motion.leftAcceleration = 0
    motion.upAcceleration = 0
    motion.yawRate = 0
    motion.slopeRate = 0
    motion.speed = 0
    shaking = (.zero, .zero)
    switch phase {
    case .standing: stand(at: s)
    case .nudged: ring(at: s)
    case .rolled(let metres):
      let profile = SpeedProfile(
        metres: metres, speed: ParkingScene.Phase.rollingSpeed,
        acceleration: ParkingScene.Phase.rollingAcceleration)
      let now = profile.motion(at: s)
      motion.forwardAcceleration = now.acceleration
      // Pushed by the saddle or bars it weaves.
      motion.yawRate = 0.12 * now.speed * Elementary.sin(2 * Double.pi * 0.4 * s)
      roll(at: now.speed, texture: 0.8, rate: 0.06)
      settle(lean: 0)
    case .lifted: lift(at: s, seconds: phase.seconds)
    case .carriedOff(let metres): carry(metres: metres, at: s)
    }
    motion.yaw += motion.yawRate * period
  }

  private mutating func stand(at s: Double) {
    let sway = Double(wind.next(Float(random.gaussian())) * ParkedMotion.windLean)
    // Put down from a carrier's shoulder within 1.2 s.
    let share = smoothStep(s / 1.2)
    settle(lean: tilt * (1 - share.value) + sway)
    if tilt != 0, s < 1.2 {
      shaking.force = jolts.next(&random) * 1.5
      shaking.rate = turns.next(&random) * 0.2
      motion.upAcceleration = -0.7 * share.curvature / 1.44
    }
    if s >= 1.2 { tilt = 0 }
  }

  private mutating func ring(at s: Double) {
    let decay = strength * Elementary.exp(-s / ParkedMotion.ringing)
    let sway = Double(wind.next(Float(random.gaussian())) * ParkedMotion.windLean)
    settle(lean: tilt + sway + 0.004 * decay * Elementary.sin(2 * Double.pi * 6 * s))
    let blow = decay * Elementary.sin(2 * Double.pi * 9 * s)
    motion.leftAcceleration = 1.4 * blow
    motion.forwardAcceleration = 0.5 * blow
  }

  private mutating func roll(at speed: Double, texture size: Float, rate: Float) {
    motion.speed = speed
    let step = speed * period
    let nose = Elementary.sincos(motion.yaw)
    east += step * nose.cos
    north += step * nose.sin
    let scale = Float(min(speed, 8).squareRoot())
    shaking.force = texture.next(&random) * (size * scale)
    shaking.rate = turns.next(&random) * (rate * scale)
  }

  private mutating func lift(at s: Double, seconds: Double) {
    let share = smoothStep(s / 2)
    settle(lean: phaseTilt * share.value)
    // 0.7 m up within 2 s.
    motion.upAcceleration = 0.7 * share.curvature / 4
    let force = Float(strength * 1.5 * Elementary.sin(Double.pi * min(s / seconds, 1)))
    shaking.force = jolts.next(&random) * force
    shaking.rate = turns.next(&random) * (force * 0.15)
    if s >= seconds - 1.5 * period { tilt = phaseTilt }
  }

  private mutating func carry(metres: Double, at s: Double) {
    let profile = SpeedProfile(
      metres: metres, speed: ParkingScene.Phase.walkingSpeed,
      acceleration: ParkingScene.Phase.walkingAcceleration)
    let now = profile.motion(at: s)
    let pace = now.speed / ParkingScene.Phase.walkingSpeed
    let step = Elementary.sincos(2 * Double.pi * strides * s)
    let sway = Elementary.sin(Double.pi * strides * s)
    motion.yawRate = 0.06 * pace * Elementary.sin(2 * Double.pi * 0.07 * s)
    roll(at: now.speed, texture: 0.6, rate: 0.1)
    motion.forwardAcceleration = now.acceleration + pace * 0.6 * step.cos
    motion.leftAcceleration = pace * 0.5 * sway
    motion.upAcceleration = pace * (1.8 * step.sin + 0.9 * 2 * step.sin * step.cos)
    settle(lean: tilt + pace * 0.06 * sway)
  }

  /// Sets the lean beyond that of the ride's end, and its rate as the exact difference.
  private mutating func settle(lean added: Double) {
    motion.lean = startLean + added
    motion.leanRate = (added - addedLean) / period
    addedLean = added
  }

  /// 6x⁵ − 15x⁴ + 10x³ from 0 to 1 and its second derivative.
  private func smoothStep(_ x: Double) -> (value: Double, curvature: Double) {
    if x <= 0 { return (0, 0) }
    if x >= 1 { return (1, 0) }
    return (x * x * x * (10 + x * (6 * x - 15)), 60 * x * (1 + x * (2 * x - 3)))
  }
}
