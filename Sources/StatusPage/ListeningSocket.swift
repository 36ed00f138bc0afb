import Glibc
import LinuxDevices

/// A socket that listens on one address, and nowhere else.
struct ListeningSocket {
  /// The socket, non-blocking.
  let descriptor: Int32
  /// The port it has.
  let port: UInt16
  /// Whether only programs of this machine can reach it.
  let isLoopback: Bool

  /// Listens.
  ///
  /// A name is looked up once, now, which waits for a name server unless the machine knows it itself; of several addresses
  /// the first that can be had is taken.
  ///
  /// - Throws: One line that says what is wrong with the address and what would be right.
  init(_ address: PageAddress) throws(DeviceFailure) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let code = address.host.isEmpty ? EAI_NONAME : getaddrinfo(address.host, "\(address.port)", &hints, &found)
    defer { if let found { freeaddrinfo(found) } }
    guard code == 0, found != nil else { throw Self.unknown(address, code) }
    var number = EADDRNOTAVAIL
    var entry = found
    while let candidate = entry {
      if let socket = Self.listen(on: candidate.pointee, &number) {
        self = socket
        return
      }
      entry = candidate.pointee.ai_next
    }
    throw Self.failure(address, number)
  }

  private init(descriptor: Int32, port: UInt16, isLoopback: Bool) {
    self.descriptor = descriptor
    self.port = port
    self.isLoopback = isLoopback
  }

  /// Tries one address; nil with Linux's number for why not.
  private static func listen(on candidate: addrinfo, _ number: inout Int32) -> ListeningSocket? {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(candidate.ai_family, kind, 0)
    guard descriptor >= 0 else {
      number = errno
      return nil
    }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // A page that is started again must not wait for the last one's connections to be forgotten.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if candidate.ai_family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
    }
    guard bind(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0, Glibc.listen(descriptor, 64) == 0,
      let (port, isLoopback) = place(of: descriptor)
    else {
      number = errno
      close(descriptor)
      return nil
    }
    return ListeningSocket(descriptor: descriptor, port: port, isLoopback: isLoopback)
  }

  /// The port of a socket, and whether its address is one of the machine itself: 127.0.0.0/8 or ::1.
  private static func place(of descriptor: Int32) -> (port: UInt16, isLoopback: Bool)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let code = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      guard code == 0 else { return nil }
      if Int32(pointer.pointee.ss_family) == AF_INET6 {
        return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
          let bytes = withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) }
          return (UInt16(bigEndian: six.pointee.sin6_port), bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1)
        }
      }
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
        (UInt16(bigEndian: four.pointee.sin_port), UInt32(bigEndian: four.pointee.sin_addr.s_addr) >> 24 == 127)
      }
    }
  }

  private static func unknown(_ address: PageAddress, _ code: Int32) -> DeviceFailure {
    let why = code == EAI_AGAIN ? "the name server does not answer" : "no such name or address"
    return DeviceFailure(
      .open, address.text,
      .explained("\(why); expected one of this machine, such as 127.0.0.1:\(address.port) or [::1]:\(address.port)"))
  }

  private static func failure(_ address: PageAddress, _ number: Int32) -> DeviceFailure {
    let reason: DeviceFailure.Reason =
      switch number {
      case EADDRINUSE: .explained("busy: another program listens there; choose another port, or 0 for any free one")
      case EADDRNOTAVAIL, EAFNOSUPPORT: .explained("this machine has no such address; 127.0.0.1 always exists")
      case EACCES, EPERM: .explained("no permission: ports below 1024 are reserved; choose one from 1024 to 65535")
      default: .other
      }
    return DeviceFailure(.open, address.text, errorNumber: number, reason)
  }
}
