/// A vector of three single-precision components. The frame and the unit are those of the variable's name.
@frozen public struct Vector3: Equatable, BitwiseCopyable, Sendable {
  /// First component (forward in the body frame, east in the earth frame).
  public var x: Float
  /// Second component (left in the body frame, north in the earth frame).
  public var y: Float
  /// Third component (up in both frames).
  public var z: Float

  /// A vector of the three components.
  @inlinable public init(_ x: Float, _ y: Float, _ z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The vector of length zero.
  @inlinable public static var zero: Vector3 { Vector3(0, 0, 0) }

  /// Sum of products of the components.
  @inlinable public func dot(_ other: Vector3) -> Float { x * other.x + y * other.y + z * other.z }

  /// Right-handed cross product.
  @inlinable public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// Square of the length.
  @inlinable public var squaredLength: Float { dot(self) }

  /// Length.
  @inlinable public var length: Float { dot(self).squareRoot() }

  /// The vector of length one in the same direction, or nil when the length is zero or not finite.
  @inlinable public var normalized: Vector3? {
    let norm = length
    guard norm > 0, norm.isFinite else { return nil }
    return self * (1 / norm)
  }

  /// True when no component is NaN or infinite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// Sum by component.
  @inlinable public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
  /// Difference by component.
  @inlinable public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
  /// Scaling.
  @inlinable public static func * (a: Vector3, s: Float) -> Vector3 { Vector3(a.x * s, a.y * s, a.z * s) }
  /// Opposite vector.
  @inlinable public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }
  /// Adds by component.
  @inlinable public static func += (a: inout Vector3, b: Vector3) { a.add(b) }
  /// Subtracts by component.
  @inlinable public static func -= (a: inout Vector3, b: Vector3) { a.subtract(b) }

  #if hasFeature(Embedded)
    // On a microcontroller these take 36 bytes where they are written out, and stand in a hundred places. What each sample goes through
    // says `a = a + b`.
    @usableFromInline @inline(never) mutating func add(_ b: Vector3) { self = self + b }
    @usableFromInline @inline(never) mutating func subtract(_ b: Vector3) { self = self - b }
  #else
    @inlinable mutating func add(_ b: Vector3) { self = self + b }
    @inlinable mutating func subtract(_ b: Vector3) { self = self - b }
  #endif
}
