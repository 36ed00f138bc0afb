import ASCIIText
import ATCommands

/// Choice of the operator: `AT+COPS?` → `+COPS: <mode>[,<format>,"<name>",<AcT>]`, `OK`; `AT+COPS=0` → `OK`. The mode is stored.
///
/// - Source: [ts27007] section 7.3; [sim7000at] `AT+COPS`.
package enum COPS {
  /// Asks how it is chosen: `AT+COPS?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+COPS", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+COPS?") }
    /// Reads a line of the answer: true when the modem chooses by itself.
    package static func isAutomatic(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+COPS"), let mode = fields.byte(0), mode <= 4 else { return nil }
      // 1: one was chosen for it; 2: none may be used; 3 only sets a format.
      return mode != 1 && mode != 2
    }
  }
}
