import Glibc
import Requests

/// A key in a file of its own that only its user can read: the claim secret beside the state, the owner's key beside nothing.
package struct SecretFile {
  /// Where it is.
  package let path: String

  /// A file.
  package init(path: String) { self.path = path }

  /// The claim secret of a tracker: beside its state and never in it, as what is in the state is in recordings.
  package init(ofState path: String) { self.path = path + ".secret" }

  /// Why it can't be used, for people, with its path.
  package struct Failure: Error, Equatable {
    /// The reason.
    package var message: String
  }

  /// The key in it; nil when there is no such file.
  package func read() throws(Failure) -> RequestKey? {
    if access(path, F_OK) != 0, errno == ENOENT { return nil }
    var digits: [UInt8]
    do throws(SmallFile.Unreadable) {
      digits = try SmallFile(path: path, limit: 256).bytes
    } catch {
      throw Failure(message: "\(path): \(error.reason)")
    }
    while let last = digits.last, last == 0x0A || last == 0x0D || last == 0x20 { digits.removeLast() }
    guard let key = RequestKey(hexadecimal: digits.span) else {
      throw Failure(message: "\(path): expected 64 hexadecimal digits and nothing else")
    }
    return key
  }

  /// The key in it; a new one from the system's random source when there is no such file.
  ///
  /// Whoever else may read the file could do so until now; from now on nobody.
  package func keep() throws(Failure) -> RequestKey {
    if let key = try read() {
      chmod(path, 0o600)
      return key
    }
    guard let key = SecretFile.random() else { throw Failure(message: "\(path): can't generate a key") }
    let code = write(key, replaces: false)
    if code == 0 { return key }
    // Somebody was faster.
    if code == EEXIST, let key = try read() { return key }
    throw Failure(message: "\(path): \(String(cString: strerror(code)))")
  }

  /// Puts a new key from the system's random source in its place.
  package func renew() throws(Failure) -> RequestKey {
    guard let key = SecretFile.random() else { throw Failure(message: "\(path): can't generate a key") }
    try put(key, replaces: true)
    return key
  }

  /// Writes a key down.
  ///
  /// - Parameter replaces: False to fail when there is such a file.
  package func put(_ key: RequestKey, replaces: Bool) throws(Failure) {
    let code = write(key, replaces: replaces)
    guard code == 0 else { throw Failure(message: "\(path): \(String(cString: strerror(code)))") }
  }

  /// 32 bytes of the system's random source.
  ///
  /// On Linux that is getrandom(2), which waits until the source has begun.
  private static func random() -> RequestKey? {
    var source = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let text = (0..<RequestKey.digitCount).map { _ in digits[Int.random(in: 0..<16, using: &source)] }
    return RequestKey(hexadecimal: text.span)
  }

  /// - Returns: The system's error number; 0 when the key is on the storage. The old file is there otherwise, or none.
  private func write(_ key: RequestKey, replaces: Bool) -> Int32 {
    let other = "\(path).new-\(getpid())"
    let file = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    let text = Array((key.digits + "\n").utf8)
    var code: Int32 = 0
    if Glibc.write(file, text, text.count) != text.count { code = errno == 0 ? ENOSPC : errno }
    if code == 0, fchmod(file, 0o600) != 0 { code = errno }
    if code == 0 { code = giveToOwnerOfFolder(file) }
    if code == 0, fsync(file) != 0 { code = errno }
    close(file)
    if code == 0 {
      if replaces {
        if rename(other, path) != 0 { code = errno }
      } else if link(other, path) != 0 {
        code = errno
      }
    }
    // After a rename there is none.
    unlink(other)
    return code == 0 ? synchronizeFolder() : code
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[...slash])
  }

  /// What root makes is the service's to read.
  private func giveToOwnerOfFolder(_ file: Int32) -> Int32 {
    guard geteuid() == 0 else { return 0 }
    var status = stat()
    guard stat(folder, &status) == 0 else { return errno }
    return fchown(file, status.st_uid, status.st_gid) == 0 ? 0 : errno
  }

  /// The name is in the folder, which is a file of its own.
  private func synchronizeFolder() -> Int32 {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return fsync(file) == 0 ? 0 : errno
  }
}
