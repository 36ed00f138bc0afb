import Foundation
import JSON5
import Testing

@testable import LinuxRuntime

/// Every key with its section.
private let everyKey = ConfigurationSchema.sections.flatMap { section in section.keys.map { (section, $0) } }

/// A value that the type refuses, and one beyond each end of its range.
private func wrongValues(_ type: ConfigurationType) -> [String] {
  switch type {
  case .text(let bytes):
    ["5", "true", "[]", "null", "'a\\nb'", "'\(String(repeating: "x", count: bytes.upperBound + 1))'", "''"]
  case .path: ["5", "{}", "''", "'a\\0b'", "null"]
  case .choice(let words): ["5", "'no such word'", "'\(words[0].uppercased())_'", "true"]
  case .boolean: ["1", "'true'", "null", "[true]"]
  case .whole(let range):
    ["'5'", "0.5", "NaN", "Infinity", "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1e300", "null"]
  case .seed: ["-1", "0.5", "18446744073709551616", "'1'"]
  case .number(let range):
    [
      "'5'", "NaN", "-Infinity", "true", "\(range.lowerBound.nextDown - 0.001)", "\(range.upperBound * 1.0001 + 0.001)",
      "[1]",
    ]
  case .vector: ["1", "[1, 2]", "[1, 2, 3, 4]", "[1, 2, 'x']", "[1, 2, NaN]", "'1 2 3'"]
  case .numbers(let range, let most):
    [
      "5", "'5 6'", "['5']", "[0.5]", "[\(range.lowerBound - 1)]", "[\(range.upperBound + 1)]",
      "[\(range.lowerBound), \(range.lowerBound)]", "null", "{}",
      "[\((0...most).map { "\(range.lowerBound + $0)" }.joined(separator: ", "))]",
    ]
  case .texts: ["5", "'+31600000000'", "['']", "[5]", "['a\\nb']", "null", "{}"]
  case .words(let words):
    ["5", "'\(words[0])+no such word'", "'\(words[0]) \(words[0])'", "''", "['no such word']", "[5]", "null", "{}"]
  case .parts: ["5", "'my phone'", "''", "['my phone']", "[5]", "[]", "[{}]", "null", "{}"]
  case .secret:
    ["5", "''", "{}", "{ file: '/nowhere/at/all' }", "{ env: 'NOT_THERE' }", "{ fil: 'x' }", "'(hidden)'", "'a\\nb'"]
  // Of rules alone, which RuleFileTests try.
  case .points, .rings, .timeOfDay, .days: []
  case .secrets: ["5", "'x'", "[]", "{ 'X-A': 5 }", "{ 'X A': 'b' }", "{ 'X-A': '' }"]
  }
}

@Test func everyKeyTakesItsExampleAndShowsItWithItsLine() throws {
  #expect(everyKey.count > 120)
  for (section, key) in everyKey {
    let file = try configuration(smallest(section, [key.name: key.example]))
    let path = (section.path.isEmpty ? "" : section.path == "uplinks" ? "uplinks[0]." : section.path + ".") + key.name
    let row = try #require(file.rows.first { $0.name == path }, "\(path)")
    #expect(row.origin == .file(line: 1), "\(path)")
    let value = try #require(row.value, "\(path)")
    if key.type != .secret && key.type != .secrets {
      #expect(try JSON5Value(reading: value.text).kind == JSON5Value(reading: key.example).kind, "\(path)")
      #expect(value.text == key.example || Double(value.text) == Double(key.example), "\(path)")
    }
    #expect(!key.help.isEmpty && key.help.last == ".", "\(path)")
  }
}

@Test func everyKeyRefusesWrongValuesWithItsNameAndPlace() throws {
  for (section, key) in everyKey {
    for wrong in wrongValues(key.type) {
      let text = smallest(section, [key.name: wrong]).replacingOccurrences(
        of: "'\(key.name)'", with: "\n\n '\(key.name)'")
      let found = problems(text)
      #expect(
        found.contains {
          $0.hasPrefix("3:") && $0.contains(key.name) && $0.contains("xpected") || $0.contains("environment has no")
            || $0.contains("can't read") || $0.contains("placeholder") || $0.contains("unknown key 'fil'")
        },
        "\(section.title) \(key.name): \(wrong) gives \(found)")
    }
  }
}

@Test func everyKeyMisspelledIsUnknownWithTheRightNameBesideIt() throws {
  for (section, key) in everyKey {
    let parts = key.name.split(separator: ".").map(String.init)
    guard let last = parts.last, last.count > 3 else { continue }
    let wrong = String(last.dropLast()) + "_"
    let lines = parts.count == 1 ? [wrong: "1"] : [parts[0]: "{ \(wrong): 1 }"]
    let found = problems(smallest(section, lines))
    #expect(
      found.contains { $0.contains("unknown key") && $0.contains("did you mean '\(last)'?") },
      "\(section.title) \(key.name): \(found)")
  }
}

@Test func keysOfASectionAreUniqueAndGroupsStandTogether() {
  for section in ConfigurationSchema.sections {
    let names = section.keys.map(\.name)
    #expect(Set(names).count == names.count, "\(section.title)")
    let groups = names.map { $0.split(separator: ".").dropLast().joined(separator: ".") }
    var closed: Set<String> = []
    for (before, after) in zip(groups, groups.dropFirst()) where before != after {
      closed.insert(before)
      #expect(after.isEmpty || !closed.contains(after), "\(section.title): \(after)")
    }
  }
}

@Test func configurationReferenceIsMadeFromTheSchema() throws {
  let place = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/configuration.md")
  let text = ConfigurationReference.markdown
  if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1" {
    try text.write(to: place, atomically: true, encoding: .utf8)
  }
  let manual = try? String(contentsOf: place, encoding: .utf8)
  #expect(manual == text, "LEASH_UPDATE_SNAPSHOTS=1 swift test --filter configurationReference")
}
