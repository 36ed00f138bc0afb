import InlineStorage
import Quantities
import Testing

@testable import SIM7000

/// Texts that anybody may send, made of what a modem says.
struct HostileTexts {
  static let words = [
    "RDY", "OK", "ERROR", "\r\n", "\r\n\r\n", "\n", "+CFUN: 1", "+CPIN: READY", "SMS Ready", "NORMAL POWER DOWN", "\"",
    "0", "4",
    "> ", "+CMEE: 0", "+SHREQ: \"POST\",200,0", "+SMSTATE: 0", "+APP PDP: DEACTIVE", "+PDP: DEACT", "0, SEND OK",
    "ACK 7",
    "+CMTI: \"SM\",1", "+SMSUB: \"t\",\"", "+CMT: ", "hello", " ", ",", "AT+SMPUB", "\u{1A}", "+CME ERROR: 3",
    "0, CLOSED", "+HTTPACTION: 1,200,0", "+CASEND: 0,0,9", "+CADATAIND: 0", "SHUT OK", "+CASTATE: 0,0",
    "+CPSMSTATUS: \"ENTER PSM\"", "+CMGS: 1", "DOWNLOAD",
  ]
  var dice: SplitMix64

  mutating func next() -> String {
    let count = 1 + Int(dice.next() % 12)
    return (0..<count).map { _ in HostileTexts.words[Int(dice.next() % UInt64(HostileTexts.words.count))] }.joined()
  }

  /// One that a single message has room for.
  mutating func nextShort() -> String {
    while true {
      let text = next()
      if text.utf8.count <= 70 { return text }
    }
  }

  /// No text here has such a number.
  static let firstTicket: UInt32 = 5_000_000

  /// A message as digits, as bytes or in UCS2.
  static func digits(_ text: String, isWide: Bool) -> String {
    func hexadecimal(_ bytes: [UInt8]) -> String {
      bytes.map { (byte: UInt8) in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
      }.joined()
    }
    let bytes = isWide ? text.utf8.flatMap { [0, $0] } : Array(text.utf8)
    let body = "040B911316325476F800" + (isWide ? "08" : "04") + "62112261000000" + hexadecimal([UInt8(bytes.count)])
    return "+CMGR: 0,,\(body.count / 2 + bytes.count)\r\n0791447758100650\(body)\(hexadecimal(bytes))\r\n"
  }

  /// One that is longer than any line, with what looks like its end somewhere.
  mutating func nextLong() -> String {
    let text = next() + "\"\r\n\r\nOK\r\n" + next()
    let filler = dice.next() & 1 == 0 ? "x" : "x\r\n"
    let count = Int(dice.next() % 900)
    return dice.next() & 1 == 0
      ? text + String(repeating: filler, count: count) : String(repeating: filler, count: count) + text
  }
}

/// Ten thousand whole texts through the driver, on every way by which somebody else's text comes: none of them is taken for a start of
/// the modem, for the loss of anything, or for the end of a packet that is on its way.
@Suite struct HostileTextTests {
  private func subscribed() -> ScriptedModem {
    let modem = ScriptedModem(
      ScriptedModem.configuration { $0.mqttCommandTopic = TopicName("t") ?? TopicName() }, isOn: true)
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(10))
    return modem
  }

  /// True when there is no sign that a text was believed.
  private func isUnmoved(_ modem: ScriptedModem) -> Bool {
    modem.handle.modem.diagnostics.starts == 0 && modem.recoveries.isEmpty && modem.handle.modem.phase == .running
  }

  @Test func noPublishedTextIsASignOfAStartOrOfALoss() {
    let modem = subscribed()
    let begun = modem.now
    var texts = HostileTexts(dice: SplitMix64(seed: 1))
    for number in 0..<10_000 {
      let text = texts.next()
      modem.hand(Array("\r\n+SMSUB: \"t\",\"\(text)\"\r\n".utf8))
      modem.run(for: .milliseconds(400))
      guard isUnmoved(modem), modem.handle.modem.facts.mqtt == .yes else {
        Issue.record("text \(number): \(text.debugDescription)")
        return
      }
    }
    #expect(modem.times(of: .started).isEmpty)
    #expect(modem.count("+SMCONN", since: begun) == 0 && modem.count("E1", since: begun) == 0)
  }

  /// The result of a publication that comes after a text is in doubt: it goes again, and nothing is done to the modem.
  @Test func noPublishedTextEndsAPublication() {
    let modem = subscribed()
    var hold = true
    modem.payloadScript = { _, _ in hold ? .nothing : nil }
    var texts = HostileTexts(dice: SplitMix64(seed: 2))
    for number in 0..<2500 {
      let text = number % 3 == 0 ? texts.next() : texts.nextLong()
      let ticket = HostileTexts.firstTicket + UInt32(number)
      let count = modem.payloads.count
      hold = true
      modem.submit("{\"a\":2}", ticket: ticket, by: .mqtt)
      modem.run(for: .seconds(10)) { $0.payloads.count == count }
      modem.run(for: .milliseconds(50))
      modem.hand(Array("\r\n+SMSUB: \"t\",\"\(text)\"\r\n".utf8))
      modem.run(for: .seconds(1))
      guard modem.payloads.count > count, !modem.outcomes.contains(.delivered(ticket: ticket)), isUnmoved(modem)
      else {
        Issue.record("text \(number): \(text.debugDescription) \(modem.recoveries)")
        return
      }
      hold = false
      modem.hand(Array("\r\nOK\r\n".utf8))
      guard modem.deliver(within: .seconds(60)), modem.outcomes.last == .delivered(ticket: ticket) else {
        Issue.record("the packet behind text \(number): \(text.debugDescription)")
        return
      }
      modem.forgetLog()
    }
  }

  /// With a packet on its way whose acknowledgement is awaited, messages are read, as text and as digits.
  @Test(arguments: [false, true]) func noMessageIsASignOfAStartOrAnAcknowledgement(asDigits: Bool) {
    let modem = ScriptedModem(isOn: true)
    modem.takesDigits = asDigits
    modem.submit(by: .tcp)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(30))
    var texts = HostileTexts(dice: SplitMix64(seed: asDigits ? 4 : 3))
    modem.acknowledges = false
    for number in 0..<1500 {
      let text = asDigits ? texts.nextShort() : texts.next().replacing("\u{1A}", with: "")
      let ticket = HostileTexts.firstTicket + UInt32(number)
      let count = (payloads: modem.payloads.count, replies: modem.replies.count)
      modem.submit("{\"a\":2}", ticket: ticket, by: .tcp)
      modem.run(for: .seconds(10)) { $0.payloads.count == count.payloads }
      // A modem says nothing between a byte and its echo.
      modem.run(for: .milliseconds(50))
      modem.store[1] =
        asDigits
        ? HostileTexts.digits(text, isWide: number % 2 == 0)
        : "+CMGR: \"REC UNREAD\",\"+31600000001\",\"\",\"26/11/22,16:00:00+04\"\r\n\(text)\r\n"
      modem.say(["+CMTI: \"SM\",1"])
      // A message waits for the server's line, but no longer than 5 s: the line that brings both may be bad.
      modem.run(for: .seconds(6)) { !$0.store.isEmpty }
      modem.run(for: .milliseconds(100))
      let isWhole = !asDigits || modem.replies.last == "+31612345678\n\(text)"
      guard modem.store.isEmpty, isUnmoved(modem), modem.replies.count == count.replies + 1, isWhole,
        !modem.outcomes.contains(.delivered(ticket: ticket))
      else {
        Issue.record("text \(number): \(text.debugDescription), \(modem.replies.count - count.replies)")
        return
      }
      modem.waiting = "ACK \(ticket)\n"
      modem.say(["+CIPRXGET: 1,0"])
      guard modem.deliver(within: .seconds(10)), modem.outcomes.last == .delivered(ticket: ticket) else {
        Issue.record("the packet behind text \(number): \(text.debugDescription)")
        return
      }
      modem.forgetLog()
    }
  }

  /// The body of an answer is read while the next packet is under way.
  @Test(arguments: [ModemTransport.http, .legacyHTTP])
  func noBodyOfAnAnswerIsASignOfAStartOrAnAnswer(transport: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    let request = transport == .http ? "+SHREQ" : "+HTTPACTION"
    var texts = HostileTexts(dice: SplitMix64(seed: transport == .http ? 5 : 6))
    var next = ""
    modem.script = { modem, command, _ in
      // The answer before was read by now.
      if command.hasPrefix("+SHBODEXT") || command.hasPrefix("+HTTPDATA") { modem.body = next }
      return command.hasPrefix(request) ? .late(.seconds(2)) : nil
    }
    var body = ""
    for number in 0..<1250 {
      let ticket = HostileTexts.firstTicket + UInt32(number)
      let count = (requests: modem.count(request), replies: modem.replies.count)
      next = texts.next()
      modem.submit("{\"a\":2}", ticket: ticket, by: transport)
      modem.run(for: .seconds(60)) { $0.count(request) == count.requests }
      // What came before was read by now, as it was sent.
      let isRead = body.isEmpty || modem.replies.last == body && modem.replies.count == count.replies + 1
      modem.run(for: .seconds(1))
      guard isRead, isUnmoved(modem), !modem.outcomes.contains(.delivered(ticket: ticket)) else {
        Issue.record("text \(number): \(body.debugDescription)")
        return
      }
      body = next
      guard modem.deliver(within: .seconds(5)), modem.outcomes.last == .delivered(ticket: ticket) else {
        Issue.record("the packet behind text \(number): \(body.debugDescription)")
        return
      }
      modem.forgetLog()
    }
  }

  /// Only a line of the server with the number of the packet acknowledges it.
  @Test(arguments: [ModemTransport.tcp, .applicationTCP])
  func noDataOfAServerIsASignOfAStartOrALoss(transport: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: transport)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(30))
    modem.acknowledges = false
    let notice = transport == .tcp ? "+CIPRXGET: 1,0" : "+CADATAIND: 0"
    var texts = HostileTexts(dice: SplitMix64(seed: transport == .tcp ? 7 : 8))
    for number in 0..<1250 {
      let text = texts.next()
      let ticket = HostileTexts.firstTicket + UInt32(number)
      let count = modem.payloads.count
      modem.submit("{\"a\":2}", ticket: ticket, by: transport)
      modem.run(for: .seconds(10)) { $0.payloads.count == count }
      modem.run(for: .milliseconds(200))
      modem.waiting = text
      modem.say([notice])
      modem.run(for: .seconds(1))
      guard modem.waiting.isEmpty, isUnmoved(modem), !modem.outcomes.contains(.delivered(ticket: ticket)) else {
        Issue.record("text \(number): \(text.debugDescription)")
        return
      }
      modem.waiting = "\nACK \(ticket)\n"
      modem.say([notice])
      guard modem.deliver(within: .seconds(10)), modem.outcomes.last == .delivered(ticket: ticket) else {
        Issue.record("the packet behind text \(number): \(text.debugDescription)")
        return
      }
      modem.forgetLog()
    }
  }

  @Test func aModemIsMadeReadyBeforeThereIsAPacket() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.idle = .off })
    modem.run(for: .seconds(10))
    #expect(modem.handle.modem.phase == .off && !modem.isOn)
    modem.handle.modem.prepare(for: .mqtt, lasting: .seconds(60), at: modem.now)
    modem.run(for: .seconds(30)) { $0.handle.modem.facts.mqtt != .yes }
    #expect(modem.bearerIsUp && modem.brokerIsUp)
    modem.run(for: .seconds(20))
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(2)))
    modem.run(for: .seconds(120))
    #expect(modem.handle.modem.phase == .off)
  }

  @Test(arguments: [
    // Packed, as bytes, in UCS2.
    ("07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07", "+31641600986\nHow are you?"),
    ("0791447758100650040B911316325476F8000462112261000000" + "0548656C6C6F", "+31612345678\nHello"),
    ("0791447758100650040B911316325476F8000862112261000000" + "0400520044", "+31612345678\nRD"),
  ])
  func aMessageAsDigitsIsReadLikeAText(digits: String, expected: String) {
    let bytes = Array(digits.utf8)
    var message = InlineBytes<512>()
    let isRead = MessagePDU.read(bytes.span, into: &message)
    let text = String(decoding: (0..<message.count).map { message[$0] }, as: UTF8.self)
    #expect(isRead && text == expected, "\(text)")
    for count in stride(from: 0, to: bytes.count - 2, by: 1) {
      var part = InlineBytes<512>()
      let shorter = Array(bytes[..<count])
      #expect(!MessagePDU.read(shorter.span, into: &part), "\(count) digits")
    }
  }
}
