import Foundation
import Testing

/// What a figure of the docs depends on, as `scripts/docs.py` finds it; the cases are in `reached_test.py`.
@Test func aFigureDependsOnWhatItsCommandCanReach() throws {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["python3", "-B", Repository.root.appending(path: "Tests/RepositoryTests/reached_test.py").path]
  let output = Pipe()
  process.standardError = output
  try process.run()
  let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0 && told.contains("Ran 6 tests"), "\(told)")
}
