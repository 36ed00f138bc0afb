import Quantities

/// An inertial sensor at rest or turning as it is told, with white noise from a seed.
package struct SimulatedSensor {
  /// Samples per second.
  package let hertz: Int
  /// Standard deviation of the angular rate, rad/s per axis.
  package var rateNoise: Float
  /// Standard deviation of the specific force, m/s² per axis.
  package var forceNoise: Float
  /// What the gyroscope shows when it does not turn, rad/s.
  package var bias = Vector3.zero
  /// True attitude: earth (z up) from body.
  package var earthFromBody = Quaternion.identity
  /// When the next sample is taken.
  package var time: Instant
  private var random: SeededRandom
  private var exact: Double

  /// A sensor whose first sample comes at `start`.
  package init(
    hertz: Int, rateNoise: Float = 0.003, forceNoise: Float = 0.03, seed: UInt64, start: Instant = .zero
  ) {
    self.hertz = hertz
    self.rateNoise = rateNoise
    self.forceNoise = forceNoise
    random = SeededRandom(seed: seed)
    time = start
    exact = Double(start.microseconds)
  }

  /// The next sample while the body turns at `rate` (rad/s, body frame) and is accelerated by `acceleration` (m/s², body
  /// frame). The attitude turns on afterwards.
  package mutating func next(rate: Vector3 = .zero, acceleration: Vector3 = .zero) -> InertialSample {
    let up = earthFromBody.conjugate.rotate(Vector3(0, 0, 9.80665))
    let sample = InertialSample(
      time: time, angularRate: rate + bias + random.vector(deviation: rateNoise),
      specificForce: up + acceleration + random.vector(deviation: forceNoise))
    exact += 1e6 / Double(hertz)
    time = Instant(microseconds: Int64(exact))
    if rate != .zero {
      earthFromBody = (earthFromBody * Quaternion(rotationVector: rate * (1 / Float(hertz)))).normalized
    }
    return sample
  }

  /// Lets time pass without samples.
  package mutating func pause(_ seconds: Double) {
    exact += seconds * 1e6
    time = Instant(microseconds: Int64(exact))
  }
}
