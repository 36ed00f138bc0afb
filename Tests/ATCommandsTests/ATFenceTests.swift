import Quantities
import Testing

@testable import ATCommands

/// The question that shows whose a good end was, on a line that damages its answer; and what leads out of a transfer of data.
@Suite struct ATFenceTests {
  private static let publish = Words("+SMPUB=\"t\",5,1,0", ATGrammar(prompt: .angle))

  /// A publication whose good end may be that of one before, and whose fence has just gone.
  private func doubted() -> Dialogue {
    let dialogue = Dialogue()
    dialogue.channel.echo = .verified
    for _ in 0...1 {
      dialogue.send(ATFenceTests.publish, payloadCount: 5, outcomeWithin: .seconds(1))
      dialogue.hear("AT+SMPUB=\"t\",5,1,0\r\r\n> ")
      dialogue.write("hello")
      if dialogue.diagnostics.timeouts == 1 {
        dialogue.hear("hello\r\nOK\r\n")
      } else {
        dialogue.hear("hello")
        dialogue.wait(.milliseconds(1100))
        dialogue.sentBytes()
        dialogue.hear("\u{1B}AT\r\r\nOK\r\n")
        dialogue.wait(.milliseconds(30))
        dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
        dialogue.channel.oweResult(at: dialogue.now)
      }
    }
    dialogue.wait(.milliseconds(30))
    dialogue.events = []
    return dialogue
  }

  /// Its line is the answer; only its `OK` was lost, and is not taken for another's later.
  @Test func aFenceWhoseEndIsLostHasAnswered() {
    let dialogue = doubted()
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n")
    dialogue.wait(.milliseconds(4900))
    #expect(dialogue.events == [])
    dialogue.wait(.milliseconds(200))
    #expect(dialogue.events == ["ok"])
  }

  /// A bad end that can't be read may stand behind a damaged echo, too.
  @Test func aDamagedFenceDoesNotHideABadEnd() {
    let dialogue = doubted()
    dialogue.hear("\r\nERRR\r\nATIPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    dialogue.wait(.seconds(6))
    #expect(dialogue.events.last == "doubtful")
  }

  /// A text may look like all that: a fence whose echo came back damaged proves nothing.
  @Test(arguments: ["ATIPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n", "AT+IR?\r\r\n\r\nOK\r\n"])
  func aFenceThatCameBackDamagedLeavesAPacketInDoubt(damaged: String) {
    let dialogue = doubted()
    dialogue.hear(damaged)
    dialogue.wait(.seconds(6))
    #expect(dialogue.events.last == "doubtful", "\(dialogue.events)")
  }

  @Test func theFirstProbeOfAModemThatHasWokenIsWaitedForShortly() {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start, isWaking: true)
    #expect(
      dialogue.timetable(.seconds(3), from: start) == [
        "0 AT.", "150 AT.", "650 ATE1.", "1150 \u{1B}\u{1A}.ATE1Q0V1.", "1650 silent",
      ])
  }

  /// - Source: [sim7000at] section 2.2.
  @Test func whatEndsATransferOfDataStandsBetweenTwoSilences() {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start, leavesData: true)
    #expect(
      dialogue.timetable(.seconds(5), from: start) == [
        "1100 +++", "2200 AT.", "2700 AT.", "3200 ATE1.", "3700 \u{1B}\u{1A}.ATE1Q0V1.", "4200 silent",
      ])
    let other = Dialogue()
    other.channel.synchronise(at: other.now, leavesData: true)
    other.wait(.milliseconds(2100))
    other.hear("\r\nOK\r\n")
    other.wait(.milliseconds(50))
    #expect(other.written.hasSuffix("+++AT+IPR?\r"))
  }
}
