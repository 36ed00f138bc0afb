import ASCIIText
import ATCommands
import Quantities

/// Reads the body of an answer: `AT+HTTPREAD=<start>,<length>` → `+HTTPREAD: <count>`, that many bytes, `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPREAD`.
package enum HTTPREAD {
  /// Reads: `AT+HTTPREAD=0,100`.
  @frozen package struct Get: ATCommand {
    /// First byte, from 0.
    package let start: UInt32
    /// Bytes at most.
    package let count: UInt32
    /// The command; nil for nothing, or more than the modem holds.
    package init?(start: UInt32 = 0, count: UInt32) {
      guard count >= 1, count <= 319_488, start <= 319_488 else { return nil }
      self.start = start
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(named: "+HTTPREAD", within: .seconds(10))
      grammar.counted = .afterLine("+HTTPREAD", count: 0)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPREAD=")
      sink.append(number: start)
      sink.append(next: count)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+HTTPREAD"), fields.count == 1 else { return nil }
      return fields.longWord(0)
    }
  }
}
