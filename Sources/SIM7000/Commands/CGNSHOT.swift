import ASCIIText
import ATCommands

/// Starts the satellite receiver with all it knew: `AT+CGNSHOT` → `OK`.
///
/// - Source: [sim7000at] `AT+CGNSHOT`.
package enum CGNSHOT {
  /// Starts it: `AT+CGNSHOT`.
  ///
  /// The driver does not use it: it is for a test of the satellite receiver.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGNSHOT") }
  }
}
