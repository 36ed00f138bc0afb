import ASCIIText
import ATCommands

/// What `CREG`, `CGREG` and `CEREG` have in common: they ask for the registration, and tell when it has changed.
package protocol RegistrationCommands {
  /// How command, answer and notice begin.
  static var name: StaticString { get }
}

extension RegistrationCommands {
  package typealias Read = RegistrationRead<Self>

  /// The notice `+CREG: <stat>…`.
  static func notice(_ line: borrowing ATLine) -> Registration? {
    guard let fields = line.fields(of: name), fields.count == 1 || fields.isQuoted(1) || fields.isEmpty(1) else {
      return nil
    }
    return Registration(fields, state: 0)
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
