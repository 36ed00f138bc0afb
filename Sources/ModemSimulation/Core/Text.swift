import Quantities

/// A number in capitals hexadecimal, with leading zeros up to so many digits.
func hexadecimal(_ value: Int, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

/// A number with a leading zero if it has one digit.
func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

/// A number with so many decimals, cut and rounded half up; 1.25 with one decimal is `1.3`.
func fixed(_ value: Double, decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (value < 0 ? -value : value) * scale + 0.5
  guard scaled < 1e15 else { return "0" }
  let whole = Int(scaled)
  let divisor = Int(scale)
  let sign = value < 0 && whole != 0 ? "-" : ""
  guard decimals > 0 else { return sign + "\(whole)" }
  let fraction = String(whole % divisor)
  return sign + "\(whole / divisor)." + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
}

/// A time's parts in the ways the modem prints them.
struct ClockParts: Equatable, Sendable {
  private var date: CivilDate
  private var seconds: Int
  private var milliseconds: Int

  /// The parts of a time.
  init(_ time: UTCTime) {
    date = time.date
    seconds = Int(time.microsecondsOfDay / 1_000_000)
    milliseconds = Int(time.microsecondsOfDay / 1_000 % 1_000)
  }

  private var hour: Int { seconds / 3_600 }
  private var minute: Int { seconds / 60 % 60 }
  private var second: Int { seconds % 60 }

  /// `19/06/26,06:04:03`.
  var short: String {
    "\(twoDigits(Int(date.year) % 100))/\(twoDigits(Int(date.month)))/\(twoDigits(Int(date.day))),"
      + "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))"
  }

  /// `2019,6,26,6,4,3`.
  var plain: String { "\(date.year),\(date.month),\(date.day),\(hour),\(minute),\(second)" }

  /// `20171103024050.000`.
  var packed: String {
    "\(date.year)\(twoDigits(Int(date.month)))\(twoDigits(Int(date.day)))"
      + "\(twoDigits(hour))\(twoDigits(minute))\(twoDigits(second))."
      + (milliseconds < 100 ? "0" : "") + twoDigits(milliseconds)
  }

  /// `2018/01/09,10:28:59`.
  var long: String { "\(date.year)" + short.dropFirst(2) }
}
