import Foundation
import Testing

/// The tables of answers and refusals in docs/requests.md are made from the doc comments of the sources.
@Suite struct AnswerTests {
  private static let pagePath = "docs/requests.md"

  /// The cases of an enumeration with their doc comments, as rows of a table in Markdown.
  private func table(of type: String, in path: String, title: String) throws -> String {
    let source = try Repository.text(of: path)
    let body = try #require(source.components(separatedBy: "public enum \(type):").last)
    var rows: [String] = []
    var comment: [String] = []
    for line in body.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      if line.hasPrefix("  /// ") {
        comment.append(String(line.dropFirst(6)))
      } else if let name = line.firstMatch(of: /^  case (\w+)(?: = .*)?$/)?.1 {
        #expect(!comment.isEmpty, "\(path): \(name) has no comment")
        rows.append("| `\(name)` | \(comment.joined(separator: " ")) |")
        comment = []
      } else {
        // The cases come first.
        break
      }
    }
    #expect(rows.count > 10, "\(path): the cases of \(type) could not be read")
    return "| \(title) | meaning |\n|---|---|\n" + rows.joined(separator: "\n") + "\n"
  }

  @Test(arguments: [
    ("answers", "StatusReason", "Sources/Telemetry/PacketStatus.swift", "answer"),
    ("refusals", "RequestRefusal", "Sources/TrackerCore/Vocabulary/RequestDoor.swift", "refusal"),
  ])
  func theTablesAreThoseOfTheSources(mark: String, type: String, path: String, title: String) throws {
    let made = try table(of: type, in: path, title: title)
    let page = try Repository.text(of: Self.pagePath)
    let begin = try #require(page.range(of: "<!-- begin \(mark) -->\n"))
    let end = try #require(page.range(of: "<!-- end \(mark) -->"))
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1" {
      try page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: made)
        .write(to: Repository.root.appending(path: Self.pagePath), atomically: true, encoding: .utf8)
    } else {
      #expect(
        page[begin.upperBound..<end.lowerBound] == made,
        "\(Self.pagePath), \(mark): LEASH_UPDATE_SNAPSHOTS=1 swift test --filter AnswerTests")
    }
  }
}
