import ASCIIText
import ATCommands

/// Networks to use: `AT+CNMP=<mode>` → `OK`; stored.
///
/// - Source: [sim7000at] `AT+CNMP`.
package enum CNMP {
  /// Which networks.
  @frozen package enum Mode: UInt8, BitwiseCopyable, Sendable {
    /// Whatever there is.
    case automatic = 2
    /// GSM only.
    case gsm = 13
    /// LTE only.
    case lte = 38
    /// GSM and LTE.
    case gsmAndLTE = 51
  }

  /// Chooses: `AT+CNMP=38`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var mode: Mode
    /// The command.
    package init(_ mode: Mode) { self.mode = mode }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNMP=")
      sink.append(number: mode.rawValue)
    }
  }

  /// Asks for the choice: `AT+CNMP?` → `+CNMP: 38`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CNMP") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNMP?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Mode? {
      guard let fields = line.fields(of: "+CNMP"), fields.count == 1, let number = fields.byte(0) else { return nil }
      return Mode(rawValue: number)
    }
  }
}
