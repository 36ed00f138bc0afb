import Foundation
import SkippedTests
import Testing

@testable import LeashTool

/// What a command wrote and how it ended.
struct ToolRun {
  var out: String
  var err: String
  var code: ExitCode

  /// Runs a command as a user would, but into memory.
  init(_ arguments: String...) { self.init(arguments) }

  init(_ arguments: [String], isTerminal: Bool = false) {
    let console = Console.captured(isTerminal: isTerminal, width: 120)
    code = Leash.command.execute(arguments, console: console)
    out = console.outText
    err = console.errText
  }

  /// The lines on standard output.
  var lines: [String] { out.split(separator: "\n").map(String.init) }

  /// Standard error without the line that tells how fast it was.
  var problems: [String] {
    err.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("replayed in ") }
  }

  /// Every line as a JSON object; a line that is none is an issue.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }
}

/// Places of the repository.
enum Places {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = root.appending(path: "fixtures")
  static let ardennes = fixtures.appending(path: "rides/ardennes_edge1000_gnss.csv.gz").path
  static let leiden = fixtures.appending(path: "rides/leiden_edge1000_gap_gnss.csv.gz").path

  /// A folder of recordings that are not part of the repository; nil, told once per caller, when it is not there.
  static func recordings(_ folder: String) -> URL? {
    outsideRecordings(folder).map { URL(filePath: $0) }
  }
}

/// A folder that goes away with the value.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "leash-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and gives its path.
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let place = url.appending(path: name)
    try Data(bytes).write(to: place)
    return place.path
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
