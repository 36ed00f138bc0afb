import Quantities

/// Makes a field dialogue of what a driver and a modem say to each other (`docs/field-dialogues.md`).
struct DialogueRecorder {
  private struct Exchange: Equatable {
    var command: String
    var acts: [String] = []
  }

  private let mask: DialogueMask
  private var exchanges: [Exchange] = [Exchange(command: "@time")]
  /// The command as it was sent, when the last thing happened, and whether its result has come.
  private var sent = ""
  private var last = Instant.zero
  private var hasResult = false
  private var line: [UInt8] = []
  private var command: [UInt8] = []
  /// Payload that is still to come: a count, or up to Ctrl-Z.
  private var payloadLeft: Int?
  private var payload: [UInt8] = []
  private var firmware = ""
  /// What a connection's bytes stand behind, those bytes, and how many are still to come.
  private var portionHead = ""
  private var portion: [UInt8] = []
  private var portionLeft = 0
  /// Until when lines are more of a message, and whether its last quote is still to come.
  private var textUntil = Instant.zero
  private var isQuoting = false

  init(_ mask: DialogueMask) { self.mask = mask }

  /// Bytes for the modem.
  mutating func hear(host bytes: [UInt8], at now: Instant) {
    for byte in bytes {
      if let left = payloadLeft {
        payload.append(byte)
        payloadLeft = left > 1 && byte != (left == Int.max ? 0x1A : nil) ? left == Int.max ? left : left - 1 : nil
        continue
      }
      guard byte == 0x0D else {
        // What gets the modem out of a prompt is no command.
        if byte >= 0x20 { command.append(byte) }
        continue
      }
      sent = String(decoding: command, as: UTF8.self)
      command = []
      payload = []
      hasResult = false
      last = now
      exchanges.append(Exchange(command: pattern))
    }
  }

  /// Bytes of the modem.
  mutating func hear(modem bytes: [UInt8], at now: Instant) {
    for byte in bytes {
      if portionLeft > 0 {
        takePortion(byte, at: now)
        continue
      }
      if byte == 0x0A || byte == 0x2C, beginsPortion(with: byte) { continue }
      guard byte == 0x0D || byte == 0x0A else {
        line.append(byte)
        if line == [0x3E], let count = payloadCount {
          line = []
          say("prompt", at: now)
          expect(count)
        }
        continue
      }
      // The line feed decides.
      if byte == 0x0D, line.starts(with: "+CIPRXGET: 2,".utf8) { continue }
      guard !line.isEmpty else { continue }
      take(String(decoding: line, as: UTF8.self), at: now)
      line = []
    }
  }

  /// True when counted bytes of a connection follow: behind the line of `+CIPRXGET: 2,…`, or behind the comma of `+CARECV: …,`.
  private mutating func beginsPortion(with byte: UInt8) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    var count: Int?
    if byte == 0x0A, text.hasPrefix("+CIPRXGET: 2,") {
      let fields = text.split(separator: ",")
      count = fields.count > 2 ? Int(fields[2]) : nil
      portionHead = text + "\\r\\n"
    } else if byte == 0x2C, text.hasPrefix("+CARECV: ") {
      count = Int(text.dropFirst(9))
      portionHead = text + ","
    }
    guard let count, count > 0 else { return false }
    portionLeft = count
    portion = []
    line = []
    return true
  }

  /// What a server says is nobody's business, but for its acknowledgement.
  private mutating func takePortion(_ byte: UInt8, at now: Instant) {
    portion.append(byte)
    portionLeft -= 1
    guard portionLeft == 0 else { return }
    let lines = portion.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      let text = String(decoding: line, as: UTF8.self)
      let shown = text.hasPrefix("ACK ") ? text : DialogueMask.blank(text)
      return DialogueRecorder.visible(shown.replacing("\\", with: "x")).replacing("\\x0D", with: "\\r")
    }
    let shown = lines.joined(separator: "\\n")
    say("raw \\r\\n\(portionHead)\(shown)", at: now)
  }

  private mutating func take(_ raw: String, at now: Instant) {
    let text = raw.hasPrefix(" ") ? String(raw.dropFirst()) : raw
    // Its echo.
    if text == sent || text.isEmpty { return }
    if !payload.isEmpty, String(decoding: payload, as: UTF8.self).contains(text), text != "OK" { return }
    if text == "DOWNLOAD", let count = payloadCount {
      say("< DOWNLOAD", at: now)
      expect(count)
      return
    }
    if sent.hasPrefix("AT+CGMR"), text.contains("SIM7000") || text.hasPrefix("Revision") {
      firmware = DialogueRecorder.visible(String(text.split(separator: ":").last ?? ""))
    }
    let shown = DialogueRecorder.visible(
      isText(text, at: now) ? DialogueMask.blank(text) : mask.line(text, to: sent))
    let gap = (now - last).secondsDouble
    if hasResult, gap > 0.2 {
      exchanges[exchanges.count - 1].acts.append("<+\(TimeText.decimal(gap, 1)) \(shown)")
    } else {
      say("< \(shown)", at: now)
    }
    if text == "OK" || text == "ERROR" || text.hasPrefix("+CME ERROR") || text.hasPrefix("+CMS ERROR") {
      hasResult = true
      last = now
    }
  }

  /// True for a line of a message that came by itself: what stands behind `+CMT`, and up to the last quote of `+SMSUB`.
  private mutating func isText(_ line: String, at now: Instant) -> Bool {
    if line.hasPrefix("+CMT:") || line.hasPrefix("+SMSUB:") {
      textUntil = now + .milliseconds(150)
      isQuoting = line.hasPrefix("+SMSUB:")
      if isQuoting, line.hasSuffix("\"") { textUntil = .zero }
      return false
    }
    guard now < textUntil else { return false }
    if isQuoting, line.hasSuffix("\"") { textUntil = .zero }
    return isQuoting || line != "OK" && line != "ERROR"
  }

  private mutating func say(_ act: String, at now: Instant) {
    let gap = (now - last).secondsDouble
    // A wait is a time that somebody who looks at the dialogue would notice.
    if gap > 0.2, !hasResult, exchanges.count > 1 {
      exchanges[exchanges.count - 1].acts.append("wait \(TimeText.decimal(gap, 1))")
    }
    last = now
    exchanges[exchanges.count - 1].acts.append(act)
  }

  private mutating func expect(_ count: Int) {
    payloadLeft = count
    exchanges[exchanges.count - 1].acts.append(count == Int.max ? "payload until 1A" : "payload count")
    if !DialogueRecorder.isBody(sent) { exchanges[exchanges.count - 1].acts.append("server") }
  }

  /// What a terminal would obey stands as `\xNN`, which the player says as it was; so does a backslash that would be read as one of those.
  static func visible(_ text: String) -> String {
    var result = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if last == "\\", scalar == "x" {
        result.removeLast()
        result += "\\x5C"
      }
      last = scalar
      guard scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for byte in String(scalar).utf8 {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  // MARK: Commands

  private static func isBody(_ command: String) -> Bool {
    command.hasPrefix("AT+SHBODEXT") || command.hasPrefix("AT+HTTPDATA")
  }

  /// Which value of a command with a payload is its length.
  private static func lengthPlace(_ command: String) -> Int? {
    if isBody(command) { return 0 }
    return ["AT+CASEND=", "AT+CIPSEND=", "AT+SMPUB="].contains { command.hasPrefix($0) } ? 1 : nil
  }

  private var values: [Substring] {
    sent.split(separator: "=", maxSplits: 1).last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
  }

  /// Bytes that the present command announced; the largest number for a message, which ends by Ctrl-Z.
  private var payloadCount: Int? {
    if sent.hasPrefix("AT+CMGS") { return Int.max }
    guard let place = DialogueRecorder.lengthPlace(sent), place < values.count else { return nil }
    return Int(values[place]).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The command as the peer is to know it: another packet has another length, and another tracker other servers. Words of the command
  /// itself, such as `"URL"`, stay.
  private var pattern: String {
    let shown = mask.command(sent)
    guard let equals = shown.firstIndex(of: "="), shown.count == sent.count else { return shown }
    let length = DialogueRecorder.lengthPlace(sent)
    let values = shown[shown.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
    let isConnecting = ["AT+CIPSTART=", "AT+CAOPEN="].contains { sent.hasPrefix($0) }
    let told = values.enumerated().map { place, value in
      if place == length, Int(value) != nil { return "{count}" }
      // The port belongs to the host.
      if isConnecting, place == values.count - 1, Int(value) != nil { return "*" }
      let isWord = value.dropFirst().dropLast().allSatisfy { $0.isUppercase && $0.isASCII }
      return value.hasPrefix("\"") && (!isWord || value.count <= 2) || value.hasSuffix("\"") && !value.hasPrefix("\"")
        ? "*" : String(value)
    }
    return "\(shown[...equals])\(told.joined(separator: ","))"
  }

  // MARK: Out

  /// The dialogue's text. The same answer to the same command stands there once; another later stands behind those before.
  func text(
    title: String, transport: String, accessPoint: String, pinLength: Int = 0, isDelivered: Bool
  ) -> String {
    var text = "title \(DialogueRecorder.visible(title))\nthread recorded from a modem, not public\n"
    if !firmware.isEmpty { text += "firmware \(firmware)\n" }
    text += "transport \(transport)\nwiring\n" + (isDelivered ? "expect delivered within 120\n" : "")
    // Also that there is none: the player has one of its own.
    let name = mask.shown(accessPoint)
    text += name.isEmpty ? "setting accessPoint\n" : "setting accessPoint \(name)\n"
    // As it stands in the commands: masked.
    if pinLength > 0 { text += "setting pin \(String(repeating: "0", count: pinLength))\n" }
    var order: [String] = []
    var runs: [String: [(acts: [String], count: Int)]] = [:]
    for exchange in exchanges where !exchange.acts.isEmpty || exchange.command != "@time" {
      if runs[exchange.command] == nil { order.append(exchange.command) }
      var told = runs[exchange.command] ?? []
      if let run = told.last, run.acts == exchange.acts {
        told[told.count - 1].count += 1
      } else {
        told.append((exchange.acts, 1))
      }
      runs[exchange.command] = told
    }
    for command in order {
      let all = runs[command] ?? []
      for (place, run) in all.enumerated() {
        text += "seen > \(DialogueRecorder.visible(command))\n"
        if place < all.count - 1 || command.hasPrefix("@") { text += "ours times \(run.count)\n" }
        for act in run.acts { text += "\(act == "server" ? "ours" : "seen") \(act)\n" }
        let isRequest = command.hasPrefix("AT+SHREQ") || command.hasPrefix("AT+HTTPACTION=1")
        if isRequest, run.acts.contains("< OK") { text += "ours server\n" }
      }
    }
    return text
  }
}
