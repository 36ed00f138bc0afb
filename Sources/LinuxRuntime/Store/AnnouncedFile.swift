import Uplinks

/// What a broker behind the modem was told to keep, in a file beside the state's: without it all is told once more.
struct AnnouncedFile: KeptBytes {
  private let file: MarkFile

  /// That of a state.
  init(ofState path: String) { file = MarkFile(path: path + ".announced") }

  /// What it holds.
  func read() -> [UInt8] { file.read(upTo: 16_384) }

  /// Puts other bytes in its place; where that fails they are told once more after the next start.
  func write(_ bytes: [UInt8]) { _ = file.write(bytes) }
}
