import MotionDetection
import Quantities
import TrackerRuntime
import TrackerCore

/// The picture of a replay: what every detector measured over time, what was raised, and what the vehicle was taken to do.
struct EvidencePlot {
  private var tracks = [PlotTrack](repeating: PlotTrack(), count: EvidenceLine.all.count)
  private var raised: [RaisedEvidence] = []
  private var phases: [(start: Double, phase: MotionPhase)] = []
  private var last = 0.0
  private var first: Double?
  private var alerts = 0
  private var switches = SwitchWatch()

  private static let columnCount = 900
  private static let panelHeight = 92.0
  private static let panelStep = 138.0
  /// What lies above is cut off: whether it is movement is what counts.
  private static let highest = 4.0
  private static let colours = ["#0072b2", "#009e73", "#56b4e9", "#cc79a7", "#e69f00", "#7a5195", "#4d4d4d"]

  /// Takes the state after one input in.
  mutating func add(_ run: TrackerRun, after input: TrackerInput) {
    switches.take(input)
    let time = run.now.secondsDouble
    guard first == nil || time >= last else { return }
    if first == nil { first = time }
    last = time
    if phases.last?.phase != run.phase { phases.append((time, run.phase)) }
    for place in EvidenceLine.all.indices {
      if let ratio = run.look({ EvidenceLine.all[place].ratio($0, switches) }) { tracks[place].add(time, ratio) }
    }
  }

  /// Takes an event in.
  mutating func add(_ event: TrackerEvent) {
    switch event.kind {
    // It may be parked long before the next input.
    case .motion(.parked)
    where event.time.secondsDouble >= phases.last?.start ?? .infinity && phases.last?.phase != .parked:
      phases.append((event.time.secondsDouble, .parked))
    case .motion(.movement(let evidence)):
      alerts += 1
      raised.append(RaisedEvidence(time: event.time, evidence: evidence, alert: alerts))
    case .motion(.suspicious(let evidence)), .movedInPlace(let evidence):
      raised.append(RaisedEvidence(time: event.time, evidence: evidence, alert: nil))
    default: break
    }
  }

  /// Colours of the phases; nil for those without.
  static func colour(_ phase: MotionPhase) -> String? {
    switch phase {
    case .riding: "#e3f1e3"
    case .parked: "#eef3fa"
    case .suspicious: "#fdf1cf"
    case .alarmed: "#f9d7d2"
    case .stolen: "#d9c6ec"
    default: nil
    }
  }

  /// The picture.
  func svg(title: String) -> String {
    let start = first ?? 0
    var drawing = PlotDrawing(time: PlotAxis(secondsFrom: start, to: max(last, start)))
    drawing.text(title, x: drawing.left, y: 30, style: "font-size=\"19\" font-weight=\"600\"")
    drawing.text(
      "Evidence as a ratio to its threshold: 1 or more is movement. Background: the phase of the tracker.",
      x: drawing.left, y: 51)
    legend(&drawing)
    var top = 104.0
    var panels: [(name: String, line: PlotDrawing.Line?, raised: [RaisedEvidence])] = []
    for (place, line) in EvidenceLine.all.enumerated() {
      let columns = tracks[place].columns(EvidencePlot.columnCount)
      guard !columns.isEmpty else { continue }
      let colour = EvidencePlot.colours[place % EvidencePlot.colours.count]
      panels.append((line.name, PlotDrawing.Line(name: line.name, colour: colour, columns: columns), []))
    }
    // Every detector that raised something, by the name that packets have.
    for detector in MovementDetector.allCases {
      let own = raised.filter { $0.evidence.detector == detector }
      if !own.isEmpty { panels.append(("raised by \(detector.name)", nil, own)) }
    }
    for (place, panel) in panels.enumerated() {
      let isLast = place + 1 == panels.count
      ground(&drawing, top: top)
      let largest =
        panel.line.map { Double($0.columns.map(\.most).max() ?? 0) }
        ?? Double(panel.raised.map(\.evidence.ratio).max() ?? 0)
      let axis = PlotAxis(from: 0, to: min(max(largest, 1), EvidencePlot.highest), smallest: 1)
      let title =
        largest > EvidencePlot.highest ? "\(panel.name), the largest is \(TimeText.decimal(largest, 1))" : panel.name
      drawing.panel(
        title, axis: axis, lines: panel.line.map { [$0] } ?? EvidencePlot.line(of: panel.raised), top: top,
        height: EvidencePlot.panelHeight, dots: panel.line == nil, showsTime: isLast)
      let alertSpans = raised.filter { $0.alert != nil }.map { ($0.time.secondsDouble, $0.time.secondsDouble) }
      drawing.bars(
        alertSpans.map { (start: $0.0, end: $0.1) }, top: top, height: EvidencePlot.panelHeight, fill: "#c22")
      top += EvidencePlot.panelStep
    }
    let height = PlotDrawing.number(top + 20)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 \(height)" width="1000" height="\(height)" \
      font-family="system-ui,'DejaVu Sans',sans-serif" font-size="13" fill="#222">
      <title>\(PlotDrawing.escaped(title))</title>
      <desc>Evidence of the motion detectors over time</desc>
      <rect width="1000" height="\(height)" fill="#fff"/>
      \(drawing.body)</svg>

      """
  }

  /// What was raised, as dots.
  private static func line(of raised: [RaisedEvidence]) -> [PlotDrawing.Line] {
    var track = PlotTrack()
    for item in raised { track.add(item.time.secondsDouble, min(item.evidence.ratio, Float(highest))) }
    return [PlotDrawing.Line(name: "ratio", colour: "#c22", columns: track.columns(columnCount), thickness: 0)]
  }

  private func ground(_ drawing: inout PlotDrawing, top: Double) {
    for (place, span) in phases.enumerated() {
      guard let colour = EvidencePlot.colour(span.phase) else { continue }
      let end = place + 1 < phases.count ? phases[place + 1].start : last
      drawing.bars([(start: span.start, end: end)], top: top, height: EvidencePlot.panelHeight, fill: colour)
    }
  }

  private func legend(_ drawing: inout PlotDrawing) {
    var x = drawing.left
    for phase in MotionPhase.allCases {
      guard let colour = EvidencePlot.colour(phase) else { continue }
      drawing.rectangle(x: PlotDrawing.number(x), y: "62", width: "22", height: "12", fill: colour)
      drawing.text("\(phase.name)", x: x + 28, y: 72)
      x += 118
    }
    drawing.rectangle(x: PlotDrawing.number(x + 8), y: "62", width: "2", height: "12", fill: "#c22")
    drawing.text("alert", x: x + 28, y: 72)
  }
}
