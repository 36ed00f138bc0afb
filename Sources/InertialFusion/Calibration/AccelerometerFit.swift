import Quantities

/// The least-squares problem behind `AccelerometerCalibrator`: lengths of scaled, shifted means against gravity.
///
/// - Source: our derivation (`docs/calibration.md`); damped Gauss-Newton steps, which from a sensor's small errors converge
///   in three or four.
struct AccelerometerFit {
  let gravity: Float
  private(set) var offset = Vector3.zero
  private(set) var scale = Vector3(1, 1, 1)

  init(gravity: Float) { self.gravity = gravity }

  /// False beyond what parts have.
  var isPlausible: Bool {
    let off = scale - Vector3(1, 1, 1)
    return offset.isFinite && scale.isFinite && offset.length < 3 && max(abs(off.x), max(abs(off.y), abs(off.z))) < 0.2
  }

  /// Root mean square of length minus gravity, m/s².
  func residual(over poses: Span<StillPose>) -> Float {
    guard poses.count > 0 else { return 0 }
    return (squares(over: poses) / Float(poses.count)).squareRoot()
  }

  private func squares(over poses: Span<StillPose>) -> Float {
    var sum: Float = 0
    for place in poses.indices {
      let difference = corrected(poses[place].specificForce).length - gravity
      sum += difference * difference
    }
    return sum
  }

  private func corrected(_ force: Vector3) -> Vector3 {
    let centred = force - offset
    return Vector3(centred.x * scale.x, centred.y * scale.y, centred.z * scale.z)
  }

  /// Takes steps until they no longer help.
  mutating func improve(over poses: Span<StillPose>) {
    var damping: Float = 1e-3
    var best = squares(over: poses)
    for _ in 0..<30 {
      var (matrix, slope) = normalEquations(over: poses)
      for place in 0..<6 { matrix[place * 7] += damping }
      guard NormalMatrix.factorize(&matrix) else { return }
      NormalMatrix.solve(matrix, &slope)
      var next = self
      next.offset -= Vector3(slope[0], slope[1], slope[2])
      next.scale -= Vector3(slope[3], slope[4], slope[5]) * (1 / gravity)
      let reached = next.squares(over: poses)
      if reached <= best {
        let gain = best - reached
        self = next
        best = reached
        damping *= 0.1
        if gain <= 1e-9 { return }
      } else {
        damping *= 10
        if damping > 1e3 { return }
      }
    }
  }

  /// Standard deviations of offset (m/s²) and factors for a standard deviation of 1 m/s² of every pose's length; nil when
  /// some are not determined.
  func deviations(over poses: Span<StillPose>) -> (offset: Vector3, scale: Vector3)? {
    var (matrix, _) = normalEquations(over: poses)
    guard NormalMatrix.factorize(&matrix) else { return nil }
    var result = InlineArray<6, Float>(repeating: 0)
    for place in 0..<6 {
      var unit = InlineArray<6, Float>(repeating: 0)
      unit[place] = 1
      NormalMatrix.solve(matrix, &unit)
      result[place] = max(0, unit[place]).squareRoot()
    }
    return (
      Vector3(result[0], result[1], result[2]), Vector3(result[3], result[4], result[5]) * (1 / gravity)
    )
  }

  /// JᵀJ and Jᵀr for the three offsets and the three factors times gravity: all of one magnitude, so that single precision
  /// is enough.
  private func normalEquations(
    over poses: Span<StillPose>
  ) -> (matrix: InlineArray<36, Float>, slope: InlineArray<6, Float>) {
    var matrix = InlineArray<36, Float>(repeating: 0)
    var slope = InlineArray<6, Float>(repeating: 0)
    for place in poses.indices {
      let force = poses[place].specificForce
      let value = corrected(force)
      guard let up = value.normalized else { continue }
      let centred = (force - offset) * (1 / gravity)
      let row: InlineArray<6, Float> = [
        -up.x * scale.x, -up.y * scale.y, -up.z * scale.z, up.x * centred.x, up.y * centred.y, up.z * centred.z,
      ]
      let difference = value.length - gravity
      for i in 0..<6 {
        slope[i] += row[i] * difference
        for j in 0..<6 { matrix[i * 6 + j] += row[i] * row[j] }
      }
    }
    return (matrix, slope)
  }
}

/// Symmetric positive matrices of six rows, row by row in one array.
enum NormalMatrix {
  /// Cholesky's lower triangle in place; false when the matrix is not positive beyond rounding.
  static func factorize(_ a: inout InlineArray<36, Float>) -> Bool {
    for i in 0..<6 {
      for j in 0...i {
        var sum = a[i * 6 + j]
        for k in 0..<j { sum -= a[i * 6 + k] * a[j * 6 + k] }
        if i == j {
          guard sum > 1e-5 else { return false }
          a[i * 7] = sum.squareRoot()
        } else {
          a[i * 6 + j] = sum / a[j * 7]
        }
      }
    }
    return true
  }

  /// Solves with the triangle of `factorize`, in place.
  static func solve(_ a: InlineArray<36, Float>, _ b: inout InlineArray<6, Float>) {
    for i in 0..<6 {
      for k in 0..<i { b[i] -= a[i * 6 + k] * b[k] }
      b[i] /= a[i * 7]
    }
    for i in stride(from: 5, through: 0, by: -1) {
      for k in (i + 1)..<6 { b[i] -= a[k * 6 + i] * b[k] }
      b[i] /= a[i * 7]
    }
  }
}
