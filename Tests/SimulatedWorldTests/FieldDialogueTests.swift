import FieldDialogue
import Foundation
import Quantities
import SimulatedWorld
import Testing

/// Where the dialogues are.
enum FieldFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/field")

  static var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return all.filter { $0.hasSuffix(".dialogue") && $0 != "plain.dialogue" }.sorted()
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  static func dialogue(_ name: String) throws -> FieldDialogue {
    try FieldDialogue(try text(name)) { try text($0) }
  }
}

@Suite struct FieldDialogueTests {
  @Test(arguments: FieldFiles.names) func whatARealModemSaidIsUnderstood(name: String) throws {
    let run = FieldRun(try FieldFiles.dialogue(name))
    run.run(then: .seconds(60))
    let failures = run.failures
    if !failures.isEmpty, ProcessInfo.processInfo.environment["LEASH_FIELD"] == name {
      print(run.transcript.joined(separator: "\n"))
    }
    #expect(failures == [], "\(name)")
  }
}
