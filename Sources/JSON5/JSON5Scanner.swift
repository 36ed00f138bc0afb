/// The characters of a text one after the other, with their places.
struct JSON5Scanner {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// Where the next character is.
  private(set) var position = TextPosition(line: 1, column: 1)

  /// A text in UTF-8.
  init(_ bytes: [UInt8], limit: Int) throws(JSON5Problem) {
    guard bytes.count <= limit else {
      throw JSON5Problem(
        position: position, message: "the text has \(bytes.count) bytes, expected \(limit) at most")
    }
    var decoded: [Unicode.Scalar] = []
    decoded.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var isWhole = true
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): decoded.append(scalar)
      case .emptyInput: break decoding
      case .error:
        isWhole = false
        break decoding
      }
    }
    scalars = decoded
    if !isWhole {
      // The place is found by walking over what could be read.
      while peek != nil { take() }
      throw fault("found a byte that is not UTF-8, expected text in UTF-8")
    }
  }

  /// The next character; nil at the end.
  var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// The character after the next one; nil when there is none.
  var peekSecond: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

  /// Goes past the next character, and counts lines; carriage return and line feed together end one.
  @discardableResult mutating func take() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    index += 1
    if JSON5Characters.isLineEnd(scalar) && !(scalar == "\r" && peek == "\n") {
      position = TextPosition(line: position.line + 1, column: 1)
    } else {
      position.column += 1
    }
    return scalar
  }

  /// Goes past the next character when it is this one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    take()
    return true
  }

  /// A problem at the next character.
  func fault(_ message: String) -> JSON5Problem { JSON5Problem(position: position, message: message) }

  /// A problem with the next character itself.
  func unexpected(_ expectation: String) -> JSON5Problem {
    fault("found \(JSON5Characters.shown(peek)), expected \(expectation)")
  }

  /// Says that a word was found, without the word.
  var foundWord: String { "found a word that begins with \(JSON5Characters.shown(peek))" }

  /// Goes past white space and comments.
  mutating func skipBlank() throws(JSON5Problem) {
    while let scalar = peek {
      if JSON5Characters.isWhiteSpace(scalar) {
        take()
      } else if scalar == "/" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(JSON5Problem) {
    let begin = position
    take()
    if take("/") {
      while let scalar = peek, !JSON5Characters.isLineEnd(scalar) { take() }
      return
    }
    guard take("*") else { throw unexpected("'/' or '*' of a comment") }
    while let scalar = take() {
      if scalar == "*" && take("/") { return }
    }
    throw JSON5Problem(position: begin, message: "found a comment without an end, expected '*/'")
  }
}
