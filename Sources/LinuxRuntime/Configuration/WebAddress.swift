import Uplinks

/// The address of a server as text: scheme, host, port and path, and nothing that a request could stumble over.
struct WebAddress: Equatable, Sendable {
  /// Scheme, host and port: `https://track.example:8443`.
  var server: String
  /// What follows, with its slash; `/` when there is nothing.
  var path: String
  /// True for `https`.
  var isSecure: Bool
  /// Name or address of the server.
  var host: String

  static let expectation = "an address such as https://track.example:8443/pub"

  /// Reads an address.
  ///
  /// - Throws: What would be right, as text; an address in it could hold a password, so it is not repeated.
  init(_ text: String) throws(Refusal) {
    let scheme: String
    switch true {
    case text.lowercased().hasPrefix("https://"): scheme = "https://"
    case text.lowercased().hasPrefix("http://"): scheme = "http://"
    default: throw Refusal("an address that begins with http:// or https://")
    }
    let rest = text.dropFirst(scheme.count)
    guard !rest.lowercased().hasPrefix("http:"), !rest.lowercased().hasPrefix("https:") else {
      throw Refusal("an address with only one http:// or https://")
    }
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C && $0 != 0x3C && $0 != 0x3E })
    else {
      throw Refusal("an address without spaces, quotes and non-ASCII characters, which are written as %20")
    }
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains("@") else {
      throw Refusal("an address without user and password, which have keys of their own")
    }
    guard !rest.contains("#") else { throw Refusal("an address without '#'") }
    var host = authority
    // An address of version 6 stands in brackets, with colons of its own.
    let afterHost =
      authority.hasPrefix("[") ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
    if let colon = authority[afterHost...].firstIndex(of: ":") {
      host = authority[..<colon]
      guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else {
        throw Refusal("an address with a port from 1 to 65535 after the colon")
      }
    }
    if host.hasPrefix("[") && host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if let expectation = WebAddress.hostExpectation(String(host)) { throw Refusal("an address with " + expectation) }
    self.host = String(host)
    server = scheme + authority
    let tail = String(rest[end...])
    path = tail.isEmpty ? "/" : tail.hasPrefix("/") ? tail : "/" + tail
    isSecure = scheme == "https://"
  }

  /// Its port; nil for that of the scheme.
  var port: UInt16? {
    let authority = server.drop { $0 != "/" }.dropFirst(2)
    return authority.hasSuffix("]")
      ? nil : authority.lastIndex(of: ":").flatMap { UInt16(authority[authority.index(after: $0)...]) }
  }

  /// The same address at another host, `NAME` or `NAME:PORT`; without a port it has this one's.
  func replacingHost(_ text: String) -> String? {
    guard let other = MQTTHost(text: text, port: port ?? 0) else { return nil }
    let name = other.name.contains(":") ? "[\(other.name)]" : other.name
    return (isSecure ? "https://" : "http://") + name + (other.port == 0 ? "" : ":\(other.port)") + path
  }

  /// What would be right.
  struct Refusal: Error, Equatable {
    var expectation: String
    init(_ expectation: String) { self.expectation = expectation }
  }

  /// What a host must be; nil when this is one.
  static func hostExpectation(_ text: String) -> String? {
    let isFit = text.utf8.allSatisfy { byte in
      (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        || byte == 0x2E || byte == 0x5F || byte == 0x25
    }
    return isFit && !text.isEmpty && text.utf8.count <= 253 && !text.hasPrefix(".") && !text.hasPrefix("-")
      ? nil : "the name or address of a host, such as track.example"
  }

  /// What would be right for an `http` key; nil when it is.
  static func urlExpectation(_ text: String) -> String? {
    do throws(Refusal) {
      _ = try WebAddress(text)
      return nil
    } catch {
      return error.expectation
    }
  }
}
