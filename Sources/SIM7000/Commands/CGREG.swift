import ASCIIText
import ATCommands

/// Registration with the packet network of GSM: `AT+CGREG=<n>` → `OK`; `AT+CGREG?` → `+CGREG: <n>,<stat>[,"lac","ci",<AcT>,"active time","periodic update","ready"]`, `OK`.
///
/// Counts on GSM; on LTE some firmware follows `CEREG`.
///
/// - Source: [ts27007] section 10.1.20; [sim7000at] `AT+CGREG`.
package enum CGREG {
  /// Which notices `+CGREG: <stat>…` come.
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

  /// Chooses the notices: `AT+CGREG=2`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var notices: Notices
    /// The command.
    package init(_ notices: Notices) { self.notices = notices }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGREG=")
      sink.append(number: notices.rawValue)
    }
  }

  /// Asks for the registration: `AT+CGREG?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CGREG", shape: .secondFieldBare)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGREG?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Registration? {
      guard let fields = line.fields(of: "+CGREG"), fields.byte(0, maximum: 5) != nil, !fields.isQuoted(1) else {
        return nil
      }
      return Registration(fields, state: 1)
    }
  }

  /// The notice `+CGREG: <stat>[,"lac","ci",<AcT>,"active time","periodic update","ready"]`.
  static func notice(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: "+CGREG"), fields.count == 1 || fields.isQuoted(1) || fields.isEmpty(1) else {
      return nil
    }
    return Registration(fields, state: 0)
  }
}
