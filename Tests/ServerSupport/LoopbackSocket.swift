import Glibc

/// What could not be set up for a test.
package struct SetUpFailure: Error, CustomStringConvertible {
  /// One line for the report.
  package var description: String
  /// With its line.
  package init(_ description: String) { self.description = description }
}

/// TCP on 127.0.0.1 for tests.
package enum LoopbackSocket {
  /// A listening socket on a free port.
  package static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var (address, size) = address(port: 0)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, size) == 0 && Glibc.listen(descriptor, 8) == 0
          && getsockname(descriptor, generic, &size) == 0
      }
    }
    guard isListening else { throw SetUpFailure("no free port on 127.0.0.1") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A port that was free just now.
  package static func freePort() throws -> UInt16 {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }

  /// True when something listens on the port.
  package static func isOpen(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var (address, size) = address(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
  }

  /// Sends all bytes; false when the other side is gone.
  @discardableResult package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func address(port: UInt16) -> (sockaddr_in, socklen_t) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return (address, socklen_t(MemoryLayout<sockaddr_in>.size))
  }
}
