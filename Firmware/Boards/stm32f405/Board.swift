import _Volatile

/// STM32F405 from its internal oscillator, with USART1 on PA9 and PA10 as the console.
///
/// - Source: STMicroelectronics RM0090: section 7 (RCC), 8 (GPIO), 30 (USART); the alternate functions are in the data sheet of the
///   STM32F405, table 9.
enum Board {
  /// The processor's clock, which SysTick counts: HSI, on which the part starts (RM0090 section 7.2.2).
  static var clockHertz: UInt32 { 16_000_000 }

  private static var rcc: UInt { 0x4002_3800 }
  private static var gpioA: UInt { 0x4002_0000 }
  private static var usart: UInt { 0x4001_1000 }

  /// Sets up the clock and the console.
  static func prepare() {
    // RCC_AHB1ENR (section 7.3.10), bit 0: port A. RCC_APB2ENR (section 7.3.14), bit 4: USART1.
    set(rcc + 0x30, clear: 0, 1 << 0)
    set(rcc + 0x44, clear: 0, 1 << 4)
    // GPIOA_MODER (section 8.4.1): pins 9 and 10 to their alternate function (2); GPIOA_AFRH (section 8.4.10): AF7.
    set(gpioA, clear: 0b1111 << 18, 0b1010 << 18)
    set(gpioA + 0x24, clear: 0xFF0, 0x770)
    // USART_BRR (section 30.6.3): sixteenths of clock cycles in a bit, over sampling by 16; 115,200 bit/s.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: usart + 0x08).store((clockHertz + 57_600) / 115_200)
    // USART_CR1 (section 30.6.4): bit 13 on, bit 3 transmitter, bit 2 receiver.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: usart + 0x0C).store(1 << 13 | 1 << 3 | 1 << 2)
  }

  /// Writes a byte to the console, when there is room for it.
  static func write(_ byte: UInt8) {
    // USART_SR (section 30.6.1), bit 7: the data register is empty.
    while VolatileMappedRegister<UInt32>(unsafeBitPattern: usart).load() & 1 << 7 == 0 {}
    VolatileMappedRegister<UInt32>(unsafeBitPattern: usart + 0x04).store(UInt32(byte))
  }

  static func set(_ address: UInt, clear: UInt32, _ bits: UInt32) {
    let register = VolatileMappedRegister<UInt32>(unsafeBitPattern: address)
    register.store(register.load() & ~clear | bits)
  }
}
