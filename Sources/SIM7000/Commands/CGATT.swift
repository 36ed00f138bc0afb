import ASCIIText
import ATCommands
import Quantities

/// Attachment to the packet network: `AT+CGATT=<0|1>` → `OK` within 75 s; `AT+CGATT?` → `+CGATT: <0|1>`, `OK`.
///
/// - Source: [ts27007] section 10.1.9; [sim7000at] `AT+CGATT`. A stuck modem has answered the question with `ERROR`.
package enum CGATT {
  /// Asks whether it is attached: `AT+CGATT?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CGATT", within: .seconds(75)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGATT?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CGATT"), fields.count == 1 else { return nil }
      return fields.flag(0)
    }
  }
}
