import BoardHealth
import _Volatile

/// The independent watchdog, which counts an oscillator of its own and can't be stopped.
///
/// - Source: RM0090, section 21.4 (IWDG_KR, IWDG_PR, IWDG_RLR) and 7.3.21 (RCC_CSR).
extension Board {
  private static func store(_ value: UInt32, _ offset: UInt) {
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_3000 + offset).store(value)
  }

  /// Starts it. It runs out after eight seconds; the oscillator has 17 to 47 kHz, so they are five and a half to fifteen.
  static func startWatchdog() {
    store(0xCCCC, 0)
    store(0x5555, 0)
    // 32 kHz by 256, a thousand times.
    store(6, 0x04)
    store(1000, 0x08)
    feedWatchdog()
  }

  /// Lets it begin anew.
  static func feedWatchdog() { store(0xAAAA, 0) }

  /// True: what was started counts.
  static var hasWatchdog: Bool { true }

  /// Why the board starts, which is forgotten then.
  static func takeResetCause() -> HardwareReset {
    let status = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4002_3874)
    let bits = status.load()
    // RCC_CSR: bit 24 clears the others; bits 29 and 30 are the watchdogs', 27 and 25 those of power.
    status.store(bits | 1 << 24)
    if bits & (1 << 29 | 1 << 30) != 0 { return .watchdog }
    return bits & (1 << 27 | 1 << 25) != 0 ? .power : .other
  }
}
