import Foundation
import Testing

@Test func librariesNeitherPrintNorTrapNorForce() {
  let forbidden = ["print(", "debugPrint(", "dump(", "fatalError(", "try!", "as!", "preconditionFailure("]
  for file in Repository.swiftFiles(in: "Sources") {
    for (place, line) in file.codeLines.enumerated() {
      for word in forbidden where occurs(word, in: line) {
        Issue.record("\(file.path):\(place + 1): \(word)")
      }
    }
  }
}

/// True when the word is there and not the end of a longer one, as in `fingerprint(`.
private func occurs(_ word: String, in line: String) -> Bool {
  var rest = line[...]
  while let range = rest.range(of: word) {
    let before = range.lowerBound > line.startIndex ? line[line.index(before: range.lowerBound)] : " "
    if !(before.isLetter || before.isNumber || before == "_" || before == ".") { return true }
    rest = rest[range.upperBound...]
  }
  return false
}

@Test func sourceFilesStayShort() {
  for file in Repository.swiftFiles(in: "Sources") {
    #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines: split it where the concept splits")
  }
}

/// Where the machine's clocks may be read: what can't be on a test's clock. Everything else takes a `LoopClock`, or the time.
private let readersOfTheClock: [String: String] = [
  "LinuxDevices/MonotonicClock.swift": "the clock itself",
  "LinuxDevices/LoopClock.swift": "the machine's clock as a loop's",
  "LinuxDevices/SystemClock.swift": "what the kernel says of its clocks",
  "LinuxDevices/EventWait.swift": "waits in the kernel",
  "LinuxDevices/Inertial/TimestampConversion.swift": "stamps of the kernel",
  "LinuxRuntime/Control/ControlServer.swift": "the client of the control socket, in another process than the board",
  "LinuxRuntime/Store/StateStore.swift": "waits for a thread when it closes",
  "Uplinks/HTTP/CurlExchange.swift": "libcurl counts real time",
  "Uplinks/MQTT/MosquittoClient.swift": "libmosquitto counts real time",
  "Uplinks/MQTT/MQTTVisitor.swift": "a visit of a command to a broker, by libmosquitto",
  "ModemBridge/MQTTSession.swift": "real servers behind a simulated modem",
  "ModemBridge/ModemServer.swift": "a simulated modem on a real port",
  "ModemBridge/NetworkBridge.swift": "real servers behind a simulated modem",
]

/// Commands of the tool are the edge: they run on this machine, or make the loop that others live in.
@Test func theClockOfTheMachineIsReadAtTheEdgeOnly() {
  let readings = [
    "MonotonicClock.now", "MachineClock()", "clock_gettime(", "gettimeofday(", "Glibc.time(", " Date()", "(Date()",
    "Date.now",
    "ContinuousClock", "SuspendingClock",
  ]
  var found: Set<String> = []
  for file in Repository.swiftFiles(in: "Sources") {
    let path = String(file.path.dropFirst("Sources/".count))
    for (place, line) in file.codeLines.enumerated() where readings.contains(where: line.contains) {
      found.insert(path)
      let isAllowed = path.hasPrefix("LeashTool/") || readersOfTheClock[path] != nil
      #expect(isAllowed, "\(file.path):\(place + 1) reads the machine's clock; let it take a LoopClock or the time")
      // What falls back on it when it is given none would leave a test's clock without a word.
      #expect(
        !line.contains("clock.now ?? ") && !line.contains("= MachineClock()"), "\(file.path):\(place + 1)")
    }
  }
  let unused = Set(readersOfTheClock.keys).subtracting(found)
  #expect(unused.isEmpty, "\(unused.sorted()) need not stand in the list")
}

/// Foundation's programs inherit what is open, are waited for without a limit, and hold others' output open: `OtherProgram` does not.
@Test func testsWaitForNoProgramWithoutALimit() {
  let forbidden = ["= Process()", "waitUntilExit", "readDataToEndOfFile", "popen("]
  // The package manager's entry point has no module to import.
  for file in Repository.swiftFiles(in: "Tests") where file.path != "Tests/XCTMain.swift" {
    guard !file.path.hasPrefix("Tests/RepositoryTests/SourceRule") else { continue }
    for (place, line) in file.codeLines.enumerated() {
      for word in forbidden where line.contains(word) {
        Issue.record("\(file.path):\(place + 1) has \(word): use OtherProgram")
      }
    }
  }
}

@Test func testsAreNeitherSwitchedOffNorWaiting() {
  let forbidden = [".disabled(", "withKnownIssue(", "Task.sleep", "Thread.sleep", "usleep(", "sleep("]
  for file in Repository.swiftFiles(in: "Tests") where !file.path.hasPrefix("Tests/RepositoryTests/") {
    for (place, line) in file.codeLines.enumerated() {
      for word in forbidden where line.contains(word) {
        Issue.record("\(file.path):\(place + 1): \(word)")
      }
    }
  }
}

@Test func keysOfSourcesResolveInTheReferences() throws {
  let references = try Repository.text(of: "docs/references.md")
  let known = Set(
    references.split(separator: "\n").compactMap { line in
      line.hasPrefix("| `[") ? line.dropFirst(4).split(separator: "]").first.map(String.init) : nil
    })
  #expect(!known.isEmpty)
  for file in Repository.swiftFiles(in: "Sources") {
    for line in file.lines where line.contains("- Source:") {
      // A key is in small letters; other brackets belong to formulas.
      for key in line.split(separator: "[").dropFirst().compactMap({ $0.split(separator: "]").first })
      where key.count > 2 && key.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) {
        #expect(known.contains(String(key)), "\(file.path): [\(key)] is not in docs/references.md")
      }
    }
  }
}

@Test func everyFolderOfFixturesTellsItsProvenance() throws {
  let base = Repository.root.appending(path: "fixtures")
  guard let names = FileManager.default.enumerator(atPath: base.path) else { return }
  var folders: Set<String> = []
  for case let name as String in names {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: base.appending(path: name).path, isDirectory: &isFolder)
    if !isFolder.boolValue { folders.insert((name as NSString).deletingLastPathComponent) }
  }
  for folder in folders where !folder.isEmpty {
    // A folder of goldens may stand inside the folder whose data they belong to.
    var place = folder
    var text = ""
    while text.isEmpty && !place.isEmpty {
      text = (try? Repository.text(of: "fixtures/\(place)/PROVENANCE.md")) ?? ""
      place = (place as NSString).deletingLastPathComponent
    }
    #expect(text.lowercased().contains("licen"), "fixtures/\(folder) needs a PROVENANCE.md that names the licence")
  }
}

@Test func theLicenceAndTheManualAreThere() throws {
  #expect(try Repository.text(of: "LICENSE").contains("Apache License"))
  for path in ["CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "docs/architecture.md", "docs/limits.md"] {
    #expect(try !Repository.text(of: path).isEmpty, "\(path)")
  }
}

/// A file that is in the folder and in no list would be missing from the program.
@Test func everyFileOfThePageIsBuiltInAndServed() throws {
  let manifest = try Repository.text(of: "Package.swift")
  let list = try #require(manifest.firstMatch(of: /let pageFiles = \[([^\]]*)\]/))
  let builtIn = Set(list.1.matches(of: /"([\w.]+)"/).map { String($0.1) })
  let table = try Repository.text(of: "Sources/StatusPage/PageFile.swift")
  let served = Set(
    table.matches(of: /PageFile\(name: "([\w.]+)", built: PackageResources\.(\w+)\)/).map { match in
      #expect(match.1.replacing(".", with: "_") == match.2)
      return String(match.1)
    })
  let folder = Repository.root.appending(path: "Sources/StatusPage/Page").path
  let kinds = [".html", ".css", ".js", ".svg"]
  let files = Set(
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in kinds.contains { name.hasSuffix($0) } }
  )
  #expect(files.count > 20)
  #expect(builtIn == files, "Package.swift, pageFiles: \(builtIn.symmetricDifference(files).sorted())")
  #expect(served == files, "PageFile.all: \(served.symmetricDifference(files).sorted())")
}

/// What nobody sends is not in the core: the console has its own words for the lines of a modem.
@Test func everyCommandOfTheModemIsSentByTheDriver() throws {
  let session = Repository.swiftFiles(in: "Sources/SIM7000/Session").map(\.text).joined()
  var count = 0
  for file in Repository.swiftFiles(in: "Sources/SIM7000/Commands") {
    for declared in file.text.matches(of: /(?m)^  @frozen package struct (\w+): ATCommand/) {
      let name = "\(try #require(file.path.split(separator: "/").last).dropLast(6)).\(declared.1)"
      count += 1
      #expect(session.contains("\(name)("), "\(name) is not used")
    }
  }
  #expect(count > 70)
}
