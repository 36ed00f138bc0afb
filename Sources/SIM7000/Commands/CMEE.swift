import ASCIIText
import ATCommands
import Quantities

/// Form of errors of the equipment: `AT+CMEE=<0|1|2>` → `OK`. `ERROR` alone (0) after a reset.
///
/// - Source: [ts27007] section 9.1; [sim7000at] `AT+CMEE`.
package enum CMEE {
  /// What a modem says of an error.
  @frozen package enum Form: UInt8, BitwiseCopyable, Sendable {
    /// `ERROR`.
    case bare = 0
    /// `+CME ERROR: 10`.
    case number = 1
    /// `+CME ERROR: SIM not inserted`.
    case words = 2
  }

  /// Asks for the form: `AT+CMEE?` → `+CMEE: 1`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CMEE", isRequired: false, within: .seconds(1)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CMEE?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Form? {
      guard let fields = line.fields(of: "+CMEE"), fields.count == 1, let number = fields.byte(0) else { return nil }
      return Form(rawValue: number)
    }
  }
}
