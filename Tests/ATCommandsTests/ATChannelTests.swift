import Quantities
import Testing

@testable import ATCommands

@Suite struct ATChannelTests {
  static let csq = Words("+CSQ", ATGrammar(information: .named("+CSQ")))
  static let cereg = Words("+CEREG?", ATGrammar(information: .named("+CEREG", shape: .secondFieldBare)))
  static let identity = Words("+GSN", ATGrammar(information: .bare(allowsText: false)))
  static let request = Words("+SHREQ=\"/\",3", ATGrammar(end: .okThenNamed("+SHREQ"), failure: "+SHSTATE: 0"))
  static let read = Words("+SHREAD=0,11", ATGrammar(end: .okThenCounted("+SHREAD", count: 11)))
  static let publish = Words("+SMPUB=\"t\",5,1,0", ATGrammar(prompt: .angle, failure: "+SMSTATE: 0"))
  static let upload = Words("+HTTPDATA=5,1000", ATGrammar(prompt: .download))
  static let get = Words(
    "+CIPRXGET=2,0,100", ATGrammar(information: .none, counted: .afterLine("+CIPRXGET", count: 2)))
  static let address = Words("+CIFSR", ATGrammar(information: .bare(allowsText: false), end: .information))
  static let shut = Words("+CIPSHUT", ATGrammar(end: .text("SHUT OK"), within: .seconds(65)))
  static let start = Words(
    "+CIPSTART=0", ATGrammar(end: .okThenText("CONNECT OK", failure: "CONNECT FAIL")))
  static let socketRead = Words("+CARECV=0,9", ATGrammar(counted: .inlineOrAfterLine("+CARECV")))

  /// Dialogues by command: what the modem says, and what must be reported.
  static let answers: [(Words, String, [String])] = [
    (csq, "\r\n+CSQ: 24,99\r\n\r\nOK\r\n", ["info +CSQ: 24,99", "ok"]),
    (csq, "AT+CSQ\r\r\n+CSQ: 24,99\r\n\r\nOK\r\n", ["info +CSQ: 24,99", "ok"]),
    (csq, "+CSQ: 24,99\r\n0\r", ["info +CSQ: 24,99", "ok"]),
    (csq, "\r\nERROR\r\n", ["error"]),
    (csq, "4\r", ["error"]),
    (csq, "\r\n+CME ERROR: SIM busy\r\n", ["equipmentError(ATCommands.CMEError(code: 14))"]),
    (csq, "\r\n+CME ERROR: 14\r\n", ["equipmentError(ATCommands.CMEError(code: 14))"]),
    (csq, "\r\n+CMS ERROR: 310\r\n", ["messageError(ATCommands.CMSError(code: 310))"]),
    (csq, "\r\n+CSQ: 24,99\r\n\r\nSMS Ready\r\n\r\nOK\r\n", ["info +CSQ: 24,99", "urc SMS Ready", "ok"]),
    (csq, "\r\nOK\r\n\r\n+CSQ: 24,99\r\n\r\nOK\r\n", ["info +CSQ: 24,99", "ok"]),
    (
      cereg, "\r\n+CFUN: 1\r\n\r\n+CEREG: 5\r\n\r\n+CEREG: 2,\"00C3\",\"1\",7\r\n\r\n+CEREG: 0,6\r\n\r\nOK\r\n",
      ["urc +CFUN: 1", "urc +CEREG: 5", "urc +CEREG: 2,\"00C3\",\"1\",7", "info +CEREG: 0,6", "ok"]
    ),
    (
      identity, "\r\nSMS Ready\r\n\r\n865235030116418\r\n\r\nOK\r\n",
      ["urc SMS Ready", "info 865235030116418", "ok"]
    ),
    (request, "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n", ["info +SHREQ: \"POST\",200,11", "ok"]),
    (request, "\r\n+SHREQ: \"POST\",200,11\r\n\r\nOK\r\n", ["info +SHREQ: \"POST\",200,11", "ok"]),
    (request, "\r\nOK\r\n\r\n+SHSTATE: 0\r\n", ["urc +SHSTATE: 0", "failed"]),
    (
      read, "\r\nOK\r\n\r\n+SHREAD: 11\r\n{\"ok\":true}\r\n",
      ["info +SHREAD: 11", "data {\"ok\":true}", "ok"]
    ),
    (
      read, "\r\nOK\r\n\r\n+SHREAD: 6\r\n\nOK\r\n\n\r\n+SHREAD: 5\r\nERROR\r\n",
      ["info +SHREAD: 6", "data \nOK\r\n\n", "info +SHREAD: 5", "data ERROR", "ok"]
    ),
    (
      get, "\r\n+CIPRXGET: 2,0,4,0\r\npong\r\nOK\r\n", ["info +CIPRXGET: 2,0,4,0", "data pong", "ok"]
    ),
    (get, "\r\n+CIPRXGET: 2,0,0,0\r\n\r\nOK\r\n", ["info +CIPRXGET: 2,0,0,0", "ok"]),
    (address, "\r\n10.78.245.128\r\n", ["info 10.78.245.128", "ok"]),
    (address, "\r\nERROR\r\n", ["error"]),
    (shut, "\r\nSHUT OK\r\n", ["info SHUT OK", "ok"]),
    (start, "\r\nOK\r\n\r\n0, CONNECT OK\r\n", ["info 0, CONNECT OK", "ok"]),
    (start, "\r\nOK\r\n\r\n0, CONNECT FAIL\r\n", ["failed"]),
    (socketRead, "\r\n+CARECV: 5,a\r\nOK\r\nOK\r\n", ["info +CARECV: 5,", "data a\r\nOK", "ok"]),
    (socketRead, "\r\n+CARECV: 0,5\r\na\r\nOK\r\nOK\r\n", ["info +CARECV: 0,5", "data a\r\nOK", "ok"]),
    (csq, "\r\n+CSQ: 2\r\nRDY\r\n", ["info +CSQ: 2", "reset"]),
    (csq, "\r\nNORMAL POWER DOWN\r\n", ["poweredDown"]),
  ]

  @Test func everyCutOfAnAnswerGivesTheSameEvents() {
    for (command, text, expected) in ATChannelTests.answers {
      let bytes = Array(text.utf8)
      for cut in 0...bytes.count {
        let dialogue = Dialogue()
        dialogue.send(command)
        dialogue.hear(bytes: Array(bytes.prefix(cut)))
        dialogue.hear(bytes: Array(bytes.dropFirst(cut)))
        #expect(dialogue.events == expected, "cut at \(cut) of \(text.debugDescription)")
      }
      let single = Dialogue(chunk: 1)
      single.send(command)
      single.hear(text)
      #expect(single.events == expected)
    }
  }

  @Test func aPromptIsSeenWithoutItsLineEndAndThePayloadFollows() {
    for prompt in ["\r\n> ", "\r\n>", ">", "AT+SMPUB=\"t\",5,1,0\r\r\n> "] {
      let dialogue = Dialogue(chunk: 1)
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.wait(.milliseconds(50))
      dialogue.hear(prompt)
      #expect(dialogue.events == ["prompt"])
      let payload = Array("hello".utf8)
      dialogue.give(payload)
      #expect(dialogue.sentBytes() == "hello")
      dialogue.hear("hello\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", "urc hello", "ok"])
    }
    let download = Dialogue()
    download.send(ATChannelTests.upload, payloadCount: 5)
    download.hear("\r\nDOWNLOAD\r\n")
    #expect(download.events == ["prompt"])
  }

  @Test func anOldOKDoesNotEndACommandWithPayload() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events == [])
    #expect(dialogue.diagnostics.resultsStray == 1)
    dialogue.hear("\r\n> ")
    #expect(dialogue.events == ["prompt"])
  }

  @Test func aDroppedSessionEndsThePublication() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("\r\n> ")
    let payload = Array("hello".utf8)
    dialogue.give(payload)
    dialogue.hear("\r\n+SMSTATE: 0\r\n")
    #expect(dialogue.events == ["prompt", "urc +SMSTATE: 0", "failed"])
    #expect(dialogue.isReady)
  }

  @Test func aTimeOutIsFollowedByAProofThatNothingOldComes() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.csq)
    #expect(dialogue.sentBytes() == "AT+CSQ\r")
    dialogue.wait(.milliseconds(4999))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(2))
    #expect(dialogue.events == ["timedOut"])
    #expect(!dialogue.isReady)
    dialogue.wait(.milliseconds(150))
    #expect(dialogue.written.hasSuffix("AT\r"))
    // The late answer, then that of AT, then the fence's: only the fence's counts.
    dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    #expect(dialogue.written.hasSuffix("AT+IPR?\r"))
    dialogue.hear("\r\nOK\r\n")
    #expect(!dialogue.isReady)
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["timedOut", "urc +CSQ: 24,99", "synchronised"])
    #expect(dialogue.isReady)
  }

  /// Whose is a good end behind a time-out? It may be the first one's, a minute late: the fence tells.
  @Test(arguments: [
    ("", "ok"), ("\r\nOK\r\n", "ok"), ("\r\nERROR\r\n", "doubtful"), ("\r\n+CME ERROR: 3\r\n", "doubtful"),
    ("\r\nERRR\r\n", "doubtful"), ("\r\n+SMSTATE: 0\r\n", "doubtful"), ("\r\nRDY\r\n", "doubtful"),
    // What is whole says nothing against it.
    ("\r\n+CMTI: \"SM\",3\r\n", "ok"), ("\r\n+CMTI: \"SM\",3ERR\r\n", "doubtful"),
  ])
  func aLateEndIsNotTakenForThatOfTheNextPublication(behind: String, end: String) {
    let dialogue = Dialogue()
    func publish() {
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
    }
    func fence() { dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n") }
    publish()
    dialogue.wait(.seconds(61))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    fence()
    dialogue.events = []
    publish()
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events == ["prompt"] && !dialogue.isReady)
    dialogue.wait(.milliseconds(50))
    #expect(dialogue.written.hasSuffix("AT+IPR?\r"))
    dialogue.hear(behind)
    fence()
    #expect(dialogue.events.contains(end) && dialogue.events.contains("ok") == (end == "ok"))
    #expect(dialogue.diagnostics.doubts == 1 && dialogue.diagnostics.garbled == 0)
    guard end != "ok" else { return }
    // A second one is certain.
    dialogue.wait(.milliseconds(200))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    fence()
    publish()
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events.last == "ok")
  }

  /// A bad end that the line has damaged comes ahead of the good one that is not the command's.
  @Test func aGoodEndBehindALineThatCanNotBeReadIsNotConfirmed() {
    let dialogue = Dialogue()
    for round in 0...1 {
      dialogue.send(ATChannelTests.publish, payloadCount: 5, outcomeWithin: .seconds(1))
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      if round == 1 { dialogue.hear("\r\n+SMSTTE: 0\r\n\r\nOK\r\n") }
      dialogue.wait(.milliseconds(1001))
      if round == 0 {
        dialogue.wait(.milliseconds(200))
        dialogue.hear("\r\nOK\r\n")
        dialogue.wait(.milliseconds(50))
        dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      }
    }
    #expect(dialogue.events.suffix(3) == ["prompt", "urc +SMSTTE: 0", "doubtful"])
  }

  /// An outcome that settles its subject may be that of any whole try of it; a closed session brings none any more.
  @Test(arguments: [
    (1, true, true, false, true), (2, true, true, false, false), (1, false, true, false, false),
    (1, true, false, false, false), (2, true, true, true, true),
  ])
  func aLateOutcomeOfTheSamePacketIsAsGoodAsItsOwn(
    subject: UInt32, settles: Bool, isEchoed: Bool, isForgiven: Bool, counts: Bool
  ) {
    let dialogue = Dialogue()
    dialogue.channel.echo = isEchoed ? .verified : .off
    let echo = isEchoed ? "AT+SHREQ=\"/\",3\r" : ""
    dialogue.send(ATChannelTests.request, subject: 1, settles: settles)
    dialogue.hear(echo + "\r\nOK\r\n")
    dialogue.wait(.seconds(61))
    #expect(dialogue.events.last == "open" && dialogue.isReady)
    if isForgiven { dialogue.channel.forgiveOutcomes() }
    dialogue.send(ATChannelTests.request, subject: subject, settles: settles)
    dialogue.hear(echo + "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n")
    #expect(dialogue.events.last == (counts ? "ok" : "doubtful"))
  }

  @Test func aLateOutcomeIsNotTakenForThatOfTheNextRequest() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.request)
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.seconds(61))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.isReady)
    // Another kind of command is not in doubt.
    dialogue.send(ATChannelTests.start)
    dialogue.hear("\r\nOK\r\n\r\n0, CONNECT OK\r\n")
    #expect(dialogue.events.last == "ok")
    dialogue.send(ATChannelTests.request)
    dialogue.hear("\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n")
    #expect(dialogue.events.last == "doubtful")
  }

  @Test func aLateAnswerToAProbeIsNotTakenForAPublicationsEnd() {
    let dialogue = Dialogue()
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.wait(.milliseconds(10))
    // Rubbish, then the echo of a probe that it answers later than the next.
    dialogue.hear(bytes: [0xFE, 0x80])
    dialogue.wait(.milliseconds(600))
    dialogue.hear("AT\r")
    dialogue.wait(.milliseconds(600))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["synchronised"])
    dialogue.channel.echo = .verified
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
    let payload = Array("hello".utf8)
    dialogue.give(payload)
    dialogue.hear("hello\r\nOK\r\n")
    #expect(dialogue.events.last == "prompt" && !dialogue.isReady)
  }

  @Test func aSilentModemIsReportedAfterAllTries() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.csq)
    dialogue.wait(.seconds(20))
    #expect(dialogue.events == ["timedOut", "silent"])
    #expect(dialogue.written == "AT+CSQ\rAT\rAT\rATE1\r\u{1B}\u{1A}\rATE1Q0V1\r")
  }

  @Test func aPayloadThatLostBytesIsFilledUp() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.publish, payloadCount: 40)
    dialogue.wait(.milliseconds(30))
    dialogue.hear("\r\n> ")
    let payload = Array(repeating: UInt8(0x61), count: 40)
    dialogue.give(payload)
    #expect(dialogue.sentBytes().count == 40)
    dialogue.written = ""
    dialogue.wait(.seconds(63))
    #expect(dialogue.events == ["prompt", "timedOut"])
    let sent = dialogue.written
    #expect(sent.hasPrefix("\u{1B}AT\r"))
    #expect(sent.count >= 40 + 4 * 3)
  }

  /// A tracker was ended between the prompt and the bytes: its next life has no idea how many are owed.
  @Test(arguments: [true, false]) func aPayloadThatAnEarlierLifeOwedIsFilledUpWhereTheModemSpeaks(speaks: Bool) {
    let dialogue = Dialogue()
    dialogue.channel.synchronise(at: dialogue.now)
    // To the prompt all is text, and comes back.
    for _ in 0..<40 {
      dialogue.wait(.milliseconds(50))
      if speaks { dialogue.hear("AT\r") }
    }
    // What comes back may be of a modem that is slow.
    dialogue.wait(.seconds(12))
    let sent = dialogue.written
    #expect((sent.utf8.count >= 1024) == speaks, "\(sent.utf8.count) bytes")
    #expect(dialogue.events == ["silent"])
    dialogue.written = ""
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.wait(.milliseconds(50))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(200))
    dialogue.hear("\r\nOK\r\n")
    #expect(!dialogue.written.contains("AT\rAT\rAT\rAT\r"), "it is never filled twice for nothing")
  }

  @Test func anEchoAfterItWasSwitchedOffMeansAReset() {
    let dialogue = Dialogue()
    dialogue.channel.echo = .off
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("AT+CSQ\r")
    #expect(dialogue.events == ["reset"])
    #expect(dialogue.diagnostics.echoReturned == 1)
  }

  private func verified() -> Dialogue {
    let dialogue = Dialogue(chunk: 1)
    dialogue.channel.echo = .verified
    return dialogue
  }

  @Test func withItsEchoACommandTakesOnlyItsOwnAnswer() {
    let dialogue = verified()
    dialogue.send(Words("+CMGF=1"))
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events == [])
    dialogue.hear("AT+CMGF=1\r\r\nOK\r\n")
    #expect(dialogue.events == ["ok"])
    #expect(dialogue.diagnostics.resultsStray == 1)
  }

  /// The first fence is answered when the second was long ago: that is no publication's end.
  @Test func aLateAnswerToAFenceIsNotTakenForAPublicationsEnd() {
    let dialogue = verified()
    dialogue.send(Words("+CMGF=1"))
    dialogue.wait(.milliseconds(5200))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    dialogue.hear("AT+IPR?\r")
    dialogue.wait(.milliseconds(1030))
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "synchronised")
    dialogue.send(Words("+SMPUB", ATGrammar(prompt: .angle)), payloadCount: 5)
    dialogue.wait(.milliseconds(30))
    dialogue.hear("AT+SMPUB\r\r\n> ")
    dialogue.write("hello")
    dialogue.hear("hello\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "doubtful", "\(dialogue.events)")
  }

  /// Getting into step shows whether the echo is still on: it is off where neither the `AT` nor the fence came back.
  @Test(arguments: [
    ("", "", false), ("AT\r", "", true), ("", "AT+IPR?\r", true), ("", "T+IPR?\r", true), ("AT\r", "AT+IPR?\r", true),
  ])
  func anEchoThatIsOffIsNoticed(probe: String, fence: String, isOn: Bool) {
    let dialogue = verified()
    dialogue.send(Words("+CMGF=1"))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(5200))
    dialogue.hear(probe + "\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    dialogue.hear(fence + "\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "synchronised")
    #expect(dialogue.echo == (isOn ? .verified : .unknown))
  }

  @Test(arguments: ["AT+CMGF=\r", "AT+CMGF=11\r", "T+CMGF=1\r", "AT+CMGF?1\r"])
  func aDamagedEchoMakesTheAnswerWorthNothing(echo: String) {
    let dialogue = verified()
    dialogue.send(Words("+CMGF=1"))
    dialogue.hear(echo + "\r\nOK\r\n")
    #expect(dialogue.events == ["garbled"])
    #expect(!dialogue.isReady)
  }

  @Test func noPayloadIsGivenToACommandWithAnotherLength() {
    let dialogue = verified()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("AT+SMPUB=\"t\",,1,0\r\r\n> ")
    #expect(dialogue.events == ["garbled"])
  }

  @Test func noPayloadIsGivenToAPromptThatComesBeforeTheEcho() {
    let dialogue = verified()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    // It may be the prompt of an older command.
    dialogue.hear("\r\n> ")
    #expect(dialogue.events == ["garbled"])
    #expect(!dialogue.isReady)
  }

  @Test func bytesThatWereToComeAreForgottenWithTheCommandThatTimedOut() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.read)
    dialogue.hear("\r\nOK\r\n\r\n+SHREAD: 200\r\n{\"ok\"")
    while !dialogue.isReady, dialogue.now < .seconds(300) { dialogue.wait(.milliseconds(10)) }
    // `OK` has come, so that it is in step; what it says from here on is no part of them.
    #expect(dialogue.events.last == "open")
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\n+CSQ: 2\r\n\r\nOK\r\n")
    #expect(dialogue.events.suffix(2) == ["info +CSQ: 2", "ok"])
  }

  @Test(arguments: [("hello", true), ("hallo", false), ("ehllo", false), ("", true)])
  func aPayloadThatComesBackMustBeWhatWasSent(echo: String, isGood: Bool) {
    let dialogue = verified()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
    let payload = Array("hello".utf8)
    dialogue.give(payload)
    dialogue.hear(echo + "\r\nOK\r\n")
    #expect(dialogue.events.last == (isGood ? "ok" : "garbled"))
    let download = verified()
    download.send(ATChannelTests.upload, payloadCount: 5)
    download.hear("AT+HTTPDATA=5,1000\r\r\nDOWNLOAD\r\n")
    download.give(payload)
    download.hear(echo + "\r\nOK\r\n")
    #expect(download.events.last == (isGood ? "ok" : "garbled"))
  }

  @Test func aResetWhileSynchronisingIsToldToo() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.csq)
    dialogue.wait(.milliseconds(5200))
    dialogue.hear("\r\nRDY\r\n")
    #expect(dialogue.events == ["timedOut", "reset"])
    // It is asked whether it has: that goes on as it would have.
    dialogue.wait(.milliseconds(200))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.isReady)
  }

  @Test func garbageIsNoAnswerAndDoesNotStopTheNext() {
    let dialogue = Dialogue(chunk: 1)
    dialogue.hear(bytes: [0xFF, 0x00, 0x80, 0x0D, 0x0A])
    dialogue.send(ATChannelTests.csq)
    dialogue.hear(bytes: Array(repeating: 0xFE, count: 5000) + [0x0D, 0x0A])
    dialogue.hear("\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
    #expect(dialogue.events.suffix(2) == ["info +CSQ: 24,99", "ok"])
    #expect(dialogue.diagnostics.linesTruncated == 1)
  }

  @Test func aCommandWaitsForAGapOfSilence() {
    let dialogue = Dialogue()
    dialogue.hear("\r\nSMS Ready\r\n")
    dialogue.send(ATChannelTests.csq)
    #expect(dialogue.sentBytes() == "")
    dialogue.now = dialogue.now + .milliseconds(19)
    #expect(dialogue.sentBytes() == "")
    dialogue.now = dialogue.now + .milliseconds(1)
    #expect(dialogue.sentBytes() == "AT+CSQ\r")
  }
}
