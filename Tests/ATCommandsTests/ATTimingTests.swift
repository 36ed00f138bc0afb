import Quantities
import Testing

@testable import ATCommands

/// Deadlines of the line, each at both of its sides.
@Suite struct ATTimingTests {
  private let plain = Words("+CMGF=1")

  private func timedOut(_ timing: ATTiming = ATTiming(), payloadCount: Int = 0) -> Dialogue {
    let dialogue = Dialogue(timing: timing)
    dialogue.send(Words("+CMGF=1", ATGrammar(within: .seconds(1))), payloadCount: payloadCount)
    dialogue.sentBytes()
    dialogue.wait(.milliseconds(999))
    #expect(dialogue.events == [])
    return dialogue
  }

  @Test func theDefaultsAreThoseOfTheirComments() {
    let timing = ATTiming()
    #expect(timing.gap == .milliseconds(20) && timing.quiet == .milliseconds(100) && timing.quietLimit == .seconds(2))
    #expect(timing.probeTimeout == .milliseconds(500) && timing.lateness == .seconds(120) && timing.probeTries == 4)
    let grammar = ATGrammar()
    #expect(grammar.answerTimeout == .seconds(5) && grammar.outcomeTimeout == .seconds(60))
  }

  /// And a second and a half later it counts as silent: it may have been there just before.
  @Test func aSilentModemIsProbedFourTimesHalfASecondApart() {
    let dialogue = timedOut()
    let start = Instant.seconds(1)
    #expect(
      dialogue.timetable(.seconds(10), from: start) == [
        "1000 timedOut", "1100 AT.", "1600 AT.", "2100 ATE1.", "2600 \u{1B}\u{1A}.ATE1Q0V1.", "4600 silent",
      ])
    #expect(dialogue.diagnostics.timeouts == 1 && dialogue.diagnostics.resynchronisations == 0)
    #expect(dialogue.isReady)
  }

  @Test func timesAndTriesOfTheLineAreUsed() {
    var timing = ATTiming()
    timing.probeTries = 6
    timing.probeTimeout = .milliseconds(200)
    let dialogue = timedOut(timing)
    #expect(
      dialogue.timetable(.seconds(10), from: .seconds(1)) == [
        "1000 timedOut", "1100 AT.", "1300 AT.", "1500 AT.", "1700 AT.", "1900 ATE1.",
        "2100 \u{1B}\u{1A}.ATE1Q0V1.", "3800 silent",
      ])
    timing.gap = .milliseconds(70)
    let gap = Dialogue(timing: timing)
    gap.hear("\r\nSMS Ready\r\n")
    gap.send(plain)
    gap.now = gap.now + .milliseconds(69)
    #expect(gap.sentBytes() == "")
    gap.now = gap.now + .milliseconds(1)
    #expect(gap.sentBytes() == "AT+CMGF=1\r")
  }

  @Test func aPayloadIsLeftBeforeTheFirstProbeAndFilledUpAfterTheLast() {
    let dialogue = timedOut(payloadCount: 7)
    #expect(
      dialogue.timetable(.seconds(10), from: .seconds(1)) == [
        "1000 timedOut", "1100 \u{1B}AT.", "1600 AT.", "2100 ATE1.", "2600 ATE1Q0V1.", "3100 AT.AT.AT.AT.AT.",
        "3600 ATE1.", "4100 \u{1B}\u{1A}.ATE1Q0V1.", "6100 silent",
      ])
  }

  @Test(arguments: [100, 250])
  func rubbishIsWaitedOutUntilTheLineIsQuiet(milliseconds: Int) {
    var timing = ATTiming()
    if milliseconds != 100 { timing.quiet = .milliseconds(milliseconds) }
    let dialogue = timedOut(timing)
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events == ["timedOut"])
    dialogue.wait(.milliseconds(60))
    dialogue.hear("x")
    dialogue.wait(.milliseconds(30))
    dialogue.hear("y")
    let last = dialogue.now
    #expect(dialogue.timetable(.milliseconds(milliseconds + 10), from: last) == ["\(milliseconds) AT."])
  }

  @Test(arguments: [2000, 700])
  func aModemThatKeepsTalkingIsSpokenToAtTheLimit(milliseconds: Int) {
    var timing = ATTiming()
    timing.quietLimit = .milliseconds(milliseconds)
    let dialogue = Dialogue(timing: timing)
    dialogue.send(Words("+CMGF=1", ATGrammar(within: .seconds(1))))
    dialogue.wait(.milliseconds(980))
    dialogue.hear("$G")
    dialogue.wait(.milliseconds(40))
    #expect(dialogue.events == ["timedOut"])
    let timedOutAt = Instant.seconds(2)
    dialogue.written = ""
    while dialogue.now < timedOutAt + .milliseconds(milliseconds - 50) {
      dialogue.hear("$")
      dialogue.wait(.milliseconds(50))
      #expect(dialogue.written == "", "\(dialogue.now.secondsDouble)")
    }
    dialogue.hear("$")
    dialogue.wait(.milliseconds(60))
    #expect(dialogue.written == "AT\r")
  }

  @Test func theAnswerThePromptAndTheOutcomeHaveTimesOfTheirOwn() {
    let grammar = ATGrammar(prompt: .angle, within: .seconds(3), outcomeWithin: .seconds(40))
    let publish = Words("+SMPUB=\"t\",5,1,0", grammar)
    for (limit, seconds) in [(nil, 40), (.seconds(7), 7), (.seconds(50), 40)] as [(Interval?, Int)] {
      let answer = Dialogue()
      answer.send(publish, payloadCount: 5, outcomeWithin: limit)
      answer.wait(.milliseconds(2999))
      #expect(answer.events == [])
      answer.wait(.milliseconds(1))
      #expect(answer.events == ["timedOut"])

      let prompt = Dialogue()
      prompt.send(publish, payloadCount: 5, outcomeWithin: limit)
      prompt.hear("\r\n> ")
      prompt.wait(.seconds(seconds) - .milliseconds(1))
      #expect(prompt.events == ["prompt"])
      prompt.wait(.milliseconds(1))
      #expect(prompt.events == ["prompt", "timedOut"])

      let outcome = Dialogue()
      outcome.send(publish, payloadCount: 5, outcomeWithin: limit)
      outcome.hear("\r\n> ")
      outcome.wait(.seconds(1))
      outcome.write("hello")
      outcome.wait(.seconds(seconds) - .milliseconds(1))
      #expect(outcome.events == ["prompt"])
      outcome.wait(.milliseconds(1))
      #expect(outcome.events == ["prompt", "timedOut"])
    }
  }

  @Test func anOutcomeHasItsTimeFromTheOKOn() {
    let request = Words("+SHREQ=\"/\",3", ATGrammar(end: .okThenNamed("+SHREQ"), outcomeWithin: .seconds(30)))
    let dialogue = Dialogue()
    dialogue.send(request)
    dialogue.wait(.seconds(4))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(29_999))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events == ["open"] && dialogue.isReady)
  }

  @Test func anOutcomeThatIsFirstWaitsASecondForItsOK() {
    let request = Words("+SHREQ=\"/\",3", ATGrammar(end: .okThenNamed("+SHREQ")))
    let dialogue = Dialogue()
    dialogue.send(request)
    dialogue.hear("\r\n+SHREQ: \"POST\",200,11\r\n")
    dialogue.wait(.milliseconds(999))
    #expect(dialogue.events == ["info +SHREQ: \"POST\",200,11"] && !dialogue.isReady)
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events.last == "ok" && dialogue.isReady)
    let error = Dialogue()
    error.send(request)
    error.hear("\r\n+SHREQ: \"POST\",200,11\r\n\r\nERROR\r\n")
    #expect(error.events.last == "error")
  }

  @Test func theFenceIsSentTwiceAndThenTheModemIsSilent() {
    let dialogue = Dialogue()
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.sentBytes()
    dialogue.wait(.milliseconds(100))
    dialogue.hear("\r\nOK\r\n")
    let start = dialogue.now
    #expect(
      dialogue.timetable(.seconds(10), from: start) == ["20 AT+IPR?.", "1020 AT+IPR?.", "9020 silent"])
  }

  /// Both sides of the time for which an answer may be late.
  @Test(arguments: [120, 10])
  func anEndIsDoubtedAsLongAsAnOlderOneMayCome(seconds: Int) {
    for (after, isDoubted) in [(-1, true), (0, true), (1, false)] {
      var timing = ATTiming()
      if seconds != 120 { timing.lateness = .seconds(seconds) }
      let dialogue = Dialogue(timing: timing)
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.wait(.seconds(60))
      let timedOutAt = dialogue.now
      dialogue.hear("\r\nOK\r\n")
      dialogue.wait(.milliseconds(50))
      dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      #expect(dialogue.isReady)
      dialogue.wait(timedOutAt + .seconds(seconds) + .milliseconds(after) - dialogue.now)
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.hear("\r\nOK\r\n")
      #expect(dialogue.events.last == (isDoubted ? "prompt" : "ok"), "\(after) ms")
    }
  }

  /// Both sides of the time that a modem may take to prove that an end was its command's own.
  @Test(arguments: [5000, 700])
  func aDoubtfulEndIsConfirmedWithinItsTime(milliseconds: Int) {
    for (after, isInTime) in [(-1, true), (1, false)] {
      var timing = ATTiming()
      if milliseconds != 5000 { timing.confirmation = .milliseconds(milliseconds) }
      let dialogue = Dialogue(timing: timing)
      dialogue.send(ATChannelTests.publish, payloadCount: 5, outcomeWithin: .seconds(1))
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.wait(.milliseconds(1200))
      dialogue.hear("\r\nOK\r\n")
      dialogue.wait(.milliseconds(50))
      dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.hear("\r\nOK\r\n")
      // The fence goes after the gap.
      dialogue.wait(.milliseconds(20 + milliseconds + after))
      dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      #expect(dialogue.events.contains("doubtful") == !isInTime, "\(after) ms")
      #expect((dialogue.events.last == "ok") == isInTime)
    }
  }

  @Test func earlyCallsDoNothingAndLateOnesWhatWasDue() {
    let dialogue = Dialogue()
    dialogue.send(plain)
    dialogue.sentBytes()
    #expect(dialogue.channel.nextDeadline == dialogue.now + .seconds(5))
    for _ in 0..<10 { #expect(dialogue.channel.expire(at: dialogue.now) == .none) }
    dialogue.now = dialogue.now + .seconds(3600)
    #expect(dialogue.channel.expire(at: dialogue.now) == .finished(.timedOut))
    let idle = Dialogue()
    #expect(idle.channel.nextDeadline == nil)
    #expect(idle.channel.expire(at: .seconds(99)) == .none)
  }

  /// A text without a length ends when nothing more has come for its time.
  @Test func aTextEndsAfterItsSilence() {
    let dialogue = Dialogue()
    dialogue.hear("\r\n+SMSUB: \"t\",\"a\r\nOK\r\nb\"\r\n")
    dialogue.wait(.milliseconds(99))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events == ["urc +SMSUB: \"t\",\"a\nOK\nb\""])
    // What stands behind the last quote is the modem's.
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\n+SMSUB: \"t\",\"x\"\r\n\r\n+CSQ: 2\r\n\r\nOK\r\n")
    #expect(dialogue.events.count == 1)
    dialogue.wait(.milliseconds(100))
    #expect(dialogue.events.suffix(3) == ["urc +SMSUB: \"t\",\"x\"", "info +CSQ: 2", "ok"])
  }

  /// The next command waits until a text is over: one that lost its last quote would swallow the answer.
  @Test func noCommandIsSentInTheMiddleOfAText() {
    let dialogue = Dialogue()
    dialogue.hear("\r\n+SMSUB: \"t\",\"torn\r\n")
    #expect(!dialogue.isReady)
    dialogue.wait(.milliseconds(99))
    #expect(!dialogue.isReady && dialogue.channel.nextDeadline == dialogue.now + .milliseconds(1))
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.isReady)
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\n+CSQ: 2\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["urc +SMSUB: \"t\",\"torn", "info +CSQ: 2", "ok"])
  }

  @Test func messagesRightBehindEachOtherAreToldApart() {
    let dialogue = Dialogue()
    dialogue.hear("\r\n+SMSUB: \"t\",\"a\"\r\n\r\n+SMSUB: \"t\",\"b\r\nc\"\r\n\r\nhello\r\n")
    dialogue.wait(.milliseconds(100))
    #expect(dialogue.events == ["urc +SMSUB: \"t\",\"a\"", "urc +SMSUB: \"t\",\"b\nc\"", "urc hello"])
  }

  @Test func aMessageEndsWithTheOKThatSilenceFollows() {
    let dialogue = Dialogue()
    dialogue.send(Words("+CMGR=1", ATGrammar(information: .namedThenText("+CMGR"))))
    dialogue.hear("\r\n+CMGR: \"a\"\r\nRDY\r\n\r\nOK\r\n0\r\n\r\nOK\r\n")
    dialogue.wait(.milliseconds(99))
    #expect(dialogue.events == ["info +CMGR: \"a\"", "info RDY", "info OK", "info 0"])
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events.last == "ok")
  }

  /// As digits a message can't be taken for anything, and what comes amid it is no part of it.
  @Test func aNoticeAmidAMessageAsDigitsIsANotice() {
    let dialogue = Dialogue()
    dialogue.send(Words("+CMGR=1", ATGrammar(information: .namedThenText("+CMGR"))))
    dialogue.hear("\r\n+CMGR: 0,,24\r\n\r\n+CEREG: 5\r\n07911326040000F0040B911346610089F6\r\n\r\nOK\r\n")
    #expect(
      dialogue.events == ["info +CMGR: 0,,24", "urc +CEREG: 5", "info 07911326040000F0040B911346610089F6", "ok"])
  }

  @Test func aPendingCommandHasTwoSecondsAfterASignOfAStart() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\nRDY\r\n")
    dialogue.wait(.milliseconds(1999))
    #expect(dialogue.events == ["reset"])
    dialogue.wait(.milliseconds(2))
    #expect(dialogue.events == ["reset", "timedOut"])
  }

  @Test func anOutcomeThatCanBeAskedForIsWaitedForWithPatience() {
    let command = Words("+CNACT=1", ATGrammar(end: .okThenText("UP", failure: "DOWN"), patience: .seconds(5)))
    let dialogue = Dialogue()
    dialogue.send(command)
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(4999))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(1))
    #expect(dialogue.events == ["open"] && dialogue.isReady)
    dialogue.hear("\r\nUP\r\n")
    #expect(dialogue.events.last == "urc UP")
  }

  @Test func aBlockThatBreaksOffAfterAnEarlyOKDoesNotEatTheNextAnswer() {
    let dialogue = Dialogue()
    dialogue.send(
      Words(
        "+CIPRXGET=2,0,100",
        ATGrammar(
          information: .named("+CIPRXGET", shape: .twoFields), counted: .afterLine("+CIPRXGET", count: 2))))
    dialogue.hear("\r\nOK\r\n\r\n+CIPRXGET: 2,0,8,0\r\nab")
    dialogue.wait(.seconds(120))
    #expect(dialogue.isReady)
    dialogue.events = []
    dialogue.send(Words("+CSQ"))
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events == ["ok"])
  }
}
