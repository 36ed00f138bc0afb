/// What is known about an inertial sensor and about the magnetic field of its place, from a data sheet or a map. Zero stands for unknown.
@frozen public struct SensorDescription: Equatable, BitwiseCopyable, Sendable {
  /// Full scale of the gyroscope, rad/s per axis of the sensor. Known: a reading at its end is counted and trusted less. Default 0, unknown.
  public var angularRateRange: Float = 0
  /// Full scale of the accelerometer, m/s² per axis of the sensor. Default 0, unknown.
  public var specificForceRange: Float = 0
  /// Group delay of the gyroscope's low-pass filter: the attitude is carried forward by it. Default 0, unknown; large overshoots at the
  /// end of each turn.
  public var latency = Interval.zero
  /// Noise of the gyroscope, rad/s/√Hz. Default 0: what the filter assumes, more than that of any supported part.
  public var angularRateNoise: Float = 0
  /// Noise of the accelerometer in movement, m/s²/√Hz. Default 0: what the filter assumes.
  public var specificForceNoise: Float = 0
  /// Magnetic declination of the place, rad, east positive: headings are from true north then. Default 0.
  public var magneticDeclination: Float = 0

  /// Nothing known.
  @inlinable public init() {}
}
