public import InertialFusion
public import InlineStorage
public import MotionDetection
public import Quantities
public import Telemetry

/// What a vehicle is doing while positions are reported as they change.
@frozen public struct ReportedPhases: WordSet {
  /// One bit for each word.
  public var rawValue: UInt8

  /// A set of its bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// On a ride.
  public static var riding: ReportedPhases { ReportedPhases(rawValue: 1) }
  /// During an alarm.
  public static var alarmed: ReportedPhases { ReportedPhases(rawValue: 2) }

  /// The word of a bit.
  public static func word(at place: Int) -> StaticString? {
    switch place {
    case 0: return "riding"
    case 1: return "alarmed"
    default: return nil
    }
  }
}

/// When a position is reported. A report is made when any of the criteria is met.
@frozen public struct ReportParameters: Equatable, BitwiseCopyable, Sendable {
  /// Time since the last report while riding. Default 60 s.
  public var ridingInterval: Interval = .seconds(60)
  /// Distance since the last report while riding, m. Default 250.
  public var distance: Float = 250
  /// Change of course since the last report while riding, rad. Default 30°.
  public var courseChange: Float = 0.523_598_8
  /// Change of speed since the last report while riding, m/s. Default 4.
  public var speedChange: Float = 4
  /// Largest distance of a fix from the path that reported positions make, joined by straight lines, while riding or tracked live, m; 0:
  /// no paths. Above 0 it takes the place of distance, course and speed: small, more packets; large, corners are cut. Less than 0.1 is
  /// 0.1. Default 0.
  public var pathError: Float = 0
  /// Least time between two reports for distance, course or speed. Default 5 s.
  public var minimumInterval: Interval = .seconds(5)
  /// Time between reports during an alarm. Default 10 s.
  public var alarmInterval: Interval = .seconds(10)
  /// Time between reports of a stolen vehicle that does not travel. Default 600 s.
  public var stolenInterval: Interval = .seconds(600)
  /// Time after which an alert that nobody has answered is repeated. Default 60 s.
  public var repeatInterval: Interval = .seconds(60)
  /// How long after the last movement it is repeated so often. Default 1800 s.
  public var repeatFor: Interval = .seconds(1800)
  /// Time between its repetitions after that. Default 600 s.
  public var lateRepeatInterval: Interval = .seconds(600)
  /// Time between reports while parked or settling. Default 3600 s.
  public var parkedInterval: Interval = .seconds(3600)
  /// Age beyond which a position is flagged stale. Default 60 s.
  public var staleAfter: Interval = .seconds(60)
  /// Least time between two packets about a touch; zero: touches are not reported. Default 0: short, wind and traffic are reported;
  /// long, all but the first touch of an evening are kept back. What amounts to handling is an alert, whatever this is.
  public var touchInterval: Interval = .zero
  /// Phases in which positions are reported as they change. Default: both; without `riding` nobody sees where the owner rides, but
  /// where it is parked and whether it is moved.
  public var phases: ReportedPhases = [.riding, .alarmed]
  /// Whether the owner's button marks where it is, as `checkpoint` does. Default: it does not.
  public var buttonCheckpoint = false

  /// The defaults.
  @inlinable public init() {}
}

/// What becomes of movement at a secure place.
@frozen public enum SecureMovement: UInt8, SettingWord {
  /// It is reported once, as no alert.
  case notice
  /// It is not reported.
  case silent
  /// It is an alert as elsewhere.
  case alert

  /// Its word.
  public var name: StaticString {
    switch self {
    case .notice: return "notice"
    case .silent: return "silent"
    case .alert: return "alert"
    }
  }
}

/// What is asked of fences, places and alarms.
@frozen public struct RuleParameters: Equatable, BitwiseCopyable, Sendable {
  /// How long fixes must say that a fence was left or entered. Default 60 s.
  public var confirmAfter: Interval = .seconds(60)
  /// Standard deviations of the position beyond a fence that are an exit. Default 3.5. Fewer: reported sooner, and drift is reported, too.
  public var exitDeviations: Float = 3.5
  /// Time after which an alert about a fence is repeated, 30 to 86,400 s. Default 60 s.
  public var repeatInterval: Interval = .seconds(60)
  /// Whether coming to and leaving each fence is reported. Default: it is.
  public var transitions = true
  /// What becomes of movement at a secure place. Default: a notice.
  public var secureMovement = SecureMovement.notice
  /// Radius of a place that `secure` makes, m. Default 60.
  public var placeRadius: Float = 60

  /// The defaults.
  @inlinable public init() {}
}

/// What is reported about driving. A limit of 0 is none; by default there is none.
@frozen public struct DrivingParameters: Equatable, BitwiseCopyable, Sendable {
  /// Speed above which it is too fast, m/s. Default 0.
  public var speedLimit: Float = 0
  /// Change of speed that is a hard start, m/s². Default 0. Small: each start at a light is reported.
  public var accelerationLimit: Float = 0
  /// The same of braking, m/s². Default 0.
  public var brakingLimit: Float = 0
  /// Acceleration to the side that is a hard bend, m/s². Default 0.
  public var corneringLimit: Float = 0
  /// How long it must be too fast. Default 5 s: short, each slope is reported; long, nobody slows down in time.
  public var speedDuration: Interval = .seconds(5)
  /// How long start, braking or bend must be hard. Default 2 s: two steps of a fix a second, as one may be a fix that lies.
  public var forceDuration: Interval = .seconds(2)
  /// Whether packets report it, too, or events alone. Default: events alone.
  public var notices = false

  /// The defaults.
  @inlinable public init() {}
}

/// Everything that decides what a tracker does, besides its seed and its inputs.
@frozen public struct TrackerConfiguration: Equatable, BitwiseCopyable, Sendable {
  /// The device's name in every packet, UTF-8. Default `leash`.
  public var trackerID = InlineBytes<32>("leash")
  /// How packets are written for ways to receivers that do not say themselves.
  public var packetFormat: PacketFormat = .json
  /// Whether alerts are on when the tracker is switched on for the first time. Default: on.
  public var alertsEnabled = true
  /// Dates of the receiver's sentences before this one are taken for a week counter that has rolled over, and moved on by 1024
  /// weeks at a time. Default: nil, dates stay as sent, as an old recording must keep its own.
  public var earliestDate: CivilDate?
  /// Whether sensors are told to sleep while it is parked and quiet (`SensingPlan`). Default: they are not.
  public var sensorsSleep = false
  /// Charge from which on a battery that is not being charged is spared (`Thrift`), percent: half as many reports from here on, a quarter
  /// of them from half of it on, and from a quarter of it on a last position. Default 20; 0: never.
  public var savingLevel: UInt8 = 20
  /// Motion detection.
  public var motion = MotionParameters()
  /// Offsets and mounting of the inertial sensor.
  public var calibration = InertialCalibration()
  /// What is known about the inertial sensor.
  public var sensor = SensorDescription()
  /// When positions are reported.
  public var reports = ReportParameters()
  /// How long the owner is near, and what that holds back.
  public var presence = PresenceParameters()
  /// How long readings hold.
  public var readings = ReadingParameters()
  /// What is asked of fences, places and alarms.
  public var rules = RuleParameters()
  /// What is reported about driving.
  public var driving = DrivingParameters()
  /// How far the wheel goes with each pulse of its sensor, m; 0: not known, it is learnt. Default 0.
  public var wheelCircumference: Float = 0
  /// Waiting for those who want packets.
  public var outbox = OutboxParameters()

  /// The defaults.
  @inlinable public init() {}
}
