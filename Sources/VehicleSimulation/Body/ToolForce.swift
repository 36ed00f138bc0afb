import Quantities

/// What a tool at the lock does to the frame, as a force.
///
/// - Source: our derivation. A hacksaw cuts on the push, with the force that the hand gives, and its teeth pass at some hundred a
///   second. The disc of an angle grinder is out of balance: a force that turns with it, m·e·ω²; a tool of 2 kg that shakes a hand with
///   5 to 10 m/s² (the vibration totals that makers state by [en60745]) gives 10 to 20 N. What a bolt cutter bends springs back when it
///   snaps: an impulse.
struct ToolForce: Sendable {
  /// The lock, from where the wheels stand, m.
  static let lock = SpaceVector(-0.12, 0.06, 0.38)

  private let deed: StreetDeed
  private let duration: Double
  private var random: SeededRandom
  private var wander: ColouredNoise
  private var phase = 0.0
  private var hand: Rocking
  private let way: SpaceVector
  private let other: SpaceVector
  private var snaps: [Double] = []

  init(_ deed: StreetDeed, random: SeededRandom) {
    self.deed = deed
    duration = deed.duration
    self.random = random
    wander = ColouredNoise(frequency: 0.5, damping: 0.7, hertz: Int(BikeBody.hertz))
    hand = Rocking(frequency: 0.9, hertz: BikeBody.hertz, random: &self.random)
    let turn = self.random.uniform(-0.5, 0.5)
    way = SpaceVector(0.45 + 0.3 * turn, 0.85, 0.2 * turn)
    other = SpaceVector(-0.2, 0.25, 0.9)
    if deed.kind == .boltCutter {
      snaps = [duration * self.random.uniform(0.35, 0.5), duration * self.random.uniform(0.7, 0.9)]
    }
  }

  /// The force at the lock, `s` seconds after it began.
  mutating func next(at s: Double) -> SpaceVector {
    let strength = Jet.window(at: s, duration: duration, edge: 0.4).value
    let white = random.gaussian()
    let steady = hand.next().value
    let slow = Double(wander.next(Float(random.gaussian())))
    switch deed.kind {
    case .saw:
      phase += 2 * Double.pi * deed["hertz"] * (1 + 0.1 * slow) / BikeBody.hertz
      let speed = Elementary.cos(phase)
      let newtons = deed["newtons"]
      let cut = newtons * (speed > 0 ? speed : 0.25 * speed)
      return (way * cut + way * (0.3 * newtons * speed.magnitude * white) + other * (0.1 * newtons * steady)) * strength
    case .grinder:
      phase += 2 * Double.pi * deed["hertz"] * (1 + 0.04 * slow) / BikeBody.hertz
      let wave = Elementary.sincos(phase)
      let newtons = deed["newtons"]
      return (way * (newtons * wave.sin) + other * (newtons * wave.cos + 0.4 * newtons * white) + way * (8 * steady))
        * strength
    case .boltCutter:
      var force = way * (15 * steady * strength)
      for (number, snap) in snaps.enumerated() {
        let t = s - snap
        // Two handles are pressed together for two seconds, unevenly.
        if t > -2, t < 0 { force += other * (25 * (1 + t / 2)) + way * (4 * white) }
        // A half sine of 6 ms.
        if t >= 0, t < 0.006 {
          let size = deed["newtonSeconds"] * (number == 0 ? 0.5 : 1) * Double.pi / 0.012
          force += (way * 0.6 + other * -0.8) * (size * Elementary.sin(Double.pi * t / 0.006))
        }
      }
      return force
    default: return .zero
    }
  }
}
