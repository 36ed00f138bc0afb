import ASCIIText
import ATCommands

/// Notices of power saving: `AT+CPSMSTATUS=<0|1>` → `OK`; with 1 come `+CPSMSTATUS: "ENTER PSM"` and `"EXIT PSM"`.
///
/// - Source: [sim7000at] `AT+CPSMSTATUS`; [sim7000an] low power.
package enum CPSMSTATUS {
  /// Chooses: `AT+CPSMSTATUS=1`.
  @frozen package struct Set: ATCommand {
    /// True to have them.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CPSMSTATUS=")
      sink.append(flag: isOn)
    }
  }
}
