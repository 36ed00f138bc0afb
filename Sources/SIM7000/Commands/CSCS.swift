import ASCIIText
import ATCommands

/// Characters of the texts between modem and host: `AT+CSCS="IRA"` → `OK`; lost in a reset.
///
/// Telephone numbers and texts of messages are in them: as hexadecimal digits in `UCS2`, and with other signs in place of braces,
/// `@`, `$` and `_` in `GSM`.
///
/// - Source: [ts27007] section 5.5; [sim7000at] `AT+CSCS`.
package enum CSCS {
  /// Asks which they are: `AT+CSCS?` → `+CSCS: "IRA"`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CSCS") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CSCS?") }
    /// Reads a line of the answer: true for those of ASCII.
    package static func isPlain(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CSCS"), fields.count == 1, fields.isQuoted(0) else { return nil }
      return line.equals("+CSCS: \"IRA\"")
    }
  }
}
