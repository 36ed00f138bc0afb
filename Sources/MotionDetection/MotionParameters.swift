public import InertialFusion
public import Quantities

/// How little alarms a parked vehicle: one word for the limits of handling, tilt, turn, lift, carrying and shifting together.
@frozen public enum Sensitivity: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// All limits half as high again: a rack where others knock, a stand on a lorry's way.
  case low
  /// The limits as they are set.
  case normal
  /// All limits lower by three tenths: indoors, out of wind and traffic.
  case high

  /// The name used in settings.
  public var name: StaticString {
    switch self {
    case .low: return "low"
    case .normal: return "normal"
    case .high: return "high"
    }
  }

  /// What the limits are multiplied by.
  public var factor: Float {
    switch self {
    case .low: return 1.5
    case .normal: return 1
    case .high: return 0.7
    }
  }
}

/// Tuning of motion detection. Intervals and limits in SI units.
@frozen public struct MotionParameters: Equatable, BitwiseCopyable, Sendable {
  /// Rest detection.
  public var rest = RestParameters()

  // Riding and standing.

  /// Time after the last travel or handling after which the vehicle is parked. Default 300 s.
  public var armAfter: Interval = .seconds(300)
  /// How long it must be quiet then: a touch, a gust or a lorry delays it by so much. Default 3 s; 0 lets nothing delay it.
  public var touchDelay: Interval = .seconds(3)
  /// Time after the last travel or handling after which it is parked whatever touches it. Default 600 s.
  public var armBy: Interval = .seconds(600)
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
  /// Accuracy radius beyond which a fix is not used as evidence, m. Default 250: five times what a receiver of 33 m per axis has; its
  /// scatter is learnt, whatever it states.
  public var worstAccuracy: Float = 250
  /// Accuracy assumed for fixes that state none, m. Default 8.
  public var assumedAccuracy: Float = 8

  // Parked.

  /// What the seven limits from `handlingRate` to `shiftLimit` are multiplied by. Default: normal, by 1.
  public var sensitivity = Sensitivity.normal
  /// Angular rate that is handling, rad/s per axis (rms). Default 0.22 (13 °/s): wind of 1° at 2 Hz sways by two
  /// fifths of it. Of the scenes for tuning all hold from 0.14 on.
  public var handlingRate: Float = 0.22
  /// Vibration faster than a sway that is handling, m/s² per axis (rms). Default 0.8 (80 mg): a passing lorry stays below 50 mg.
  public var handlingVibration: Float = 0.8
  /// For how long handling of just that strength must last to be an alarm. Default 1.5 s; what is stronger counts for more, up to
  /// 1.25, and what is weaker for less.
  public var handlingConfirmation: Interval = .milliseconds(1500)
  /// Change of the vertical since it was left that is movement, rad. Default 0.1 (5.7°): somebody leans on it by four.
  public var tiltLimit: Float = 0.1
  /// Turn since it was left that is movement, rad. Default 0.14 (8°).
  public var headingLimit: Float = 0.14
  /// How long tilt or heading must hold. Default 1 s.
  public var orientationConfirmation: Interval = .seconds(1)
  /// Vertical velocity that is a lift, m/s. Default 0.13; a fifth more without gyroscope.
  public var liftSpeed: Float = 0.13
  /// Vertical swing that is a step of somebody who carries it, m/s² (rms). Default 0.6.
  public var carryForce: Float = 0.6
  /// Horizontal way from one rest to the next that is movement, m, as gyroscope and accelerometer together show. Default 0.5: a
  /// bicycle beside it that is pulled out shifts it by less.
  public var shiftLimit: Float = 0.5
  /// Least displacement of a parked vehicle that is movement, m. Default 25; it grows with the scatter of the fixes.
  public var parkedDisplacement: Float = 25
  /// Quiet time after which a suspicion is dropped, and after which a movement in an alarm is a new one. Default 10 s.
  public var calmAfter: Interval = .seconds(10)
  /// Quiet time after which an alarm ends. Default 60 s.
  public var quietAfter: Interval = .seconds(60)
  /// How long a vehicle must be carried or travel in an alarm to be stolen. Default 20 s.
  public var stolenAfter: Interval = .seconds(20)

  /// The defaults.
  @inlinable public init() {}

  /// These with the sensitivity worked into the limits, and normal again.
  public var limits: MotionParameters {
    var result = self
    let factor = sensitivity.factor
    result.sensitivity = .normal
    result.handlingRate *= factor
    result.handlingVibration *= factor
    result.tiltLimit *= factor
    result.headingLimit *= factor
    result.liftSpeed *= factor
    result.carryForce *= factor
    result.shiftLimit *= factor
    return result
  }
}
