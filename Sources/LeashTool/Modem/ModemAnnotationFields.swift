/// The lines whose meaning is more than a word for a number.
extension ModemAnnotation {
  /// `+CSQ`: received strength; the module's own table, which differs from TS 27.007 at its low end.
  static func signal(_ fields: [String]) -> String? {
    guard let value = fields.first.flatMap({ Int($0) }) else { return nil }
    switch value {
    case 0: return "-115 dBm or less"
    case 1: return "-111 dBm"
    case 2...30: return "\(-114 + 2 * value) dBm"
    case 31: return "-52 dBm or more"
    default: return "no signal known"
    }
  }

  /// `+CREG`, `+CGREG`, `+CEREG`, as an answer (with the reporting mode first) and as an event (without).
  static func registration(_ fields: [String]) -> String? {
    let isAnswer = fields.count > 1 && !fields[1].isEmpty && !fields[1].hasPrefix("\"")
    let place = isAnswer ? 1 : 0
    guard
      let state = word(
        fields, place,
        [
          "0": "not registered, not searching", "1": "registered at home", "2": "searching", "3": "denied",
          "4": "unknown",
          "5": "registered, roaming", "6": "registered for SMS only", "7": "registered for SMS only, roaming",
        ])
    else { return nil }
    guard fields.count > place + 3, let technology = word(fields, place + 3, accessTechnologies) else { return state }
    return "\(state), \(technology)"
  }

  /// `+CPSI`: the cell that serves.
  static func servingCell(_ fields: [String]) -> String? {
    guard let mode = fields.first else { return nil }
    if mode == "NO SERVICE" { return "no cell" }
    if mode == "GSM", fields.count >= 7 {
      return "operator \(fields[2]), cell \(fields[4]), \(fields[5]), \(fields[6]) dBm"
    }
    guard mode.hasPrefix("LTE"), fields.count >= 14 else { return nil }
    var text = "operator \(fields[2]), cell \(fields[4]), \(fields[6])"
    if let power = Int(fields[11]) {
      text += power < 0 ? ", RSRP \(power) dBm, RSRQ \(fields[10]) dB" : ", RSRP not valid yet"
    }
    if let ratio = Int(fields[13]) { text += ", SINR \(2 * ratio - 20) dB" }
    return text
  }

  /// `+CNACT`, in the layout of this module and in that of its successors.
  static func applicationNetwork(_ fields: [String]) -> String? {
    let place = fields.count >= 3 ? 1 : 0
    return word(fields, place, ["0": "down", "1": "up", "2": "coming up"]).map { "application network \($0)" }
  }

  /// `+CGNSINF` and `+UGNSINF`: the fix.
  static func position(_ fields: [String]) -> String? {
    guard fields.count >= 16 else { return nil }
    if fields[0] == "0" { return "GNSS off" }
    guard fields[1] == "1", !fields[3].isEmpty, !fields[4].isEmpty else { return "searching, no fix" }
    var text = "\(fields[3]), \(fields[4])"
    if !fields[5].isEmpty { text += ", \(fields[5]) m" }
    if !fields[6].isEmpty { text += ", \(fields[6]) km/h" }
    if !fields[10].isEmpty { text += ", HDOP \(fields[10])" }
    if !fields[15].isEmpty { text += ", \(fields[15]) satellites" }
    let time = fields[2]
    if time.count >= 14 {
      let digits = Array(time)
      text +=
        ", \(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        + " \(String(digits[8..<10])):\(String(digits[10..<12])):\(String(digits[12..<14])) UTC"
    }
    return text
  }

  /// The HTTP status at a place, the module's own above 600 included.
  static func httpStatus(_ fields: [String], at place: Int) -> String? {
    guard place < fields.count, let status = Int(fields[place]) else { return nil }
    let words = [
      200: "OK", 201: "created", 202: "accepted", 204: "no content", 301: "moved", 302: "found elsewhere",
      304: "not modified", 400: "bad request", 401: "unauthorised", 403: "forbidden", 404: "not found",
      405: "method not allowed", 408: "timed out", 413: "too large", 429: "too many requests", 500: "server error",
      502: "bad gateway", 503: "unavailable", 504: "gateway timed out", 600: "no HTTP at the other end",
      601: "network error: is the bearer up?", 602: "no memory", 603: "DNS error", 604: "stack busy",
    ]
    let size = place + 1 < fields.count ? Int(fields[place + 1]) : nil
    guard let word = words[status] else { return size.map { "\($0) bytes to read" } }
    return word + (size.map { $0 > 0 ? ", \($0) bytes to read" : ", no body" } ?? "")
  }

  /// `+CIPRXGET`: what came and what is left.
  static func received(_ fields: [String]) -> String? {
    switch fields.first {
    case "1": "data to fetch with CIPRXGET=2"
    case "2", "3":
      if let left = fields.last, fields.count >= 3 {
        "\(fields[fields.count - 2]) bytes follow, \(left) left"
      } else {
        nil
      }
    case "4": fields.last.map { "\($0) bytes to fetch" }
    default: nil
    }
  }
}
