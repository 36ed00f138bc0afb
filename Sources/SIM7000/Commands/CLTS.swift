import ASCIIText
import ATCommands

/// Time of the network: `AT+CLTS=<0|1>` → `OK`; with 1 come `*PSUTTZ`, `*PSNWID`, `DST` and `+CTZV` after registration.
///
/// - Source: [sim7000at] `AT+CLTS`. Whether a reset keeps it is not stated: send it again.
package enum CLTS {
  /// Chooses the notices: `AT+CLTS=1`.
  @frozen package struct Set: ATCommand {
    /// True to have them.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CLTS=")
      sink.append(flag: isOn)
    }
  }
}
