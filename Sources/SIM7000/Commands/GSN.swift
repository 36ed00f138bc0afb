import ASCIIText
import ATCommands
import InlineStorage

/// Identity of the equipment: `AT+GSN` → 15 digits, `OK`.
///
/// - Source: [sim7000at] `AT+GSN`.
package enum GSN {
  /// Asks for it: `AT+GSN`.
  ///
  /// The driver does not use it: it is for a record of which modem is in which tracker.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+GSN") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> InlineBytes<15>? {
      let text = line.bytes
      guard text.count == 15 else { return nil }
      var digits = InlineBytes<15>()
      var place = 0
      while place < 15 {
        guard isDigit(text[place]) else { return nil }
        digits.append(text[place])
        place += 1
      }
      return digits
    }
  }
}
