import ASCIIText
import ATCommands
import Quantities

/// What a socket took of what was sent.
@frozen package struct SocketSendOutcome: Equatable, BitwiseCopyable, Sendable {
  /// True when it took them.
  package var isSent: Bool
  /// Bytes it took.
  package var count: UInt16

  /// Reads `+CASEND: <cid>,<result>,<sent>`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+CASEND"), fields.count == 3, fields.byte(0) == 0,
      let result = fields.byte(1), let count = fields.word(2)
    else { return nil }
    isSent = result == 0
    self.count = count
  }
}

/// Sends on a socket: `AT+CASEND=0,<length>` → `>`, the bytes within 5 s, `OK`, then `+CASEND: 0,<result>,<sent>`, which some
/// firmware (1529B10) leaves out.
///
/// - Source: [sim7000at] `AT+CASEND`; the manual shows a line in place of the prompt, modems send `>`.
package enum CASEND {
  /// Announces bytes: `AT+CASEND=0,5`.
  @frozen package struct Send: ATCommand {
    /// Bytes, 1 to 1460.
    package let count: UInt16
    /// The command; nil for a number the modem refuses.
    package init?(count: UInt16) {
      guard count >= 1, count <= 1460 else { return nil }
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar()
      grammar.prompt = .angle
      grammar.end = .okThenNamed("+CASEND")
      grammar.patience = .milliseconds(500)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CASEND=0")
      sink.append(next: count)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> SocketSendOutcome? {
      SocketSendOutcome(line)
    }
  }
}
