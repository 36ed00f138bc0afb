import Quantities
import Testing
import TrackerCore
import TrackerRuntime

/// Every example of docs/rules.md is asked, and answered as it says there.
@Test func everyExampleOfTheRulesPageIsAnsweredAsItSays() throws {
  let page = try ManualPage("rules.md").text
  let bench = try RequestBench()
  try bench.fix()
  var count = 0
  var seen: Set<RequestKind> = []
  for line in page.split(separator: "\n") {
    let parts = line.split(separator: "→").map { $0.trimmed }
    guard parts.count == 2, !line.hasPrefix("|"), !line.hasPrefix("Every") else { continue }
    let request = try #require(Request(text: parts[0]), "\(parts[0])")
    #expect(try bench.ask(parts[0]) == parts[1], "\(parts[0])")
    // It reads back to the same when it is written.
    #expect(Request(text: request.text) == request, "\(request.text)")
    seen.insert(request.kind)
    count += 1
  }
  #expect(count == 32 && seen == [.fence, .place, .alarm, .zone, .hush])
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while rest.last == " " { rest.removeLast() }
    while rest.first == " " { rest.removeFirst() }
    return String(rest)
  }
}
