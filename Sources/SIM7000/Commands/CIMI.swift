import ASCIIText
import ATCommands
import InlineStorage
import Quantities

/// Identity of the subscriber: `AT+CIMI` → up to 15 digits, `OK` within 20 s.
///
/// - Source: [ts27007] section 5.6; [sim7000at] `AT+CIMI`.
package enum CIMI {
  /// Asks for it: `AT+CIMI`.
  ///
  /// The driver does not use it: it is for a record of which card is in which tracker.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false), within: .seconds(20)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIMI") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> InlineBytes<15>? {
      let text = line.bytes
      guard text.count >= 6, text.count <= 15 else { return nil }
      var digits = InlineBytes<15>()
      var place = 0
      while place < text.count {
        guard isDigit(text[place]) else { return nil }
        digits.append(text[place])
        place += 1
      }
      return digits
    }
  }
}
