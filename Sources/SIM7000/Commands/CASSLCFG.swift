import ASCIIText
import ATCommands

/// Security of a socket: `AT+CASSLCFG=<cid>,"SSL",<0|1>` → `OK`; before `CAOPEN`.
///
/// - Source: [sim7000at] `AT+CASSLCFG`.
package enum CASSLCFG {
  /// Switches it off: `AT+CASSLCFG=0,"SSL",0`.
  @frozen package struct Off: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CASSLCFG=0,\"SSL\",0") }
  }
}
