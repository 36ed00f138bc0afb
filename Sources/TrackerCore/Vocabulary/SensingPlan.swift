public import Quantities

/// What the tracker needs of its sensors and its modem from now on (`Action.sense`).
///
/// An owner that can't carry it out, or not all of it, ignores it: nothing depends on it but energy and delay.
///
/// - Source: our derivation; decision 43.
@frozen public struct SensingPlan: Equatable, BitwiseCopyable, Sendable {
  /// What the inertial sensor does.
  @frozen public enum Inertial: UInt8, BitwiseCopyable, Sendable {
    /// It gives its samples at its rate, as they come.
    case awake
    /// Its accelerometer alone gives `watchRate` into its FIFO, and nothing to the tracker, until it differs by `wakeThreshold` from what
    /// it was. Then the FIFO's last `history` goes to the tracker, and all samples after it, with the gyroscope; when nothing has
    /// differed for `hold` the sensor sleeps again, without another plan.
    case watching
  }

  /// What the satellite receiver does.
  @frozen public enum Reception: UInt8, BitwiseCopyable, Sendable {
    /// It gives its fixes at its rate.
    case on
    /// It is switched on until it has given one fix with a position, or for `fixTimeout`.
    case single
    /// It is switched off, in a way that lets it start warm.
    case off
  }

  /// What the inertial sensor does.
  public var inertial: Inertial
  /// What the receiver does.
  public var reception: Reception
  /// True while an alert may come at any moment: what takes long before one can go is begun.
  public var isAlertLikely: Bool
  /// Change of any axis of the specific force that wakes, in `wakeSteps` of a m/s²; of use while it watches.
  public var wakeThresholdSteps: UInt8

  /// A plan.
  public init(
    inertial: Inertial = .awake, reception: Reception = .on, isAlertLikely: Bool = false, wakeThresholdSteps: UInt8 = 0
  ) {
    self.inertial = inertial
    self.reception = reception
    self.isAlertLikely = isAlertLikely
    self.wakeThresholdSteps = wakeThresholdSteps
  }

  /// Change of any axis of the specific force that wakes, m/s².
  public var wakeThreshold: Float { Float(wakeThresholdSteps) / SensingPlan.wakeSteps }

  /// Steps of the threshold in a m/s²: about 3 mg each, as fine as [bmi270] has it; [lsm6dso] has 8 to 31 mg, [adxl345] 62.
  static var wakeSteps: Float { 32 }
  /// Samples a second that a watching accelerometer gives, the lowest rate that all detectors are tested with.
  public static var watchRate: Float { 12.5 }
  /// How much of the time before the wake the FIFO brings: 25 samples, where the smallest FIFOs hold 32.
  public static var history: Interval { .seconds(2) }
  /// How long nothing may differ before what has woken sleeps again.
  public static var hold: Interval { .seconds(20) }
  /// How long a single fix is waited for: a cold start under a good sky takes 30 to 90 s, a warm one 25 to 30 s.
  public static var fixTimeout: Interval { .seconds(60) }
}
