import ASCIIText
import TrackerRuntime
import Telemetry

/// Findings as aligned lines, or as JSON Lines.
struct DoctorReport {
  private let console: Console
  private let isJSON: Bool
  private(set) var counts: [Finding.State: Int] = [:]

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  /// The width of the longest name.
  private static let nameWidth = 11

  mutating func write(_ findings: [Finding]) {
    for finding in findings {
      counts[finding.state, default: 0] += 1
      if isJSON { writeJSON(finding) } else { writeText(finding) }
    }
    console.out.flush()
  }

  private func writeText(_ finding: Finding) {
    let style: Console.Style =
      switch finding.state {
      case .ok: .green
      case .warn: .yellow
      case .fail: .red
      }
    let state = finding.state.rawValue
    let name = finding.name
    let head = console.styled(state, style) + String(repeating: " ", count: 6 - state.count)
    console.out.writeLine(
      head + name + String(repeating: " ", count: max(1, DoctorReport.nameWidth + 2 - name.count)) + finding.found)
    guard let advice = finding.advice else { return }
    console.out.writeLine(String(repeating: " ", count: 6 + DoctorReport.nameWidth + 2) + "→ " + advice)
  }

  private func writeJSON(_ finding: Finding) {
    var line = ByteBuffer()
    func text(_ value: String) { line.append(jsonString: Array(value.utf8).span) }
    line.append("{\"name\":")
    text(finding.name)
    line.append(",\"state\":")
    text(finding.state.rawValue)
    line.append(",\"found\":")
    text(finding.found)
    line.append(",\"advice\":")
    if let advice = finding.advice { text(advice) } else { line.append("null") }
    line.append("}\n")
    console.out.append(bytes: line.bytes.span)
  }

  /// The last line, for people.
  func end() {
    guard !isJSON else { return }
    func number(_ state: Finding.State) -> Int { counts[state] ?? 0 }
    let failed = number(.fail)
    let verdict =
      failed > 0
      ? "\(failed) of \(counts.values.reduce(0, +)) checks failed"
      : number(.warn) == 0
        ? "no failures" : "no failures, \(number(.warn)) \(number(.warn) == 1 ? "warning" : "warnings")"
    console.out.writeLine(console.styled(verdict, failed > 0 ? .red : number(.warn) > 0 ? .yellow : .green))
  }
}
