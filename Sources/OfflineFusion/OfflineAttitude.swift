import Quantities

/// What is known of one sample's moment once the whole recording is known.
package struct OfflineAttitude: Equatable, BitwiseCopyable, Sendable {
  /// Body frame to a level frame, z up, whose heading has an arbitrary origin.
  package var levelFromBody = Quaternion.identity
  /// Body frame to ENU (x east, y north, z up); `levelFromBody` while no heading is known.
  package var earthFromBody = Quaternion.identity
  /// Gyroscope bias, rad/s, body frame.
  package var gyroBias = Vector3.zero
  /// One standard deviation of the heading, rad; π while it is unknown.
  package var headingUncertainty: Float = .pi
  /// One standard deviation of the tilt, rad, per horizontal axis.
  package var tiltUncertainty: Float = .pi
  /// One standard deviation of the gyroscope bias, rad/s per axis.
  package var gyroBiasUncertainty: Float = .pi
  /// Disturbance of the magnetic field as a ratio to its threshold, the larger of both directions.
  package var magneticRatio: Float = 0
  /// Evidence of movement as a ratio to its threshold, the smaller of both directions: below 1 is rest.
  package var restRatio: Float = 0
  /// True at rest.
  package var isAtRest = false
  /// True once the vertical is known.
  package var isAligned = false
}
