import Quantities

/// The wind at a place near the ground, gust by gust.
///
/// - Source: [davenport]: n·S(n)/u*² = 4x²/(1 + x²)^(4/3) with x = 1200 n/U₁₀ and u*² = κU₁₀², so σ² = 6κU₁₀²; a mean profile
///   U(z) = U₁₀ ln(z/z₀)/ln(10/z₀). A body does not feel what is smaller than itself: the density times [vickery]'s
///   1/(1 + (2n√A/U)^(4/3))². Here the spectrum is a sum of sines at frequencies in a constant ratio, with random phases.
struct WindForce: Sendable {
  /// Mean at the height of the body, m/s.
  let mean: Double
  private var waves: [(wave: Oscillator, size: Double)] = []

  /// - Parameters:
  ///   - speed: Mean at 10 m above the ground, m/s.
  ///   - height: Of the body's middle, m.
  ///   - roughness: Length z₀ of the ground, m.
  ///   - drag: Surface drag coefficient κ.
  ///   - area: Of the body, m².
  init(
    speed: Double, height: Double, roughness: Double, drag: Double, area: Double, hertz: Double,
    random: inout SeededRandom
  ) {
    mean = speed * Elementary.log(height / roughness) / Elementary.log(10 / roughness)
    let ratio = 1.17
    var frequency = 0.003
    while frequency < 8, speed > 0 {
      let size = WindForce.density(frequency, speed: speed, drag: drag) * frequency * (ratio - 1)
      let smooth = 1 / (1 + Elementary.pow(2 * frequency * area.squareRoot() / max(mean, 0.5), 4.0 / 3))
      // A sine of amplitude a has the power a²/2.
      let amplitude = (2 * size).squareRoot() * smooth
      let wave = Oscillator(
        frequency: frequency * random.uniform(1, ratio), phase: random.uniform(0, 2 * .pi), hertz: hertz)
      waves.append((wave, amplitude))
      frequency *= ratio
    }
  }

  /// One-sided density of the gusts, (m/s)²/Hz.
  static func density(_ frequency: Double, speed: Double, drag: Double) -> Double {
    let x = 1200 * frequency / speed
    let square = x * x
    return 4 * drag * speed * speed * square / (frequency * Elementary.pow(1 + square, 4.0 / 3))
  }

  /// The speed at the next step, m/s; negative when a lull is stronger than the mean.
  mutating func next() -> Double {
    var speed = mean
    for place in waves.indices { speed += waves[place].wave.next().value * waves[place].size }
    return speed
  }
}
