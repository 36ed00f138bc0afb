import ASCIIText
import InlineStorage

/// Why a board has started.
package enum RestartCause: UInt32, Sendable {
  /// It was without power.
  case power
  /// Its reset pin, a debugger, or what its registers do not tell.
  case reset
  /// It was asked to.
  case request
  /// What was left out is tried again.
  case retry
  /// The processor has taken a fault.
  case fault
  /// A function has found its frame of the stack overwritten, or the stack has come to its end.
  case stack
  /// The loop has not gone through all its parts in time.
  case watchdog

  /// True for what should not have happened.
  package var isFailure: Bool { rawValue >= RestartCause.fault.rawValue }

  /// As the console writes it.
  package var name: StaticString {
    switch self {
    case .power: "power"
    case .reset: "reset"
    case .request: "request"
    case .retry: "retry"
    case .fault: "fault"
    case .stack: "stack"
    case .watchdog: "watchdog"
    }
  }
}

/// What was known when a board crashed last.
///
/// It consists of words only, so that its bytes are all of it.
///
/// - Source: Armv7-M Architecture Reference Manual, DDI 0403, section B1.5.6 (what an exception puts on the stack) and B3.2.15 to
///   B3.2.18 (the registers about faults).
package struct FaultRecord: BitwiseCopyable, Sendable {
  /// Crashes since the board had no power; 0 when there was none.
  package var number: UInt32 = 0
  var causeNumber: UInt32 = 0
  var partNumber: UInt32 = 0
  /// Milliseconds since the start.
  package var uptime: UInt32 = 0
  /// The number of the exception that noticed it: 2 watchdog, 3 to 6 faults, 15 timer; 0 when none did.
  package var exception: UInt32 = 0
  /// Registers 0 to 12, the stack pointer, the link register, the place of the program, its state; zeros when nobody could read them.
  package var registers = InlineArray<17, UInt32>(repeating: 0)
  /// What the exception has put into the link register.
  package var exceptionReturn: UInt32 = 0
  /// CFSR, HFSR, MMFAR and BFAR.
  package var faultStatus = InlineArray<4, UInt32>(repeating: 0)
  /// Bytes of the stack that were ever written to in that life, and all of them.
  package var stackUsed: UInt32 = 0
  package var stackRoom: UInt32 = 0

  package init() {}

  /// Why the board crashed.
  package var cause: RestartCause {
    get { RestartCause(rawValue: causeNumber) ?? .reset }
    set { causeNumber = newValue.rawValue }
  }

  /// What the loop was doing.
  package var part: LoopPart {
    get { LoopPart(rawValue: UInt8(truncatingIfNeeded: partNumber)) ?? .start }
    set { partNumber = UInt32(newValue.rawValue) }
  }

  /// True when the registers are those of the crash.
  package var hasRegisters: Bool { registers[15] != 0 }

  /// Writes it as JSON; `null` when there was no crash.
  package func encodeJSON(into sink: inout some ByteSink) {
    guard number > 0 else { return sink.append("null") }
    sink.append("{\"number\":")
    sink.append(decimal: UInt64(number))
    sink.append(",\"cause\":\"")
    sink.append(cause.name)
    sink.append("\",\"part\":\"")
    sink.append(part.name)
    sink.append("\",\"uptime\":")
    sink.append(fixed: Int64(uptime), decimals: 3)
    sink.append(",\"exception\":")
    sink.append(decimal: UInt64(exception))
    if hasRegisters {
      sink.append(",\"registers\":{")
      for place in 0..<17 {
        if place > 0 { sink.append(",") }
        sink.append("\"")
        FaultRecord.appendName(of: place, to: &sink)
        sink.append("\":")
        FaultRecord.append(registers[place], to: &sink)
      }
      sink.append("},\"exceptionReturn\":")
      FaultRecord.append(exceptionReturn, to: &sink)
      let names: InlineArray<4, StaticString> = [",\"cfsr\":", ",\"hfsr\":", ",\"mmfar\":", ",\"bfar\":"]
      for place in 0..<4 {
        sink.append(names[place])
        FaultRecord.append(faultStatus[place], to: &sink)
      }
    }
    sink.append(",\"stackUsed\":")
    sink.append(decimal: UInt64(stackUsed))
    sink.append(",\"stackRoom\":")
    sink.append(decimal: UInt64(stackRoom))
    sink.append("}")
  }

  private static func appendName(of place: Int, to sink: inout some ByteSink) {
    switch place {
    case 13: sink.append("sp")
    case 14: sink.append("lr")
    case 15: sink.append("pc")
    case 16: sink.append("xpsr")
    default:
      sink.append("r")
      sink.append(decimal: UInt64(place))
    }
  }

  /// Eight digits between quotes: whoever reads it looks for an address.
  private static func append(_ word: UInt32, to sink: inout some ByteSink) {
    sink.append("\"0x")
    var shift: UInt32 = 32
    while shift > 0 {
      shift -= 8
      sink.append(hexadecimal: UInt8(truncatingIfNeeded: word >> shift))
    }
    sink.append("\"")
  }
}
