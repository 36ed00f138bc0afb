import ASCIIText
import ATCommands

/// Starts the satellite receiver without anything it knew: `AT+CGNSCOLD` → `OK`, with `+CGNSXTRA: <n>` after it when assistance
/// is on. A fix takes 35 s under open sky.
///
/// - Source: [sim7000at] `AT+CGNSCOLD`; [sim7000hd] GNSS.
package enum CGNSCOLD {
  /// Starts it: `AT+CGNSCOLD`.
  ///
  /// The driver does not use it: it is for a test of the satellite receiver.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGNSCOLD") }
  }
}
