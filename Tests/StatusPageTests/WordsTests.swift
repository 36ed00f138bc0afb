import Foundation
import LinuxRuntime
import Quantities
import Rules
import Telemetry
import Testing
import TrackerCore

/// The page's words for what the tracker says: `Sources/StatusPage/Page/vocabulary.js` is written from the core.
@Suite struct WordsTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/StatusPage/Page")

  /// An object of the script, with the members in their order.
  private static func object(_ name: String, _ members: [(name: String, value: String)]) -> String {
    "\nexport const \(name) = {\n" + members.map { "  \($0.name): \($0.value),\n" }.joined() + "};\n"
  }

  private static func quoted(_ text: some CustomStringConvertible) -> String {
    "\"" + "\(text)".replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static let titles: [(name: String, title: String)] = {
    var titles: [(String, String)] = []
    while let (name, title) = TrackerEvent.title(at: titles.count) { titles.append(("\(name)", "\(title)")) }
    return titles
  }()

  private static let vocabulary =
    "// What the core calls things, for people. Written from it by LEASH_UPDATE_SNAPSHOTS=1 swift test --filter WordsTests, not by hand.\n"
    + object("phaseWords", MotionPhase.allCases.map { ("\($0.name)", quoted($0.words)) })
    + object("packetTitles", PacketKind.allCases.map { ("\($0.name)", quoted($0.title)) })
    + object("eventTitles", titles.map { ($0.name, quoted($0.title)) })
    + object("answers", StatusReason.allCases.map { ("\($0.name)", quoted($0.words)) })
    + object("refusals", RequestRefusal.allCases.map { ("\($0.word)", quoted($0.words)) })
    + object("ruleProblems", RuleError.allCases.map { ("\($0.name)", quoted($0.explanation)) })
    + object(
      "ends",
      AlarmHistory.End.allCases.map { ($0.rawValue, "[\(quoted($0.words.title)), \(quoted($0.words.text))]") }
        + AlarmHistory.otherOutcomes.map { ($0.name, "[\(quoted($0.title)), \(quoted($0.text))]") })

  @Test func theWordsOfThePageAreThoseOfTheCore() throws {
    let file = Self.page.appending(path: "vocabulary.js")
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1" {
      try Self.vocabulary.write(to: file, atomically: true, encoding: .utf8)
    } else {
      let found = try String(contentsOf: file, encoding: .utf8)
      #expect(found == Self.vocabulary, "LEASH_UPDATE_SNAPSHOTS=1 swift test --filter WordsTests writes vocabulary.js")
    }
  }

  @Test func noWordsAreEmptyAndNoTwoEventsHaveOneTitle() {
    #expect(!Self.vocabulary.contains("\"\"") && Self.titles.count > 10)
    #expect(Set(Self.titles.map(\.name)).count == Self.titles.count)
    #expect(Set(Self.titles.map(\.title)).count == Self.titles.count)
  }

  /// An event without a title or details of its own is told by its name and its members.
  @Test func wordsOfEventsAreOfEventsThatExist() throws {
    let source = try String(
      contentsOf: Self.page.appending(path: "../../TrackerCore/TrackerEvent+JSON.swift"), encoding: .utf8)
    let begin = try #require(source.range(of: "public var name: StaticString {"))
    let end = try #require(source.range(of: "\n  }\n", range: begin.upperBound..<source.endIndex))
    let names = Set(source[begin.upperBound..<end.lowerBound].matches(of: /"(\w+)"/).map { String($0.1) })
    #expect(names.count > 25)
    let script = try String(contentsOf: Self.page.appending(path: "words.js"), encoding: .utf8)
    let details = try #require(script.range(of: "const eventDetails = {\n"))
    let last = try #require(script.range(of: "\n};", range: details.upperBound..<script.endIndex))
    let detailed = script[details.upperBound..<last.lowerBound].matches(of: /\s{2}(\w+): (?:\(|grounds)/)
      .map { String($0.1) }
    #expect(detailed.count > 20)
    #expect(Set(detailed).subtracting(names).isEmpty, "words.js has details of events that no event is called")
    #expect(Set(Self.titles.map(\.name)).subtracting(names).isEmpty, "titles of events that no event is called")
  }
}
