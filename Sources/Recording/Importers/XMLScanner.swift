/// Takes an XML document apart into tags and text, streaming; knows no entities but the built-in ones, so nothing can
/// be made to grow.
struct XMLScanner {
  enum Token {
    /// A start tag; `isEmpty` for `<name/>`.
    case start(isEmpty: Bool)
    case end
    /// The document is over; false when in the middle of something.
    case finished(isWhole: Bool)
  }

  /// Name of the last tag without prefix, lower case.
  private(set) var name: [UInt8] = []
  /// Text since the last tag, cut at a limit.
  private(set) var text: [UInt8] = []
  /// Line of the last token.
  private(set) var line = 1

  private let window: ByteWindow
  private var tag: [UInt8] = []

  private static let maximumText = 512
  private static let maximumTag = 16 * 1024

  init(_ window: ByteWindow) { self.window = window }

  /// The next tag; the text before it is in `text`.
  mutating func next() -> Token {
    text.removeAll(keepingCapacity: true)
    while true {
      guard let byte = take() else { return .finished(isWhole: true) }
      guard byte == 0x3C else {
        if text.count < XMLScanner.maximumText { text.append(byte) }
        continue
      }
      guard let first = take() else { return .finished(isWhole: false) }
      switch first {
      case 0x21:
        guard skipDeclaration() else { return .finished(isWhole: false) }
      case 0x3F:
        guard skip(past: [0x3F, 0x3E], keepingText: false) else { return .finished(isWhole: false) }
      default:
        return readTag(first)
      }
    }
  }

  /// The value of an attribute of the last tag; nil when it has none of that name.
  func attribute(_ wanted: String) -> [UInt8]? {
    var place = 0
    // Past the element's name.
    while place < tag.count, !isBlank(tag[place]) { place += 1 }
    while place < tag.count {
      while place < tag.count, isBlank(tag[place]) { place += 1 }
      let nameStart = place
      while place < tag.count, tag[place] != 0x3D, !isBlank(tag[place]) { place += 1 }
      let nameEnd = place
      while place < tag.count, isBlank(tag[place]) { place += 1 }
      guard place < tag.count, tag[place] == 0x3D else { continue }
      place += 1
      while place < tag.count, isBlank(tag[place]) { place += 1 }
      guard place < tag.count, tag[place] == 0x22 || tag[place] == 0x27 else { continue }
      let quote = tag[place]
      place += 1
      let valueStart = place
      while place < tag.count, tag[place] != quote { place += 1 }
      if tag[nameStart..<nameEnd].elementsEqual(wanted.utf8) { return Array(tag[valueStart..<place]) }
      place += 1
    }
    return nil
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private mutating func take() -> UInt8? {
    if window.count == 0, !window.fill() { return nil }
    let byte = window.pointer[0]
    window.consume(1)
    if byte == 0x0A { line += 1 }
    return byte
  }

  private mutating func readTag(_ first: UInt8) -> Token {
    tag.removeAll(keepingCapacity: true)
    var quote: UInt8 = 0
    var byte = first
    while quote != 0 || byte != 0x3E {
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      }
      if tag.count < XMLScanner.maximumTag { tag.append(byte) }
      guard let following = take() else { return .finished(isWhole: false) }
      byte = following
    }
    let isEnd = tag.first == 0x2F
    let isEmpty = !isEnd && tag.last == 0x2F
    if isEmpty { tag.removeLast() }
    name.removeAll(keepingCapacity: true)
    for byte in tag.dropFirst(isEnd ? 1 : 0) {
      if isBlank(byte) { break }
      if byte == 0x3A {
        name.removeAll(keepingCapacity: true)
      } else {
        name.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      }
    }
    return isEnd ? .end : .start(isEmpty: isEmpty)
  }

  /// Comments, CDATA and document types, after `<!`.
  private mutating func skipDeclaration() -> Bool {
    guard let first = take() else { return false }
    if first == 0x2D {
      guard take() == 0x2D else { return skipDocumentType(depth: 0) }
      return skip(past: [0x2D, 0x2D, 0x3E], keepingText: false)
    }
    if first == 0x5B {
      // `CDATA[`
      for _ in 0..<6 where take() == nil { return false }
      return skip(past: [0x5D, 0x5D, 0x3E], keepingText: true)
    }
    return skipDocumentType(depth: 0)
  }

  private mutating func skipDocumentType(depth start: Int) -> Bool {
    var depth = start
    var quote: UInt8 = 0
    while let byte = take() {
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5B: depth += 1
      case 0x5D: depth -= 1
      case 0x3E where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  private mutating func skip(past mark: [UInt8], keepingText: Bool) -> Bool {
    var recent: [UInt8] = []
    while let byte = take() {
      recent.append(byte)
      if recent.count > mark.count {
        let oldest = recent.removeFirst()
        if keepingText, text.count < XMLScanner.maximumText { text.append(oldest) }
      }
      if recent == mark { return true }
    }
    return false
  }
}
