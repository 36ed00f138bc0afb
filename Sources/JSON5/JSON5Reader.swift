extension JSON5Value {
  /// Reads a text in UTF-8 that holds one value.
  ///
  /// A key that comes twice in an object is refused: one of both values would be lost without a word.
  ///
  /// - Throws: At the first place that is no JSON5, or beyond the limits.
  /// - Source: [json5].
  package init(reading bytes: [UInt8], limits: JSON5Limits = JSON5Limits()) throws(JSON5Problem) {
    var reader = JSON5Reader(scanner: try JSON5Scanner(bytes, limit: limits.bytes), depth: limits.depth)
    self = try reader.document()
  }

  /// Reads a text that holds one value.
  package init(reading text: String, limits: JSON5Limits = JSON5Limits()) throws(JSON5Problem) {
    try self.init(reading: Array(text.utf8), limits: limits)
  }
}

/// Objects and lists, with a stack of its own instead of that of the process: depth costs memory, and no more than allowed.
struct JSON5Reader {
  /// An object or list that is not closed yet; changed in place, so that a long one is not copied for each value.
  private struct Open {
    let position: TextPosition
    /// The key that waits for its value; nil in a list.
    var key: String?
    var keyPosition: TextPosition
    var members: [JSON5Member] = []
    /// Lines of the keys so far.
    var lines: [String: Int] = [:]
    var values: [JSON5Value] = []
  }

  private var scanner: JSON5Scanner
  private let depth: Int
  private var stack: [Open] = []

  init(scanner: JSON5Scanner, depth: Int) {
    self.scanner = scanner
    self.depth = depth
  }

  mutating func document() throws(JSON5Problem) -> JSON5Value {
    try scanner.skipBlank()
    while true {
      guard var value = try begin() else { continue }
      // A value is complete: hand it to what it is in, and close that as often as it ends here.
      while !stack.isEmpty {
        guard let closed = try add(value) else { break }
        value = closed
      }
      guard stack.isEmpty else { continue }
      try scanner.skipBlank()
      guard scanner.peek == nil else { throw scanner.unexpected("nothing after the value") }
      return value
    }
  }

  /// Reads a value; nil when an object or a list was begun that is not empty.
  private mutating func begin() throws(JSON5Problem) -> JSON5Value? {
    let position = scanner.position
    guard let scalar = scanner.peek else { throw scanner.unexpected("a value") }
    switch scalar {
    case "{":
      try open()
      if scanner.take("}") { return JSON5Value(.object([]), at: position) }
      let (key, keyPosition) = try key()
      stack.append(Open(position: position, key: key, keyPosition: keyPosition))
      return nil
    case "[":
      try open()
      if scanner.take("]") { return JSON5Value(.array([]), at: position) }
      stack.append(Open(position: position, key: nil, keyPosition: position))
      return nil
    case "\"", "'": return JSON5Value(.string(try scanner.text()), at: position)
    case "0"..."9", "+", "-", ".", "I", "N":
      return JSON5Value(.number(try scanner.number()), at: position)
    default: return JSON5Value(try word(), at: position)
    }
  }

  private mutating func open() throws(JSON5Problem) {
    guard stack.count < depth else {
      throw scanner.fault("found more than \(depth) objects and lists inside each other, expected fewer")
    }
    scanner.take()
    try scanner.skipBlank()
  }

  private mutating func word() throws(JSON5Problem) -> JSON5Value.Content {
    let begin = scanner
    let word = try scanner.name()
    switch word {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "": throw begin.unexpected("a value")
    // Only its first letter: this may be a password that lacks its quotes.
    default: throw begin.fault("\(begin.foundWord), expected a value; text needs quotes")
    }
  }

  /// Reads a key and its colon, up to where the value begins.
  private mutating func key() throws(JSON5Problem) -> (String, TextPosition) {
    let position = scanner.position
    let key: String
    if scanner.peek == "\"" || scanner.peek == "'" {
      key = try scanner.text()
    } else {
      key = try scanner.name()
      guard !key.isEmpty else { throw scanner.unexpected("a key or '}'") }
    }
    try scanner.skipBlank()
    guard scanner.take(":") else { throw scanner.unexpected("':' after the key") }
    try scanner.skipBlank()
    return (key, position)
  }

  /// Adds a value to the object or list it is in, and reads on to the next value in it; what is closed when there is none.
  private mutating func add(_ value: JSON5Value) throws(JSON5Problem) -> JSON5Value? {
    let last = stack.count - 1
    let key = stack[last].key
    if let key {
      let place = stack[last].keyPosition
      if let line = stack[last].lines.updateValue(place.line, forKey: key) {
        throw JSON5Problem(
          position: place,
          message: "found the key '\(json5Shown(key))' again, which is on line \(line) already; expected it once")
      }
      stack[last].members.append(JSON5Member(key: key, position: place, value: value))
    } else {
      stack[last].values.append(value)
    }
    let closing: Unicode.Scalar = key == nil ? "]" : "}"
    try scanner.skipBlank()
    if scanner.take(",") {
      try scanner.skipBlank()
    } else if scanner.peek != closing {
      throw scanner.unexpected("',' or '\(closing)'")
    }
    if scanner.take(closing) {
      guard let closed = stack.popLast() else { return nil }
      return JSON5Value(
        key == nil ? .array(closed.values) : .object(closed.members), at: closed.position)
    }
    if key != nil {
      let (next, position) = try self.key()
      stack[last].key = next
      stack[last].keyPosition = position
    }
    return nil
  }
}
