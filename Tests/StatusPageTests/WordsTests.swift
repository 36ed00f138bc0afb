import Foundation
import LinuxRuntime
import Quantities
import Rules
import Telemetry
import Testing
import TrackerCore

/// The words of the page for what the tracker says: `Sources/StatusPage/Page/words.js` has one for each, and none for anything else.
@Suite struct WordsTests {
  private func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The keys of an object of the script.
  private func keys(_ name: String) throws -> Set<String> {
    let script = try text("Sources/StatusPage/Page/words.js")
    let begin = try #require(script.range(of: "const \(name) = {\n"))
    let end = try #require(script.range(of: "\n};", range: begin.upperBound..<script.endIndex))
    return Set(script[begin.upperBound..<end.lowerBound].matches(of: /(\w+): (?:"|\()/).map { String($0.1) })
  }

  @Test func everyAnswerHasWords() throws {
    #expect(try keys("answers") == Set(StatusReason.allCases.map { "\($0.name)" }))
  }

  @Test func everyReasonOfARefusalHasWords() throws {
    #expect(try keys("refusals") == Set(RequestRefusal.allCases.map { "\($0.word)" }))
  }

  @Test func everyErrorOfARuleHasWords() throws {
    // Only saved bytes can be unreadable; a text is refused before it is a rule.
    let names = Set(RuleError.allCases.map { "\($0.name)" }).subtracting(["unreadable"])
    #expect(try keys("ruleProblems") == names)
  }

  @Test func everyPhaseAndEveryKindOfPacketHasWords() throws {
    let phases = MotionPhase.allCases.map { "\($0.name)" }
    #expect(try keys("meanings") == Set(phases))
    let script = try text("Sources/StatusPage/Page/words.js")
    #expect(script.contains("const phases = [\(phases.map { "\"\($0)\"" }.joined(separator: ", "))];"))
    #expect(try keys("packetNames") == Set(PacketKind.allCases.map { "\($0.name)" }))
  }

  @Test func everyEndOfAnAlertHasWords() throws {
    let script = try text("Sources/StatusPage/Page/words.js")
    let begin = try #require(script.range(of: "const [outcome, words] = {\n"))
    let end = try #require(script.range(of: "\n  }", range: begin.upperBound..<script.endIndex))
    let keys = script[begin.upperBound..<end.lowerBound].matches(of: /(\w+): \[/).map { String($0.1) }
    // What has no word of its own is over.
    #expect(Set(keys) == Set(AlarmHistory.End.allCases.map(\.rawValue) + ["unanswered", "notice"]))
  }

  /// An event without words of its own is told by its name.
  @Test func wordsOfEventsAreOfEventsThatExist() throws {
    let source = try text("Sources/TrackerCore/TrackerEvent+JSON.swift")
    let begin = try #require(source.range(of: "public var name: StaticString {"))
    let end = try #require(source.range(of: "\n  }\n", range: begin.upperBound..<source.endIndex))
    let names = Set(source[begin.upperBound..<end.lowerBound].matches(of: /"(\w+)"/).map { String($0.1) })
    #expect(names.count > 25)
    let unknown = try keys("eventWords").subtracting(names)
    #expect(unknown.isEmpty, "words.js has words for \(unknown.sorted()), which no event is called")
  }
}
