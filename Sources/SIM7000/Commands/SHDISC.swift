import ASCIIText
import ATCommands
import Quantities

/// Disconnects from the HTTP server: `AT+SHDISC` → `OK`; `ERROR` when it is not connected.
///
/// - Source: [sim7000at] `AT+SHDISC`.
package enum SHDISC {
  /// Disconnects: `AT+SHDISC`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(15)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SHDISC") }
  }
}
