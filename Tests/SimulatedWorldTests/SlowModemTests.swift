import FieldDialogue
import ModemSimulation
import Quantities
import SIM7000
import Testing

@testable import SimulatedWorld

/// A healthy modem that answers late: it is waited for, and never reset.
@Suite struct SlowModemTests {
  private func play(_ head: String, by way: ModemTransport) throws -> FieldRun {
    let dialogue = try FieldDialogue(
      "transport \(way)\nexpect resets 0\nexpect power 0\n\(head)\ninclude plain.dialogue\n"
    ) { try FieldFiles.text($0) }
    let run = FieldRun(dialogue)
    run.run(then: .seconds(60))
    return run
  }

  /// Some thirty commands, each so late.
  @Test(arguments: [0.3, 0.5, 0.7, 1, 2, 3], ModemTransport.allCases)
  func aModemThatSaysEverythingLateDelivers(seconds: Double, way: ModemTransport) throws {
    let limit = 20 + 45 * seconds
    for power in ["on", "off"] {
      let run = try play(
        "power \(power)\nlatency \(seconds)\nexpect copies 1\nexpect delivered within \(limit)", by: way)
      #expect(run.failures == [], "\(way) \(seconds) \(power)")
    }
  }

  /// The same behind a bridge that holds back what comes, with the echo: first late answers of the search come in between.
  @Test(arguments: [1, 1.7, 2.0, 2.7, 3.0], ModemTransport.allCases) func aBridgeThatHoldsTheEchoBackIsWaitedFor(
    seconds: Double, way: ModemTransport
  ) throws {
    // Each rule says its echo itself, behind the wait and what decides whether it holds.
    var head = "value echo 0\n"
    var echo: String?
    for line in try FieldFiles.text("plain.dialogue").split(separator: "\n") where !line.contains(" echo ") {
      let isCondition = line.contains(" if ") || line.contains(" unless ")
      if let pending = echo, !isCondition {
        head += "ours wait \(seconds)\nours raw \(pending)\\r\n"
        echo = nil
      }
      guard line.hasPrefix("ours ") else { continue }
      let rule = line.replacing("*", with: "{rest}")
      head += rule + "\n"
      if rule.hasPrefix("ours > A") { echo = String(rule.dropFirst("ours > ".count)) }
    }
    for power in ["on", "off"] {
      let run = try play(
        "power \(power)\n\(head)expect copies 1\nexpect delivered within \(20 + 45 * seconds)", by: way)
      #expect(run.failures == [], "\(way) \(seconds) \(power)")
    }
  }

  /// The same where commands come back at once, and where what is no command is refused at once.
  @Test(arguments: [2.7, 3.0], ModemTransport.allCases) func refusalsMayBeQuicker(seconds: Double, way: ModemTransport)
    throws
  {
    var head = ""
    for line in try FieldFiles.text("plain.dialogue").split(separator: "\n") where line.hasPrefix("ours ") {
      let isAnswer = !line.contains(" > ") && !line.contains(" if ") && !line.contains(" unless ")
      if isAnswer, head.hasSuffix("?\n") || head.hasSuffix("AT\n") || head.hasSuffix("ATE1\n") {
        head += "ours wait \(seconds)\n"
      }
      head += line + "\n"
    }
    for power in ["on", "off"] {
      let run = try play(
        "power \(power)\n\(head)expect copies 1\nexpect delivered within \(20 + 45 * seconds)", by: way)
      #expect(run.failures == [], "\(way) \(seconds) \(power)")
    }
  }

  /// What only informs or sets, what is asked, what sends: six seconds late each time, where five are its own.
  @Test(arguments: [
    ("AT+CBATCHK=1", "< OK", ModemTransport.http), ("AT+CMEE?", "< +CMEE: {error}\nours < OK", .tcp),
    ("AT+CGMR", "< Revision:1351B08SIM7000E\nours < OK", .sms), ("ATE1", "set echo 1\nours < OK", .sms),
    ("AT+SMSTATE?", "< +SMSTATE: {broker}\nours < OK", .mqtt),
  ])
  func aCommandThatIsAlwaysLateDelaysAndNoMore(command: String, answer: String, way: ModemTransport) throws {
    let broker = command == "AT+SMSTATE?" ? "value broker 0\n" : ""
    // Each probe sets the echo, too.
    let limit = command == "ATE1" ? 90 : 60
    let run = try play(
      "\(broker)ours > \(command)\nours wait 6\nours \(answer)\nexpect copies 1\nexpect delivered within \(limit)",
      by: way)
    #expect(run.failures == [], "\(command)")
  }

  /// A prompt that comes later than it may has got probes for a payload once or twice; then it is waited for.
  @Test func aPromptThatIsAlwaysLateIsWaitedFor() throws {
    let run = try play(
      "ours > AT+SMPUB=\"{topic}\",{count},{quality},{kept}\nours if broker 1\nours wait 6\nours prompt\nours payload count\nours server\nours < OK\n"
        + "expect copies 3\nexpect delivered within 60", by: .mqtt)
    #expect(run.failures == [])
  }

  /// A modem whose setting of the echo never ends is switched off in laps whose waits grow, and news of its card ends none of them.
  @Test(arguments: [ModemTransport.sms, .http]) func theWaitsBetweenLapsAreKept(way: ModemTransport) throws {
    let run = try play(
      "ours > ATE1\nours dead\nours > ATE1*\nours dead\nours > @start\nours < RDY\nours <+1 +CPIN: READY\nours <+3.5 SMS Ready\n"
        + "expect unconfirmed yes\nexpect delivered within 1800", by: way)
    #expect(run.delivered == nil)
    // At 0, 1, 2, 5 and 15 minutes' distance there is room for six in half an hour.
    #expect(run.peer.powerCycles <= 6 && run.peer.resets <= 6, "\(run.peer.powerCycles) \(run.peer.resets)")
  }

  @Test(arguments: ["latency -1", "latency soon", "latency 100"]) func aWrongLatencyIsNamed(line: String) throws {
    let error = try #require(throws: FieldDialogueError.self) { try FieldDialogue("title x\n\(line)\n") }
    #expect(error.line == 2 && error.message == "latency SECONDS")
  }

  /// Rubbish on an earlier connection is no part of the packet's line.
  @Test func whatAnEarlierConnectionLeftUnendedHidesNoDelivery() throws {
    let run = try play(
      "ours > AT+CIPSEND=0,{count}\nours times 1\nours wait 6\nours prompt\nours payload count\nours server\n"
        + "ours < 0, CLOSED\nexpect delivered within 120", by: .tcp)
    #expect(run.peer.received.count > 1 && run.failures == [], "\(run.failures)")
  }

  /// The same in the simulated modem, at the rate of its line: each way, from off and running.
  @Test(arguments: ModemTransport.allCases, [true, false]) func theSimulatedModemMayBeSlow(
    way: ModemTransport, isOff: Bool
  ) {
    for milliseconds in [500, 1000, 3000] {
      var story = FaultStory(seed: 11, transport: way)
      story.module.link.answerDelay = .milliseconds(milliseconds)
      story.module.startsPoweredOff = isOff
      story.limit = .seconds(300)
      let outcome = FaultRun(story).run()
      #expect(outcome.isGood && outcome.duplicates == 0, "\(milliseconds) \(outcome)")
      #expect(outcome.rungs[3...].allSatisfy { $0 == 0 }, "\(milliseconds) \(outcome.rungs)")
    }
  }

  @Test func eachKindOfLatenessHasItsShareOfTheStories() {
    let stories = (1...3000).map { FaultCampaign.story(seed: $0) }
    func share(_ encounter: FieldEncounter) -> Double {
      Double(stories.filter { $0.encounters.contains(encounter) }.count) / Double(stories.count)
    }
    #expect(abs(share(.slowModem) - 1.0 / 12) < 0.015 && abs(share(.slowCommand) - 1.0 / 12) < 0.015)
    #expect(
      stories.allSatisfy { ($0.module.link.answerDelay > .milliseconds(10)) == $0.encounters.contains(.slowModem) })
  }
}
