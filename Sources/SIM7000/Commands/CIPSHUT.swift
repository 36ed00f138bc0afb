import ASCIIText
import ATCommands
import Quantities

/// Ends the toolkit's connection: `AT+CIPSHUT` → `SHUT OK` within 65 s, no `OK`. The way out of every state.
///
/// - Source: [sim7000at] `AT+CIPSHUT`.
package enum CIPSHUT {
  /// Ends it: `AT+CIPSHUT`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(within: .seconds(65))
      grammar.end = .text("SHUT OK")
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIPSHUT") }
  }
}
