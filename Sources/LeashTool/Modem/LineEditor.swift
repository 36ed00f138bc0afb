/// One line that a user edits with the keys of a terminal, and the lines before it.
///
/// Takes the bytes that a terminal in raw mode sends and knows nothing else: no descriptor, no clock.
struct LineEditor {
  /// What a key asks for besides editing.
  enum Outcome: Equatable {
    /// Enter: the line is done.
    case line(String)
    /// Ctrl-Z: the line is done, and is a payload to be sent off.
    case payload(String)
    /// The escape key alone.
    case escape
    /// Ctrl-L: the screen is to be cleared.
    case clearScreen
    /// Ctrl-D, or Ctrl-C on an empty line.
    case quit
  }

  private(set) var characters: [Character] = []
  private(set) var cursor = 0
  private var history: [String] = []
  /// Place in the history that is shown; its count while the line is a new one.
  private var place = 0
  private var unfinished: [Character] = []
  private var sequence: [UInt8] = []
  private var partial: [UInt8] = []

  /// Lines that are kept.
  static var historyLimit: Int { 500 }

  /// The line as it is.
  var text: String { String(characters) }

  /// True after the escape key, which may yet begin the sequence of another one.
  var isInsideSequence: Bool { !sequence.isEmpty }

  /// Takes one byte from the terminal.
  mutating func receive(_ byte: UInt8) -> Outcome? {
    if !sequence.isEmpty { return continueSequence(byte) }
    if byte >= 0x80 {
      receivePart(byte)
      return nil
    }
    partial = []
    switch byte {
    case 0x1B: sequence = [byte]
    case 0x0D, 0x0A: return .line(take())
    case 0x1A: return .payload(take())
    case 0x01: cursor = 0
    case 0x05: cursor = characters.count
    case 0x02: cursor = max(0, cursor - 1)
    case 0x06: cursor = min(characters.count, cursor + 1)
    case 0x0B: characters.removeSubrange(cursor...)
    case 0x0C: return .clearScreen
    case 0x0E: showHistory(place + 1)
    case 0x10: showHistory(place - 1)
    case 0x15:
      characters.removeSubrange(..<cursor)
      cursor = 0
    case 0x17: removeWord()
    case 0x03:
      if characters.isEmpty { return .quit }
      characters = []
      cursor = 0
    case 0x04:
      if characters.isEmpty { return .quit }
      removeAtCursor()
    case 0x08, 0x7F:
      guard cursor > 0 else { break }
      cursor -= 1
      removeAtCursor()
    case 0x20...0x7E: insert(Character(Unicode.Scalar(byte)))
    default: break
    }
    return nil
  }

  /// Tells that nothing followed the escape key.
  mutating func endSequence() -> Outcome? {
    defer { sequence = [] }
    return sequence == [0x1B] ? .escape : nil
  }

  private mutating func continueSequence(_ byte: UInt8) -> Outcome? {
    sequence.append(byte)
    if sequence.count == 2 {
      // Application keypads send ESC O, everything else ESC [.
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return nil }
      sequence = []
      return .escape
    }
    guard 0x40...0x7E ~= byte else {
      if sequence.count > 8 { sequence = [] }
      return nil
    }
    let parameters = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
    sequence = []
    switch (byte, parameters) {
    case (UInt8(ascii: "A"), _): showHistory(place - 1)
    case (UInt8(ascii: "B"), _): showHistory(place + 1)
    case (UInt8(ascii: "C"), "1;5"): cursor = wordEnd()
    case (UInt8(ascii: "D"), "1;5"): cursor = wordStart()
    case (UInt8(ascii: "C"), _): cursor = min(characters.count, cursor + 1)
    case (UInt8(ascii: "D"), _): cursor = max(0, cursor - 1)
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): cursor = 0
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): cursor = characters.count
    case (UInt8(ascii: "~"), "3"): removeAtCursor()
    default: break
    }
    return nil
  }

  /// A byte of a character that has several.
  private mutating func receivePart(_ byte: UInt8) {
    if byte >= 0xC0 { partial = [] }
    partial.append(byte)
    guard let first = partial.first, first >= 0xC2 else {
      partial = []
      return
    }
    guard partial.count == (first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2) else { return }
    if let text = String(validating: partial, as: UTF8.self) { text.forEach { insert($0) } }
    partial = []
  }

  private mutating func insert(_ character: Character) {
    characters.insert(character, at: cursor)
    cursor += 1
  }

  private mutating func removeAtCursor() {
    if cursor < characters.count { characters.remove(at: cursor) }
  }

  private mutating func removeWord() {
    let start = wordStart()
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  private func wordStart() -> Int {
    var start = cursor
    while start > 0 && characters[start - 1] == " " { start -= 1 }
    while start > 0 && characters[start - 1] != " " { start -= 1 }
    return start
  }

  private func wordEnd() -> Int {
    var end = cursor
    while end < characters.count && characters[end] == " " { end += 1 }
    while end < characters.count && characters[end] != " " { end += 1 }
    return end
  }

  private mutating func showHistory(_ wanted: Int) {
    guard wanted >= 0 && wanted <= history.count && wanted != place else { return }
    if place == history.count { unfinished = characters }
    place = wanted
    characters = place == history.count ? unfinished : Array(history[place])
    cursor = characters.count
  }

  private mutating func take() -> String {
    let line = text
    if !line.isEmpty && line != history.last { history.append(line) }
    if history.count > LineEditor.historyLimit { history.removeFirst() }
    place = history.count
    characters = []
    cursor = 0
    unfinished = []
    return line
  }

  /// The line on a screen: the prompt, what fits of the text about the cursor, and the cursor put where it is.
  func drawing(prompt: String, width: Int) -> String {
    let room = max(8, width - prompt.count - 1)
    let start = max(0, cursor - room)
    let shown = String(characters[start..<min(characters.count, start + room)])
    let column = prompt.count + cursor - start
    return "\r\u{1B}[2K\(prompt)\(shown)\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
  }
}
