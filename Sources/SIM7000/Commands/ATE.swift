import ASCIIText
import ATCommands
import Quantities

/// Echo of what is sent: `ATE<0|1>` → `OK`. On after a reset.
///
/// - Source: [v250] section 6.2.4; [sim7000at] `ATE`.
package enum ATE {
  /// Sets the echo: `ATE0`, `ATE1`.
  @frozen package struct Set: ATCommand {
    /// True to have every byte sent back.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(1)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("E")
      sink.append(flag: isOn)
    }
  }
}
