import FirmwareUpdate
import Foundation
import LinuxDevices

/// A public key in a file of PEM text, as `openssl pkey -pubout` writes it.
///
/// - Source: RFC 8410 section 4: the 32 bytes of the key stand behind twelve that say that it is one of Ed25519.
enum PublicKeyFile {
  private static let start: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

  static func key(path: String) throws(CommandFailure) -> Ed25519Key {
    let text = String(decoding: try smallBytes(of: path), as: UTF8.self)
    guard let key = key(text) else {
      throw .environment(
        text.contains("PRIVATE KEY")
          ? "\(path): a private key; expected the public one: openssl pkey -in \(path) -pubout"
          : "\(path): expected a public key of Ed25519 as PEM text that begins with -----BEGIN PUBLIC KEY-----")
    }
    return key
  }

  static func key(_ text: String) -> Ed25519Key? {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    guard let first = lines.firstIndex(of: "-----BEGIN PUBLIC KEY-----"),
      let last = lines.firstIndex(of: "-----END PUBLIC KEY-----"), first < last,
      let content = Data(base64Encoded: lines[(first + 1)..<last].joined()), content.starts(with: start)
    else { return nil }
    return Ed25519Key(Array(content.dropFirst(start.count)).span)
  }
}

/// A private key in a file, which the program `openssl` signs with: this one never reads it.
struct SigningKey {
  let path: String
  private let folder: URL

  init(path: String) throws(CommandFailure) {
    self.path = path
    guard let file = fopen(path, "rbe") else { throw .unopened(path) }
    fclose(file)
    var name = Array("\(FileManager.default.temporaryDirectory.path)/leash-sign-XXXXXX".utf8CString)
    // Only its owner may look into it.
    guard mkdtemp(&name) != nil else {
      throw .environment("a temporary folder: can't make it: \(String(cString: strerror(errno)))")
    }
    folder = URL(filePath: String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  func end() { try? FileManager.default.removeItem(at: folder) }

  func publicKey() throws(CommandFailure) -> Ed25519Key {
    let output = try run(["pkey", "-in", path, "-pubout"])
    guard let key = PublicKeyFile.key(String(decoding: output, as: UTF8.self)) else {
      throw .environment("\(path): not a key of Ed25519; openssl genpkey -algorithm ed25519 -out FILE makes one")
    }
    return key
  }

  func sign(_ message: [UInt8]) throws(CommandFailure) -> [UInt8] {
    let input = folder.appending(path: "message").path
    try FirmwareFile.write(message, to: input)
    return try run(["pkeyutl", "-sign", "-rawin", "-inkey", path, "-in", input])
  }

  /// What `openssl` writes; a passphrase is asked for on the terminal.
  private func run(_ words: [String]) throws(CommandFailure) -> [UInt8] {
    let (output, problems) = (folder.appending(path: "output").path, folder.appending(path: "problems").path)
    let number: Int32
    do throws(DeviceFailure) {
      number = try ChildProcess.start(
        ["/usr/bin/env", "openssl"] + words,
        files: [
          .path(1, output, flags: O_WRONLY | O_CREAT | O_TRUNC),
          .path(2, problems, flags: O_WRONLY | O_CREAT | O_TRUNC),
        ])
    } catch { throw .environment("openssl: can't be started: \(error)") }
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 {
      guard errno == EINTR else { throw .environment("openssl: \(String(cString: strerror(errno)))") }
    }
    guard status == 0 else {
      if status == 127 << 8 { throw .environment("openssl is not installed; the Debian package has that name") }
      let said = (try? smallBytes(of: problems)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let line = said.split(separator: "\n").first.map(String.init) ?? "it failed without a reason"
      throw .environment("\(path): openssl can't use this key: \(line)")
    }
    return try smallBytes(of: output)
  }
}
