import ASCIIText
import ATCommands

/// Kind of LTE: `AT+CMNB=<1|2|3>` → `OK`; stored.
///
/// - Source: [sim7000at] `AT+CMNB`.
package enum CMNB {
  /// Which kind.
  @frozen package enum Mode: UInt8, BitwiseCopyable, Sendable {
    /// Cat-M1 only.
    case catM = 1
    /// NB-IoT only.
    case narrowband = 2
    /// Both, Cat-M1 first.
    case both = 3
  }

  /// Chooses: `AT+CMNB=1`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var mode: Mode
    /// The command.
    package init(_ mode: Mode) { self.mode = mode }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMNB=")
      sink.append(number: mode.rawValue)
    }
  }

  /// Asks for the choice: `AT+CMNB?` → `+CMNB: 3`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CMNB") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CMNB?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Mode? {
      guard let fields = line.fields(of: "+CMNB"), fields.count == 1, let number = fields.byte(0) else { return nil }
      return Mode(rawValue: number)
    }
  }
}
