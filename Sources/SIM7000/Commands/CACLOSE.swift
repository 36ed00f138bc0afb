public import ASCIIText
public import ATCommands
import Quantities

/// Closes a socket: `AT+CACLOSE=0` → `OK`; `ERROR` when it is not open.
///
/// - Source: [sim7000at] `AT+CACLOSE`.
public enum CACLOSE {
  /// Closes it: `AT+CACLOSE=0`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .seconds(15)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CACLOSE=0") }
  }
}
