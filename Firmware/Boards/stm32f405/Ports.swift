import CPUSupport
import _Volatile

/// USART1, 2 and 3 as console (PA9, PA10), modem (PA2, PA3) and satellite receiver (PB10, PB11), UART4 as inertial sensor (PA0, PA1),
/// with an interrupt for each byte that comes.
///
/// - Source: RM0090: section 7 (RCC), 8 (GPIO), 30 (USART), table 62 (vectors: USART1 to 3 at 37 to 39, UART4 at 52); Armv7-M
///   Architecture Reference Manual, section B3.4.3 (NVIC_ISER).
extension Board {
  private static func address(_ port: LinePort) -> UInt {
    switch port {
    case .console: return 0x4001_1000
    case .modem: return 0x4000_4400
    case .receiver: return 0x4000_4800
    case .sensor: return 0x4000_4C00
    }
  }

  private static func register(_ port: LinePort, _ offset: UInt) -> VolatileMappedRegister<UInt32> {
    VolatileMappedRegister<UInt32>(unsafeBitPattern: address(port) + offset)
  }

  /// Opens the four ports.
  static func openPorts() {
    // RCC_AHB1ENR (section 7.3.10), bit 1: port B. RCC_APB1ENR (section 7.3.13), bits 17 to 19: USART2 and 3, UART4.
    set(0x4002_3830, clear: 0, 1 << 1)
    set(0x4002_3840, clear: 0, 0b111 << 17)
    // GPIOA_MODER and GPIOA_AFRL (sections 8.4.1 and 8.4.9): pins 0 and 1, AF8, 2 and 3, AF7. GPIOB_MODER and GPIOB_AFRH: pins 10
    // and 11, AF7.
    set(0x4002_0000, clear: 0b1111_1111, 0b1010_1010)
    set(0x4002_0020, clear: 0xFFFF, 0x7788)
    set(0x4002_0400, clear: 0b1111 << 20, 0b1010 << 20)
    set(0x4002_0424, clear: 0xFF00, 0x7700)
    for number in 0..<UInt8(LinePort.count) {
      guard let port = LinePort(rawValue: number) else { return }
      register(port, 0x08).store((clockHertz + 57_600) / 115_200)
      // USART_CR1 (section 30.6.4): bit 13 on, bit 5 the receiver's interrupt, bit 3 transmitter, bit 2 receiver.
      register(port, 0x0C).store(1 << 13 | 1 << 5 | 1 << 3 | 1 << 2)
    }
    // Interrupts 37 to 39 and 52 are in the second register of 32.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E104).store(0b111 << 5 | 1 << 20)
  }

  /// Writes a byte to a port, when there is room for it.
  static func write(_ byte: UInt8, on port: LinePort) {
    while register(port, 0).load() & 1 << 7 == 0 {}
    register(port, 0x04).store(UInt32(byte))
  }

  fileprivate static func drain(_ port: LinePort) {
    // USART_SR (section 30.6.1), bit 5: a byte is there. Reading USART_DR clears it, and an overrun (bit 3).
    while register(port, 0).load() & (1 << 5 | 1 << 3) != 0 {
      received(UInt8(truncatingIfNeeded: register(port, 0x04).load()), on: port)
    }
  }
}

@c(console_handler) func consoleHandler() { Board.drain(.console) }
@c(modem_handler) func modemHandler() { Board.drain(.modem) }
@c(receiver_handler) func receiverHandler() { Board.drain(.receiver) }
@c(sensor_handler) func sensorHandler() { Board.drain(.sensor) }

/// The interrupts from 0 to 52.
@section(".vectors.board") @used
let portVectors:
  (
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector,
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector,
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector,
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector
  ) = (
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, consoleHandler, modemHandler,
    receiverHandler, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, sensorHandler
  )
