import Foundation
import OtherPrograms
import SkippedTests
import Testing

/// The logic of the page has tests of its own kind, in `Page`.
@Test func theScriptsPassTheirTests() throws {
  guard
    let node = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map({ "\($0)/node" })
      .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
  else { return noteSkipped("node is not installed") }
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Page")
  let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".test.mjs") }
  #expect(tests.count >= 4)
  let run = try OtherProgram.output(of: [node, "--test"] + tests, folder: folder.path)
  let text = run.out + run.err
  #expect(run.status == 0, "\(text)")
  #expect(text.contains("# fail 0") && !text.contains("# pass 0"), "\(text)")
}
