import Glibc
import InertialFusion
import Quantities
import TestSupport

/// The angle between two attitudes, degrees.
func degreesBetween(_ a: Quaternion, _ b: Quaternion) -> Float { (a.conjugate * b).normalized.angle * 180 / .pi }

/// The angle between the verticals of two attitudes, degrees.
func degreesOfTilt(_ a: Quaternion, _ b: Quaternion) -> Float {
  let up = Vector3(0, 0, 1)
  let u = a.conjugate.rotate(up)
  let v = b.conjugate.rotate(up)
  return Elementary.atan2(u.cross(v).length, u.dot(v)) * 180 / .pi
}

extension SeededRandom {
  /// An attitude, all of them equally likely.
  mutating func attitude() -> Quaternion {
    Quaternion(w: Float(normal()), x: Float(normal()), y: Float(normal()), z: Float(normal())).normalized
  }
}

extension Quaternion {
  /// Difference of its length from one; NaN when it is not finite.
  var normError: Float { abs((w * w + x * x + y * y + z * z).squareRoot() - 1) }

  /// The 24 rotations that take axes to axes.
  static var axisRotations: [Quaternion] {
    let quarter = Float.pi / 2
    let ups = [
      Vector3.zero, Vector3(quarter, 0, 0), Vector3(2 * quarter, 0, 0), Vector3(-quarter, 0, 0), Vector3(0, quarter, 0),
      Vector3(0, -quarter, 0),
    ]
    return ups.flatMap { up in
      (0..<4).map { Quaternion(rotationVector: Vector3(0, 0, quarter * Float($0))) * Quaternion(rotationVector: up) }
    }
  }
}

extension InertialSample {
  /// The sample of a sensor that is mounted turned: what pointed along v points along turn·v.
  func turned(by turn: Quaternion) -> InertialSample {
    InertialSample(
      time: time, angularRate: angularRate.map { turn.rotate($0) },
      specificForce: specificForce.map { turn.rotate($0) },
      magneticFluxDensity: magneticFluxDensity.map { turn.rotate($0) })
  }
}

extension AttitudeParameters {
  /// For simulated sensors, which have no delay.
  static var simulated: AttitudeParameters {
    var parameters = AttitudeParameters()
    parameters.gyroscopeLatency = 0
    return parameters
  }
}

/// A body that rests and then turns and shakes in every direction, with its true attitude.
///
/// Rates and forces are means over the time since the sample before, as sensors with a filter of their own give them. The
/// truth is integrated in single precision with steps of about a millisecond.
struct TumblingBody {
  /// Truth: earth (east, north, up) from body.
  var earthFromBody = Quaternion.identity
  /// Seconds since the start.
  var time = 0.0
  /// It lies still until then, s; infinite for ever.
  var restUntil = 3.0
  /// How fast it turns: 1 is about 130 °/s.
  var liveliness: Float = 1
  /// How strongly it is shaken: 1 is about 3 m/s².
  var shaking: Float = 1
  /// What is wrong with the gyroscope: bias, rad/s, and scale by axis.
  var bias = Vector3.zero
  var gain = Vector3(1, 1, 1)
  /// Noise per sample, rad/s, m/s² and µT.
  var rateNoise: Float = 0.002
  var forceNoise: Float = 0.02
  var fieldNoise: Float = 0.3
  /// The earth's field, ENU, and what turns with the body, µT.
  var field = Vector3(0, 18, -44)
  var hardIron = Vector3.zero
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private func rate(at t: Double) -> Vector3 {
    guard t > restUntil else { return .zero }
    let s = Float(t - restUntil)
    return Vector3(2 * Elementary.sin(2.1 * s), 1.5 * Elementary.sin(3.3 * s + 1), 1.2 * Elementary.sin(1.3 * s + 2))
      * liveliness
  }

  private func acceleration(at t: Double) -> Vector3 {
    guard t > restUntil else { return .zero }
    let s = Float(t - restUntil)
    return Vector3(3 * Elementary.sin(5 * s), 2 * Elementary.cos(4 * s), 2 * Elementary.sin(7 * s)) * shaking
  }

  /// The sample so many seconds after the one before.
  mutating func next(after seconds: Double) -> InertialSample {
    let isStill = time + seconds <= restUntil
    let steps = isStill ? 1 : max(2, Int(seconds / 0.001))
    let step = seconds / Double(steps)
    var rateSum = Vector3.zero
    var forceSum = Vector3.zero
    for _ in 0..<steps {
      let rate = rate(at: time + step / 2)
      if !isStill { earthFromBody = earthFromBody * Quaternion(rotationVector: rate * Float(step)) }
      time += step
      rateSum += rate
      forceSum += earthFromBody.conjugate.rotate(acceleration(at: time) + Vector3(0, 0, 9.80665))
    }
    earthFromBody = earthFromBody.normalized
    let share = 1 / Float(steps)
    let rate = rateSum * share
    return InertialSample(
      time: Instant(microseconds: Int64((time * 1e6).rounded())),
      angularRate: Vector3(rate.x * gain.x, rate.y * gain.y, rate.z * gain.z) + bias
        + random.vector(deviation: rateNoise),
      specificForce: forceSum * share + random.vector(deviation: forceNoise),
      magneticFluxDensity: earthFromBody.conjugate.rotate(field) + hardIron + random.vector(deviation: fieldNoise))
  }

  /// The samples of so many seconds.
  mutating func samples(seconds: Double, hertz: Double) -> [InertialSample] {
    (0..<Int((seconds * hertz).rounded())).map { _ in next(after: 1 / hertz) }
  }
}
