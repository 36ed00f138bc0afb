import Glibc
import Quantities

/// Ties the level frames of two passes together, whose headings have different origins and drift apart.
struct HeadingTie {
  /// Heading of the first pass less that of the second, rad, without jumps.
  private var difference: Double?
  private var origin = 0.0

  /// The mean of what both passes say about one moment.
  mutating func mean(_ forward: OfflineAttitude, _ backward: OfflineAttitude) -> OfflineAttitude {
    guard backward.isAligned else { return forward }
    guard forward.isAligned else { return backward }
    var result = forward
    result.levelFromBody = level(forward.levelFromBody, backward.levelFromBody)
    result.gyroBias = (forward.gyroBias + backward.gyroBias) * 0.5
    result.isAtRest = forward.isAtRest || backward.isAtRest
    result.restRatio = min(forward.restRatio, backward.restRatio)
    result.magneticRatio = max(forward.magneticRatio, backward.magneticRatio)
    result.tiltUncertainty = min(forward.tiltUncertainty, backward.tiltUncertainty)
    result.gyroBiasUncertainty = min(forward.gyroBiasUncertainty, backward.gyroBiasUncertainty)
    result.headingUncertainty = min(forward.headingUncertainty, backward.headingUncertainty)
    switch (forward.headingUncertainty < .pi, backward.headingUncertainty < .pi) {
    case (true, true): result.earthFromBody = Self.middle(forward.earthFromBody, backward.earthFromBody)
    case (true, false): result.earthFromBody = forward.earthFromBody
    case (false, true): result.earthFromBody = backward.earthFromBody
    case (false, false): result.earthFromBody = result.levelFromBody
    }
    return result
  }

  private mutating func level(_ forward: Quaternion, _ backward: Quaternion) -> Quaternion {
    let between = forward * backward.conjugate
    let yaw = 2 * atan2(Double(between.z), Double(between.w))
    let tied = Self.turn(yaw) * backward
    var continued = yaw
    if let difference {
      continued = difference + (yaw - difference).remainder(dividingBy: 2 * .pi)
    } else {
      origin = yaw
    }
    difference = continued
    // Half of the drift between the passes belongs to either.
    return (Self.turn(-0.5 * (continued - origin)) * Self.middle(forward, tied)).normalized
  }

  private static func turn(_ angle: Double) -> Quaternion {
    Quaternion(w: Float(cos(angle / 2)), x: 0, y: 0, z: Float(sin(angle / 2)))
  }

  /// Halfway between two attitudes, the short way.
  private static func middle(_ a: Quaternion, _ b: Quaternion) -> Quaternion {
    let product = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z
    let sign: Float = product < 0 ? -1 : 1
    return Quaternion(w: a.w + sign * b.w, x: a.x + sign * b.x, y: a.y + sign * b.y, z: a.z + sign * b.z).normalized
  }
}
