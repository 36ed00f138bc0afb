import SIM7000

/// What a line of a SIM7000 means, in a few words for people.
///
/// A table of its own: neither a driver nor a simulator is asked, so that a mistake of theirs shows on the bench.
enum ModemAnnotation {
  /// The meaning of a line; nil when it speaks for itself.
  static func text(for line: String) -> String? {
    if let known = wholeLines[line] { return known }
    guard let colon = line.firstIndex(of: ":") else {
      if line.hasSuffix("CONNECT OK") { return "the connection is open" }
      if line.hasSuffix("CLOSED") { return "the other side closed the connection" }
      return nil
    }
    let fields = fields(line[line.index(after: colon)...])
    return meanings[String(line[..<colon])]?(fields)
  }

  /// True for a line that is in the table, a revision, or what a modem says by itself and needs no words: a sentence of its receiver, a call,
  /// a message, events of its connections.
  ///
  /// - Source: [sim7000at]; sections 7.8 and 10.1 of [ts27007] (`+CRING`, `+CGEV`).
  static func isKnown(_ line: String) -> Bool {
    if line.isEmpty || line.hasPrefix("$") || wholeLines[line] != nil || ends.contains(line) { return true }
    if connectionEnds.contains(where: line.hasSuffix) { return true }
    if FirmwareRevision(Array(line.utf8).span) != nil { return true }
    guard let colon = line.firstIndex(of: ":") else { return false }
    let name = String(line[..<colon])
    return meanings[name] != nil || notices.contains(name)
  }

  /// True for the head of a message, a broadcast or a report whose text is in the next lines, and for a text that goes on there.
  static func beginsText(_ line: String) -> Bool {
    if ["+CMT:", "+CBM:", "+CDS:"].contains(where: line.hasPrefix) { return true }
    return ["+SMSUB:", "+CUSD:"].contains(where: line.hasPrefix) && line.count { $0 == "\"" } % 2 == 1
  }

  private static let ends: Set = [
    "OK", "ERROR", "RING", "NO CARRIER", "BUSY", "NO ANSWER", "ALREADY CONNECT", "SHUT OK", "0", "4",
  ]

  private static let connectionEnds = ["CONNECT OK", "CONNECT FAIL", "CLOSED", "CLOSE OK", "SEND OK", "SEND FAIL"]

  private static let notices: Set = [
    "DATA ACCEPT", "+CMTE", "+CEDRXP", "+CCWA", "+CSMINS",
    "Revision", "+CMT", "+CBM", "+CUSD", "+CRING", "+CLIP", "+CGEV", "+CTZV", "+CTZE", "*PSNWID", "+CIEV", "+CSCON",
    "+CPIN", "+APP PDP",
    "+PDP", "+CARECV", "+RECEIVE", "+SHREAD", "+CGDCONT", "+COPN", "+CENG", "+CLTS", "+CMGL", "+CMGR",
  ]

  /// Fields between commas that stand outside quotes, trimmed; quotes stay.
  static func fields(_ text: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == "," && !isQuoted {
        fields.append("")
      } else if character != " " || isQuoted || !fields[fields.count - 1].isEmpty {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }

  private static let wholeLines: [String: String] = [
    "RDY": "the module has started, at a fixed speed",
    "SMS Ready": "messages can be sent and read",
    "Call Ready": "calls can be made",
    "NORMAL POWER DOWN": "the module switches itself off",
    "UNDER-VOLTAGE WARNNING": "supply below 3.1 V", "UNDER-VOLTAGE WARNING": "supply below 3.1 V",
    "OVER-VOLTAGE WARNNING": "supply above 4.3 V", "OVER-VOLTAGE WARNING": "supply above 4.3 V",
    "UNDER-VOLTAGE POWER DOWN": "supply below 2.9 V: the module switches itself off",
    "OVER-VOLTAGE POWER DOWN": "supply above 4.4 V: the module switches itself off",
    "> ": "waiting for a payload", ">": "waiting for a payload", "DOWNLOAD": "waiting for a payload",
    "SEND OK": "the other side acknowledged the bytes", "SEND FAIL": "the bytes were not acknowledged",
    "+APP PDP: ACTIVE": "the application network is up", "+APP PDP: DEACTIVE": "the application network is down",
    "+PDP: DEACT": "the bearer is lost: CIPSHUT comes before anything else",
    "+SAPBR 1: DEACT": "the bearer of profile 1 is lost",
  ]

  private static let meanings: [String: @Sendable ([String]) -> String?] = [
    "+CME ERROR": { numbered($0, ModemErrorNumbers.equipment) },
    "+CMS ERROR": { numbered($0, ModemErrorNumbers.messages) },
    "+CSQ": signal, "+CREG": registration, "+CGREG": registration, "+CEREG": registration,
    "+CPSI": servingCell, "+CGNSINF": position, "+UGNSINF": position, "+CNACT": applicationNetwork,
    "+CFUN": { word($0, 0, ["0": "minimum: radio and SIM off", "1": "full function", "4": "flight mode"]) },
    "+CPIN": {
      word(
        $0, 0,
        [
          "READY": "SIM ready", "NOT READY": "SIM not ready", "NOT INSERTED": "no SIM",
          "SIM PIN": "the SIM wants its PIN",
          "SIM PUK": "the SIM is locked: it wants its PUK",
        ])
    },
    "+CGATT": { word($0, 0, ["0": "not attached", "1": "attached"]) },
    "+CGNSPWR": { word($0, 0, ["0": "GNSS off", "1": "GNSS on"]) },
    "+CNMP": { word($0, 0, ["2": "any radio", "13": "GSM only", "38": "LTE only", "51": "GSM and LTE"]) },
    "+CMNB": { word($0, 0, ["1": "Cat-M1", "2": "NB-IoT", "3": "Cat-M1 and NB-IoT"]) },
    "+CNSMOD": { word($0, $0.count > 1 ? 1 : 0, accessTechnologies) },
    "+CBC": { fields in
      guard fields.count >= 3, let millivolts = Int(fields[2]) else { return nil }
      return "\(fields[1]) %, \(TimeText.decimal(Double(millivolts) / 1000, 3)) V"
        + (word(fields, 0, ["1": ", charging", "2": ", full"]) ?? "")
    },
    "+IPR": { word($0, 0, ["0": "auto-baud"]) ?? $0.first.map { "\($0) bit/s" } },
    "+COPS": { fields in
      guard fields.count >= 3 else { return word(fields, 0, ["0": "no operator", "2": "deregistered"]) }
      return unquoted(fields[2]) + (word(fields, 3, accessTechnologies).map { ", " + $0 } ?? "")
    },
    "+SHREQ": { httpStatus($0, at: 1) }, "+HTTPACTION": { httpStatus($0, at: 1) },
    "+HTTPTOFS": { httpStatus($0, at: 0) },
    "+SHSTATE": { word($0, 0, ["0": "HTTP session closed", "1": "HTTP session open"]) },
    "+SMSTATE": { word($0, 0, ["0": "MQTT session closed", "1": "MQTT session open"]) },
    "+SMSUB": { fields in fields.count < 2 ? nil : "message on \(unquoted(fields[0]))" },
    "+CAOPEN": { word($0, 1, socketResults) }, "+CASEND": { $0.count < 3 ? nil : word($0, 1, socketResults) },
    "+CASTATE": { word($0, 1, ["0": "closed", "1": "connected", "2": "listening"]) },
    "+CADATAIND": { _ in "data to fetch with CARECV" },
    "+CIPRXGET": received,
    "+CDS": { fields in
      fields.count < 5 ? nil : "delivery report for message \(fields[1]): status \(fields[fields.count - 1])"
    },
    "+CDSI": { fields in
      fields.count < 2 ? nil : "delivery report stored: AT+CMGR=\(fields[1])"
    },
    "+CMTI": { fields in fields.count < 2 ? nil : "message received: AT+CMGR=\(fields[1])" },
    "+CMGS": { fields in fields.first.map { "accepted by the network, reference \($0)" } },
    "+CNTP": {
      word(
        $0, 0,
        [
          "1": "the clock is set", "61": "network error", "62": "DNS error", "63": "connection error",
          "64": "service error", "65": "timed out",
        ])
    },
    "+CDNSGIP": { fields in
      word(fields, 0, ["1": "resolved"]) ?? (word(fields, 1, ["3": "network error", "8": "no such host"]))
    },
    "+SAPBR": {
      word($0, 1, ["0": "connecting", "1": "connected", "2": "closing", "3": "closed"]).map { "bearer " + $0 }
    },
    "+CPSMSTATUS": {
      word($0.map(unquoted), 0, ["ENTER PSM": "the module sleeps; PWRKEY wakes it", "EXIT PSM": "the module woke"])
    },
    "+CCLK": { _ in "local time; the offset is in quarter hours" },
    "*PSUTTZ": { _ in "time from the network, UTC" },
    "DST": { word($0, 0, ["0": "no daylight saving", "1": "one hour of daylight saving", "2": "two hours"]) },
    "STATE": { word($0, 0, ["PDP DEACT": "the bearer is lost: CIPSHUT", "IP INITIAL": "no bearer asked for"]) },
  ]

  static let accessTechnologies = [
    "0": "GSM", "1": "GSM", "3": "EDGE", "7": "LTE Cat-M1", "8": "LTE", "9": "NB-IoT",
  ]

  private static let socketResults = [
    "0": "done", "1": "socket error", "2": "no memory", "3": "too many connections", "4": "wrong parameter",
    "6": "invalid address", "7": "not supported", "12": "can't bind", "13": "can't listen", "20": "no such host",
    "21": "network not active", "23": "refused", "24": "certificate expired", "25": "certificate for another name",
    "26": "certificate expired and for another name", "27": "could not connect",
  ]

  static func word(_ fields: [String], _ place: Int, _ words: [String: String]) -> String? {
    place < fields.count ? words[fields[place]] : nil
  }

  static func unquoted(_ text: String) -> String {
    text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
  }

  private static func numbered(_ fields: [String], _ texts: [Int: String]) -> String? {
    fields.first.flatMap { Int($0) }.map { texts[$0] ?? "a number that is in no list" }
  }
}
