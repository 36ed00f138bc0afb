import Quantities

/// An instrument at work.
package struct InstrumentRun: Sendable {
  /// The parameters.
  package let instrument: Instrument
  private var gyroscope: TriadRun
  private var accelerometer: TriadRun
  private let sensorFromBody: Quaternion
  private let period: Double
  /// When the slow errors were last renewed, s.
  private var renewed = -1.0
  private var dropped = false
  private var random: SeededRandom

  /// - Parameter hertz: Readings that are asked for, a second.
  package init(_ instrument: Instrument, hertz: Double, seed: UInt64) {
    self.instrument = instrument
    random = SeededRandom(seed: seed, stream: 30)
    gyroscope = TriadRun(instrument.gyroscope, bandwidth: instrument.bandwidth, hertz: hertz, &random)
    accelerometer = TriadRun(instrument.accelerometer, bandwidth: instrument.bandwidth, hertz: hertz, &random)
    sensorFromBody = instrument.bodyFromSensor.normalized.conjugate
    period = 1 / hertz
  }

  /// Its temperature at a time, °C.
  package func temperature(at seconds: Double) -> Double {
    let t = instrument.temperature
    // Coldest at six in the morning, where the scene begins at midnight.
    let day = -t.daySwing * Elementary.sin(2 * Double.pi * seconds / 86_400)
    return t.mean + day + t.warmUp * (1 - Elementary.exp(-max(seconds, 0) / max(t.warmUpTime, 1)))
  }

  /// What it reads at a time (s since the beginning; never earlier than before), of the truth in the body frame.
  ///
  /// - Returns: A sample in the sensor frame; nil when it is lost.
  package mutating func read(at seconds: Double, angularRate: Vector3, specificForce: Vector3) -> InertialSample? {
    // Slow errors change little within a second.
    if renewed < 0 || seconds - renewed >= 1 {
      let elapsed = renewed < 0 ? 1 : seconds - renewed
      let warmth = temperature(at: seconds) - 25
      gyroscope.renew(after: elapsed, warmth: warmth, &random)
      accelerometer.renew(after: elapsed, warmth: warmth, &random)
      renewed = seconds
    }
    let rate = gyroscope.read(sensorFromBody.rotate(angularRate), &random)
    let force = accelerometer.read(sensorFromBody.rotate(specificForce), &random)
    var stamp = seconds
    if instrument.jitter > 0 {
      let bound = 0.4 * period
      stamp += min(max(instrument.jitter * random.gaussian(), -bound), bound)
    }
    if instrument.drops.share > 0 {
      // A chain of two states with the share and the mean length asked for.
      let end = 1 / max(instrument.drops.length, 1)
      let begin = end * instrument.drops.share / max(1 - instrument.drops.share, 1e-9)
      dropped = random.uniform() < (dropped ? 1 - end : begin)
    }
    guard !dropped else { return nil }
    return InertialSample(
      time: Instant(microseconds: Elementary.roundedInteger(max(stamp, 0) * 1e6)),
      angularRate: instrument.hasGyroscope ? rate : nil, specificForce: force)
  }
}

/// One triad at work.
private struct TriadRun: Sendable {
  private let model: Instrument.Triad
  /// Rows of what the three axes add to each.
  private let nominal: [Float]
  private var rows: [Float]
  private var bias: Vector3
  private var walk = (x: 0.0, y: 0.0, z: 0.0)
  private var flicker: [FlickerNoise]
  private let deviation: Vector3
  /// Share of a new white number in the low-passed noise: 1 where all of the sensor's bandwidth folds back.
  private let share: Float
  private var noise = Vector3.zero
  private let stepsPerUnit: Float

  init(_ model: Instrument.Triad, bandwidth: Double, hertz: Double, _ random: inout SeededRandom) {
    self.model = model
    let c = model.cross
    nominal = [1 + model.scale.x, c[0], c[1], c[2], 1 + model.scale.y, c[3], c[4], c[5], 1 + model.scale.z]
    rows = nominal
    bias = model.bias
    flicker = []
    for _ in 0..<3 { flicker.append(FlickerNoise(instability: model.instability, random: &random)) }
    // y += α(w − y) keeps α/(2 − α) of the variance; a density d at 0 Hz asks for a deviation d√(rate/2) of w.
    let ratio = min(2 * bandwidth / hertz, 1)
    share = Float(2 * ratio / (1 + ratio))
    deviation = model.noiseDensity * Float((ratio < 1 ? hertz / 2 : bandwidth).squareRoot())
    stepsPerUnit = model.resolution > 0 ? 1 / model.resolution : 0
  }

  mutating func renew(after seconds: Double, warmth: Double, _ random: inout SeededRandom) {
    for place in 0..<3 { flicker[place].advance(by: seconds, &random) }
    if model.walk > 0 {
      let step = model.walk * seconds.squareRoot()
      walk = (
        walk.x + step * random.gaussian(), walk.y + step * random.gaussian(), walk.z + step * random.gaussian()
      )
    }
    let warm = Float(warmth)
    bias = model.bias + model.biasPerKelvin * warm
    bias += Vector3(
      Float(flicker[0].value + walk.x), Float(flicker[1].value + walk.y), Float(flicker[2].value + walk.z))
    let change = Float(model.scalePerKelvin) * warm
    rows = nominal
    for place in [0, 4, 8] { rows[place] += change }
  }

  mutating func read(_ truth: Vector3, _ random: inout SeededRandom) -> Vector3 {
    let white = Vector3(
      deviation.x * Float(random.gaussian()), deviation.y * Float(random.gaussian()),
      deviation.z * Float(random.gaussian()))
    noise += (white - noise) * share
    return Vector3(
      digit(rows[0] * truth.x + rows[1] * truth.y + rows[2] * truth.z + bias.x + noise.x),
      digit(rows[3] * truth.x + rows[4] * truth.y + rows[5] * truth.z + bias.y + noise.y),
      digit(rows[6] * truth.x + rows[7] * truth.y + rows[8] * truth.z + bias.z + noise.z))
  }

  /// Clipped, then rounded. NaN reads as zero: a converter has no other digit.
  private func digit(_ value: Float) -> Float {
    guard value == value else { return 0 }
    let clipped = min(max(value, -model.range), model.range)
    guard model.resolution > 0 else { return clipped }
    let steps = clipped * stepsPerUnit
    guard steps > -1e9, steps < 1e9 else { return clipped }
    return Float(Int32(steps + (steps < 0 ? -0.5 : 0.5))) * model.resolution
  }
}
