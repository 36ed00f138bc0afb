import Quantities
import Recording
import TrackerRuntime
import Telemetry
import TrackerCore

/// Counts over a replay, and their table at its end.
struct ReplaySummary {
  private var samples = 0
  private var fixes = 0
  private var byteChunks = 0
  private var first: Instant?
  private var last: Instant?
  private var rides = 0
  private var stops = 0
  private var alerts = 0
  private var notices = 0
  private var suspicions = 0
  private var packets = [Int](repeating: 0, count: PacketKind.allCases.count)

  /// True when a receiver's bytes were among the inputs.
  var hasBytes: Bool { byteChunks > 0 }

  /// Time from the first to the last input.
  var duration: Interval { last.flatMap { last in first.map { last - $0 } } ?? .zero }

  mutating func count(_ input: TrackerInput) {
    switch input {
    case .inertial: samples += 1
    case .fix: fixes += 1
    case .bytes: byteChunks += 1
    case .reading, .tick, .command, .acknowledgement, .settlement, .spooled, .recalled, .spoolCount, .restoration: break
    }
    if first == nil { first = input.time }
    last = max(last ?? input.time, input.time)
  }

  mutating func count(_ output: RunOutput) {
    switch output {
    case .packet(_, let kind): packets[Int(kind.rawValue)] += 1
    case .event(let event):
      if case .movedInPlace = event.kind { notices += 1 }
      guard case .motion(let motion) = event.kind else { return }
      switch motion {
      case .rideStarted: rides += 1
      case .resumed: stops += 1
      case .movement: alerts += 1
      case .suspicious: suspicions += 1
      default: break
      }
    }
  }

  /// The table.
  func text(_ tracker: TrackerRun, _ source: RideSource) -> String {
    var table = TextTable(("", .left), ("", .left))
    table.add("recording", "\(TimeText.length(duration)): \(inputs)")
    let ridden = rides == 0 ? "no rides" : "in \(plural(rides, "ride")) with \(plural(stops, "stop"))"
    table.add("travelled", "\(TimeText.distance(tracker.distance))\(rides == 0 ? ", " : " ")\(ridden)")
    let unalarming = notices == 0 ? "" : ", \(plural(notices, "movement")) without alert"
    table.add("alerts", "\(plural(alerts, "movement alert"))\(unalarming), \(plural(suspicions, "suspicion"))")
    let kinds = PacketKind.allCases.filter { packets[Int($0.rawValue)] > 0 }
    table.add(
      "packets",
      kinds.isEmpty ? "none" : kinds.map { "\(packets[Int($0.rawValue)]) \($0.name)" }.joined(separator: ", "))
    table.add("at the end", "\(tracker.phase.name), \(tracker.isArmed ? "armed" : "not armed")")
    let clipped = tracker.diagnostics.samplesClipped
    if clipped > 0 {
      table.add("clipped", "\(plural(Int(clipped), "inertial sample")) at the end of the sensor's range: trusted less")
    }
    for line in ReplaySummary.unused(tracker.diagnostics) { table.add("not used", line) }
    return "Summary\n" + table.text(indent: 2)
  }

  private var inputs: String {
    var parts: [String] = []
    if samples > 0 { parts.append("\(TimeText.count(samples)) inertial samples") }
    if fixes > 0 { parts.append("\(TimeText.count(fixes)) fixes") }
    if byteChunks > 0 { parts.append("\(plural(byteChunks, "NMEA chunk"))") }
    return parts.isEmpty ? "nothing in it" : parts.joined(separator: ", ")
  }

  private func plural(_ count: Int, _ noun: String) -> String {
    "\(count == 0 ? "no" : TimeText.count(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// What the tracker counted as unusable, a line each.
  private static func unused(_ counts: TrackerDiagnostics) -> [String] {
    let rows: [(count: UInt64, noun: String, rest: String)] = [
      (UInt64(counts.samplesOutOfOrder), "inertial sample", "not later than the one before"),
      (UInt64(counts.samplesInvalid), "inertial sample", "with impossible values"),
      (UInt64(counts.sensorFaults), "fault", "of the inertial sensor: an axis that stood still, or another frame"),
      (UInt64(counts.fixesOutOfOrder), "fix", "not later than the one before"),
      (UInt64(counts.fixesWithoutPosition), "fix", "without a position"),
      (UInt64(counts.timesImpossible), "input", "with an impossible time"),
      (counts.bytesIgnored, "byte", "from a port nothing listens to"),
      (UInt64(counts.actionsDropped), "event", "dropped"),
      (UInt64(counts.packetsEvicted), "report", "dropped"),
      (UInt64(counts.packetsRefused), "packet", "refused"),
    ]
    return rows.filter { $0.count > 0 }.map { row in
      let ending = row.count == 1 ? "" : row.noun == "fix" ? "es" : "s"
      return "\(TimeText.count(Int(clamping: row.count))) \(row.noun)\(ending) \(row.rest)"
    }
  }

  /// What importers passed over, a line each: file, line, what, how often.
  static func problems(_ reports: [ImportReport]) -> [String] {
    var lines: [String] = []
    for report in reports {
      for remark in report.remarks { lines.append("\(report.file): \(remark)") }
      for entry in report.entries {
        let verb = [.longGap, .clockSetBack].contains(entry.problem) ? "has" : "skipped"
        lines.append(
          "\(report.file):\(entry.firstLine): \(verb) \(entry.text)\(entry.count > 1 ? ", the first here" : "")")
      }
      if let offset = report.truncatedAtByte {
        lines.append("\(report.file): cut off at byte \(offset); used up to there")
      }
    }
    return lines
  }
}
