import Quantities

/// A value with its first and second derivative in time.
///
/// A motion that is made of these has the rates and accelerations that belong to it, and none of a difference of samples.
public struct Jet: Equatable, Sendable {
  /// The value.
  public var value: Double
  /// Its rate, per s.
  public var rate: Double
  /// Its acceleration, per s².
  public var acceleration: Double

  /// A value that changes as given; at rest unless given.
  public init(_ value: Double, rate: Double = 0, acceleration: Double = 0) {
    self.value = value
    self.rate = rate
    self.acceleration = acceleration
  }

  /// Nothing.
  public static let zero = Jet(0)

  static func + (a: Jet, b: Jet) -> Jet {
    Jet(a.value + b.value, rate: a.rate + b.rate, acceleration: a.acceleration + b.acceleration)
  }
  static func += (a: inout Jet, b: Jet) { a = a + b }
  static func * (a: Jet, s: Double) -> Jet {
    Jet(a.value * s, rate: a.rate * s, acceleration: a.acceleration * s)
  }
  /// The product rule, twice.
  static func * (a: Jet, b: Jet) -> Jet {
    Jet(
      a.value * b.value, rate: a.rate * b.value + a.value * b.rate,
      acceleration: a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration)
  }

  /// From 0 to 1 within `duration` (s), along 10x³ − 15x⁴ + 6x⁵: at rest at both ends.
  static func step(at s: Double, duration: Double) -> Jet {
    guard duration > 0 else { return Jet(s < 0 ? 0 : 1) }
    let x = s / duration
    if x <= 0 { return .zero }
    if x >= 1 { return Jet(1) }
    let xx = x * x
    return Jet(
      xx * x * (10 - 15 * x + 6 * xx), rate: 30 * xx * (1 - 2 * x + xx) / duration,
      acceleration: 60 * x * (1 - 3 * x + 2 * xx) / (duration * duration))
  }

  /// 1 between a rise at the start and a fall at the end of `duration` (s), each of `edge` (s) at most.
  static func window(at s: Double, duration: Double, edge: Double) -> Jet {
    let edge = min(edge, duration / 2)
    if s < edge { return step(at: s, duration: edge) }
    if s > duration - edge {
      let fall = step(at: duration - s, duration: edge)
      return Jet(fall.value, rate: -fall.rate, acceleration: fall.acceleration)
    }
    return Jet(1)
  }

  /// A sine of a frequency (Hz) and a phase (rad).
  static func sine(at s: Double, hertz: Double, phase: Double = 0) -> Jet {
    let turn = 2 * Double.pi * hertz
    let wave = Elementary.sincos(turn * s + phase)
    return Jet(wave.sin, rate: turn * wave.cos, acceleration: -turn * turn * wave.sin)
  }

  /// A knock that rings out: (s/t)·e^(1 − s/t)·sin 2πfs, which begins at rest and is over after eight t.
  static func ring(at s: Double, hertz: Double, time t: Double) -> Jet {
    guard s > 0, s < 12 * t else { return .zero }
    let decay = Elementary.exp(1 - s / t)
    let shape = Jet(s / t * decay, rate: (1 - s / t) * decay / t, acceleration: (s / t - 2) * decay / (t * t))
    return shape * sine(at: s, hertz: hertz)
  }
}

/// A sine that goes on from sample to sample: a rotation each, and no function called.
struct Oscillator: Sendable {
  private var cosine: Double
  private var sine: Double
  private let stepCosine: Double
  private let stepSine: Double
  private let turn: Double

  /// - Parameters:
  ///   - frequency: Hz.
  ///   - phase: At the first sample, rad.
  ///   - hertz: Samples per second.
  init(frequency: Double, phase: Double, hertz: Double) {
    turn = 2 * Double.pi * frequency
    let start = Elementary.sincos(phase)
    let step = Elementary.sincos(turn / hertz)
    (cosine, sine) = (start.cos, start.sin)
    (stepCosine, stepSine) = (step.cos, step.sin)
  }

  /// The next value of amplitude 1 with its derivatives.
  mutating func next() -> Jet {
    let jet = Jet(sine, rate: turn * cosine, acceleration: -turn * turn * sine)
    (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
    return jet
  }
}

/// A rocking of about one frequency whose strength comes and goes: a strong sine and four weaker ones beside it.
///
/// Never beyond 1.
struct Rocking: Sendable {
  private var parts: [Oscillator] = []
  private static let weights = [0.88, 0.03, 0.03, 0.03, 0.03]

  init(frequency: Double, hertz: Double, random: inout SeededRandom) {
    for place in Rocking.weights.indices {
      let factor = place == 0 ? 1 : random.uniform(0.75, 1.25)
      parts.append(Oscillator(frequency: frequency * factor, phase: random.uniform(0, 2 * .pi), hertz: hertz))
    }
  }

  mutating func next() -> Jet {
    var sum = Jet.zero
    for place in parts.indices { sum += parts[place].next() * Rocking.weights[place] }
    return sum
  }
}

/// Noise of standard deviation 1 about a frequency, and none at all far below it: the rate of change of something that stays.
///
/// A floor that shakes has the velocity 0 afterwards; noise with a share at 0 Hz would carry it away.
///
/// - Source: our derivation; the difference of an AR(2) process has the variance 2 (1 − ρ₁) with ρ₁ = a₁ / (1 − a₂).
struct BandNoise: Sendable {
  private let first: Float
  private let second: Float
  private let gain: Float
  private var value: Float = 0
  private var before: Float = 0

  init(frequency: Double, damping: Double, hertz: Double) {
    let held = min(frequency, 0.35 * hertz)
    let step = 2 * Double.pi * held / hertz
    let radius = Elementary.exp(-damping * step)
    let angle = step * max(1 - damping * damping, 0).squareRoot()
    let a1 = 2 * radius * Elementary.cos(angle)
    let a2 = -radius * radius
    let variance = (1 - a2) / ((1 + a2) * ((1 - a2) * (1 - a2) - a1 * a1))
    first = Float(a1)
    second = Float(a2)
    gain = Float(1 / (variance * 2 * (1 - a1 / (1 - a2))).squareRoot())
  }

  mutating func next(_ white: Float) -> Float {
    let new = first * value + second * before + gain * white
    let change = new - value
    before = value
    value = new
    return change
  }
}

/// Three such noises, one an axis.
struct BandNoise3: Sendable {
  private var x: BandNoise
  private var y: BandNoise
  private var z: BandNoise

  init(frequency: Double, damping: Double = 0.3, hertz: Double) {
    x = BandNoise(frequency: frequency, damping: damping, hertz: hertz)
    y = BandNoise(frequency: frequency * 1.1, damping: damping, hertz: hertz)
    z = BandNoise(frequency: frequency * 0.9, damping: damping, hertz: hertz)
  }

  mutating func next(_ random: inout SeededRandom) -> Vector3 {
    Vector3(
      x.next(Float(random.gaussian())), y.next(Float(random.gaussian())), z.next(Float(random.gaussian())))
  }
}
