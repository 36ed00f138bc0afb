import Foundation
import Testing

@testable import LeashTool

@Test func theConfigurationsOfTheManualAreRight() throws {
  let text = try String(contentsOf: Places.root.appending(path: "docs/board.md"), encoding: .utf8)
  let blocks = text.components(separatedBy: "```json5\n").dropFirst().map {
    $0.components(separatedBy: "```").first ?? ""
  }
  #expect(blocks.count >= 2)
  let folder = try TemporaryFolder()
  // Secrets lie where the manual says, but not on this machine.
  let password = try folder.file("mqtt-password", "secret")
  for block in blocks {
    let file = try folder.file("c.json5", block.replacingOccurrences(of: "/etc/leash/mqtt-password", with: password))
    let run = ToolRun("config", "check", file)
    #expect(run.code == .success, "\(run.err)")
  }
}

@Test func theManualNamesOnlySourcesThatAreListed() throws {
  let references = try String(contentsOf: Places.root.appending(path: "docs/references.md"), encoding: .utf8)
  let text = try String(contentsOf: Places.root.appending(path: "docs/board.md"), encoding: .utf8)
  for match in text.matches(of: /\[([a-z0-9-]+)\](?!\()/) {
    #expect(references.contains("| `[\(match.1)]`"), "\(match.1)")
  }
}

@Test func theConfigurationsForServersAreRight() throws {
  let text = try String(contentsOf: Places.root.appending(path: "docs/servers.md"), encoding: .utf8)
  let blocks = text.components(separatedBy: "```json5\n").dropFirst().map {
    $0.components(separatedBy: "```").first ?? ""
  }
  #expect(blocks.count >= 4)
  let folder = try TemporaryFolder()
  // Secrets lie where the page says, but not on this machine.
  let secret = try folder.file("secret", "correct horse battery")
  for block in blocks {
    let list = block.hasPrefix("{ by:") ? "uplinks: [\(block)]" : block
    let whole = list.hasPrefix("{") ? list : "{ \(list) }"
    let here = whole.replacing(/file: "[^"]*"/, with: "file: \"\(secret)\"")
    let run = ToolRun("config", "check", try folder.file("c.json5", here))
    #expect(run.code == .success, "\(block)\n\(run.err)")
  }
}

/// An example is put beside uplinks that are there: without a receiver of its own its kinds would be theirs.
@Test func anExampleWithKindsHasAReceiverOfItsOwn() throws {
  let folder = try TemporaryFolder()
  var count = 0
  for page in ["servers.md", "uplinks.md", "board.md", "modem.md"] {
    let text = try String(contentsOf: Places.root.appending(path: "docs/\(page)"), encoding: .utf8)
    for block in text.components(separatedBy: "```json5\n").dropFirst() {
      let example = block.components(separatedBy: "```").first ?? ""
      for uplink in example.components(separatedBy: "{ by:").dropFirst() where uplink.contains("kinds:") {
        count += 1
        #expect(uplink.contains("receiver:"), "\(page): \(uplink)")
      }
      guard page == "uplinks.md", example.hasPrefix("uplinks:") else { continue }
      let whole = "{ modem: { port: \"/dev/ttyUSB2\", url: \"https://a.example\", sms: \"+4912345\" }, \(example) }"
      let run = ToolRun("config", "check", try folder.file("c.json5", whole))
      #expect(run.code == .success, "\(example)\n\(run.err)")
    }
  }
  #expect(count >= 5)
}
