/// Tuning of the magnetometer's part in `AttitudeFilter`.
@frozen public struct MagneticParameters: Equatable, BitwiseCopyable, Sendable {
  /// Scatter of the field from place to place with the sensor's noise, µT·√s. Default 3; large averages longer.
  public var fieldNoise: Float = 3
  /// Wandering of the earth's field in the level frame, by drift of the heading and change of place, µT/√s. Default 0.12; with
  /// `fieldNoise` it makes the time constant, 25 s.
  public var fieldWandering: Float = 0.12
  /// Field of the body not yet known, µT per axis. Default 33.
  public var initialHardIron: Float = 33
  /// Wandering of the body's own field, µT/√s. Default 0.003.
  public var hardIronWandering: Float = 0.003
  /// A body field weaker than this is not told from the scatter of places and not taken away, µT. Default 5.
  public var leastHardIron: Float = 5
  /// Share of the body field's own variance, over the three axes, added to the square of that. Default 0.02.
  public var beliefShare: Float = 0.02
  /// Deviation that halves the weight of a reading, µT. Default 4.3; larger ones weigh with the sixth power less.
  public var rejection: Float = 4.3
  /// Share of the state's own uncertainty added to that. Default 0.5.
  public var rejectionShare: Float = 0.5
  /// Seconds of rejected readings after which the body's field is taken to have changed. Default 2.2.
  public var relearnAfter: Float = 2.2
  /// Variance given to the body's field then, µT². Default 600.
  public var relearnVariance: Float = 600
  /// Seconds at one place, at rest, after which its field is known well enough. Default 13.
  public var restSeconds: Float = 13

  /// The defaults.
  @inlinable public init() {}
}
