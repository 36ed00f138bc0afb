import Quantities
import Testing

@testable import ATCommands

/// Of the line and the `OK` that end a text message one may be missing: by the firmware, or by a line that loses bytes.
@Suite struct ATHalfEndTests {
  private static let sms = Words(
    "+CMGS=\"1\"", ATGrammar(information: .named("+CMGS"), prompt: .angle, outcomeWithin: .seconds(60)))

  private func sent(echo: ATEcho = .unknown, before: (Dialogue) -> Void = { _ in }) -> Dialogue {
    let dialogue = Dialogue()
    before(dialogue)
    dialogue.channel.echo = echo
    dialogue.events = []
    dialogue.send(ATHalfEndTests.sms, payloadCount: 3, subject: 7)
    if echo == .verified { dialogue.hear("AT+CMGS=\"1\"\r") }
    dialogue.hear("\r\n> ")
    dialogue.write("hi", end: 0x1A)
    return dialogue
  }

  @Test(arguments: [ATEcho.unknown, .verified]) func oneHalfCountsOnceTheOtherHasHadItsTime(echo: ATEcho) {
    for (half, told, end) in [("\r\nOK\r\n", [], "open"), ("\r\n+CMGS: 3\r\n", ["info +CMGS: 3"], "ok")] {
      let dialogue = sent(echo: echo)
      if echo == .verified { dialogue.hear("hi") }
      dialogue.wait(.seconds(20))
      dialogue.hear(half)
      dialogue.wait(.milliseconds(4990))
      #expect(dialogue.events == ["prompt"] + told)
      dialogue.wait(.milliseconds(20))
      #expect(dialogue.events == ["prompt"] + told + [end])
      #expect(dialogue.isReady)
    }
  }

  /// The other half comes in its time, whichever it is, and a refusal behind the number is one.
  @Test func theOtherHalfCompletesIt() {
    for (first, second, end) in [
      ("OK", "+CMGS: 3", "ok"), ("+CMGS: 3", "OK", "ok"), ("OK", "ERROR", "error"),
      ("+CMGS: 3", "+CMS ERROR: 500", "messageError(ATCommands.CMSError(code: 500))"),
    ] {
      let dialogue = sent()
      dialogue.hear("\r\n\(first)\r\n")
      dialogue.wait(.seconds(4))
      dialogue.hear("\r\n\(second)\r\n")
      dialogue.wait(.seconds(2))
      #expect(dialogue.events.last == end, "\(first), \(second): \(dialogue.events)")
    }
  }

  /// What may be another's counts for nothing: a line of a text without an end, the late `OK` of an earlier message, an echo that shows
  /// that the modem has got something else.
  @Test func halfOfAnotherEndCountsForNothing() {
    let text = sent()
    text.hear("\r\n+CMT: \"+316\",\"\"\r\nhi\r\n")
    text.wait(.milliseconds(300))
    text.hear("+CMGS: 3\r\n")
    text.wait(.seconds(50))
    #expect(text.events.suffix(1) == ["info +CMGS: 3"], "\(text.events)")

    let late = sent { dialogue in
      dialogue.send(ATHalfEndTests.sms, payloadCount: 3, subject: 6)
      dialogue.hear("\r\n> ")
      dialogue.write("ho", end: 0x1A)
      dialogue.wait(.seconds(62))
      dialogue.hear("\r\nOK\r\n")
      dialogue.wait(.milliseconds(50))
      dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    }
    late.hear("\r\nOK\r\n")
    late.wait(.seconds(50))
    #expect(late.events == ["prompt"], "\(late.events)")

    // The end mark came back as the one that gives the message up, to which `OK` alone is the answer.
    let given = sent(echo: .verified)
    given.hear("hi\u{1B}\r\n\r\nOK\r\n")
    given.wait(.seconds(10))
    #expect(given.events.contains("garbled") && !given.events.contains("open"), "\(given.events)")

    let damaged = sent(echo: .verified)
    damaged.hear("h")
    damaged.wait(.milliseconds(50))
    damaged.hear("\r\nOK\r\n")
    damaged.wait(.seconds(10))
    #expect(!damaged.events.contains("ok"), "\(damaged.events)")
  }

  /// The outcome of a payload and its `OK` come in either order, and neither is left for the next command, echoed or not.
  @Test func theOKBehindAnOutcomeIsNotTheNextCommands() {
    for pause in [Interval.zero, .milliseconds(10), .milliseconds(100)] {
      let dialogue = Dialogue()
      dialogue.send(
        Words("+CASEND=0,3", ATGrammar(prompt: .angle, end: .okThenNamed("+CASEND"), patience: .milliseconds(500))),
        payloadCount: 3)
      dialogue.hear("\r\n> ")
      dialogue.write("hi!")
      dialogue.hear("\r\n+CASEND: 0,0,3\r\n")
      #expect(!dialogue.isReady)
      dialogue.wait(pause)
      dialogue.hear("\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", "info +CASEND: 0,0,3", "ok"])
      dialogue.send(Words("+CMGD=1"))
      dialogue.hear("\r\nOK\r\n")
      #expect(dialogue.events.suffix(1) == ["ok"] && dialogue.diagnostics.resultsStray == 0)
    }
    // Where there is none it is waited for a moment only.
    let alone = Dialogue()
    alone.send(Words("+CASEND=0,3", ATGrammar(prompt: .angle, end: .okThenNamed("+CASEND"))), payloadCount: 3)
    alone.hear("\r\n> ")
    alone.write("hi!")
    alone.hear("\r\n+CASEND: 0,0,3\r\n")
    alone.wait(.milliseconds(1010))
    #expect(alone.events.last == "ok" && alone.isReady)
  }

  /// A command waits for the line to be quiet: what comes before it has gone is no answer.
  @Test func whatComesBeforeACommandHasGoneIsNotItsAnswer() {
    for early in ["\r\nOK\r\n", "\r\nERROR\r\n", "\r\n+CSQ: 1,99\r\n\r\nOK\r\n"] {
      let dialogue = Dialogue()
      dialogue.hear("\r\n+CMTI: \"SM\",1\r\n")
      dialogue.events = []
      dialogue.send(ATChannelTests.csq)
      dialogue.hear(early, isEarly: true)
      #expect(dialogue.events.allSatisfy { $0.hasPrefix("urc") }, "\(dialogue.events)")
      dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
      #expect(dialogue.events.suffix(2) == ["info +CSQ: 24,99", "ok"], "\(dialogue.events)")
    }
  }

  /// A probe that has not been answered is owed, although the fence behind it was answered and only its line lost.
  @Test func theLateAnswerOfAProbeIsNoGoodEnd() {
    let dialogue = Dialogue()
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.hear("AT\r")
    dialogue.wait(.milliseconds(510))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    #expect(dialogue.written.hasSuffix("AT+IPR?\r"))
    dialogue.hear("AT+I+IPR: 115200\r\n\r\nOK\r\n")
    dialogue.wait(.milliseconds(1100))
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "synchronised")
    dialogue.send(ATHalfEndTests.sms, payloadCount: 3)
    dialogue.hear("AT+CMGS=\"1\"\r\r\n> ")
    dialogue.write("hi", end: 0x1A)
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.seconds(20))
    #expect(!dialogue.events.contains("ok"), "\(dialogue.events)")
  }
}
