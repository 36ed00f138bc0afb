import MotionEvaluation
import Quantities

/// Pictures of the simulation beside recordings: for each class of motion the spectra and the windows.
enum RealityDrawing {
  private static let width = 1000.0
  private static let rowHeight = 270.0
  private static let panels: [(left: Double, right: Double)] = [(64, 330), (396, 662), (728, 984)]
  private static let (top, bottom) = (64.0, 220.0)
  private static let colours = ["#d55e00", "#009e73", "#cc79a7", "#e69f00"]
  private static let recorded = ["#000000", "#0072b2"]

  private struct Curve {
    var name: String
    var colour: String
    var points: [(x: Double, y: Double)]
    var isDashed = false
  }

  /// All classes, one below the other.
  static func svg(_ results: [RealityResult]) -> String {
    var body = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(rowHeight * Double(results.count)))" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>

      """
    for (place, result) in results.enumerated() {
      body += "<g transform=\"translate(0,\(number(Double(place) * rowHeight)))\">\n" + row(result) + "</g>\n"
    }
    return body + "</svg>\n"
  }

  private static func row(_ result: RealityResult) -> String {
    var curves: [[Curve]] = [[], [], []]
    func add(_ name: String, _ colour: String, _ figures: SignalFigures, isDashed: Bool) {
      for (place, axes) in [0..<3, 3..<6].enumerated() {
        let sums = figures.bands.indices.map { band in axes.reduce(0) { $0 + figures.densities[$1][band] } }
        curves[place].append(
          Curve(
            name: name, colour: colour, points: zip(figures.bands, sums).map { (log10($0), log10($1)) },
            isDashed: isDashed))
      }
      let windows = figures.windows.force.sorted()
      let every = max(1, windows.count / 200)
      let points = windows.enumerated().filter { $0.offset.isMultiple(of: every) }.map {
        (x: log10($0.element), y: Double($0.offset) / Double(windows.count))
      }
      curves[2].append(Curve(name: name, colour: colour, points: points, isDashed: isDashed))
    }
    for (place, half) in result.halves.enumerated() {
      add("recorded, \(half.half.rawValue)", recorded[min(place, 1)], half.recorded, isDashed: false)
    }
    if let shown = result.halves.last {
      for (place, model) in shown.models.enumerated() {
        add(model.name, colours[place % colours.count], model.figures, isDashed: true)
      }
    }
    var body = text(result.name, 24, 22, "font-size=\"16\" font-weight=\"600\"")
    var place = 24.0 + 10 * Double(result.name.count) + 40
    for curve in curves[0] {
      body += "<path stroke=\"\(curve.colour)\" stroke-width=\"2.5\"\(dash(curve)) d=\"M\(number(place)),18h22\"/>\n"
      body += text(curve.name.filter { $0 != "`" }, place + 27, 22)
      place += 50 + 6.6 * Double(curve.name.count)
    }
    body += panel("rate, (rad/s)²/Hz over Hz, sum of the axes", curves[0], panels[0])
    body += panel("force, (m/s²)²/Hz over Hz, sum of the axes", curves[1], panels[1])
    body += panel("share of windows below, over m/s²", curves[2], panels[2], isShare: true)
    return body
  }

  private static func panel(
    _ title: String, _ curves: [Curve], _ place: (left: Double, right: Double), isShare: Bool = false
  ) -> String {
    let points = curves.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite }
    guard let first = points.first else { return "" }
    var (lowX, highX, lowY, highY) = (first.x, first.x, first.y, first.y)
    for point in points {
      (lowX, highX) = (min(lowX, point.x), max(highX, point.x))
      (lowY, highY) = (min(lowY, point.y), max(highY, point.y))
    }
    if isShare { (lowY, highY) = (0, 1) } else { (lowY, highY) = (lowY.rounded(.down), highY.rounded(.up)) }
    if highX - lowX < 0.5 { highX = lowX + 0.5 }
    if highY - lowY < 0.5 { highY = lowY + 1 }
    func x(_ value: Double) -> Double { place.left + (value - lowX) / (highX - lowX) * (place.right - place.left) }
    func y(_ value: Double) -> Double { bottom - (value - lowY) / (highY - lowY) * (bottom - top) }
    var body = text(title, place.left, top - 10, "font-weight=\"600\"")
    body += "<path stroke=\"#ccc\" stroke-width=\"0.6\" fill=\"none\" d=\""
    var labels = ""
    // Decades along both axes; those of a distribution are shares.
    for decade in Int(lowX.rounded(.up))...max(Int(lowX.rounded(.up)), Int(highX.rounded(.down)))
    where x(Double(decade)) <= place.right + 0.5 {
      body += "M\(number(x(Double(decade)))),\(number(top))V\(number(bottom))"
      labels += text(power(decade), x(Double(decade)), bottom + 16, "text-anchor=\"middle\"")
    }
    let marks = isShare ? [0, 0.25, 0.5, 0.75, 1] : stride(from: lowY, through: highY, by: 1).map { $0 }
    for mark in marks {
      body += "M\(number(place.left)),\(number(y(mark)))H\(number(place.right))"
      let label = isShare ? TimeText.decimal(mark, 2) : power(Int(mark))
      labels += text(label, place.left - 5, y(mark) + 4, "text-anchor=\"end\"")
    }
    body += "\"/>\n<path stroke=\"#444\" fill=\"none\" d=\"M\(number(place.left)),\(number(top))H\(number(place.right))"
    body += "V\(number(bottom))H\(number(place.left))z\"/>\n" + labels
    for curve in curves {
      let line = curve.points.filter { $0.x.isFinite && $0.y.isFinite }.map { "\(number(x($0.x))),\(number(y($0.y)))" }
      body += "<polyline fill=\"none\" stroke=\"\(curve.colour)\" stroke-width=\"1.8\"\(dash(curve)) "
      body += "points=\"\(line.joined(separator: " "))\"/>\n"
    }
    return body
  }

  private static func dash(_ curve: Curve) -> String { curve.isDashed ? " stroke-dasharray=\"6 3\"" : "" }

  /// A power of ten as people write it where it is short.
  private static func power(_ exponent: Int) -> String {
    switch exponent {
    case 0...3: "1" + String(repeating: "0", count: exponent)
    case -3 ... -1: "0." + String(repeating: "0", count: -exponent - 1) + "1"
    default: "1e\(exponent)"
    }
  }

  private static func log10(_ value: Double) -> Double { Elementary.log(value) / 2.302585092994046 }
  private static func number(_ value: Double) -> String { PlotDrawing.number(value) }
  private static func text(_ words: String, _ x: Double, _ y: Double, _ style: String = "") -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\"\(style.isEmpty ? "" : " " + style)>\(PlotDrawing.escaped(words))</text>\n"
  }
}
