import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities
import Uplinks

/// A tracker that may be running on this machine.
enum RunningTracker: Equatable, Sendable {
  /// None.
  case none
  /// One that says how it stands.
  case running(BoardStatus)
  /// One that is somebody else's.
  case hidden(owner: String)
  /// Something that does not answer as a tracker does.
  case mute(reason: String)

  /// True when devices may be in use by it.
  var isThere: Bool { self != .none }
}

/// The machine as the checks see it; tests make one up.
struct DoctorMachine: Sendable {
  /// What may be done with a file.
  enum Access: Sendable { case reading, writing, both, existing }

  /// In front of the paths of `/proc`, `/etc`, `/sys`, `/run` and `/dev`; empty but in tests.
  var root = ""
  /// Name of the user.
  var user = "root"
  /// Whether the user is root, whom no permission stops.
  var isRoot = true
  /// Names of the user's groups in this session.
  var groups: Set<String> = []
  /// Whether this user may use a path, which is taken as it is.
  var canAccess: @Sendable (String, Access) -> Bool = DoctorMachine.access
  /// The machine's serial ports.
  var ports: @Sendable () -> [SerialPortDescription] = SerialPortDescription.all
  /// Who has a port open.
  var holders: @Sendable (String) -> [PortHolder] = PortHolder.holders
  /// Bytes that are free for this user where a path lies; nil when it can't be told.
  var freeBytes: @Sendable (String) -> Int? = DoctorMachine.freeBytes
  /// The clocks.
  var clock: @Sendable () -> SystemClock = { SystemClock.now }
  /// Asks the tracker behind a control socket.
  var tracker: @Sendable (String) -> RunningTracker = { TrackerQuestion.ask(at: $0) }
  /// A sensor as configured; nil when none is.
  var sensor: @Sendable (BoardConfiguration) throws(DeviceFailure) -> (any SensorSource)? = {
    configuration throws(DeviceFailure) in try BoardParts(configuration, clock: MachineClock()).sensors.first
  }
  /// The kernel's inertial sensors.
  var industrialIO: @Sendable () -> [InertialSensorListing.IndustrialIO] = { InertialSensorListing.industrialIO() }
  /// Buses with what answers on them.
  var buses: @Sendable () -> [InertialSensorListing.Bus] = { InertialSensorListing.i2cBuses() }
  /// Opens a serial port.
  var open: @Sendable (String, Int) throws(DeviceFailure) -> any SerialTransport = {
    path, rate throws(DeviceFailure) in try SerialPort.open(path, bitsPerSecond: rate)
  }

  /// This machine.
  static var this: DoctorMachine {
    var machine = DoctorMachine()
    machine.isRoot = geteuid() == 0
    machine.user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    var numbers = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(numbers.count), &numbers)
    machine.groups = Set(
      (numbers.prefix(Int(max(0, count))) + [getegid()]).compactMap { number in
        getgrgid(number).map { String(cString: $0.pointee.gr_name) }
      })
    return machine
  }

  /// The text of a small file of the machine; nil when it can't be read.
  func text(_ path: String) -> String? {
    guard let file = fopen(root + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// True when something is at a path of the machine; a link to nothing counts.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(root + path, &status) == 0
  }

  /// A path of the machine without links.
  func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The nearest folder above a path that is there.
  func existingFolder(above path: String) -> String {
    var place = path
    repeat {
      guard let slash = place.lastIndex(of: "/") else { return "." }
      place = String(place[..<slash])
      if place.isEmpty { return "/" }
    } while !canAccess(place, .existing)
    return place
  }

  private static func access(_ path: String, _ access: Access) -> Bool {
    let mode: Int32 =
      switch access {
      case .reading: R_OK
      case .writing: W_OK
      case .both: R_OK | W_OK
      case .existing: F_OK
      }
    // The rights of the effective user, as opening would have them.
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }

  private static func freeBytes(_ path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
