import SIM7000

/// Takes out of a recorded dialogue what is nobody's business: whose SIM card it is, where it is, what opens what.
///
/// What is known of the settings goes by its text, the rest by the command it stands in and by its form. What is left out keeps its length,
/// so that the lines still fit what they announce.
struct DialogueMask {
  /// Texts that are never shown, and what stands for them.
  private var known: [(text: String, stand: String)] = []
  /// Names of servers and access points and the modem's own address are masked too.
  private let hidesHosts: Bool

  /// - Parameters:
  ///   - secrets: Texts that are masked wherever they stand; those of less than three characters only by their command.
  ///   - hosts: Names of servers and access points that are masked too.
  ///   - hidesHosts: The modem's own addresses, and the access points that it has stored, are masked too.
  init(secrets: [String] = [], hosts: [String] = [], hidesHosts: Bool = false) {
    self.hidesHosts = hidesHosts
    for secret in secrets where secret.count >= 3 { known.append((secret, DialogueMask.blank(secret))) }
    for host in hosts where !host.isEmpty { known.append((host, DialogueMask.blank(host))) }
    // A secret within another must not leave the rest of it.
    known.sort { $0.text.count > $1.text.count }
  }

  /// What the driver was told, as far as it is secret.
  init(_ driver: ModemConfiguration, hidesHosts: Bool) {
    func text<let capacity: Int>(_ text: ModemText<capacity>) -> String {
      String(decoding: (0..<text.bytes.count).map { text.bytes[$0] }, as: UTF8.self)
    }
    let url = text(driver.httpServer)
    let host = url.split(separator: "/").last.map { String($0.split(separator: ":")[0]) } ?? ""
    let path = text(driver.httpPath)
    self.init(
      secrets: [
        text(driver.pin), text(driver.accessUser), text(driver.accessPassword), text(driver.smsNumber),
        text(driver.mqttUser), text(driver.mqttPassword), path.count > 1 ? String(path.dropFirst()) : "",
        text(driver.mqttTopic),
      ],
      hosts: hidesHosts ? [host, text(driver.mqttHost), text(driver.tcpHost), text(driver.accessPoint)] : [],
      hidesHosts: hidesHosts)
  }

  /// A command as it may be shown.
  func command(_ text: String) -> String {
    let name = text.prefix { $0 != "=" && $0 != "?" }
    let shown = DialogueMask.withoutHeader(replaced(text))
    guard name.count < shown.count, shown.count == text.count else { return shown }
    let values = String(shown.dropFirst(name.count))
    switch name.uppercased() {
    case "AT+CPIN", "AT+CMGS", "AT+SHBOD", "AT+CLCK", "AT+CPWD", "AT+CUSD", "AT+CPBW", "AT+CPBF":
      return name + DialogueMask.blankValues(values, from: 0)
    // The access point may stay, its user and password not.
    case "AT+CSTT", "AT+SHAHEAD": return name + DialogueMask.blankValues(values, from: 1)
    case "AT+CNCFG": return name + DialogueMask.blankValues(values, from: 2)
    case "AT+SAPBR" where values.contains("\"USER\"") || values.contains("\"PWD\""):
      return name + DialogueMask.blankValues(values, from: 3)
    case "AT+SMCONF"
    where values.hasPrefix("=\"USERNAME\"") || values.hasPrefix("=\"PASSWORD\"") || values.hasPrefix("=\"CLIENTID\""):
      return name + DialogueMask.blankValues(values, from: 1)
    case "AT+HTTPPARA" where values.hasPrefix("=\"USERDATA\""): return name + DialogueMask.blankValues(values, from: 1)
    default: return DialogueMask.withoutNumbers(DialogueMask.withoutQuery(shown))
    }
  }

  /// A line of the modem as it may be shown.
  ///
  /// - Parameter command: The command it answers.
  func line(_ text: String, to command: String) -> String {
    var shown = DialogueMask.withoutHeader(replaced(text))
    if hidesHosts {
      shown = DialogueMask.withoutAddresses(shown)
      // Names that an owner before has left.
      if text.hasPrefix("+CGDCONT:") { return DialogueMask.blankQuoted(shown, from: 1) }
      if text.hasPrefix("+CGNAPN:") { return DialogueMask.blankQuoted(shown, from: 0) }
    }
    if text.hasPrefix("$G") { return DialogueMask.blank(text) }
    for name in ["+CGNSINF:", "+UGNSINF:", "+CIPGSMLOC:", "+CLBS:", "+CNUM:", "+CPSI:", "+CENG:"]
    where text.hasPrefix(name) {
      return name + DialogueMask.blank(String(shown.dropFirst(name.count)))
    }
    for name in ["+CEREG:", "+CGREG:", "+CREG:"] where text.hasPrefix(name) {
      // A cell is read as a number of hexadecimal digits.
      return DialogueMask.blankQuoted(shown, from: 0, isHexadecimal: true)
    }
    // What the network answers, names in the telephone book, and topics.
    for name in ["+CUSD:", "+CPBR:", "+CPBF:", "+CLIP:", "+SMSUB:"] where text.hasPrefix(name) {
      return DialogueMask.blankQuoted(shown, from: 0)
    }
    for name in ["+CMGR:", "+CMGL:", "+CMT:", "+CDS:"] where text.hasPrefix(name) {
      return DialogueMask.withoutNumbers(
        DialogueMask.blankQuoted(shown, from: name == "+CMGR:" || name == "+CMGL:" ? 1 : 0))
    }
    // The text of a message, or a server's answer.
    let reads = ["AT+CMGR", "AT+CMGL", "AT+SHREAD", "AT+HTTPREAD"].contains { command.hasPrefix($0) }
    if reads, !text.hasPrefix("+"), text != "OK", text != "ERROR" { return DialogueMask.blank(text) }
    return DialogueMask.withoutNumbers(shown)
  }

  /// A name of the settings as it may be shown.
  func shown(_ name: String) -> String { replaced(name) }

  private func replaced(_ text: String) -> String {
    var text = text
    for (secret, stand) in known { text = DialogueMask.replace(secret, by: stand, in: text) }
    return text
  }

  private static func replace(_ part: String, by stand: String, in text: String) -> String {
    var rest = Substring(text)
    var result = ""
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        result += stand
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }

  /// Letters and digits become `x` and `0`; what is between them stays.
  static func blank(_ text: String) -> String {
    String(text.map { $0.isNumber ? "0" : $0.isLetter || !$0.isASCII ? "x" : $0 })
  }

  /// Blanks the values of a command from a place on.
  private static func blankValues(_ text: String, from place: Int) -> String {
    var index = 0
    var isQuoted = false
    return String(
      text.map { character in
        if character == "\"" { isQuoted.toggle() }
        if character == ",", !isQuoted { index += 1 }
        return index >= place ? Character(blank(String(character))) : character
      })
  }

  /// A header that opens something: what stands behind its name.
  private static func withoutHeader(_ text: String) -> String {
    let lower = text.lowercased()
    guard lower.count == text.count else { return blank(text) }
    for name in ["authorization:", "cookie:", "api-key:", "token:"] {
      guard let range = lower.firstRange(of: name) else { continue }
      let shown = lower.distance(from: lower.startIndex, to: range.upperBound)
      return text.prefix(shown) + blank(String(text.dropFirst(shown)))
    }
    return text
  }

  /// Four numbers with points between them are an address.
  private static func withoutAddresses(_ text: String) -> String {
    var result = ""
    var run = ""
    func end() {
      let parts = run.split(separator: ".", omittingEmptySubsequences: false)
      let isAddress = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
      result += isAddress ? blank(run) : run
      run = ""
    }
    for character in text {
      if character == "." || character.isNumber && character.isASCII {
        run.append(character)
      } else {
        end()
        result.append(character)
      }
    }
    end()
    return result
  }

  /// Blanks what stands in quotes, from the quotes of a place on.
  private static func blankQuoted(_ text: String, from place: Int, isHexadecimal: Bool = false) -> String {
    var quotes = 0
    return String(
      text.map { character in
        if character == "\"" { quotes += 1 }
        guard quotes & 1 == 1, quotes / 2 >= place, character != "\"" else { return character }
        return isHexadecimal && character.isHexDigit ? "0" : Character(blank(String(character)))
      })
  }

  /// What stands behind a question mark of an address opens something.
  private static func withoutQuery(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?"), text.index(after: mark) < text.endIndex else { return text }
    return text[...mark] + blank(String(text[text.index(after: mark)...]))
  }

  /// Numbers of cards, modems, subscribers and telephones: 14 digits in a row, or 7 behind a plus. The digits of a message are both.
  /// Four digits behind a point are a position.
  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var run = ""
    func end() {
      let isFraction = run.count >= 4 && result.last == "." && run.allSatisfy(\.isNumber)
      if isFraction {
        // The degrees before it, too.
        let before = result.dropLast().reversed().prefix { $0.isNumber }.count
        result = result.dropLast(before + 1) + String(repeating: "0", count: before) + "."
      }
      let isLong = isFraction || run.count >= 14 || run.count >= 7 && result.last == "+"
      result += isLong ? String(repeating: "0", count: run.count) : run
      run = ""
    }
    for character in text {
      if character.isHexDigit {
        run.append(character)
      } else {
        end()
        result.append(character)
      }
    }
    end()
    return result
  }
}
