import Foundation
import LinuxRuntime
import Testing

/// `docs/status.md` is written from the doc comments of `BoardStatus`, and the comments are compared with what is encoded.

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A key with what its doc comment says, and what kind of value it has.
private struct StatusKey {
  var name: String
  var type: String
  var help: String
}

/// The keys of each structure, in the order of the source; the outermost is `BoardStatus`.
private func documentedKeys() throws -> [(structure: String, help: String, keys: [StatusKey])] {
  let file = root.appending(path: "Sources/LinuxRuntime/Status/BoardStatus.swift")
  var structures: [(structure: String, help: String, keys: [StatusKey])] = []
  var open: [Int] = []
  var comment: [String] = []
  for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
    let text = line.trimmingCharacters(in: .whitespaces)
    if text.hasPrefix("///") {
      comment.append(text.dropFirst(3).trimmingCharacters(in: .whitespaces))
      continue
    }
    let help = comment.joined(separator: " ")
    comment = []
    if text.hasPrefix("package struct ") {
      open.append(structures.count)
      structures.append((text.split(whereSeparator: { " :".contains($0) })[2].description, help, []))
    } else if text.hasPrefix("package var "), let place = open.last {
      let parts = text.dropFirst("package var ".count).split(separator: ":", maxSplits: 1)
      structures[place].keys.append(
        StatusKey(name: String(parts[0]), type: parts[1].trimmingCharacters(in: .whitespaces), help: help))
    } else if text == "}", line.prefix(while: { $0 == " " }).count == 2 * (open.count - 1) {
      open.removeLast()
    }
  }
  return structures
}

/// A type as a reader of JSON sees it.
private func word(_ type: String) -> String {
  let isOptional = type.hasSuffix("?")
  let bare = isOptional ? String(type.dropLast()) : type
  let word =
    switch bare {
    case "String": "text"
    case "Double": "number"
    case "Int", "UInt32": "whole number"
    case "Bool": "true or false"
    case "[String]": "list of texts"
    case _ where bare.hasPrefix("["):
      "list of [\(bare.dropFirst().dropLast())](#\(bare.dropFirst().dropLast().lowercased()))"
    default: "[\(bare)](#\(bare.lowercased()))"
    }
  return isOptional ? word + ", or not there" : word
}

@Test func theManualOfTheStatusIsWhatTheSourceSays() throws {
  let structures = try documentedKeys()
  var text = """
    # The status of a running tracker

    `leash status --json` prints the state of the tracker, and the local page uses it: one JSON object on one line. Keys are in
    alphabetical order; a key marked "or not there" may be left out. Units are in the names. A new version may add keys, so ignore
    those you don't know. This page is written from the source (`BoardStatus`), and a test compares them.


    """
  for structure in [structures.first { $0.structure == "BoardStatus" }].compactMap({ $0 })
    + structures.filter({ $0.structure != "BoardStatus" })
  {
    text += structure.structure == "BoardStatus" ? "## The object\n\n" : "## \(structure.structure)\n\n"
    text += "\(structure.help)\n\n| key | value | meaning |\n|---|---|---|\n"
    for key in structure.keys {
      // What is nil in the source is not there in JSON.
      let help = key.help.replacing("; nil ", with: "; left out ")
      text += "| `\(key.name)` | \(word(key.type)) | \(help) |\n"
    }
    text += "\n"
  }
  text.removeLast()
  let file = root.appending(path: "docs/status.md")
  if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
  let manual = try? String(contentsOf: file, encoding: .utf8)
  #expect(manual == text, "docs/status.md: LEASH_UPDATE_SNAPSHOTS=1 swift test --filter StatusManual")
}

@Test func everyKeyThatIsEncodedIsDocumentedAndHasAComment() throws {
  let structures = try documentedKeys()
  #expect(structures.count == 26 && structures.allSatisfy { !$0.help.isEmpty && !$0.keys.isEmpty })
  // A sample made of the documented keys alone, every one of them set, is decoded and comes back whole.
  func sample(_ type: String) -> Any {
    let bare = type.hasSuffix("?") ? String(type.dropLast()) : type
    switch bare {
    case "String": return "x"
    case "Double", "Int", "UInt32": return 1
    case "Bool": return true
    default:
      if bare.hasPrefix("[") { return [sample(String(bare.dropFirst().dropLast()))] }
      let keys = structures.first { $0.structure == bare }?.keys ?? []
      return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, sample($0.type)) })
    }
  }
  let given = try JSONSerialization.data(withJSONObject: sample("BoardStatus"), options: .sortedKeys)
  let status = try JSONDecoder().decode(BoardStatus.self, from: given)
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  let again = try encoder.encode(status)
  #expect(String(decoding: again, as: UTF8.self) == String(decoding: given, as: UTF8.self))
  for structure in structures {
    for key in structure.keys { #expect(key.help.hasSuffix("."), "\(structure.structure).\(key.name)") }
  }
}
