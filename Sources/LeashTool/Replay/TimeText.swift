import Quantities

/// Times and amounts as people read them.
enum TimeText {
  /// Elapsed time as `2:19:16`.
  static func elapsed(_ instant: Instant) -> String { clock(instant.microseconds / 1_000_000) }

  /// A length of time as `4.2 s`, `58 s`, `5:00` or `1:02:03`.
  static func length(_ interval: Interval) -> String {
    let microseconds = max(0, interval.microseconds)
    if microseconds < 10_000_000 { return "\(decimal(Double(microseconds) / 1_000_000, 1)) s" }
    let seconds = (microseconds + 500_000) / 1_000_000
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60):\(padded(seconds % 60))" }
    return clock(seconds)
  }

  /// The time of day in UTC as `14:10:07`; dashes while it is unknown.
  static func timeOfDay(_ utc: UTCTime?) -> String {
    guard let utc else { return "--:--:--" }
    let seconds = utc.microsecondsOfDay / 1_000_000
    return "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
  }

  /// A distance as `850 m` or `57.56 km`.
  static func distance(_ metres: Double) -> String {
    metres < 1000 ? "\(decimal(metres, 0)) m" : "\(decimal(metres / 1000, 2)) km"
  }

  /// A number with a fixed count of decimals.
  static func decimal(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return "\(sign)\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// A count with commas, as `913,700`.
  static func count(_ value: Int) -> String {
    var digits = String(abs(value))
    var text = ""
    while digits.count > 3 {
      text = "," + digits.suffix(3) + text
      digits = String(digits.dropLast(3))
    }
    return (value < 0 ? "-" : "") + digits + text
  }

  /// A count with its noun, as `1 packet` or `2,000 packets`.
  static func count(_ value: Int, _ noun: String) -> String { "\(count(value)) \(noun)\(value == 1 ? "" : "s")" }

  private static func clock(_ seconds: Int64) -> String {
    let sign = seconds < 0 ? "-" : ""
    let seconds = abs(seconds)
    return "\(sign)\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
  }

  private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
