import ASCIIText
import ATCommands

/// Form of short messages: `AT+CMGF=<0|1>` → `OK`: 0 coded, 1 text.
///
/// - Source: [ts27005] section 3.2.3; [sim7000at] `AT+CMGF`.
package enum CMGF {
  /// Chooses: `AT+CMGF=1`.
  @frozen package struct Set: ATCommand {
    /// True for text.
    package var isText: Bool
    /// The command.
    package init(isText: Bool) { self.isText = isText }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGF=")
      sink.append(flag: isText)
    }
  }
}
