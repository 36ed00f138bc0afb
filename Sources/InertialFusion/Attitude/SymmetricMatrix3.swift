import Quantities

/// A symmetric 3×3 matrix of single-precision numbers, six of them stored.
public struct SymmetricMatrix3: Equatable, BitwiseCopyable, Sendable {
  /// First of the diagonal.
  public var xx: Float
  /// Second.
  public var yy: Float
  /// Third.
  public var zz: Float
  /// First row, second column.
  public var xy: Float
  /// First row, third column.
  public var xz: Float
  /// Second row, third column.
  public var yz: Float

  /// `value` on the diagonal, zero elsewhere.
  init(diagonal value: Float) {
    xx = value
    yy = value
    zz = value
    xy = 0
    xz = 0
    yz = 0
  }

  /// Sum of the diagonal.
  var trace: Float { xx + yy + zz }

  /// Product with a column.
  static func * (m: SymmetricMatrix3, v: Vector3) -> Vector3 { Lanes3.isWhole ? m.times(v) : m.timesOnce(v) }

  @inline(never) private func timesOnce(_ v: Vector3) -> Vector3 { times(v) }

  @inline(__always)
  private func times(_ v: Vector3) -> Vector3 {
    Vector3(xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z)
  }

  /// Takes `scale · v · vᵀ` away.
  mutating func subtract(_ v: Vector3, scale: Float) {
    let s = v * scale
    xx -= s.x * v.x
    yy -= s.y * v.y
    zz -= s.z * v.z
    xy -= s.x * v.y
    xz -= s.x * v.z
    yz -= s.y * v.z
  }

  /// Adds `scale · v · vᵀ`.
  mutating func add(_ v: Vector3, scale: Float) { subtract(v, scale: -scale) }

  /// Multiplies every element.
  mutating func scale(by factor: Float) {
    xx *= factor
    yy *= factor
    zz *= factor
    xy *= factor
    xz *= factor
    yz *= factor
  }

  /// Adds `value` to the diagonal.
  mutating func addToDiagonal(_ value: Float) {
    xx += value
    yy += value
    zz += value
  }

  /// Keeps the diagonal between two limits: rounding must not make a variance negative, nor a long wait infinite.
  mutating func clampDiagonal(from least: Float, to most: Float) {
    xx = min(max(xx, least), most)
    yy = min(max(yy, least), most)
    zz = min(max(zz, least), most)
  }

  /// The inverse, or nil when the matrix is not positive definite enough to tell.
  var inverse: SymmetricMatrix3? {
    let a = yy * zz - yz * yz
    let b = xz * yz - xy * zz
    let c = xy * yz - xz * yy
    let determinant = xx * a + xy * b + xz * c
    guard determinant > 1e-6 * xx * yy * zz, determinant.isFinite else { return nil }
    let s = 1 / determinant
    var m = SymmetricMatrix3(diagonal: 0)
    m.xx = a * s
    m.xy = b * s
    m.xz = c * s
    m.yy = (xx * zz - xz * xz) * s
    m.yz = (xy * xz - xx * yz) * s
    m.zz = (xx * yy - xy * xy) * s
    return m
  }

  /// Solution x of `self · x = d`, or nil when the matrix is not positive definite enough to tell.
  func solve(_ d: Vector3) -> Vector3? {
    let a = yy * zz - yz * yz
    let b = xz * yz - xy * zz
    let c = xy * yz - xz * yy
    let determinant = xx * a + xy * b + xz * c
    guard determinant > 1e-6 * xx * yy * zz, determinant.isFinite else { return nil }
    let s = 1 / determinant
    let e = xx * zz - xz * xz
    let f = xy * xz - xx * yz
    let g = xx * yy - xy * xy
    return Vector3(a * d.x + b * d.y + c * d.z, b * d.x + e * d.y + f * d.z, c * d.x + f * d.y + g * d.z) * s
  }
}

/// A 3×3 matrix of single-precision numbers, row by row.
struct Matrix3: Equatable, BitwiseCopyable, Sendable {
  var rowX = Vector3.zero
  var rowY = Vector3.zero
  var rowZ = Vector3.zero

  init() {}

  /// The matrix of a rotation.
  @inline(__always) init(_ q: Quaternion) { self = Lanes3.isWhole ? Matrix3(here: q) : Matrix3(once: q) }

  @inline(never) private init(once q: Quaternion) { self.init(here: q) }

  @inline(__always) private init(here q: Quaternion) {
    rowX = Vector3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y))
    rowY = Vector3(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x))
    rowZ = Vector3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
  }

  /// Product with a column.
  static func * (m: Matrix3, v: Vector3) -> Vector3 { Lanes3.isWhole ? m.times(v) : m.timesOnce(v) }

  /// Product of a row with it.
  func after(_ v: Vector3) -> Vector3 { Lanes3.isWhole ? follows(v) : followsOnce(v) }

  // Without lanes each stands in one place: see `LevelCoupling`.
  @inline(never) private func timesOnce(_ v: Vector3) -> Vector3 { times(v) }
  @inline(never) private func followsOnce(_ v: Vector3) -> Vector3 { follows(v) }

  @inline(__always)
  private func times(_ v: Vector3) -> Vector3 { Vector3(rowX.dot(v), rowY.dot(v), rowZ.dot(v)) }

  @inline(__always)
  private func follows(_ v: Vector3) -> Vector3 { rowX * v.x + rowY * v.y + rowZ * v.z }

  /// Takes `a · bᵀ` away.
  @inline(__always)
  mutating func subtract(_ a: Vector3, _ b: Vector3) {
    if Lanes3.isWhole { take(a, b) } else { takeOnce(a, b) }
  }

  @inline(never) private mutating func takeOnce(_ a: Vector3, _ b: Vector3) { take(a, b) }

  @inline(__always)
  private mutating func take(_ a: Vector3, _ b: Vector3) {
    rowX -= b * a.x
    rowY -= b * a.y
    rowZ -= b * a.z
  }
}
