import ASCIIText
import ATCommands
import Quantities

/// Attention: `AT` → `OK`.
///
/// - Source: [v250] section 5.2.1; [sim7000at] section 1.4. Answered at once; the first after the modem starts or wakes may be
///   lost.
package enum AT {
  /// Asks whether anybody is there: `AT`.
  ///
  /// The driver does not use it: it is for a program that looks for a modem.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .milliseconds(500)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { _ = sink }
  }
}
