import Foundation
import Testing

@testable import StatusPage

/// What the forms of the page make is what the tracker takes.
@Suite struct PageRuleTests {
  /// The tests of the scripts make each of these lines with a form.
  @Test func everyRequestThatAFormMakesIsAnsweredAsItsLineSays() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Page/requests.txt")
    let page = try PageOfBoard()
    var count = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let parts = line.components(separatedBy: " → ")
      guard parts.count == 2 else { continue }
      let words = parts[1].split(separator: " ").map(String.init)
      // Past the door, which lets nobody ask so much at once.
      #expect(page.board.request(parts[0]), "\(parts[0])")
      #expect(page.board.lastAnswer == words[0], "\(parts[0])")
      if words.count > 1 { #expect(page.board.lastValue == words[1], "\(parts[0])") }
      count += 1
    }
    #expect(count == 48)
    let rules = try #require(page.status.rules)
    #expect(rules.fences.map(\.name).contains(String(repeating: "é", count: 16)))
    #expect(rules.fences.first { $0.number == 4 }?.rings.first?.corners.last?.latitudeDegrees == 51.9990001)
    #expect(rules.places.map(\.name) == ["home, moved"] && rules.timeZone == "PST8PDT,M3.2.0,M11.1.0")
    #expect(rules.alarms.first { $0.number == 3 }?.rule == "at 23:59 mon,wed,sun sound 0 disabled")
  }

  @Test func aRuleThatIsNotTakenIsAnsweredWithTheReason() throws {
    let page = try PageOfBoard()
    #expect(
      try page.post(page.signed("fence 1 set \"a\" circle here 50"))?.text
        == "{\"answer\":\"ruleRefused\",\"reason\":\"noPosition\"}")
    #expect(try page.post(page.signed("zone nowhere"))?.text == "{\"answer\":\"ruleRefused\",\"reason\":\"badZone\"}")
    #expect(try page.post(page.signed("zone CET-1"))?.text == "{\"answer\":\"ruleChanged\"}")
    #expect(page.status.rules?.timeZone == "CET-1")
  }

  @Test func aFenceOfTheMapSaysWhichOneItIs() throws {
    let page = try PageOfBoard()
    _ = try page.post(page.signed("fence 7 set \"park\" circle 52,4 80"))
    let fences = String(decoding: page.board.pageContent(version: "test").fences(), as: UTF8.self)
    #expect(fences.contains("\"properties\":{\"radiusMetres\":80.0,\"number\":7,\"name\":\"park\",\"isActive\":false}"))
  }
}
