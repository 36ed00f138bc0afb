import ASCIIText
import ATCommands

/// Ends the legacy HTTP client: `AT+HTTPTERM` → `OK`; `ERROR` when it is not started.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPTERM`.
package enum HTTPTERM {
  /// Ends it: `AT+HTTPTERM`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+HTTPTERM") }
  }
}
