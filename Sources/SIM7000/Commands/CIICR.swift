import ASCIIText
import ATCommands
import Quantities

/// Brings the toolkit's connection up: `AT+CIICR` → `OK` within 85 s, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CIICR`.
package enum CIICR {
  /// Brings it up: `AT+CIICR`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(85)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIICR") }
  }
}
