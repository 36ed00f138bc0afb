import ASCIIText
import ATCommands

/// Opens the file store: `AT+CFSINIT` → `OK`. Every other `CFS` command is an `ERROR` without.
///
/// - Source: [sim7000at] `AT+CFSINIT`.
package enum CFSINIT {
  /// Opens it: `AT+CFSINIT`.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CFSINIT") }
  }
}
