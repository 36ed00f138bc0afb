import CPUSupport
import _Volatile

/// UART 0 to 3 as console, modem, satellite receiver and inertial sensor, with an interrupt for each byte that comes.
///
/// - Source: DDI 0479, section 4.3, APB UART: DATA, STATE, CTRL, INTSTATUS and BAUDDIV; Application Note AN386, interrupts: receivers
///   of UART 0 to 3 at 0, 2, 4 and 18; Armv7-M Architecture Reference Manual, section B3.4.3 (NVIC_ISER).
extension Board {
  private static func address(_ port: LinePort) -> UInt { 0x4000_4000 + 0x1000 * UInt(port.rawValue) }

  private static func register(_ port: LinePort, _ offset: UInt) -> VolatileMappedRegister<UInt32> {
    VolatileMappedRegister<UInt32>(unsafeBitPattern: address(port) + offset)
  }

  /// Opens the four ports.
  static func openPorts() {
    for number in 0..<UInt8(LinePort.count) {
      guard let port = LinePort(rawValue: number) else { return }
      register(port, 0x10).store(clockHertz / 115_200)
      // CTRL: bit 0 transmitter, bit 1 receiver, bit 3 the receiver's interrupt.
      register(port, 0x08).store(0b1011)
    }
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E100).store(1 << 0 | 1 << 2 | 1 << 4 | 1 << 18)
  }

  /// Writes a byte to a port, when there is room for it.
  static func write(_ byte: UInt8, on port: LinePort) {
    while register(port, 0x04).load() & 1 != 0 {}
    register(port, 0).store(UInt32(byte))
  }

  fileprivate static func drain(_ port: LinePort) {
    // INTSTATUS, bit 1: a one clears the receiver's interrupt; STATE, bit 1: a byte is there.
    register(port, 0x0C).store(0b10)
    while register(port, 0x04).load() & 0b10 != 0 {
      received(UInt8(truncatingIfNeeded: register(port, 0).load()), on: port)
    }
  }
}

@c(console_handler) func consoleHandler() { Board.drain(.console) }
@c(modem_handler) func modemHandler() { Board.drain(.modem) }
@c(receiver_handler) func receiverHandler() { Board.drain(.receiver) }
@c(sensor_handler) func sensorHandler() { Board.drain(.sensor) }

/// The interrupts from 0 to 18.
@section(".vectors.board") @used
let portVectors:
  (
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector,
    Vector, Vector, Vector, Vector, Vector
  ) = (
    consoleHandler, cpu_fault_entry, modemHandler, cpu_fault_entry, receiverHandler, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, sensorHandler
  )
