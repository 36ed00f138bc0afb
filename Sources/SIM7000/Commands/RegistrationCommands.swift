import ASCIIText
import ATCommands

/// What `CREG`, `CGREG` and `CEREG` have in common: they choose notices, ask for the registration, and tell when it has changed.
package protocol RegistrationCommands {
  /// Which notices there are.
  associatedtype Notices: RawRepresentable<UInt8> & BitwiseCopyable & Sendable
  /// How command, answer and notice begin.
  static var name: StaticString { get }
}

extension RegistrationCommands {
  package typealias Set = RegistrationSet<Self>
  package typealias Read = RegistrationRead<Self>

  /// The notice `+CREG: <stat>…`.
  static func notice(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: name), fields.count == 1 || fields.isQuoted(1) || fields.isEmpty(1) else {
      return nil
    }
    return Registration(fields, state: 0)
  }
}

/// Which notices of registration with a packet network come.
@frozen package enum PacketNotices: UInt8, BitwiseCopyable, Sendable {
  /// None.
  case off = 0
  /// When the state changes.
  case state = 1
  /// When the state or the cell changes, with the cell.
  case location = 2
  /// Also the timers of power saving.
  case timers = 4
}

/// Chooses the notices: `AT+CREG=2`.
@frozen package struct RegistrationSet<Commands: RegistrationCommands>: ATCommand {
  /// Which.
  package var notices: Commands.Notices
  /// The command.
  package init(_ notices: Commands.Notices) { self.notices = notices }
  /// How it is answered.
  package var grammar: ATGrammar { ATGrammar() }
  /// Writes it.
  package func encode(into sink: inout some ByteSink) {
    sink.append(Commands.name)
    sink.append("=")
    sink.append(number: notices.rawValue)
  }
}

/// Asks for the registration: `AT+CREG?`.
@frozen package struct RegistrationRead<Commands: RegistrationCommands>: ATCommand {
  /// The command.
  package init() {}
  /// How it is answered.
  package var grammar: ATGrammar { ATGrammar(information: .named(Commands.name, shape: .secondFieldBare)) }
  /// Writes it.
  package func encode(into sink: inout some ByteSink) {
    sink.append(Commands.name)
    sink.append("?")
  }
  /// Reads a line of the answer.
  package static func decode(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: Commands.name), fields.byte(0, maximum: 5) != nil, !fields.isQuoted(1) else {
      return nil
    }
    return Registration(fields, state: 1)
  }
}
