public import Quantities

/// What is known of one sample's moment once the whole recording is known.
public struct OfflineAttitude: Equatable, BitwiseCopyable, Sendable {
  /// Body frame to a level frame, z up, whose heading has an arbitrary origin.
  public var levelFromBody = Quaternion.identity
  /// Body frame to ENU (x east, y north, z up); `levelFromBody` while no heading is known.
  public var earthFromBody = Quaternion.identity
  /// Gyroscope bias, rad/s, body frame.
  public var gyroBias = Vector3.zero
  /// One standard deviation of the heading, rad; π while it is unknown.
  public var headingUncertainty: Float = .pi
  /// One standard deviation of the tilt, rad, per horizontal axis; π while it is unknown.
  public var tiltUncertainty: Float = .pi
  /// One standard deviation of the gyroscope bias, rad/s per axis; π while it is unknown.
  public var gyroBiasUncertainty: Float = .pi
  /// Disturbance of the magnetic field as a ratio to its threshold, the larger of both directions.
  public var magneticRatio: Float = 0
  /// Evidence of movement as a ratio to its threshold, the smaller of both directions: below 1 is rest.
  public var restRatio: Float = 0
  /// True at rest.
  public var isAtRest = false
  /// True once the vertical is known.
  public var isAligned = false
}
