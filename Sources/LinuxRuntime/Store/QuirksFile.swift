import Uplinks

/// What the modem does otherwise than its manual, in a file beside the state's: without it that is found out once more.
struct QuirksFile: KeptBytes {
  private let file: MarkFile

  /// That of a state.
  init(ofState path: String) { file = MarkFile(path: path + ".modem") }

  /// What it holds.
  func read() -> [UInt8] { file.read() }

  /// Puts other bytes in its place; where that fails it is found out once more after the next start.
  func write(_ bytes: [UInt8]) { _ = file.write(bytes) }
}
