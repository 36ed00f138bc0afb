import Glibc
public import Quantities
public import Recording

/// A quaternion in double precision, scalar first, for measuring errors smaller than `Float` resolves.
public struct PreciseQuaternion: Equatable, BitwiseCopyable, Sendable {
  /// Scalar part.
  public var w: Double
  /// First component of the vector part.
  public var x: Double
  /// Second component of the vector part.
  public var y: Double
  /// Third component of the vector part.
  public var z: Double

  /// A quaternion of its components.
  public init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// The quaternion of a filter.
  public init(_ quaternion: Quaternion) {
    self.init(w: Double(quaternion.w), x: Double(quaternion.x), y: Double(quaternion.y), z: Double(quaternion.z))
  }

  /// The quaternion of a file.
  public init(_ reference: InertialRow.Reference) {
    self.init(w: reference.w, x: reference.x, y: reference.y, z: reference.z)
  }

  /// What stands for a quaternion that is not there.
  public static var missing: PreciseQuaternion { PreciseQuaternion(w: .nan, x: .nan, y: .nan, z: .nan) }

  /// True when no component is NaN or infinite.
  public var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }

  /// The opposite rotation.
  public var conjugate: PreciseQuaternion { PreciseQuaternion(w: w, x: -x, y: -y, z: -z) }

  /// Scaled to unit norm; NaN for zero.
  public var normalized: PreciseQuaternion {
    let norm = (w * w + x * x + y * y + z * z).squareRoot()
    return PreciseQuaternion(w: w / norm, x: x / norm, y: y / norm, z: z / norm)
  }

  /// Hamilton product: first `b`, then `a`.
  public static func * (a: PreciseQuaternion, b: PreciseQuaternion) -> PreciseQuaternion {
    PreciseQuaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  /// The rotation about the vertical by an angle, rad.
  public static func aboutVertical(_ angle: Double) -> PreciseQuaternion {
    PreciseQuaternion(w: cos(angle / 2), x: 0, y: 0, z: sin(angle / 2))
  }
}
