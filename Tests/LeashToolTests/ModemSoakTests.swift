import Foundation
import ModemSimulation
import SIM7000
import SimulatedWorld
import Synchronization
import Testing

@testable import LeashTool

@Suite struct ModemSoakTests {
  @Test func aSoakCountsItsStoriesAndEndsWell() {
    let run = ToolRun("modem", "soak", "--runs", "6", "--seed", "1")
    #expect(run.code == .success)
    #expect(run.lines.contains { $0.hasPrefix("stories") && $0.hasSuffix(" 6") })
    #expect(run.lines.last == "every packet and every text message arrived")
  }

  @Test func theNumberOfThreadsChangesNothing() throws {
    func numbers(_ jobs: String) throws -> [String: Any] {
      var object = try #require(
        try ToolRun("modem", "soak", "--runs", "8", "--seed", "20", "--jobs", jobs, "--json").objects().first)
      object["wall_seconds"] = nil
      return object
    }
    #expect(try numbers("1") as NSDictionary == numbers("3") as NSDictionary)
  }

  @Test func aFailedStoryIsToldWithTheLineThatRepeatsIt() {
    var outcome = FaultOutcome()
    outcome.missing = [2]
    outcome.lost = [1]
    var tally = SoakTally(strength: .module, firstSeed: 1)
    let story = FaultCampaign.story(seed: 1517, strength: .module)
    tally.add(SoakResult(story, outcome))
    let text = tally.text(wallSeconds: 1, .captured())
    #expect(text.contains("1 of 1 stories failed"))
    #expect(text.contains("seed 1517 (\(story.transport): missing 2, lost 1)"))
    #expect(text.contains("leash modem soak --seed 1517 --runs 1 --strength module --verbose"))
    #expect(tally.json(wallSeconds: 1).contains("\"failures\":[{\"seed\":1517,"))
  }

  @Test func aStoryThatNeverEndsIsToldToo() {
    var tally = SoakTally(strength: .mixed, firstSeed: 1)
    tally.addHang(seed: 9)
    #expect(tally.text(wallSeconds: nil, .captured()).contains("leash modem soak --seed 9 --runs 1 --verbose"))
  }

  @Test func aSingleStoryIsShownWithItsDialogue() {
    let run = ToolRun("modem", "soak", "--runs", "1", "--seed", "1", "--verbose")
    #expect(run.code == .success)
    #expect(run.lines.contains { $0.hasPrefix("fault F") })
    #expect(run.lines.contains { $0.hasSuffix(" > AT") })
    #expect(run.lines.contains { $0.hasSuffix(" < OK") })
    #expect(run.lines.contains { $0.contains(" · starting") })
    #expect(run.lines.contains { $0.contains(" ! F") })
    #expect(run.lines.contains { $0.contains(" * delivered(ticket: 1)") })
    #expect(run.lines.contains { $0.contains(" = ") && $0.contains("\"sequence\":1,") })
  }

  @Test(arguments: [
    (["--runs", "0"], "--runs"), (["--runs", "2", "--verbose"], "--verbose"), (["--jobs", "0"], "--jobs"),
    (["--strength", "weak"], "--strength"), (["--seed", "\(UInt64.max)"], "--seed"),
    (["--runs", "1", "--verbose", "--json"], "--json"),
  ])
  func wrongUseIsTold(arguments: [String], option: String) {
    let run = ToolRun(["modem", "soak"] + arguments)
    #expect(run.code == .usage)
    #expect(run.err.contains(option))
  }

  @Test func theWorkersDoEveryJobOnceAndGiveUpOneThatNeverEnds() throws {
    let squares = try WorkerPool(count: 50) { $0 * $0 }.run(threads: 4)
    #expect(squares == (0..<50).map { $0 * $0 })
    let none = try WorkerPool(count: 2) { job in job == 0 ? Int(poll(nil, 0, 5000)) : 7 }.run(threads: 1, patience: 0)
    #expect(none[0] == nil)
  }

  @Test func whatComesOfAJobIsGivenAwayWhileAnotherTakesLong() throws {
    let given = Atomic<Int>(0)
    let pool = WorkerPool(count: 5) { job in
      // The first one ends when it has seen all others, or too late.
      for _ in 0..<2000 where job == 0 && given.load(ordering: .relaxed) < 4 { poll(nil, 0, 10) }
      return job
    }
    var order: [Int] = []
    try pool.run(threads: 2) { job, output in
      order.append(output)
      given.add(1, ordering: .relaxed)
    }
    #expect(order == [1, 2, 3, 4, 0])
  }

  @Test func noJobIsBegunAfterTheEnd() throws {
    let isOver = Atomic<Bool>(false)
    let pool = WorkerPool(count: 1_000_000, until: { isOver.load(ordering: .relaxed) }) { job in
      if job == 9 { isOver.store(true, ordering: .relaxed) }
      return job
    }
    #expect(try pool.run(threads: 1).compactMap { $0 } == Array(0...9))
    // What can't be noted ends it.
    var count = 0
    let endless = WorkerPool(count: 1_000_000) { job in Int(poll(nil, 0, 1)) }
    #expect(throws: CommandFailure.self) {
      try endless.run(threads: 1) { _, _ throws(CommandFailure) in
        count += 1
        throw .environment("full")
      }
    }
    #expect(count == 1)
  }

  @Test func aPacketHasItsPriceByEveryTransportFromEveryRest() throws {
    let objects = try ToolRun("modem", "cost", "--json").objects()
    let rests = ["off", "powerSaving", "asleep", "listening", "connected"]
    let expected = ModemTransport.allCases.flatMap { transport in rests.map { "\(transport) \($0)" } }
    #expect(objects.map { "\($0["transport"] ?? "") \($0["from"] ?? "")" } == expected)
    for object in objects {
      #expect(try #require(object["uC"] as? Int) > 0)
      // Beside the search it is made of these, and of nothing else.
      let parts = try ["start_s", "readiness_s", "commands_s", "network_s"].map { try #require(object[$0] as? Double) }
      #expect(abs(try #require(object["s"] as? Double) - parts.reduce(0, +)) < 0.003, "\(object)")
    }
    let lines = ToolRun("modem", "cost").lines
    // Five tables with a title and a heading each.
    #expect(lines.count == 5 * (ModemTransport.allCases.count + 2))
  }

  @Test func faultsInOneFamilyOfStatesAreListed() throws {
    let table = try FaultTable(
      [.sms], faults: [.spontaneousReset(afterBytes: 0), .lateAnswer(by: .seconds(75))], threads: 2)
    #expect(table.failures.isEmpty)
    #expect(table.text.contains("F1 reset"))
    #expect(table.markdown.contains("| F10 `late-answer` | 75 |"))
    #expect(table.json.contains("\"fault\":\"F10\""))
  }
}
