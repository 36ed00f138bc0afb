import ASCIIText
import ATCommands

/// Watch over the supply: `AT+CBATCHK=<0|1>` → `OK`; stored, off by default.
///
/// With it the modem warns below 3.1 V and above 4.3 V and switches off below 2.9 V and above 4.4 V.
///
/// - Source: [sim7000at] `AT+CBATCHK`; [sim7000hd] on power.
package enum CBATCHK {
  /// Switches the watch: `AT+CBATCHK=1`.
  @frozen package struct Set: ATCommand {
    /// True to watch.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CBATCHK=")
      sink.append(flag: isOn)
    }
  }
}
