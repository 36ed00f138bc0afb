import FusionEvaluation
import Glibc
import InertialFusion
import Quantities
import Testing

/// Motions whose attitude is known in closed form, and an integration in double precision written otherwise.
///
/// The filter is told to trust its gyroscope, and no accelerometer speaks against it: what is left is the strapdown.
private struct Strapdown {
  var filter: AttitudeFilter
  private var place = 0
  private let hertz: Double

  /// Starts level; `force` is the first force there is, body frame.
  init(hertz: Double, force: Vector3 = Vector3(0, 0, 9.80665)) {
    self.hertz = hertz
    filter = AttitudeFilter(parameters: .simulated)
    // A rate that is constant from the first sample on would else be the bias.
    filter.warmStart(gyroBias: .zero, uncertainty: 1e-4)
    filter.update(with: InertialSample(time: .zero, angularRate: .zero, specificForce: force))
  }

  /// One sample: the mean rate since the sample before, without force.
  mutating func turn(_ x: Double, _ y: Double, _ z: Double) {
    place += 1
    filter.update(
      with: InertialSample(
        time: Instant(microseconds: Int64((Double(place) * 1e6 / hertz).rounded())),
        angularRate: Vector3(Float(x), Float(y), Float(z))))
  }

  /// The whole angle between the filter's attitude and the true one, degrees.
  func error(_ truth: PreciseQuaternion) -> Double {
    let e = truth.conjugate * PreciseQuaternion(filter.levelFromBody).normalized
    return 2 * atan2((e.x * e.x + e.y * e.y + e.z * e.z).squareRoot(), abs(e.w)) * 180 / .pi
  }
}

/// The rotation by a rotation vector, in double precision.
private func rotation(_ x: Double, _ y: Double, _ z: Double) -> PreciseQuaternion {
  let angle = (x * x + y * y + z * z).squareRoot()
  let s = angle > 1e-12 ? sin(angle / 2) / angle : 0.5
  return PreciseQuaternion(w: cos(angle / 2), x: s * x, y: s * y, z: s * z)
}

/// A pure cone: the body's axis runs around a cone of half angle `halfAngle`, `frequency` rad/s, and the body does not
/// turn about it. Its attitude is the rotation by `halfAngle` about the horizontal direction at the angle ωt.
///
/// - Source: the classical coning motion, [bortz] and [savage1] section 7; the rate is 2 q* q̇ of this attitude.
private struct Cone {
  var halfAngle: Double
  var frequency: Double

  func attitude(at t: Double) -> PreciseQuaternion {
    rotation(halfAngle * cos(frequency * t), halfAngle * sin(frequency * t), 0)
  }

  /// The integral of the rate over the time from `t` to `t + step`, which is what an integrating gyroscope gives, rad.
  ///
  /// ω = (−ω sin a · sin ωt, ω sin a · cos ωt, −ω (1 − cos a)), a the half angle.
  func angle(from t: Double, step: Double) -> (x: Double, y: Double, z: Double) {
    let s = sin(halfAngle)
    let w = frequency
    return (
      s * (cos(w * (t + step)) - cos(w * t)), s * (sin(w * (t + step)) - sin(w * t)), -w * (1 - cos(halfAngle)) * step
    )
  }
}

@Suite struct StrapdownReferenceTests {
  @Test(arguments: [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (0.36, 0.48, -0.8)])
  func aConstantRateIsItsOwnRotation(x: Double, y: Double, z: Double) {
    for hertz in [50.0, 100, 250, 1000] {
      for rate in [0.1, 3, 30] {
        var strapdown = Strapdown(hertz: hertz)
        let seconds = 2
        for _ in 0..<(seconds * Int(hertz)) { strapdown.turn(x * rate, y * rate, z * rate) }
        let whole = rate * Double(seconds)
        let error = strapdown.error(rotation(x * whole, y * whole, z * whole))
        #expect(error < 0.01, "\(error)° at \(hertz) Hz and \(rate) rad/s")
      }
    }
  }

  /// Without the coning term the attitude would drift about z by ω(1 − cos a) less its sampled part.
  @Test(arguments: [(3.0, 2.0), (3.0, 8.0), (10.0, 5.0), (30.0, 1.0)])
  func conesAreFollowed(degrees: Double, hertz: Double) {
    let cone = Cone(halfAngle: degrees * .pi / 180, frequency: 2 * .pi * hertz)
    let step = 0.01
    let start = cone.attitude(at: 0)
    var strapdown = Strapdown(hertz: 100)
    // The same integration with the rotation of each sample alone, in double precision.
    var plain = PreciseQuaternion(w: 1, x: 0, y: 0, z: 0)
    let count = 1000
    for place in 0..<count {
      let angle = cone.angle(from: Double(place) * step, step: step)
      strapdown.turn(angle.x / step, angle.y / step, angle.z / step)
      plain = plain * rotation(angle.x, angle.y, angle.z)
    }
    // The filter began level, the cone did not.
    let truth = (start.conjugate * cone.attitude(at: Double(count) * step)).normalized
    let without = plain.conjugate * truth
    let plainError =
      2
      * atan2(
        (without.x * without.x + without.y * without.y + without.z * without.z).squareRoot(), abs(without.w)) * 180
      / .pi
    let error = strapdown.error(truth)
    #expect(error < max(0.001, 0.06 * plainError), "\(error)° in ten seconds, \(plainError)° without the coning term")
  }

  /// A motion of four frequencies that has no closed form: truth by steps of 50 µs in double precision with the
  /// midpoint rule on the quaternion's derivative, renormalised, which shares nothing with the filter's way.
  @Test(arguments: [100.0, 200, 400])
  func tumblingAgreesWithAnIntegrationInFineSteps(hertz: Double) {
    func rate(_ t: Double) -> (x: Double, y: Double, z: Double) {
      (4 * sin(2.3 * t) + sin(17 * t), 3 * cos(3.1 * t + 1) - 0.8 * sin(23 * t), 2.5 * sin(1.7 * t + 2) + cos(11 * t))
    }
    func derivative(_ q: PreciseQuaternion, _ t: Double) -> PreciseQuaternion {
      let r = rate(t)
      return q * PreciseQuaternion(w: 0, x: r.x / 2, y: r.y / 2, z: r.z / 2)
    }
    func stepped(_ q: PreciseQuaternion, _ d: PreciseQuaternion, _ h: Double) -> PreciseQuaternion {
      PreciseQuaternion(w: q.w + h * d.w, x: q.x + h * d.x, y: q.y + h * d.y, z: q.z + h * d.z)
    }
    var truth = PreciseQuaternion(w: 1, x: 0, y: 0, z: 0)
    var strapdown = Strapdown(hertz: hertz)
    let fine = 0.00005
    let steps = Int((1 / hertz / fine).rounded())
    var time = 0.0
    var worst = 0.0
    for _ in 0..<Int(10 * hertz) {
      var sum = (x: 0.0, y: 0.0, z: 0.0)
      for _ in 0..<steps {
        let middle = stepped(truth, derivative(truth, time), fine / 2)
        truth = stepped(truth, derivative(middle, time + fine / 2), fine).normalized
        let r = rate(time + fine / 2)
        sum = (sum.x + r.x, sum.y + r.y, sum.z + r.z)
        time += fine
      }
      let share = 1 / Double(steps)
      strapdown.turn(sum.x * share, sum.y * share, sum.z * share)
      worst = max(worst, strapdown.error(truth))
    }
    #expect(worst < 0.005, "\(worst)°")
  }

  /// The vertical of one force, by hand: roll 30°, then pitch 20°.
  @Test func theFirstVerticalIsThatOfTheForce() {
    let (roll, pitch) = (30 * Double.pi / 180, 20 * Double.pi / 180)
    let force = Vector3(
      Float(-9.80665 * sin(pitch)), Float(9.80665 * cos(pitch) * sin(roll)), Float(9.80665 * cos(pitch) * cos(roll)))
    let strapdown = Strapdown(hertz: 100, force: force)
    let up = strapdown.filter.levelFromBody.rotate(force)
    #expect(abs(up.z - 9.80665) < 1e-4 && abs(up.x) < 1e-4 && abs(up.y) < 1e-4)
    let truth = rotation(0, pitch, 0) * rotation(roll, 0, 0)
    #expect(degreesOfTilt(strapdown.filter.levelFromBody, Quaternion(truth)) < 0.01)
  }

  /// Textbook values of the heading: level, the field to the magnetic north by 20 µT and down by 40.
  @Test(arguments: stride(from: -180, to: 180, by: 15).map { Double($0) })
  func theHeadingIsThatOfTheField(degrees: Double) {
    // Clockwise from north, as a compass has it; the body's x axis points there.
    let heading = degrees * .pi / 180
    var filter = AttitudeFilter(parameters: .simulated)
    for step in 0..<50 {
      filter.update(
        with: InertialSample(
          time: .milliseconds(20 * step), angularRate: .zero, specificForce: Vector3(0, 0, 9.80665),
          magneticFluxDensity: Vector3(Float(20 * cos(heading)), Float(20 * sin(heading)), -40)))
    }
    let forward = filter.earthFromBody.rotate(Vector3(1, 0, 0))
    #expect(abs(Double(forward.x) - sin(heading)) < 2e-3 && abs(Double(forward.y) - cos(heading)) < 2e-3)
    #expect(abs(forward.z) < 1e-3)
  }
}
