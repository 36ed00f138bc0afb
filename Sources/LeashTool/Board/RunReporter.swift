import LinuxRuntime
import Quantities
import Recording
import Uplinks

/// Writes what a live tracker does: events and packets to standard output, troubles of devices to standard error, and on a
/// terminal one line that shows how it stands.
final class RunReporter {
  private let output: SpooledConsole
  private let console: Console
  private let isJSON: Bool
  private let timeline: TimelineWriter
  private var progress: ProgressLine
  /// The last trouble that was told of each device, by its place: names change with what is found.
  private var said: [String: String] = [:]
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
    let names = board.sensors.map(\.source.name) + board.uplinks.ways.map(\.name)
    remark(names.isEmpty ? "no sensor and no way to a server are configured" : names.joined(separator: "; "))
    if let text = board.store.remark { remark(text) }
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
    for (place, sensor) in board.sensors.enumerated() {
      switch sensor.state {
      case .idle: break
      case .running: if sensor.inputCount > 0 { good("sensor \(place)", sensor.source.name) }
      case .failed(let reason, _): bad("sensor \(place)", sensor.source.name, reason)
      }
    }
    for (place, uplink) in board.uplinks.ways.enumerated() {
      switch uplink.state {
      case .idle, .opening: break
      case .open: good("uplink \(place)", uplink.name)
      case .failed(let reason, _): bad("uplink \(place)", uplink.name, reason)
      }
    }
    if let problem = board.store.problem { bad("state", "state", problem) } else { good("state", "state") }
    if let recorder = board.recorder {
      if let problem = recorder.problem {
        bad("recording", "recording", problem)
      } else {
        good("recording", "recording")
      }
    }
  }

  private func bad(_ key: String, _ name: String, _ reason: String) {
    guard said[key] != reason else { return }
    said[key] = reason
    // Most reasons say themselves what and where.
    let place = name.split(separator: " ", maxSplits: 1).last.map(String.init) ?? name
    remark(reason.contains(place) ? "\(reason); trying again" : "\(name): \(reason); trying again")
  }

  private func good(_ key: String, _ name: String) {
    guard said.removeValue(forKey: key) != nil else { return }
    remark("\(name): works again")
  }

  /// A line about the run itself.
  func remark(_ text: String) {
    progress.clear()
    console.err.writeLine("leash run: \(text)")
    output.pass()
  }

  /// The live line.
  func draw(_ text: String) { progress.update(text) }

  /// The last words.
  func end(_ board: BoardRun, isReloading: Bool) {
    if let problem = board.store.problem {
      remark("stopped; what has changed since the trouble began is not kept: \(problem)")
    } else {
      remark(isReloading ? "reading the configuration again" : "stopped; what waits is kept")
    }
  }
}
