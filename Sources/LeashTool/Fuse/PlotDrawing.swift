/// SVG text of lines, words and panels at places in pixels.
struct PlotDrawing {
  /// The elements so far.
  private(set) var body = ""
  /// Size of the picture.
  let width = 1000.0
  /// Left and right edge of the panels.
  let left = 76.0
  let right = 980.0

  /// Time from edge to edge.
  let time: PlotAxis
  private var clipCount = 0

  init(time: PlotAxis) { self.time = time }

  /// A line with its name and colour.
  struct Line {
    var name: String
    var colour: String
    var columns: [PlotTrack.Bin]
    /// True for an angle that goes over at ±180°.
    var wraps = false
    /// Thickness in pixels; a line below others is thicker, to be seen behind them.
    var thickness = 1.2
  }

  /// A distance in pixels, short.
  static func number(_ value: Double) -> String {
    let text = TimeText.decimal(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Text that can stand in XML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  func x(_ seconds: Double) -> Double { left + (seconds - time.low) / (time.high - time.low) * (right - left) }

  /// Writes words.
  mutating func text(_ words: String, x: Double, y: Double, style: String = "") {
    body += "<text x=\"\(PlotDrawing.number(x))\" y=\"\(PlotDrawing.number(y))\"\(style.isEmpty ? "" : " " + style)>"
    body += PlotDrawing.escaped(words) + "</text>\n"
  }

  /// Draws a rectangle.
  mutating func rectangle(x: String, y: String, width: String, height: String, fill: String) {
    body += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(fill)\"/>\n"
  }

  /// Draws bars between times over the full height of a panel.
  mutating func bars(_ spans: [(start: Double, end: Double)], top: Double, height: Double, fill: String) {
    guard !spans.isEmpty else { return }
    body += "<path fill=\"\(fill)\" d=\""
    for span in spans {
      let width = max(0.5, x(span.end) - x(span.start))
      body += "M\(PlotDrawing.number(x(span.start))),\(PlotDrawing.number(top))h\(PlotDrawing.number(width))"
      body += "v\(PlotDrawing.number(height))h-\(PlotDrawing.number(width))z"
    }
    body += "\"/>\n"
  }

  /// Draws a panel: title, frame, marks, lines and what their colours mean.
  mutating func panel(
    _ title: String, axis: PlotAxis, lines: [Line], top: Double, height: Double, dots: Bool, showsTime: Bool
  ) {
    let bottom = top + height
    func y(_ value: Double) -> Double { bottom - (value - axis.low) / (axis.high - axis.low) * height }
    grid(axis, top: top, bottom: bottom, y: y, showsTime: showsTime)
    text(title, x: left, y: top - 7, style: "font-weight=\"600\"")
    var place = right
    for line in lines.reversed() {
      place -= 7.2 * Double(line.name.count) + 8
      text(line.name, x: place + 4, y: top - 7)
      body += "<path stroke=\"\(line.colour)\" stroke-width=\"2.5\" d=\"M\(PlotDrawing.number(place - 20)),"
      body += "\(PlotDrawing.number(top - 11))h18\"/>\n"
      place -= 34
    }
    clipCount += 1
    body += "<clipPath id=\"c\(clipCount)\"><path d=\"M\(PlotDrawing.number(left)),\(PlotDrawing.number(top - 1))"
    body +=
      "H\(PlotDrawing.number(right + 2))V\(PlotDrawing.number(bottom + 1))H\(PlotDrawing.number(left))z\"/></clipPath>\n"
    body += "<g clip-path=\"url(#c\(clipCount))\" fill=\"none\" stroke-linejoin=\"round\">\n"
    for line in lines {
      body += "<path stroke=\"\(line.colour)\" stroke-width=\"\(line.thickness)\" d=\"\(path(line, y: y))\"/>\n"
      guard dots else { continue }
      body += "<path stroke=\"\(line.colour)\" stroke-width=\"5\" stroke-linecap=\"round\" d=\""
      for bin in line.columns {
        body += "M\(PlotDrawing.number(x(bin.time))),\(PlotDrawing.number(y(Double(bin.first))))h0"
      }
      body += "\"/>\n"
    }
    body += "</g>\n"
  }

  private mutating func grid(
    _ axis: PlotAxis, top: Double, bottom: Double, y: (Double) -> Double, showsTime: Bool
  ) {
    body += "<path stroke=\"#bbb\" stroke-width=\"0.6\" fill=\"none\" d=\""
    for mark in axis.marks {
      body += "M\(PlotDrawing.number(left)),\(PlotDrawing.number(y(mark)))H\(PlotDrawing.number(right))"
    }
    for mark in time.marks {
      body += "M\(PlotDrawing.number(x(mark))),\(PlotDrawing.number(top))V\(PlotDrawing.number(bottom))"
    }
    body += "\"/>\n<path stroke=\"#444\" fill=\"none\" d=\"M\(PlotDrawing.number(left)),\(PlotDrawing.number(top))"
    body += "H\(PlotDrawing.number(right))V\(PlotDrawing.number(bottom))H\(PlotDrawing.number(left))z\"/>\n"
    for mark in axis.marks {
      text(axis.label(mark), x: left - 6, y: y(mark) + 4, style: "text-anchor=\"end\"")
    }
    guard showsTime else { return }
    for mark in time.marks {
      // The last label may not go over the edge of the picture.
      let label = time.timeLabel(mark)
      let place = min(x(mark), width - 2 - 4 * Double(label.count))
      text(label, x: place, y: bottom + 17, style: "text-anchor=\"middle\"")
    }
    text(time.timeTitle, x: (left + right) / 2, y: bottom + 36, style: "text-anchor=\"middle\"")
  }

  /// A gap longer than this is left open.
  private static let longestGap = 2.5

  /// Least and largest value of every column, the one nearer to the line first.
  private func path(_ line: Line, y: (Double) -> Double) -> String {
    var result = ""
    var last: PlotTrack.Bin?
    let columnLength = (time.high - time.low) / (right - left)
    for bin in line.columns {
      let place = PlotDrawing.number(x(bin.time))
      func point(_ value: Float) -> String { "\(place),\(PlotDrawing.number(y(Double(value))))" }
      let isOpen =
        last.map { before in
          bin.firstTime - before.lastTime > max(PlotDrawing.longestGap, 3 * columnLength)
            || (line.wraps && (before.isWrapped || abs(bin.first - before.last) > 180))
        } ?? true
      if line.wraps && bin.isWrapped {
        result += "M\(point(bin.leastPositive))L\(point(bin.most))M\(point(bin.least))L\(point(bin.mostNegative))"
      } else {
        let reference = last?.last ?? bin.first
        let isLeastFirst = abs(bin.least - reference) <= abs(bin.most - reference)
        let (first, second) = isLeastFirst ? (bin.least, bin.most) : (bin.most, bin.least)
        result += (isOpen ? "M" : "L") + point(first)
        if second != first { result += "L" + point(second) }
      }
      last = bin
    }
    return result
  }
}
