/// Names, texts and numbers.
extension JSON5Scanner {
  /// A key without quotes, or a word such as `true`.
  ///
  /// - Source: [json5] section 3; [ecma262] section 7.6.
  mutating func name() throws(JSON5Problem) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek {
      if scalar == "\\" {
        let begin = self
        take()
        guard take("u") else { throw unexpected("'u' of an escape in a key") }
        let unit = try hexDigits(4)
        guard let letter = Unicode.Scalar(unit),
          name.isEmpty ? JSON5Characters.beginsName(letter) : JSON5Characters.continuesName(letter)
        else { throw begin.fault("found an escape for what can't stand in a key without quotes, expected a letter") }
        name.append(letter)
      } else if name.isEmpty ? JSON5Characters.beginsName(scalar) : JSON5Characters.continuesName(scalar) {
        name.append(scalar)
        take()
      } else {
        break
      }
    }
    return String(name)
  }

  /// A text in single or double quotes.
  ///
  /// Half a surrogate pair is refused: it stands for no character.
  ///
  /// - Source: [json5] section 5.
  mutating func text() throws(JSON5Problem) -> String {
    let begin = position
    guard let quote = take() else { throw unexpected("a text") }
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      switch scalar {
      case quote:
        take()
        return String(text)
      case "\n", "\r":
        throw fault("found the end of the line, expected \(quote) to end the text of column \(begin.column)")
      case "\\":
        if let resolved = try escape() { text.append(resolved) }
      default:
        text.append(scalar)
        take()
      }
    }
    throw fault("found the end of the text, expected \(quote) to end the text of line \(begin.line)")
  }

  /// What an escape stands for; nil for a line that goes on.
  private mutating func escape() throws(JSON5Problem) -> Unicode.Scalar? {
    let begin = self
    take()
    guard let scalar = peek else { throw unexpected("a character after '\\'") }
    switch scalar {
    case "b": return skipping("\u{8}")
    case "f": return skipping("\u{C}")
    case "n": return skipping("\n")
    case "r": return skipping("\r")
    case "t": return skipping("\t")
    case "v": return skipping("\u{B}")
    case "0":
      take()
      if let next = peek, JSON5Characters.isDigit(next) { throw unexpected("no digit after '\\0'") }
      return "\0"
    case "1"..."9": throw unexpected("an escape, which is no digit from 1 to 9")
    case "x":
      take()
      return Unicode.Scalar(try hexDigits(2))
    case "u":
      take()
      return try unicodeEscape(begin)
    case "\r":
      take()
      _ = take("\n")
      return nil
    default:
      take()
      return JSON5Characters.isLineEnd(scalar) ? nil : scalar
    }
  }

  private mutating func skipping(_ result: Unicode.Scalar) -> Unicode.Scalar {
    take()
    return result
  }

  /// The digits after `\u`, those of the second half of a pair included.
  private mutating func unicodeEscape(_ begin: JSON5Scanner) throws(JSON5Problem) -> Unicode.Scalar {
    let first = try hexDigits(4)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, peek == "\\", peekSecond == "u" {
      take()
      take()
      let second = try hexDigits(4)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw begin.fault("found half of a surrogate pair, expected both halves")
  }

  private mutating func hexDigits(_ count: Int) throws(JSON5Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek.flatMap({ JSON5Characters.hexDigit($0) }) else {
        throw unexpected("\(count) hexadecimal digits")
      }
      value = value << 4 | digit
      take()
    }
    return value
  }

  /// A number with or without sign.
  ///
  /// - Source: [json5] section 6.
  mutating func number() throws(JSON5Problem) -> JSON5Number {
    var text = ""
    if take("-") { text = "-" } else { _ = take("+") }
    let isNegative = !text.isEmpty
    if let scalar = peek, JSON5Characters.beginsName(scalar) {
      let begin = self
      let word = try name()
      guard word == "Infinity" || word == "NaN" else {
        throw begin.fault("\(begin.foundWord), expected digits, Infinity or NaN")
      }
      let magnitude = word == "NaN" ? Double.nan : Double.infinity
      return JSON5Number(text: text + word, value: isNegative ? -magnitude : magnitude)
    }
    let value: Double
    if peek == "0", peekSecond == "x" || peekSecond == "X" {
      take()
      take()
      let digits = try run("a hexadecimal digit") { JSON5Characters.hexDigit($0) != nil }
      let magnitude = digits.unicodeScalars.reduce(0.0) { $0 * 16 + Double(JSON5Characters.hexDigit($1) ?? 0) }
      value = isNegative ? -magnitude : magnitude
      text += "0x" + digits
    } else {
      text += try decimal()
      value = Double(text) ?? .nan
    }
    if let next = peek, JSON5Characters.continuesName(next) || next == "\\" || next == "." {
      throw unexpected("the end of the number")
    }
    return JSON5Number(text: text, value: value)
  }

  private mutating func decimal() throws(JSON5Problem) -> String {
    var text = ""
    if peek != "." {
      text = try run("a digit", JSON5Characters.isDigit)
      if text.count > 1 && text.hasPrefix("0") {
        throw fault("found a number that begins with 0, expected none before other digits")
      }
    }
    if take(".") {
      let hasWhole = !text.isEmpty
      text += hasWhole ? "." : "0."
      if !hasWhole || peek.map(JSON5Characters.isDigit) ?? false {
        text += try run("a digit", JSON5Characters.isDigit)
      } else {
        text += "0"
      }
    }
    if take("e") || take("E") {
      text += "e"
      if take("-") { text += "-" } else { _ = take("+") }
      text += try run("a digit of the exponent", JSON5Characters.isDigit)
    }
    return text
  }

  /// Characters of a kind, at least one.
  private mutating func run(
    _ expectation: String, _ belongs: (Unicode.Scalar) -> Bool
  ) throws(JSON5Problem) -> String {
    var text = ""
    while let scalar = peek, belongs(scalar) {
      text.unicodeScalars.append(scalar)
      take()
    }
    guard !text.isEmpty else { throw unexpected(expectation) }
    return text
  }
}
