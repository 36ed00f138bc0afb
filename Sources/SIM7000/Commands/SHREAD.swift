import ASCIIText
import ATCommands
import Quantities

/// Reads the body of an answer: `AT+SHREAD=<start>,<length>` → `OK` first, then `+SHREAD: <count>` and that many bytes, again
/// until all have come. No `OK` after them. `ERROR` when there are not so many.
///
/// - Source: [sim7000at] `AT+SHREAD`: 2048 bytes at most in one portion, up to 306,176 in all.
package enum SHREAD {
  /// Reads: `AT+SHREAD=0,11`.
  @frozen package struct Get: ATCommand {
    /// First byte, from 0.
    package let start: UInt32
    /// Bytes, at least 1.
    package let count: UInt32
    /// The command; nil for what the modem refuses.
    package init?(start: UInt32 = 0, count: UInt32) {
      guard count >= 1, count <= 306_176, start <= 306_176 - count else { return nil }
      self.start = start
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(
        counted: .afterLine("+SHREAD", count: 0), end: .okThenCounted("+SHREAD", count: Int(count)),
        outcomeWithin: .seconds(30))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHREAD=")
      sink.append(number: start)
      sink.append(next: count)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt32? {
      guard let fields = line.fields(of: "+SHREAD"), fields.count == 1 else { return nil }
      return fields.longWord(0)
    }
  }
}
