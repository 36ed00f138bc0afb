// Reading and deleting short messages, and how they are shown.
//
// Source: [ts27005] sections 3.1 to 3.4, 4.1 and 4.2; [sim7000-at] chapter 4.

extension SimulatedModem {
  static var messageCommands: [SimulatedCommand] {
    messageSendingCommands + [
      .flag("+CMGF", \.session.textMode),
      .flag("+CSDH", \.session.showsTextHeaders),
      SimulatedCommand("+CSCS") { modem, call in modem.cscs(call) },
      SimulatedCommand("+CSCA") { modem, call in modem.csca(call) },
      SimulatedCommand("+CSMP") { modem, call in modem.csmp(call) },
      SimulatedCommand("+CSMS") { modem, call in
        switch call.form {
        case .test: return Answer.ok.line("+CSMS: (0,1)")
        case .read: return Answer.ok.line("+CSMS: 0,1,1,1")
        case .write: return call.integer(0, in: 0...1) == nil ? .cms(302) : Answer.ok.line("+CSMS: 1,1,1")
        case .execute: return .error
        }
      },
      SimulatedCommand("+CNMI") { modem, call in modem.cnmi(call) },
      SimulatedCommand("+CPMS") { modem, call in modem.cpms(call) },
      SimulatedCommand("+CMGR") { modem, call in modem.cmgr(call) },
      SimulatedCommand("+CMGL") { modem, call in modem.cmgl(call) },
      SimulatedCommand("+CMGD") { modem, call in modem.cmgd(call) },
      SimulatedCommand("+CNMA") { _, _ in .ok },
      SimulatedCommand("+CRES") { _, _ in .ok },
      SimulatedCommand("+CSAS") { _, _ in .ok },
      .remembered("+CSCB", values: "(0,1)", initial: "0,\"\",\"\""),
    ]
  }

  private mutating func cscs(_ call: CommandCall) -> Answer {
    let sets = ["IRA", "GSM", "UCS2"]
    switch call.form {
    case .test: return Answer.ok.line("+CSCS: (\"IRA\",\"GSM\",\"UCS2\")")
    case .read: return Answer.ok.line("+CSCS: \"\(session.characterSet)\"")
    case .execute: return .error
    case .write:
      guard let name = call.string(0)?.uppercased(), sets.contains(name) else { return .error }
      session.characterSet = name
      return .ok
    }
  }

  private mutating func csca(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return .ok
    case .read:
      let number = flash.messageCentre
      return Answer.ok.line("+CSCA: \"\(encodedAddress(number))\",\(number.hasPrefix("+") ? 145 : 129)")
    case .execute: return .error
    case .write:
      guard let number = call.string(0), !number.isEmpty, number.utf8.count <= 84 else { return .cms(305) }
      flash.messageCentre = session.characterSet == "UCS2" ? Alphabet.textOfUCS2(number) ?? number : number
      return .ok
    }
  }

  private mutating func csmp(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CSMP: (0-255),(0-255),(0-255),(0-255)")
    case .read: return Answer.ok.line("+CSMP: " + session.textParameters.map(String.init).joined(separator: ","))
    case .execute: return .error
    case .write:
      for place in 0..<min(call.count, 4) {
        if let value = call.integer(place, in: 0...255) { session.textParameters[place] = value }
      }
      return .ok
    }
  }

  /// The manual wants mode 1 for messages that are shown directly.
  private mutating func cnmi(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CNMI: (0,1,2),(0,1,2,3),(0,2),(\(reportModes)),(0,1)")
    case .read:
      return Answer.ok.line("+CNMI: " + session.newMessageIndication.map(String.init).joined(separator: ","))
    case .execute: return .error
    case .write:
      let limits = [2, 3, 2, 2, 1]
      let routing = configuration.messages.reports
      var values = session.newMessageIndication
      for place in 0..<min(call.count, 5) where call.has(place) {
        guard let value = call.integer(place, in: 0...limits[place]) else { return .cms(303) }
        values[place] = value
      }
      if values[3] == 1 && routing == .stored || values[3] == 2 && routing == .direct { return .cms(303) }
      if values[1] >= 2, values[0] != 1, configuration.messages.directNeedsModeOne { return .error }
      session.newMessageIndication = values
      return .ok
    }
  }

  private var reportModes: String {
    switch configuration.messages.reports {
    case .direct: return "0,1"
    case .stored: return "0,2"
    case .either: return "0-2"
    }
  }

  private mutating func cpms(_ call: CommandCall) -> Answer {
    let counts = "\(flash.messages.count),\(configuration.messages.slots)"
    switch call.form {
    case .test: return Answer.ok.line("+CPMS: (\"SM\"),(\"SM\"),(\"SM\")")
    case .read:
      if let trouble = messageTrouble { return trouble }
      return Answer.ok.line("+CPMS: " + [String](repeating: "\"SM\",\(counts)", count: 3).joined(separator: ","))
    case .execute: return .error
    case .write:
      if let trouble = messageTrouble { return trouble }
      for place in 0..<call.count where call.string(place)?.uppercased() != "SM" { return .cms(302) }
      return Answer.ok.line("+CPMS: \(counts),\(counts),\(counts)")
    }
  }

  /// An empty place answers `OK` alone (assumed).
  private mutating func cmgr(_ call: CommandCall) -> Answer {
    guard call.form == .write else { return call.form == .test ? .ok : .error }
    if let trouble = messageTrouble { return trouble }
    guard let slot = call.integer(0, in: 1...max(configuration.messages.slots, 1)) else { return .cms(321) }
    guard let message = flash.messages[slot] else { return .ok }
    if message.status == .unread, call.integer(1) != 1 { flash.messages[slot]?.status = .read }
    return answer("+CMGR: ", message)
  }

  private func answer(_ start: String, _ message: StoredMessage) -> Answer {
    if session.textMode, let report = message.report {
      return Answer.ok.line("\(start)\"\(message.status.name)\",\(heading(report))")
    }
    guard session.textMode else {
      let (bytes, length) =
        message.report.map { ShortMessagePDU.report($0, centre: flash.messageCentre, quarters: message.quarters) }
        ?? ShortMessagePDU.stored(message, centre: flash.messageCentre)
      return Answer.ok.line("\(start)\(message.status.rawValue),\"\",\(length)\r\n\(HexadecimalBytes.encode(bytes))")
    }
    var text = "\(start)\"\(message.status.name)\",\(heading(message))"
    if session.showsTextHeaders {
      let type = message.address.hasPrefix("+") ? 145 : 129
      text += ",\(type),4,0,0,\"\(encodedAddress(flash.messageCentre))\",145,\(message.text.count)"
    }
    return Answer.ok.line("\(text)\r\n\(encoded(message.text))")
  }

  private mutating func cmgl(_ call: CommandCall) -> Answer {
    if call.form == .test {
      return Answer.ok.line(
        session.textMode ? "+CMGL: (\"REC UNREAD\",\"REC READ\",\"STO UNSENT\",\"STO SENT\",\"ALL\")" : "+CMGL: (0-4)")
    }
    guard call.form == .write || call.form == .execute else { return .error }
    if let trouble = messageTrouble { return trouble }
    let wanted: [StoredMessage.Status]
    if call.form == .execute {
      wanted = [.unread]
    } else if session.textMode {
      guard let name = call.string(0)?.uppercased() else { return .cms(305) }
      wanted = StoredMessage.Status.allCases.filter { name == "ALL" || $0.name == name }
    } else {
      guard let number = call.integer(0, in: 0...4) else { return .cms(304) }
      wanted = StoredMessage.Status.allCases.filter { number == 4 || $0.rawValue == number }
    }
    guard !wanted.isEmpty else { return .cms(305) }
    var result = Answer.ok
    for (slot, message) in flash.messages.sorted(by: { $0.key < $1.key }) where wanted.contains(message.status) {
      result.pieces += answer("+CMGL: \(slot),", message).pieces
      if message.status == .unread, call.integer(1) != 1 { flash.messages[slot]?.status = .read }
    }
    return result
  }

  /// - Source: [ts27005] section 3.5.4: 1 read, 2 read and sent, 3 all but unread, 4 all.
  private mutating func cmgd(_ call: CommandCall) -> Answer {
    if call.form == .test {
      let slots = flash.messages.keys.sorted().map(String.init).joined(separator: ",")
      return Answer.ok.line("+CMGD: (\(slots)),(0-4)")
    }
    guard call.form == .write else { return .error }
    if let trouble = messageTrouble { return trouble }
    let flag = call.has(1) ? call.integer(1, in: 0...4) : 0
    guard let flag, let slot = call.integer(0, in: 0...max(configuration.messages.slots, 1)) else { return .cms(321) }
    if flag == 0 {
      guard slot > 0 else { return .cms(321) }
      flash.messages[slot] = nil
    } else {
      let kinds: [[StoredMessage.Status]] = [
        [.read], [.read, .sent], [.read, .sent, .unsent], StoredMessage.Status.allCases,
      ]
      flash.messages = flash.messages.filter { !kinds[flag - 1].contains($0.value.status) }
    }
    // A place is free: what waits in the network may come.
    deliverWaitingMessages()
    return .ok
  }
}
