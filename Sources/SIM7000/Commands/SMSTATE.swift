import ASCIIText
import ATCommands

/// Whether the MQTT client is connected: `AT+SMSTATE?` → `+SMSTATE: <0|1>`, `OK`. `+SMSTATE: 0` also comes by itself.
///
/// - Source: [sim7000at] `AT+SMSTATE`; 2 (connected, with a session of before) is printed by sister models only, and read.
package enum SMSTATE {
  /// Asks: `AT+SMSTATE?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+SMSTATE") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SMSTATE?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+SMSTATE"), fields.count == 1, let state = fields.byte(0, maximum: 2) else {
        return nil
      }
      return state != 0
    }
  }
}
