import Quantities
import Testing
import TrackerCore
import TrackerRuntime

/// Whoever floods the tracker with requests that it refuses fills nothing.
@Suite struct RefusalFloodTests {
  private func refusals(_ bench: RequestBench) -> [String] {
    bench.events.filter { $0.contains("\"requestRefused\"") }
  }

  @Test func ofAFloodOfRefusedRequestsFiveInAMinuteAreToldAndTheOthersTogether() throws {
    let bench = try RequestBench()
    // From both ways at once, for five minutes, and one of another reason among them.
    for second in 0..<300 {
      for _ in 0..<40 {
        #expect(try bench.ask("arm", .way(0)) == "notAllowed")
        #expect(try bench.ask("arm", .way(1)) == "notAllowed")
      }
      if second == 100 { #expect(try bench.ask("nonsense", .way(0)) == "unreadable") }
      bench.advanceSecond()
    }
    try bench.wait(120)
    let told = refusals(bench)
    #expect(told.count <= 2 * (5 + 6) + 1, "\(told.count)")
    #expect(told.filter { !$0.contains("\"times\"") }.count == 11 && told.count { $0.contains("unreadable") } == 1)
    #expect(bench.log.commands.filter { $0.contains("?") }.count == told.count, "the recording has as many")
    #expect(bench.log.commands.contains { $0.contains("?notAllowed *2435") }, "\(bench.log.commands)")
    // All are counted.
    #expect(bench.run.diagnostics.requestsRefused == 300 * 80 + 1 && bench.run.untoldRefusalCount == 0)
    // Later each is told by itself again.
    try bench.wait(120)
    try bench.ask("arm", .way(0))
    #expect(refusals(bench).count == told.count + 1)
  }

  /// Those that are left are told when the minute is over, without another.
  @Test func whatIsLeftIsToldByItself() throws {
    let bench = try RequestBench()
    for _ in 0..<8 { try bench.ask("arm", .way(0)) }
    #expect(refusals(bench).count == 5 && bench.run.untoldRefusalCount == 3)
    try bench.wait(59)
    #expect(refusals(bench).count == 5)
    try bench.wait(1)
    #expect(refusals(bench).count == 6 && refusals(bench).last?.contains("\"times\":3") == true)
  }

  @Test func severalThatWereRefusedStandInALogAsOne() {
    for (text, isRead) in [
      ("@2 ?forged *500", true), ("@2 ?forged *65535", true), ("@2 ?forged *65536", false), ("@2 ?forged *0", false),
      ("@2 ?forged *5 more", false), ("@2 ?forged five", false),
    ] {
      let verdict = RequestVerdict(Array(text.utf8).span)
      #expect((verdict != nil) == isRead, "\(text)")
      var bytes = ByteBuffer()
      verdict?.encode(into: &bytes)
      #expect(!isRead || String(decoding: bytes.bytes, as: UTF8.self) == text)
    }
    let three = RequestVerdict.refusedTogether(.forged, channel: 2, times: 3)
    #expect(RequestVerdict(Array("@2 ?forged *3".utf8).span) == three)
    var tracker = Tracker()
    tracker.take(three, at: .seconds(1))
    #expect(tracker.diagnostics.requestsRefused == 3)
  }
}
