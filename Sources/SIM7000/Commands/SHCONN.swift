import ASCIIText
import ATCommands
import Quantities

/// Connects to the HTTP server: `AT+SHCONN` → `OK` or `ERROR` without a reason, 0.3 to 60 s later.
///
/// - Source: [sim7000at] `AT+SHCONN`. `ERROR` also when it is connected; a second try after `SHDISC` often works.
package enum SHCONN {
  /// Connects: `AT+SHCONN`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(60)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SHCONN") }
  }
}
