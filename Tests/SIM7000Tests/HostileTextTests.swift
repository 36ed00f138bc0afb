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
    "0, CLOSED",
  ]
  var dice: SplitMix64

  mutating func next() -> String {
    let count = 1 + Int(dice.next() % 12)
    return (0..<count).map { _ in HostileTexts.words[Int(dice.next() % UInt64(HostileTexts.words.count))] }.joined()
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

@Suite struct HostileTextTests {
  private func subscribed() -> ScriptedModem {
    let modem = ScriptedModem(
      ScriptedModem.configuration { $0.mqttCommandTopic = TopicName("t") ?? TopicName() }, isOn: true)
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(10))
    return modem
  }

  @Test func noPublishedTextIsASignOfAStartOrOfALoss() {
    let modem = subscribed()
    let begun = modem.now
    var texts = HostileTexts(dice: SplitMix64(seed: 1))
    for number in 0..<10_000 {
      let text = texts.next()
      modem.hand(Array("\r\n+SMSUB: \"t\",\"\(text)\"\r\n".utf8))
      modem.run(for: .milliseconds(400))
      guard modem.recoveries.isEmpty, modem.handle.modem.facts.mqtt == .yes else {
        Issue.record("text \(number): \(text.debugDescription)")
        return
      }
    }
    #expect(modem.handle.modem.diagnostics.starts == 0 && modem.times(of: .started).isEmpty)
    #expect(modem.count("+SMCONN", since: begun) == 0 && modem.count("E1", since: begun) == 0)
  }

  @Test func noPublishedTextEndsAPublication() {
    var texts = HostileTexts(dice: SplitMix64(seed: 2))
    for number in 0..<900 {
      let text = number % 3 == 0 ? texts.next() : texts.nextLong()
      let modem = subscribed()
      modem.payloadScript = { _, _ in .nothing }
      modem.submit("{\"a\":2}", ticket: 8, by: .mqtt)
      modem.run(for: .seconds(2)) { $0.payloads.count < 2 }
      modem.run(for: .milliseconds(50))
      modem.hand(Array("\r\n+SMSUB: \"t\",\"\(text)\"\r\n".utf8))
      modem.run(for: .seconds(1))
      guard !modem.outcomes.contains(.delivered(ticket: 8)) else {
        Issue.record("text \(number): \(text.debugDescription)")
        return
      }
    }
  }

  @Test func noMessageIsASignOfAStart() {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: .http)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(30))
    var texts = HostileTexts(dice: SplitMix64(seed: 3))
    for number in 0..<2000 {
      let text = texts.next().replacing("\u{1A}", with: "")
      modem.store[1] = "+CMGR: \"REC UNREAD\",\"+31600000001\",\"\",\"26/11/22,16:00:00+04\"\r\n\(text)\r\n"
      modem.say(["+CMTI: \"SM\",1"])
      modem.run(for: .seconds(1)) { !$0.store.isEmpty }
      modem.run(for: .milliseconds(100))
      guard modem.store.isEmpty, modem.recoveries.isEmpty, modem.replies.count == number + 1 else {
        Issue.record("text \(number): \(text.debugDescription), \(modem.replies.count)")
        return
      }
    }
    #expect(modem.handle.modem.diagnostics.starts == 0)
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
