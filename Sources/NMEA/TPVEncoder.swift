public import ASCIIText
public import Quantities

/// Writes a fix as a line of gpsd's JSON: a `TPV` object with gpsd's names and units, what is unknown left out.
///
/// `mode` (0 unknown, 1 none, 2, 3), `time` (ISO 8601, milliseconds), `lat` and `lon` (degrees, 9 decimals), `altHAE` and
/// `altMSL` (m, 4 decimals), `track` (degrees, 4 decimals), `speed` (m/s, 3 decimals).
public enum TPVEncoder {
  /// Writes one object without line end.
  public static func encode(_ fix: GNSSFix, into sink: inout some ByteSink) {
    sink.append("{\"class\":\"TPV\",\"mode\":")
    sink.append(decimal: UInt64(fix.mode.rawValue))
    if let utc = fix.utc {
      sink.append(",\"time\":\"")
      append(utc, into: &sink)
      sink.append("\"")
    }
    if let position = fix.position {
      sink.append(",\"lat\":")
      sink.append(fixed: position.latitudeE9, decimals: 9)
      sink.append(",\"lon\":")
      sink.append(fixed: position.longitudeE9, decimals: 9)
    }
    if let height = fix.heightAboveEllipsoid { append(",\"altHAE\":", height, decimals: 4, into: &sink) }
    if let height = fix.heightAboveSeaLevel { append(",\"altMSL\":", height, decimals: 4, into: &sink) }
    if let course = fix.course { append(",\"track\":", course * (180 / Double.pi), decimals: 4, into: &sink) }
    if let speed = fix.speed { append(",\"speed\":", speed, decimals: 3, into: &sink) }
    sink.append("}")
  }

  private static func append(
    _ name: StaticString, _ value: Double, decimals: Int, into sink: inout some ByteSink
  ) {
    sink.append(name)
    sink.append(fixed: Elementary.roundedInteger(value * Double(powerOfTen(decimals))), decimals: decimals)
  }

  private static func append(_ utc: UTCTime, into sink: inout some ByteSink) {
    let date = utc.date
    let milliseconds = UInt64(utc.microsecondsOfDay / 1000)
    sink.append(decimal: UInt64(max(date.year, 0)), minimumDigits: 4)
    sink.append("-")
    sink.append(decimal: UInt64(date.month), minimumDigits: 2)
    sink.append("-")
    sink.append(decimal: UInt64(date.day), minimumDigits: 2)
    sink.append("T")
    sink.append(decimal: milliseconds / 3_600_000, minimumDigits: 2)
    sink.append(":")
    sink.append(decimal: milliseconds / 60_000 % 60, minimumDigits: 2)
    sink.append(":")
    sink.append(decimal: milliseconds / 1000 % 60, minimumDigits: 2)
    sink.append(".")
    sink.append(decimal: milliseconds % 1000, minimumDigits: 3)
    sink.append("Z")
  }
}
