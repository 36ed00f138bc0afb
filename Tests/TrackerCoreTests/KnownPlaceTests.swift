import Quantities
import Testing
import TrackerCore
import TrackerRuntime

/// Fences that are newer than the last fix: the last position says where it is, as far as alarms ask.
@Suite struct KnownPlaceTests {
  /// Rang or not, of each of six alarms at 16:20, four about fence 1 and two that sound outside quiet hours.
  private func rang(_ bench: RequestBench) throws -> Set<String> {
    try bench.wait(1300 - bench.second)
    let news = packets(bench.news(), of: "status").filter { $0.contains("\"reason\":\"alarmRang\"") }
    return Set(
      news.compactMap { packet -> String? in
        guard let found = packet.firstRange(of: "\"name\":\"") else { return nil }
        return String(packet[found.upperBound...].prefix { $0 != "\"" })
      })
  }

  private func rules(_ bench: RequestBench, fence: Double, isKnown: Bool) throws {
    if isKnown {
      #expect(try bench.ask("fence 1 set \"home\" circle \(RequestBench.place(900, 0)) 60") == "ruleChanged")
      try bench.stay(100)
    }
    try bench.wait(600)
    #expect(try bench.ask("fence 1 set \"home\" circle \(RequestBench.place(fence, 0)) 60") == "ruleChanged")
    for (number, place) in [(1, "inside"), (2, "outside")] {
      #expect(try bench.ask("alarm \(number) set \(place) at 16:20 \(place) 1 nofix last") == "ruleChanged")
    }
    #expect(try bench.ask("alarm 3 set skip at 16:20 inside 1 nofix skip") == "ruleChanged")
    #expect(try bench.ask("alarm 4 set ring at 16:20 outside 1 nofix ring") == "ruleChanged")
    _ = bench.news()
  }

  @Test(arguments: [0.0, 500]) func theLastPositionCountsForAFenceThatIsNewOrAnotherSince(_ fence: Double) throws {
    for isKnown in [false, true] {
      for isRestarted in [false, true] {
        let bench = try RequestBench()
        try bench.stay(30)
        try rules(bench, fence: fence, isKnown: isKnown)
        var next = bench
        if isRestarted {
          next = try RequestBench(restoring: bench.state, from: bench.second + 5)
          // The time, and no position.
          next.advanceSecond()
          var fix = GNSSFix(time: .seconds(next.second))
          fix.mode = .none
          fix.utc = next.utc
          try next.run.feed(.fix(fix))
          _ = next.news()
        }
        #expect(try rang(next) == [fence == 0 ? "inside" : "outside", "ring"], "restarted: \(isRestarted)")
      }
    }
  }

  @Test(arguments: [0.0, 500]) func quietHoursOfANewFenceHoldWhereItWasLast(_ fence: Double) throws {
    let bench = try RequestBench()
    try bench.stay(30)
    try bench.wait(600)
    #expect(try bench.ask("fence 1 set \"home\" circle \(RequestBench.place(fence, 0)) 60") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set up at 16:20") == "ruleChanged")
    #expect(try bench.ask("alarm 2 set night quiet inside 1 nofix last") == "ruleChanged")
    #expect(try rang(bench) == ["up"] && bench.sounds.isEmpty == (fence == 0))
  }

  @Test func aFixThatIsFreshSaysItForEachPolicyBeforeThatIsConfirmed() throws {
    for fence in [0.0, 500] {
      let bench = try RequestBench()
      try bench.stay(1190)
      #expect(try bench.ask("fence 1 set \"home\" circle \(RequestBench.place(fence, 0)) 60") == "ruleChanged")
      for policy in ["last", "ring", "skip"] {
        let number = policy == "last" ? 1 : policy == "ring" ? 2 : 3
        #expect(try bench.ask("alarm \(number) set \(policy) at 16:20 inside 1 nofix \(policy)") == "ruleChanged")
      }
      #expect(try rang(bench) == (fence == 0 ? ["last", "ring", "skip"] : []))
    }
  }
}
