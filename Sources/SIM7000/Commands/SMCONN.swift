public import ASCIIText
public import ATCommands
import Quantities

/// Connects to the broker: `AT+SMCONN` → `OK` or `ERROR` without a reason; 26 s have been seen with TLS, and minutes after a
/// connection that was not closed.
///
/// - Source: [sim7000at] `AT+SMCONN`.
public enum SMCONN {
  /// Connects: `AT+SMCONN`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .seconds(60)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+SMCONN") }
  }
}
