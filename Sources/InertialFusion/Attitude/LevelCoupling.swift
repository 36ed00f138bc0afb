import Quantities

/// What couples the tilts about the level axes, and the velocities along them, with bias, scale and offset of the sensors: rows of the
/// covariance of `LevelEstimate`, of each kind that of the first axis and that of the second.
///
/// What is done with both axes stands in one place where there are no lanes, as on a microcontroller: there its code counts for more than
/// a call. Where there are some, it is part of what calls it.
struct LevelCoupling: Equatable, BitwiseCopyable, Sendable {
  typealias Rows = InlineArray<2, Vector3>

  // t = tilt, v = velocity, b = bias, s = scale, a = offset of the accelerometer.
  var tb = Rows(repeating: .zero)
  var vb = Rows(repeating: .zero)
  var ts = Rows(repeating: .zero)
  var vs = Rows(repeating: .zero)
  var ta = Rows(repeating: .zero)
  var va = Rows(repeating: .zero)

  static func == (a: LevelCoupling, b: LevelCoupling) -> Bool {
    for axis in 0...1 where a.tb[axis] != b.tb[axis] || a.vb[axis] != b.vb[axis] || a.ts[axis] != b.ts[axis] {
      return false
    }
    for axis in 0...1 where a.vs[axis] != b.vs[axis] || a.ta[axis] != b.ta[axis] || a.va[axis] != b.va[axis] {
      return false
    }
    return true
  }

  /// Takes away what a measurement has made certain.
  ///
  /// - Parameters:
  ///   - row: That of the state that was measured.
  ///   - t: What it says about the tilts, by the variance of the news; `v` about the velocities.
  @inline(__always)
  mutating func subtract(
    _ row: LevelEstimate.Row, _ t: (Float, Float), _ v: (Float, Float), hasScale: Bool, hasOffset: Bool
  ) {
    guard Lanes3.isWhole else {
      take(row, axis: 0, t: t.0, v: v.0, hasScale: hasScale, hasOffset: hasOffset)
      take(row, axis: 1, t: t.1, v: v.1, hasScale: hasScale, hasOffset: hasOffset)
      return
    }
    // The same, kind by kind: so the compiler fills its lanes best.
    tb[0] -= row.b * t.0
    tb[1] -= row.b * t.1
    vb[0] -= row.b * v.0
    vb[1] -= row.b * v.1
    if hasScale {
      ts[0] -= row.s * t.0
      ts[1] -= row.s * t.1
      vs[0] -= row.s * v.0
      vs[1] -= row.s * v.1
    }
    guard hasOffset else { return }
    ta[0] -= row.a * t.0
    ta[1] -= row.a * t.1
    va[0] -= row.a * v.0
    va[1] -= row.a * v.1
  }

  /// One axis of it, where size matters more than lanes.
  @inline(never)
  private mutating func take(
    _ row: LevelEstimate.Row, axis: Int, t: Float, v: Float, hasScale: Bool, hasOffset: Bool
  ) {
    tb[axis] -= row.b * t
    vb[axis] -= row.b * v
    if hasScale {
      ts[axis] -= row.s * t
      vs[axis] -= row.s * v
    }
    guard hasOffset else { return }
    ta[axis] -= row.a * t
    va[axis] -= row.a * v
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

  /// The first factor of the tilts' rows: what bias and scale add to those rows of the covariance.
  @inline(__always)
  private func turned(_ turnX: Turn, _ turnY: Turn) -> (x: LevelRow, y: LevelRow) {
    guard Lanes3.isWhole else {
      return (
        turned(LevelRow(tx: ttXX, ty: ttXY, vx: tvXX, vy: tvXY), by: turnX),
        turned(LevelRow(tx: ttXY, ty: ttYY, vx: tvYX, vy: tvYY), by: turnY)
      )
    }
    let (ax, ay, cx, cy) = (turnX.a, turnY.a, turnX.c, turnY.c)
    let ttXX = ttXX + ax.dot(coupling.tb[0]) + cx.dot(coupling.ts[0])
    let xy = ttXY + ax.dot(coupling.tb[1]) + cx.dot(coupling.ts[1])
    let yx = ttXY + ay.dot(coupling.tb[0]) + cy.dot(coupling.ts[0])
    let ttYY = ttYY + ay.dot(coupling.tb[1]) + cy.dot(coupling.ts[1])
    let tvXX = tvXX + ax.dot(coupling.vb[0]) + cx.dot(coupling.vs[0])
    let tvXY = tvXY + ax.dot(coupling.vb[1]) + cx.dot(coupling.vs[1])
    let tvYX = tvYX + ay.dot(coupling.vb[0]) + cy.dot(coupling.vs[0])
    let tvYY = tvYY + ay.dot(coupling.vb[1]) + cy.dot(coupling.vs[1])
    return (LevelRow(tx: ttXX, ty: xy, vx: tvXX, vy: tvXY), LevelRow(tx: yx, ty: ttYY, vx: tvYX, vy: tvYY))
  }

  /// One of them, where size matters more than lanes.
  @inline(never)
  private func turned(_ row: LevelRow, by turn: Turn) -> LevelRow {
    LevelRow(
      tx: row.tx + turn.a.dot(coupling.tb[0]) + turn.c.dot(coupling.ts[0]),
      ty: row.ty + turn.a.dot(coupling.tb[1]) + turn.c.dot(coupling.ts[1]),
      vx: row.vx + turn.a.dot(coupling.vb[0]) + turn.c.dot(coupling.vs[0]),
      vy: row.vy + turn.a.dot(coupling.vb[1]) + turn.c.dot(coupling.vs[1]))
  }

  /// Carries what couples both axes to the sensors' errors over a stretch.
  @inline(__always)
  private mutating func carry(_ turnX: Turn, _ turnY: Turn, hasOffset: Bool) {
    let old = coupling
    guard Lanes3.isWhole else {
      carry(0, turnX, old.tb[1], old.ts[1], old.ta[1], hasOffset: hasOffset)
      carry(1, turnY, old.tb[0], old.ts[0], old.ta[0], hasOffset: hasOffset)
      return
    }
    // The same, kind by kind: so the compiler fills its lanes best.
    let (ax, ay, gt) = (turnX.a, turnY.a, turnX.g)
    coupling.tb[0] += bb * ax
    coupling.tb[1] += bb * ay
    coupling.ts[0] += ss * turnX.c
    coupling.ts[1] += ss * turnY.c
    guard hasOffset else {
      coupling.vb[0] += old.tb[1] * gt
      coupling.vb[1] -= old.tb[0] * gt
      coupling.vs[0] += old.ts[1] * gt
      coupling.vs[1] -= old.ts[0] * gt
      return
    }
    coupling.ta[0] = old.ta[0] + ba.after(ax) + sa.after(turnX.c)
    coupling.ta[1] = old.ta[1] + ba.after(ay) + sa.after(turnY.c)
    coupling.va[0] += old.ta[1] * gt + aa * ax
    coupling.va[1] += aa * ay - old.ta[0] * gt
    coupling.vb[0] += old.tb[1] * gt + ba * ax
    coupling.vb[1] += ba * ay - old.tb[0] * gt
    coupling.vs[0] += old.ts[1] * gt + sa * ax
    coupling.vs[1] += sa * ay - old.ts[0] * gt
  }

  /// One axis of it, where size matters more than lanes.
  ///
  /// - Parameters:
  ///   - tb: That of the other axis before the stretch, as `ts` and `ta`.
  @inline(never)
  private mutating func carry(
    _ axis: Int, _ turn: Turn, _ tb: Vector3, _ ts: Vector3, _ ta: Vector3, hasOffset: Bool
  ) {
    let (a, c, g) = (turn.a, turn.c, turn.g)
    coupling.tb[axis] += bb * a
    coupling.ts[axis] += ss * c
    // What there is no offset in is zero, and stays it: of a sensor without one this was a third of the work.
    guard hasOffset else {
      coupling.vb[axis] += tb * g
      coupling.vs[axis] += ts * g
      return
    }
    coupling.ta[axis] = coupling.ta[axis] + ba.after(a) + sa.after(c)
    coupling.va[axis] += ta * g + aa * a
    coupling.vb[axis] += tb * g + ba * a
    coupling.vs[axis] += ts * g + sa * a
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
    let (x, y) = turned(turnX, turnY)
    var fvvXX = vvXX + gt * tvYX
    var fvvXY = vvXY + gt * tvYY
    var fvvYY = vvYY - gt * tvXY
    var fvtXX = tvXX + gt * ttXY
    var fvtXY = tvYX + gt * ttYY
    var fvtYX = tvXY - gt * ttXX
    let hasOffset = coefficients.hasOffset
    if hasOffset {
      fvvXX += ax.dot(coupling.va[0])
      fvvXY += ax.dot(coupling.va[1])
      fvvYY += ay.dot(coupling.va[1])
      fvtXX += ax.dot(coupling.ta[0])
      fvtXY += ax.dot(coupling.ta[1])
      fvtYX += ay.dot(coupling.ta[0])
    }
    carry(turnX, turnY, hasOffset: hasOffset)
    // Second factor · Fᵀ.
    vvXX = fvvXX + gt * fvtXY
    vvXY = fvvXY - gt * fvtXX
    vvYY = fvvYY - gt * fvtYX
    tvXX = x.vx + gt * x.ty
    tvXY = x.vy - gt * x.tx
    tvYX = y.vx + gt * y.ty
    tvYY = y.vy - gt * y.tx
    if hasOffset {
      vvXX += coupling.va[0].dot(ax)
      vvXY += coupling.va[0].dot(ay)
      vvYY += coupling.va[1].dot(ay)
      tvXX += coupling.ta[0].dot(ax)
      tvXY += coupling.ta[0].dot(ay)
      tvYX += coupling.ta[1].dot(ax)
      tvYY += coupling.ta[1].dot(ay)
    }
    vvXX += forceVariance * t
    vvYY += forceVariance * t
    ttXX = x.tx + coupling.tb[0].dot(ax) + coupling.ts[0].dot(turnX.c) + tiltVariance
    ttXY = x.ty + coupling.tb[0].dot(ay) + coupling.ts[0].dot(turnY.c)
    ttYY = y.ty + coupling.tb[1].dot(ay) + coupling.ts[1].dot(turnY.c) + tiltVariance
    bb.addToDiagonal(coefficients.biasNoise * t)
    guard !isDoubtful else { return }
    ss.addToDiagonal(coefficients.scaleNoise * t)
    if hasOffset { aa.addToDiagonal(coefficients.offsetNoise * t) }
  }
}
