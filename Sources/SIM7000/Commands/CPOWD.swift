public import ASCIIText
public import ATCommands
import Quantities

/// Power off: `AT+CPOWD=1` → `NORMAL POWER DOWN` and no `OK`; `AT+CPOWD=0` is at once and silent. Off 1.8 to 6.9 s later.
///
/// - Source: [sim7000at] `AT+CPOWD`; [sim7000hd] on power.
public enum CPOWD {
  /// Switches off in order: `AT+CPOWD=1`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(end: .text("NORMAL POWER DOWN"), within: .seconds(10)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CPOWD=1") }
  }

  /// Switches off at once, without leaving the network: `AT+CPOWD=0`.
  @frozen public struct Urgent: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(end: .silence) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CPOWD=0") }
  }
}
