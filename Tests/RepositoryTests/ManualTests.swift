import Foundation
import Testing

/// What CONTRIBUTING.md and docs/architecture.md say of the sources.
@Suite struct ManualTests {
  /// Paths of all files but those of builds.
  private static let paths: [String] = {
    var paths: [String] = []
    for folder in ["Sources", "Tests", "docs", "scripts", "Firmware", "Benchmarks/Sources", "fixtures"] {
      let base = Repository.root.appending(path: folder).path
      let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
      paths += names.map { "\(folder)/\($0)" }
    }
    let top = (try? FileManager.default.contentsOfDirectory(atPath: Repository.root.path)) ?? []
    return paths + top.filter { $0.contains(".") }
  }()

  @Test(arguments: ["CONTRIBUTING.md", "docs/architecture.md", "docs/mutants.md", "docs/gnss.md"])
  func everyFileThatIsNamedIsThere(page: String) throws {
    let text = try Repository.text(of: page)
    let names = Set(
      text.matches(of: /`([\w+.\/-]+\.(?:swift|js|css|html|md|py|sh|json|faults|limits|counts))`/).map { String($0.1) })
    for name in names where !name.contains(/NAME|MODULE/) {
      let isThere = Self.paths.contains { $0 == name || $0.hasSuffix("/\(name)") }
      #expect(isThere, "\(page): there is no \(name)")
    }
  }

  @Test func everyTypeAndMemberThatTheArchitectureNamesIsThere() throws {
    let keywords = ["struct", "enum", "class", "protocol", "typealias", "func", "var", "let", "case"].map {
      Array($0.utf8)
    }
    var declared = Set(Repository.folders(in: "Sources"))
    for file in Repository.swiftFiles(in: "Sources") {
      var isNext = false
      for word in file.text.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
        if isNext {
          let isPart: (UInt8) -> Bool = { $0 == 0x5F || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
          declared.insert(String(decoding: word.prefix(while: isPart), as: UTF8.self))
        }
        isNext = keywords.contains { $0.elementsEqual(word) }
      }
    }
    #expect(declared.count > 2000)
    let text = try Repository.text(of: "docs/architecture.md")
    for match in text.matches(of: /`\.?([A-Za-z]\w*(?:\.\w+)*)(?:\([\w:]*\))?`/) {
      let words = match.1.split(separator: ".")
      // Files are another test's, and small words alone are names of sections.
      guard words.last != "md", words.last != "swift", words.last != "sh" else { continue }
      guard words.count > 1 || words[0].first?.isUppercase == true else { continue }
      for word in words {
        #expect(declared.contains(String(word)), "docs/architecture.md: there is no \(word), of \(match.1)")
      }
    }
  }

  /// `Tracker` holds its parts and little else, and the table of parts names them all.
  @Test func theTableOfPartsNamesEveryPartOfATracker() throws {
    let source = try Repository.text(of: "Sources/TrackerCore/Tracker.swift")
    let stored = source.split(separator: "\n").compactMap { line -> String? in
      let match = line.firstMatch(
        of: /^  (?:public |internal\(set\) )*var (\w+)(?:: (\w+)(?:<\d+>)?| = (\w+)(?:<\d+>)?\(\))$/)
      return (match?.2 ?? match?.3).map(String.init)
    }
    let parts = Set(stored).subtracting(["TrackerConfiguration", "Instant"])
    #expect(parts.count > 8, "the parts could not be read")
    let page = try Repository.text(of: "docs/architecture.md")
    let section = try #require(page.components(separatedBy: "## The parts of a tracker").last)
    let table = section.components(separatedBy: "\n\n").first { $0.hasPrefix("| part |") } ?? ""
    let named = table.split(separator: "\n").dropFirst(2).flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(Set(named) == parts, "docs/architecture.md, the table of parts")
    let numbers = ["nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
    let word = parts.count - 1 < 17 && parts.count > 9 ? numbers[parts.count - 10] : "\(parts.count - 1)"
    #expect(
      section.contains("a journal and \(word) parts"), "docs/architecture.md: there are \(word) beside the journal")
  }
}
