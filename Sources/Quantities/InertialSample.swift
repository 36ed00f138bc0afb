/// One reading of an inertial sensor, in SI units. The frame is the sensor's until the tracker's axis remap, and the body
/// frame (x forward, y left, z up) after it.
@frozen public struct InertialSample: Equatable, BitwiseCopyable, Sendable {
  /// When the reading was taken, on the monotonic clock.
  public var time: Instant
  /// Angular rate, rad/s; nil when there is no gyroscope or it gave nothing.
  public var angularRate: Vector3?
  /// Specific force, m/s²: at rest it points up with 9.8; nil when there is no accelerometer or it gave nothing.
  public var specificForce: Vector3?
  /// Magnetic flux density, µT; nil when there is no magnetometer or it has no new value.
  public var magneticFluxDensity: Vector3?

  /// A reading; parts the sensor does not have stay nil.
  @inlinable public init(
    time: Instant, angularRate: Vector3? = nil, specificForce: Vector3? = nil, magneticFluxDensity: Vector3? = nil
  ) {
    self.time = time
    self.angularRate = angularRate
    self.specificForce = specificForce
    self.magneticFluxDensity = magneticFluxDensity
  }
}
