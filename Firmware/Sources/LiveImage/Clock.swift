import CPUSupport
import _Volatile

/// The time since the start in microseconds, from SysTick: an interrupt each millisecond, and the count between two.
///
/// - Source: Armv7-M Architecture Reference Manual, DDI 0403, section B3.3 (SysTick) and B3.2.4 (ICSR).
enum Clock {
  private static var cyclesOfMillisecond: UInt32 { Board.clockHertz / 1000 }

  /// Starts it.
  static func start() {
    // SYST_RVR, SYST_CVR; SYST_CSR: on, with an interrupt, by the processor's clock.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E014).store(cyclesOfMillisecond - 1)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E018).store(0)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E010).store(0b111)
  }

  /// Milliseconds since the start; they wrap.
  static var milliseconds: UInt32 { cpu_load(&count) }

  /// Called by the interrupt.
  static func tick() { cpu_store(&count, count &+ 1) }

  /// Never goes back. It must be read once in 49 days.
  static var microseconds: UInt64 {
    while true {
      let before = milliseconds
      let cycles = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E018).load()
      // ICSR, bit 26: the count has begun anew, and its interrupt waits for one that is as urgent.
      let isPending = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED04).load() & 1 << 26 != 0
      guard milliseconds == before else { continue }
      let passed = cyclesOfMillisecond - 1 - cycles
      let late: UInt64 = isPending && passed < cyclesOfMillisecond / 2 ? 1 : 0
      return (UInt64(before) + late) * 1000 + UInt64(passed / (cyclesOfMillisecond / 1000))
    }
  }
}

nonisolated(unsafe) private var count: UInt32 = 0
