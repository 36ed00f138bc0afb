import CSerialPort
import Glibc

/// A serial line of a real port through libserialport, with its pins.
///
/// Bytes are read by the system call itself: libserialport's own does not distinguish "nothing yet" from "unplugged".
public final class HardwareSerialPort: SerialTransport {
  /// The path as the user gave it.
  public let path: String
  /// For `poll` and `epoll`; -1 after `close`.
  public private(set) var descriptor: Int32 = -1
  /// The speed as it was set last.
  public private(set) var bitsPerSecond: Int
  private var port: OpaquePointer?

  /// Opens a hardware port, raw.
  ///
  /// Links, as those in `/dev/serial/by-id`, are followed first: libserialport wants the device's own name.
  ///
  /// - Returns: nil when libserialport has no such port: it may be another kind of terminal.
  /// - Throws: One failure that says what is wrong.
  public init?(_ path: String, bitsPerSecond: Int) throws(DeviceFailure) {
    self.path = path
    self.bitsPerSecond = bitsPerSecond
    guard let device = resolved(path) else { return nil }
    // SP_ERR_ARG: no terminal that the kernel lists in /sys/class/tty.
    guard sp_get_port_by_name(device, &port) == SP_OK, port != nil else { return nil }
    guard sp_open(port, SP_MODE_READ_WRITE) == SP_OK else {
      let code = sp_last_error_code()
      close()
      // The node of a UART that the machine does not have opens, but does not answer.
      if code == EIO || code == ENXIO || code == ENODEV {
        throw DeviceFailure(
          .open, path, errorNumber: code, .noSuchPort(others: SerialPortDescription.all().map(\.path)))
      }
      throw DeviceFailure(.open, path, errorNumber: code)
    }
    guard sp_get_port_handle(port, &descriptor) == SP_OK else {
      close()
      throw DeviceFailure(.open, path, errorNumber: EINVAL)
    }
    do throws(DeviceFailure) {
      try SerialDescriptor.lock(descriptor, path: path, isExclusive: true)
      try setRate(bitsPerSecond)
      try expect(sp_set_bits(port, 8), .configure)
      try expect(sp_set_parity(port, SP_PARITY_NONE), .configure)
      try expect(sp_set_stopbits(port, 1), .configure)
      try expect(sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE), .configure)
      // libserialport lets a read of nothing end like a read of a port that is gone; this has it say "nothing yet" instead.
      try SerialDescriptor.makeRaw(descriptor, path: path)
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// True: the driver of a real port has them, wired or not.
  public var hasPins: Bool { true }

  private func expect(_ result: sp_return, _ operation: DeviceFailure.Operation) throws(DeviceFailure) {
    guard result.rawValue < 0 else { return }
    throw DeviceFailure(operation, path, errorNumber: result == SP_ERR_FAIL ? sp_last_error_code() : EINVAL)
  }

  /// Sets the speed of both directions.
  public func setRate(_ bitsPerSecond: Int) throws(DeviceFailure) {
    guard let rate = Int32(exactly: bitsPerSecond), rate > 0, sp_set_baudrate(port, rate) == SP_OK else {
      throw DeviceFailure(.configure, path, .rateNotSupported(bitsPerSecond: bitsPerSecond))
    }
    try SerialDescriptor.makeRaw(descriptor, path: path)
    self.bitsPerSecond = bitsPerSecond
  }

  /// Sets DTR or RTS; the others are inputs.
  public func set(_ pin: SerialPin, asserted: Bool) throws(DeviceFailure) {
    switch pin {
    case .dataTerminalReady: try expect(sp_set_dtr(port, asserted ? SP_DTR_ON : SP_DTR_OFF), .pin)
    case .requestToSend: try expect(sp_set_rts(port, asserted ? SP_RTS_ON : SP_RTS_OFF), .pin)
    case .clearToSend, .carrierDetect, .ring: throw DeviceFailure(.pin, path, errorNumber: EINVAL)
    }
  }

  /// True when the input pin is asserted; outputs are not read back.
  public func isAsserted(_ pin: SerialPin) throws(DeviceFailure) -> Bool {
    var signals = sp_signal(0)
    try expect(sp_get_signals(port, &signals), .pin)
    switch pin {
    case .clearToSend: return signals.rawValue & SP_SIG_CTS.rawValue != 0
    case .carrierDetect: return signals.rawValue & SP_SIG_DCD.rawValue != 0
    case .ring: return signals.rawValue & SP_SIG_RI.rawValue != 0
    case .dataTerminalReady, .requestToSend: throw DeviceFailure(.pin, path, errorNumber: EINVAL)
    }
  }

  /// Forgets what has come and was not read.
  public func discardInput() { sp_flush(port, SP_BUF_INPUT) }

  /// Lets the port go.
  public func close() {
    guard let port else { return }
    if descriptor >= 0 {
      _ = ioctl(descriptor, UInt(TIOCNXCL), 0)
      SerialDescriptor.unlock(descriptor)
    }
    sp_close(port)
    sp_free_port(port)
    self.port = nil
    descriptor = -1
  }
}
