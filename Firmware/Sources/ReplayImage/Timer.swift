import _Volatile

/// The cycles that the processor has run, from SysTick, which counts down from 2^24 - 1.
///
/// It must be read more often than it wraps, once in 0.67 s at 25 MHz. Nothing is interrupted.
///
/// - Source: Armv7-M Architecture Reference Manual, DDI 0403, section B3.3.
struct Timer {
  /// Cycles so far.
  private(set) var cycles: UInt64 = 0
  private var last: UInt32

  private static var current: UInt32 { VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E018).load() }

  /// Starts it.
  init() {
    // SYST_RVR, then SYST_CVR; SYST_CSR: bit 0 on, bit 2 the processor's clock.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E014).store(0xFF_FFFF)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E018).store(0)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E010).store(0b101)
    last = 0xFF_FFFF
  }

  /// Cycles since it was read last.
  mutating func lap() -> UInt32 {
    let now = Timer.current
    let passed = (last &- now) & 0xFF_FFFF
    last = now
    cycles &+= UInt64(passed)
    return passed
  }
}

/// SysTick interrupts nothing here.
@c(tick_taken) func tickTaken(_ frame: UInt32, _ link: UInt32) {}
