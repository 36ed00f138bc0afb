import ASCIIText
import ATCommands

/// Closes the file store: `AT+CFSTERM` → `OK`.
///
/// - Source: [sim7000at] `AT+CFSTERM`.
package enum CFSTERM {
  /// Closes it: `AT+CFSTERM`.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CFSTERM") }
  }
}
