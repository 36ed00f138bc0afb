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

/// The dependencies that `Package.swift` declares for each module of `Sources`.
private func declaredDependencies() throws -> [String: Set<String>] {
  let manifest = try Repository.text(of: "Package.swift")
  var result: [String: Set<String>] = [:]
  let pattern =
    /(?:(?:core|host)Target\(\s*"(\w+)",\s*\[([^\]]*)\]|executableTarget\(name: "(\w+)", dependencies: \[([^\]]*)\])/
  for match in manifest.matches(of: pattern) {
    guard let name = match.1 ?? match.3, let list = match.2 ?? match.4 else { continue }
    result[String(name)] = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
  }
  return result
}

@Test func everyModuleImportsWhatTheArchitectureAndThePackageDeclareAndNothingElse() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  let declared = try declaredDependencies()
  #expect(graph.core.contains("Quantities") && graph.core.contains("TrackerCore"), "the graph could not be read")
  let modules = Repository.folders(in: "Sources")
  for module in modules {
    let files = Repository.swiftFiles(in: "Sources/\(module)")
    // Modules of C import nothing.
    guard !files.isEmpty else { continue }
    let real = Set(files.flatMap { imports(of: $0) }).intersection(modules)
    #expect(graph.imports[module] == real, "docs/architecture.md, \(module): its sources import \(real.sorted())")
    #expect(declared[module] == real, "Package.swift, \(module): its sources import \(real.sorted())")
  }
}

/// Modules that tests use and `Package.swift` builds; the program `leash` is run, and imported by nobody.
@Test func everyTestTargetDeclaresWhatItImportsAndNothingElse() throws {
  let manifest = try Repository.text(of: "Package.swift")
  let target = /(?:tests\(\s*|\.testTarget\(\s*name: |\.target\(\s*name: )"(\w+)",\s*(?:dependencies: )?\[([^\]]*)\]/
  var declared: [String: Set<String>] = [:]
  for match in manifest.matches(of: target) {
    declared[String(match.1)] = Set(match.2.matches(of: /"(\w+)"/).map { String($0.1) })
  }
  let known = Set(manifest.matches(of: /(?:Target|tests|ibrary|arget)\(\s*(?:name: )?"(\w+)"/).map { String($0.1) })
  #expect(known.contains("CZlib") && known.contains("TestSupport") && known.contains("NMEA"))
  var checked = 0
  for folder in Repository.folders(in: "Tests") {
    guard let declared = declared[folder] else { continue }
    checked += 1
    let real = Set(Repository.swiftFiles(in: "Tests/\(folder)").flatMap { imports(of: $0) }).intersection(known)
    #expect(declared.subtracting(["leash"]) == real, "Package.swift, \(folder): its sources import \(real.sorted())")
  }
  #expect(checked > 20)
}

/// One `package import`, in whatever file, and the compiler makes no special version in another module of anything that its importer says
/// in terms of the imported one: each packet took 300 instructions more.
@Test func noModuleIsImportedForThePackageAlone() {
  for file in Repository.swiftFiles(in: "Sources") {
    for line in file.codeLines where line.hasPrefix("package import ") {
      Issue.record(
        "\(file.path): '\(line)' keeps other modules from special versions: import it publicly or for the file")
    }
  }
}

/// What a module that is no product offers is for this package: a user of a library need not read it.
@Test func onlyModulesOfProductsHaveSomethingPublic() throws {
  let manifest = try Repository.text(of: "Package.swift")
  let products = Set(
    manifest.matches(of: /\.library\(\s*name: "\w+",\s*targets: \[([^\]]*)\]/)
      .flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } })
  #expect(products.contains("TrackerCore") && !products.contains("LinuxRuntime"))
  for module in Repository.folders(in: "Sources") where !products.contains(module) {
    for file in Repository.swiftFiles(in: "Sources/\(module)") {
      for line in file.codeLines where line.split(separator: " ").prefix(3).contains("public") {
        Issue.record("\(file.path): '\(line)' should be package: \(module) is no product")
      }
    }
  }
}

/// The types that are declared in a module with so much indentation, private ones too: name and file.
private func types(of module: String, indentation: String) -> [(name: String, file: String)] {
  let pattern =
    /^(?:@\w+(?:\([^)]*\))? )*(?:(?:\w+) )*?(?:struct|enum|class|actor|protocol) (\w+)/
  return Repository.swiftFiles(in: "Sources/\(module)").flatMap { file in
    file.codeLines.filter { $0.hasPrefix(indentation) }.compactMap { line in
      line.dropFirst(indentation.count).firstMatch(of: pattern).map { (String($0.1), file.path) }
    }
  }
}

@Test func aTypeHasANameOfItsOwn() throws {
  var places: [String: Set<String>] = [:]
  for module in Repository.folders(in: "Sources") {
    for type in types(of: module, indentation: "") { places[type.name, default: []].insert(type.file) }
  }
  #expect(places.count > 300)
  for (name, files) in places where files.count > 1 { Issue.record("\(name) is a type in \(files.sorted())") }
}

/// One within another type is read as the other where both are known.
@Test func aTypeWithinATypeIsNotNamedAsOneOfTheModulesThatItKnows() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  let modules = Repository.folders(in: "Sources")
  let names = Dictionary(uniqueKeysWithValues: modules.map { ($0, Set(types(of: $0, indentation: "").map(\.name))) })
  for module in modules {
    let known = graph.reach(of: module).union([module]).reduce(into: Set<String>()) { $0.formUnion(names[$1] ?? []) }
    for type in types(of: module, indentation: "  ") where known.contains(type.name) {
      Issue.record("\(type.file): \(type.name) is the name of another type in \(module) or a module that it imports")
    }
  }
}

/// A package of its own declares what it imports of this one, so that no import works by chance.
@Test func theBenchmarksDeclareWhatTheyImport() throws {
  let manifest = try Repository.text(of: "Benchmarks/Package.swift")
  let own = try Repository.text(of: "Package.swift")
  var products: [String: Set<String>] = [:]
  for match in own.matches(of: /\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]/) {
    products[String(match.1)] = Set(match.2.matches(of: /"(\w+)"/).map { String($0.1) })
  }
  let modules = Set(Repository.folders(in: "Sources"))
  var checked = 0
  for match in manifest.matches(of: /\.(?:executableT|t)arget\(\s*name: "([\w-]+)",([\s\S]*?)(?=\n    \.|\n  \])/) {
    let declared = Set(match.2.matches(of: /\.product\(name: "(\w+)"/).map { String($0.1) })
    let real = Set(Repository.swiftFiles(in: "Benchmarks/Sources/\(match.1)").flatMap { imports(of: $0) })
      .intersection(modules)
    let offered = declared.reduce(into: Set<String>()) { $0.formUnion(products[$1] ?? []) }
    #expect(real.isSubset(of: offered), "\(match.1) imports \(real.subtracting(offered).sorted()), undeclared")
    for product in declared {
      let isUsed = !real.isDisjoint(with: products[product] ?? [])
      #expect(isUsed, "\(match.1) declares \(product) and imports nothing of it")
    }
    checked += 1
  }
  #expect(checked >= 7)
}

@Test func theCoreImportsNothingButTheCore() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  for module in graph.core {
    #expect(graph.reach(of: module).isSubset(of: graph.core), "\(module)")
    for file in Repository.swiftFiles(in: "Sources/\(module)") {
      // Whole registers have no other names than the compiler's (docs/decisions/0039-vectors-in-lanes.md).
      let isLanes = file.path.hasPrefix("Sources/InertialFusion/Lanes/")
      for name in imports(of: file) where !(isLanes && name == "Builtin") {
        #expect(graph.core.contains(name), "\(file.path): the core must not import \(name)")
      }
    }
  }
}

@Test func theFirmwareGateChecksEveryCoreModuleInOrder() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  let gate = try Repository.text(of: "Firmware/compile.sh")
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

/// A fuzz target names its modules in the order in which they are compiled; one that a module has begun to import since is missing
/// only when somebody runs the fuzzer.
@Test func theFuzzTargetsNameEveryModuleInOrder() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  let targets = Repository.swiftFiles(in: "Fuzz/Sources")
  #expect(targets.count >= 8)
  for target in targets {
    let line = try #require(
      try Repository.text(of: target.path).split(separator: "\n").first { $0.hasPrefix("// modules: ") },
      "\(target.path)")
    let modules = line.dropFirst("// modules: ".count).split(separator: " ").map(String.init)
    #expect(Set(imports(of: target)).intersection(graph.imports.keys).isSubset(of: modules), "\(target.path)")
    for (place, module) in modules.enumerated() {
      let missing = graph.reach(of: module).intersection(graph.imports.keys).subtracting(modules[..<place])
      #expect(missing.isEmpty, "\(target.path): \(module) imports \(missing.sorted())")
    }
  }
}

/// What makes the scenes must not know what is judged on them, or it would make what is detected.
@Test func theStreetKnowsNoDetector() throws {
  let graph = ImportGraph(architecture: try Repository.text(of: "docs/architecture.md"))
  for module in ["MotionDetection", "InertialFusion", "TrackerCore"] {
    #expect(!graph.reach(of: "VehicleSimulation").contains(module))
  }
  // Neither by the graph nor by a file of its own.
  let files = Repository.swiftFiles(in: "Sources/VehicleSimulation")
  #expect(files.count > 30)
  for file in files { #expect(imports(of: file).allSatisfy { $0 == "Quantities" }, "\(file.path)") }
}
