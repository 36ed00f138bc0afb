public import ASCIIText
public import ATCommands
import Quantities

/// Ends the toolkit's connection: `AT+CIPSHUT` → `SHUT OK` within 65 s, no `OK`. The way out of every state.
///
/// - Source: [sim7000at] `AT+CIPSHUT`.
public enum CIPSHUT {
  /// Ends it: `AT+CIPSHUT`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(end: .text("SHUT OK"), within: .seconds(65)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CIPSHUT") }
  }
}
