import Foundation
import Testing

/// The tables of docs/packets.md name what the sources write, and nothing else.
@Suite struct PacketPageTests {
  private static func page() throws -> String { try Repository.text(of: "docs/packets.md") }

  /// Names in the first column of a table that follows a piece of the page.
  private func names(inTableAfter piece: String) throws -> [String] {
    let rest = try #require(try Self.page().components(separatedBy: piece).dropFirst().first, "no '\(piece)'")
    let table = rest.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
  }

  /// A piece of a source, from one text to the next place of another.
  private func piece(of path: String, from start: String, to end: String) throws -> String {
    let source = try Repository.text(of: path)
    let front = try #require(source.range(of: start), "\(path): no '\(start)'")
    let back = try #require(source[front.upperBound...].range(of: end), "\(path): no '\(end)' after '\(start)'")
    return String(source[front.upperBound..<back.lowerBound])
  }

  /// Texts that the cases of a property return.
  private func returned(by property: String, of path: String) throws -> [String] {
    let body = try piece(of: path, from: "var \(property): StaticString {", to: "\n  }\n")
    return body.matches(of: /"(\w+)"/).map { String($0.1) }
  }

  private func keys(_ source: String) -> [String] {
    source.matches(of: /\\"(\w+)\\":/).map { String($0.1) }
      + source.matches(of: /encode\("(\w+)",/).map { String($0.1) }
  }

  private static let form = "Sources/Telemetry/JSONPacket.swift"

  @Test func theTableOfThePacketHasEveryKey() throws {
    let head = try piece(of: Self.form, from: "func encodeJSON(", to: "encodeFields(")
    let position = try piece(of: Self.form, from: "func encodePosition(", to: "\n  }\n")
    let fields = try returned(by: "name", of: "Sources/Telemetry/PacketField.swift")
    #expect(fields.count > 15)
    let stated = try names(inTableAfter: "## The full form")
    #expect(Set(stated) == Set(keys(head) + keys(position) + fields))
    #expect(Set(stated).count == stated.count)
  }

  /// Where they are known to the compiler each field is a line of its own: one that is left out would be sent by nobody but firmware.
  @Test func everyFieldIsWrittenInItsOrder() throws {
    let path = "Sources/Telemetry/PacketField.swift"
    let cases = try piece(of: path, from: "enum PacketField", to: "/// A value of a field as text")
      .matches(of: /\n  case (\w+)/).map { String($0.1) }
    #expect(cases.count > 15, "\(cases)")
    let body = try piece(of: path, from: "@_transparent @inlinable package func encodeFields(", to: "\n    }\n")
    #expect(body.matches(of: /form\.write\(\.(\w+), of/).map { String($0.1) } == cases)
  }

  @Test func theTableOfAnAlertHasEveryKey() throws {
    let alert = try piece(of: Self.form, from: "func encode(_ alert: PacketAlert", to: "\n  }\n")
    let measures = try piece(
      of: "Sources/Quantities/MovementEvidence.swift", from: "func measure(at place: Int)", to: "\n  }\n")
    let expected = keys(alert).filter { $0 != "alert" } + measures.matches(of: /name: "(\w+)"/).map { String($0.1) }
    let stated = try names(inTableAfter: "A `movement` packet adds `alert`")
    #expect(Set(stated) == Set(expected) && stated.count == expected.count)
  }

  @Test func theTableOfEventsHasEveryName() throws {
    let names = try returned(by: "name", of: "Sources/TrackerCore/TrackerEvent+JSON.swift")
    #expect(names.count > 30)
    let stated = try self.names(inTableAfter: "## Events")
    #expect(Set(stated) == Set(names) && stated.count == names.count)
  }

  @Test(arguments: [("type", "Sources/Telemetry/Packet.swift"), ("phase", "Sources/Quantities/MotionPhase.swift")])
  func kindsAndPhasesAreAllNamed(key: String, path: String) throws {
    let row = try #require(try Self.page().split(separator: "\n").first { $0.hasPrefix("| `\(key)` |") })
    for name in try returned(by: "name", of: path) { #expect(row.contains("`\(name)`"), "\(key): \(name)") }
  }

  /// The example is a packet of `make demo`, whose output is a golden; there it stands on several lines.
  @Test func theExampleIsAPacketOfTheDemo() throws {
    let example = try #require(
      try Self.page().split(separator: "\n").first { $0.hasPrefix("{\"type\":\"movement\"") }, "no example")
    let demo = try Repository.text(of: "fixtures/golden/demo.txt").replacing(/\n +/, with: "")
    #expect(demo.contains(example), "docs/packets.md: the example is not in fixtures/golden/demo.txt")
  }
}
