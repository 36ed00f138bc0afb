public import Quantities

/// Attitude from gyroscope and accelerometer.
///
/// The gyroscope turns the attitude sample by sample; the specific force, taken to the earth frame and smoothed there,
/// pulls its mean direction to the vertical. Smoothing in the earth frame lets the accelerations of a ride average out.
/// The correction turns about a horizontal axis only, so it can't touch the heading. At rest the heading is held, so
/// that bias does not turn it over hours.
///
/// - Source: the inertial-frame smoothing follows [laidig-seel] section 3.2, here with a first-order low-pass.
public struct AttitudeFilter: BitwiseCopyable, Sendable {
  /// Attitude: the rotation from the body frame to an earth frame whose z is up and whose heading origin is arbitrary.
  public private(set) var earthFromBody = Quaternion.identity
  /// True once the vertical is known.
  public private(set) var isAligned = false
  private var smoothedForce = Vector3.zero
  private var smoothedSeconds: Float = 0

  /// Time constant of the smoothing, s: small follows the accelerometer, large the gyroscope.
  static var timeConstant: Float { 1.5 }

  /// Starts without attitude.
  public init() {}

  /// Forgets how well the vertical is known; the heading is kept.
  public mutating func loosen() { smoothedSeconds = 0 }

  /// Takes one sample in.
  ///
  /// - Parameters:
  ///   - angularRate: rad/s, body frame, bias removed; zero at rest; nil without gyroscope.
  ///   - specificForce: m/s², body frame; nil without accelerometer.
  ///   - seconds: Time since the sample before, s.
  public mutating func update(angularRate: Vector3?, specificForce: Vector3?, seconds: Float) {
    if let angularRate, isAligned {
      earthFromBody = (earthFromBody * Quaternion(rotationVector: angularRate * seconds)).normalized
    }
    guard let specificForce else { return }
    if !isAligned {
      guard let up = specificForce.normalized else { return }
      earthFromBody = Quaternion(from: up, to: Vector3(0, 0, 1))
      smoothedForce = earthFromBody.rotate(specificForce)
      isAligned = true
      return
    }
    smoothedSeconds = min(smoothedSeconds + seconds, AttitudeFilter.timeConstant)
    let share = smoothedSeconds > 0 ? min(1, seconds / smoothedSeconds) : 1
    smoothedForce += (earthFromBody.rotate(specificForce) - smoothedForce) * share
    guard let direction = smoothedForce.normalized else { return }
    let correction = Quaternion(from: direction, to: Vector3(0, 0, 1))
    earthFromBody = (correction * earthFromBody).normalized
    smoothedForce = correction.rotate(smoothedForce)
  }
}
