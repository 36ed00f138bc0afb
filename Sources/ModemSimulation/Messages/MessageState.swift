import Quantities

/// A message on the SIM.
struct StoredMessage: Equatable, Sendable {
  /// The states of 27.005, in their numbers.
  enum Status: Int, Equatable, Sendable, CaseIterable {
    /// Received and not read.
    case unread = 0
    /// Received and read.
    case read = 1
    /// Stored, not sent.
    case unsent = 2
    /// Stored and sent.
    case sent = 3

    /// Name in text mode.
    var name: String { ["REC UNREAD", "REC READ", "STO UNSENT", "STO SENT"][rawValue] }
  }

  /// Read, sent or neither.
  var status: Status
  /// Sender or receiver.
  var address: String
  /// The text.
  var text: String
  /// When the centre had it.
  var time: UTCTime
  /// Zone of the time, quarter hours.
  var quarters: Int
  /// The report that it is, where it is no text.
  var report: MessageReport?

  /// True for a message from the network.
  var isReceived: Bool { status == .unread || status == .read }
}

/// A message the host is about to type.
enum MessageDraft: Equatable, Sendable {
  /// `CMGS` in text mode.
  case send(to: String)
  /// `CMGS` in PDU mode.
  case sendPDU(length: Int)
  /// `CMGW` in text mode.
  case store(to: String, status: StoredMessage.Status)
  /// `CMGW` in PDU mode.
  case storePDU(length: Int, status: StoredMessage.Status)
}

/// Timed events of short messages.
enum SMSEvent: Equatable, Sendable {
  /// The network did not take the message.
  case timeout(id: Int)
}

/// Short messages on their way.
struct MessageState: Sendable {
  /// Most messages that wait in the network; more are lost and counted.
  static let waitingCapacity = 256

  /// A message in the network.
  struct Waiting: Equatable, Sendable {
    /// The text.
    var text: String
    /// The sender.
    var sender: String
  }

  /// Messages that wait in the network for the modem. They survive a reset.
  var waiting: [Waiting] = []
  /// Reports that wait in the network for the modem.
  var waitingReports: [MessageReport] = []
  /// The message that is being sent: its number and the word for the answer.
  var sending: (id: Int, word: String)?

  /// The module forgets.
  mutating func restart() { sending = nil }
}

extension SimulatedModem {
  /// Someone sends a message. What is too long for one is cut, as senders do.
  mutating func receiveMessage(_ text: String, from sender: String) {
    let room = Alphabet.septets(text) != nil ? 160 : 70
    var rest = text[...]
    repeat {
      guard messages.waiting.count < MessageState.waitingCapacity else {
        overflowCount += 1
        return
      }
      messages.waiting.append(.init(text: String(rest.prefix(room)), sender: sender))
      rest = rest.dropFirst(room)
    } while !rest.isEmpty
    deliverWaitingMessages()
  }

  /// The message centre tells what became of a message.
  mutating func receiveReport(_ report: MessageReport) {
    guard messages.waitingReports.count < MessageState.waitingCapacity else {
      overflowCount += 1
      return
    }
    messages.waitingReports.append(report)
    deliverWaitingMessages()
  }

  /// Told, or stored, where `CNMI` asks for it; else nobody learns of it. False when there is no place for it.
  private mutating func tell(_ report: MessageReport) -> Bool {
    let quarters = configuration.network.timeZoneQuarters
    switch session.newMessageIndication[3] {
    case 1:
      if session.textMode {
        urc("+CDS: " + heading(report))
      } else {
        let (bytes, length) = ShortMessagePDU.report(report, centre: flash.messageCentre, quarters: quarters)
        urc("+CDS: \(length)\r\n\(HexadecimalBytes.encode(bytes))")
      }
    case 2:
      guard let slot = freeSlot else { return false }
      flash.messages[slot] = StoredMessage(
        status: .unread, address: report.to, text: "", time: report.sent, quarters: quarters, report: report)
      urc("+CDSI: \"SM\",\(slot)")
    default: return true
    }
    pulseRing()
    return true
  }

  /// A report in text mode, as `CDS`, `CMGR` and `CMGL` print it.
  ///
  /// - Source: [ts27005] sections 3.4.1 to 3.4.3: `<fo>,<mr>,[<ra>],[<tora>],<scts>,<dt>,<st>`.
  func heading(_ report: MessageReport) -> String {
    let quarters = configuration.network.timeZoneQuarters
    let type = report.to.hasPrefix("+") ? 145 : 129
    return "6,\(report.reference & 0xFF),\"\(encodedAddress(report.to))\",\(type),"
      + "\"\(localTime(report.sent, quarters: quarters))\",\"\(localTime(report.done, quarters: quarters))\","
      + "\(report.status & 0xFF)"
  }

  /// What waits in the network comes, if the modem is there for it.
  mutating func deliverWaitingMessages() {
    guard power.isRunning, !power.isFrozen, radio.status == .registered, sim.areMessagesReady else { return }
    let reports = messages.waitingReports
    messages.waitingReports = []
    for report in reports where !tell(report) { messages.waitingReports.append(report) }
    while let next = messages.waiting.first {
      let message = StoredMessage(
        status: .unread, address: next.sender, text: next.text, time: utcNow,
        quarters: configuration.network.timeZoneQuarters)
      let indication = session.newMessageIndication[1]
      if indication == 2 || indication == 3 {
        announce(message)
      } else {
        guard let slot = freeSlot else { return }
        flash.messages[slot] = message
        if indication == 1 { urc("+CMTI: \"SM\",\(slot)") }
      }
      pulseRing()
      messages.waiting.removeFirst()
    }
  }

  /// The lowest free place; nil when the SIM is full. Places are counted from 1.
  var freeSlot: Int? { (1...max(configuration.messages.slots, 1)).first { flash.messages[$0] == nil } }

  private mutating func announce(_ message: StoredMessage) {
    if session.textMode {
      urc("+CMT: \(heading(message))\r\n\(encoded(message.text))")
    } else {
      let (bytes, length) = ShortMessagePDU.stored(message, centre: flash.messageCentre)
      urc("+CMT: \"\",\(length)\r\n\(HexadecimalBytes.encode(bytes))")
    }
  }

  /// Number, name and time of a message in text mode.
  func heading(_ message: StoredMessage) -> String {
    let start = "\"\(encodedAddress(message.address))\",\"\""
    return message.isReceived ? start + ",\"\(localTime(message.time, quarters: message.quarters))\"" : start
  }

  /// A text in the character set of `CSCS`.
  func encoded(_ text: String) -> String {
    switch session.characterSet {
    case "UCS2": return Alphabet.hexadecimalUCS2(text)
    case "GSM":
      guard let septets = Alphabet.septets(text) else { return Alphabet.hexadecimalUCS2(text) }
      return String(decoding: septets, as: UTF8.self)
    default: return text.utf8.allSatisfy { $0 < 0x80 } ? text : Alphabet.hexadecimalUCS2(text)
    }
  }

  /// A telephone number in the character set of `CSCS`.
  func encodedAddress(_ address: String) -> String {
    session.characterSet == "UCS2" ? Alphabet.hexadecimalUCS2(address) : address
  }

  /// The text of bytes in the character set of `CSCS`; nil when they are none.
  func decoded(_ bytes: [UInt8]) -> String? {
    switch session.characterSet {
    case "UCS2": return Alphabet.textOfUCS2(String(decoding: bytes, as: UTF8.self))
    case "GSM": return Alphabet.text(bytes)
    default: return String(decoding: bytes, as: UTF8.self)
    }
  }
}
