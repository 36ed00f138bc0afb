import ASCIIText
import ATCommands

/// Sentences of NMEA on the same line: `AT+CGNSTST=<0|1>` → `OK`; they begin with `$` and stand between all else.
///
/// - Source: [sim7000at] `AT+CGNSTST`.
package enum CGNSTST {
  /// Switches them: `AT+CGNSTST=1`.
  @frozen package struct Set: ATCommand {
    /// True to have them.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSTST=")
      sink.append(flag: isOn)
    }
  }
}
