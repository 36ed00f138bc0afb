import ASCIIText
import ATCommands

/// Power of the satellite receiver: `AT+CGNSPWR=<0|1>` → `OK`; off after a reset.
///
/// - Source: [sim7000at] `AT+CGNSPWR`.
package enum CGNSPWR {
  /// Switches it: `AT+CGNSPWR=1`.
  @frozen package struct Set: ATCommand {
    /// True for on.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSPWR=")
      sink.append(flag: isOn)
    }
  }
}
