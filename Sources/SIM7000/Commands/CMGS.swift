import InlineStorage
import ASCIIText
import ATCommands

/// Sends a short message: `AT+CMGS="<number>"` → `>`, the text and SUB (0x1A), then `+CMGS: <reference>`, `OK` within 60 s.
///
/// ESC (0x1B) in place of SUB gives it up.
///
/// - Source: [ts27005] section 3.5.1; [sim7000at] `AT+CMGS`: 160 characters at most.
package enum CMGS {
  /// Announces a message: `AT+CMGS="+31600000000"`.
  @frozen package struct Send: ATCommand {
    /// Number of the receiver.
    package let number: TelephoneNumber
    /// The command; nil when it is not a number.
    package init?(to number: TelephoneNumber) {
      var place = 0
      if !number.isEmpty && number.bytes[0] == 0x2B { place = 1 }
      guard place < number.bytes.count else { return nil }
      while place < number.bytes.count {
        guard isDigit(number.bytes[place]) else { return nil }
        place += 1
      }
      self.number = number
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(named: "+CMGS")
      grammar.prompt = .angle
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGS=")
      sink.append(quoted: number)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt8? {
      guard let fields = line.fields(of: "+CMGS") else { return nil }
      return fields.byte(0)
    }
  }
}
