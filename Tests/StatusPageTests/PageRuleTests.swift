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
      let words = parts[1].split(separator: " ")
      let reason = words.count > 1 ? ",\"reason\":\"\(words[1])\"" : ""
      let answer = try #require(try page.post(page.signed(parts[0])))
      #expect(answer.text == "{\"answer\":\"\(words[0])\"\(reason)}", "\(parts[0])")
      count += 1
    }
    #expect(count == 48)
    let rules = try #require(page.status.rules)
    #expect(rules.fences.map(\.name).contains(String(repeating: "é", count: 16)))
    #expect(rules.fences.first { $0.number == 4 }?.rings.first?.corners.last?.latitudeDegrees == 51.9990001)
    #expect(rules.places.map(\.name) == ["home, moved"] && rules.timeZone == "PST8PDT,M3.2.0,M11.1.0")
    #expect(rules.alarms.first { $0.number == 3 }?.rule == "at 23:59 mon,wed,sun sound 0 disabled")
  }

  @Test func aFenceOfTheMapSaysWhichOneItIs() throws {
    let page = try PageOfBoard()
    _ = try page.post(page.signed("fence 7 set \"park\" circle 52,4 80"))
    let fences = String(decoding: page.board.pageContent(version: "test").fences(), as: UTF8.self)
    #expect(fences.contains("\"properties\":{\"radiusMetres\":80.0,\"number\":7,\"name\":\"park\",\"isActive\":false}"))
  }
}
