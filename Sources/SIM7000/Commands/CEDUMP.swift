import ASCIIText
import ATCommands

/// What a crash of the modem's firmware leads to: `AT+CEDUMP=<0|1>` → `OK`: 0 a reset, 1 to hang until it is looked at.
///
/// - Source: [sim7000at] `AT+CEDUMP`.
package enum CEDUMP {
  /// Chooses: `AT+CEDUMP=0`.
  @frozen package struct Set: ATCommand {
    /// True to hang.
    package var hangs: Bool
    /// The command.
    package init(hangs: Bool) { self.hangs = hangs }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CEDUMP=")
      sink.append(flag: hangs)
    }
  }
}
