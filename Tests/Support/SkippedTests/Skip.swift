import Foundation
import Testing

/// Tells that the test that runs can't check what it should on this machine.
///
/// The line goes to the console and, where the environment variable `LEASH_SKIPPED` names a file, with the name of the test
/// into that: `make test` ends with their number and reasons.
///
/// - Parameter reason: What is missing, the same words for all tests that miss the same.
package func noteSkipped(_ reason: String) {
  let test = Test.current?.name ?? "a test"
  print("skipped: \(test): \(reason)")
  guard let path = getenv("LEASH_SKIPPED").map({ String(cString: $0) }) else { return }
  let line = Array("\(test)\t\(reason)\n".utf8)
  let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
  guard file >= 0 else { return }
  // One call, so that lines of tests that run at the same time do not mix.
  _ = write(file, line, line.count)
  close(file)
}

/// The folder `name` among the recordings that are not part of the repository; nil, noted as skipped, where it is not.
///
/// The environment variable `LEASH_DATA` names their folder; without it is looked for at `../shared/data` beside the package.
package func outsideRecordings(_ name: String) -> String? {
  var root = #filePath
  for _ in 0..<4 { root = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)]) }
  let folder = getenv("LEASH_DATA").map { String(cString: $0) } ?? root + "/../shared/data"
  let path = folder + "/" + name
  if access(path, R_OK) == 0 { return path }
  noteSkipped("no recordings at LEASH_DATA or ../shared/data")
  return nil
}
