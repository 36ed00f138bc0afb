import Foundation
import Testing

@testable import LeashTool

/// Every command of `leash` with the names of the groups above it.
private func allCommands(_ command: Command, above: [String] = []) -> [(path: [String], command: Command)] {
  let path = above + [command.name]
  return [(path, command)] + command.subcommands.flatMap { allCommands($0, above: path) }
}

private let snapshots = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")

/// To take a changed help as the right one, run the tests once with LEASH_UPDATE_SNAPSHOTS=1 and look at the difference.
@Test func theHelpOfEveryCommandIsAsReviewed() throws {
  let updates = ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1"
  var names: Set<String> = []
  for (path, command) in allCommands(Leash.command) {
    let name = path.joined(separator: "-") + ".txt"
    names.insert(name)
    let file = snapshots.appending(path: name)
    let help = command.helpText(path: path)
    if updates { try help.write(to: file, atomically: true, encoding: .utf8) }
    let reviewed = try? String(contentsOf: file, encoding: .utf8)
    #expect(help == reviewed, "Snapshots/\(name): LEASH_UPDATE_SNAPSHOTS=1 swift test --filter LeashToolTests")
  }
  let files = try FileManager.default.contentsOfDirectory(atPath: snapshots.path)
  #expect(Set(files) == names, "a snapshot without a command, or the reverse")
}

@Test func helpFitsEightyColumnsAndEveryDeclarationHasAHelp() {
  for (path, command) in allCommands(Leash.command) {
    for line in command.helpText(path: path).split(separator: "\n") {
      #expect(line.count <= 80, "\(path): \(line)")
      #expect(line.last != " ", "\(path): space at the end of '\(line)'")
    }
    #expect(!command.summary.isEmpty && command.summary.last != ".", "\(path)")
    for parameter in command.parameters { #expect(parameter.help.last == ".", "\(path) \(parameter.name)") }
  }
}
