import ASCIIText
import ATCommands

/// Network in use: `AT+CNSMOD?` → `+CNSMOD: <n>,<stat>`, `OK`; `AT+CNSMOD=1` → `OK`, then notices `+CNSMOD: <stat>`.
///
/// - Source: [sim7000at] `AT+CNSMOD`: 0 none, 1 GSM, 3 EGPRS, 7 Cat-M1, 9 NB-IoT.
package enum CNSMOD {
  /// A network in use.
  @frozen package enum System: UInt8, BitwiseCopyable, Sendable {
    /// None.
    case noService = 0
    /// GSM.
    case gsm = 1
    /// EGPRS.
    case egprs = 3
    /// LTE Cat-M1.
    case catM1 = 7
    /// LTE Cat-NB1.
    case narrowband = 9
  }

  /// Chooses the notices: `AT+CNSMOD=1`.
  @frozen package struct Set: ATCommand {
    /// True to have them.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNSMOD=")
      sink.append(flag: isOn)
    }
  }

  /// Asks for it: `AT+CNSMOD?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CNSMOD", shape: .secondFieldBare)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNSMOD?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> System? {
      guard let fields = line.fields(of: "+CNSMOD"), fields.count == 2, fields.flag(0) != nil,
        let number = fields.byte(1)
      else { return nil }
      return System(rawValue: number)
    }
  }
}
