import Glibc
import ModemSimulation

/// An address that a name resolved to, with the port.
struct SocketAddress: Sendable {
  /// Internet protocol 4 or 6, as `socket` wants it.
  var family: Int32
  /// The address as the system calls want it.
  var bytes: [UInt8]

  /// In dotted form, as a modem prints it.
  var text: String? {
    var buffer = [CChar](repeating: 0, count: 64)
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = raw.baseAddress else { return -1 }
      return getnameinfo(
        base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count), &buffer, socklen_t(buffer.count), nil, 0,
        NI_NUMERICHOST)
    }
    return code == 0 ? buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } : nil
  }

  /// Looks a name up, which may take long: not for the thread that polls.
  ///
  /// - Returns: Its addresses, version 4 first, as the modem's network has no other; none with the reason.
  static func resolve(_ host: String, port: UInt16, isUDP: Bool) -> ([SocketAddress], NetworkFailure?) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = isUDP ? Int32(SOCK_DGRAM.rawValue) : Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { return ([], code == EAI_AGAIN ? .timedOut : .noSuchHost) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      guard let address = entry.pointee.ai_addr else { continue }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
      addresses.append(SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes)))
    }
    return (addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }, nil)
  }
}

/// The failure that an error of connecting stands for.
func networkFailure(_ errorNumber: Int32) -> NetworkFailure {
  switch errorNumber {
  case ECONNREFUSED, ECONNRESET: .refused
  case ETIMEDOUT: .timedOut
  default: .unreachable
  }
}

/// `errno` of this thread, for files that do not import the C library.
func errnoOfThread() -> Int32 { errno }
