import ASCIIText
import ATCommands
import Quantities

/// Connects to the broker: `AT+SMCONN` → `OK` or `ERROR` without a reason; 26 s have been seen with TLS, and minutes after a
/// connection that was not closed.
///
/// - Source: [sim7000at] `AT+SMCONN`.
package enum SMCONN {
  /// Connects: `AT+SMCONN`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(60)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SMCONN") }
  }
}
