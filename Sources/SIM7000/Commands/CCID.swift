import ASCIIText
import ATCommands
import InlineStorage
import Quantities

/// Identity of the SIM card: `AT+CCID` → 19 or 20 digits, of which the last may be hexadecimal, `OK` within 2 s.
///
/// - Source: [sim7000at] `AT+CCID`.
package enum CCID {
  /// Asks for it: `AT+CCID`.
  ///
  /// The driver does not use it: it is for a record of which card is in which tracker.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false), within: .seconds(2)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CCID") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> InlineBytes<20>? {
      let text = line.bytes
      guard text.count >= 18, text.count <= 20 else { return nil }
      var digits = InlineBytes<20>()
      var place = 0
      while place < text.count {
        guard hexadecimalValue(text[place]) != nil else { return nil }
        digits.append(text[place])
        place += 1
      }
      return digits
    }
  }
}
