/// Scheme, host, port and path of a URL.
struct URLParts: Equatable, Sendable {
  /// True for `https`.
  var usesTLS: Bool
  /// Name or address.
  var host: String
  /// Port, that of the scheme when none is given.
  var port: UInt16
  /// Path with its query; at least a slash.
  var path: String

  /// Takes a URL apart; nil when it is not `http://` or `https://`, has no host, or its port is no number from 1 to 65535.
  init?(url: String) {
    let lower = url.lowercased()
    let rest: Substring
    if lower.hasPrefix("http://") {
      usesTLS = false
      rest = url.dropFirst(7)
    } else if lower.hasPrefix("https://") {
      usesTLS = true
      rest = url.dropFirst(8)
    } else {
      return nil
    }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    let tail = String(rest[end...])
    path = tail.isEmpty ? "/" : tail.hasPrefix("/") ? tail : "/" + tail
    if let colon = authority.lastIndex(of: ":") {
      guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
      port = number
      host = String(authority[..<colon])
    } else {
      port = usesTLS ? 443 : 80
      host = String(authority)
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
  }

  /// The four numbers of a dotted address; nil for a name.
  static func dotted(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let numbers = parts.compactMap { $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? UInt8($0) : nil }
    return numbers.count == 4 ? numbers : nil
  }
}
