import Glibc
import Testing

/// A page of `docs`, as tests compare it with the program.
struct ManualPage {
  private let path: String
  let text: String

  init(_ name: String) throws {
    path = String(#filePath.dropLast("Tests/TrackerCoreTests/ManualPage.swift".count)) + "docs/" + name
    let file = try #require(fopen(path, "rb"), "\(path)")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Whether tests are to write what they compare: `LEASH_UPDATE_SNAPSHOTS=1`.
  static var isUpdated: Bool { getenv("LEASH_UPDATE_SNAPSHOTS") != nil }

  /// Puts another text in its place.
  func write(_ text: String) throws {
    let file = try #require(fopen(path, "wb"), "\(path)")
    defer { fclose(file) }
    fputs(text, file)
  }
}
