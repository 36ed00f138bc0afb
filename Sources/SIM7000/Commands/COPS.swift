import ASCIIText
import ATCommands
import InlineStorage
import Quantities

/// How an operator is chosen, and which it is.
@frozen package struct OperatorChoice: Equatable, BitwiseCopyable, Sendable {
  /// 0 by the modem, 1 by hand, 2 deregistered, 4 by hand and else by the modem.
  package var mode: UInt8
  /// The operator as words or digits; nil when there is none.
  package var name: InlineBytes<32>?
  /// Radio technology; nil also for a number that is not known.
  package var technology: AccessTechnology?
}

/// Operator: `AT+COPS?` → `+COPS: <mode>[,<format>,"<name>"[,<AcT>]]`, `OK` within 45 s; `AT+COPS=<mode>…` → `OK` within 120 s.
///
/// - Source: [ts27007] section 7.3; [sim7000at] `AT+COPS`.
package enum COPS {
  /// Asks for it: `AT+COPS?`.
  ///
  /// The driver does not use it: it is for a card that needs a particular network.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+COPS"), within: .seconds(45)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+COPS?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> OperatorChoice? {
      guard let fields = line.fields(of: "+COPS"), let mode = fields.byte(0, maximum: 4) else { return nil }
      let count = fields.count
      guard count > 1 else { return OperatorChoice(mode: mode, name: nil, technology: nil) }
      guard count == 3 || count == 4, fields.byte(1, maximum: 2) != nil, fields.isQuoted(2),
        let name: InlineBytes<32> = fields.copy(2)
      else { return nil }
      guard count == 4 else { return OperatorChoice(mode: mode, name: name, technology: nil) }
      guard let number = fields.byte(3) else { return nil }
      return OperatorChoice(mode: mode, name: name, technology: AccessTechnology(rawValue: number))
    }
  }

  /// Lets the modem choose: `AT+COPS=0`.
  ///
  /// The driver does not use it: it is for a card that needs a particular network.
  @frozen package struct Automatic: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(120)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+COPS=0") }
  }

  /// Leaves the network: `AT+COPS=2`.
  ///
  /// The driver does not use it: it is for a card that needs a particular network.
  @frozen package struct Deregister: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(120)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+COPS=2") }
  }

  /// Chooses by hand: `AT+COPS=1,2,"24007"`.
  ///
  /// The driver does not use it: it is for a card that needs a particular network.
  @frozen package struct Choose: ATCommand {
    /// Country and operator, five or six digits.
    package let network: ModemText<6>
    /// The command; nil when it is not a network.
    package init?(_ network: ModemText<6>) {
      let digits = network.bytes
      guard NetworkCode(digits.span) != nil else { return nil }
      self.network = network
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(120)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+COPS=1,2")
      sink.append(nextQuoted: network)
    }
  }

  /// Has `AT+COPS?` answered with digits: `AT+COPS=3,2`.
  ///
  /// The driver does not use it: it is for a card that needs a particular network.
  @frozen package struct UseDigits: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+COPS=3,2") }
  }
}
