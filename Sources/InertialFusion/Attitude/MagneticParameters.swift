/// Tuning of the magnetometer's part in `AttitudeFilter`.
@frozen public struct MagneticParameters: Equatable, BitwiseCopyable, Sendable {
  /// Scatter of the field from place to place with the sensor's noise, µT·√s. Default 3; large averages longer.
  public var fieldNoise: Float = 3
  /// Wandering of the earth's field in the level frame, by drift of the heading and change of place, µT/√s. Default 0.08; with
  /// `fieldNoise` it makes the time constant, 38 s.
  public var fieldWandering: Float = 0.08
  /// Field of the body not yet known, µT per axis. Default 17; large learns a strong magnet sooner and believes
  /// in one that is not there.
  public var initialHardIron: Float = 17
  /// Wandering of the body's own field, µT/√s. Default 0.002.
  public var hardIronWandering: Float = 0.002
  /// A body field weaker than this is not told from the scatter of places and not taken away, µT. Default 6.5.
  public var leastHardIron: Float = 6.5
  /// Deviation that halves the weight of a reading, µT. Default 4.25; larger ones weigh with the sixth power less.
  public var rejection: Float = 4.25
  /// Share of the state's own uncertainty added to that. Default 2.
  public var rejectionShare: Float = 2
  /// Seconds of rejected readings after which the body's field is taken to have changed. Default 3.3.
  public var relearnAfter: Float = 3.3
  /// Variance given to the body's field then, µT². Default 400.
  public var relearnVariance: Float = 400
  /// Variance of the field from place to place that no averaging at one place removes, µT². Default 0.1.
  public var placeVariance: Float = 0.1

  /// The defaults.
  @inlinable public init() {}
}
