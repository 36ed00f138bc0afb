import _Volatile

/// Arm MPS2+ FPGA board with the images AN386 (Cortex-M4F) and AN500 (Cortex-M7), whose peripherals are the same.
///
/// - Source: Arm Application Notes AN386 and AN500, memory map and clocks; Cortex-M System Design Kit, DDI 0479, section 4.3, APB UART.
enum Board {
  /// The processor's clock, which SysTick counts.
  static var clockHertz: UInt32 { 25_000_000 }

  /// UART 0, whose registers are DATA, STATE, CTRL, INTSTATUS and BAUDDIV.
  private static var uart: UInt { 0x4000_4000 }

  /// Sets up the clock and the console.
  static func prepare() {
    // BAUDDIV: cycles of the clock in a bit, at least 16; 115,200 bit/s.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: uart + 0x10).store(clockHertz / 115_200)
    // CTRL: bit 0 transmitter, bit 1 receiver.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: uart + 0x08).store(3)
  }

  /// Writes a byte to the console, when there is room for it.
  static func write(_ byte: UInt8) {
    // STATE: bit 0 is set while the transmit buffer is full.
    while VolatileMappedRegister<UInt32>(unsafeBitPattern: uart + 0x04).load() & 1 != 0 {}
    VolatileMappedRegister<UInt32>(unsafeBitPattern: uart).store(UInt32(byte))
  }
}
