import ASCIIText
import ATCommands

/// Forgets all headers of the HTTP client: `AT+SHCHEAD` → `OK`. They add up until then. Only while connected.
///
/// - Source: [sim7000at] `AT+SHCHEAD`.
package enum SHCHEAD {
  /// Forgets them: `AT+SHCHEAD`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SHCHEAD") }
  }
}
