import ASCIIText
import ATCommands

/// Positions by themselves: `AT+CGNSURC=<n>` → `OK`; a notice `+UGNSINF` every `n` fixes of one second, 0 for none.
///
/// - Source: [sim7000at] `AT+CGNSURC`.
package enum CGNSURC {
  /// Chooses: `AT+CGNSURC=1`.
  @frozen package struct Set: ATCommand {
    /// Every how many fixes; 0 for never.
    package var interval: UInt8
    /// The command.
    package init(every interval: UInt8) { self.interval = interval }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSURC=")
      sink.append(number: interval)
    }
  }
}
