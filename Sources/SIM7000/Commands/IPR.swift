import ASCIIText
import ATCommands

/// Rate of the serial line: `AT+IPR=<rate>` → `OK` at the old rate, then the new one holds; stored. 0 finds the rate by itself.
///
/// - Source: [sim7000at] `AT+IPR`; [sim7000an] UART.
package enum IPR {
  /// Sets the rate: `AT+IPR=115200`.
  @frozen package struct Set: ATCommand {
    /// Bits per second; 0 to have it found.
    package let bitsPerSecond: UInt32
    /// The command; nil for a rate the modem does not have.
    package init?(bitsPerSecond: UInt32) {
      guard IPR.isRate(bitsPerSecond) else { return nil }
      self.bitsPerSecond = bitsPerSecond
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+IPR=")
      sink.append(number: bitsPerSecond)
    }
  }

  /// Asks for the rate: `AT+IPR?` → `+IPR: 115200`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+IPR") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+IPR?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+IPR"), fields.count == 1, let rate = fields.longWord(0), isRate(rate) else {
        return nil
      }
      return rate
    }
  }

  /// True for 0 and the rates of the manual.
  static func isRate(_ rate: UInt32) -> Bool {
    switch rate {
    case 0, 300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115_200, 230_400, 921_600, 2_000_000, 2_900_000,
      3_000_000, 3_200_000, 3_686_400, 4_000_000:
      return true
    default: return false
    }
  }
}
