import Quantities

// The clock.
//
// Source: [sim7000-at] section 3.2 (`CCLK`), section 5.2.6 (`CLTS`).

extension SimulatedModem {
  static var clockCommands: [SimulatedCommand] {
    [
      .flag("+CLTS", \.session.reportsTime),
      .remembered("+CTZU", values: "(0,1)", initial: "0"),
      .remembered("+CTZR", values: "(0,1)", initial: "0"),
      SimulatedCommand("+CCLK") { modem, call in modem.cclk(call) },
    ]
  }

  /// The clock shows local time.
  private mutating func cclk(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return .ok
    case .read:
      return Answer.ok.line("+CCLK: \"\(localTime(clockNow, quarters: flash.timeZoneQuarters))\"")
    case .execute: return .error
    case .write:
      guard let text = call.string(0), let (utc, quarters) = SimulatedModem.time(of: text) else { return .error }
      flash.timeZoneQuarters = quarters
      setClock(utc: utc)
      return .ok
    }
  }

  /// `19/06/26,14:04:03+32`.
  func localTime(_ utc: UTCTime, quarters: Int) -> String {
    ClockParts(utc + .seconds(quarters * 900)).short + zoneText(quarters)
  }

  /// UTC and zone of `19/06/26,14:04:03+32`; years 70 to 99 are of the last century.
  static func time(of text: String) -> (UTCTime, Int)? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 19 || bytes.count == 17 else { return nil }
    func number(_ place: Int) -> Int? { Int(String(decoding: bytes[place..<place + 2], as: UTF8.self)) }
    guard let year = number(0), let month = number(3), let day = number(6), let hour = number(9),
      let minute = number(12), let second = number(15), hour < 24, minute < 60, second < 60,
      let date = CivilDate(year: year < 70 ? 2_000 + year : 1_900 + year, month: month, day: day)
    else { return nil }
    var quarters = 0
    if bytes.count > 17 {
      guard let zone = Int(String(decoding: bytes[17...], as: UTF8.self)), abs(zone) <= 56 else { return nil }
      quarters = zone
    }
    let local = UTCTime(date: date, microsecondsOfDay: Int64((hour * 60 + minute) * 60 + second) * 1_000_000)
    return (local - .seconds(quarters * 900), quarters)
  }
}
