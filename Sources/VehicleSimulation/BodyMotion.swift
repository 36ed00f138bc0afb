import Quantities

/// The true motion of the bicycle's frame at one instant.
///
/// The attitude is three angles applied in the order yaw, slope, lean; a bicycle stays away from a slope of ±90°, where
/// they fail. Angles are continuous: yaw is not wrapped except by whole turns.
public struct BodyMotion: Sendable, Equatable {
  /// Direction of the nose, rad counterclockwise from east.
  public var yaw = 0.0
  /// Nose above the horizon, rad.
  public var slope = 0.0
  /// Lean to the right, rad; negative in a left turn.
  public var lean = 0.0
  /// Time derivative of `yaw`, rad/s.
  public var yawRate = 0.0
  /// Time derivative of `slope`, rad/s.
  public var slopeRate = 0.0
  /// Time derivative of `lean`, rad/s.
  public var leanRate = 0.0
  /// Acceleration in the horizontal direction of the nose, m/s².
  public var forwardAcceleration = 0.0
  /// Horizontal acceleration to the left, m/s².
  public var leftAcceleration = 0.0
  /// Vertical acceleration, m/s².
  public var upAcceleration = 0.0
  /// Speed along the path, m/s.
  public var speed = 0.0

  /// At rest, level, nose to the east.
  public init() {}

  /// Standard gravity, m/s².
  public static let gravity = 9.80665

  /// The attitude as a rotation.
  public var earthFromBody: Quaternion {
    let turn = Elementary.sin(yaw / 2)
    let turnCosine = Elementary.cos(yaw / 2)
    let nose = Elementary.sin(-slope / 2)
    let noseCosine = Elementary.cos(slope / 2)
    let roll = Elementary.sin(lean / 2)
    let rollCosine = Elementary.cos(lean / 2)
    let aboutZ = Quaternion(w: Float(turnCosine), x: 0, y: 0, z: Float(turn))
    let aboutY = Quaternion(w: Float(noseCosine), x: 0, y: Float(nose), z: 0)
    let aboutX = Quaternion(w: Float(rollCosine), x: Float(roll), y: 0, z: 0)
    return aboutZ * aboutY * aboutX
  }

  /// What ideal sensors along the bicycle's axes feel: angular rate (rad/s) and specific force (m/s²), body frame.
  ///
  /// - Source: our derivation; the derivative of the three angles turned into body rates, and acceleration plus gravity
  ///   turned by slope and lean.
  public var sensed: (angularRate: Vector3, specificForce: Vector3) {
    // Single precision is far below any sensor's step and half the time.
    let nose = Elementary.sincos(Float(slope))
    let side = Elementary.sincos(Float(lean))
    let (sinSlope, cosSlope) = (Double(nose.sin), Double(nose.cos))
    let (sinLean, cosLean) = (Double(side.sin), Double(side.cos))
    // A positive turn about y takes the nose down.
    let pitchRate = -slopeRate
    let turnAlongZ = yawRate * cosSlope
    let rate = Vector3(
      Float(leanRate + yawRate * sinSlope),
      Float(pitchRate * cosLean + turnAlongZ * sinLean),
      Float(turnAlongZ * cosLean - pitchRate * sinLean))
    let vertical = upAcceleration + BodyMotion.gravity
    let alongNose = forwardAcceleration * cosSlope + vertical * sinSlope
    let acrossNose = vertical * cosSlope - forwardAcceleration * sinSlope
    let force = Vector3(
      Float(alongNose),
      Float(leftAcceleration * cosLean + acrossNose * sinLean),
      Float(acrossNose * cosLean - leftAcceleration * sinLean))
    return (rate, force)
  }
}
