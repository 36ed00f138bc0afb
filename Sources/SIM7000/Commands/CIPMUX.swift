import ASCIIText
import ATCommands

/// Several connections of the toolkit: `AT+CIPMUX=<0|1>` → `OK`; only in the state IP INITIAL, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CIPMUX`.
package enum CIPMUX {
  /// Chooses: `AT+CIPMUX=1`.
  @frozen package struct Set: ATCommand {
    /// True for eight connections, false for one.
    package var isMultiple: Bool
    /// The command.
    package init(isMultiple: Bool) { self.isMultiple = isMultiple }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPMUX=")
      sink.append(flag: isMultiple)
    }
  }
}
