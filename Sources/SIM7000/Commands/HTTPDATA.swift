import ASCIIText
import ATCommands
import Quantities

/// Takes the body of a request: `AT+HTTPDATA=<length>,<ms>` → `DOWNLOAD`, the bytes, `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPDATA`: 1 to 319,488 bytes, 1000 to 120,000 ms.
package enum HTTPDATA {
  /// Announces a body: `AT+HTTPDATA=5,10000`.
  @frozen package struct Send: ATCommand {
    /// Bytes.
    package let count: UInt32
    /// How long the modem waits for them in milliseconds.
    package let waitMilliseconds: UInt32
    /// The command; nil for numbers the modem refuses.
    package init?(count: UInt32, waitMilliseconds: UInt32 = 10_000) {
      guard count >= 1, count <= 319_488, waitMilliseconds >= 1000, waitMilliseconds <= 120_000 else { return nil }
      self.count = count
      self.waitMilliseconds = waitMilliseconds
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      // An `OK` that comes when the time for the bytes is over says that not all have come.
      var grammar = ATGrammar()
      grammar.prompt = .download
      grammar.outcomeTimeout = .milliseconds(Int(waitMilliseconds) * 9 / 10)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPDATA=")
      sink.append(number: count)
      sink.append(next: waitMilliseconds)
    }
  }
}
