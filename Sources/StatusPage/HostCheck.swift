import Glibc

/// Which names of this machine a request may be addressed to.
///
/// A page on the internet can let its own name point to 127.0.0.1 and then read, in its visitor's browser, what is served
/// there (DNS rebinding). The browser still sends that name along, so that only names nobody else can own are answered:
/// addresses in numbers, `localhost`, the host that the page was told to listen on, and this machine's own name. The port
/// does not matter: behind `ssh -L` it is another one.
struct HostCheck {
  private let names: Set<String>
  private let isLoopback: Bool

  /// - Parameters:
  ///   - host: What the page was told to listen on.
  ///   - isLoopback: Whether only this machine can reach it; then addresses of other machines are refused, too.
  init(host: String, isLoopback: Bool) {
    var names: Set<String> = ["localhost", host.lowercased()]
    if !isLoopback {
      var buffer = [CChar](repeating: 0, count: 256)
      if gethostname(&buffer, buffer.count - 1) == 0 {
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        if !name.isEmpty { names.formUnion([name, name + ".local"]) }
      }
    }
    self.names = names
    self.isLoopback = isLoopback
  }

  /// Whether a request with this `Host` is answered; one without is not.
  func allows(_ header: String?) -> Bool {
    guard let header, let host = Self.host(of: header.lowercased()) else { return false }
    if names.contains(host) { return true }
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return !isLoopback || UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    var six = in6_addr()
    guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
    return !isLoopback || host == "::1"
  }

  /// The host in `host`, `host:port`, `[address]` or `[address]:port`; nil when it is none of them.
  private static func host(of header: String) -> String? {
    var rest = header[...]
    var host = rest
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(host.count)
    }
    if let colon = rest.first {
      guard colon == ":", UInt16(rest.dropFirst()) != nil else { return nil }
    }
    return host.isEmpty ? nil : String(host)
  }
}
