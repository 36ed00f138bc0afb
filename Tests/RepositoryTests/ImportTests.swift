import Foundation
import Testing

/// Modules named by the import statements of a file.
private func imports(of file: Repository.TextFile) -> [String] {
  file.codeLines.compactMap { line in
    var words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
    let kinds: Set<Substring> = [
      "public", "package", "internal", "private", "fileprivate", "struct", "func", "class", "enum", "var", "let",
    ]
    if let first = words.first, kinds.contains(first) { words.removeFirst() }
    guard words.first == "import" else { return nil }
    words.removeFirst()
    if let first = words.first, kinds.contains(first) { words.removeFirst() }
    return words.first.map { String($0.split(separator: ".")[0]) }
  }
}

@Test func everyModuleImportsOnlyWhatTheArchitectureAllows() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  #expect(graph.core.contains("Quantities") && graph.core.contains("TrackerCore"), "the graph could not be read")
  let modules = Repository.folders(in: "Sources")
  let local = Set(modules).union(graph.imports.keys)
  for module in modules {
    guard graph.imports[module] != nil || graph.imports.values.contains(where: { $0.contains(module) }) else {
      Issue.record("Sources/\(module) is not in the graph of docs/architecture.md")
      continue
    }
    let allowed = graph.reach(of: module)
    for file in Repository.swiftFiles(in: "Sources/\(module)") {
      for name in imports(of: file) where local.contains(name) {
        #expect(allowed.contains(name), "\(file.path): \(module) must not import \(name)")
      }
    }
  }
}

@Test func theCoreImportsNothingButTheCore() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  for module in graph.core {
    #expect(graph.reach(of: module).isSubset(of: graph.core), "\(module)")
    for file in Repository.swiftFiles(in: "Sources/\(module)") {
      for name in imports(of: file) {
        #expect(graph.core.contains(name), "\(file.path): the core must not import \(name)")
      }
    }
  }
}

@Test func theFirmwareGateChecksEveryCoreModuleInOrder() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  let gate = try Repository.text(of: "Firmware/gate.sh")
  let line = try #require(gate.split(separator: "\n").first { $0.hasPrefix("modules=\"") })
  let modules = line.dropFirst("modules=\"".count).dropLast().split(separator: " ").map(String.init)
  #expect(Set(modules) == graph.core)
  for (place, module) in modules.enumerated() {
    #expect(graph.reach(of: module).isSubset(of: modules[..<place]), "\(module) comes before what it imports")
  }
}

@Test func noModuleReachesItself() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  for module in graph.imports.keys { #expect(!graph.reach(of: module).contains(module), "\(module)") }
}
