import LinuxRuntime
import Quantities
import Recording
import Uplinks

/// Writes what a live tracker does: events and packets to standard output, troubles of devices to standard error, and on a
/// terminal one line that shows how it stands.
final class RunReporter {
  private let console: Console
  private let isJSON: Bool
  private let timeline: TimelineWriter
  private var progress: ProgressLine
  /// The last that was said of each device.
  private var said: [String: String] = [:]
  private var hasBegun = false

  init(_ console: Console, isJSON: Bool, showsAllPackets: Bool, origin: Instant) {
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
    console.out.flush()
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
    console.out.flush()
  }

  /// Says what has changed with devices, each once.
  func look(at board: BoardRun) {
    for sensor in board.sensors {
      switch sensor.state {
      case .idle: break
      case .running: if sensor.inputCount > 0 { good(sensor.source.name) }
      case .failed(let reason, _): bad(sensor.source.name, reason)
      }
    }
    for uplink in board.uplinks.ways {
      switch uplink.state {
      case .idle, .opening: break
      case .open: good(uplink.name)
      case .failed(let reason, _): bad(uplink.name, reason)
      }
    }
    if let problem = board.store.problem { bad("state", problem) } else { good("state") }
    if let recorder = board.recorder {
      if let problem = recorder.problem { bad("recording", problem) } else { good("recording") }
    }
  }

  private func bad(_ name: String, _ reason: String) {
    guard said[name] != reason else { return }
    said[name] = reason
    remark(reason.contains(name) ? "\(reason); trying again" : "\(name): \(reason); trying again")
  }

  private func good(_ name: String) {
    guard said.removeValue(forKey: name) != nil else { return }
    remark("\(name): works again")
  }

  /// A line about the run itself.
  func remark(_ text: String) {
    progress.clear()
    console.err.writeLine("leash run: \(text)")
    console.err.flush()
  }

  /// The live line.
  func draw(_ text: String) { progress.update(text) }

  /// The last words.
  func end(isReloading: Bool) {
    remark(isReloading ? "reading the configuration again" : "stopped; what waits is kept")
    console.out.flush()
  }
}
