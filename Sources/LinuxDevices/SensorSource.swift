public import Quantities

/// What a sensor gives: in SI units, on the machine's monotonic clock, in the frame of the sensor.
public enum SensorInput: Sendable {
  /// A reading of an inertial sensor. Its time is that of the measurement as well as it is known.
  case inertial(InertialSample)
  /// What a satellite receiver knew at one epoch, dated to its arrival.
  case fix(GNSSFix)
  /// A reading of a slow sensor.
  case reading(Reading)
  /// Bytes of a satellite receiver that speaks NMEA 0183, cut anywhere, dated to their arrival.
  case sentences([UInt8], at: Instant)
}

/// A sensor in an event loop.
///
/// It is started, gives inputs to its sink until it is stopped or fails, and can be started again after either. It never
/// waits in a call. Restarting it after a failure is its owner's work.
public protocol SensorSource: LoopMember {
  /// What and where, for people: `imu lsm6dso at i2c-1 0x6a`, `gnss gpsd at 127.0.0.1:2947`.
  var name: String { get }

  /// Takes what it measures, in the order of time; set it before `start`.
  var sink: (SensorInput) -> Void { get set }

  /// Opens the device, sets it up and joins the loop.
  ///
  /// - Throws: One failure that says what is wrong; nothing is left open or in the loop then.
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure)

  /// Leaves the loop and closes the device. Legal at any time.
  func stop()

  /// Why it gives nothing any more since the last `start`; nil while it works. It has left the loop by then.
  var failure: DeviceFailure? { get }

  /// Facts about the device once it is known, for `leash status` and `leash doctor`: part, rate, range, satellites.
  var facts: [(name: String, value: String)] { get }

  /// The longest silence of a working device; after that its owner starts it again. Nil when silence is normal.
  var patience: Interval? { get }

  /// True for a satellite receiver that needs less while it is stopped: it may be, for as long as nobody needs to know where it is.
  var savesWhenStopped: Bool { get }
}

extension SensorSource {
  /// False: what is stopped and started again would miss what it is there for.
  public var savesWhenStopped: Bool { false }
}
