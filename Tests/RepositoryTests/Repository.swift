import Foundation

/// The files of this repository, as the tests look at them.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of text, with its path from the root.
  struct TextFile {
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without what stands in comments, and with the text of literals taken out.
    var codeLines: [String] {
      lines.map { line in
        var code: [UInt8] = []
        var isInLiteral = false
        var previous = UInt8(ascii: " ")
        for character in line.utf8 {
          if character == UInt8(ascii: "\"") && previous != UInt8(ascii: "\\") { isInLiteral.toggle() }
          if !isInLiteral && character == UInt8(ascii: "/") && previous == character {
            code.removeLast()
            break
          }
          if !isInLiteral || character == UInt8(ascii: "\"") { code.append(character) }
          previous = character
        }
        return String(decoding: code, as: UTF8.self)
      }
    }
  }

  /// All Swift files below a folder, in a fixed order.
  static func swiftFiles(in folder: String) -> [TextFile] {
    let base = root.appending(path: folder)
    guard let names = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      guard let text = try? String(contentsOf: base.appending(path: name), encoding: .utf8) else { return nil }
      return TextFile(path: "\(folder)/\(name)", text: text)
    }
  }

  /// Names of the folders directly in a folder.
  static func folders(in folder: String) -> [String] {
    let base = root.appending(path: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: base.path)) ?? []
    return names.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: base.appending(path: $0).path, isDirectory: &isFolder)
        && isFolder.boolValue
    }.sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// The import graph as `docs/architecture.md` draws it.
struct ImportGraph {
  /// Direct imports of each module.
  var imports: [String: Set<String>] = [:]
  /// Modules of the core tier.
  var core: Set<String> = []

  init(architecture text: String) {
    var tier: Substring?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        tier = line.hasPrefix("```imports ") ? line.dropFirst("```imports ".count) : nil
        continue
      }
      guard let tier, let arrow = line.range(of: "→") else { continue }
      let module = line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)
      let names = line[arrow.upperBound...].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      imports[module] = Set(names.filter { !$0.isEmpty })
      if tier == "core" { core.insert(module) }
    }
  }

  /// Everything a module may import: what it names, and what those may import.
  func reach(of module: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting = Array(imports[module] ?? [])
    while let next = waiting.popLast() {
      if reached.insert(next).inserted { waiting += imports[next] ?? [] }
    }
    return reached
  }
}
