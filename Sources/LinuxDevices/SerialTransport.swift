/// A line of a serial port besides the two that carry data.
public enum SerialPin: Sendable, CaseIterable {
  /// Output: data terminal ready, which wakes a sleeping modem.
  case dataTerminalReady
  /// Output: request to send.
  case requestToSend
  /// Input: clear to send.
  case clearToSend
  /// Input: data carrier detect.
  case carrierDetect
  /// Input: ring indicator.
  case ring
}

/// A serial line: bytes out, bytes in, a speed, and pins where there are some.
///
/// Nothing here waits. Watch `descriptor` with `poll` or `epoll`: readable means that `read` has bytes or that the device is
/// gone, writable that `write` takes some.
public protocol SerialTransport: AnyObject {
  /// The path as the user gave it.
  var path: String { get }
  /// For `poll` and `epoll`; non-blocking; -1 after `close`.
  var descriptor: Int32 { get }
  /// The speed as it was set last.
  var bitsPerSecond: Int { get }
  /// False for a pseudo-terminal, whose pins can be neither set nor read.
  var hasPins: Bool { get }

  /// Reads what has come, at most as many bytes as the array has, to its beginning.
  ///
  /// - Returns: How many; 0 when nothing has come.
  /// - Throws: `.unplugged` when the device is gone; nothing comes any more.
  func read(into buffer: inout [UInt8]) throws(DeviceFailure) -> Int

  /// Hands bytes to the driver.
  ///
  /// - Returns: How many it took; fewer than there are when its buffer is full.
  /// - Throws: `.unplugged` when the device is gone.
  func write(_ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int

  /// Sets the speed of both directions, at once.
  ///
  /// - Throws: `.rateNotSupported`; the old speed holds.
  func setRate(_ bitsPerSecond: Int) throws(DeviceFailure)

  /// Sets an output pin; asserted is the level that means yes, low at the modem's side of a UART.
  ///
  /// - Throws: `.noPins`.
  func set(_ pin: SerialPin, asserted: Bool) throws(DeviceFailure)

  /// True when the input pin is asserted.
  ///
  /// - Throws: `.noPins`.
  func isAsserted(_ pin: SerialPin) throws(DeviceFailure) -> Bool

  /// Forgets what has come and was not read.
  func discardInput()

  /// Lets the port go; nothing else may be called after it.
  func close()
}

/// Opening and the ways to read that all ports share.
public enum SerialPort {
  /// Opens a port, raw, eight bits, no parity, without flow control, for this process alone.
  ///
  /// Hardware goes through libserialport. What that does not know, such as pseudo-terminals and paths outside `/dev`, goes
  /// through termios.
  ///
  /// - Throws: One failure that says what is wrong and what would be right.
  public static func open(_ path: String, bitsPerSecond: Int) throws(DeviceFailure) -> any SerialTransport {
    if let holder = PortHolder.lockFileHolder(of: path) {
      throw DeviceFailure(.open, path, errorNumber: 0, .busy(holders: [holder]))
    }
    if let port = try HardwareSerialPort(path, bitsPerSecond: bitsPerSecond) { return port }
    return try TerminalSerialPort(path, bitsPerSecond: bitsPerSecond)
  }
}

// By the system calls, which are the same for every kind of port.
extension SerialTransport {
  /// Reads what has come.
  public func read(into buffer: inout [UInt8]) throws(DeviceFailure) -> Int {
    try SerialDescriptor.read(descriptor, path: path, into: &buffer)
  }

  /// Hands bytes to the driver.
  public func write(_ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int {
    try SerialDescriptor.write(descriptor, path: path, bytes)
  }

  /// What has come, 4 KiB at most; empty when nothing has.
  public func read() throws(DeviceFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try read(into: &buffer)
    buffer.removeLast(buffer.count - count)
    return buffer
  }
}
