import ASCIIText
import ATCommands
import Quantities

/// Voltage at the ADC pin: `AT+CADC?` → `+CADC: <ok>,<mV>`, `OK` within 2 s.
///
/// - Source: [sim7000at] `AT+CADC`: 0, or 100 to 1700 mV.
package enum CADC {
  /// Measures, in millivolts: `AT+CADC?`.
  ///
  /// The driver does not use it: it is for a board that measures its battery at this pin.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CADC"), within: .seconds(2)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CADC?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> UInt16? {
      guard let fields = line.fields(of: "+CADC"), fields.count == 2, fields.byte(0) == 1 else { return nil }
      return fields.word(1, maximum: 1800)
    }
  }
}
