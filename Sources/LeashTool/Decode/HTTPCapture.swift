/// Requests and answers of HTTP one after the other, as they were on a connection that stays open.
///
/// A body is as long as `Content-Length` says, or is in chunks; without either it ends where the next message begins. No line end needs
/// to stand behind it.
struct HTTPCapture {
  /// A text that may be a message: a first line with a query, a body, or a line that belongs to neither.
  struct Part {
    /// The line it begins in, from 1.
    var line: Int
    /// Its bytes.
    var text: [UInt8]
    /// True for a body, which may have several lines.
    var isBody = false
    /// Why it may not be whole; nil when it is.
    var fault: String?
  }

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  /// A capture that begins with its first byte.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// All parts, in their order.
  mutating func parts() -> [Part] {
    var parts: [Part] = []
    while place < bytes.count {
      let start = line
      let first = takeLine()
      guard HTTPCapture.isFirst(first) else {
        parts.append(Part(line: start, text: Array(first)))
        continue
      }
      if HTTPCapture.hasTracker(first) { parts.append(Part(line: start, text: Array(first))) }
      parts += takeBody()
    }
    return parts
  }

  /// Passes over the fields of a message, and takes its body; a body of unknown length line by line.
  private mutating func takeBody() -> [Part] {
    var (count, isChunked) = (Int?.none, false)
    while place < bytes.count {
      let before = (place, line)
      let field = takeLine()
      if field.allSatisfy({ $0 <= 0x20 }) { break }
      guard !HTTPCapture.isFirst(field) else {
        (place, line) = before
        return []
      }
      let halves = String(decoding: field, as: UTF8.self).lowercased().split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let value = halves[1].filter { !$0.isWhitespace }
      if halves[0] == "content-length" { count = Int(value).flatMap { $0 >= 0 ? $0 : nil } }
      if halves[0] == "transfer-encoding" { isChunked = value.hasSuffix("chunked") }
    }
    let (start, begin) = (line, place)
    if isChunked { return takeChunks(from: start) }
    let next = nextFirst(from: place)
    guard let count else {
      var lines: [Part] = []
      while place < next {
        let start = line
        let end = min(next, bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count)
        lines.append(Part(line: start, text: Array(bytes[place..<end])))
        advance(to: end)
      }
      return lines
    }
    let told = min(bytes.count, place + min(count, bytes.count))
    let isWhole = told == bytes.count || told == next || bytes[told...].prefix { $0 != 0x0A }.allSatisfy { $0 <= 0x20 }
    guard bytes.count - place >= count, isWhole || HTTPCapture.isFirst(bytes[told...].prefix { $0 != 0x0A }) else {
      advance(to: next)
      let body = bytes[begin..<next]
      return part(start, body, "Content-Length is \(count), and the body has \(body.count) bytes")
    }
    advance(to: told)
    return part(start, bytes[begin..<told], nil)
  }

  private func part(_ line: Int, _ body: ArraySlice<UInt8>, _ fault: String?) -> [Part] {
    body.allSatisfy { $0 <= 0x20 } ? [] : [Part(line: line, text: Array(body), isBody: true, fault: fault)]
  }

  private mutating func takeChunks(from start: Int) -> [Part] {
    var body: [UInt8] = []
    var fault: String?
    while true {
      let head = takeLine().prefix { $0 != 0x3B }.filter { $0 > 0x20 }
      guard let count = Int(String(decoding: head, as: UTF8.self), radix: 16), count >= 0,
        count <= bytes.count - place
      else {
        fault = "the last chunk is not there"
        break
      }
      if count == 0 {
        // Fields may follow, and an empty line.
        while place < bytes.count, !takeLine().allSatisfy({ $0 <= 0x20 }) {}
        break
      }
      body += bytes[place..<place + count]
      advance(to: place + count)
      _ = takeLine()
    }
    return part(start, body[...], fault)
  }

  /// The rest of the line, without its end.
  private mutating func takeLine() -> ArraySlice<UInt8> {
    let start = place
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    place = min(bytes.count, end + 1)
    if end < bytes.count { line += 1 }
    return bytes[start..<end]
  }

  private mutating func advance(to end: Int) {
    line += bytes[place..<end].count { $0 == 0x0A }
    place = end
  }

  /// Where the next request or answer begins, in the middle of a line, too; the end when there is none.
  private func nextFirst(from start: Int) -> Int {
    for begin in start..<max(start, bytes.count) {
      let rest = bytes[begin...]
      guard HTTPCapture.beginnings.contains(where: { rest.starts(with: $0.utf8) }) else { continue }
      if HTTPCapture.isFirst(rest.prefix { $0 != 0x0A }) { return begin }
    }
    return bytes.count
  }

  private static let beginnings = ["GET ", "POST ", "PUT ", "HTTP/1."]

  /// True for the first line of a request or of an answer.
  static func isFirst(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split { $0 <= 0x20 }
    guard let first = words.first, let last = words.last else { return false }
    let isMethod = first.allSatisfy { (0x41...0x5A).contains($0) }
    return first.starts(with: "HTTP/".utf8) || words.count == 3 && isMethod && last.starts(with: "HTTP/".utf8)
  }

  /// True for a first line whose query names a tracker, as OsmAnd's form does.
  static func hasTracker(_ line: ArraySlice<UInt8>) -> Bool {
    ["?id=", "&id=", "?deviceid=", "&deviceid="].contains { line.firstRange(of: Array($0.utf8)) != nil }
  }
}
