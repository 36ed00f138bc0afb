import CLinuxShim
import Glibc

/// The system calls that both kinds of port share.
enum SerialDescriptor {
  /// Keeps others out: `flock` tells the careful programs, exclusive mode all but root's.
  static func lock(_ descriptor: Int32, path: String, isExclusive: Bool) throws(DeviceFailure) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw DeviceFailure(.open, path, errorNumber: errno)
    }
    if isExclusive { _ = ioctl(descriptor, UInt(TIOCEXCL), 0) }
  }

  /// Lets others in. To close is not enough: a child of this process has the descriptor, too, until it runs its own program.
  static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  /// Bytes as they are, and a read that tells "nothing yet" from the end.
  static func makeRaw(_ descriptor: Int32, path: String) throws(DeviceFailure) {
    let code = leash_terminal_make_raw(descriptor)
    guard code == 0 else { throw DeviceFailure(.configure, path, errorNumber: -code) }
  }

  static func read(_ descriptor: Int32, path: String, into buffer: inout [UInt8]) throws(DeviceFailure) -> Int {
    guard !buffer.isEmpty else { return 0 }
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return count }
      // A terminal that reads as ended has been hung up.
      if count == 0 { throw DeviceFailure(.read, path, .unplugged) }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw DeviceFailure(.read, path, errorNumber: errno) }
    }
  }

  static func write(_ descriptor: Int32, path: String, _ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int {
    guard !bytes.isEmpty else { return 0 }
    while true {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw DeviceFailure(.write, path, errorNumber: errno) }
    }
  }
}
