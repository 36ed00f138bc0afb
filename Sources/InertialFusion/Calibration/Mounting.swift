public import Quantities

/// How a sensor sits on the vehicle: the rotation from its frame to the body frame (x forward, y left, z up).
///
/// Axes where they suffice, because they are exact and cost nothing; a rotation for every other angle.
@frozen public enum Mounting: Equatable, BitwiseCopyable, Sendable {
  /// Along the vehicle's axes, in any of the 24 ways.
  case axes(AxisRemap)
  /// At any angle: the rotation `bodyFromSensor`, of unit norm.
  case rotation(Quaternion)

  /// The sensor frame is the body frame.
  @inlinable public static var identity: Mounting { .axes(.identity) }

  /// A mounting from four numbers that should be a unit quaternion; nil when they are far from one.
  ///
  /// What has unit norm to the last digits is taken as it is, so that a rotation written as text and read again keeps its
  /// bits. Anything else within 1 % is scaled: it was typed with few digits.
  public init?(bodyFromSensor q: Quaternion) {
    let squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
    guard squared > 0.98, squared < 1.02 else { return nil }
    let excess = squared - 1
    self = .rotation(excess < 1e-6 && excess > -1e-6 ? q : q.normalized)
  }

  /// A vector of the sensor frame in the body frame.
  @inlinable public func body(fromSensor v: Vector3) -> Vector3 {
    switch self {
    case .axes(let remap): return remap.body(fromSensor: v)
    case .rotation(let bodyFromSensor): return bodyFromSensor.rotate(v)
    }
  }
}
