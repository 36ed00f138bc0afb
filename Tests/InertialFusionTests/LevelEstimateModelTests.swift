import Quantities
import Testing

@testable import InertialFusion

/// A Kalman filter of the thirteen error states as a textbook has it: dense matrices in double precision.
///
/// States in this order: tilt x y, velocity x y, bias x y z, scale x y z, accelerometer x y z. Written from the model in the comment of
/// `LevelEstimate`, not from its code. What the comment leaves out (bias with scale) is left out here, too.
private struct DenseFilter {
  var p: [[Double]]
  /// Velocity, bias, scale; the tilt's correction is given away.
  var velocity = [0.0, 0.0]
  var bias = [0.0, 0.0, 0.0]
  var scale = [0.0, 0.0, 0.0]
  var offset = [0.0, 0.0, 0.0]

  init(_ parameters: AttitudeParameters) {
    p = [[Double]](repeating: [Double](repeating: 0, count: 13), count: 13)
    let deviations = [
      Double(parameters.initialTiltUncertainty), Double(parameters.initialTiltUncertainty), 0.3, 0.3,
      Double(parameters.initialBiasUncertainty), Double(parameters.initialBiasUncertainty),
      Double(parameters.initialBiasUncertainty), Double(parameters.initialScaleUncertainty),
      Double(parameters.initialScaleUncertainty), Double(parameters.initialScaleUncertainty),
      Double(parameters.initialAccelerometerOffset), Double(parameters.initialAccelerometerOffset),
      Double(parameters.initialAccelerometerOffset),
    ]
    for place in 0..<13 { p[place][place] = deviations[place] * deviations[place] }
  }

  private func times(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    var product = [[Double]](repeating: [Double](repeating: 0, count: 13), count: 13)
    for i in 0..<13 {
      for j in 0..<13 {
        for k in 0..<13 { product[i][j] += a[i][k] * b[k][j] }
      }
    }
    return product
  }

  /// One stretch: θ̇ = R(−δb + ω∘δs), v̇ = g(θy, −θx) − R δa + f.
  mutating func propagate(
    force: (Double, Double), angle: [Double], rows: [[Double]], seconds t: Double, tilt: Double, accelerometer: Double,
    bias biasNoise: Double, scale scaleNoise: Double, offset offsetNoise: Double
  ) {
    velocity[0] += force.0
    velocity[1] += force.1
    var f = (0..<13).map { i in (0..<13).map { $0 == i ? 1.0 : 0.0 } }
    for axis in 0..<3 {
      for row in 0..<2 {
        f[row][4 + axis] = -rows[row][axis] * t
        f[row][7 + axis] = rows[row][axis] * angle[axis]
        f[2 + row][10 + axis] = -rows[row][axis] * t
      }
    }
    // The velocity is carried by the tilt at the beginning of the stretch.
    f[2][1] = 9.80665 * t
    f[3][0] = -9.80665 * t
    let transposed = (0..<13).map { i in (0..<13).map { f[$0][i] } }
    p = times(times(f, p), transposed)
    let noise =
      [tilt, tilt, accelerometer * t, accelerometer * t] + [Double](repeating: biasNoise * t, count: 3)
      + [Double](repeating: scaleNoise * t, count: 3) + [Double](repeating: offsetNoise * t, count: 3)
    for place in 0..<13 { p[place][place] += noise[place] }
    cutApart()
  }

  private mutating func cutApart() {
    for i in 4..<7 {
      for j in 7..<10 { (p[i][j], p[j][i]) = (0, 0) }
    }
  }

  /// Conditions on one state, measured with a variance; gives the tilt's correction.
  mutating func condition(on state: Int, variance: Double, innovation: Double) -> (Double, Double) {
    let column = (0..<13).map { p[$0][state] }
    let s = p[state][state] + variance
    let gain = column.map { $0 / s }
    for i in 0..<13 { for j in 0..<13 { p[i][j] -= gain[i] * column[j] } }
    cutApart()
    velocity[0] += gain[2] * innovation
    velocity[1] += gain[3] * innovation
    for axis in 0..<3 {
      bias[axis] += gain[4 + axis] * innovation
      // A measurement of the bias says nothing about the scale, as their covariance is left out.
      scale[axis] += gain[7 + axis] * innovation
      offset[axis] += gain[10 + axis] * innovation
    }
    return (gain[0] * innovation, gain[1] * innovation)
  }
}

extension LevelEstimate {
  /// The covariance as one matrix, in the order of the model.
  fileprivate var matrix: [[Double]] {
    var m = [[Float]](repeating: [Float](repeating: 0, count: 13), count: 13)
    func set(_ i: Int, _ j: Int, _ value: Float) {
      m[i][j] = value
      m[j][i] = value
    }
    func set(_ i: Int, _ from: Int, _ v: Vector3) {
      set(i, from, v.x)
      set(i, from + 1, v.y)
      set(i, from + 2, v.z)
    }
    set(0, 0, ttXX)
    set(0, 1, ttXY)
    set(1, 1, ttYY)
    set(0, 2, tvXX)
    set(0, 3, tvXY)
    set(1, 2, tvYX)
    set(1, 3, tvYY)
    set(2, 2, vvXX)
    set(2, 3, vvXY)
    set(3, 3, vvYY)
    for axis in 0...1 {
      for (column, tilt, velocity) in [
        (4, coupling.tb[axis], coupling.vb[axis]), (7, coupling.ts[axis], coupling.vs[axis]),
        (10, coupling.ta[axis], coupling.va[axis]),
      ] {
        set(axis, column, tilt)
        set(2 + axis, column, velocity)
      }
    }
    for (first, block) in [(4, bb), (7, ss), (10, aa)] {
      set(first, first, Vector3(block.xx, block.xy, block.xz))
      set(first + 1, first + 1, block.yy)
      set(first + 1, first + 2, block.yz)
      set(first + 2, first + 2, block.zz)
    }
    for (row, offsets) in [
      (4, ba.rowX), (5, ba.rowY), (6, ba.rowZ), (7, sa.rowX), (8, sa.rowY), (9, sa.rowZ),
    ] { set(row, 10, offsets) }
    return m.map { $0.map(Double.init) }
  }
}

private func rows(of q: Quaternion) -> [[Double]] {
  // The matrix by what it does to the axes: nothing of the filter's own formula.
  let columns = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map { q.rotate($0) }
  return [columns.map { Double($0.x) }, columns.map { Double($0.y) }]
}

/// The Kalman filter behind the attitude is the one its comment describes.
@Suite struct LevelEstimateModelTests {
  /// Without an offset of the accelerometer, too, where the filter leaves out all that would be zero.
  @Test(arguments: [UInt64(1), 2, 3], [Float(0.1), 0])
  func theSparseFilterIsTheDenseOne(seed: UInt64, firstOffset: Float) {
    var random = SplitMix64(seed: seed)
    func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
    func vector(_ scale: Float) -> Vector3 { Vector3(number(), number(), number()) * scale }
    var parameters = AttitudeParameters()
    // Large noises, so that a term that is missing shows.
    parameters.biasWandering = 0.003
    parameters.initialScaleUncertainty = 0.04
    parameters.initialAccelerometerOffset = firstOffset
    parameters.offsetWandering = 0.02
    parameters.maximumGyroBias = 10
    parameters.maximumGyroScale = 10
    let c = AttitudeCoefficients(parameters)
    var filter = LevelEstimate(c)
    var model = DenseFilter(parameters)
    for step in 0..<120 {
      let q = Quaternion(rotationVector: vector(3)).normalized
      let angle = vector(0.2)
      let t = 0.03 + 0.02 * abs(number())
      let force = (number(), number())
      filter.propagate(
        forceX: force.0, forceY: force.1, angle: angle, rotation: q, seconds: t, tiltVariance: 2e-6,
        forceVariance: 4e-4, coefficients: c)
      model.propagate(
        force: (Double(force.0), Double(force.1)), angle: [Double(angle.x), Double(angle.y), Double(angle.z)],
        rows: rows(of: q), seconds: Double(t), tilt: 2e-6, accelerometer: 4e-4, bias: 9e-6,
        scale: 0.002 * 0.002 / 900, offset: firstOffset > 0 ? 4e-4 : 0)
      var tilt = Vector3.zero
      var wanted = (0.0, 0.0)
      func measure(_ state: Int, _ row: LevelEstimate.Row, _ own: Float, _ variance: Float, _ innovation: Float) {
        filter.condition(
          on: row, variance: own + variance, innovation: innovation, tilt: &tilt, hasScale: state < 4,
          hasOffset: c.hasOffset, isCertain: true, learning: 1)
        let added = model.condition(on: state, variance: Double(variance), innovation: Double(innovation))
        wanted = (wanted.0 + added.0, wanted.1 + added.1)
      }
      measure(2, filter.velocityRowX, filter.vvXX, 0.02, 0.3 * number())
      measure(3, filter.velocityRowY, filter.vvYY, 0.02, 0.3 * number())
      if step % 3 == 0 {
        measure(4, filter.biasRowX, filter.bb.xx, 1e-5, 0.01 * number())
        measure(5, filter.biasRowY, filter.bb.yy, 1e-5, 0.01 * number())
        measure(6, filter.biasRowZ, filter.bb.zz, 1e-5, 0.01 * number())
      }
      #expect(abs(Double(tilt.x) - wanted.0) < 1e-4 && abs(Double(tilt.y) - wanted.1) < 1e-4 && tilt.z == 0)
      let seen = filter.matrix
      for i in 0..<13 {
        for j in 0..<13 {
          let unit = (model.p[i][i] * model.p[j][j]).squareRoot()
          if abs(seen[i][j] - model.p[i][j]) > 0.003 * unit {
            Issue.record("step \(step): covariance of \(i) and \(j) is \(seen[i][j]), not \(model.p[i][j])")
            return
          }
        }
      }
    }
    let bias = Vector3(Float(model.bias[0]), Float(model.bias[1]), Float(model.bias[2]))
    let scale = Vector3(Float(model.scale[0]), Float(model.scale[1]), Float(model.scale[2]))
    #expect(bias.length > 0.002 && (filter.gyroBias - bias).length < 0.02 * bias.length)
    #expect(scale.length > 0.0005 && (filter.gyroScale - scale).length < 0.02 * scale.length)
    let offset = Vector3(Float(model.offset[0]), Float(model.offset[1]), Float(model.offset[2]))
    if firstOffset > 0 {
      #expect(offset.length > 0.01 && (filter.accelerometerOffset - offset).length < 0.02 * offset.length)
    } else {
      #expect(filter.accelerometerOffset == .zero && filter.aa == SymmetricMatrix3(diagonal: 0))
    }
    #expect(abs(Double(filter.velocityX) - model.velocity[0]) < 0.01)
    #expect(abs(Double(filter.velocityY) - model.velocity[1]) < 0.01)
    let tilt = ((model.p[0][0] + model.p[1][1]) / 2).squareRoot()
    let spread = ((model.p[4][4] + model.p[5][5] + model.p[6][6]) / 3).squareRoot()
    let share = ((model.p[7][7] + model.p[8][8] + model.p[9][9]) / 3).squareRoot()
    #expect(abs(Double(filter.tiltUncertainty) / tilt - 1) < 0.01)
    #expect(abs(Double(filter.gyroBiasUncertainty) / spread - 1) < 0.01)
    #expect(abs(Double(filter.gyroScaleUncertainty) / share - 1) < 0.01)
  }

  @Test func whatIsForgottenAndWhatIsKept() {
    var parameters = AttitudeParameters()
    parameters.initialAccelerometerOffset = 0.1
    let c = AttitudeCoefficients(parameters)
    func worn() -> LevelEstimate {
      var filter = LevelEstimate(c)
      for step in 0..<50 {
        filter.propagate(
          forceX: 0.1, forceY: -0.2, angle: Vector3(0.05, -0.03, 0.04),
          rotation: Quaternion(w: 0.8, x: 0, y: 0.6, z: 0),
          seconds: 0.04, tiltVariance: 1e-6, forceVariance: 1e-4, coefficients: c)
        var tilt = Vector3.zero
        filter.condition(
          on: filter.velocityRowX, variance: filter.vvXX + 0.1, innovation: step % 2 == 0 ? 0.2 : -0.1, tilt: &tilt,
          hasScale: true, hasOffset: true, isCertain: true, learning: 1)
        filter.condition(
          on: filter.velocityRowY, variance: filter.vvYY + 0.1, innovation: 0.1, tilt: &tilt, hasScale: true,
          hasOffset: true, isCertain: true, learning: 1)
      }
      return filter
    }
    let before = worn()
    #expect(before.matrix.allSatisfy { row in row.filter { $0 != 0 }.count >= 3 })
    var filter = before
    filter.forgetTilt(c)
    #expect(filter.gyroBias == before.gyroBias && filter.gyroScale == before.gyroScale)
    #expect(filter.bb == before.bb && filter.ss == before.ss && filter.aa == before.aa)
    #expect(filter.accelerometerOffset == before.accelerometerOffset)
    #expect(filter.velocityX == 0 && filter.velocityY == 0)
    var fresh = LevelEstimate(c).matrix
    for i in 4..<13 { for j in 4..<13 { fresh[i][j] = before.matrix[i][j] } }
    #expect(filter.matrix == fresh)

    filter = before
    filter.reverse()
    #expect(filter.gyroBias == before.gyroBias * -1 && filter.gyroScale == before.gyroScale)
    #expect(filter.velocityX == -before.velocityX && filter.velocityY == -before.velocityY)
    for (i, row) in filter.matrix.enumerated() {
      for (j, value) in row.enumerated() {
        // Each with itself, and tilt, scale and offset with each other.
        let block = [0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
        let isKept = block[i] == block[j] || !(block[i] == 1 || block[i] == 2 || block[j] == 1 || block[j] == 2)
        let sign: Double = isKept ? 1 : 0
        #expect(value == sign * before.matrix[i][j], "\(i) \(j)")
      }
    }

    filter = before
    filter.setBiasVariance(4e-6)
    for i in 0..<13 {
      for j in 0..<13 where (4..<7).contains(i) || (4..<7).contains(j) {
        #expect(filter.matrix[i][j] == (i == j ? Double(Float(4e-6)) : 0), "\(i) \(j)")
      }
    }
    #expect(filter.ss == before.ss && filter.ttXX == before.ttXX && filter.coupling.ts[0] == before.coupling.ts[0])
    filter.setBiasVariance(0)
    #expect(filter.bb.xx == 1e-14)
  }

  @Test func variancesBiasAndScaleStayWithinTheirBounds() {
    var parameters = AttitudeParameters()
    parameters.maximumGyroBias = 0.2
    parameters.maximumGyroScale = 0.03
    parameters.initialAccelerometerOffset = 0.1
    let c = AttitudeCoefficients(parameters)
    for sign: Float in [1, -1] {
      var filter = LevelEstimate(c)
      filter.gyroBias = Vector3(0.3, 0.1, -0.25) * sign
      filter.gyroScale = Vector3(-0.04, 0.02, 0.05) * sign
      (filter.ttXX, filter.ttYY, filter.vvXX, filter.vvYY) = (2, 3, 200, 300)
      filter.bb = SymmetricMatrix3(diagonal: 1)
      filter.ss = SymmetricMatrix3(diagonal: 1)
      filter.aa = SymmetricMatrix3(diagonal: 1)
      filter.accelerometerOffset = Vector3(2, 1.4, -1.6) * sign
      filter.bound(c)
      #expect(filter.accelerometerOffset == Vector3(1.5, 1.4, -1.5) * sign)
      #expect(filter.aa == SymmetricMatrix3(diagonal: c.initialOffsetVariance))
      #expect(filter.gyroBias == Vector3(0.2, 0.1, -0.2) * sign)
      #expect(filter.gyroScale == Vector3(-0.03, 0.02, 0.03) * sign)
      #expect(filter.ttXX == 1 && filter.ttYY == 1 && filter.vvXX == 100 && filter.vvYY == 100)
      #expect(filter.bb == SymmetricMatrix3(diagonal: c.initialBiasVariance))
      #expect(filter.ss == SymmetricMatrix3(diagonal: c.initialScaleVariance))
      (filter.ttXX, filter.ttYY, filter.vvXX, filter.vvYY) = (-1, -1, -1, -1)
      filter.bb = SymmetricMatrix3(diagonal: -1)
      filter.ss = SymmetricMatrix3(diagonal: -1)
      filter.aa = SymmetricMatrix3(diagonal: -1)
      filter.bound(c)
      #expect(filter.ttXX > 0 && filter.ttYY > 0 && filter.vvXX > 0 && filter.vvYY > 0)
      for variance in [
        filter.bb.xx, filter.bb.yy, filter.bb.zz, filter.ss.xx, filter.ss.yy, filter.ss.zz, filter.aa.xx,
      ] {
        #expect(variance > 0 && variance < 1e-9)
      }
    }
  }

  @Test func aSymmetricMatrixIsTheMatrixItStandsFor() {
    var random = SplitMix64(seed: 5)
    func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
    func vector() -> Vector3 { Vector3(number(), number(), number()) }
    for _ in 0..<50 {
      var m = SymmetricMatrix3(diagonal: 3)
      let (a, b, v) = (vector(), vector(), vector())
      m.subtract(a, scale: 0.5)
      m.subtract(b, scale: -0.25)
      m.addToDiagonal(0.125)
      let expected = v * 3.125 - a * (0.5 * a.dot(v)) + b * (0.25 * b.dot(v))
      #expect((m * v - expected).length < 1e-5)
      #expect(abs(m.trace - (9.375 - 0.5 * a.squaredLength + 0.25 * b.squaredLength)) < 1e-5)
      if let x = m.inverse { #expect((m * (x * v) - v).length < 1e-5) } else { Issue.record("not inverted") }
      if let x = m.solve(v) { #expect((m * x - v).length < 1e-5) } else { Issue.record("not solved") }
      m.clampDiagonal(from: 3, to: 3.1)
      for value in [m.xx, m.yy, m.zz] { #expect(value >= 3 && value <= 3.1) }
    }
    #expect(SymmetricMatrix3(diagonal: 0).inverse == nil)
    #expect(SymmetricMatrix3(diagonal: 0).solve(Vector3(1, 0, 0)) == nil)
    var flat = SymmetricMatrix3(diagonal: 1)
    flat.subtract(Vector3(1, 0, 0), scale: 1)
    #expect(flat.solve(Vector3(1, 0, 0)) == nil && flat.inverse == nil)
  }
}
