/// A rotation as a Hamilton quaternion, scalar first, of unit norm.
///
/// Named `targetFromSource`: `earthFromBody.rotate(v)` takes a vector of the body frame to the earth frame, and
/// `earthFromBody * bodyFromSensor` is `earthFromSensor`.
@frozen public struct Quaternion: Equatable, BitwiseCopyable, Sendable {
  /// Scalar part.
  public var w: Float
  /// First component of the vector part.
  public var x: Float
  /// Second component of the vector part.
  public var y: Float
  /// Third component of the vector part.
  public var z: Float

  /// A quaternion of the four components; the caller answers for unit norm.
  @inlinable public init(w: Float, x: Float, y: Float, z: Float) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// No rotation.
  @inlinable public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

  /// The rotation by the rotation vector `v` (rad, axis times angle).
  ///
  /// - Source: our derivation; below 0.5 rad by the series of cos and sin(a)/a, whose error is below 1e-9 there.
  public init(rotationVector v: Vector3) {
    let squaredHalf = v.squaredLength * 0.25
    guard squaredHalf >= 0.0625 else {
      self.init(rotationVector: v, squaredHalf: squaredHalf)
      return
    }
    let half = squaredHalf.squareRoot()
    self.init(rotationVector: v, half: half, Elementary.sincos(half))
  }

  /// The same for rotations of at most 25,600 rad, with less code; beyond, and for NaN, four numbers that are none.
  public init(shortRotationVector v: Vector3) {
    let squaredHalf = v.squaredLength * 0.25
    guard squaredHalf >= 0.0625 else {
      self.init(rotationVector: v, squaredHalf: squaredHalf)
      return
    }
    // Said here, too: a function that is like the other but for what it calls is merged with it, and calls what nobody can foresee.
    guard squaredHalf < 1.6e8 else {
      self.init(w: .nan, x: .nan, y: .nan, z: .nan)
      return
    }
    let half = squaredHalf.squareRoot()
    self.init(rotationVector: v, half: half, Elementary.shortSincos(half))
  }

  /// The series, of half of the angle, squared.
  @inline(__always)
  private init(rotationVector v: Vector3, squaredHalf: Float) {
    let c = 1 - squaredHalf * (0.5 - squaredHalf * (1.0 / 24 - squaredHalf * (1.0 / 720)))
    let s = 0.5 * (1 - squaredHalf * (1.0 / 6 - squaredHalf * (1.0 / 120 - squaredHalf * (1.0 / 5040))))
    self.init(w: c, x: s * v.x, y: s * v.y, z: s * v.z)
  }

  @inline(__always)
  private init(rotationVector v: Vector3, half: Float, _ whole: (sin: Float, cos: Float)) {
    let s = whole.sin / (2 * half)
    self.init(w: whole.cos, x: s * v.x, y: s * v.y, z: s * v.z)
  }

  /// Hamilton product: first `b`, then `a`.
  @inlinable @inline(__always) public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  /// The opposite rotation.
  @inlinable public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// Scaled to unit norm; the identity when the norm is zero or not finite.
  @inlinable public var normalized: Quaternion {
    let squared = w * w + x * x + y * y + z * z
    guard squared > 0, squared.isFinite else { return .identity }
    let s = 1 / squared.squareRoot()
    return Quaternion(w: w * s, x: x * s, y: y * s, z: z * s)
  }

  /// The vector `v` of the source frame expressed in the target frame.
  @inlinable @inline(__always) public func rotate(_ v: Vector3) -> Vector3 {
    let u = Vector3(x, y, z)
    let t = u.cross(v) * 2
    return v + t * w + u.cross(t)
  }

  /// Angle of the rotation, 0 to π rad.
  public var angle: Float {
    let vectorLength = (x * x + y * y + z * z).squareRoot()
    return 2 * Elementary.atan2(vectorLength, w < 0 ? -w : w)
  }

  /// The shortest rotation that takes direction `a` to direction `b`; both of length one.
  ///
  /// For opposite directions, where the axis is not determined, any axis at right angles is taken.
  public init(from a: Vector3, to b: Vector3) {
    let axis = a.cross(b)
    let w = 1 + a.dot(b)
    if w > 1e-6 {
      self = Quaternion(w: w, x: axis.x, y: axis.y, z: axis.z).normalized
    } else {
      let helper = a.x * a.x < 0.5 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
      let n = a.cross(helper)
      self = Quaternion(w: 0, x: n.x, y: n.y, z: n.z).normalized
    }
  }
}
