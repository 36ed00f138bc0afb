import Quantities

/// How a fix is printed.
enum ReceiverText {
  /// The 21 fields of `CGNSINF`.
  ///
  /// - Source: [sim7000-gnss] section 2.2; km/h as the manual says.
  static func fields(isOn: Bool, fix: ReceiverFix?, utc: UTCTime) -> String {
    guard isOn else { return "0" + String(repeating: ",", count: 20) }
    guard let fix else { return "1,0,,,,,,,0" + String(repeating: ",", count: 12) }
    let fields = [
      "1", "1", ClockParts(utc).packed, degrees(fix.position.latitudeE9), degrees(fix.position.longitudeE9),
      fixed(fix.height, decimals: 3), fixed(fix.speed * 3.6, decimals: 2), fixed(fix.courseDegrees, decimals: 1), "1",
      "", fixed(fix.dilution.horizontal, decimals: 1), fixed(fix.dilution.position, decimals: 1),
      fixed(fix.dilution.vertical, decimals: 1), "", "\(fix.satellites.inView)", "\(fix.satellites.used)", "", "",
      "\(fix.signal)", "", "",
    ]
    return fields.joined(separator: ",")
  }

  /// Nanodegrees as degrees with six decimals.
  private static func degrees(_ value: Int64) -> String {
    let micro = (value.magnitude + 500) / 1_000
    let fraction = String(micro % 1_000_000)
    let sign = value < 0 && micro != 0 ? "-" : ""
    return sign + "\(micro / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }

  /// The sentences of a second, as `CGNSTST` copies them.
  ///
  /// - Source: [nmea0183]; the set of sentences is that of [sim7000-gnss] section 2.5.
  static func sentences(fix: ReceiverFix?, utc: UTCTime) -> [String] {
    let packed = ClockParts(utc).packed
    let time = String(packed.dropFirst(8).prefix(6)) + ".00"
    let digits = Array(packed)
    let date = String(digits[6...7]) + String(digits[4...5]) + String(digits[2...3])
    guard let fix else {
      return ["GNRMC,,V,,,,,,,,,,N", "GNGGA,,,,,,0,,,,,,,,", "GPGSA,A,1,,,,,,,,,,,,,,,"].map(framed)
    }
    let place =
      "\(minutes(fix.position.latitudeE9, digits: 2)),\(fix.position.latitudeE9 < 0 ? "S" : "N"),"
      + "\(minutes(fix.position.longitudeE9, digits: 3)),\(fix.position.longitudeE9 < 0 ? "W" : "E")"
    let knots = fixed(fix.speed * 3_600 / 1_852, decimals: 2)
    let course = fixed(fix.courseDegrees, decimals: 1)
    let hdop = fixed(fix.dilution.horizontal, decimals: 1)
    let used = twoDigits(fix.satellites.used)
    let satellites = (1...12).map { $0 <= fix.satellites.used ? twoDigits($0) : "" }.joined(separator: ",")
    return [
      "GNRMC,\(time),A,\(place),\(knots),\(course),\(date),,,A",
      "GNGGA,\(time),\(place),1,\(used),\(hdop),\(fixed(fix.height, decimals: 1)),M,0.0,M,,",
      "GPGSA,A,3,\(satellites),\(fixed(fix.dilution.position, decimals: 1)),\(hdop),"
        + fixed(fix.dilution.vertical, decimals: 1),
      "GNVTG,\(course),T,,M,\(knots),N,\(fixed(fix.speed * 3.6, decimals: 2)),K,A",
    ].map(framed)
  }

  /// Degrees and minutes with six decimals.
  private static func minutes(_ value: Int64, digits: Int) -> String {
    let magnitude = value.magnitude
    let degrees = magnitude / 1_000_000_000
    let microminutes = (magnitude % 1_000_000_000) * 60 / 1_000
    let fraction = String(microminutes % 1_000_000)
    let whole = String(degrees)
    return String(repeating: "0", count: max(0, digits - whole.utf8.count)) + whole
      + twoDigits(Int(microminutes / 1_000_000)) + "." + String(repeating: "0", count: 6 - fraction.utf8.count)
      + fraction
  }

  private static func framed(_ body: String) -> String {
    "$\(body)*\(hexadecimal(Int(body.utf8.reduce(0, ^)), digits: 2))"
  }
}
