import Foundation
import Testing

/// The lists of `Tracker+Parts.swift` against what the parts declare: a part that is left out of a list compiles, and nobody asks it.
@Suite struct PartListTests {
  /// A list: the functions that hold it, what a part declares that belongs there, and how it is named there.
  private struct List {
    var heads: [String]
    var declaration: String
    var use: String
    /// Parts that declare it and are asked elsewhere, with the reason.
    var excused: [String: String] = [:]
  }

  private static let lists = [
    List(heads: ["func configureParts("], declaration: "func configure\\(", use: "configure\\("),
    List(heads: ["func noteDeadline("], declaration: "var nextDeadline", use: "nextDeadline\\b"),
    List(heads: ["func passDeadlines("], declaration: "var nextDeadline", use: "(nextDeadline|advance)\\b"),
    List(heads: ["func packet("], declaration: "func describe\\(", use: "describe\\("),
    List(
      heads: ["func encode("], declaration: "func encode\\w*\\(", use: "encode\\w*\\(",
      excused: [
        "outbox": "its list is written by encodeWaiting, its packets each for itself",
        "settings": "encodeSettings gives it a copy of the configuration first",
      ]),
    List(
      heads: ["func restoreParts(", "func restoreInPlace("], declaration: "func restore\\w*\\(",
      use: "restore\\w*\\(", excused: ["outbox": "Tracker+State.swift gives it its packets back one by one"]),
    List(heads: ["func isUnused("], declaration: "var isUsed\\b", use: "isUsed\\b"),
  ]

  @Test func everyPartStandsInEveryListThatItBelongsTo() throws {
    let lists = try Repository.text(of: "Sources/TrackerCore/Tracker+Parts.swift")
    let parts = try Self.parts()
    #expect(parts.count > 20, "the parts could not be read")
    var count = 0
    for (name, type) in parts {
      let code = try Self.declarations(of: type)
      for list in Self.lists {
        let body = try list.heads.map { try #require(Self.body(of: $0, in: lists), "there is no \($0)") }.joined()
        let declares = try Regex("(?m)^  (?!.*\\bprivate (mutating )?func)(?!.*\\bstatic\\b).*" + list.declaration)
        let isThere = try body.firstMatch(of: Regex("\\b\(name)\\.\(list.use)")) != nil
        let belongs = code.firstMatch(of: declares) != nil && list.excused[name] == nil
        count += isThere ? 1 : 0
        #expect(isThere == belongs, "Tracker+Parts.swift, \(list.heads[0])): \(name), a \(type)")
      }
    }
    #expect(count > 40)
  }

  /// A section that is written by no case would be taken for a row of the rules.
  @Test func everySectionIsWrittenByACaseOfItsOwn() throws {
    let lists = try Repository.text(of: "Sources/TrackerCore/Tracker+Parts.swift")
    let body = try #require(Self.body(of: "func encode(", in: lists))
    let sections = try Repository.text(of: "Sources/TrackerCore/State/StateSections.swift")
    let names = sections.matches(of: /static var (\w+): StateSections \{ StateSections\(tag: \d+\)/).map {
      String($0.1)
    }
    #expect(names.count > 8, "\(names)")
    for name in names { #expect(body.contains("case .\(name):"), "\(name)") }
  }

  /// The stored properties of `Tracker` with their types.
  private static func parts() throws -> [(name: String, type: String)] {
    try Repository.text(of: "Sources/TrackerCore/Tracker.swift").split(separator: "\n").compactMap { line in
      let match = line.firstMatch(
        of: /^  (?:public |internal\(set\) |private )*(?:var|let) (\w+)(?:: (\w+)(?:<\d+>)?| = (\w+)(?:<\d+>)?\(\))$/)
      guard let match, let type = match.2 ?? match.3 else { return nil }
      return (String(match.1), String(type))
    }
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
