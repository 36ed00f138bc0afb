import ASCIIText
import ATCommands

/// Access point that the network offers: `AT+CGNAPN` → `+CGNAPN: 1,"<apn>"` or `+CGNAPN: 0,""`, `OK`. Always 0 on GSM.
///
/// - Source: [sim7000at] `AT+CGNAPN`.
package enum CGNAPN {
  /// Asks for it: `AT+CGNAPN`; the answer is empty when the network offers none.
  ///
  /// The driver does not use it: it is for a program that finds out the access point of a card.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CGNAPN")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGNAPN") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> AccessPointName? {
      guard let fields = line.fields(of: "+CGNAPN"), fields.count == 2, let isOffered = fields.flag(0),
        fields.isQuoted(1),
        let text = fields.text(1), isOffered != text.isEmpty
      else { return nil }
      return AccessPointName(text)
    }
  }
}
