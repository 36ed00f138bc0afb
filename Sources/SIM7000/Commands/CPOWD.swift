import ASCIIText
import ATCommands
import Quantities

/// Power off: `AT+CPOWD=1` → `NORMAL POWER DOWN` and no `OK`. Off 1.8 to 6.9 s later.
///
/// - Source: [sim7000at] `AT+CPOWD`; [sim7000hd] on power.
package enum CPOWD {
  /// Switches off in order: `AT+CPOWD=1`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(within: .seconds(10))
      grammar.end = .text("NORMAL POWER DOWN")
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPOWD=1") }
  }
}
