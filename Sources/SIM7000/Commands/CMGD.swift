import ASCIIText
import ATCommands
import Quantities

/// Deletes short messages: `AT+CMGD=<index>` → `OK` within 5 s.
///
/// - Source: [ts27005] section 3.5.4; [sim7000at] `AT+CMGD`.
package enum CMGD {
  /// Deletes one: `AT+CMGD=3`.
  @frozen package struct Delete: ATCommand {
    /// Place in the store.
    package var index: UInt16
    /// The command.
    package init(index: UInt16) { self.index = index }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(5)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGD=")
      sink.append(number: index)
    }
  }
}
