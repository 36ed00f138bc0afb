import Quantities

/// An inertial sensor with all its errors: parameters only, see `InstrumentRun` for it at work.
///
/// A reading is, axis by axis, `(1 + scale + scalePerKelvin · (T − 25 °C)) · (M · truth) + bias + biasPerKelvin · (T − 25 °C) + flicker +
/// walk + noise`, clipped to the range and rounded to the step.
package struct Instrument: Equatable, Sendable {
  /// One triad; the unit is rad/s for the gyroscope and m/s² for the accelerometer.
  package struct Triad: Equatable, Sendable {
    /// Constant error per axis at 25 °C, unit.
    package var bias = Vector3.zero
    /// Bias instability B, unit: the floor of the Allan deviation is 0.664 B.
    package var instability = 0.0
    /// Random walk of the bias, unit/√s.
    package var walk = 0.0
    /// White noise per axis, one-sided density, unit/√Hz.
    package var noiseDensity = Vector3.zero
    /// Error of the scale per axis, a share.
    package var scale = Vector3.zero
    /// Cross-axis sensitivity: what the other two axes add, shares: xy, xz, yx, yz, zx, zy.
    package var cross = [Float](repeating: 0, count: 6)
    /// Change of the bias with temperature, unit per K.
    package var biasPerKelvin = Vector3.zero
    /// Change of the scale with temperature, share per K.
    package var scalePerKelvin = 0.0
    /// Step of the converter, unit; 0 for none.
    package var resolution: Float = 0
    /// It saturates at plus and minus this, unit.
    package var range: Float = .greatestFiniteMagnitude

    /// Without errors.
    package init() {}
  }

  /// Angular rate.
  package var gyroscope = Triad()
  /// Specific force.
  package var accelerometer = Triad()
  /// False for an accelerometer alone.
  package var hasGyroscope = true
  /// Noise bandwidth of its own low-pass, Hz. Read more slowly than twice that, the rest folds back.
  package var bandwidth = 100.0
  /// By what share its clock is fast.
  package var clockError = 0.0
  /// Standard deviation of the time stamps, s; never beyond 40 % of a period.
  package var jitter = 0.0
  /// Share of the readings that are lost, and how many at once on the average.
  package var drops = (share: 0.0, length: 1.0)
  /// Its temperature: mean of the air, half of the difference between day and night, own warmth, K, and the time of that, s.
  package var temperature = (mean: 25.0, daySwing: 0.0, warmUp: 0.0, warmUpTime: 600.0)
  /// How it sits.
  package var bodyFromSensor = Quaternion.identity

  /// Without errors, along the vehicle's axes.
  package init() {}

  package static func == (a: Instrument, b: Instrument) -> Bool {
    a.gyroscope == b.gyroscope && a.accelerometer == b.accelerometer && a.hasGyroscope == b.hasGyroscope
      && a.bandwidth == b.bandwidth && a.clockError == b.clockError && a.jitter == b.jitter && a.drops == b.drops
      && a.temperature == b.temperature && a.bodyFromSensor == b.bodyFromSensor
  }
}

/// A bias that wanders with the same power in every octave.
///
/// - Source: our derivation. A Gauss–Markov process of variance q² and time constant T has the one-sided density 4q²T / (1 + (2πfT)²). A
///   row of them with equal variances and time constants in the ratio r has q² / (f · ln r) between the slowest and the fastest. The
///   density of a bias instability B is B² / (πf), [ieee952] annex C, so q² = B² ln r / π.
struct FlickerNoise: Sendable {
  /// Time constants, s: what is faster disappears in the white noise.
  private static let times: [Double] = [4, 16, 64, 256, 1024, 4096, 16_384]
  private let deviation: Double
  private var values: [Double]

  /// - Parameter instability: B, in any unit.
  init(instability: Double, random: inout SeededRandom) {
    deviation = instability * (1.3862943611198906 / Double.pi).squareRoot()
    values = []
    guard instability > 0 else { return }
    for _ in FlickerNoise.times { values.append(deviation * random.gaussian()) }
  }

  /// The sum of all.
  private(set) var value = 0.0

  /// Some seconds later.
  mutating func advance(by seconds: Double, _ random: inout SeededRandom) {
    guard !values.isEmpty else { return }
    value = 0
    for place in values.indices {
      let keep = Elementary.exp(-seconds / FlickerNoise.times[place])
      values[place] = keep * values[place] + deviation * (1 - keep * keep).squareRoot() * random.gaussian()
      value += values[place]
    }
  }
}
