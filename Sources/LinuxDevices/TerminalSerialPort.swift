import CLinuxShim
import Glibc

/// A serial line through termios: pseudo-terminals, and every terminal that libserialport does not know.
public final class TerminalSerialPort: SerialTransport {
  /// The path as the user gave it.
  public let path: String
  /// For `poll` and `epoll`; -1 after `close`.
  public private(set) var descriptor: Int32
  /// The speed as it was set last.
  public private(set) var bitsPerSecond: Int

  /// Opens a terminal, raw.
  ///
  /// - Throws: One failure that says what is wrong.
  public init(_ path: String, bitsPerSecond: Int) throws(DeviceFailure) {
    self.path = path
    self.bitsPerSecond = bitsPerSecond
    descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A device node whose hardware is not there.
      if errno == ENXIO || errno == ENODEV {
        throw DeviceFailure(
          .open, path, errorNumber: errno, .noSuchPort(others: SerialPortDescription.all().map(\.path)))
      }
      throw DeviceFailure(.open, path, errorNumber: errno)
    }
    do throws(DeviceFailure) {
      guard isatty(descriptor) == 1 else { throw DeviceFailure(.open, path, errorNumber: ENOTTY) }
      // A pseudo-terminal stays exclusive after a client that died, as the other side keeps it open: flock is enough there.
      try SerialDescriptor.lock(descriptor, path: path, isExclusive: !isPseudoTerminal)
      try SerialDescriptor.makeRaw(descriptor, path: path)
      try setRate(bitsPerSecond)
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// True for the client's side of a pseudo-terminal.
  ///
  /// - Source: our derivation, from Linux's list of device numbers: majors 136 to 143 are UNIX98 pseudo-terminals.
  private var isPseudoTerminal: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let major = (status.st_rdev >> 8) & 0xFFF
    return 136...143 ~= major
  }

  /// False: pins go through libserialport, and a pseudo-terminal has none.
  public var hasPins: Bool { false }

  /// Sets the speed of both directions, any number of bits per second the driver can make.
  public func setRate(_ bitsPerSecond: Int) throws(DeviceFailure) {
    guard let rate = UInt32(exactly: bitsPerSecond), rate > 0 else {
      throw DeviceFailure(.configure, path, .rateNotSupported(bitsPerSecond: bitsPerSecond))
    }
    let code = leash_terminal_set_rate(descriptor, rate)
    if code == -EINVAL { throw DeviceFailure(.configure, path, .rateNotSupported(bitsPerSecond: bitsPerSecond)) }
    guard code == 0 else { throw DeviceFailure(.configure, path, errorNumber: -code) }
    self.bitsPerSecond = bitsPerSecond
  }

  /// Fails with `.noPins`.
  public func set(_ pin: SerialPin, asserted: Bool) throws(DeviceFailure) { throw DeviceFailure(.pin, path, .noPins) }

  /// Fails with `.noPins`.
  public func isAsserted(_ pin: SerialPin) throws(DeviceFailure) -> Bool { throw DeviceFailure(.pin, path, .noPins) }

  /// Forgets what has come and was not read.
  public func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Lets the terminal go.
  public func close() {
    guard descriptor >= 0 else { return }
    if !isPseudoTerminal { _ = ioctl(descriptor, UInt(TIOCNXCL), 0) }
    SerialDescriptor.unlock(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }
}
