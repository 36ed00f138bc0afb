import Foundation
import Testing

/// What `Tracker` has of its parts against what the parts declare: one that is left out of a list compiles, and nobody asks it.
@Suite struct PartListTests {
  @Test func bothListsHaveEveryPartOnceAndInOneOrder() throws {
    let parts = try Self.parts().map(\.name)
    #expect(parts.count > 18, "the parts could not be read")
    let tracker = try Repository.text(of: "Sources/TrackerCore/Tracker.swift")
    let asking = try #require(Self.body(of: "func askParts<", in: tracker))
    let telling = try #require(Self.body(of: "func tellParts<", in: tracker))
    let asked = asking.matches(of: /Question\.ask\((\w+),/).map { String($0.1) }
    #expect(Set(asked) == Set(parts) && asked.count == parts.count, "\(Set(asked).symmetricDifference(parts))")
    #expect(telling.matches(of: /Order\.tell\(&(\w+),/).map { String($0.1) } == asked)
  }

  /// What is due in a part has its own consequences in others, in an order of its own.
  @Test func everyPartWithADeadlineIsAdvanced() throws {
    let lists = try Repository.text(of: "Sources/TrackerCore/Tracker+Parts.swift")
    let body = try #require(Self.body(of: "func passDeadlines(", in: lists))
    var count = 0
    for (name, type) in try Self.parts() {
      let hasDeadline = try Self.declarations(of: type).firstMatch(of: Self.declaration("var nextDeadline")) != nil
      count += hasDeadline ? 1 : 0
      #expect(try (body.firstMatch(of: Regex("\\b\(name)\\.advance\\(")) != nil) == hasDeadline, "\(name), a \(type)")
    }
    #expect(count > 6)
  }

  /// A section that nobody writes, or two parts, would be lost or doubled in every state.
  @Test func everySectionIsWrittenByOnePartOrByTheTracker() throws {
    let lists = try Repository.text(of: "Sources/TrackerCore/Tracker+Parts.swift")
    var writers = try #require(Self.body(of: "func encode(into", in: lists)).matches(of: /case \.(\w+):/)
      .map { String($0.1) }
    for (_, type) in try Self.parts() {
      let own = try Self.declarations(of: type).firstMatch(of: /static var sections: StateSections \{ (.*) \}/)
      writers += (own.map { $0.1.matches(of: /\.(\w+)/) } ?? []).map { String($0.1) }
    }
    let sections = try Repository.text(of: "Sources/TrackerCore/State/StateSections.swift")
    let names = sections.matches(of: /static var (\w+): StateSections \{ StateSections\(tag: \d+\)/).map {
      String($0.1)
    }
    #expect(names.count > 8, "\(names)")
    #expect(writers.sorted() == (names + ["rows"]).sorted())
  }

  /// A part whose section is read, and that does not go on where it was, would begin anew with each restart.
  @Test func everyPartWithASectionGoesOnWithIt() throws {
    let restoring = try ["Tracker+Parts.swift", "State/Tracker+Restore.swift"]
      .map { try Repository.text(of: "Sources/TrackerCore/\($0)") }.joined()
    for (name, type) in try Self.parts() {
      let code = try Self.declarations(of: type)
      guard code.contains("static var sections: StateSections") || code.contains("into content: inout SectionContent)")
      else { continue }
      let takesKept = code.contains("func restore(_ kept: borrowing KeptState")
      #expect(takesKept || restoring.contains("\(name).restore("), "\(name), a \(type)")
    }
  }

  /// The stored properties of `Tracker` whose types are parts, with these types.
  private static func parts() throws -> [(name: String, type: String)] {
    try Repository.text(of: "Sources/TrackerCore/Tracker.swift").split(separator: "\n").compactMap { line in
      let match = line.firstMatch(
        of: /^  (?:public |internal\(set\) |private )*(?:var|let) (\w+)(?:: (\w+)(?:<\d+>)?| = (\w+)(?:<\d+>)?\(\))$/)
      guard let match, let type = match.2 ?? match.3 else { return nil }
      // What all parts share is none of them.
      let isPart = try declarations(of: String(type)).firstMatch(of: /(struct|extension) .*\bTrackerPart \{/) != nil
      return isPart ? (String(match.1), String(type)) : nil
    }
  }

  /// A declaration that others see.
  private static func declaration(_ text: String) throws -> Regex<AnyRegexOutput> {
    try Regex("(?m)^  (?!.*\\bprivate (mutating )?func)(?!.*\\bstatic\\b).*" + text)
  }

  /// The code of the files that are named after a type.
  private static func declarations(of type: String) throws -> String {
    ["TrackerCore", "MotionDetection", "NMEA", "Telemetry"].flatMap { Repository.swiftFiles(in: "Sources/\($0)") }
      .filter { file in
        let name = file.path.split(separator: "/").last ?? ""
        return name.hasPrefix("\(type).") || name.hasPrefix("\(type)+")
      }.map { $0.codeLines.joined(separator: "\n") }.joined(separator: "\n")
  }

  /// A function from its head to its end.
  private static func body(of head: String, in text: String) -> String? {
    guard let start = text.range(of: head), let end = text.range(of: "\n  }\n", range: start.upperBound..<text.endIndex)
    else { return nil }
    return String(text[start.lowerBound..<end.lowerBound])
  }
}
