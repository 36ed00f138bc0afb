import LinuxRuntime
import Quantities
import TrackerRuntime
import Uplinks

/// Writes what a live tracker does: events and packets to standard output, troubles of devices to standard error, and on a
/// terminal one line that shows how it stands.
final class RunReporter {
  private let output: SpooledConsole
  private let console: Console
  private let isJSON: Bool
  private let timeline: TimelineWriter
  private var progress: ProgressLine
  private var troubles = ToldTroubles()
  private var hasBegun = false

  init(_ output: SpooledConsole, isJSON: Bool, showsAllPackets: Bool, origin: Instant) {
    self.output = output
    let console = output.console
    self.console = console
    self.isJSON = isJSON
    timeline = TimelineWriter(console, showsAllPackets: showsAllPackets, origin: origin)
    progress = ProgressLine(console)
  }

  /// Titles, and what was restored.
  func begin(_ board: BoardRun) {
    guard !isJSON, !hasBegun else { return }
    hasBegun = true
    progress.clear()
    let names = board.sensors.map(\.source.name) + board.uplinks.map(\.name)
    remark(names.isEmpty ? "no sensors and no uplinks are configured" : names.joined(separator: "; "))
    if let text = board.store.remark { remark(text) }
    for text in board.ruleProblems { remark(text) }
    timeline.begin()
    output.pass()
  }

  /// Something the tracker did.
  func write(_ output: RunOutput, _ bytes: [UInt8], rideDistance: Double) {
    progress.clear()
    if isJSON {
      console.out.append(bytes: bytes.span)
      console.out.append(0x0A)
    } else {
      timeline.write(output, bytes: bytes, rideDistance: rideDistance)
    }
    // Whoever reads along wants it now.
    self.output.pass()
  }

  /// Says what has changed with devices, each once.
  func look(at board: BoardRun) {
    for line in troubles.lines(board.sensors, board.recorder) { remark(line) }
    for (place, uplink) in board.uplinks.enumerated() {
      switch uplink.state {
      case .idle, .opening: break
      // Only a delivery shows that it works again.
      case .open where uplink.doubt != nil: break
      case .open: tell(nil, of: "uplink \(place)", called: uplink.name)
      case .failed(let reason, _): tell(reason, of: "uplink \(place)", called: uplink.name)
      }
    }
    tell(board.store.problem, of: "state", called: "state")
  }

  private func tell(_ trouble: String?, of key: String, called name: String) {
    if let line = troubles.line(trouble.map { $0 + "; trying again" }, of: key, called: name) { remark(line) }
  }

  /// A line about the run itself.
  func remark(_ text: String) {
    progress.clear()
    console.err.writeLine("leash run: \(text)")
    output.pass()
  }

  /// The live line.
  func draw(_ text: String) { progress.update(text) }

  private static func saved(_ count: Int) -> String {
    switch count {
    case 0: "no unsent packets"
    case 1: "1 unsent packet saved"
    default: "\(TimeText.count(count)) unsent packets saved"
    }
  }

  /// The last words.
  func end(_ board: BoardRun, isReloading: Bool) {
    if let problem = board.store.problem {
      remark("stopped; changes since the storage failed are not saved: \(problem)")
    } else {
      remark(isReloading ? "reloading the configuration" : "stopped; \(RunReporter.saved(board.unsentCount))")
    }
  }
}
