import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests
import Synchronization

/// A small server on a free port of the loopback interface; each connection gets a thread and a handler.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let received = Mutex<[String]>([])
  private let arrival = DispatchSemaphore(value: 0)

  /// - Parameter handler: Gets a connection, which is closed after it, and a way to keep what came.
  init(_ handler: @escaping @Sendable (Int32, (String) -> Void) -> Void) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    port = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(listener, generic, size) == 0, listen(listener, 8) == 0, getsockname(listener, generic, &size) == 0
        else { throw POSIXError(.EADDRINUSE) }
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    let thread = Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let owner = self
        Thread {
          handler(connection) { owner?.keep($0) }
          close(connection)
        }.start()
      }
      // Only here: its number may be another's as soon as it is closed.
      close(listener)
    }
    thread.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func keep(_ text: String) {
    received.withLock { $0.append(text) }
    arrival.signal()
  }

  /// The next thing that a handler kept; nil when nothing comes for ten seconds.
  func next() -> String? {
    guard arrival.wait(timeout: .now() + 10) == .success else { return nil }
    return received.withLock { $0.removeFirst() }
  }

  /// Sends back what comes.
  static func echo() throws -> LoopbackServer {
    try LoopbackServer { connection, _ in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0, write(connection, buffer, count) == count else { return }
      }
    }
  }

  /// Hands everything on to another port of the loopback interface, and keeps the number of the socket towards it, for a test
  /// to cut the line.
  static func relay(to port: UInt16) throws -> LoopbackServer {
    try LoopbackServer { connection, keep in
      let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(upstream) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard code == 0 else { return }
      keep("\(upstream)")
      Thread { copyAll(from: connection, to: upstream) }.start()
      copyAll(from: upstream, to: connection)
    }
  }

  /// Keeps each request whole and answers it with a JSON body.
  static func http(closesAfterAnswer: Bool = false, status: String = "200 OK") throws -> LoopbackServer {
    try LoopbackServer { connection, keep in
      var bytes = Data()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return }
        bytes.append(contentsOf: buffer[..<count])
        guard let text = String(data: bytes, encoding: .utf8), let end = text.range(of: "\r\n\r\n") else { continue }
        let length =
          text[..<end.lowerBound].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
        guard text[end.upperBound...].utf8.count >= length else { continue }
        bytes = Data()
        keep(text)
        let body = "{\"ok\":true}"
        let answer =
          "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        _ = write(connection, answer, answer.utf8.count)
        if closesAfterAnswer { return }
      }
    }
  }
}

/// Hands bytes on until one side ends, and then ends the other.
private func copyAll(from source: Int32, to target: Int32) {
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(source, &buffer, buffer.count)
    guard count > 0, send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
  }
  shutdown(target, Int32(SHUT_RDWR))
  shutdown(source, Int32(SHUT_RDWR))
}

/// A port of the loopback interface where nobody listens.
func freePort() throws -> UInt16 { try LoopbackServer { _, _ in }.port }

/// A program of the system; nil, told once per caller, when its Debian package is not installed.
func program(_ path: String, package: String) -> URL? {
  guard FileManager.default.isExecutableFile(atPath: path) else {
    noteSkipped("there is no \(path); the Debian package \(package) has it")
    return nil
  }
  return URL(filePath: path)
}

/// A real mosquitto on a free port of the loopback interface.
final class Broker {
  let port: UInt16
  private let process: OtherProgram

  /// Returns when the broker listens; nil when there is no mosquitto on this machine.
  ///
  /// - Parameter certificate: Makes it speak TLS.
  init?(certificate: Certificate? = nil) throws {
    guard let mosquitto = program("/usr/sbin/mosquitto", package: "mosquitto") else { return nil }
    port = try freePort()
    let secure = certificate.map { "certfile \($0.path)\nkeyfile \($0.keyPath)\n" } ?? ""
    let configuration = FileManager.default.temporaryDirectory.appending(path: "leash-\(UUID().uuidString).conf")
    try "listener \(port) 127.0.0.1\n\(secure)allow_anonymous true\nlog_dest stderr\n".write(
      to: configuration, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: configuration) }
    let process = try OtherProgram([mosquitto.path, "-c", configuration.path])
    self.process = process
    guard process.waits(within: .seconds(10), for: { process.err.contains(" running") }) else {
      throw POSIXError(.ECONNREFUSED, userInfo: ["output": process.err])
    }
  }

  /// Ends it as a crash would.
  func stop() { process.kill() }

  deinit { stop() }
}

/// A certificate that nobody trusts, with its key, in files that go away with the value.
final class Certificate {
  private let folder: Folder
  let path: String
  let keyPath: String

  /// nil when there is no openssl on this machine.
  init?() throws {
    guard let openssl = program("/usr/bin/openssl", package: "openssl") else { return nil }
    folder = try Folder()
    path = folder.path + "/certificate.pem"
    keyPath = folder.path + "/key.pem"
    let (code, output) = try run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-keyout", keyPath, "-out", path,
      ])
    guard code == 0 else { throw POSIXError(.EINVAL, userInfo: ["output": output]) }
    // A broker that is started as root gives up being it.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keyPath)
  }
}

/// A server of openssl on a free port of the loopback interface, which sends back each line reversed.
final class SecureServer {
  let port: UInt16
  private let process: OtherProgram

  init(_ certificate: Certificate, mode: String) throws {
    port = try freePort()
    let process = try OtherProgram(
      [
        "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key",
        certificate.keyPath, mode,
      ])
    self.process = process
    guard process.waits(within: .seconds(10), for: { process.out.contains("ACCEPT") }) else {
      throw POSIXError(.ECONNREFUSED)
    }
  }

  /// Ends it as a crash would.
  func stop() { process.kill() }

  deinit { stop() }
}
