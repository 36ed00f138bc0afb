import Quantities

/// What the road does to a rolling bicycle: band-limited shaking that grows with speed, patches of rough and smooth
/// road, and single shocks. `docs/ride-model.md` compares it with a recorded ride.
struct RoadVibration: Sendable {
  /// Standard deviation of the shaking per metre per second of speed on a middling road, m/s² per m/s: fore-aft, lateral,
  /// vertical. Recorded medians in 0.5 s windows at 6.5 to 8 m/s are 4.1, 2.1 and 4.2 m/s².
  static let force = Vector3(0.52, 0.27, 0.55)
  /// The same of the angular rate, rad/s per m/s: roll, pitch, yaw. Recorded at 6.5 to 8 m/s: 0.15 (most of it below 2 Hz,
  /// which is the rider), 0.17, 0.27.
  static let rate = Vector3(0.012, 0.022, 0.034)
  /// A shock every so many metres on average; our choice, with the size below it gives the recorded tails.
  static let metresPerShock = 15.0
  /// Mean size of a shock in standard deviations of the shaking.
  static let shockSize = 3.0

  private var forceNoise: ColouredNoise3
  private var rateNoise: ColouredNoise3
  private var roughness: Float = 1
  private var roughnessLogarithm = 0.0
  private var samplesToPatch = 0
  private var metresToShock = RoadVibration.metresPerShock
  private let hertz: Int
  private var random: SeededRandom

  init(seed: UInt64, hertz: Int) {
    forceNoise = ColouredNoise3(frequency: 12, damping: 0.5, hertz: hertz)
    rateNoise = ColouredNoise3(frequency: 9, damping: 0.5, hertz: hertz)
    self.hertz = hertz
    random = SeededRandom(seed: seed, stream: 2)
  }

  /// The shaking of one sample at a speed (m/s): rad/s and m/s², body frame; zero at rest.
  mutating func next(speed: Double) -> (rate: Vector3, force: Vector3) {
    guard speed >= 0.3 else { return (.zero, .zero) }
    samplesToPatch -= 1
    if samplesToPatch <= 0 {
      // Ten times a second: the logarithm of the roughness wanders with a time constant of 2 s, deviation 0.5.
      samplesToPatch = max(hertz / 10, 1)
      roughnessLogarithm = 0.951 * roughnessLogarithm + 0.155 * random.gaussian()
      roughness = Float(Elementary.exp(roughnessLogarithm))
    }
    metresToShock -= speed / Double(hertz)
    if metresToShock <= 0 {
      metresToShock = -Elementary.log(1 - random.uniform()) * RoadVibration.metresPerShock
      let size = Float(-Elementary.log(1 - random.uniform()) * RoadVibration.shockSize)
      forceNoise.strike(Vector3(-0.7 * size, 0.4 * size * (random.next() & 1 == 0 ? 1 : -1), size))
      rateNoise.strike(Vector3(0, -size, 0.5 * size))
    }
    let scale = Float(min(speed, 20)) * roughness
    let force = forceNoise.next(&random)
    let rate = rateNoise.next(&random)
    return (
      Vector3(rate.x * RoadVibration.rate.x, rate.y * RoadVibration.rate.y, rate.z * RoadVibration.rate.z) * scale,
      Vector3(force.x * RoadVibration.force.x, force.y * RoadVibration.force.y, force.z * RoadVibration.force.z)
        * scale
    )
  }
}
