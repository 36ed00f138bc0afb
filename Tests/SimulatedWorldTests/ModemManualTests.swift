import Foundation
import Quantities
import Testing

@testable import SIM7000

/// What docs/modem.md says of the driver's source. `LEASH_UPDATE_SNAPSHOTS=1` writes the tables of settings anew.
@Suite struct ModemManualTests {
  private static let updates = ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1"

  /// The settings of a type, with their doc comments, as rows of a table.
  private func rows(of type: String) throws -> String {
    let place = Manual.root.appending(path: "Sources/SIM7000/Session/ModemConfiguration.swift")
    let source = try String(contentsOf: place, encoding: .utf8)
    let body = try #require(
      source.components(separatedBy: "public struct \(type):").last?.components(separatedBy: "\n}\n").first)
    var text = "| setting | what it is |\n|---|---|\n"
    var comment: [String] = []
    for line in body.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("/// ") {
        comment.append(String(line.dropFirst(4)))
      } else {
        if line.hasPrefix("public var ") {
          let name = line.dropFirst("public var ".count).prefix { $0.isLetter || $0.isNumber }
          text += "| `\(name)` | \(comment.joined(separator: " ")) |\n"
        }
        comment = []
      }
    }
    return text
  }

  @Test func theTablesOfSettingsAreThoseOfTheSource() throws {
    for type in ["ModemWiring", "ModemConfiguration"] { try check(type) }
  }

  private func check(_ type: String) throws {
    let expected = try rows(of: type)
    #expect(expected.split(separator: "\n").count > 5)
    var manual = try String(contentsOf: Manual.file, encoding: .utf8)
    let begin = try #require(manual.range(of: "<!-- begin \(type) -->\n"))
    let end = try #require(manual.range(of: "<!-- end \(type) -->"))
    if ModemManualTests.updates {
      manual.replaceSubrange(begin.upperBound..<end.lowerBound, with: expected)
      try manual.write(to: Manual.file, atomically: true, encoding: .utf8)
    } else {
      #expect(
        manual[begin.upperBound..<end.lowerBound] == expected,
        "docs/modem.md: LEASH_UPDATE_SNAPSHOTS=1 swift test --filter ModemManual")
    }
  }

  @Test func theLimitsOfTheLadderAreThoseOfTheSource() throws {
    let manual = try String(contentsOf: Manual.file, encoding: .utf8)
    for rung in RecoveryRung.allCases {
      #expect(manual.contains("| `\(rung.name)` | \(rung.limit) |"), "docs/modem.md: rung \(rung.name)")
    }
    let minutes = (UInt8(1)...5).map { RecoveryLadder.waitSeconds(lap: $0, most: 3600) / 60 }.map { "\($0)" }
    #expect(manual.contains("\(minutes.dropLast().joined(separator: ", ")) and \(minutes[4]) minutes"), "the waits")
  }

  @Test func theFirstRungOfEachTroubleIsThatOfTheSource() throws {
    let manual = try String(contentsOf: Manual.file, encoding: .utf8)
    let rows = manual.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for trouble in ModemTrouble.allCases {
      let row = try #require(rows.first { $0.contains("`\(trouble.name)`") }, "docs/modem.md: trouble \(trouble.name)")
      #expect(row.hasSuffix("| `\(trouble.firstRung.name)` |"), "docs/modem.md: \(row)")
    }
  }
}
