import Glibc

/// Why a device did not do what it was asked: the operation, the path, what Linux said, and what to do about it.
public struct DeviceFailure: Error, Equatable, Sendable {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Opening the device.
    case open
    /// Reading from it.
    case read
    /// Writing to it.
    case write
    /// Setting its speed or its mode.
    case configure
    /// Setting or reading a pin such as DTR.
    case pin
    /// Making the device or a link to it.
    case create
  }

  /// The kind of failure, with what a user needs to mend it.
  public enum Reason: Equatable, Sendable {
    /// Nothing has that path.
    case noSuchPort(others: [String])
    /// Somebody else uses it.
    case busy(holders: [PortHolder])
    /// The user may not open it.
    case noPermission(group: String?, user: String)
    /// There is something at the path, and it is no terminal.
    case notATerminal
    /// It was there and is gone.
    case unplugged
    /// The driver can't make that speed.
    case rateNotSupported(bitsPerSecond: Int)
    /// It has no such pins, as a pseudo-terminal.
    case noPins
    /// A link was to be made where something else is.
    case pathTaken(by: String)
    /// Something about the device itself, in words that follow the path.
    case explained(String)
    /// Whatever else Linux says.
    case other
  }

  /// What was tried.
  public var operation: Operation
  /// The path as the user gave it.
  public var path: String
  /// Linux's number for it; 0 when it did not give one.
  public var errorNumber: Int32
  /// The kind of failure.
  public var reason: Reason

  /// A failure of a known kind.
  public init(_ operation: Operation, _ path: String, errorNumber: Int32 = 0, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.errorNumber = errorNumber
    self.reason = reason
  }

  /// The failure that Linux's number stands for, with what the machine knows about it.
  ///
  /// - Complexity: For a busy or missing port it looks through `/proc` and the machine's ports: milliseconds.
  public init(_ operation: Operation, _ path: String, errorNumber: Int32) {
    let reason: Reason =
      switch errorNumber {
      case ENOENT, ENOTDIR: .noSuchPort(others: SerialPortDescription.all().map(\.path))
      case EBUSY, EWOULDBLOCK: .busy(holders: PortHolder.holders(of: path))
      case EACCES, EPERM: .noPermission(group: owningGroup(of: path), user: userName())
      case ENOTTY, EISDIR: .notATerminal
      case EIO, ENXIO, ENODEV: operation == .open ? .other : .unplugged
      default: .other
      }
    self.init(operation, path, errorNumber: errorNumber, reason)
  }

  /// What Linux says of the number, alone.
  public var systemText: String { String(cString: strerror(errorNumber)) }

  /// One line for the user: what is wrong, and what would be right.
  public var message: String {
    switch reason {
    case .noSuchPort(let others) where others.isEmpty: "\(path): no such port, and this machine has no others"
    case .noSuchPort(let others): "\(path): no such port; there are: \(others.joined(separator: ", "))"
    case .busy(let holders) where holders.isEmpty: "\(path): busy: another program uses it"
    case .busy(let holders):
      "\(path): busy: used by \(holders.map(\.text).joined(separator: ", ")); stop it or choose another port"
    case .noPermission(let group?, let user):
      "\(path): no permission: the device belongs to the group \(group); run 'sudo usermod -aG \(group) \(user)' and log "
        + "in again"
    case .noPermission(nil, _): "\(path): no permission to \(operation.rawValue) it"
    case .notATerminal: "\(path): not a terminal; expected a serial port such as /dev/ttyUSB0 or a pseudo-terminal"
    case .unplugged: "\(path): lost while in use: unplugged, or the program behind it has ended"
    case .rateNotSupported(let rate): "\(path): can't be set to \(rate) bit/s"
    case .noPins: "\(path): no DTR and RTS: it is a pseudo-terminal"
    case .pathTaken(let what): "\(path): \(what) already exists; use another path or remove it"
    case .explained(let text): "\(path): \(text)"
    case .other: "\(path): \(operation.rawValue) failed: \(String(cString: strerror(errorNumber)))"
    }
  }
}

/// The name of the group that a file belongs to; nil when membership would not help or can't be told.
private func owningGroup(of path: String) -> String? {
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IRGRP != 0, status.st_mode & S_IWGRP != 0 else { return nil }
  var entry = group()
  var found: UnsafeMutablePointer<group>?
  var buffer = [CChar](repeating: 0, count: 16_384)
  guard getgrgid_r(status.st_gid, &entry, &buffer, buffer.count, &found) == 0, let found else {
    return "\(status.st_gid)"
  }
  return String(cString: found.pointee.gr_name)
}

/// The name of the user who runs this.
private func userName() -> String {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 16_384)
  guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, let found else { return "$USER" }
  return String(cString: found.pointee.pw_name)
}
