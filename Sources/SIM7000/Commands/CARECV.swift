import ASCIIText
import ATCommands

/// Reads from a socket: `AT+CARECV=0,<length>` → `+CARECV: <length>,<bytes>` (real firmware) or `+CARECV: 0,<length>`, line end,
/// bytes (manual), then `OK`.
///
/// Only after the notice `+CADATAIND`, and never for more than waits: either has hung modems.
///
/// - Source: [sim7000at] `AT+CARECV`.
package enum CARECV {
  /// Reads: `AT+CARECV=0,100`.
  @frozen package struct Get: ATCommand {
    /// Bytes at most, 1 to 1460.
    package let maximumCount: UInt16
    /// The command; nil for a number the modem refuses.
    package init?(maximumCount: UInt16) {
      guard maximumCount >= 1, maximumCount <= 1460 else { return nil }
      self.maximumCount = maximumCount
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(named: "+CARECV")
      grammar.counted = .inlineOrAfterLine("+CARECV")
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CARECV=0")
      sink.append(next: maximumCount)
    }
    /// Reads how many bytes there are, from either form.
    package static func decode(_ line: borrowing ATLine) -> UInt16? {
      guard let fields = line.fields(of: "+CARECV"), let first = fields.word(0, maximum: 1460) else { return nil }
      if first > 0 || fields.count == 1 { return first }
      return fields.word(1, maximum: 1460)
    }
  }

  /// Asks how much waits: `AT+CARECV?` → `+CARECV: <cid>,<available>` for each, or each that has some, `OK`. Only while a
  /// socket is open.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CARECV", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CARECV?") }
    /// Reads a line of the answer; nil when it is another socket's.
    package static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+CARECV"), fields.count == 2, fields.byte(0) == 0 else { return nil }
      return fields.longWord(1)
    }
  }
}
