import Glibc
import JSON5
import LinuxRuntime
import Uplinks

/// The text of a configuration, with what pairing puts into it; the rest stays as its owner wrote it.
struct ConfigurationEdit {
  /// The text.
  private(set) var bytes: [UInt8]
  /// What was put in, a line each.
  private(set) var added: [String] = []
  /// What was taken out, a line each.
  private(set) var removed: [String] = []

  /// The text of a configuration without problems.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Puts text behind the bracket that a value begins with.
  mutating func insert(_ text: String, into value: JSON5Value) {
    guard let place = offset(of: value.position) else { return }
    bytes.insert(contentsOf: Array((" " + text + ",").utf8), at: place + 1)
    added.append(text)
  }

  /// Takes members of one object out, each with the comma and the blank beside it.
  mutating func remove(_ members: [JSON5Member]) {
    // The last first, so that the places of the others stay.
    for member in members.reversed() {
      guard var start = offset(of: member.position), let value = offset(of: member.value.position) else { continue }
      var end = JSON5Extent.end(of: bytes, from: value)
      removed.insert(String(decoding: bytes[start..<end], as: UTF8.self), at: 0)
      let comma = JSON5Extent.skipBlank(bytes, from: end)
      if comma < bytes.count, bytes[comma] == 0x2C { end = comma + 1 }
      if start > 0, bytes[start - 1] == 0x20 { start -= 1 }
      bytes.removeSubrange(start..<end)
    }
  }

  /// Where a place of the text is.
  private func offset(of position: TextPosition) -> Int? {
    var (line, column) = (1, 1)
    for (place, byte) in bytes.enumerated() {
      if byte & 0xC0 == 0x80 { continue }
      if (line, column) == (position.line, position.column) { return place }
      if byte == 0x0A { (line, column) = (line + 1, 1) } else { column += 1 }
    }
    return nil
  }

  /// Puts the text into the place of a file, whose owner and rights stay; the file of before is kept beside it. A link stays one, to a
  /// file with the text.
  ///
  /// - Returns: Where that is.
  func write(to link: String) throws(CommandFailure) -> String {
    guard let real = realpath(link, nil) else { throw failure(link) }
    defer { free(real) }
    let path = String(cString: real)
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    let (new, old) = ("\(path).new-\(getpid())", "\(path).before")
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(new) }
    let isWritten =
      bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
      && fchown(file, status.st_uid, status.st_gid) == 0 && fchmod(file, status.st_mode & 0o7777) == 0
      && fsync(file) == 0
    let error = errno
    close(file)
    unlink(old)
    guard isWritten, Glibc.link(path, old) == 0, rename(new, path) == 0 else {
      let reason = isWritten ? errno : error
      unlink(new)
      throw .environment("\(path): \(String(cString: strerror(reason)))")
    }
    return old
  }

  private func failure(_ path: String) -> CommandFailure {
    .environment("\(path): \(String(cString: strerror(errno)))")
  }
}
