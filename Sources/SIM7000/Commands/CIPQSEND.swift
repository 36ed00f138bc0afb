import ASCIIText
import ATCommands

/// When sending is over: `AT+CIPQSEND=<0|1>` → `OK`: 0 when the peer has the bytes, 1 when the modem has them.
///
/// - Source: [sim7000at] `AT+CIPQSEND`.
package enum CIPQSEND {
  /// Chooses: `AT+CIPQSEND=1`.
  @frozen package struct Set: ATCommand {
    /// True to end when the modem has the bytes.
    package var isQuick: Bool
    /// The command.
    package init(isQuick: Bool) { self.isQuick = isQuick }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPQSEND=")
      sink.append(flag: isQuick)
    }
  }
}
