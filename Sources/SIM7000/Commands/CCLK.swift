import ASCIIText
import ATCommands
import Quantities

/// Clock of the modem: `AT+CCLK?` → `+CCLK: "yy/MM/dd,hh:mm:ss±zz"`, `OK`; local time, `zz` in quarters of an hour.
///
/// A clock that was never set shows a year long ago, which is refused.
///
/// - Source: [ts27007] section 8.15; [sim7000at] `AT+CCLK`.
package enum CCLK {
  /// Asks for the time: `AT+CCLK?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CCLK") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CCLK?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> NetworkTime? {
      guard let fields = line.fields(of: "+CCLK"), let text = ClockText(fields.text), text.zoneQuarterHours != nil,
        text.daylightSavingHours == nil, text.civil.date.year >= 2020
      else { return nil }
      return NetworkTime(utc: text.utcOfLocal, zoneQuarterHours: text.zoneQuarterHours)
    }
  }
}
