public import ASCIIText
public import ATCommands
import Quantities

/// Disconnects from the broker: `AT+SMDISC` → `OK`; `ERROR` when it is not connected.
///
/// - Source: [sim7000at] `AT+SMDISC`.
public enum SMDISC {
  /// Disconnects: `AT+SMDISC`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .seconds(15)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+SMDISC") }
  }
}
