import ASCIIText
import InlineStorage
import Quantities
import Testing

@testable import ATCommands

/// Whose a line is: what ends a command, what belongs to it, what came by itself.
@Suite struct ATAnswerTests {
  private static let plain = Words("+CMGF=1")
  private static let bare = Words("+CGMR", ATGrammar(information: .bare(allowsText: true)))
  private static let digits = Words("+GSN", ATGrammar(information: .bare(allowsText: false)))
  private static let message = Words("+CMGR=1", ATGrammar(information: .namedThenText("+CMGR")))
  private static let optional = Words("+CASTATE?", ATGrammar(information: .named("+CASTATE", isRequired: false)))
  private static let two = Words("+CIPRXGET=4,0", ATGrammar(information: .named("+CIPRXGET", shape: .twoFields)))
  private static let close = Words("+CIPCLOSE=0", ATGrammar(end: .text("0, CLOSE OK", or: "CLOSE OK")))
  private static let sent = Words(
    "+CIPSEND=0,5", ATGrammar(prompt: .angle, end: .text("0, SEND OK"), failure: "0, SEND FAIL"))
  private static let sms = Words("+CMGS=\"1\"", ATGrammar(information: .named("+CMGS"), prompt: .angle))

  /// What the modem says to a command, what is reported, and whether the channel then takes the next.
  private static let dialogues: [(Words, String, [String], Bool)] = [
    // Every way to say that it failed, in every form.
    (plain, "\r\nERROR\r\n", ["error"], true), (plain, "\r\n4\r\n", ["error"], true),
    (plain, "\r\n0\r\n", ["ok"], true), (plain, "\r\n3\r\n", ["failed"], true), (plain, "\r\n6\r\n", ["failed"], true),
    (plain, "\r\n7\r\n", ["failed"], true), (plain, "\r\n8\r\n", ["failed"], true),
    (plain, "\r\nNO CARRIER\r\n", ["failed"], true), (plain, "\r\nNO ANSWER\r\n", ["failed"], true),
    (plain, "\r\nNO DIALTONE\r\n", ["failed"], true), (plain, "\r\nBUSY\r\n", ["failed"], true),
    // And what is none.
    (plain, "\r\n1\r\n", ["urc 1"], false), (plain, "\r\n2\r\n", ["urc 2"], false),
    (plain, "\r\n5\r\n", ["urc 5"], false),
    (plain, "\r\n9\r\n", ["urc 9"], false), (plain, "\r\nOKAY\r\n", ["urc OKAY"], false),
    (plain, "\r\nOK \r\n", ["ok"], true), (plain, "\r\nERRORS\r\n", ["urc ERRORS"], false),
    (plain, "\r\n+CME ERRORS: 3\r\n", ["urc +CME ERRORS: 3"], false), (plain, "\r\nBUSYX\r\n", ["urc BUSYX"], false),
    (plain, "\r\nNO\r\n", ["urc NO"], false), (plain, "\r\n> \r\n", ["urc > "], false),
    // Lines between are nobody's.
    (plain, "\r\n+CSQ: 1,2\r\n\r\nOK\r\n", ["urc +CSQ: 1,2", "ok"], true),
    (optional, "\r\nOK\r\n", ["ok"], true),
    (
      optional, "\r\n+CASTATE: 0,1\r\n\r\n+CASTATE: 1,1\r\n\r\nOK\r\n",
      ["info +CASTATE: 0,1", "info +CASTATE: 1,1", "ok"], true
    ),
    // Shapes.
    (
      two, "\r\n+CIPRXGET: 1\r\n\r\n+CIPRXGET: 4,0\r\n\r\nOK\r\n", ["urc +CIPRXGET: 1", "info +CIPRXGET: 4,0", "ok"],
      true
    ),
    (two, "\r\nOK\r\n", [], false),
    // Text answers.
    (bare, "\r\nRevision:1\r\n\r\nOK\r\n", ["info Revision:1", "ok"], true),
    (
      bare, "\r\n+CSQ: 1\r\n\r\n*PSUTTZ: 1\r\n\r\n$GP\r\n\r\nSMS Ready\r\n\r\n7\r\n",
      ["urc +CSQ: 1", "urc *PSUTTZ: 1", "urc $GP", "urc SMS Ready", "failed"], true
    ),
    (bare, "\r\n12\r\n\r\nOK\r\n", ["info 12", "ok"], true), (bare, "\r\n5\r\n\r\nOK\r\n", ["info 5", "ok"], true),
    (digits, "\r\nABC\r\n\r\n123\r\n\r\nOK\r\n", ["urc ABC", "info 123", "ok"], true),
    (digits, "\r\nOK\r\n", [], false),
    // A message's text may be anything but an end and a sign of life.
    (
      message, "\r\n+CMGR: \"a\"\r\nhello\r\n+CSQ: 1\r\n\r\nOK\r\n",
      ["info +CMGR: \"a\"", "info hello", "info +CSQ: 1"], false
    ),
    (message, "\r\nhello\r\n\r\nOK\r\n", ["urc hello", "ok"], true),
    (message, "\r\n+CMGR: \"a\"\r\nRDY\r\n", ["info +CMGR: \"a\"", "info RDY"], false),
    (message, "\r\n+CMGR: \"a\"\r\nSMS Ready\r\n\r\nOK\r\n", ["info +CMGR: \"a\"", "info SMS Ready"], false),
    // Words in place of OK.
    (close, "\r\n0, CLOSE OK\r\n", ["info 0, CLOSE OK", "ok"], true),
    (close, "\r\nCLOSE OK\r\n", ["info CLOSE OK", "ok"], true),
    (close, "\r\nOK\r\n", [], false), (close, "\r\n1, CLOSE OK\r\n", ["urc 1, CLOSE OK"], false),
    (close, "\r\n0, CLOSE OK, yes\r\n", ["info 0, CLOSE OK, yes", "ok"], true),
    (ATChannelTests.start, "\r\nOK\r\n\r\nCONNECT OK\r\n", ["info CONNECT OK", "ok"], true),
    (ATChannelTests.start, "\r\n0, CONNECT OK\r\n\r\nOK\r\n", ["info 0, CONNECT OK", "ok"], true),
    (ATChannelTests.start, "\r\n0, CONNECT FAIL\r\n", ["failed"], true),
    (ATChannelTests.start, "\r\nOK\r\n\r\nOK\r\n\r\n0, CONNECT\r\n", ["urc 0, CONNECT"], false),
    (ATChannelTests.request, "\r\nOK\r\n\r\n+SHREQX: 1\r\n", ["urc +SHREQX: 1"], false),
    (ATChannelTests.request, "\r\nOK\r\n\r\n+SHSTATE: 1\r\n", ["urc +SHSTATE: 1"], false),
    (ATChannelTests.request, "\r\n+SHSTATE: 0\r\n", ["urc +SHSTATE: 0", "failed"], true),
    (ATChannelTests.request, "\r\nOK\r\n\r\nERROR\r\n", ["error"], true),
    (ATChannelTests.address, "\r\nOK\r\n\r\n10.1.2.3\r\n", ["info 10.1.2.3", "ok"], true),
    // Counted bytes.
    (
      ATChannelTests.read, "\r\n+SHREAD: 5\r\n\r\nOK\r\n\r\n+SHREAD: 11\r\n01234567890",
      ["urc +SHREAD: 5", "info +SHREAD: 11", "data 01234567890", "ok"], true
    ),
    (ATChannelTests.read, "\r\nOK\r\n\r\n+SHREAD: 4\r\n0123", ["info +SHREAD: 4", "data 0123"], false),
    (
      ATChannelTests.read, "\r\nOK\r\n\r\n+SHREAD: 10\r\n0123456789\r\n+SHREAD: 1\r\nx",
      ["info +SHREAD: 10", "data 0123456789", "info +SHREAD: 1", "data x", "ok"], true
    ),
    (ATChannelTests.socketRead, "\r\n+CARECV: 0,0\r\n\r\nOK\r\n", ["info +CARECV: 0,0", "ok"], true),
    (ATChannelTests.socketRead, "\r\n+CARECV: 0\r\n\r\nOK\r\n", ["info +CARECV: 0", "ok"], true),
    (ATChannelTests.socketRead, "\r\n+CARECV: 1,,\r\nOK\r\n", ["info +CARECV: 1,", "data ,", "ok"], true),
    // Signs of life while a command is pending.
    (plain, "\r\nSMS Ready\r\n\r\nOK\r\n", ["urc SMS Ready", "ok"], true),
    (plain, "\r\nRDY\r\n", ["reset"], false),
    (plain, "\r\nNORMAL POWER DOWN\r\n", ["poweredDown"], false),
  ]

  @Test func everyLineIsTakenForWhatItIs() {
    for (command, text, expected, isReady) in ATAnswerTests.dialogues {
      for chunk in [1, nil] as [Int?] {
        let dialogue = Dialogue(chunk: chunk)
        dialogue.send(command)
        dialogue.hear(text)
        #expect(dialogue.events == expected, "\(command.text): \(text.debugDescription)")
        #expect(dialogue.isReady == isReady, "\(command.text): \(text.debugDescription)")
      }
    }
  }

  @Test func withoutACommandEverythingCameByItself() {
    let dialogue = Dialogue()
    dialogue.hear(
      "\r\nOK\r\n\r\nERROR\r\n\r\n+CME ERROR: 3\r\n\r\n+CSQ: 1\r\n> \r\nhello\r\n\r\nRDY\r\n\r\nNORMAL POWER DOWN\r\n")
    #expect(dialogue.events == ["urc +CSQ: 1", "urc > ", "urc hello", "reset", "poweredDown"])
    #expect(dialogue.diagnostics.resultsStray == 3)
  }

  @Test func afterThePayloadTheEndIsTheCommandsOwn() {
    let cases: [(Words, String, [String])] = [
      (ATAnswerTests.sent, "\r\n0, SEND OK\r\n", ["info 0, SEND OK", "ok"]),
      (ATAnswerTests.sent, "\r\nOK\r\n\r\n0, SEND OK\r\n", ["info 0, SEND OK", "ok"]),
      (ATAnswerTests.sent, "\r\n0, SEND FAIL\r\n", ["urc 0, SEND FAIL", "failed"]),
      (ATAnswerTests.sent, "\r\n1, SEND FAIL\r\n", ["urc 1, SEND FAIL"]),
      (ATAnswerTests.sms, "\r\nOK\r\n\r\n+CMGS: 3\r\n\r\nOK\r\n", ["info +CMGS: 3", "ok"]),
      (ATAnswerTests.sms, "\r\n+CMS ERROR: 38\r\n", ["messageError(ATCommands.CMSError(code: 38))"]),
      (ATChannelTests.publish, "\r\n> \r\nOK\r\n", ["ok"]),
    ]
    for (command, text, expected) in cases {
      let dialogue = Dialogue()
      dialogue.send(command, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.events = []
      dialogue.hear(text)
      #expect(dialogue.events == expected, "\(command.text): \(text.debugDescription)")
    }
  }

  @Test func aPromptCountsOnlyAtTheStartOfALineAndOnlyForWhatWaitsForIt() {
    let dialogue = Dialogue(chunk: 1)
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("\r\nx> ")
    #expect(dialogue.events == [])
    dialogue.hear("\r\n>")
    #expect(dialogue.events == ["urc x> ", "prompt"] && dialogue.channel.isPrompted && dialogue.channel.isPending)
    // A second prompt is none.
    dialogue.hear("\r\n>")
    #expect(dialogue.events == ["urc x> ", "prompt"])
    let download = Dialogue()
    download.send(ATChannelTests.upload, payloadCount: 5)
    download.hear("\r\n>\r\n\r\nDOWNLOADS\r\n")
    #expect(download.events == ["urc >", "urc DOWNLOADS"])
    download.hear("\r\nDOWNLOAD\r\n")
    #expect(download.events.last == "prompt")
  }

  // MARK: Limits

  @Test func aLineIsReadUpToItsCapacityAndWhatIsLongerIsCounted() {
    for (length, isTruncated) in [(703, false), (704, false), (705, true), (2000, true)] {
      let dialogue = Dialogue()
      dialogue.hear("\r\n" + String(repeating: "x", count: length) + "\r\n")
      #expect(dialogue.events.map(\.count) == [4 + min(length, 704)], "\(length)")
      #expect(dialogue.diagnostics.linesTruncated == (isTruncated ? 1 : 0))
      dialogue.hear("\r\nnext\r\n")
      #expect(dialogue.events.last == "urc next" && dialogue.diagnostics.linesTruncated == (isTruncated ? 1 : 0))
    }
    for (length, isTruncated) in [(704, false), (705, true)] {
      let dialogue = Dialogue()
      dialogue.send(Words("+SHREAD=0,9", ATGrammar(counted: .afterLine("+SHREAD", count: 0))))
      dialogue.hear("\r\n+SHREAD: \(length)\r\n" + String(repeating: "y", count: length) + "\r\nOK\r\n")
      #expect(dialogue.events.last == "ok" && dialogue.diagnostics.linesTruncated == (isTruncated ? 1 : 0))
    }
    #expect(ATChannel<PlainDialect>.lineCapacity == 704)
    #expect(ATChannel<PlainDialect>.commandCapacity == 559)
  }

  /// A command of so many bytes after `AT`.
  private struct Long: ATCommand {
    typealias Response = ATNothing
    var count: Int
    var grammar: ATGrammar { ATGrammar() }
    func encode(into sink: inout some ByteSink) { for _ in 0..<count { sink.append(0x78) } }
  }

  @Test func aCommandLongerThanTheModemTakesIsRefusedAtOnce() {
    for (count, isSent) in [
      (1, true), (558, true), (559, true), (560, false), (562, false), (563, false), (5000, false),
    ] {
      let dialogue = Dialogue()
      dialogue.channel.send(Long(count: count), at: dialogue.now)
      dialogue.wait(.milliseconds(1))
      #expect(dialogue.events == (isSent ? [] : ["error"]), "\(count)")
      #expect(dialogue.written.count == (isSent ? count + 3 : 0), "\(count)")
      #expect(dialogue.isReady == !isSent)
    }
  }

  @Test func theLongestPayloadGoesWholeAndAComeBackIsCompared() {
    for chunk in [1, 500] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.channel.echo = .verified
      dialogue.send(ATChannelTests.publish, payloadCount: 1100)
      dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
      let payload = String((0..<1100).map { Character(UnicodeScalar(UInt8(0x41 + $0 % 26))) })
      dialogue.sentBytes()
      dialogue.written = ""
      dialogue.write(payload)
      #expect(dialogue.written == payload)
      dialogue.hear(payload + "\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", "ok"])
    }
  }

  // MARK: Echo

  private func verified() -> Dialogue {
    let dialogue = Dialogue()
    dialogue.channel.echo = .verified
    return dialogue
  }

  @Test func anEndMarkIsNotPartOfTheEcho() {
    let dialogue = verified()
    dialogue.send(ATAnswerTests.sms, payloadCount: 6)
    dialogue.hear("AT+CMGS=\"1\"\r\r\n> ")
    dialogue.write("hello", end: 0x1A)
    dialogue.hear("hello\r\n+CMGS: 1\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["prompt", "info +CMGS: 1", "ok"])
    // A number above the payload's is the payload's.
    let more = verified()
    more.send(ATAnswerTests.sms, payloadCount: 6)
    more.hear("AT+CMGS=\"1\"\r\r\n> ")
    more.write("hello")
    more.hear("hello\r\n+CMGS: 1\r\n\r\nOK\r\n")
    #expect(more.events.last == "ok")
  }

  /// No command but the one that was sent is called so, lacks a byte and asks for a payload: the line has lost the byte on the way back.
  @Test func aPromptBehindADamagedNameIsTheCommands() {
    for (echo, isTaken) in [
      ("A+SMPUB=\"t\",5,1,0", true), ("T+SMPUB=\"t\",5,1,0", true), ("AT+SMPU=\"t\",5,1,0", true),
      ("AT+SPUB=\"t\",5,1,0", true), ("AT+SMPUX=\"t\",5,1,0", false), ("AT+SMPUB=\"t\",,1,0", false),
      ("AT+SMPUB=\"t\",51,0", false), ("AT+SMPUB\"t\",5,1,0", false), ("AT+SMPUB=t\",5,1,0", false),
      ("+SMPUB=\"t\",5,1,0", false), ("AT+SMPB=\"t\",4,1,0", false), ("AT+SMPUB=\"t\",5,1,", false),
    ] {
      let dialogue = verified()
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\(echo)\r\r\n> ")
      #expect(dialogue.events == [isTaken ? "prompt" : "garbled"], "\(echo)")
    }
    // Without a prompt its answer is not believed.
    let other = verified()
    other.send(ATChannelTests.publish, payloadCount: 5)
    other.hear("A+SMPUB=\"t\",5,1,0\r\r\nERROR\r\n")
    #expect(other.events == ["garbled"])
  }

  @Test func aPayloadThatBeginsWithABlankIsNotTakenForDamaged() {
    let dialogue = verified()
    dialogue.send(ATChannelTests.publish, payloadCount: 6)
    dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
    dialogue.write(" hello")
    dialogue.hear(" hello\r\nOK\r\n")
    #expect(dialogue.events.last == "ok" && dialogue.diagnostics.garbled == 0)
  }

  @Test func aPayloadLongerThanAnnouncedIsFilledUpWhole() {
    let dialogue = Dialogue()
    dialogue.send(ATChannelTests.publish, payloadCount: 0)
    dialogue.hear("\r\n> ")
    dialogue.write(String(repeating: "x", count: 60))
    dialogue.written = ""
    dialogue.wait(.seconds(64))
    #expect(dialogue.written.hasPrefix("\u{1B}AT\r") && dialogue.written.count >= 60 + 4 * 3)
  }

  @Test func aFenceThatEndsInAnErrorIsNone() {
    let dialogue = Dialogue()
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.sentBytes()
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nERROR\r\n")
    #expect(dialogue.events == [] && !dialogue.isReady)
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["synchronised"] && dialogue.diagnostics.resynchronisations == 1)
  }

  @Test(arguments: ["hellp", "hell", "helllo", "olleh", "hello!"])
  func aPayloadThatComesBackWrongIsGarbledAtOnceOrByItsEnd(echo: String) {
    let dialogue = verified()
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
    dialogue.write("hello")
    dialogue.hear(echo + "\r\nOK\r\n")
    let isLonger = echo == "hello!"
    #expect(dialogue.events.contains("garbled") != isLonger)
    #expect(dialogue.diagnostics.garbled == (isLonger ? 0 : 1))
    #expect(dialogue.isReady == isLonger)
  }

  /// A line says the end of the prompt twice, or something comes by itself before the echo: what comes back is compared all the same.
  @Test(arguments: ["\r\n", "\n\r\n+CREG: 2\r\n", "\n$GPTXT,01*00\r\n"])
  func aPayloadThatComesBackOnALaterLineIsCompared(before: String) {
    for (echo, result) in [("{a:1}", "ok"), ("{a:3}", "garbled")] {
      for chunk in [1, 100] {
        let dialogue = Dialogue(chunk: chunk)
        dialogue.channel.echo = .verified
        dialogue.send(ATChannelTests.upload, payloadCount: 5)
        dialogue.wait(.milliseconds(50))
        dialogue.hear("AT+HTTPDATA=5,1000\r\r\nDOWNLOAD")
        dialogue.hear("\r")
        dialogue.write("{a:1}")
        dialogue.hear(before + echo)
        dialogue.hear("\r\nOK\r\n")
        #expect(dialogue.events.last == result, "\(echo) \(chunk)")
      }
    }
  }

  @Test func aPayloadThatMayBeALineOfTheModemIsNotLookedForOnLaterLines() {
    for payload in ["OKAY", "+IPR", "7,OK", "*abc"] {
      let dialogue = verified()
      dialogue.send(ATChannelTests.publish, payloadCount: 4)
      dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
      dialogue.write(payload)
      dialogue.hear("\r\n+IPR: 7\r\n\r\nOK\r\n")
      #expect(dialogue.events.last == "ok", "\(payload)")
    }
  }

  @Test func whatComesBeforeACommandHasGoneIsNoneOfItsAnswers() {
    for (command, prompt) in [(ATChannelTests.publish, "\r\n> "), (ATChannelTests.upload, "\r\nDOWNLOAD\r\n")] {
      let dialogue = Dialogue()
      dialogue.send(command, payloadCount: 5)
      dialogue.hear(prompt, isEarly: true)
      #expect(!dialogue.events.contains("prompt"))
      dialogue.hear(prompt)
      #expect(dialogue.events.last == "prompt")
    }
    // Nor is the late end of an earlier try, though the modem answers whatever is asked behind it.
    let named = Words("+CASEND=0,5", ATGrammar(prompt: .angle, end: .okThenNamed("+CASEND"), within: .seconds(1)))
    let dialogue = Dialogue()
    dialogue.send(named, payloadCount: 5)
    dialogue.hear("\r\n> ")
    dialogue.write("hello")
    dialogue.wait(.seconds(62))
    dialogue.hear("\r\nOK\r\n")
    dialogue.hear("\r\n+IPR: 0\r\n\r\nOK\r\n")
    #expect(dialogue.isReady)
    dialogue.send(named, payloadCount: 5)
    dialogue.hear("\r\n+CASEND: 0,0,5\r\n", isEarly: true)
    dialogue.hear("\r\n+IPR: 0\r\n\r\nOK\r\n")
    #expect(dialogue.events.suffix(2) == ["urc +CASEND: 0,0,5", "urc +IPR: 0"], "\(dialogue.events)")
  }

  /// Where the outcome comes before the `OK`, that may be very late: it is not the end of what came in between.
  @Test(arguments: [true, false]) func anOKThatAnOutcomeLeftBehindIsNotTheNextCommands(isLate: Bool) {
    let dialogue = verified()
    dialogue.send(Words("+CNACT=0", ATGrammar(end: .okThenNamed("+APP PDP"))))
    dialogue.hear("AT+CNACT=0\r\r\n+APP PDP: DEACTIVE\r\n")
    if !isLate { dialogue.hear("\r\nOK\r\n") }
    dialogue.wait(.seconds(1))
    #expect(dialogue.events == ["info +APP PDP: DEACTIVE", "ok"])
    dialogue.events = []
    dialogue.send(ATChannelTests.publish, payloadCount: 5)
    dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
    dialogue.write("hello")
    dialogue.hear("hello")
    dialogue.wait(.seconds(40))
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.events == (isLate ? ["prompt"] : ["prompt", "ok"]))
    guard isLate else { return }
    dialogue.wait(.seconds(6))
    #expect(dialogue.events == ["prompt", "doubtful"])
  }

  /// A prompt that is said twice is no part of the echo, nor of a line.
  @Test func aSecondPromptIsPassedOver() {
    for (echo, result) in [("hello", "ok"), ("hellp", "garbled"), ("", "ok")] {
      let dialogue = verified()
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n>")
      dialogue.write("hello")
      dialogue.hear(" > " + echo + "\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", result], "\(echo)")
    }
    let silent = Dialogue()
    silent.channel.echo = .off
    silent.send(ATChannelTests.publish, payloadCount: 5)
    silent.hear("\r\n>")
    silent.write("hello")
    silent.hear(" > \r\nOK\r\n")
    #expect(silent.events == ["prompt", "ok"])
  }

  @Test func withoutVerificationNoEchoIsCompared() {
    for echo in [ATEcho.unknown, .off] {
      let dialogue = Dialogue()
      dialogue.channel.echo = echo
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.hear("hallo\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", "urc hallo", "ok"], "\(echo)")
    }
  }

  @Test func theEchoOfACommandIsOnceAndBeforeItsAnswer() {
    let dialogue = verified()
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\n+CSQ: 1,1\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["info +CSQ: 1,1"])
    dialogue.hear("AT+CSQ\r\r\n+CSQ: 2,2\r\n\r\nOK\r\n")
    #expect(dialogue.events.suffix(2) == ["info +CSQ: 2,2", "ok"])
    #expect(dialogue.diagnostics.resultsStray == 1 && dialogue.diagnostics.garbled == 0)
    // A rest with the end of the command is a damaged echo; another line is a notice.
    for (line, isEcho) in [
      ("CSQ", false), ("+CSQ", true), ("xCSQ", false), ("ATx", true), ("AT", true), ("T+CSQ", true),
    ] {
      let other = verified()
      other.send(ATChannelTests.csq)
      other.hear("\(line)\r\r\nERROR\r\n")
      #expect(
        other.events.last == (isEcho ? "garbled" : line == "CSQ" || line == "xCSQ" ? "urc \(line)" : "error"), "\(line)"
      )
    }
  }

  @Test func anEchoThatWasSwitchedOffTellsAStartAlsoWhileProbing() {
    let dialogue = Dialogue()
    dialogue.channel.echo = .off
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.sentBytes()
    dialogue.hear("AT\r")
    #expect(dialogue.events == ["reset"] && dialogue.diagnostics.echoReturned == 1)
  }

  // MARK: Doubts

  /// So many good ends as answers are owed do not count, but three at most; the next does.
  @Test func asManyEndsAreDoubtedAsAreOwed() {
    for owed in 1...5 {
      let dialogue = Dialogue()
      func synchronise() {
        dialogue.wait(.milliseconds(200))
        dialogue.hear("\r\nOK\r\n")
        dialogue.wait(.milliseconds(50))
        dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      }
      func publish(_ subject: UInt32) {
        dialogue.send(ATChannelTests.publish, payloadCount: 5, subject: subject, outcomeWithin: .seconds(1))
        dialogue.hear("\r\n> ")
        dialogue.write("hello")
      }
      for _ in 0..<owed {
        publish(1)
        dialogue.wait(.milliseconds(1001))
        #expect(dialogue.events.last == "timedOut")
        synchronise()
      }
      for subject: UInt32 in [1, 2] {
        for round in 0...min(owed, 3) {
          publish(subject)
          dialogue.hear("\r\nOK\r\n")
          if round < min(owed, 3) { dialogue.hear("\r\nERROR\r\n") }
          #expect(
            dialogue.events.last == (round < min(owed, 3) ? "doubtful" : "ok"), "\(owed) owed, \(subject), \(round)")
          if round < min(owed, 3) { synchronise() }
        }
      }
    }
  }

  /// A modem that answers a query with OK alone must not be out of step for ever.
  @Test func anAnswerWithoutItsLineEndsWithItsTimeWhileAnotherIsOwed() {
    let dialogue = Dialogue()
    dialogue.channel.echo = .off
    dialogue.send(ATChannelTests.csq)
    dialogue.wait(.milliseconds(5200))
    dialogue.hear("\r\nOK\r\n")
    dialogue.wait(.milliseconds(50))
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["timedOut", "synchronised"])
    dialogue.events = []
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\nOK\r\n")
    // Its own five seconds, and one behind a command that had no answer in time.
    dialogue.wait(.milliseconds(6100))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(200))
    #expect(dialogue.events == ["ok"] && dialogue.isReady && dialogue.diagnostics.timeouts == 1)
    // The line that comes after all is the answer.
    dialogue.send(ATChannelTests.csq)
    dialogue.hear("\r\nOK\r\n\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["ok", "info +CSQ: 24,99", "ok"])
  }

  @Test func whatWasOwedIsGoneWhenItCameOrTheModemStarted() {
    for isReset in [true, false] {
      let dialogue = Dialogue()
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.wait(.milliseconds(60_200))
      dialogue.hear("\r\nOK\r\n")
      dialogue.wait(.milliseconds(50))
      dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
      // Whoever believes that the modem has started says so.
      if isReset { dialogue.channel.forget() } else { dialogue.hear("\r\nOK\r\n") }
      dialogue.send(ATChannelTests.publish, payloadCount: 5)
      dialogue.hear("\r\n> ")
      dialogue.write("hello")
      dialogue.hear("\r\nOK\r\n")
      #expect(dialogue.events.last == "ok", "\(isReset)")
    }
  }

  @Test func aCommandWithoutAnAnswerIsOverAtOnce() {
    let dialogue = Dialogue()
    dialogue.send(Words("+CPOWD=0", ATGrammar(end: .silence)))
    #expect(dialogue.events == ["ok"] && dialogue.isReady)
    #expect(dialogue.sentBytes() == "AT+CPOWD=0\r")
  }

  @Test func forgettingDropsWhatWaitsToBeSentAndWhatWasToCome() {
    let dialogue = verified()
    dialogue.hear("\r\nSMS Ready\r\n")
    dialogue.send(ATChannelTests.get)
    dialogue.hear("\r\n+CIPRXGET: 2,0,400,0\r\n", isEarly: true)
    dialogue.channel.forget()
    #expect(dialogue.isReady && dialogue.echo == .unknown && dialogue.channel.nextDeadline == nil)
    dialogue.wait(.seconds(1))
    #expect(dialogue.written == "")
    dialogue.events = []
    dialogue.hear("\r\nhello\r\n")
    #expect(dialogue.events == ["urc hello"])
  }
}
