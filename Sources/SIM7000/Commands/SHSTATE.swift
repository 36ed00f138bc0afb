import ASCIIText
import ATCommands

/// Whether the HTTP client is connected: `AT+SHSTATE?` → `+SHSTATE: <0|1>`, `OK`. `+SHSTATE: 0` also comes by itself.
///
/// - Source: [sim7000at] `AT+SHSTATE`.
package enum SHSTATE {
  /// Asks: `AT+SHSTATE?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+SHSTATE") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SHSTATE?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+SHSTATE"), fields.count == 1, let state = fields.byte(0, maximum: 1) else {
        return nil
      }
      return state == 1
    }
  }
}
