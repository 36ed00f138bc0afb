import ASCIIText
import ATCommands

/// Store of short messages: `AT+CPMS="SM","SM","SM"` → `+CPMS: <used>,<total>,…` three times, `OK`. The card is the only store.
///
/// - Source: [ts27005] section 3.2.2; [sim7000at] `AT+CPMS`.
package enum CPMS {
  /// How full a store is.
  @frozen package struct Usage: Equatable, BitwiseCopyable, Sendable {
    /// Messages in it.
    package var used: UInt16
    /// Messages it holds.
    package var total: UInt16
  }

  /// Chooses the card: `AT+CPMS="SM","SM","SM"`.
  ///
  /// The driver does not use it: it is for a program that tidies up the card.
  @frozen package struct Set: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CPMS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPMS=\"SM\",\"SM\",\"SM\"") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Usage? {
      guard let fields = line.fields(of: "+CPMS"), fields.count == 6, let used = fields.word(0),
        let total = fields.word(1)
      else { return nil }
      return Usage(used: used, total: total)
    }
  }

  /// Asks how full it is: `AT+CPMS?` → `+CPMS: "SM",3,10,"SM",3,10,"SM",3,10`, `OK`.
  ///
  /// The driver does not use it: it is for a program that tidies up the card.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CPMS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPMS?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Usage? {
      guard let fields = line.fields(of: "+CPMS"), fields.count == 9, fields.isQuoted(0), let used = fields.word(1),
        let total = fields.word(2)
      else { return nil }
      return Usage(used: used, total: total)
    }
  }
}
