import ASCIIText
import ATCommands
import Quantities

/// Takes the body of a request: `AT+SHBODEXT=<length>,<ms>` → `>`, the bytes, `OK` or `ERROR`. Only while connected.
///
/// Unlike `SHBOD` it takes any bytes, so that nothing has to be escaped.
///
/// - Source: [sim7000at] `AT+SHBODEXT`: 100 to 10,000 ms for the bytes.
package enum SHBODEXT {
  /// Announces a body: `AT+SHBODEXT=17,10000`.
  @frozen package struct Send: ATCommand {
    /// Bytes, 1 to 1024 and not more than `SHCONF` allowed.
    package let count: UInt16
    /// How long the modem waits for them in milliseconds, 100 to 10,000.
    package let waitMilliseconds: UInt16
    /// The command; nil for numbers the modem refuses.
    package init?(count: UInt16, waitMilliseconds: UInt16 = 10_000) {
      guard count >= 1, count <= 1024, waitMilliseconds >= 100, waitMilliseconds <= 10_000 else { return nil }
      self.count = count
      self.waitMilliseconds = waitMilliseconds
    }
    /// How it is answered: an `OK` that comes when the time for the bytes is over says that not all have come.
    package var grammar: ATGrammar {
      var grammar = ATGrammar()
      grammar.prompt = .angle
      grammar.outcomeTimeout = .milliseconds(Int(waitMilliseconds) * 9 / 10)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHBODEXT=")
      sink.append(number: count)
      sink.append(next: waitMilliseconds)
    }
  }
}
