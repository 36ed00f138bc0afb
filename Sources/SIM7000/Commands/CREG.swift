import ASCIIText
import ATCommands

/// Registration with the circuit-switched network: `AT+CREG=<n>` → `OK`; `AT+CREG?` → `+CREG: <n>,<stat>[,"lac","ci",<AcT>]`, `OK`.
///
/// On LTE this may say 0, 2 or 3 though data flows: `CEREG` and `CGREG` count.
///
/// - Source: [ts27007] section 7.2; [sim7000at] `AT+CREG`.
package enum CREG {
  /// Which notices `+CREG: <stat>…` come.
  @frozen package enum Notices: UInt8, BitwiseCopyable, Sendable {
    /// None.
    case off = 0
    /// When the state changes.
    case state = 1
    /// When the state or the cell changes, with the cell.
    case location = 2
  }

  /// Chooses the notices: `AT+CREG=2`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var notices: Notices
    /// The command.
    package init(_ notices: Notices) { self.notices = notices }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CREG=")
      sink.append(number: notices.rawValue)
    }
  }

  /// Asks for the registration: `AT+CREG?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CREG", shape: .secondFieldBare)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CREG?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Registration? {
      guard let fields = line.fields(of: "+CREG"), fields.byte(0, maximum: 5) != nil, !fields.isQuoted(1) else {
        return nil
      }
      return Registration(fields, state: 1)
    }
  }

  /// The notice `+CREG: <stat>[,"lac","ci",<AcT>]`.
  static func notice(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: "+CREG"), fields.count == 1 || fields.isQuoted(1) || fields.isEmpty(1) else {
      return nil
    }
    return Registration(fields, state: 0)
  }
}
