/// Tuning of `MountCalibration`.
@frozen public struct MountParameters: Equatable, BitwiseCopyable, Sendable {
  /// Length of the intervals whose means are compared, s. Default 1: shorter ones hold little but vibration, longer ones
  /// average turns away.
  public var interval: Float = 1
  /// Slowest mean speed of an interval that counts, m/s. Default 2: slower, the nose swings and GNSS speed is noise.
  public var minimumSpeed: Float = 2
  /// Worst accuracy of a fix whose speed counts, m. Default 30.
  public var worstAccuracy: Float = 30
  /// Speed assumed where no receiver ever reported one, m/s. Default 5; only its order of magnitude matters.
  public var assumedSpeed: Float = 5
  /// Least scatter of the specific force inside an interval that is taken for riding where no speed is known, m/s² per
  /// axis. Default 0.3; a parked sensor shows 0.05.
  public var ridingScatter: Float = 0.3
  /// Time constant of the high-pass on both sides of a comparison, s. Default 3: slopes and bias stay out, turns and
  /// braking stay in.
  public var highPass: Float = 3
  /// Time constant of forgetting, s of riding. Default 1800.
  public var memory: Float = 1800
  /// Riding that must be seen before anything is called reliable, s. Default 60.
  public var minimumRiding: Float = 60
  /// Standard deviation of the forward direction that is called reliable, rad. Default 0.14 (8°).
  public var forwardLimit: Float = 0.14
  /// Standard deviation of the vertical that is called reliable, rad. Default 0.052 (3°).
  public var upLimit: Float = 0.052
  /// Turn of the gravity of half a minute from that of the whole ride that is a new mounting, rad. Default 0.44 (25°): the
  /// steepest roads have 15°.
  public var remountTilt: Float = 0.44

  /// The defaults.
  @inlinable public init() {}
}
