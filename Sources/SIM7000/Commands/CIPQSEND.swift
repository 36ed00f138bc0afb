public import ASCIIText
public import ATCommands

/// When sending is over: `AT+CIPQSEND=<0|1>` → `OK`: 0 when the peer has the bytes, 1 when the modem has them.
///
/// - Source: [sim7000at] `AT+CIPQSEND`.
public enum CIPQSEND {
  /// Chooses: `AT+CIPQSEND=1`.
  @frozen public struct Set: ATCommand {
    /// True to end when the modem has the bytes.
    public var isQuick: Bool
    /// The command.
    public init(isQuick: Bool) { self.isQuick = isQuick }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CIPQSEND=")
      sink.append(flag: isQuick)
    }
  }
}
