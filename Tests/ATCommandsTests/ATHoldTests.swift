import Quantities
import Testing

@testable import ATCommands

/// The end of a payload that is held back until the echo of the rest is whole.
@Suite struct ATHoldTests {
  private static let sms = Words(
    "+CMGS=\"1\"", ATGrammar(information: .named("+CMGS"), prompt: .angle, outcomeWithin: .seconds(60)))
  private static let publish = Words("+SMPUB=\"t\",5,1,0", ATGrammar(prompt: .angle, outcomeWithin: .seconds(60)))
  private static let start = "\r\r\n> "

  /// A channel whose echo is verified, with a payload that has gone but for its end.
  private func begun(_ command: Words, _ payload: String, end: UInt8? = nil, last: UInt8) -> Dialogue {
    let dialogue = Dialogue()
    dialogue.channel.echo = .verified
    open(dialogue, command, payload, end: end, last: last)
    return dialogue
  }

  private func open(_ dialogue: Dialogue, _ command: Words, _ payload: String, end: UInt8? = nil, last: UInt8) {
    dialogue.send(command, payloadCount: payload.utf8.count + (end == nil ? 0 : 1))
    dialogue.wait(.milliseconds(30))
    dialogue.sentBytes()
    dialogue.hear("AT\(command.text)" + ATHoldTests.start)
    dialogue.write(payload, end: end, holding: last)
  }

  @Test(arguments: [1, nil] as [Int?]) func theEndFollowsTheWholeEcho(chunk: Int?) {
    for (command, end, last, first) in [
      (ATHoldTests.sms, UInt8(0x1A) as UInt8?, UInt8(1), "hello"), (ATHoldTests.publish, nil, 1, "hell"),
      (ATHoldTests.publish, 0x0A, 2, "hell"),
    ] {
      let dialogue = begun(command, "hello", end: end, last: last)
      dialogue.chunk = chunk
      #expect(
        dialogue.written.hasSuffix("\r" + first) && dialogue.channel.holdsPayload && !dialogue.channel.isPayloadSent)
      dialogue.hear(String(first.dropLast()))
      dialogue.sentBytes()
      #expect(dialogue.written.hasSuffix("\r" + first))
      dialogue.hear(String(first.suffix(1)))
      dialogue.sentBytes()
      let rest = "hello".dropFirst(first.count) + (end.map { String(UnicodeScalar($0)) } ?? "")
      #expect(dialogue.written.hasSuffix("\r" + first + rest), "\(dialogue.written)")
      #expect(!dialogue.channel.holdsPayload && dialogue.channel.isPayloadSent)
      dialogue.hear((end == 0x1A ? "" : rest) + "\r\n" + (end == 0x1A ? "+CMGS: 3\r\n\r\n" : "") + "OK\r\n")
      #expect(dialogue.events.last == "ok")
    }
  }

  /// A byte that is lost, changed or doubled, in the first part or in the last.
  @Test(arguments: ["hxll", "hhell", "hell" + "x"]) func aDamagedEchoIsNoted(echo: String) {
    let dialogue = begun(ATHoldTests.publish, "hello", last: 1)
    dialogue.hear(echo)
    dialogue.sentBytes()
    #expect(dialogue.events.last == (echo == "hellx" ? "prompt" : "garbled"))
    dialogue.hear("x")
    #expect(dialogue.events.last == "garbled" && dialogue.channel.isHolding == (echo != "hellx"))
  }

  /// The line may stand still for a while. A text is given up then.
  @Test func anEchoThatStopsIsWaitedForThreeSeconds() {
    let dialogue = begun(ATHoldTests.sms, "hello", end: 0x1A, last: 1)
    dialogue.hear("hel")
    dialogue.wait(.milliseconds(2900))
    #expect(dialogue.events == ["prompt"])
    dialogue.hear("l")
    dialogue.wait(.milliseconds(2900))
    #expect(dialogue.events == ["prompt"])
    dialogue.wait(.milliseconds(200))
    #expect(dialogue.events == ["prompt", "garbled"])
    dialogue.wait(.milliseconds(200))
    #expect(dialogue.written.hasSuffix("hello\u{1B}AT\r"), "\(dialogue.written)")
  }

  /// Some modems echo no payloads: it goes on after half a second, and after the second time it is not waited for.
  @Test func withoutAnyEchoTheEndGoesAfterHalfASecond() {
    let dialogue = begun(ATHoldTests.publish, "hello", last: 1)
    for time in 0..<3 {
      if time > 0 { open(dialogue, ATHoldTests.publish, "hello", last: 1) }
      #expect(dialogue.written.hasSuffix(time < 2 ? "hell" : "hello"))
      if time < 2 {
        dialogue.wait(.milliseconds(490))
        #expect(dialogue.written.hasSuffix("hell"))
        dialogue.wait(.milliseconds(20))
      }
      dialogue.sentBytes()
      #expect(dialogue.written.hasSuffix("hello"))
      dialogue.hear("\r\nOK\r\n")
      #expect(dialogue.events.last == "ok")
    }
    // A start of the modem has it found out anew.
    dialogue.channel.forget()
    dialogue.channel.echo = .verified
    open(dialogue, ATHoldTests.publish, "hello", last: 1)
    #expect(dialogue.written.hasSuffix("hell"))
  }

  /// Of what has not gone whole nothing good can be said.
  @Test func aGoodEndBeforeTheEndHasGoneIsAnothers() {
    for (line, events) in [
      ("OK", []), ("+CMGS: 3", ["urc +CMGS: 3"]), ("ERROR", ["error"]), ("+CMS ERROR: 500", ["messageError"]),
    ] {
      let dialogue = begun(ATHoldTests.sms, "hello", end: 0x1A, last: 1)
      dialogue.hear("\r\n\(line)\r\n")
      dialogue.wait(.milliseconds(10))
      let told = dialogue.events.dropFirst().map { String($0.prefix { $0 != "(" }) }
      #expect(told == events, "\(line): \(dialogue.events)")
    }
  }

  @Test func withoutAVerifiedEchoAllGoesAtOnce() {
    let dialogue = Dialogue()
    dialogue.send(ATHoldTests.sms, payloadCount: 6)
    dialogue.hear("\r\n> ")
    dialogue.write("hello", end: 0x1A, holding: 1)
    #expect(dialogue.written.hasSuffix("hello\u{1A}") && dialogue.channel.isPayloadSent)
    // Nor is anything held back of what is not longer than its end.
    let short = begun(ATHoldTests.publish, "h", last: 1)
    #expect(short.written.hasSuffix("h") && short.channel.isPayloadSent)
  }

  // MARK: Names

  /// One byte that is lost in the name of the awaited line leaves it known; in what stands behind it is not made up for.
  @Test(arguments: [1, nil] as [Int?]) func aNameThatHasLostAByteIsKnown(chunk: Int?) {
    let name = "+CMGS"
    for place in name.indices {
      let dialogue = begun(ATHoldTests.sms, "hello", end: 0x1A, last: 1)
      dialogue.chunk = chunk
      var lost = name
      lost.remove(at: place)
      dialogue.hear("hello")
      dialogue.hear("\r\n\(lost): 3\r\n\r\nOK\r\n")
      #expect(dialogue.events == ["prompt", "info +CMGS: 3", "ok"], "\(lost)")
    }
    for line in ["+CMGSS: 3", "+GS: 3", "+CMSG: 3", "+CMGR: 3", "CMGS 3", ":", "+CMS"] {
      let dialogue = begun(ATHoldTests.sms, "hello", end: 0x1A, last: 1)
      dialogue.hear("hello")
      dialogue.hear("\r\n\(line)\r\n")
      #expect(!dialogue.events.contains { $0.hasPrefix("info") }, "\(line)")
    }
  }
}
