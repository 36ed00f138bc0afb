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
    package var grammar: ATGrammar { ATGrammar(information: .named("+CCLK")) }
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

  /// Sets the clock: `AT+CCLK="26/11/21,08:15:30+00"`, in UTC.
  @frozen package struct Set: ATCommand {
    /// The time.
    package let utc: UTCTime
    /// The command; nil for a year that two digits can't tell.
    package init?(utc: UTCTime) {
      guard utc.date.year >= 2000, utc.date.year <= 2079 else { return nil }
      self.utc = utc
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      let date = utc.date
      let seconds = utc.microsecondsOfDay / 1_000_000
      sink.append("+CCLK=\"")
      sink.append(decimal: Int64(date.year % 100), minimumDigits: 2)
      sink.append("/")
      sink.append(decimal: Int64(date.month), minimumDigits: 2)
      sink.append("/")
      sink.append(decimal: Int64(date.day), minimumDigits: 2)
      sink.append(",")
      sink.append(decimal: seconds / 3600, minimumDigits: 2)
      sink.append(":")
      sink.append(decimal: seconds / 60 % 60, minimumDigits: 2)
      sink.append(":")
      sink.append(decimal: seconds % 60, minimumDigits: 2)
      sink.append("+00\"")
    }
  }
}
