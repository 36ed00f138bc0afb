import Quantities
import Testing

@testable import ATCommands

/// What is counted or quoted ends where it ends, neither before nor after.
@Suite struct ATWholeTextTests {
  @Test func countedBytesThatBrokeOffSwallowNoLaterAnswer() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.get)
    dialogue.hear("\r\n+CIPRXGET: 2,0,100,0\r\npong")
    dialogue.wait(.seconds(5) + .milliseconds(100))
    #expect(dialogue.events == ["info +CIPRXGET: 2,0,100,0", "timedOut"])
    dialogue.sentBytes()
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    #expect(dialogue.written.hasSuffix("AT\rAT+IPR?\r"))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "synchronised" && dialogue.isReady)
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
    #expect(dialogue.events.suffix(2) == ["info +CSQ: 24,99", "ok"])
  }

  @Test func aMessageThatQuotesAtTheEndOfALineGoesOnToItsLastQuote() {
    for chunk in [1, nil] as [Int?] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.hear("\r\n+SMSUB: \"t\",\"he said \"yes\"\r\nRDY\r\nand \"no\"\r\nNORMAL POWER DOWN\r\nbye\"\r\n")
      dialogue.wait(.milliseconds(100))
      #expect(
        dialogue.events == ["urc +SMSUB: \"t\",\"he said \"yes\"\nRDY\nand \"no\"\nNORMAL POWER DOWN\nbye\""])
    }
  }

  /// What a network says ends in a quote and a number, or is one line without a text: what stands behind is the modem's.
  @Test(arguments: [1, 3, nil] as [Int?]) func aTextOfTheNetworkEndsBehindItsNumber(chunk: Int?) {
    for text in [
      "0,\"Your credit is 5 EUR\",15", "2,\"a\r\nOK\r\n\r\nERROR\r\nb\", 15", "1,\"he said \"yes\"\r\nRDY\"", "4",
      "0,\"a\",15\r\n+SHREQ: \"POST\",200,0\r\nb\",15",
    ] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.send(Words("+SHREQ=1", ATGrammar(end: .okThenNamed("+SHREQ"), within: .seconds(5))))
      dialogue.hear("\r\nOK\r\n\r\n+CUSD: \(text)\r\n\r\n+SHREQ: \"POST\",201,0\r\n")
      dialogue.wait(.seconds(3))
      // A blank line within a text leaves nothing.
      let told = text.replacing("\r\n\r\n", with: "\n").replacing("\r\n", with: "\n")
      #expect(
        dialogue.events == ["urc +CUSD: \(told)", "info +SHREQ: \"POST\",201,0", "ok"], "\(text): \(dialogue.events)")
    }
  }

  /// One that has not said its end, or that goes on behind a pause, proves nothing.
  @Test(arguments: [
    ("0,\"Your credit", ".\",15"), ("0,Your credit", "is 5"), ("0,\"a\",15", "b\",15"), ("0,\"a\"", "b\",15"),
  ])
  func aTextOfTheNetworkThatGoesOnProvesNothing(first: String, second: String) {
    let dialogue = Dialogue()
    dialogue.send(Words("+SHREQ=1", ATGrammar(end: .okThenNamed("+SHREQ"), within: .seconds(5))))
    dialogue.hear("\r\nOK\r\n\r\n+CUSD: \(first)\r\n")
    dialogue.wait(.milliseconds(300))
    dialogue.hear("+SHREQ: \"POST\",200,0\r\n\(second)\r\n")
    dialogue.wait(.seconds(6))
    #expect(dialogue.events.contains("doubtful") && !dialogue.events.contains("ok"), "\(dialogue.events)")
  }

  private static let publish = Words(
    "+SMPUB=\"t\",4,1,0", ATGrammar(prompt: .angle, within: .seconds(5), outcomeWithin: .seconds(45)))

  /// A channel that has published four bytes and waits for the broker.
  private func published() -> Dialogue {
    let dialogue = Dialogue()
    dialogue.send(ATWholeTextTests.publish, payloadCount: 4)
    dialogue.hear("\r\n> ")
    dialogue.give([0x61, 0x61, 0x61, 0x61])
    dialogue.wait(.milliseconds(10))
    #expect(dialogue.events == ["prompt"])
    return dialogue
  }

  /// Its last quote is lost with what found no room: no other is the end, and nothing behind one is the modem's.
  @Test(arguments: [
    "a\"\r\n\r\nOK\r\n" + String(repeating: "x", count: 720),
    "a\"\r\n\r\nOK\r\n" + String(repeating: "x\r\n", count: 500),
    String(repeating: "x", count: 720) + "\"\r\n\r\nOK\r\ny",
  ])
  func aMessageThatIsTooLongProvesNothingOfAPublication(text: String) {
    let dialogue = published()
    dialogue.hear("\r\n+SMSUB: \"t\",\"\(text)\"\r\n")
    dialogue.wait(.seconds(3))
    // A broker that takes its time is left in peace: nothing is sent meanwhile.
    #expect(dialogue.written.hasSuffix("aaaa") && !dialogue.events.contains("ok"), "\(dialogue.events)")
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.seconds(46))
    #expect(dialogue.events.contains("doubtful") && !dialogue.events.contains("ok"), "\(dialogue.events)")
  }

  /// So does one that has not said its last quote when the line falls silent.
  @Test(arguments: [Interval.milliseconds(120), .seconds(4)])
  func aMessageThatPausesProvesNothingOfAPublication(pause: Interval) {
    let dialogue = published()
    dialogue.hear("\r\n+SMSUB: \"t\",\"a")
    dialogue.wait(pause)
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(pause)
    dialogue.hear("b\"\r\n")
    dialogue.wait(.seconds(46))
    #expect(dialogue.events.contains("doubtful") && !dialogue.events.contains("ok"), "\(dialogue.events)")
  }

  /// A quote at the end of a line before the pause may be one within the text.
  @Test func aMessageThatPausesBehindAQuoteProvesNothingOfAPublication() {
    let dialogue = published()
    dialogue.hear("\r\n+SMSUB: \"t\",\"a\"\r\n")
    dialogue.wait(.milliseconds(150))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    #expect(dialogue.written.hasSuffix("AT+IPR?\r"))
    dialogue.hear("b\"\r\n")
    dialogue.wait(.milliseconds(100))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.contains("doubtful") && !dialogue.events.contains("ok"), "\(dialogue.events)")
  }

  /// A text may stand behind another in one burst, or a notice that ends in a quote. The first is what it is up to its quote; an outcome
  /// behind it, however it looks, may be a line of the second, or the whole be a text that quotes.
  @Test(arguments: [1, 3, nil] as [Int?])
  func whatStandsBehindATextIsNoPartOfItAndProvesNothing(chunk: Int?) {
    let outcome = "+SHREQ: \"POST\",200,0"
    for (behind, second) in [
      ("+CMT: \"+316\",\"\",\"26/11/22,16:00:00+04\"\r\n\(outcome)", true),
      ("+CMT: \"+316\",\"\",\"26/11/22\"\r\nOK\r\n\(outcome)\r\n+CMT: \"x\"", true),
      ("+CREG: 1,\"1A2B\"\r\n\(outcome)", false), ("+CPSMSTATUS: \"EXIT PSM\"\r\n\r\n\(outcome)", false),
      ("\(outcome)\r\n+CREG: 1,\"1A2B\"", false),
    ] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.send(Words("+SHREQ=1", ATGrammar(end: .okThenNamed("+SHREQ"), within: .seconds(5))))
      dialogue.hear("\r\nOK\r\n\r\n+SMSUB: \"t\",\"hi\"\r\n\r\n\(behind)\r\n")
      dialogue.wait(.seconds(6))
      #expect(dialogue.events.contains("urc +SMSUB: \"t\",\"hi\""), "\(dialogue.events)")
      #expect(!dialogue.events.contains("ok"), "\(dialogue.events)")
      let burst = behind.replacing("\r\n", with: "\n")
      #expect(dialogue.events.contains("urc \(burst)") == second, "\(dialogue.events)")
    }
  }

  /// A notice behind a message disturbs neither it nor what is asked next.
  @Test func aNoticeBehindAMessageLeavesBothWhole() {
    for notice in [
      "+CPSMSTATUS: \"EXIT PSM\"", "+CMTI: \"SM\",1", "+CEDRXP: 4,\"0010\",\"0010\",\"0011\"", "+CREG: 1,\"1A2B\"",
    ] {
      let dialogue = Dialogue()
      dialogue.hear("\r\n+SMSUB: \"t\",\"status\"\r\n")
      dialogue.wait(.milliseconds(50))
      dialogue.hear("\r\n\(notice)\r\n")
      dialogue.wait(.milliseconds(200))
      #expect(dialogue.events == ["urc +SMSUB: \"t\",\"status\"", "urc \(notice)"])
      dialogue.send(ATChannelTests.csq)
      dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
      #expect(dialogue.events.suffix(2) == ["info +CSQ: 24,99", "ok"])
    }
    // It is none without a quote before it, or with something else behind.
    for text in [
      "+CREG: 1,\"1A2B", "a\"\r\n+CREG: 1,\"1A2B\"\r\nb", "a\"\r\n+creg: 1,\"1A2B", "a\"\r\n+: \"b", "+CMT: \"b",
    ] {
      let dialogue = Dialogue()
      dialogue.hear("\r\n+SMSUB: \"t\",\"\(text)\"\r\n")
      dialogue.wait(.milliseconds(200))
      #expect(dialogue.events == ["urc +SMSUB: \"t\",\"\(text.replacing("\r\n", with: "\n"))\""])
    }
  }

  /// A text that has said a quote may go on behind a pause, and what goes on ends in a quote: an outcome in between may be its own.
  @Test(arguments: [
    ("", "ok", 1000), ("\r\nOK\r\n", "ok", 1000), ("\r\n+CMTI: \"SM\",1\r\n", "ok", 1000),
    ("OK\r\nlast\"\r\n", "doubtful", 0), ("\r\n+SHREQ: \"POST\",200,0\r\n", "doubtful", 0),
  ])
  func anOutcomeBehindATextIsHeldForAMoment(more: String, end: String, within: Int) {
    let dialogue = Dialogue()
    dialogue.send(Words("+SHREQ=1", ATGrammar(end: .okThenNamed("+SHREQ"), within: .seconds(5))))
    dialogue.hear("\r\nOK\r\n\r\n+SMSUB: \"t\",\"first\"\r\n")
    dialogue.wait(.milliseconds(250))
    dialogue.hear("+SHREQ: \"POST\",200,0\r\n")
    #expect(!dialogue.events.contains("ok"))
    dialogue.hear(more)
    dialogue.wait(.milliseconds(max(0, within - 50)))
    #expect(dialogue.events.contains(end) == (within == 0), "\(dialogue.events)")
    dialogue.wait(.milliseconds(100))
    #expect(dialogue.events.contains(end), "\(dialogue.events)")
    #expect(dialogue.events.contains("ok") == (end == "ok"))
  }

  /// Long behind a text an outcome counts at once.
  @Test func anOutcomeLongBehindATextCountsAtOnce() {
    let dialogue = Dialogue()
    dialogue.hear("\r\n+SMSUB: \"t\",\"first\"\r\n")
    dialogue.wait(.milliseconds(5200))
    dialogue.send(Words("+SHREQ=1", ATGrammar(end: .okThenNamed("+SHREQ"), within: .seconds(5))))
    dialogue.hear("\r\nOK\r\n+SHREQ: \"POST\",200,0\r\n")
    #expect(dialogue.events.last == "ok")
  }

  @Test func thePublicationBehindATextWithoutAnEndIsConfirmed() {
    let dialogue = Dialogue()
    dialogue.hear("\r\n+SMSUB: \"t\",\"a")
    dialogue.wait(.milliseconds(200))
    dialogue.send(ATWholeTextTests.publish, payloadCount: 4)
    dialogue.hear("\r\n> ")
    dialogue.give([0x61, 0x61, 0x61, 0x61])
    dialogue.wait(.milliseconds(10))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    #expect(dialogue.events.last == "prompt" && dialogue.written.hasSuffix("AT+IPR?\r"), "\(dialogue.events)")
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "ok")
  }

  /// Anybody who can publish to the topic writes this: it must neither end the program nor the conversation.
  @Test func aMessageThatFillsTheLineToItsLastByteIsCutAndTheNextOneIsHeard() {
    let begin = "+SMSUB: \"t\",\"x\"\r\n"
    for length in ATChannel<PlainDialect>.lineCapacity - 40...ATChannel<PlainDialect>.lineCapacity + 4 {
      for end in ["\r\n:", "\r\n+SMSUB:", "\r\n+SMSUB: \"t\",\"pong\""] {
        let dialogue = Dialogue()
        dialogue.hear("\r\n" + begin + String(repeating: "y", count: length - begin.utf8.count) + end + "\r\n")
        dialogue.wait(.milliseconds(200))
        #expect(dialogue.events.first?.hasPrefix("urc +SMSUB: \"t\",\"x\"") == true, "\(length)")
        dialogue.send(ATChannelTests.csq)
        dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
        #expect(dialogue.events.suffix(2) == ["info +CSQ: 24,99", "ok"], "\(length)")
      }
    }
  }
}
