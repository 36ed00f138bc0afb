import CLinuxShim
import Glibc

/// A bus whose devices are blocks of registers: I²C as inertial parts use it.
///
/// A transfer takes as long as its bits: at 400 kHz about 25 µs per byte. It is done when the call returns.
package protocol I2CBus: AnyObject {
  /// The path as the user gave it, such as `/dev/i2c-1`.
  var path: String { get }

  /// Looks whether a device may be used: no driver of the kernel has its address, and the adapter can do what is needed.
  func check(_ address: UInt8) throws(DeviceFailure)

  /// Reads registers, from the first one on.
  ///
  /// - Throws: When no device answers, or the bus is stuck.
  func read(_ address: UInt8, from register: UInt8, count: Int) throws(DeviceFailure) -> [UInt8]

  /// Writes registers, from the first one on.
  ///
  /// - Throws: When no device answers, or the bus is stuck.
  func write(_ address: UInt8, to register: UInt8, _ bytes: [UInt8]) throws(DeviceFailure)

  /// Lets the bus go; nothing else may be called after it.
  func close()
}

/// A bus of the machine: `/dev/i2c-N`.
package final class LinuxI2CBus: I2CBus {
  /// The longest a stuck transfer may hold the caller. The kernel counts it per adapter.
  static let transferLimitMilliseconds: Int32 = 50

  /// The path as the user gave it.
  package let path: String
  private var descriptor: Int32

  /// - Throws: One failure that says what is wrong and what would be right.
  package init(_ path: String) throws(DeviceFailure) {
    self.path = path
    descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT {
        let others = Self.paths().joined(separator: ", ")
        throw DeviceFailure(
          .open, path, errorNumber: code,
          .explained(
            others.isEmpty
              ? "no such I²C bus, and this machine has no others: is the bus enabled and the module i2c-dev loaded?"
              : "no such I²C bus; there are: \(others)"))
      }
      throw DeviceFailure(.open, path, errorNumber: code)
    }
    // Not every adapter has a limit to set; it works without.
    _ = leash_i2c_set_limit(descriptor, Self.transferLimitMilliseconds)
  }

  deinit { close() }

  /// The buses of this machine, in the order of their numbers.
  package static func paths(root: String = "/") -> [String] {
    let folder = root.hasSuffix("/") ? root + "dev" : root + "/dev"
    return fileNames(in: folder).filter { $0.hasPrefix("i2c-") && Int($0.dropFirst(4)) != nil }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(folder)/\($0)" }
  }

  /// Asks the kernel about the address without a transfer.
  package func check(_ address: UInt8) throws(DeviceFailure) {
    let code = leash_i2c_check(descriptor, UInt16(address))
    switch -code {
    case 0: return
    case EBUSY:
      throw DeviceFailure(
        .open, path, errorNumber: EBUSY,
        .explained(
          "a kernel driver uses address \(hexadecimal(address)): use its IIO device instead, or unload the driver"
        ))
    case EOPNOTSUPP:
      throw DeviceFailure(
        .open, path, errorNumber: EOPNOTSUPP, .explained("supports only SMBus, no plain I²C transfers"))
    case let number: throw Self.failure(.open, path, address, number)
    }
  }

  /// Reads registers in one transfer.
  package func read(_ address: UInt8, from register: UInt8, count: Int) throws(DeviceFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var first = register
    let code = leash_i2c_transfer(descriptor, UInt16(address), &first, 1, &bytes, UInt16(clamping: count))
    guard code == 0 else { throw Self.failure(.read, path, address, -code) }
    return bytes
  }

  /// Writes registers in one transfer.
  package func write(_ address: UInt8, to register: UInt8, _ bytes: [UInt8]) throws(DeviceFailure) {
    let message = [register] + bytes
    let code = leash_i2c_transfer(descriptor, UInt16(address), message, UInt16(clamping: message.count), nil, 0)
    guard code == 0 else { throw Self.failure(.write, path, address, -code) }
  }

  /// Closes the bus.
  package func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// What Linux's number means on a bus.
  static func failure(
    _ operation: DeviceFailure.Operation, _ path: String, _ address: UInt8, _ number: Int32
  ) -> DeviceFailure {
    let text =
      switch number {
      case ENXIO, EREMOTEIO:
        "no answer at address \(hexadecimal(address)): check power, SDA and SCL, and the address pin"
      case ETIMEDOUT, EAGAIN: "the bus is stuck at address \(hexadecimal(address)): check SDA, SCL and their pull-ups"
      default: "\(operation.rawValue) at address \(hexadecimal(address)) failed: \(String(cString: strerror(number)))"
      }
    return DeviceFailure(operation, path, errorNumber: number, .explained(text))
  }
}

/// A byte as in `0x6a`.
func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return digits.utf8.count < 2 ? "0x0\(digits)" : "0x\(digits)"
}
