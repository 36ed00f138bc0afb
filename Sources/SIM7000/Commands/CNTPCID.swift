import ASCIIText
import ATCommands

/// Bearer for the time server: `AT+CNTPCID=1` → `OK`.
///
/// - Source: [sim7000at] `AT+CNTPCID`.
package enum CNTPCID {
  /// Chooses bearer 1: `AT+CNTPCID=1`.
  ///
  /// The driver does not use it: it is for a place where neither network nor satellites tell the time.
  @frozen package struct Set: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNTPCID=1") }
  }
}
