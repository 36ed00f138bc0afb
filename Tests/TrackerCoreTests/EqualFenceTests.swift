import Quantities
import Testing
import TrackerCore
import TrackerRuntime

/// Requests about fences that change nothing: what goes on goes on, and the answer is as ever.
@Suite struct EqualFenceTests {
  static let requests = [
    "fence 1 on", "fence only 1", "fence 1 set \"garden\" circle \(RequestBench.place(0, 0)) 50",
    "fence 1 set \"yard\" circle \(RequestBench.place(0, 0)) 50", "fence 2 off",
    "fence 2 set \"far\" circle 10.0,10.0 50",
  ]

  /// In the garden, with a second fence that is off, and one in which nobody is.
  private func inGarden() throws -> RequestBench {
    let bench = try RequestBench.inGarden()
    #expect(try bench.ask("fence 2 set \"far\" circle 10.0,10.0 50") == "ruleChanged")
    #expect(try bench.ask("alarm 1 set \"gone\" leave inside 1") == "ruleChanged")
    try bench.stay(100)
    _ = bench.news()
    return bench
  }

  @Test(arguments: requests) func whoAsksForWhatIsSoDelaysNoAlert(_ text: String) throws {
    var expected: [[Double]] = []
    for isAsked in [false, true] {
      let bench = try inGarden()
      var news: [String] = []
      for north in 1...300 {
        try bench.fix(north: Double(north), speed: 1)
        if isAsked, north % 20 == 0 { #expect(try bench.ask(text) == "ruleChanged", "\(text)") }
        news += bench.news()
      }
      for second in 1...130 {
        try bench.fix(north: 300)
        if isAsked, second % 20 == 0 { #expect(try bench.ask(text) == "ruleChanged", "\(text)") }
        news += bench.news()
      }
      let alerts = packets(news, of: "fence")
      #expect(alerts.count > 3 && alerts.allSatisfy { $0.contains("\"id\":1,") }, "\(text)")
      #expect(packets(news, of: "transition").count == 1, "\(text)")
      #expect(news.filter { $0.contains("\"reason\":\"alarmRang\"") }.count == 1, "\(text)")
      expected.append(
        alerts.flatMap { [number("uptime", in: $0) ?? -1, number("repetition", in: $0) ?? 0] })
    }
    #expect(expected[0] == expected[1], "\(text): times and counts of the alerts")
  }

  @Test(arguments: requests) func whatWasFoundStaysFoundWhenNothingChanges(_ text: String) throws {
    let bench = try inGarden()
    try bench.walk(from: 1, to: 300)
    #expect(try bench.ask("found") == "found")
    #expect(try bench.ask(text) == "ruleChanged")
    _ = bench.news()
    try bench.stay(200, north: 300)
    #expect(packets(bench.news(), of: "fence").isEmpty && bench.run.look { $0.fenceState } == .suppressed, "\(text)")
  }

  @Test func whatIsAnotherFenceIsJudgedAnew() throws {
    for text in [
      "fence 1 set \"garden\" circle \(RequestBench.place(0, 0)) 51", "fence only 2", "fence only 1 2", "fence 2 on",
      "fence 1 set \"garden\" circle \(RequestBench.place(1, 0)) 50",
      "fence 1 set \"garden\" corridor 50 \(RequestBench.place(0, 0)) \(RequestBench.place(1, 0))",
    ] {
      let bench = try inGarden()
      try bench.walk(from: 1, to: 200)
      let before = packets(bench.news(), of: "fence").count
      #expect(try before > 0 && bench.ask(text) == "ruleChanged")
      try bench.stay(150, north: 200)
      #expect(packets(bench.news(), of: "fence").first?.contains("\"id\":2,") == true, "\(text)")
    }
    // Of the same corners, the last three are a hole.
    let corners = [(0.0, 40.0), (40, 0), (0, -40), (-40, 0), (-10, -5), (10, 0), (-10, 10)]
      .map { RequestBench.place($0.0, $0.1) }
    let bench = try inGarden()
    #expect(try bench.ask("fence 1 set \"garden\" polygon \(corners.joined(separator: " "))") == "ruleChanged")
    try bench.stay(200, north: -100)
    #expect(bench.run.look { $0.fenceStatus(row: 0)?.presence } == .outside)
    let (ring, hole) = (corners[..<4].joined(separator: " "), corners[4...].joined(separator: " "))
    #expect(try bench.ask("fence 1 set \"garden\" polygon \(ring) hole \(hole)") == "ruleChanged")
    #expect(bench.run.look { $0.fenceStatus(row: 0)?.presence } == .unknown)
  }
}
