/// What a terminal shows after some bytes: enough of an emulator for lines, returns, erasing and colours.
///
/// - Source: ECMA-48 (EL, SGR); DEC's terminals go to the next line only with the character after the last column.
struct TerminalScreen {
  let columns: Int
  /// Every line since the beginning, as if the screen were high enough to scroll nothing away.
  private(set) var lines: [[Character]] = [[]]
  /// Sequences that are none of those above.
  private(set) var unknown: [String] = []
  private var row = 0
  private var column = 0

  init(columns: Int) { self.columns = columns }

  /// The lines as text, without spaces at their ends.
  var text: [String] {
    lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  mutating func show(_ bytes: [UInt8]) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        row += 1
        if row == lines.count { lines.append([]) }
      case "\u{1B}": control(&rest)
      default: put(Character(scalar))
      }
    }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      column = 0
      row += 1
      if row == lines.count { lines.append([]) }
    }
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func control(_ rest: inout ArraySlice<Unicode.Scalar>) {
    guard rest.popFirst() == "[" else { return unknown.append("escape") }
    var numbers = ""
    while let scalar = rest.popFirst() {
      guard !("0"..."9").contains(scalar), scalar != ";" else {
        numbers.unicodeScalars.append(scalar)
        continue
      }
      switch (scalar, numbers) {
      case ("K", "2"): lines[row] = []
      case ("K", ""), ("K", "0"): lines[row] = Array(lines[row].prefix(column))
      case ("m", _): break
      default: unknown.append("\(numbers)\(scalar)")
      }
      return
    }
  }
}
