public import InertialFusion
public import Quantities

/// Tuning of motion detection. Intervals and limits in SI units.
@frozen public struct MotionParameters: Equatable, BitwiseCopyable, Sendable {
  /// Rest detection.
  public var rest = RestParameters()

  // Riding and standing.

  /// Time without motion after which the vehicle is parked. Default 300 s.
  public var armAfter: Interval = .seconds(300)
  /// Time without travel after which a ride is standing. Default 5 s; small shows every traffic light.
  public var standAfter: Interval = .seconds(5)
  /// Time without any sign of travel, silence included, after which a ride counts as standing. Default 10 s.
  ///
  /// Where fixes are rarer it is three times their usual interval.
  public var silenceAfter: Interval = .seconds(10)
  /// Ground speed that begins travel, m/s. Default 1.0: above the speeds receivers invent while they stand.
  public var travelSpeed: Float = 1.0
  /// Ground speed that still continues travel, m/s. Default 0.5.
  public var continuedSpeed: Float = 0.5
  /// How long `travelSpeed` must hold to begin travel. Default 3 s.
  public var travelConfirmation: Interval = .seconds(3)
  /// Least displacement that is travel, m. Default 15; it grows with the accuracy of the fixes.
  public var travelDisplacement: Float = 15
  /// Vibration of a ride, m/s² per axis, that counts as travel while there is no fix. Default 0.6.
  ///
  /// Recorded rides shake by 1.8 and more (99 of 100 windows), handling a standing bike by less than 0.5.
  public var rideVibration: Float = 0.6
  /// How long `rideVibration` must hold. Default 10 s.
  public var rideVibrationConfirmation: Interval = .seconds(10)
  /// Accuracy radius beyond which a fix is not used as evidence, m. Default 100.
  public var worstAccuracy: Float = 100
  /// Accuracy assumed for fixes that state none, m. Default 8.
  public var assumedAccuracy: Float = 8

  // Parked.

  /// Angular rate that is handling, rad/s per axis (rms). Default 0.05 (3 °/s): wind sways a parked bike more slowly.
  public var handlingRate: Float = 0.05
  /// Vibration that is handling, m/s² per axis (rms). Default 0.3 (30 mg): a passing lorry stays below.
  public var handlingVibration: Float = 0.3
  /// How long handling must last to be an alarm. Default 1 s: a knock has rung out by then.
  public var handlingConfirmation: Interval = .seconds(1)
  /// Change of the vertical since parking that is movement, rad. Default 3°.
  public var tiltLimit: Float = 0.052_359_88
  /// Change of heading since parking that is movement, rad. Default 10°.
  public var headingLimit: Float = 0.174_532_93
  /// How long tilt or heading must hold. Default 1 s.
  public var orientationConfirmation: Interval = .seconds(1)
  /// Least displacement of a parked vehicle that is movement, m. Default 25; it grows with the accuracy of the fixes.
  public var parkedDisplacement: Float = 25
  /// Quiet time after which a suspicion is dropped. Default 10 s.
  public var calmAfter: Interval = .seconds(10)
  /// Quiet time after which an alarm ends and the next movement is a new alarm. Default 60 s.
  public var quietAfter: Interval = .seconds(60)
  /// Travel during an alarm that makes it a ride. Default 60 s.
  public var rideAfterAlarm: Interval = .seconds(60)

  /// The defaults.
  @inlinable public init() {}
}
