import ATCommands

/// Time of the network in UTC: `*PSUTTZ: 19/06/26,06:04:03","+32",0` in fact (a quote is missing), `*PSUTTZ:
/// 2019,6,26,6,4,3,"+32",0` in the manual. May come twice.
///
/// - Source: [sim7000at] `AT+CLTS`.
@frozen package struct NetworkTimeNotice: ATNotice {
  /// The time, with zone and summer time.
  package var time: NetworkTime
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> NetworkTimeNotice? {
    guard let fields = line.fields(of: "*PSUTTZ"), let text = ClockText(fields.text), text.zoneQuarterHours != nil
    else {
      return nil
    }
    return NetworkTimeNotice(
      time: NetworkTime(
        utc: text.civil, zoneQuarterHours: text.zoneQuarterHours, daylightSavingHours: text.daylightSavingHours))
  }
}
