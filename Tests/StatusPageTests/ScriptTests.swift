import Foundation
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
  let process = Process()
  process.executableURL = URL(fileURLWithPath: node)
  process.arguments = ["--test"] + tests
  process.currentDirectoryURL = folder
  let output = Pipe()
  (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(text)")
  #expect(text.contains("# fail 0") && !text.contains("# pass 0"), "\(text)")
}
