import ASCIIText
import ATCommands

/// Starts the legacy HTTP client: `AT+HTTPINIT` → `OK`; `ERROR` or `+CME ERROR: 3` when it is started. Needs a bearer (`SAPBR`).
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPINIT`; version 1.06 leaves it out, firmware has it all the same.
package enum HTTPINIT {
  /// Starts it: `AT+HTTPINIT`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+HTTPINIT") }
  }
}
