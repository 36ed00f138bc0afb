import ASCIIText
import ATCommands

/// Chooses a socket of the application network: `AT+CACID=<cid>` → `OK`. Socket 0 is used throughout.
///
/// - Source: [sim7000at] `AT+CACID`; `+CME ERROR: 3` while only another bearer is up, or with old firmware.
package enum CACID {
  /// Chooses socket 0: `AT+CACID=0`.
  @frozen package struct Set: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CACID=0") }
  }
}
