import ASCIIText
import ATCommands

/// Position: `AT+CGNSINF` → `+CGNSINF: <21 fields>`, `OK`; the fields are those of `GNSSReport`.
///
/// - Source: [sim7000at] `AT+CGNSINF`.
package enum CGNSINF {
  /// Asks for it: `AT+CGNSINF`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CGNSINF") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CGNSINF") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> GNSSReport? {
      guard let fields = line.fields(of: "+CGNSINF") else { return nil }
      return GNSSReport(fields)
    }
  }
}
