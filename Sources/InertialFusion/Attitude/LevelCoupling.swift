import Quantities

/// What couples the tilt about one level axis, and the velocity along it, with bias, scale and offset of the sensors: six rows of the
/// covariance of `LevelEstimate`.
///
/// What is done with both axes stands in one place where there are no lanes, as on a microcontroller: there its code counts for more than
/// a call. Where there are some, it is part of what calls it.
struct LevelCoupling: Equatable, BitwiseCopyable, Sendable {
  // t = tilt, v = velocity, b = bias, s = scale, a = offset of the accelerometer.
  var tb = Vector3.zero
  var ts = Vector3.zero
  var ta = Vector3.zero
  var vb = Vector3.zero
  var vs = Vector3.zero
  var va = Vector3.zero

  /// Takes away what a measurement has made certain.
  ///
  /// - Parameters:
  ///   - row: That of the state that was measured.
  ///   - t: What it says about this axis' tilt, by the variance of the news; `v` about its velocity.
  @inline(__always)
  mutating func subtract(_ row: LevelEstimate.Row, t: Float, v: Float, hasScale: Bool, hasOffset: Bool) {
    if Lanes3.isWhole {
      take(row, t: t, v: v, hasScale: hasScale, hasOffset: hasOffset)
    } else {
      takeOnce(row, t: t, v: v, hasScale: hasScale, hasOffset: hasOffset)
    }
  }

  @inline(never)
  private mutating func takeOnce(_ row: LevelEstimate.Row, t: Float, v: Float, hasScale: Bool, hasOffset: Bool) {
    take(row, t: t, v: v, hasScale: hasScale, hasOffset: hasOffset)
  }

  @inline(__always)
  private mutating func take(_ row: LevelEstimate.Row, t: Float, v: Float, hasScale: Bool, hasOffset: Bool) {
    tb -= row.b * t
    vb -= row.b * v
    if hasScale {
      ts -= row.s * t
      vs -= row.s * v
    }
    guard hasOffset else { return }
    ta -= row.a * t
    va -= row.a * v
  }
}

extension LevelEstimate {
  /// How tilt and velocity about one axis depend on the rest over a stretch: the parts of the model's matrix.
  struct Turn {
    /// Couples tilt to bias, and velocity to offset: a row of −R t.
    let a: Vector3
    /// Couples tilt to scale: a row of R∘angle.
    let c: Vector3
    /// Couples velocity to the tilt about the other axis, m/s.
    let g: Float
  }

  /// Tilts and velocities about both axes.
  struct LevelRow {
    var tx: Float
    var ty: Float
    var vx: Float
    var vy: Float
  }

  /// The first factor of the tilt's row: what bias and scale add to a row of the covariance.
  @inline(__always)
  func turned(_ row: LevelRow, by turn: Turn) -> LevelRow {
    Lanes3.isWhole ? turnedHere(row, by: turn) : turnedOnce(row, by: turn)
  }

  @inline(never) private func turnedOnce(_ row: LevelRow, by turn: Turn) -> LevelRow { turnedHere(row, by: turn) }

  @inline(__always)
  private func turnedHere(_ row: LevelRow, by turn: Turn) -> LevelRow {
    LevelRow(
      tx: row.tx + turn.a.dot(couplingX.tb) + turn.c.dot(couplingX.ts),
      ty: row.ty + turn.a.dot(couplingY.tb) + turn.c.dot(couplingY.ts),
      vx: row.vx + turn.a.dot(couplingX.vb) + turn.c.dot(couplingX.vs),
      vy: row.vy + turn.a.dot(couplingY.vb) + turn.c.dot(couplingY.vs))
  }

  /// What couples one axis to the sensors' errors, carried over a stretch.
  ///
  /// - Parameters:
  ///   - own: Of this axis before the stretch; `other` of the other one.
  @inline(__always)
  func carried(_ own: LevelCoupling, _ other: LevelCoupling, _ turn: Turn, hasOffset: Bool) -> LevelCoupling {
    Lanes3.isWhole
      ? carriedHere(own, other, turn, hasOffset: hasOffset) : carriedOnce(own, other, turn, hasOffset: hasOffset)
  }

  @inline(never)
  private func carriedOnce(
    _ own: LevelCoupling, _ other: LevelCoupling, _ turn: Turn, hasOffset: Bool
  ) -> LevelCoupling { carriedHere(own, other, turn, hasOffset: hasOffset) }

  @inline(__always)
  private func carriedHere(
    _ own: LevelCoupling, _ other: LevelCoupling, _ turn: Turn, hasOffset: Bool
  ) -> LevelCoupling {
    let (a, c, g) = (turn.a, turn.c, turn.g)
    var new = own
    new.tb += bb * a
    new.ts += ss * c
    // What there is no offset in is zero, and stays it: of a sensor without one this was a third of the work.
    guard hasOffset else {
      new.vb += other.tb * g
      new.vs += other.ts * g
      return new
    }
    new.ta = own.ta + ba.after(a) + sa.after(c)
    new.va += other.ta * g + aa * a
    new.vb += other.tb * g + ba * a
    new.vs += other.ts * g + sa * a
    return new
  }

  /// Carries state and covariance over one stretch.
  ///
  /// - Parameters:
  ///   - forceX: Integral of the specific force along the level frame's first axis, m/s; `forceY` the second's.
  ///   - angle: Integral of the corrected angular rate, rad, body frame.
  ///   - rotation: levelFromBody at the end of the stretch.
  ///   - seconds: Length, s.
  ///   - tiltVariance: Process noise of the tilt over the stretch, rad².
  ///   - forceVariance: Noise of the accelerometer, (m/s²)²/Hz.
  mutating func propagate(
    forceX: Float, forceY: Float, angle: Vector3, rotation q: Quaternion, seconds t: Float, tiltVariance: Float,
    forceVariance: Float, coefficients: AttitudeCoefficients
  ) {
    velocityX += forceX
    velocityY += forceY
    let rows = Matrix3(q)
    // Velocity: v'x = vx + g t θy, v'y = vy − g t θx.
    let gt = LevelEstimate.gravity * t
    let turnX = Turn(a: rows.rowX * -t, c: rows.rowX.scaled(by: angle), g: gt)
    let turnY = Turn(a: rows.rowY * -t, c: rows.rowY.scaled(by: angle), g: -gt)
    let (ax, ay) = (turnX.a, turnY.a)

    // First factor F P: the rows of the tilt, then (with the old tilt rows) those of the velocity.
    let x = turned(LevelRow(tx: ttXX, ty: ttXY, vx: tvXX, vy: tvXY), by: turnX)
    let y = turned(LevelRow(tx: ttXY, ty: ttYY, vx: tvYX, vy: tvYY), by: turnY)
    var fvvXX = vvXX + gt * tvYX
    var fvvXY = vvXY + gt * tvYY
    var fvvYY = vvYY - gt * tvXY
    var fvtXX = tvXX + gt * ttXY
    var fvtXY = tvYX + gt * ttYY
    var fvtYX = tvXY - gt * ttXX
    let hasOffset = coefficients.hasOffset
    if hasOffset {
      fvvXX += ax.dot(couplingX.va)
      fvvXY += ax.dot(couplingY.va)
      fvvYY += ay.dot(couplingY.va)
      fvtXX += ax.dot(couplingX.ta)
      fvtXY += ax.dot(couplingY.ta)
      fvtYX += ay.dot(couplingX.ta)
    }
    let newX = carried(couplingX, couplingY, turnX, hasOffset: hasOffset)
    couplingY = carried(couplingY, couplingX, turnY, hasOffset: hasOffset)
    couplingX = newX
    // Second factor · Fᵀ.
    vvXX = fvvXX + gt * fvtXY
    vvXY = fvvXY - gt * fvtXX
    vvYY = fvvYY - gt * fvtYX
    tvXX = x.vx + gt * x.ty
    tvXY = x.vy - gt * x.tx
    tvYX = y.vx + gt * y.ty
    tvYY = y.vy - gt * y.tx
    if hasOffset {
      vvXX += couplingX.va.dot(ax)
      vvXY += couplingX.va.dot(ay)
      vvYY += couplingY.va.dot(ay)
      tvXX += couplingX.ta.dot(ax)
      tvXY += couplingX.ta.dot(ay)
      tvYX += couplingY.ta.dot(ax)
      tvYY += couplingY.ta.dot(ay)
    }
    vvXX += forceVariance * t
    vvYY += forceVariance * t
    ttXX = x.tx + couplingX.tb.dot(ax) + couplingX.ts.dot(turnX.c) + tiltVariance
    ttXY = x.ty + couplingX.tb.dot(ay) + couplingX.ts.dot(turnY.c)
    ttYY = y.ty + couplingY.tb.dot(ay) + couplingY.ts.dot(turnY.c) + tiltVariance
    bb.addToDiagonal(coefficients.biasNoise * t)
    guard !isDoubtful else { return }
    ss.addToDiagonal(coefficients.scaleNoise * t)
    if hasOffset { aa.addToDiagonal(coefficients.offsetNoise * t) }
  }
}
