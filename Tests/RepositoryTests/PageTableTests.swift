import Foundation
import Testing

/// Tables of pages that list what an enumeration of the sources has.
@Suite struct PageTableTests {
  /// Rows of the table whose first line begins in this way, as cells.
  private func table(_ head: String, of page: String) throws -> [[String]] {
    let lines = try Repository.text(of: page).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix(head) }, "\(page): no table '\(head)'")
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// What a source has from one text to the next place of another.
  private func piece(of path: String, from start: String, to end: String) throws -> String {
    let source = try Repository.text(of: path)
    let front = try #require(source.range(of: start), "\(path): no '\(start)'")
    let back = try #require(source[front.upperBound...].range(of: end), "\(path): no '\(end)' after '\(start)'")
    return String(source[front.upperBound..<back.lowerBound])
  }

  @Test func theManualOfLogsHasEveryTypeOfRecord() throws {
    let types = try piece(of: "Sources/TrackerLog/LogFormat.swift", from: "enum RecordType", to: "\n  }")
      .matches(of: /case \w+ = (0x[0-9A-F]{2})/).map { String($0.1) }
    #expect(types.count > 10)
    let stated = try table("| Type | Name |", of: "docs/recording-format.md").map { $0[0] }
    #expect(Set(stated) == Set(types) && stated.count == types.count)
  }

  @Test func theManualOfTheStateHasEverySection() throws {
    let names = try piece(
      of: "Sources/TrackerCore/State/StateSections.swift", from: "func name(ofTag", to: "\n  }\n"
    ).matches(of: /case (\d+)(?:\.\.\.(\d+))?: return "(\w+)"/).map { match in
      "\(match.1)\(match.2.map { " to \($0)" } ?? "") `\(match.3)`"
    }
    #expect(names.count > 10)
    // Two sections have a tag and no name: the packets, and the state of before sections.
    let stated = try table("| tag | name |", of: "docs/state.md").filter { !$0[1].isEmpty }.map { "\($0[0]) \($0[1])" }
    #expect(Set(stated) == Set(names) && stated.count == names.count)
  }

  @Test func theManualOfRulesHasEveryErrorOfARule() throws {
    let names = try piece(of: "Sources/Rules/RuleError.swift", from: "var name: StaticString {", to: "\n  }\n")
      .matches(of: /return "(\w+)"/).map { String($0.1) }
    #expect(names.count > 15)
    let stated = try piece(of: "docs/rules.md", from: "answered by `ruleRefused` with the", to: "A name has")
      .matches(of: /`(\w+)`/).map { String($0.1) }
    // Only saved bytes can be unreadable; a text is refused before it is a rule.
    #expect(Set(stated) == Set(names).subtracting(["unreadable"]) && stated.count == names.count - 1)
  }

  @Test func theManualOfMotionHasEveryDetector() throws {
    let names = try piece(
      of: "Sources/Quantities/MovementEvidence.swift", from: "var name: StaticString {", to: "\n  }\n"
    ).matches(of: /return "(\w+)"/).map { String($0.1) }
    #expect(names.count > 10)
    let stated = try table("| detector | class |", of: "docs/motion.md").flatMap { row in
      row[0].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    // Fences are not detectors of a parked vehicle.
    #expect(Set(stated) == Set(names).subtracting(["fence"]) && stated.count == names.count - 1)
  }
}
