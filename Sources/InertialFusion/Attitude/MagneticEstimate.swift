public import Quantities

/// The earth's field in the level frame and the body's own field (hard iron), estimated together.
///
/// A reading, turned into the level frame, is M + R·h plus disturbance: M stays while the sensor turns, the body's field
/// h turns with it. That is linear in both, so a Kalman filter with six states tells them apart as soon as the sensor has
/// turned, about each axis as far as it has. Heading is the direction of M; it can't touch the tilt.
///
/// A calibrated sensor has almost no field of its own, and fields that change from place to place imitate a small one. So
/// a small h is not believed: the heading then comes from M *given* that h is none, which the joint covariance tells
/// without a second filter. A reading far from the prediction loses its weight with the sixth power of the distance; when
/// readings stay far off, something was put on the sensor or taken away, and h is learnt anew while M, known already,
/// holds the heading.
///
/// - Source: our derivation.
public struct MagneticEstimate: Equatable, BitwiseCopyable, Sendable {
  /// The earth's field given the body's field that is used, level frame, µT.
  public private(set) var field = Vector3.zero
  /// The body's own field that is used, body frame, µT; zero while it is too weak to be told from the scatter of places.
  public private(set) var hardIron = Vector3.zero
  /// The last reading's deviation as a ratio to that which halves its weight: 1 and more counts as disturbed.
  public private(set) var disturbance: Float = 0
  /// Seconds of readings in a row, less the good ones between, that were disturbed.
  public private(set) var disturbedSeconds: Float = 0
  /// True once there was a reading.
  public private(set) var isKnown = false

  private var jointField = Vector3.zero
  private var jointHardIron = Vector3.zero
  private var mm = SymmetricMatrix3(diagonal: 0)
  private var hh: SymmetricMatrix3
  /// Rows: covariance of each component of the earth's field with the body's field.
  private var mhX = Vector3.zero
  private var mhY = Vector3.zero
  private var mhZ = Vector3.zero
  private var secondsSinceReading: Float = 0
  private var secondsAtRest: Float = 0

  init(_ p: MagneticParameters) {
    hh = SymmetricMatrix3(diagonal: p.initialHardIron * p.initialHardIron)
  }

  /// Standard deviation of the field in each horizontal direction, µT.
  var fieldUncertainty: Float { (0.5 * (mm.xx + mm.yy)).squareRoot() }

  /// The heading of the level frame is not that of before: the earth's field must be found anew, the body's is kept.
  mutating func forgetField() {
    isKnown = false
    disturbedSeconds = 0
  }

  /// Time passes without a reading.
  mutating func wait(seconds: Float) { secondsSinceReading += seconds }

  /// Takes one reading in.
  ///
  /// - Parameters:
  ///   - reading: µT, body frame, finite.
  ///   - q: levelFromBody at that moment.
  ///   - seconds: Time that the reading stands for, s.
  ///   - isAtRest: The sensor stays where it is.
  mutating func update(
    with reading: Vector3, rotation q: Quaternion, seconds: Float, isAtRest: Bool, parameters p: MagneticParameters
  ) {
    let elapsed = secondsSinceReading
    secondsSinceReading = 0
    let rx = Vector3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y))
    let ry = Vector3(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x))
    let rz = Vector3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
    let level = Vector3(rx.dot(reading), ry.dot(reading), rz.dot(reading))
    let bodyLevel = Vector3(rx.dot(jointHardIron), ry.dot(jointHardIron), rz.dot(jointHardIron))
    if !isKnown { start(at: level - bodyLevel) }
    if isAtRest {
      secondsAtRest += elapsed
      if secondsAtRest > p.restSeconds { return }
    } else {
      secondsAtRest = 0
      mm.addToDiagonal(p.fieldWandering * p.fieldWandering * elapsed)
      hh.addToDiagonal(p.hardIronWandering * p.hardIronWandering * elapsed)
    }
    let deviation = level - jointField - bodyLevel
    let predicted = max(0, mm.trace + 2 * (rx.dot(mhX) + ry.dot(mhY) + rz.dot(mhZ)) + hh.trace)
    let ratio = deviation.squaredLength / (p.rejection * p.rejection + p.rejectionShare * predicted)
    disturbance = ratio.squareRoot()
    judge(ratio, seconds: seconds, p)
    let noise = p.fieldNoise * p.fieldNoise / seconds * (1 + ratio * ratio * ratio)
    var change = Change()
    condition(0, rx, deviation.x, noise, &change)
    condition(1, ry, deviation.y, noise, &change)
    condition(2, rz, deviation.z, noise, &change)
    jointField += change.field
    jointHardIron += change.hardIron
    mm.clampDiagonal(from: 1e-4, to: 1e4)
    hh.clampDiagonal(from: 1e-4, to: 1e4)
    separate(p)
    if !field.isFinite || !mm.trace.isFinite || !hh.trace.isFinite || !mhX.isFinite { self = MagneticEstimate(p) }
  }

  private mutating func start(at value: Vector3) {
    isKnown = true
    jointField = value
    field = value
    mm = SymmetricMatrix3(diagonal: 400)
    (mhX, mhY, mhZ) = (.zero, .zero, .zero)
  }

  private mutating func judge(_ ratio: Float, seconds: Float, _ p: MagneticParameters) {
    disturbedSeconds = ratio > 1.4 ? disturbedSeconds + seconds : max(0, disturbedSeconds - seconds)
    guard disturbedSeconds > p.relearnAfter else { return }
    disturbedSeconds = 0
    mm.addToDiagonal(0.66)
    hh.addToDiagonal(p.relearnVariance)
  }

  private struct Change {
    var field = Vector3.zero
    var hardIron = Vector3.zero
  }

  /// One component of the reading; `row` is the row of R that belongs to it.
  @inline(__always)
  private mutating func condition(
    _ component: Int, _ row: Vector3, _ deviation: Float, _ noise: Float, _ change: inout Change
  ) {
    let cross = Vector3(mhX.dot(row), mhY.dot(row), mhZ.dot(row))
    let own: Vector3
    let ownCross: Vector3
    switch component {
    case 0: (own, ownCross) = (Vector3(mm.xx, mm.xy, mm.xz), mhX)
    case 1: (own, ownCross) = (Vector3(mm.xy, mm.yy, mm.yz), mhY)
    default: (own, ownCross) = (Vector3(mm.xz, mm.yz, mm.zz), mhZ)
    }
    let m = own + cross
    let h = ownCross + hh * row
    let mOwn = component == 0 ? m.x : component == 1 ? m.y : m.z
    let changed = component == 0 ? change.field.x : component == 1 ? change.field.y : change.field.z
    let inverse = 1 / (max(0, mOwn + row.dot(h)) + noise)
    let k = (deviation - changed - row.dot(change.hardIron)) * inverse
    change.field += m * k
    change.hardIron += h * k
    mm.subtract(m, scale: inverse)
    let s = m * inverse
    mhX -= h * s.x
    mhY -= h * s.y
    mhZ -= h * s.z
    hh.subtract(h, scale: inverse)
  }

  /// Decides how much of the body's field is believed, and conditions the earth's field on that.
  private mutating func separate(_ p: MagneticParameters) {
    let r = jointHardIron.squaredLength / (p.leastHardIron * p.leastHardIron)
    let r4 = r * r * r * r
    let share = r4 < 1e9 ? r4 / (1 + r4) : 1
    hardIron = jointHardIron * share
    field = jointField
    guard let x = hh.solve(jointHardIron - hardIron) else { return }
    field -= Vector3(mhX.dot(x), mhY.dot(x), mhZ.dot(x))
  }
}
