public import ASCIIText
public import ATCommands
import Quantities

/// Disconnects from the HTTP server: `AT+SHDISC` → `OK`; `ERROR` when it is not connected.
///
/// - Source: [sim7000at] `AT+SHDISC`.
public enum SHDISC {
  /// Disconnects: `AT+SHDISC`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .seconds(15)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+SHDISC") }
  }
}
