/// What of a server's address is nobody's business: many servers know a tracker by nothing else.
///
/// Of the path, plain words stay that say what is there (`pub`, `api`, `webhook`, `v1`): lower-case letters, twelve at most, or a `v`
/// with a digit. Every other segment may be a token, and a query is one: `?k=…` keeps its names and none of its values.
package enum AddressSecrets {
  /// An address, or the path of one, as it may be shown.
  package static func hidden(_ address: String, by stand: String = "***") -> String {
    let (head, path, query) = parts(of: address)
    var text = head
    for (place, segment) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      if place > 0 { text += "/" }
      text += isPlain(segment) ? String(segment) : stand
    }
    guard let query else { return text }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let mark = pair.firstIndex(of: "=") else { return pair.isEmpty ? "" : stand }
      return pair[...mark] + (mark == pair.index(before: pair.endIndex) ? "" : stand)
    }
    return text + "?" + pairs.joined(separator: "&")
  }

  /// The texts in it that `hidden` leaves out, the longest first.
  package static func secrets(in address: String) -> [String] {
    let (head, path, query) = parts(of: address)
    var secrets = path.split(separator: "/").filter { !isPlain($0) }.map(String.init)
    if let query {
      secrets.append(String(query))
      for pair in query.split(separator: "&") {
        secrets.append(String(pair.firstIndex(of: "=").map { pair[$0...].dropFirst() } ?? pair))
      }
    }
    if let end = head.lastIndex(of: "@"), let begin = head.firstRange(of: "://")?.upperBound {
      secrets.append(String(head[begin..<end]))
    }
    return secrets.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The names in its query.
  package static func names(in address: String) -> Set<String> {
    let pairs = parts(of: address).query?.split(separator: "&") ?? []
    return Set(pairs.map { String($0.prefix { $0 != "=" }) })
  }

  /// Scheme with host and port, path, and query without its mark.
  private static func parts(of address: String) -> (head: String, path: Substring, query: Substring?) {
    let mark = address.firstIndex(of: "?")
    let front = address[..<(mark ?? address.endIndex)]
    let query = mark.map { address[$0...].dropFirst() }
    guard let begin = front.firstRange(of: "://")?.upperBound else { return ("", front, query) }
    let end = front[begin...].firstIndex(of: "/") ?? front.endIndex
    return (String(front[..<end]), front[end...], query)
  }

  private static func isPlain(_ segment: Substring) -> Bool {
    if segment.utf8.count == 2, segment.hasPrefix("v"), segment.last?.isNumber == true { return true }
    return segment.utf8.count <= 12 && segment.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}
