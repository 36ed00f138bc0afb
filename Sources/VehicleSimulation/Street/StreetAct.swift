import Quantities

/// What a deed adds to the vehicle at one sample.
struct StreetEffect: Sendable {
  /// The motion since the deed began.
  var motion = RigidMotion()
  /// Shaking that stays in its place, rad/s and m/s² in the body frame.
  var shakingRate = Vector3.zero
  var shakingForce = Vector3.zero
  /// Displacement that no inertial sensor feels, m, and its speed, m/s.
  var glided = 0.0
  var glideSpeed = 0.0
}

/// A deed that goes on, sample by sample.
struct StreetAct: Sendable {
  let deed: StreetDeed
  private let hertz: Double
  private let duration: Double
  private let degrees: Double
  // The deed's numbers: looking one up by its name is longer than all else of a sample.
  private let speed: Double
  private let gravities: Double
  private let pace: Double
  private let metres: Double
  private let blow: Double
  private let side: Double
  private let strength: Double
  private let nose: (sin: Double, cos: Double)
  /// How it stands when it begins.
  private let standing: RigidMotion
  private let tones: (x: Double, y: Double, z: Double)
  private var random: SeededRandom
  private var rocking: Rocking
  private var second: Rocking
  private var shaking: BandNoise3
  private var turning: BandNoise3
  private var tone: Oscillator
  private let toneGain: Double
  private let phase: Double
  private var knocks: [(time: Double, size: Double)] = []
  private var loudness: Float = 1
  private var index = 0

  /// - Parameters:
  ///   - standing: How the vehicle stands when it begins.
  ///   - bandwidth: Of the sensor's own filter, Hz: tones beyond it arrive weaker.
  init(_ deed: StreetDeed, standing: RigidMotion, hertz: Double, bandwidth: Double, random source: inout SeededRandom) {
    var random = SeededRandom(seed: source.next())
    self.deed = deed
    self.hertz = hertz
    duration = deed.duration
    degrees = deed["degrees"] * Double.pi / 180
    speed = deed["speed"]
    gravities = deed["gravities"]
    pace = deed["hertz"]
    metres = deed["metres"]
    blow = deed["strength"]
    side = random.next() & 1 == 0 ? 1 : -1
    strength = random.uniform(0.85, 1)
    nose = Elementary.sincos(standing.yaw.value)
    self.standing = standing
    tones = (random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.5, 1))
    let band = StreetAct.band(of: deed)
    rocking = Rocking(frequency: band.rocking, hertz: hertz, random: &random)
    second = Rocking(frequency: band.rocking * 0.63, hertz: hertz, random: &random)
    shaking = BandNoise3(frequency: band.shaking, hertz: hertz)
    turning = BandNoise3(frequency: band.turning, hertz: hertz)
    tone = Oscillator(frequency: band.tone, phase: random.uniform(0, 6), hertz: hertz)
    toneGain = 1 / (1 + (band.tone / bandwidth) * (band.tone / bandwidth)).squareRoot()
    phase = random.uniform(0, 6)
    switch deed.kind {
    case .bump: knocks = [(0.02, deed["strength"])]
    case .neighbour:
      var time = random.uniform(0, 0.5)
      while time < duration - 0.5 {
        knocks.append((time, deed["strength"] * random.uniform(0.4, 1)))
        time += random.uniform(0.6, 2)
      }
    default: break
    }
    self.random = random
  }

  /// Height at which a knock's strength is felt, m.
  private static let height = 0.55

  /// Frequencies of what rocks, shakes, turns and sounds, Hz.
  private static func band(of deed: StreetDeed) -> (rocking: Double, shaking: Double, turning: Double, tone: Double) {
    let hertz = deed["hertz"]
    switch deed.kind {
    case .gust: return (hertz, 8, 3, 20)
    case .shake: return (1, hertz, hertz, 20)
    case .hum: return (1, 20, 10, hertz)
    case .grind: return (1.2, 45, 30, hertz)
    case .neighbour: return (1.4, 10, 4, 20)
    case .rain: return (1, 60, 30, 20)
    case .drive: return (1.3, 9, 4, 27)
    case .train: return (1.1, 6, 3, 50)
    case .ride: return (1.2, 12, 8, 20)
    case .leanOn: return (0.5, 6, 3, 20)
    default: return (1, 6, 3, 20)
    }
  }

  /// True when the last sample of it was played.
  var isOver: Bool { Double(index) >= duration * hertz - 1e-6 }

  /// Where the vehicle stays when it is over.
  func lasting() -> RigidMotion {
    var copy = self
    var effect = StreetEffect()
    copy.move(at: duration, &effect)
    return effect.motion.standing
  }

  /// Metres that nothing felt, when it is over.
  var lastingGlide: Double { deed.kind == .glide ? speed * (duration - glideRamp) : 0 }

  private var glideRamp: Double { min(4, duration / 2) }

  /// True when a sample of it was played.
  var hasBegun: Bool { index > 0 }

  /// Passes over samples of a deed that does nothing.
  mutating func pass(over count: Int) { index += count }

  /// The next sample.
  mutating func next() -> StreetEffect {
    let s = Double(index) / hertz
    index += 1
    var effect = StreetEffect()
    move(at: s, &effect)
    shake(at: s, &effect)
    return effect
  }

  private func along(_ distance: Jet, _ effect: inout StreetEffect) {
    effect.motion.east += distance * nose.cos
    effect.motion.north += distance * nose.sin
  }

  /// The distance with a top speed that is reached and left within `ramp` (s); the ramps count half.
  static func distance(at s: Double, speed: Double, ramp: Double, duration: Double) -> Jet {
    let ramp = min(ramp, duration / 2)
    func rise(_ t: Double) -> Jet {
      let x = min(max(t / ramp, 0), 1)
      let step = Jet.step(at: t, duration: ramp)
      return Jet(ramp * x * x * x * x * (2.5 - 3 * x + x * x), rate: step.value, acceleration: step.rate)
    }
    let whole = duration - ramp
    if s < ramp { return rise(s) * speed }
    if s <= duration - ramp { return Jet((ramp / 2 + s - ramp) * speed, rate: speed) }
    let left = rise(duration - s)
    return Jet((whole - left.value) * speed, rate: left.rate * speed, acceleration: -left.acceleration * speed)
  }

  private mutating func move(at s: Double, _ effect: inout StreetEffect) {
    switch deed.kind {
    case .gust:
      var strength = Jet.window(at: s, duration: duration, edge: min(1.5, duration / 3))
      if duration > 60 { strength = strength * lull(at: s) }
      effect.motion.lean = strength * (rocking.next() * (0.95 * degrees) + Jet(0.05 * degrees * side))
      effect.motion.yaw = strength * second.next() * (0.15 * degrees)
    case .bump, .neighbour:
      for knock in knocks where s > knock.time {
        // The frame rings, and the whole rocks on its stand: each ring's acceleration peaks at about (2πf)² of its size.
        along(Jet.ring(at: s - knock.time, hertz: 9, time: 0.05) * (0.5 * knock.size / 3198), &effect)
        let rocking = side * knock.size / (632 * StreetAct.height)
        effect.motion.lean += Jet.ring(at: s - knock.time, hertz: 4, time: 0.1) * rocking
      }
      if deed.kind == .neighbour {
        let strength = Jet.window(at: s, duration: duration, edge: 1)
        effect.motion.lean += strength * rocking.next() * (0.007 * blow)
      }
    case .leanOn:
      let strength = Jet.window(at: s, duration: duration, edge: min(1.8, duration / 3))
      effect.motion.lean = strength * (Jet(degrees * side) + rocking.next() * (0.04 * degrees))
    case .sink: effect.motion.lean = Jet.step(at: s, duration: duration) * (degrees * side)
    case .push: effect.motion.lean = Jet.step(at: s, duration: duration) * (degrees * side)
    case .fall:
      let drop = min(0.9, duration)
      // Slowly first and then faster; the ground stops it within 30 ms.
      let x = min(max(s / drop, 0), 1)
      if s < drop - 0.03 {
        effect.motion.lean =
          Jet(x * x * x, rate: 3 * x * x / drop, acceleration: 6 * x / (drop * drop))
          * (degrees * side)
      } else {
        let x0 = (drop - 0.03) / drop
        let start = x0 * x0 * x0
        let stop = Jet.step(at: s - drop + 0.03, duration: 0.06)
        effect.motion.lean = (Jet(start) + stop * (1 - start)) * (degrees * side)
      }
    case .lift:
      effect.motion.up = Jet.step(at: s, duration: duration) * metres
      effect.motion.lean = Jet.step(at: s, duration: duration) * (degrees * side * strength)
    case .carry:
      let ramp = StreetDeed.ramp(speed: speed, acceleration: 1)
      along(StreetAct.distance(at: s, speed: speed, ramp: ramp, duration: duration), &effect)
      let share = Jet.window(at: s, duration: duration, edge: ramp)
      // 1.8 m/s² at the step frequency, 0.5 m/s² sideways and 3.4° at half of it.
      let turn = 2 * Double.pi * pace
      effect.motion.up = share * Jet.sine(at: s, hertz: pace) * (1.8 / (turn * turn))
      let sway = share * Jet.sine(at: s, hertz: pace / 2)
      effect.motion.lean = sway * 0.06
      effect.motion.east += sway * (-nose.sin * 2 / (turn * turn))
      effect.motion.north += sway * (nose.cos * 2 / (turn * turn))
      effect.motion.yaw = share * Jet.sine(at: s, hertz: 0.11) * 0.08
    case .levelLift: effect.motion.up = Jet.step(at: s, duration: duration) * metres
    case .upright:
      let share = Jet.step(at: s, duration: duration)
      effect.motion.lean = share * -standing.lean.value
      effect.motion.slope = share * -standing.slope.value
      effect.motion.up = share * -standing.up.value
    case .slide: along(Jet.step(at: s, duration: duration) * metres, &effect)
    case .grind:
      // The hand that holds the lock moves the vehicle a little.
      let strength = Jet.window(at: s, duration: duration, edge: 0.4)
      effect.motion.lean = strength * rocking.next() * 0.008
      effect.motion.yaw = strength * second.next() * 0.008
    case .turn: effect.motion.yaw = Jet.step(at: s, duration: duration) * degrees
    case .roll:
      let ramp = StreetDeed.ramp(speed: speed, acceleration: 1)
      along(StreetAct.distance(at: s, speed: speed, ramp: ramp, duration: duration), &effect)
      effect.motion.lean = Jet.window(at: s, duration: duration, edge: 1) * rocking.next() * 0.04
      effect.motion.yaw = Jet.window(at: s, duration: duration, edge: 1) * second.next() * 0.06
    case .drive:
      let ramp = StreetDeed.ramp(speed: speed, acceleration: 1.8)
      along(StreetAct.distance(at: s, speed: speed, ramp: ramp, duration: duration), &effect)
      effect.motion.lean = Jet.window(at: s, duration: duration, edge: ramp) * rocking.next() * 0.012
      effect.motion.yaw = Jet.window(at: s, duration: duration, edge: ramp) * Jet.sine(at: s, hertz: 0.02) * 0.7
    case .ride:
      let ramp = StreetDeed.ramp(speed: speed, acceleration: 1)
      along(StreetAct.distance(at: s, speed: speed, ramp: ramp, duration: duration), &effect)
      effect.motion.lean = Jet.window(at: s, duration: duration, edge: 2) * rocking.next() * 0.04
      effect.motion.yaw = Jet.window(at: s, duration: duration, edge: 2) * Jet.sine(at: s, hertz: 0.03) * 0.8
    case .train: moveTrain(at: s, &effect)
    case .glide:
      let way = StreetAct.distance(at: s, speed: speed, ramp: glideRamp, duration: duration)
      effect.glided = way.value
      effect.glideSpeed = way.rate
    case .wind, .press, .knock, .lorry, .saw, .grinder, .boltCutter, .hoist, .haul, .setDown, .petLie, .petWalk,
      .petRun,
      .petDig, .petShake, .stand, .shake, .hum, .rain, .dismiss, .buzzer, .noFix, .notANumber, .saturate, .stickAxis,
      .axisAtEnd,
      .stick, .swapAxes, .halfRate, .gap, .timeBack:
      break
    }
  }

  /// Wind that blows for longer has squalls and lulls: from a fifth of its strength to all of it, within half a minute or so.
  private func lull(at s: Double) -> Jet {
    Jet(0.6) + Jet.sine(at: s, hertz: 0.027, phase: phase) * 0.25 + Jet.sine(at: s, hertz: 0.091, phase: 2 * phase)
      * 0.15
  }

  /// 240 s from station to station, 40 s of them at rest, up to 15 m/s with 0.6 m/s².
  private mutating func moveTrain(at s: Double, _ effect: inout StreetEffect) {
    let period = 240.0
    let leg = Elementary.floor(s / period)
    let within = s - leg * period
    let rolling = min(period - 40, duration - leg * period)
    let ramp = StreetDeed.ramp(speed: 15, acceleration: 0.9)
    let travelled = rolling > 2 * ramp ? 15 * (period - 40 - ramp) : 0
    var way = Jet(leg * 15 * (period - 40 - ramp))
    if rolling > 2 * ramp, within < rolling {
      way += StreetAct.distance(at: within, speed: 15, ramp: ramp, duration: rolling)
    } else {
      way += Jet(travelled)
    }
    along(way, &effect)
    let share =
      rolling > 2 * ramp && within < rolling
      ? Jet.window(at: within, duration: rolling, edge: ramp) : .zero
    effect.motion.lean = share * rocking.next() * degrees
    effect.motion.slope = share * second.next() * (0.4 * degrees)
    // Curves: a degree a second at the most.
    effect.motion.yaw = share * Jet.sine(at: s, hertz: 0.008) * 0.35
    loudness = Float(0.15 + 0.85 * share.value)
  }

  private mutating func shake(at s: Double, _ effect: inout StreetEffect) {
    let strength: Double
    switch deed.kind {
    case .shake:
      strength = gravities * Jet.window(at: s, duration: duration, edge: min(1, duration / 4)).value
      add(force: strength * BodyMotion.gravity, rate: strength * BodyMotion.gravity * 0.02, &effect)
    case .gust:
      add(force: 0.6 * (degrees < 0 ? -degrees : degrees), rate: 0.03 * (degrees < 0 ? -degrees : degrees), &effect)
    case .rain:
      // A drop now and then is heavy.
      loudness = max(loudness * Float(1 - 20 / max(hertz, 21)), 0.5)
      if random.uniform() < 3 / hertz { loudness = Float(1 - 1.2 * Elementary.log(1 - random.uniform())) }
      add(force: Double(loudness) * gravities * BodyMotion.gravity, rate: 0, &effect)
    case .neighbour:
      strength = blow * Jet.window(at: s, duration: duration, edge: 0.6).value
      add(force: 0.12 * strength, rate: 0.006 * strength, &effect)
    case .lift:
      let size = Elementary.sin(Double.pi * min(s / max(duration, 0.1), 1))
      add(force: 1.2 * size, rate: 0.2 * size, &effect)
    case .fall:
      if s > 0.87, s < 1.4 { add(force: 12 * Elementary.exp(-(s - 0.87) / 0.08), rate: 0.5, &effect) }
    case .carry: add(force: 0.5, rate: 0.08, &effect)
    case .levelLift, .slide: add(force: 0.03, rate: 0.004, &effect)
    case .push, .upright: add(force: 0.08, rate: 0.01, &effect)
    case .turn: add(force: 0.01, rate: 0.002, &effect)
    case .roll: add(force: 0.8, rate: 0.06, &effect)
    case .grind:
      strength = gravities * BodyMotion.gravity * Jet.window(at: s, duration: duration, edge: 0.3).value
      add(force: 0.6 * strength, rate: 0.02 * strength, &effect)
      addTone(2 * strength, &effect)
    case .hum:
      strength =
        gravities * BodyMotion.gravity * Jet.window(at: s, duration: duration, edge: min(4, duration / 4)).value
      addTone(1.414 * strength, &effect)
    case .drive, .ride:
      let share = effect.motion.groundSpeed / speed
      strength = gravities * BodyMotion.gravity * share
      add(force: strength, rate: 0.04 * strength, &effect)
      if deed.kind == .drive { addTone(0.15, &effect) }
    case .train:
      strength = gravities * BodyMotion.gravity * Double(loudness)
      add(force: strength, rate: 0.02 * strength, &effect)
    default: break
    }
  }

  private mutating func add(force: Double, rate: Double, _ effect: inout StreetEffect) {
    effect.shakingForce += shaking.next(&random) * Float(force)
    if rate > 0 { effect.shakingRate += turning.next(&random) * Float(rate) }
  }

  private mutating func addTone(_ amplitude: Double, _ effect: inout StreetEffect) {
    let value = tone.next().value * amplitude * toneGain
    effect.shakingForce += Vector3(Float(value * tones.x), Float(value * tones.y), Float(value * tones.z))
  }
}
