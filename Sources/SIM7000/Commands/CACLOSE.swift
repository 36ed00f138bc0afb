import ASCIIText
import ATCommands
import Quantities

/// Closes a socket: `AT+CACLOSE=0` → `OK`; `ERROR` when it is not open.
///
/// - Source: [sim7000at] `AT+CACLOSE`.
package enum CACLOSE {
  /// Closes it: `AT+CACLOSE=0`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(15)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CACLOSE=0") }
  }
}
