import ASCIIText
import ATCommands
import Quantities

/// Echo of what is sent: `ATE<0|1>` → `OK`. On after a reset. With `Q0V1` results come, and as words.
///
/// - Source: [v250] section 6.2.4; [sim7000at] `ATE`.
package enum ATE {
  /// Sets the echo: `ATE0`, `ATE1`.
  @frozen package struct Set: ATCommand {
    /// True to have every byte sent back.
    package var isOn: Bool
    /// True to have results, and as words: somebody may have stored otherwise.
    package var setsResults: Bool
    /// The command.
    package init(isOn: Bool, setsResults: Bool = false) {
      self.isOn = isOn
      self.setsResults = setsResults
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(5)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("E")
      sink.append(flag: isOn)
      if setsResults { sink.append("Q0V1") }
    }
  }
}
