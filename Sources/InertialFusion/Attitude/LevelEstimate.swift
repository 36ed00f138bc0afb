public import Quantities

/// Tilt, velocity, gyroscope bias and scale and the accelerometer's offset with their joint covariance: the error-state
/// Kalman filter behind `AttitudeFilter`.
///
/// Its thirteen error states, all in the level frame or the body frame as named:
/// θ (2) tilt of the level frame, rad; v (2) horizontal velocity in the level frame, m/s; b (3) gyroscope bias, rad/s,
/// body; s (3) gyroscope scale error, body; a (3) offset of the accelerometer, m/s², body. Model, with R = levelFromBody and ω
/// the corrected rate:
///
///     θ̇ = R (−δb + ω∘δs),   v̇ = g·(θy, −θx) − R δa + f_horizontal
///
/// It is told again and again that the velocity is zero, with the noise a carried thing deserves. So the accelerations of
/// motion average out over the time the gyroscope can be trusted, and what does not average out is tilt, bias or scale,
/// each in the share its covariance gives it. At rest the velocity is zero indeed, and the rate shows the bias.
///
/// An offset is gravity to an accelerometer that lies still: it is told from tilt only as R turns, and until then its first
/// uncertainty is in that of the tilt, and what turns show of it is shared with bias and scale by their covariance with it. That of
/// bias with scale is left out: it was measured to change no figure in the fourth digit.
///
/// Where the tilt is corrected by far more than the covariance expects (`watch`), the movement is not what the model takes it for.
///
/// - Source: our derivation; the reasons for filtering the specific force in an almost inertial frame are those of
///   [laidig-seel] section 3.2.
public struct LevelEstimate: Equatable, BitwiseCopyable, Sendable {
  /// Horizontal velocity of the model along the first level axis, m/s. It forgets a steady one: no speedometer.
  public internal(set) var velocityX: Float = 0
  /// Along the second.
  public internal(set) var velocityY: Float = 0
  /// Gyroscope bias, rad/s, body frame.
  public internal(set) var gyroBias = Vector3.zero
  /// Gyroscope scale error, body frame: the true rate is (measured − bias)·(1 + scale).
  public internal(set) var gyroScale = Vector3.zero

  /// Accelerometer offset, m/s², body frame: the true specific force is measured − offset.
  public internal(set) var accelerometerOffset = Vector3.zero

  /// Mean square of the sum of the tilt's corrections against what the covariance has it be: 1 when that is right.
  public private(set) var tiltFactor: Float = 1
  /// True while the corrections are larger than chance explains: the movement is not what the model takes it for.
  public private(set) var isDoubtful = false
  /// How long corrections in movement have been compared, s, up to ten minutes.
  private var watchedTime: Float = 0
  /// Sum of the tilt's corrections over the filter's own time constant, rad, and its variance by the covariance, rad².
  private var sumX: Float = 0
  private var sumY: Float = 0
  private var sumVariance: Float = 0
  /// Square of the present sum in units of its variance.
  private var tiltRatio: Float = 1
  /// Share of the covariance that movement has made, not rest.
  private var movedShare: Float = 1

  // Covariance, block by block. t = tilt, v = velocity, b = bias, s = scale, a = offset of the accelerometer.
  var ttXX: Float = 0
  var ttXY: Float = 0
  var ttYY: Float = 0
  var tvXX: Float = 0
  var tvXY: Float = 0
  var tvYX: Float = 0
  var tvYY: Float = 0
  var vvXX: Float = 0
  var vvXY: Float = 0
  var vvYY: Float = 0
  var coupling = LevelCoupling()
  /// Rows of the scale and of the bias, columns of the offset.
  var sa = Matrix3()
  var ba = Matrix3()
  var aa: SymmetricMatrix3
  var bb: SymmetricMatrix3
  var ss: SymmetricMatrix3

  @inline(never) init(_ coefficients: AttitudeCoefficients) {
    bb = SymmetricMatrix3(diagonal: coefficients.initialBiasVariance)
    ss = SymmetricMatrix3(diagonal: coefficients.initialScaleVariance)
    aa = SymmetricMatrix3(diagonal: coefficients.initialOffsetVariance)
    forgetTilt(coefficients)
  }

  /// Standard deviation of the tilt, rad: root of the mean of both axes.
  public var tiltUncertainty: Float { (0.5 * (ttXX + ttYY)).squareRoot() }
  /// That part of the tilt's variance that the accelerometer's offset makes, rad², in the mean over the axes; only while an offset is estimated.
  var tiltByOffset: Float {
    @inline(__always) get { 1.5 * (coupling.ta[0].squaredLength + coupling.ta[1].squaredLength) / aa.trace }
  }
  /// Standard deviation of the gyroscope bias, rad/s: root of the mean over the axes.
  public var gyroBiasUncertainty: Float { @inline(__always) get { (bb.trace * (1.0 / 3)).squareRoot() } }
  /// Standard deviation of the gyroscope scale: root of the mean over the axes.
  public var gyroScaleUncertainty: Float { (ss.trace * (1.0 / 3)).squareRoot() }

  /// Tilt and velocity are unknown again; bias and scale are kept.
  mutating func forgetTilt(_ coefficients: AttitudeCoefficients) {
    velocityX = 0
    velocityY = 0
    ttXX = coefficients.initialTiltVariance
    ttYY = coefficients.initialTiltVariance
    ttXY = 0
    (tvXX, tvXY, tvYX, tvYY) = (0, 0, 0, 0)
    vvXX = LevelEstimate.initialVelocityVariance
    vvYY = LevelEstimate.initialVelocityVariance
    vvXY = 0
    coupling = LevelCoupling()
    forgetSum()
    movedShare = 0
    tiltFactor = max(tiltFactor, 1)
  }

  /// What has been corrected so far says nothing of what is estimated from here on.
  private mutating func forgetSum() {
    (sumX, sumY, sumVariance) = (0, 0, 0)
    tiltRatio = 1
  }

  /// Time runs the other way: a turn goes back, so bias and velocity change their sign; what couples them with each other and with the
  /// rest is forgotten. Tilt, scale and offset keep what couples them, whole, so that it stays a covariance.
  mutating func reverse() {
    velocityX = -velocityX
    velocityY = -velocityY
    gyroBias = gyroBias * -1
    (tvXX, tvXY, tvYX, tvYY) = (0, 0, 0, 0)
    (coupling.tb[0], coupling.tb[1], coupling.vb[0], coupling.vb[1]) = (.zero, .zero, .zero, .zero)
    (coupling.vs[0], coupling.vs[1], coupling.va[0], coupling.va[1]) = (.zero, .zero, .zero, .zero)
    ba = Matrix3()
    forgetSum()
  }

  /// Standard gravity, m/s². The place's own differs by at most 0.3 %, far less than the gain's tolerance.
  static var gravity: Float { 9.80665 }

  /// Variance of the velocity before anything is known, (m/s)².
  static var initialVelocityVariance: Float { 0.3 * 0.3 }

  /// Largest offset an accelerometer may have, m/s²: 150 mg.
  static var largestOffset: Float { 1.5 }

  /// One row of the covariance: what a measurement of that state says about all others.
  struct Row {
    var tx: Float
    var ty: Float
    var vx: Float
    var vy: Float
    var b: Vector3
    var s: Vector3
    var a: Vector3
  }

  var velocityRowX: Row {
    Row(tx: tvXX, ty: tvYX, vx: vvXX, vy: vvXY, b: coupling.vb[0], s: coupling.vs[0], a: coupling.va[0])
  }
  var velocityRowY: Row {
    Row(tx: tvXY, ty: tvYY, vx: vvXY, vy: vvYY, b: coupling.vb[1], s: coupling.vs[1], a: coupling.va[1])
  }
  var biasRowX: Row {
    Row(
      tx: coupling.tb[0].x, ty: coupling.tb[1].x, vx: coupling.vb[0].x, vy: coupling.vb[1].x,
      b: Vector3(bb.xx, bb.xy, bb.xz),
      s: .zero, a: ba.rowX)
  }
  var biasRowY: Row {
    Row(
      tx: coupling.tb[0].y, ty: coupling.tb[1].y, vx: coupling.vb[0].y, vy: coupling.vb[1].y,
      b: Vector3(bb.xy, bb.yy, bb.yz),
      s: .zero, a: ba.rowY)
  }
  var biasRowZ: Row {
    Row(
      tx: coupling.tb[0].z, ty: coupling.tb[1].z, vx: coupling.vb[0].z, vy: coupling.vb[1].z,
      b: Vector3(bb.xz, bb.yz, bb.zz),
      s: .zero, a: ba.rowZ)
  }

  /// Learns that the velocity is zero, within a variance of `noise`, (m/s)²; the rest as in `condition`.
  @inline(__always)
  mutating func stop(noise: Float, tilt: inout Vector3, hasOffset: Bool, isCertain: Bool, learning: Float) {
    // Without lanes, on a microcontroller, twice the code is worth more than two calls; and not where there are some.
    if Lanes3.isWhole {
      condition(
        on: velocityRowX, variance: vvXX + noise, innovation: -velocityX, tilt: &tilt, hasScale: true,
        hasOffset: hasOffset, isCertain: isCertain, learning: learning)
      condition(
        on: velocityRowY, variance: vvYY + noise, innovation: -velocityY, tilt: &tilt, hasScale: true,
        hasOffset: hasOffset, isCertain: isCertain, learning: learning)
    } else {
      conditionOnce(
        on: velocityRowX, variance: vvXX + noise, innovation: -velocityX, tilt: &tilt, hasScale: true,
        hasOffset: hasOffset, isCertain: isCertain, learning: learning)
      conditionOnce(
        on: velocityRowY, variance: vvYY + noise, innovation: -velocityY, tilt: &tilt, hasScale: true,
        hasOffset: hasOffset, isCertain: isCertain, learning: learning)
    }
  }

  /// Learns that a rate, rad/s, is the bias, within a variance of `noise`, (rad/s)².
  @inline(never)
  mutating func rest(at rate: Vector3, noise: Float, tilt: inout Vector3, hasOffset: Bool) {
    conditionOnce(
      on: biasRowX, variance: bb.xx + noise, innovation: rate.x - gyroBias.x, tilt: &tilt, hasScale: false,
      hasOffset: hasOffset, isCertain: true, learning: 1)
    conditionOnce(
      on: biasRowY, variance: bb.yy + noise, innovation: rate.y - gyroBias.y, tilt: &tilt, hasScale: false,
      hasOffset: hasOffset, isCertain: true, learning: 1)
    conditionOnce(
      on: biasRowZ, variance: bb.zz + noise, innovation: rate.z - gyroBias.z, tilt: &tilt, hasScale: false,
      hasOffset: hasOffset, isCertain: true, learning: 1)
  }

  @inline(never)
  private mutating func conditionOnce(
    on row: Row, variance: Float, innovation: Float, tilt: inout Vector3, hasScale: Bool, hasOffset: Bool,
    isCertain: Bool, learning: Float
  ) {
    condition(
      on: row, variance: variance, innovation: innovation, tilt: &tilt, hasScale: hasScale, hasOffset: hasOffset,
      isCertain: isCertain, learning: learning)
  }

  /// Conditions everything on a measurement of one state.
  ///
  /// - Parameters:
  ///   - row: The state's row of the covariance.
  ///   - variance: The state's own variance plus the measurement's.
  ///   - innovation: Measured less predicted.
  ///   - tilt: Gets the tilt correction added, rad; the caller turns the attitude by it.
  ///   - hasScale: False when nothing of the row is of the scale; then nothing of the scale changes.
  ///   - hasOffset: The same of the accelerometer's offset.
  ///   - isCertain: False leaves the scale as it is, and as uncertain as it is.
  ///   - learning: Share of the correction of the bias, 0 to 1, and of what it makes the bias more certain by.
  @inline(__always)
  mutating func condition(
    on row: Row, variance: Float, innovation: Float, tilt: inout Vector3, hasScale: Bool, hasOffset: Bool,
    isCertain: Bool, learning: Float
  ) {
    let inverse = 1 / variance
    let k = innovation * inverse
    tilt.x += row.tx * k
    tilt.y += row.ty * k
    velocityX += row.vx * k
    velocityY += row.vy * k
    gyroBias += row.b * (k * learning)
    bb.subtract(row.b, scale: inverse * learning)
    if hasScale, isCertain {
      gyroScale += row.s * k
      ss.subtract(row.s, scale: inverse)
    }
    let tx = row.tx * inverse
    let ty = row.ty * inverse
    let vx = row.vx * inverse
    let vy = row.vy * inverse
    ttXX -= tx * row.tx
    ttXY -= tx * row.ty
    ttYY -= ty * row.ty
    tvXX -= tx * row.vx
    tvXY -= tx * row.vy
    tvYX -= ty * row.vx
    tvYY -= ty * row.vy
    vvXX -= vx * row.vx
    vvXY -= vx * row.vy
    vvYY -= vy * row.vy
    coupling.subtract(row, (tx, ty), (vx, vy), hasScale: hasScale, hasOffset: hasOffset)
    guard hasOffset else { return }
    accelerometerOffset += row.a * k
    let a = row.a * inverse
    if hasScale { sa.subtract(row.s, a) }
    ba.subtract(row.b, a)
    aa.subtract(row.a, scale: inverse)
  }

  /// Keeps variances positive and finite, bias and scale inside what a part can have.
  mutating func bound(_ coefficients: AttitudeCoefficients) {
    ttXX = min(max(ttXX, 1e-12), 1)
    ttYY = min(max(ttYY, 1e-12), 1)
    vvXX = min(max(vvXX, 1e-9), 100)
    vvYY = min(max(vvYY, 1e-9), 100)
    bb.clampDiagonal(from: 1e-14, to: coefficients.initialBiasVariance)
    ss.clampDiagonal(from: 1e-10, to: isDoubtful ? 0 : coefficients.initialScaleVariance)
    gyroBias.clamp(to: coefficients.maximumBias)
    gyroScale.clamp(to: coefficients.maximumScale)
    guard coefficients.hasOffset else { return }
    aa.clampDiagonal(from: 1e-12, to: isDoubtful ? 0 : coefficients.initialOffsetVariance)
    accelerometerOffset.clamp(to: LevelEstimate.largestOffset)
  }

  // Looked at in place: a call takes a copy of the whole.
  var isFinite: Bool {
    @inline(__always) get {
      // No sum of them is too large for a number, unless one is.
      let state =
        velocityX + velocityY + (gyroBias.x + gyroBias.y + gyroBias.z) + (gyroScale.x + gyroScale.y + gyroScale.z)
      return (state + (ttXX + ttYY + vvXX + vvYY) + (bb.trace + aa.trace + ss.trace)).isFinite
    }
  }
}

extension Vector3 {
  /// Product by component.
  func scaled(by other: Vector3) -> Vector3 { Vector3(x * other.x, y * other.y, z * other.z) }

  /// Brings every component between −limit and limit.
  @inline(__always) mutating func clamp(to limit: Float) {
    if Lanes3.isWhole { self = clamped(to: limit) } else { clampOnce(to: limit) }
  }

  @inline(never) private mutating func clampOnce(to limit: Float) { self = clamped(to: limit) }

  /// Every component brought between −limit and limit.
  @inline(__always) func clamped(to limit: Float) -> Vector3 {
    Vector3(min(max(x, -limit), limit), min(max(y, -limit), limit), min(max(z, -limit), limit))
  }
}

extension LevelEstimate {
  /// The bias is known with `variance`, and independent of everything else.
  mutating func setBiasVariance(_ variance: Float) {
    bb = SymmetricMatrix3(diagonal: max(variance, 1e-14))
    ba = Matrix3()
    (coupling.tb[0], coupling.tb[1], coupling.vb[0], coupling.vb[1]) = (.zero, .zero, .zero, .zero)
  }

  /// The bias has wandered, on each axis by this variance, where it was not known less than `limit` before.
  mutating func addBiasVariance(_ variance: Float, upTo limit: Float) {
    bb.xx = max(bb.xx, min(bb.xx + variance, limit))
    bb.yy = max(bb.yy, min(bb.yy + variance, limit))
    bb.zz = max(bb.zz, min(bb.zz + variance, limit))
  }
}

extension Vector3 {
  /// The largest magnitude among the components.
  var largestComponent: Float { max(abs(x), max(abs(y), abs(z))) }
}

// Whether the covariance is right.
extension LevelEstimate {
  /// Variance of the tilt as it is stated, rad² per axis: that of the covariance, by what its corrections have shown of it.
  @inline(__always)
  func statedTiltVariance(_ coefficients: AttitudeCoefficients) -> Float {
    let total = 0.5 * (ttXX + ttYY)
    // What the present sum has more than chance gives one time in ten is there now, whatever the mean. Errors that last longer than the time
    // constant are in the sum with less than half of their square. A few sums tell a variance no better than to a half: below 1 a share of
    // what was expected stays.
    let excess = max(tiltFactor, tiltRatio - LevelEstimate.chance * tiltFactor) - 1
    let factor = 1 + excess * (excess > 0 ? 2 * movedShare : 0.75)
    // An offset that is not estimated is there all the same: 4 mg, what a factory calibration leaves.
    guard aa.trace > 0 else { return min(total * factor + 1.6e-5, 1) }
    // What an offset of the accelerometer makes of it, in the mean over the axes. The first uncertainty is that of a poor part;
    // one whose offset turns out small is a good one.
    let byOffset = min(tiltByOffset, total)
    let poor = min(1, 0.15 + accelerometerOffset.squaredLength / max(3 * coefficients.initialOffsetVariance, 1e-12))
    return min((total - byOffset) * factor + poor * byOffset, 1)
  }

  /// Share of a correction that the bias learns. Errors of the model last for many corrections and are not new in each: n corrections whose
  /// sum has f times the variance that independent ones would have are worth n/f; and what accelerates for a time constant does
  /// so for longer, over which the factor grows by as much again. So the share is 1/f². At first a vehicle is thought possible.
  ///
  /// - Source: [brink] for an update by a part of the gain; the share is our derivation.
  var biasShare: Float {
    @inline(__always) get {
      let watched = watchedTime * (1 / LevelEstimate.factorSeconds)
      let factor = tiltFactor + LevelEstimate.vehicleFactor / (1 + watched * watched)
      return 1 / max(factor * factor, 1)
    }
  }
  /// True once it has moved for some four seconds.
  var hasMoved: Bool { watchedTime > 4 }
  /// A factor of vehicles: what drives, accelerates for seconds on end.
  static var vehicleFactor: Float { 10 }

  /// Variance of the bias about the vertical, (rad/s)².
  @inline(__always)
  func verticalBiasVariance(_ q: Quaternion) -> Float {
    let up = Vector3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
    return max(0, up.dot(bb * up))
  }

  /// Time over which the factor is found, s: two to four sums of two axes, whose time constant is 5 to 13 s.
  static var factorSeconds: Float { 20 }
  /// Factor from which on there is doubt, and that at which it ends. With sums of 5 s chance is above the first for 0.02 % of the time, with
  /// those of 13 s, in slow turning, for 0.5 %; the factor is 0.1 to 0.2 in hands, on collars and handlebars that bear no vehicle's accelerations.
  static var largestFactor: Float { 3 }
  static var smallFactor: Float { 1.5 }

  /// What chance gives of the square of one sum in its mean, but one time in ten (ln 10), less that mean.
  static var chance: Float { 1.3 }
  /// Largest square that is counted, in its variance. Cars have some hundreds; a fall must not be doubted for minutes.
  static var largestRatio: Float { 400 }

  /// Compares what the velocity has corrected of the tilt with what the covariance has it be.
  ///
  /// Corrections are summed for as long as they last: a correction is forgotten as the covariance is made anew, in the share by which each makes
  /// it smaller, the filter's own time constant. Such a sum of corrections each of which is news has the variance U that is carried along with
  /// it. Errors of an acceleration that goes on are corrected the same way each time, and the sum shows their size.
  ///
  /// A tilt corrected by as much as expected has errors as large as stated; one corrected by less, smaller ones. Where it is corrected by far
  /// more, slow accelerations or a sensor beyond its model are at work: offset and scale, which take long to tell from them, are learnt no
  /// further, an offset found among them is dropped, and the bias gets no more certain.
  ///
  /// At rest the velocity is zero indeed, and the covariance is right again in the share that rest has made of it; a vehicle remains one for a
  /// stop, as the factor fades in `factorSeconds`. The sum of before is forgotten with the first corrections of the next movement, which makes
  /// the covariance anew.
  ///
  /// - Parameters:
  ///   - correction: rad, level frame.
  ///   - variance: By how much it made the variance of the tilt smaller, rad².
  /// - Source: our derivation. For a scalar with the gain K = D/P (D the variance taken away in a step) the error of the estimate forgets
  ///   at the same rate.
  mutating func watch(
    _ correction: Vector3, variance: Float, seconds: Float, isAtRest: Bool, coefficients: AttitudeCoefficients
  ) {
    // `bound` comes later: nonsense may have taken more than there was, or made it larger. A batch of more than 20 s may make the factor
    // negative for a moment; whoever uses it asks for the larger of it and something else.
    let trace = max(ttXX + ttYY, 1e-12)
    let stays = trace / max(trace, trace + variance)
    movedShare += ((isAtRest ? 0 : 1) - movedShare) * (1 - stays * stays)
    let news = seconds * (1 / LevelEstimate.factorSeconds)
    guard !isAtRest else {
      if tiltFactor > 1 { tiltFactor += (1 - tiltFactor) * news }
      return
    }
    sumX = sumX * stays + correction.x
    sumY = sumY * stays + correction.y
    sumVariance = sumVariance * stays * stays + variance
    tiltRatio = min((sumX * sumX + sumY * sumY) / max(sumVariance, 1e-12), LevelEstimate.largestRatio)
    tiltFactor += (tiltRatio - tiltFactor) * news
    watchedTime = min(watchedTime + seconds, 600)
    if isDoubtful {
      isDoubtful = tiltFactor > LevelEstimate.smallFactor
      guard !isDoubtful else { return }
      aa = SymmetricMatrix3(diagonal: coefficients.initialOffsetVariance)
      ss = SymmetricMatrix3(diagonal: coefficients.initialScaleVariance)
    } else if tiltFactor > LevelEstimate.largestFactor {
      isDoubtful = true
      accelerometerOffset = .zero
      aa = SymmetricMatrix3(diagonal: 0)
      ss = aa
      (coupling.ta[0], coupling.ta[1], coupling.va[0], coupling.va[1]) = (.zero, .zero, .zero, .zero)
      (coupling.ts[0], coupling.ts[1], coupling.vs[0], coupling.vs[1]) = (.zero, .zero, .zero, .zero)
      (sa, ba) = (Matrix3(), Matrix3())
    }
  }
}
