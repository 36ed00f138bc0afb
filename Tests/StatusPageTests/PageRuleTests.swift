import Foundation
import Testing

@testable import StatusPage

/// What the forms of the page make is what the tracker takes.
@Suite struct PageRuleTests {
  /// The tests of the scripts make each of these lines with a form.
  @Test func everyRequestThatAFormMakesIsAnsweredAsItsLineSays() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Page/requests.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.components(separatedBy: " → ") }.filter { $0.count == 2 }
    #expect(lines.count == 48)
    let zones = lines.filter { $0[0].hasPrefix("zone ") }
    let page = try PageOfBoard()
    try ask(lines.filter { !$0[0].hasPrefix("zone ") }, of: page)
    let rules = try #require(page.status.rules)
    #expect(rules.fences.map(\.name).contains(String(repeating: "é", count: 16)))
    #expect(rules.fences.first { $0.number == 4 }?.rings.first?.corners.last?.latitudeDegrees == 51.9990001)
    #expect(rules.places.map(\.name) == ["home, moved"])
    #expect(rules.alarms.first { $0.number == 3 }?.rule == "at 23:59 mon,wed,sun sound 0 disabled")
    // Another one: nobody takes the answers, and an outbox has room for so many.
    let other = try PageOfBoard()
    try ask(zones, of: other)
    #expect(other.status.rules?.timeZone == "PST8PDT,M3.2.0,M11.1.0")
  }

  private func ask(_ lines: [[String]], of page: PageOfBoard) throws {
    for line in lines {
      let words = line[1].split(separator: " ").map(String.init)
      // Past the door, which lets nobody ask so much at once.
      #expect(page.board.request(line[0]), "\(line[0])")
      #expect(page.board.lastAnswer == words[0], "\(line[0])")
      if words.count > 1 { #expect(page.board.lastValue == words.dropFirst().joined(separator: " "), "\(line[0])") }
    }
    try waitUntilKept(page)
  }

  private func waitUntilKept(_ page: PageOfBoard) throws {
    #expect(try page.post(page.signed("alerts on"))?.status == 200)
  }

  @Test func aRuleThatIsNotTakenIsAnsweredWithTheReason() throws {
    let page = try PageOfBoard()
    #expect(
      try page.post(page.signed("fence 1 set \"a\" circle here 50"))?.text
        == "{\"answer\":\"ruleRefused\",\"reason\":\"noPosition\"}")
    #expect(
      try page.post(page.signed("zone nowhere"))?.text == "{\"answer\":\"ruleRefused\",\"reason\":\"badZone\"}")
    #expect(try page.post(page.signed("zone CET-1"))?.text == "{\"answer\":\"ruleChanged\"}")
    #expect(page.status.rules?.timeZone == "CET-1")
  }

  @Test func aReasonThatTheOutboxHasNoRoomForIsToldAllTheSame() throws {
    let page = try PageOfBoard()
    #expect(page.board.request("fence 9 delete") && page.board.lastValue == "unknownNumber")
    for _ in 0..<60 { page.board.request("status") }
    #expect(page.board.request("zone nowhere") && page.board.lastAnswer == "ruleRefused")
    #expect(page.board.lastValue == "badZone")
    #expect(page.board.request("zone CET-1") && page.board.lastValue == "CET-1", "not the reason of an earlier request")
    #expect(page.board.request("status") && page.board.lastValue == nil)
    #expect(
      try page.post(page.signed("fence 8 delete"))?.text == "{\"answer\":\"ruleRefused\",\"reason\":\"unknownNumber\"}")
  }

  @Test func aFenceOfTheMapSaysWhichOneItIs() throws {
    let page = try PageOfBoard()
    _ = try page.post(page.signed("fence 7 set \"park\" circle 52,4 80"))
    let fences = String(decoding: page.board.pageContent(version: "test").fences(), as: UTF8.self)
    #expect(
      fences.contains("\"properties\":{\"radiusMetres\":80.0,\"number\":7,\"name\":\"park\",\"isActive\":false}"))
  }
}
