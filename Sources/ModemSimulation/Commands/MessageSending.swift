import Quantities

// Sending and storing short messages.
//
// Source: [ts27005] sections 3.5 and 4.3 to 4.5; [sim7000-at] chapter 4.

extension SimulatedModem {
  static var messageSendingCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CMGS") { modem, call in modem.cmgs(call) },
      SimulatedCommand("+CMGW") { modem, call in modem.cmgw(call) },
      SimulatedCommand("+CMSS") { modem, call in modem.cmss(call) },
    ]
  }

  /// What message commands answer while SIM or module are not ready for them; nil when they are.
  var messageTrouble: Answer? {
    switch simStatus.code {
    case 0: return sim.areMessagesReady ? nil : .cms(314)
    case 10: return .cms(310)
    case 11: return .cms(311)
    case 12: return .cms(316)
    case 14: return .cms(314)
    default: return .cms(313)
    }
  }

  private mutating func cmgs(_ call: CommandCall) -> Answer {
    guard call.form == .write else { return call.form == .test ? .ok : .error }
    if let trouble = messageTrouble { return trouble }
    guard session.textMode else {
      guard let length = call.integer(0, in: 7...164) else { return .cms(304) }
      return messagePrompt(.sendPDU(length: length))
    }
    guard let to = address(call, 0) else { return .cms(305) }
    return messagePrompt(.send(to: to))
  }

  private mutating func cmgw(_ call: CommandCall) -> Answer {
    guard call.form == .write || call.form == .execute else { return .ok }
    if let trouble = messageTrouble { return trouble }
    guard session.textMode else {
      guard let length = call.integer(0, in: 7...164) else { return .cms(304) }
      let status = call.integer(1).flatMap(StoredMessage.Status.init(rawValue:)) ?? .unsent
      return messagePrompt(.storePDU(length: length, status: status))
    }
    let name = call.string(2)
    let status = StoredMessage.Status.allCases.first { $0.name == name } ?? .unsent
    return messagePrompt(.store(to: address(call, 0) ?? "", status: status))
  }

  private func messagePrompt(_ draft: MessageDraft) -> Answer {
    .prompt(Prompt(text: Prompt.greaterThan, maximum: 1024, purpose: .message(draft)))
  }

  /// A telephone number in the character set of `CSCS`; nil when it is none.
  private func address(_ call: CommandCall, _ place: Int) -> String? {
    guard call.has(place), let bytes = call.bytes(place) else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    if session.characterSet == "UCS2", let wide = Alphabet.textOfUCS2(text) { text = wide }
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isNumber = !digits.isEmpty && digits.count <= 20 && digits.allSatisfy { "0123456789*#".contains($0) }
    return isNumber ? text : nil
  }

  /// The host has typed the message, or thought better of it.
  mutating func finishMessage(_ draft: MessageDraft, bytes: [UInt8], outcome: Prompt.Outcome) -> Answer {
    guard outcome == .complete else { return configuration.messages.answersOKToEscape ? .ok : .silent }
    switch draft {
    case .send(let to):
      guard let text = decoded(bytes) else { return .cms(305) }
      guard Alphabet.septets(text).map({ $0.count <= 160 }) ?? (text.utf16.count <= 70) else { return .cms(513) }
      return send(text, to: to, word: "+CMGS", wantsReport: textsWantReports)
    case .sendPDU(let length):
      guard let message = submit(bytes, length) else { return .cms(304) }
      return send(message.text, to: message.to, word: "+CMGS", wantsReport: message.wantsReport)
    case .store(let to, let status):
      guard let text = decoded(bytes) else { return .cms(305) }
      return store(text, to: to, status)
    case .storePDU(let length, let status):
      guard let message = submit(bytes, length) else { return .cms(304) }
      return store(message.text, to: message.to, status)
    }
  }

  private func submit(_ typed: [UInt8], _ length: Int) -> ShortMessagePDU.Submit? {
    let digits = typed.filter { $0 != 0x0D && $0 != 0x0A && $0 != 0x20 }
    guard let bytes = HexadecimalBytes.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
    return ShortMessagePDU.submit(bytes, length: length)
  }

  /// The bit of the first octet of `CSMP` that asks for a report.
  ///
  /// - Source: [ts23040] section 9.2.3.5.
  private var textsWantReports: Bool { session.textParameters[0] & 0x20 != 0 }

  private mutating func send(_ text: String, to: String, word: String, wantsReport: Bool) -> Answer {
    guard radio.status == .registered else { return .cms(331) }
    let id = newID()
    messages.sending = (id, word)
    ask(.sms(id: id, to: to, text: text, wantsReport: wantsReport))
    schedule(.sms(.timeout(id: id)), after: configuration.messages.sendTimeout)
    return .later
  }

  private mutating func store(_ text: String, to: String, _ status: StoredMessage.Status) -> Answer {
    guard let slot = freeSlot else { return .cms(322) }
    flash.messages[slot] = StoredMessage(
      status: status, address: to, text: text, time: utcNow, quarters: configuration.network.timeZoneQuarters)
    return Answer.ok.line("+CMGW: \(slot)")
  }

  private mutating func cmss(_ call: CommandCall) -> Answer {
    guard call.form == .write else { return call.form == .test ? .ok : .error }
    if let trouble = messageTrouble { return trouble }
    guard let slot = call.integer(0), let message = flash.messages[slot] else { return .cms(321) }
    let to = address(call, 1) ?? message.address
    guard !to.isEmpty else { return .cms(330) }
    if message.status == .unsent { flash.messages[slot]?.status = .sent }
    return send(message.text, to: to, word: "+CMSS", wantsReport: textsWantReports)
  }

  /// The message centre answered.
  mutating func handleMessageReply(_ reply: NetworkReply) {
    guard let sending = messages.sending, sending.id == reply.id else { return }
    messages.sending = nil
    timers.cancel(.sms(.timeout(id: sending.id)))
    switch reply {
    case .smsAccepted(_, let reference): complete(Answer.ok.line("\(sending.word): \(reference & 0xFF)"))
    case .smsRefused(_, let code): complete(.cms(code))
    default: break
    }
  }

  mutating func handle(_ event: SMSEvent) {
    guard case .timeout(let id) = event, messages.sending?.id == id else { return }
    messages.sending = nil
    complete(.cms(332))
  }
}
