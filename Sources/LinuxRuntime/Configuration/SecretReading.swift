import Glibc
import JSON5
import Uplinks

/// A file as bytes, and who may read it.
struct SmallFile {
  /// What is in it.
  var bytes: [UInt8]
  /// True when everybody on this machine may read it.
  var isReadableByOthers: Bool

  /// Reads a file of at most so many bytes.
  ///
  /// - Throws: Why it can't be read, for people.
  init(path: String, limit: Int) throws(Unreadable) {
    // Not blocking, so that a pipe without a writer is no trap.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Unreadable(reason: "not a regular file") }
    isReadableByOthers = status.st_mode & S_IROTH != 0
    bytes = try SmallFile.read(descriptor, limit: limit)
  }

  /// Reads what comes to its end, from a pipe for example: at most so many bytes.
  static func read(_ descriptor: Int32, limit: Int) throws(Unreadable) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw Unreadable(errno)
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw Unreadable(reason: "it has more than \(limit) bytes") }
    }
  }

  /// Why a file can't be read.
  struct Unreadable: Error {
    var reason: String
    init(_ number: Int32) { reason = String(cString: strerror(number)) }
    init(reason: String) { self.reason = reason }
  }
}

extension ConfigurationReader {
  /// Reads a secret from text, a file or the environment; nil after a problem was noted. No message holds any of its text.
  mutating func secret(_ value: JSON5Value, label: String) -> (Secret, SecretPlace)? {
    switch value.content {
    case .string(let text): return checked(text, .literal, value.position, label)
    case .object(let members):
      guard members.count == 1, let member = members.first, case .string(let name) = member.value.content,
        !name.isEmpty, !name.unicodeScalars.contains("\0")
      else { break }
      switch member.key {
      case "file": return secretFile(name, member.value.position, label)
      case "env":
        guard let text = environment[name] else {
          note("'\(label)': the environment has no variable \(quoted(name))", at: member.value.position)
          return nil
        }
        return checked(text, .environment(name), member.value.position, label)
      default:
        note(
          "'\(label)': unknown key '\(shown(member.key))' of a secret, expected 'file' or 'env'"
            + didYouMean(nearestName(to: member.key, among: ["file", "env"])), at: member.position)
        return nil
      }
    case .null, .boolean, .number, .array: break
    }
    note("'\(label)': expected \(ConfigurationType.secret.expectation)", at: value.position)
    return nil
  }

  private mutating func secretFile(
    _ path: String, _ position: TextPosition, _ label: String
  ) -> (Secret, SecretPlace)? {
    do throws(SmallFile.Unreadable) {
      let file = try SmallFile(path: path, limit: 4096)
      if file.isReadableByOthers {
        warn("'\(label)': everybody on this machine may read \(quoted(path)): chmod o-r", at: position)
      }
      var bytes = file.bytes[...]
      if bytes.last == 0x0A { bytes.removeLast() }
      if bytes.last == 0x0D { bytes.removeLast() }
      return checked(String(decoding: bytes, as: UTF8.self), .file(path), position, label)
    } catch {
      note("'\(label)': can't read the secret from \(quoted(path)): \(error.reason)", at: position)
      return nil
    }
  }

  private mutating func checked(
    _ text: String, _ place: SecretPlace, _ position: TextPosition, _ label: String
  ) -> (Secret, SecretPlace)? {
    guard text != hiddenText else {
      note("'\(label)': found \(quoted(hiddenText)), which is a placeholder for a hidden secret", at: position)
      return nil
    }
    guard !text.isEmpty, text.utf8.count <= 1024,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      note("'\(label)': expected a secret of 1 to 1024 bytes without control characters", at: position)
      return nil
    }
    if place == .literal { literalSecrets.append(label) }
    return (Secret(text), place)
  }
}
