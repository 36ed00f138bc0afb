import FusionEvaluation
import Quantities

/// The picture of a run: angles, bias, what the filter says of its errors, rest and, against a reference, the error over time.
struct FusionPlot {
  private var angles = [PlotTrack](repeating: PlotTrack(), count: 3)
  private var bias = [PlotTrack](repeating: PlotTrack(), count: 3)
  /// Standard deviations of heading, tilt and bias.
  private var deviations = [PlotTrack](repeating: PlotTrack(), count: 3)
  private var rest = PlotTrack()
  private var first: Double?
  private var last = 0.0
  private var sampleCount = 0

  /// Told apart also by those who see fewer colours.
  private static let colours = ["#d55e00", "#009e73", "#0072b2"]
  private static let restColour = "#dbe7f3"
  /// Columns of a line: one for each pixel.
  private static let columnCount = 900

  /// Takes the state at one time in.
  mutating func add(_ time: Double, _ state: FusedState, _ euler: EulerAngles) {
    guard first == nil || time > last else { return }
    if first == nil { first = time }
    last = time
    sampleCount += 1
    angles[0].add(time, euler.roll * degreesPerRadian)
    angles[1].add(time, euler.pitch * degreesPerRadian)
    angles[2].add(time, euler.yaw * degreesPerRadian)
    bias[0].add(time, state.gyroBias.x * degreesPerRadian)
    bias[1].add(time, state.gyroBias.y * degreesPerRadian)
    bias[2].add(time, state.gyroBias.z * degreesPerRadian)
    for (place, value) in [state.headingUncertainty, state.tiltUncertainty, state.biasUncertainty].enumerated() {
      deviations[place].add(time, value * degreesPerRadian)
    }
    rest.add(time, state.isAtRest ? 1 : 0)
  }

  /// The picture.
  ///
  /// - Parameters:
  ///   - title: The file's name.
  ///   - subtitle: The run in a line.
  ///   - mode: Which attitude it is.
  ///   - verdict: The scores, where there is a reference.
  func svg(title: String, subtitle: String, mode: FusionMode, verdict: FusionVerdict?) -> String {
    let start = first ?? 0
    var drawing = PlotDrawing(time: PlotAxis(secondsFrom: start, to: max(last, start)))
    let tops = verdict == nil ? [104.0, 384, 566] : [104.0, 384, 566, 748]
    let heights = verdict == nil ? [240.0, 142, 160] : [240.0, 142, 142, 160]
    let bottom = tops[tops.count - 1] + heights[heights.count - 1]
    drawing.text(title, x: drawing.left, y: 30, style: "font-size=\"19\" font-weight=\"600\"")
    drawing.text(subtitle, x: drawing.left, y: 51)
    if let verdict { drawing.text(FusionPlot.scores(verdict), x: drawing.left, y: 69) }
    let spans = restSpans()
    for (top, height) in zip(tops, heights) {
      drawing.bars(spans, top: top, height: height, fill: FusionPlot.restColour)
    }
    legendOfRest(&drawing)
    let dots = sampleCount <= 60
    let angleLines = lines(["roll", "pitch", "yaw"], angles, wraps: true)
    let angleRange = FusionPlot.range(angleLines)
    drawing.panel(
      mode == .level ? "Angles (°), yaw from an arbitrary origin" : "Angles (°)",
      axis: PlotAxis(degreesFrom: angleRange.low, to: angleRange.high), lines: angleLines, top: tops[0],
      height: heights[0], dots: dots, showsTime: false)
    let biasLines = lines(["x", "y", "z"], bias, wraps: false)
    let biasRange = FusionPlot.range(biasLines)
    drawing.panel(
      "Gyroscope bias (°/s)", axis: PlotAxis(from: biasRange.low, to: biasRange.high, smallest: 0.1), lines: biasLines,
      top: tops[1], height: heights[1], dots: dots, showsTime: false)
    deviationPanel(
      &drawing, mode: mode, top: tops[2], height: heights[2], dots: dots, showsTime: verdict == nil)
    if let verdict {
      errorPanel(&drawing, verdict, top: tops[3], height: heights[3], dots: dots)
    }
    let height = PlotDrawing.number(bottom + 52)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 \(height)" width="1000" height="\(height)" \
      font-family="system-ui,'DejaVu Sans',sans-serif" font-size="13" fill="#222">
      <title>\(PlotDrawing.escaped(title))</title>
      <desc>\(PlotDrawing.escaped(subtitle))</desc>
      <rect width="1000" height="\(height)" fill="#fff"/>
      \(drawing.body)</svg>

      """
  }

  private static func scores(_ verdict: FusionVerdict) -> String {
    func text(_ value: Double) -> String { value.isFinite ? "\(TimeText.decimal(value, 2))°" : "–" }
    let score = verdict.orientation
    let isLevel = verdict.mode == .level
    let total = isLevel ? score.totalAligned : score.total
    let heading = isLevel ? score.headingAligned : score.heading
    var line =
      "RMSE in movement: total \(text(total)), heading \(text(heading)), inclination \(text(score.inclination))"
    line +=
      isLevel
      ? " (after the best constant heading)" : "; total \(text(score.totalAligned)) after the best constant heading"
    return line
  }

  private func legendOfRest(_ drawing: inout PlotDrawing) {
    let x = PlotDrawing.number(drawing.right - 74)
    let words = "at rest"
    drawing.rectangle(x: x, y: "41", width: "22", height: "12", fill: FusionPlot.restColour)
    drawing.text(words, x: drawing.right - 46, y: 51)
  }

  private func lines(_ names: [String], _ tracks: [PlotTrack], wraps: Bool) -> [PlotDrawing.Line] {
    names.indices.map { index in
      PlotDrawing.Line(
        name: names[index], colour: FusionPlot.colours[index], columns: tracks[index].columns(FusionPlot.columnCount),
        wraps: wraps)
    }
  }

  private static func range(_ lines: [PlotDrawing.Line]) -> (low: Double, high: Double) {
    let columns = lines.flatMap(\.columns)
    return (Double(columns.map(\.least).min() ?? 0), Double(columns.map(\.most).max() ?? 0))
  }

  /// Stretches of time in which it mostly rested.
  private func restSpans() -> [(start: Double, end: Double)] {
    let columns = rest.columns(FusionPlot.columnCount)
    var spans: [(start: Double, end: Double)] = []
    var start: Double?
    for (place, bin) in columns.enumerated() {
      let next = place + 1 < columns.count ? columns[place + 1].firstTime : bin.lastTime
      if bin.mean >= 0.5 {
        let from = start ?? bin.firstTime
        start = from
        // A gap in the recording ends it: nobody knows what happened there.
        let isGap = next - bin.lastTime > 2.5
        if isGap || place + 1 == columns.count {
          spans.append((from, isGap ? bin.lastTime : next))
          start = nil
        }
      } else if let from = start {
        spans.append((from, bin.firstTime))
        start = nil
      }
    }
    return spans
  }

  /// What the filter says of its errors. A heading that is arbitrary has none.
  private func deviationPanel(
    _ drawing: inout PlotDrawing, mode: FusionMode, top: Double, height: Double, dots: Bool, showsTime: Bool
  ) {
    let all = lines(["heading", "tilt", "bias (°/s)"], deviations, wraps: false)
    let shown = mode == .level ? Array(all.dropFirst()) : all
    let limit = FusionPlot.limit(shown)
    drawing.panel(
      "Standard deviation (°)" + limit.remark, axis: PlotAxis(from: 0, to: limit.high, smallest: 0.5), lines: shown,
      top: top, height: height, dots: dots, showsTime: showsTime)
  }

  /// The end of an axis for lines that begin at zero: the largest value, or where a few columns would flatten all others, half more
  /// than 98 of 100 columns have.
  private static func limit(_ lines: [PlotDrawing.Line]) -> (high: Double, remark: String) {
    var largest = 0.0
    var usual = 0.0
    for line in lines {
      let peaks = line.columns.map(\.most).sorted()
      guard let last = peaks.last else { continue }
      largest = max(largest, Double(last))
      usual = max(usual, Double(peaks[(peaks.count - 1) * 98 / 100]))
    }
    guard largest > 3 * usual, usual > 0 else { return (largest, "") }
    return (1.5 * usual, ", cut off; the largest is \(TimeText.decimal(largest, 1))°")
  }

  /// Errors, cut off where a few rows (as before the first seconds of settling) would flatten all others.
  private func errorPanel(
    _ drawing: inout PlotDrawing, _ verdict: FusionVerdict, top: Double, height: Double, dots: Bool
  ) {
    var tracks = [PlotTrack](repeating: PlotTrack(), count: 3)
    for (time, error) in zip(verdict.times, verdict.errors) {
      guard let error, !time.isNaN else { continue }
      for (place, value) in [error.total, error.heading, error.inclination].enumerated() {
        tracks[place].add(time, Float(value * 180 / .pi))
      }
    }
    var lines: [PlotDrawing.Line] = []
    for (place, look) in [("total", "#999"), ("heading", "#0072b2"), ("inclination", "#d55e00")].enumerated() {
      lines.append(
        PlotDrawing.Line(
          name: look.0, colour: look.1, columns: tracks[place].columns(FusionPlot.columnCount),
          thickness: place == 0 ? 3 : 1.2))
    }
    // The total is the largest of the three.
    let limit = FusionPlot.limit(lines)
    let title = "Error (°)" + (verdict.mode == .level ? ", after the best constant heading" : "") + limit.remark
    drawing.panel(
      title, axis: PlotAxis(from: 0, to: limit.high, smallest: 0.5), lines: lines, top: top,
      height: height, dots: dots, showsTime: true)
  }
}
