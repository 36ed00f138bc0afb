import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests

/// A program of the system; nil, told once per caller, when its Debian package is not installed.
package func serverProgram(_ path: String, package: String) -> URL? {
  guard FileManager.default.isExecutableFile(atPath: path) else {
    noteSkipped("there is no \(path); the Debian package \(package) has it")
    return nil
  }
  return URL(filePath: path)
}

/// A folder that goes away with the value, and that servers which gave up being root can read.
package final class ServerFolder: Sendable {
  /// Where it is.
  package let path = "/tmp/leash-server-\(UUID().uuidString)"

  /// Makes it.
  package init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file that everybody may read; gives its path.
  package func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    return file
  }
}

/// Runs a program to its end; false when it says no.
package func runProgram(_ program: URL, _ arguments: [String]) throws -> Bool {
  try OtherProgram.output(of: [program.path] + arguments).status == 0
}

/// A port of the loopback interface where nobody listens just now.
package func freeLoopbackPort() throws -> UInt16 {
  let descriptor = try listen(on: 0)
  defer { close(descriptor) }
  return portNumber(of: descriptor)
}

/// A listening socket of the loopback interface.
func listen(on port: UInt16) throws -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var yes: Int32 = 1
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let code = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard code == 0, listen(descriptor, 8) == 0 else {
    close(descriptor)
    throw POSIXError(.EADDRINUSE)
  }
  return descriptor
}

/// The port of a socket.
func portNumber(of descriptor: Int32) -> UInt16 {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) { pointer in
    _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
  }
  return UInt16(bigEndian: address.sin_port)
}

/// Turns a loop until something holds; false when it did not within the limit.
///
/// What holds may come about outside the loop, on a thread of a server, so it is looked at every few milliseconds, too.
package func turn(_ loop: EventLoop, within limit: Interval = .seconds(20), until holds: () -> Bool) -> Bool {
  let deadline = MonotonicClock.now + limit
  while !holds() {
    guard MonotonicClock.now < deadline else { return false }
    loop.turn(until: MonotonicClock.now + .milliseconds(5))
  }
  return true
}
