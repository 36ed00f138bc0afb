public import Quantities

/// The motion of a rigid vehicle: where its wheel stands, how it is turned, and what a sensor on it feels.
///
/// Earth frame: east, north, up. The attitude is yaw (counterclockwise from east), then slope (nose up), then lean (to the
/// right), about the point where the wheel stands; it fails at a slope of ±90°.
public struct RigidMotion: Equatable, Sendable {
  /// Direction of the nose, rad.
  public var yaw = Jet.zero
  /// Nose above the horizon, rad.
  public var slope = Jet.zero
  /// Lean to the right, rad.
  public var lean = Jet.zero
  /// Where the wheel stands, m.
  public var east = Jet.zero
  /// Where the wheel stands, m.
  public var north = Jet.zero
  /// Where the wheel stands, m.
  public var up = Jet.zero

  /// Upright, at rest.
  public init() {}

  static func + (a: RigidMotion, b: RigidMotion) -> RigidMotion {
    var sum = a
    sum.yaw += b.yaw
    sum.slope += b.slope
    sum.lean += b.lean
    sum.east += b.east
    sum.north += b.north
    sum.up += b.up
    return sum
  }

  /// The same place and attitude, at rest.
  var standing: RigidMotion {
    var result = self
    result.yaw = Jet(yaw.value)
    result.slope = Jet(slope.value)
    result.lean = Jet(lean.value)
    result.east = Jet(east.value)
    result.north = Jet(north.value)
    result.up = Jet(up.value)
    return result
  }

  /// Ground speed, m/s.
  public var groundSpeed: Double { (east.rate * east.rate + north.rate * north.rate).squareRoot() }

  /// What an ideal sensor at `arm` (m, body frame, from where the wheel stands) feels: angular rate (rad/s) and specific force
  /// (m/s²) in the body frame.
  ///
  /// - Source: our derivation; body rates of the three angles and their derivatives, and the acceleration of a point of a rigid
  ///   body, Rᵀ(a + g) + α × r + ω × (ω × r).
  public func sensed(at arm: (x: Double, y: Double, z: Double)) -> (angularRate: Vector3, specificForce: Vector3) {
    let turned = Elementary.sincos(yaw.value)
    // A positive turn about y takes the nose down.
    let nose = Elementary.sincos(-slope.value)
    let side = Elementary.sincos(lean.value)
    let (pitchRate, pitchAcceleration) = (-slope.rate, -slope.acceleration)
    let wx = lean.rate - yaw.rate * nose.sin
    let wy = pitchRate * side.cos + yaw.rate * nose.cos * side.sin
    let wz = yaw.rate * nose.cos * side.cos - pitchRate * side.sin
    let alongZ = yaw.acceleration * nose.cos - yaw.rate * pitchRate * nose.sin
    let ax = lean.acceleration - yaw.acceleration * nose.sin - yaw.rate * pitchRate * nose.cos
    let ay =
      pitchAcceleration * side.cos - pitchRate * lean.rate * side.sin + alongZ * side.sin
      + yaw.rate * nose.cos * lean.rate * side.cos
    let az =
      alongZ * side.cos - yaw.rate * nose.cos * lean.rate * side.sin - pitchAcceleration * side.sin
      - pitchRate * lean.rate * side.cos
    // Acceleration and gravity, turned back by yaw, then pitch, then lean.
    let forward = east.acceleration * turned.cos + north.acceleration * turned.sin
    let left = north.acceleration * turned.cos - east.acceleration * turned.sin
    let vertical = up.acceleration + BodyMotion.gravity
    let x1 = forward * nose.cos - vertical * nose.sin
    let z1 = forward * nose.sin + vertical * nose.cos
    let fx = x1
    let fy = left * side.cos + z1 * side.sin
    let fz = z1 * side.cos - left * side.sin
    // ω × (ω × r) = ω (ω·r) − r ω².
    let dot = wx * arm.x + wy * arm.y + wz * arm.z
    let square = wx * wx + wy * wy + wz * wz
    return (
      Vector3(Float(wx), Float(wy), Float(wz)),
      Vector3(
        Float(fx + ay * arm.z - az * arm.y + wx * dot - arm.x * square),
        Float(fy + az * arm.x - ax * arm.z + wy * dot - arm.y * square),
        Float(fz + ax * arm.y - ay * arm.x + wz * dot - arm.z * square))
    )
  }
}
