public import Quantities

/// One signed axis of a sensor.
@frozen public enum SensorAxis: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The axis as the sensor names it.
  case plusX, plusY, plusZ
  /// The opposite direction.
  case minusX, minusY, minusZ

  /// The component of `v` along this axis.
  @inlinable public func component(of v: Vector3) -> Float {
    switch self {
    case .plusX: return v.x
    case .plusY: return v.y
    case .plusZ: return v.z
    case .minusX: return -v.x
    case .minusY: return -v.y
    case .minusZ: return -v.z
    }
  }

  /// The unit vector of this axis in the sensor frame.
  var direction: Vector3 {
    switch self {
    case .plusX: return Vector3(1, 0, 0)
    case .plusY: return Vector3(0, 1, 0)
    case .plusZ: return Vector3(0, 0, 1)
    case .minusX: return Vector3(-1, 0, 0)
    case .minusY: return Vector3(0, -1, 0)
    case .minusZ: return Vector3(0, 0, -1)
    }
  }
}

/// Which signed sensor axis points forward, left and up on the vehicle.
///
/// A signed permutation changes no bit of a sample's magnitude, so it is exact. Mountings at odd angles need a rotation:
/// `Mounting` holds either.
@frozen public struct AxisRemap: Equatable, BitwiseCopyable, Sendable {
  /// The sensor axis that points forward.
  public let forward: SensorAxis
  /// The sensor axis that points left.
  public let left: SensorAxis
  /// The sensor axis that points up.
  public let up: SensorAxis

  /// The sensor frame is the body frame.
  @inlinable public static var identity: AxisRemap {
    AxisRemap(uncheckedForward: .plusX, left: .plusY, up: .plusZ)
  }

  @inlinable init(uncheckedForward forward: SensorAxis, left: SensorAxis, up: SensorAxis) {
    self.forward = forward
    self.left = left
    self.up = up
  }

  /// A remap, or nil when the three are not at right angles or would make a left-handed frame.
  public init?(forward: SensorAxis, left: SensorAxis, up: SensorAxis) {
    guard forward.direction.cross(left.direction) == up.direction else { return nil }
    self.init(uncheckedForward: forward, left: left, up: up)
  }

  /// A vector of the sensor frame in the body frame.
  @inlinable public func body(fromSensor v: Vector3) -> Vector3 {
    Vector3(forward.component(of: v), left.component(of: v), up.component(of: v))
  }
}
