public import Quantities

/// What one kind of motion says about the forward direction.
@frozen public struct MountEvidence: Equatable, BitwiseCopyable, Sendable {
  /// The forward direction it shows, unit vector, sensor frame; zero while it shows nothing.
  public internal(set) var forward = Vector3.zero
  /// Standard deviation of its direction, rad; infinite while it shows nothing.
  public internal(set) var deviation = Float.infinity
  /// What was felt per what was expected: 1 where the model of the motion fits the vehicle.
  public internal(set) var gain: Float = 0
  /// Whether it takes part in the result.
  public internal(set) var isUsed = false

  @usableFromInline init() {}
}

/// Why there is no reliable mounting yet.
@frozen public enum MountObstacle: UInt8, BitwiseCopyable, Sendable {
  /// Too little riding was seen.
  case tooLittleRiding
  /// Neither speeding up, braking nor turning showed where forward is.
  case forwardUnknown
  /// The vertical is too uncertain.
  case upUncertain
  /// The forward direction is too uncertain, or its witnesses contradict each other.
  case forwardUncertain
}

/// How the sensor sits on the vehicle, as far as a ride has shown.
@frozen public struct MountEstimate: Equatable, BitwiseCopyable, Sendable {
  /// The rotation from the sensor frame to the body frame; the identity while forward is unknown.
  public internal(set) var bodyFromSensor = Quaternion.identity
  /// Up in the sensor frame, unit vector.
  public internal(set) var up = Vector3(0, 0, 1)
  /// Standard deviation of up, rad, either way. A degree is allowed for the accelerometer's offsets, more where heights are unknown.
  public internal(set) var upDeviation = Float.infinity
  /// Standard deviation of forward about up, rad.
  public internal(set) var forwardDeviation = Float.infinity
  /// Riding it rests on, s; at most the memory.
  public internal(set) var ridingSeconds: Float = 0
  /// Speeding up and braking.
  public internal(set) var acceleration = MountEvidence()
  /// The lateral acceleration of a vehicle that does not lean.
  public internal(set) var cornering = MountEvidence()
  /// The lean of a two-wheeler into its turns.
  public internal(set) var lean = MountEvidence()
  /// What is most in the way, as a ratio to its limit: reliable below 1.
  public internal(set) var uncertaintyRatio = Float.infinity
  /// What stands in the way; nil when it is reliable.
  public internal(set) var obstacle: MountObstacle? = .tooLittleRiding

  @usableFromInline init() {}

  /// True when both directions are known well enough.
  public var isReliable: Bool { obstacle == nil }
}
