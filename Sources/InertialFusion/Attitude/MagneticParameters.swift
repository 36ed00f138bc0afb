/// Tuning of the magnetometer's part in `AttitudeFilter`.
@frozen public struct MagneticParameters: Equatable, BitwiseCopyable, Sendable {
  /// Scatter of the field from place to place with the sensor's noise, µT·√s. Default 3; large averages longer.
  public var fieldNoise: Float = 3
  /// Wandering of the earth's field in the level frame, by drift of the heading and change of place, µT/√s. Default 0.08; with
  /// `fieldNoise` it makes the time constant, 38 s.
  public var fieldWandering: Float = 0.08
  /// Field of the body not yet known, µT per axis. Default 17; 0 switches its estimation off.
  public var initialHardIron: Float = 17
  /// Time in which the field of a place is left behind by a sensor that moves, s. Default 2; small takes slow changes of
  /// place for news about the body's field, large needs quicker turns to learn it.
  public var placeSeconds: Float = 2
  /// Time of turning after which what was seen of the body's field begins to fade, s. Default 120.
  public var hardIronMemory: Float = 120
  /// Evidence at which another body field is believed: the square of its distance from the one believed now, in its own
  /// standard deviations, places included. Default 16; small believes sooner and in more that is not there.
  public var hardIronEvidence: Float = 16
  /// Evidence below which a body field that was believed is dropped. Default 6.
  public var hardIronDoubt: Float = 6
  /// Share of the scatter of places, as a variance, that may look like a field of the body because place and attitude go
  /// together. Default 0.5.
  public var placeShare: Float = 0.5
  /// Delay of the magnetometer against the gyroscope, s, one standard deviation about none: it is estimated. Default 0.015,
  /// half an output interval at 33 Hz; 0 switches that off.
  public var delayUncertainty: Float = 0.015
  /// Deviation that halves the weight of a reading, µT. Default 4.25; larger ones weigh with the sixth power less.
  public var rejection: Float = 4.25
  /// Share of the state's own uncertainty added to that. Default 2.
  public var rejectionShare: Float = 2
  /// Longest time of turning that a field is credited with, s: another must be seen as long to be taken for the earth's. Default 60,
  /// at most 63; small learns disturbed places, large is late in another one.
  public var relearnAfter: Float = 60
  /// Variance of the field from place to place that no averaging at one place removes, µT². Default 0.1.
  public var placeVariance: Float = 0.1
  /// Likelihood that a sensor which has not turned yet has a field as strong as `initialHardIron`. Default 0.0007. It takes
  /// part in the uncertainty of the heading only.
  public var unseenHardIron: Float = 0.0007

  /// The defaults.
  @inlinable public init() {}
}
