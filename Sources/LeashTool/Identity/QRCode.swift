import CQREncode

/// A QR code: rows of modules, true where one is dark.
struct QRCode {
  /// Modules of a side.
  let side: Int
  private let dark: [Bool]

  /// Modules of nothing around it that readers want.
  ///
  /// - Source: [iso18004], the quiet zone.
  static var quietZone: Int { 4 }

  /// The code of a text, with a seventh of it for what is scratched.
  ///
  /// - Returns: nil when the text is empty or does not fit the largest code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    guard let data = code.pointee.data, side > 0 else { return nil }
    // The lowest bit of each byte is the module.
    dark = (0..<side * side).map { data[$0] & 1 == 1 }
  }

  /// True where a module is dark; never outside.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    (0..<side).contains(column) && (0..<side).contains(row) && dark[row * side + column]
  }

  /// Columns and rows with the quiet zone.
  private var lines: Range<Int> { -QRCode.quietZone..<side + QRCode.quietZone }

  /// Half blocks, two rows of modules in a line: what is light is drawn, as a terminal is dark.
  ///
  /// - Parameter isColoured: True to say black and white, whatever the terminal's colours are.
  func blocks(isColoured: Bool) -> String {
    var text = ""
    for row in stride(from: lines.lowerBound, to: lines.upperBound, by: 2) {
      if isColoured { text += "\u{1B}[38;5;231;48;5;16m" }
      for column in lines {
        // Below an odd last row is nothing, and it is light.
        switch (isDark(column, row), isDark(column, row + 1)) {
        case (false, false): text += "█"
        case (false, true): text += "▀"
        case (true, false): text += "▄"
        case (true, true): text += " "
        }
      }
      text += isColoured ? "\u{1B}[0m\n" : "\n"
    }
    return text
  }

  /// Two number signs for a dark module and two blanks for a light one, for paper and for terminals without blocks.
  var plain: String {
    lines.map { row in lines.map { isDark($0, row) ? "##" : "  " }.joined() + "\n" }.joined()
  }

  /// A picture of 4 cm for a label.
  ///
  /// - Parameter caption: Text below it.
  func svg(caption: String) -> String {
    let width = side + 2 * QRCode.quietZone
    let height = width + 4
    var path = ""
    for row in 0..<side {
      var column = 0
      while column < side {
        let start = column
        while isDark(column, row) { column += 1 }
        let length = column - start
        if length > 0 { path += "M\(start + QRCode.quietZone) \(row + QRCode.quietZone)h\(length)v1h-\(length)z" }
        column += 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="\(40 * height / width)mm" \
      viewBox="0 0 \(width) \(height)">
      <rect width="\(width)" height="\(height)" fill="#fff"/>
      <path d="\(path)" fill="#000" shape-rendering="crispEdges"/>
      <text x="\(width / 2)" y="\(height - 3)" font-family="sans-serif" font-size="3" text-anchor="middle">\(caption)</text>
      </svg>

      """
  }
}
