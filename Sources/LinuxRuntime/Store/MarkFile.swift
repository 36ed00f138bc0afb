import Glibc

/// A few bytes in a file of their own beside the state's.
///
/// The mark of numbering is one: when the state is lost, or an older one is put in its place, numbers still go on, and it is noticed.
struct MarkFile {
  let path: String

  /// A file.
  init(path: String) { self.path = path }

  /// The mark of a state.
  init(ofState path: String) { self.path = path + ".mark" }

  /// What it holds, up to a limit; nothing when it is not there.
  func read(upTo limit: Int = 256) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Puts other bytes in the place of all it holds; they are on the storage when it returns.
  ///
  /// - Returns: The system's error number; 0 when it is done. The old bytes are there then, or the new ones.
  func write(_ bytes: [UInt8]) -> Int32 {
    let other = path + ".new"
    let file = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { return errno }
    var code: Int32 = 0
    if Glibc.write(file, bytes, bytes.count) != bytes.count { code = errno == 0 ? ENOSPC : errno }
    if code == 0, fsync(file) != 0 { code = errno }
    close(file)
    if code == 0, rename(other, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(other)
      return code
    }
    return synchronizeFolder()
  }

  /// The name is in the folder, which is a file of its own.
  private func synchronizeFolder() -> Int32 {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return fsync(file) == 0 ? 0 : errno
  }
}
