import Quantities
import Testing

@testable import ATCommands

/// A modem that answers all it is asked, and late.
@Suite struct ATLatenessTests {
  private static let setting = Words("E1", ATGrammar(within: .seconds(5)))
  private static let question = Words("+A?", ATGrammar(within: .seconds(5)))

  /// In step with a modem that echoes.
  private func linked() -> Dialogue {
    let dialogue = Dialogue()
    dialogue.channel.echo = .verified
    return dialogue
  }

  /// A command that has no answer up to its time-out, from a modem that is there.
  @discardableResult private func timeOut(_ dialogue: Dialogue) -> Interval {
    let start = dialogue.now
    dialogue.send(ATLatenessTests.question)
    while !dialogue.events.contains("timedOut") { dialogue.wait(.milliseconds(100)) }
    let time = dialogue.now - start
    dialogue.wait(.milliseconds(150))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    #expect(dialogue.events.last == "synchronised")
    dialogue.events = []
    return time
  }

  @Test func theTimeOfACommandGrowsBehindEachThatHadNoAnswer() {
    let dialogue = linked()
    var times: [Int64] = []
    for _ in 0..<6 { times.append(timeOut(dialogue).microseconds / 1_000_000) }
    // One second, twice as long, and never more than eight.
    #expect(times == [5, 6, 7, 9, 13, 13], "\(times)")
    dialogue.channel.allowance /= 2
    #expect(timeOut(dialogue).microseconds / 1_000_000 == 9)
  }

  /// One that does not answer at all is not waited for longer when it is found again.
  @Test func nothingIsLearntFromSilence() {
    let dialogue = linked()
    dialogue.send(ATLatenessTests.question)
    dialogue.wait(.seconds(10))
    #expect(dialogue.events == ["timedOut", "silent"])
    dialogue.channel.forget()
    dialogue.channel.synchronise(at: dialogue.now)
    dialogue.wait(.milliseconds(10))
    dialogue.hear("AT\r\r\nOK\r\n")
    dialogue.wait(.milliseconds(30))
    dialogue.hear("AT+IPR?\r\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events.last == "synchronised" && dialogue.channel.allowance == 0)
  }

  /// Each probe is answered a second late: nothing more is asked until it has caught up, and then it has its second.
  @Test func lateAnswersOfProbesAreWaitedFor() {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start)
    var lines = dialogue.timetable(.milliseconds(1000), from: start)
    #expect(lines == ["0 AT.", "500 AT.", "1000 ATE1."])
    dialogue.hear("AT\r\r\nOK\r\nAT\r")
    lines = dialogue.timetable(.milliseconds(1000), from: start)
    #expect(lines == ["1020 AT+IPR?."])
    dialogue.hear("\r\nOK\r\nATE1\r")
    #expect(dialogue.timetable(.milliseconds(1000), from: start) == [])
    dialogue.hear("\r\nOK\r\nAT+IPR?\r")
    #expect(dialogue.timetable(.milliseconds(1000), from: start) == [])
    dialogue.hear("\r\n+IPR: 115200\r\n\r\nOK\r\n")
    #expect(dialogue.events == ["synchronised"])
    // Answers are late here.
    #expect(dialogue.channel.allowance == 12)
  }

  /// Eight seconds without any, and it is asked once more; eight seconds later it counts as silent.
  @Test func aFenceThatIsNeverAnsweredEnds() {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start)
    _ = dialogue.timetable(.milliseconds(600), from: start)
    dialogue.hear("\r\nOK\r\n")
    #expect(
      dialogue.timetable(.seconds(30), from: start) == ["620 AT+IPR?.", "8620 AT+IPR?.", "16620 silent"])
  }

  /// Its echo shows that it has got what it was sent: it is given four seconds before it counts as silent, or as in the midst of a payload.
  @Test func aModemThatEchoesAndDoesNotAnswerIsGivenTime() {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start, isPatient: true)
    _ = dialogue.timetable(.milliseconds(10), from: start)
    dialogue.hear("AT\r")
    let lines = dialogue.timetable(.milliseconds(5000), from: start)
    #expect(lines.map { String($0.prefix(7)) } == ["500 AT.", "1000 AT", "1500 \u{1B}\u{1A}"], "\(lines)")
    dialogue.hear("\r\nOK\r\n")
    #expect(dialogue.timetable(.milliseconds(100), from: start) == ["5030 AT+IPR?."])
  }

  /// At the rate that it should have, one of which nothing is heard has a second and a half more; at others, none.
  @Test(arguments: [true, false]) func theLastProbeIsWaitedForWhereAModemShouldBe(isPatient: Bool) {
    let dialogue = Dialogue()
    let start = dialogue.now
    dialogue.channel.synchronise(at: start, isPatient: isPatient)
    let lines = dialogue.timetable(.seconds(10), from: start)
    #expect(lines.last == (isPatient ? "3500 silent" : "2000 silent"), "\(lines)")
  }

  /// What comes back before a command has gone is what came back of another.
  @Test(arguments: [nil, 1, 3] as [Int?]) func theEchoOfAnotherIsNoDamage(chunk: Int?) {
    let dialogue = Dialogue(chunk: chunk)
    dialogue.channel.echo = .verified
    dialogue.hear("\r\nOK\r\n")
    dialogue.send(ATLatenessTests.question)
    dialogue.hear("ATE1\r", isEarly: true)
    dialogue.wait(.milliseconds(30))
    dialogue.hear("\r\nOK\r\nAT+A?\r\r\nOK\r\n")
    #expect(dialogue.events == ["ok"], "\(dialogue.events)")
    #expect(dialogue.diagnostics.garbled == 0)
  }

  /// Whether there is an echo is not known yet: what comes back of a fence is no echo of the command, and the end behind it is the fence's.
  @Test(arguments: [nil, 1, 3] as [Int?]) func theEndOfALateFenceEndsNoCommand(chunk: Int?) {
    for (echo, end) in [
      ("AT+IPR?", "\r\n+IPR: 115200\r\n\r\nOK\r\n"), ("AT", "\r\nOK\r\n"), ("AT+IPR?", "\r\nERROR\r\n"),
    ] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.channel.owedResults = 1
      dialogue.channel.owedUntil = dialogue.now + .seconds(120)
      dialogue.send(ATLatenessTests.setting)
      dialogue.wait(.milliseconds(30))
      dialogue.hear("\(echo)\r\(end)")
      #expect(!dialogue.events.contains("ok") && !dialogue.events.contains("error"), "\(echo) \(dialogue.events)")
      dialogue.hear("ATE1\r\r\nOK\r\n")
      #expect(dialogue.events.last == "ok" && dialogue.channel.owedResults == 0, "\(echo) \(dialogue.events)")
    }
    // With the echo known, and between two questions: neither is damaged.
    let question = Words("+A?", ATGrammar(named: "+A", within: .seconds(5)))
    for echo in ["AT+IPR?", "AT", "ATE1", "ATE1Q0V1"] {
      let dialogue = Dialogue(chunk: chunk)
      dialogue.channel.echo = .verified
      dialogue.channel.owedResults = 1
      dialogue.send(question)
      dialogue.wait(.milliseconds(30))
      dialogue.hear("\(echo)\r\r\nOK\r\nAT+A?\r\r\n+A: 1\r\n\r\nOK\r\n")
      #expect(dialogue.events.last == "ok" && dialogue.diagnostics.garbled == 0, "\(echo) \(dialogue.events)")
    }
  }
}
