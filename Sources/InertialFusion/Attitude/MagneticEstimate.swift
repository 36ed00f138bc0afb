import Quantities

/// The earth's field in the level frame and the body's own field (hard iron), estimated together.
///
/// A reading, turned into the level frame, is z = M + R·h + disturbance: M stays while the sensor turns, the body's field h
/// turns with it. Given h, the best M is a running mean of z − R·h, so it is linear in h: M(h) = M₀ − G·h, where M₀ and G are
/// running means of z and R with the same gain, and its variance is one number. What is left, z − M₀ = (R − G)·h + noise,
/// measures h as soon as the sensor has turned, about each axis as far as it has. That is the six-state Kalman filter of
/// both fields, exactly, for the price of three states. Heading is the direction of M; it can't touch the tilt.
///
/// A calibrated sensor has almost no field of its own, and fields that change from place to place imitate a small one. So
/// a small h is not believed: the heading then comes from M(0). A reading far from the prediction loses its weight with the
/// sixth power of the distance; when readings stay far off, something was put on the sensor or taken away, and h is learnt
/// anew while M, known already, holds the heading.
///
/// - Source: our derivation.
public struct MagneticEstimate: Equatable, BitwiseCopyable, Sendable {
  /// The last reading's deviation as a ratio to that which halves its weight: 1 and more counts as disturbed.
  public private(set) var disturbance: Float = 0
  /// Seconds of readings in a row, less the good ones between, that were disturbed.
  public private(set) var disturbedSeconds: Float = 0
  /// True once there was a reading.
  public private(set) var isKnown = false

  /// M₀, the earth's field if the body had none, level frame, µT.
  private var meanReading = Vector3.zero
  /// Rows of G, the mean rotation that belongs to it.
  private var meanRotationX = Vector3.zero
  private var meanRotationY = Vector3.zero
  private var meanRotationZ = Vector3.zero
  /// Variance of M per axis, given h, µT².
  private var fieldVariance: Float = 0
  /// h, body frame, µT, and its covariance.
  private var jointHardIron = Vector3.zero
  private var hh: SymmetricMatrix3

  init(_ p: MagneticParameters) {
    hh = SymmetricMatrix3(diagonal: p.initialHardIron * p.initialHardIron)
  }

  /// The body's own field that is used, body frame, µT; zero while it is too weak to be told from the scatter of places.
  func hardIron(_ p: MagneticParameters) -> Vector3 {
    let r = jointHardIron.squaredLength / (p.leastHardIron * p.leastHardIron)
    let r4 = r * r * r * r
    return jointHardIron * (r4 < 1e9 ? r4 / (1 + r4) : 1)
  }

  /// The earth's field, given the body's field that is used, level frame, µT.
  func field(_ p: MagneticParameters) -> Vector3 {
    let h = hardIron(p)
    return meanReading - Vector3(meanRotationX.dot(h), meanRotationY.dot(h), meanRotationZ.dot(h))
  }

  /// Variance of the field in each horizontal direction, µT².
  var horizontalVariance: Float { fieldVariance }

  /// The heading of the level frame is not that of before: the earth's field must be found anew, the body's is kept.
  mutating func forgetField() {
    isKnown = false
    disturbedSeconds = 0
  }

  /// Takes one reading in.
  ///
  /// - Parameters:
  ///   - reading: µT, body frame, finite.
  ///   - q: levelFromBody at that moment.
  ///   - elapsed: Time since the reading before, s.
  ///   - isAtRest: The sensor stays where it is.
  mutating func update(
    with reading: Vector3, rotation q: Quaternion, elapsed: Float, isAtRest: Bool, parameters p: MagneticParameters
  ) {
    let rx = Vector3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y))
    let ry = Vector3(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x))
    let rz = Vector3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
    let level = Vector3(rx.dot(reading), ry.dot(reading), rz.dot(reading))
    if !isKnown {
      isKnown = true
      meanReading = level
      (meanRotationX, meanRotationY, meanRotationZ) = (rx, ry, rz)
      fieldVariance = 400
    }
    if !isAtRest {
      fieldVariance = min(fieldVariance + p.fieldWandering * p.fieldWandering * elapsed, 1e4)
      hh.addToDiagonal(p.hardIronWandering * p.hardIronWandering * elapsed)
    }
    let turnedX = rx - meanRotationX
    let turnedY = ry - meanRotationY
    let turnedZ = rz - meanRotationZ
    let difference = level - meanReading
    let deviation =
      difference - Vector3(turnedX.dot(jointHardIron), turnedY.dot(jointHardIron), turnedZ.dot(jointHardIron))
    let predicted =
      3 * fieldVariance + turnedX.dot(hh * turnedX) + turnedY.dot(hh * turnedY) + turnedZ.dot(hh * turnedZ)
    let ratio = deviation.squaredLength / (p.rejection * p.rejection + p.rejectionShare * max(0, predicted))
    disturbance = ratio.squareRoot()
    let seconds = min(elapsed, 0.2)
    let noise = p.fieldNoise * p.fieldNoise / seconds * (1 + ratio * ratio * ratio)
    let before = jointHardIron
    condition(turnedX, difference.x - turnedX.dot(before), noise + fieldVariance, before)
    condition(turnedY, difference.y - turnedY.dot(before), noise + fieldVariance, before)
    condition(turnedZ, difference.z - turnedZ.dot(before), noise + fieldVariance, before)
    hh.clampDiagonal(from: 1e-4, to: 1e4)
    let gain = fieldVariance / (fieldVariance + noise)
    meanReading += difference * gain
    meanRotationX += turnedX * gain
    meanRotationY += turnedY * gain
    meanRotationZ += turnedZ * gain
    // The field of one place is no better known by looking longer.
    fieldVariance = max(fieldVariance - gain * fieldVariance, p.placeVariance)
    judge(ratio, seconds: seconds, p)
    if !meanReading.isFinite || !jointHardIron.isFinite || !hh.trace.isFinite { self = MagneticEstimate(p) }
  }

  private mutating func judge(_ ratio: Float, seconds: Float, _ p: MagneticParameters) {
    disturbedSeconds = ratio > 1.4 ? disturbedSeconds + seconds : max(0, disturbedSeconds - seconds)
    guard disturbedSeconds > p.relearnAfter else { return }
    disturbedSeconds = 0
    // The earth's field is that of before, whatever the body's has become: no longer M(h), and as uncertain as h made it.
    let h = jointHardIron
    meanReading -= Vector3(meanRotationX.dot(h), meanRotationY.dot(h), meanRotationZ.dot(h))
    fieldVariance +=
      0.66
      + (meanRotationX.dot(hh * meanRotationX) + meanRotationY.dot(hh * meanRotationY)
        + meanRotationZ.dot(hh * meanRotationZ)) * (1.0 / 3)
    (meanRotationX, meanRotationY, meanRotationZ) = (.zero, .zero, .zero)
    hh.addToDiagonal(p.relearnVariance)
  }

  /// One component of the reading; `row` turns the body's field into what it changes of it.
  @inline(__always)
  private mutating func condition(_ row: Vector3, _ deviation: Float, _ noise: Float, _ before: Vector3) {
    let gain = hh * row
    let inverse = 1 / (max(0, row.dot(gain)) + noise)
    jointHardIron += gain * ((deviation - row.dot(jointHardIron - before)) * inverse)
    hh.subtract(gain, scale: inverse)
  }
}
