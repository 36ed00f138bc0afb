import Quantities

/// Noise with most of its power about one frequency: white noise through a damped resonance.
///
/// The output has mean 0 and standard deviation 1 whatever the sampling rate.
///
/// - Source: our derivation; the impulse-invariant damped oscillator as x[n] = a₁x[n−1] + a₂x[n−2] + g·w[n], with g from
///   the stationary variance (1 − a₂) / ((1 + a₂)((1 − a₂)² − a₁²)) of an AR(2) process.
struct ColouredNoise: Sendable {
  private let first: Float
  private let second: Float
  private let gain: Float
  private var before: Float = 0
  /// The latest value.
  private(set) var value: Float = 0

  /// Noise about `frequency` (Hz) at `hertz` values per second; the damping ratio (0 to 1) sets the width of the band.
  init(frequency: Double, damping: Double, hertz: Int) {
    // A resonance near half the sampling rate would alias; it is held below.
    let held = min(frequency, 0.4 * Double(hertz))
    let step = 2 * Double.pi * held / Double(hertz)
    let radius = Elementary.exp(-damping * step)
    let angle = step * (1 - damping * damping).squareRoot()
    let a1 = 2 * radius * Elementary.cos(angle)
    let a2 = -radius * radius
    let variance = (1 - a2) / ((1 + a2) * ((1 - a2) * (1 - a2) - a1 * a1))
    first = Float(a1)
    second = Float(a2)
    gain = Float(1 / variance.squareRoot())
  }

  /// The next value from white noise of standard deviation 1.
  mutating func next(_ white: Float) -> Float {
    let new = first * value + second * before + gain * white
    before = value
    value = new
    return new
  }

  /// Shifts the oscillator by a shock that rings out.
  mutating func strike(_ shift: Float) { value += shift }
}

/// Three independent coloured noises, one per axis.
struct ColouredNoise3: Sendable {
  private var x: ColouredNoise
  private var y: ColouredNoise
  private var z: ColouredNoise

  init(frequency: Double, damping: Double, hertz: Int) {
    x = ColouredNoise(frequency: frequency, damping: damping, hertz: hertz)
    y = ColouredNoise(frequency: frequency * 1.1, damping: damping, hertz: hertz)
    z = ColouredNoise(frequency: frequency * 0.9, damping: damping, hertz: hertz)
  }

  /// The next vector; every component has standard deviation 1.
  mutating func next(_ random: inout SeededRandom) -> Vector3 {
    let bits = random.next()
    // Three uniform numbers of 21 bits each: the resonance makes their sums nearly normal, at a third of the cost.
    return Vector3(
      x.next(ColouredNoise3.white(bits)), y.next(ColouredNoise3.white(bits >> 21)),
      z.next(ColouredNoise3.white(bits >> 42)))
  }

  mutating func strike(_ shift: Vector3) {
    x.strike(shift.x)
    y.strike(shift.y)
    z.strike(shift.z)
  }

  /// A uniform number of standard deviation 1 from the low 21 bits.
  private static func white(_ bits: UInt64) -> Float {
    // √12 wide: from −√3 to √3.
    Float(Int32(truncatingIfNeeded: bits & 0x1F_FFFF) - 0x10_0000) * (1.7320508 / 1_048_576)
  }
}
