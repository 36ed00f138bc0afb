import CPUSupport

/// Files and arguments of the debugger that the image runs under, here the emulator.
///
/// - Source: Semihosting for AArch32 and AArch64, release 2.0, section "Semihosting operations".
enum Debugger {
  /// A file of the machine that the debugger runs on.
  struct File {
    fileprivate let handle: UInt32

    /// What is done with it, by the operation's numbers.
    enum Mode: UInt32 {
      /// It is read (rb).
      case read = 1
      /// It is read and written, and is there (r+b).
      case change = 3
      /// It is emptied, or made, and written and read (w+b).
      case write = 7
    }

    /// Opens a file (SYS_OPEN); nil when that fails.
    ///
    /// - Parameter name: With a zero behind it, which `count` does not count.
    init?(name: UnsafePointer<UInt8>, count: Int, _ mode: Mode = .read) {
      var words: InlineArray<3, UInt32> = [
        UInt32(UInt(bitPattern: name)), mode.rawValue, UInt32(truncatingIfNeeded: count),
      ]
      let result = withUnsafePointer(to: &words) { cpu_semihost(0x01, $0) }
      guard result >= 0 else { return nil }
      handle = UInt32(bitPattern: result)
    }

    /// Reads at most so many bytes (SYS_READ); 0 at the end.
    func read(into place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
      let left = Int(cpu_semihost3(0x06, handle, place, UInt32(truncatingIfNeeded: count)))
      return left < 0 || left > count ? 0 : count - left
    }

    /// The next byte that is read or written is that at a place (SYS_SEEK).
    func seek(_ place: Int) -> Bool { cpu_semihost2(0x0A, handle, UInt32(truncatingIfNeeded: place)) == 0 }

    /// Bytes in it (SYS_FLEN); -1 when that fails.
    var length: Int { Int(cpu_semihost2(0x0C, handle, 0)) }

    /// Writes bytes (SYS_WRITE); true when all were written.
    func write(_ place: UnsafePointer<UInt8>, _ count: Int) -> Bool {
      cpu_semihost3(0x05, handle, place, UInt32(truncatingIfNeeded: count)) == 0
    }
  }

  /// The arguments of the image (SYS_GET_CMDLINE), with a zero behind them; their length, 0 when they do not fit.
  static func arguments(into place: UnsafeMutablePointer<UInt8>, _ room: Int) -> Int {
    var words: InlineArray<2, UInt32> = [UInt32(UInt(bitPattern: place)), UInt32(truncatingIfNeeded: room)]
    let result = withUnsafeMutablePointer(to: &words) { cpu_semihost(0x15, $0) }
    return result == 0 ? Int(words[1]) : 0
  }
}
