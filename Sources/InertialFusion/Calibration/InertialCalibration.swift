public import Quantities

/// What is known beforehand about one sensor: its zero offsets, its scale and how it is mounted.
///
/// Applied as `body = mounting((raw − offset) · scale)`, part by part. The gyroscope's remaining bias is learnt at rest by
/// `AttitudeFilter` and is not part of this.
@frozen public struct InertialCalibration: Equatable, BitwiseCopyable, Sendable {
  /// Angular rate the gyroscope shows at rest, rad/s, sensor frame. Default: zero.
  public var angularRateOffset: Vector3
  /// Specific force to subtract, m/s², sensor frame. Default: zero.
  public var specificForceOffset: Vector3
  /// Factor per axis after the offset, sensor frame. Default: one.
  public var specificForceScale: Vector3
  /// How the sensor sits on the vehicle. Default: identity.
  public var mounting: Mounting

  /// A perfect sensor mounted straight.
  @inlinable public init(
    angularRateOffset: Vector3 = .zero, specificForceOffset: Vector3 = .zero,
    specificForceScale: Vector3 = Vector3(1, 1, 1), mounting: Mounting = .identity
  ) {
    self.angularRateOffset = angularRateOffset
    self.specificForceOffset = specificForceOffset
    self.specificForceScale = specificForceScale
    self.mounting = mounting
  }

  /// The sample in the body frame, calibrated.
  @inlinable public func apply(to sample: InertialSample) -> InertialSample {
    var result = sample
    if let rate = sample.angularRate {
      result.angularRate = mounting.body(fromSensor: rate - angularRateOffset)
    }
    if let force = sample.specificForce { result.specificForce = apply(toForce: force) }
    if let flux = sample.magneticFluxDensity {
      result.magneticFluxDensity = mounting.body(fromSensor: flux)
    }
    return result
  }

  /// A specific force in the body frame, m/s², calibrated.
  @usableFromInline func apply(toForce force: Vector3) -> Vector3 {
    let centred = force - specificForceOffset
    return mounting.body(
      fromSensor: Vector3(
        centred.x * specificForceScale.x, centred.y * specificForceScale.y, centred.z * specificForceScale.z))
  }
}
