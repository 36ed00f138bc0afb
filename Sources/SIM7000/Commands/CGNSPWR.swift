import ASCIIText
import ATCommands

/// Power of the satellite receiver: `AT+CGNSPWR=<0|1>` → `OK`; off after a reset.
///
/// - Source: [sim7000at] `AT+CGNSPWR`.
package enum CGNSPWR {
  /// Switches it: `AT+CGNSPWR=1`.
  @frozen package struct Set: ATCommand {
    /// True for on.
    package var isOn: Bool
    /// The command.
    package init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSPWR=")
      sink.append(flag: isOn)
    }
  }

  /// Asks for it: `AT+CGNSPWR?` → `+CGNSPWR: 1`, `OK`.
  ///
  /// The driver does not use it: it is for a program that shows how the modem is set.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CGNSPWR")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGNSPWR?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CGNSPWR"), fields.count == 1 else { return nil }
      return fields.flag(0)
    }
  }
}
