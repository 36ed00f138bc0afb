import ASCIIText
import ATCommands

/// Registration with LTE: `AT+CEREG=<n>` → `OK`; `AT+CEREG?` → `+CEREG: <n>,<stat>[,"tac","ci",<AcT>,,,"active time","periodic update"]`, `OK`.
///
/// Counts on Cat-M1 and NB-IoT; 0 on GSM.
///
/// - Source: [ts27007] section 10.1.22; [sim7000at] `AT+CEREG`.
package enum CEREG {
  /// Which notices `+CEREG: <stat>…` come.
  @frozen package enum Notices: UInt8, BitwiseCopyable, Sendable {
    /// None.
    case off = 0
    /// When the state changes.
    case state = 1
    /// When the state or the cell changes, with the cell.
    case location = 2
    /// Also the timers of power saving.
    case timers = 4
  }

  /// Chooses the notices: `AT+CEREG=2`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var notices: Notices
    /// The command.
    package init(_ notices: Notices) { self.notices = notices }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CEREG=")
      sink.append(number: notices.rawValue)
    }
  }

  /// Asks for the registration: `AT+CEREG?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CEREG", shape: .secondFieldBare)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CEREG?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Registration? {
      guard let fields = line.fields(of: "+CEREG"), fields.byte(0, maximum: 5) != nil, !fields.isQuoted(1) else {
        return nil
      }
      return Registration(fields, state: 1)
    }
  }

  /// The notice `+CEREG: <stat>[,"tac","ci",<AcT>,,,"active time","periodic update"]`.
  static func notice(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: "+CEREG"), fields.count == 1 || fields.isQuoted(1) || fields.isEmpty(1) else {
      return nil
    }
    return Registration(fields, state: 0)
  }
}
