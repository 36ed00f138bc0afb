import BoardHealth
import _Volatile

/// The watchdog of the Cortex-M System Design Kit: the first time it runs out it interrupts whatever runs (NMI), the second time it
/// resets.
///
/// - Source: DDI 0479, section 4.5, APB watchdog: WDOGLOAD, WDOGVALUE, WDOGCONTROL, WDOGINTCLR and WDOGLOCK; Application Note AN386,
///   memory map: watchdog at 0x40008000, system control at 0x4001F000; Cortex-M System Design Kit Example System Guide, DUI 0559,
///   system controller: RSTINFO.
extension Board {
  private static func register(_ offset: UInt) -> VolatileMappedRegister<UInt32> {
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_8000 + offset)
  }

  /// Starts it. It runs out after five seconds.
  static func startWatchdog() {
    // WDOGLOCK: this number, and no other, lets the registers be written.
    register(0xC00).store(0x1ACC_E551)
    register(0x00).store(clockHertz * 5)
    // WDOGCONTROL: bit 0 counts and interrupts, bit 1 resets.
    register(0x08).store(0b11)
    register(0xC00).store(0)
  }

  /// Lets it begin anew.
  static func feedWatchdog() {
    register(0xC00).store(0x1ACC_E551)
    // WDOGINTCLR: anything clears the interrupt and loads the count.
    register(0x0C).store(1)
    register(0xC00).store(0)
  }

  /// True while it counts.
  static var hasWatchdog: Bool { register(0x08).load() & 0b11 == 0b11 && register(0x04).load() > 0 }

  /// Why the board starts, which is forgotten then.
  static func takeResetCause() -> HardwareReset {
    let information = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4001_F010)
    // RSTINFO: bit 0 by software, bit 1 by the watchdog; a one clears it.
    let bits = information.load()
    information.store(bits)
    return bits & 0b10 != 0 ? .watchdog : .other
  }
}
