import ASCIIText
import ATCommands

/// Sleep: `AT+CSCLK=<0|1>` → `OK`; stored. With 1 the modem sleeps while DTR is high, and does not hear the serial line.
///
/// - Source: [sim7000at] `AT+CSCLK`; [sim7000an] UART and low power. DTR low for 50 ms wakes it.
package enum CSCLK {
  /// Asks whether it may sleep: `AT+CSCLK?` → `+CSCLK: 0`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CSCLK", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CSCLK?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CSCLK"), fields.count == 1 else { return nil }
      return fields.flag(0)
    }
  }
}
