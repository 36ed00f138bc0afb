import ASCIIText
import ATCommands

/// Security of the TCP client: `AT+CIPSSL=<0|1>` → `OK`; before `CIPSTART`.
///
/// - Source: [sim7000an] SSL.
package enum CIPSSL {
  /// Switches it off: `AT+CIPSSL=0`.
  @frozen package struct Off: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIPSSL=0") }
  }
}
