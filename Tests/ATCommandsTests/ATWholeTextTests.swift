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
