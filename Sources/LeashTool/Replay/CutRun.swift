import Quantities
import Recording
import TrackerRuntime

/// Replays a log with a power cut after each action.
enum CutRun {
  static func run(_ path: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    if let other = arguments.firstGiven(besides: ["cut-every-action", "json", "no-color"]) {
      throw .usage("'--cut-every-action' and '--\(other)' exclude each other: everything comes from the log")
    }
    var progress = ProgressLine(console)
    let verdict: CutVerdict
    var readers: [LeashLogReader] = []
    do throws(RecordingError) {
      for name in [path] + arguments[ReplayCommand.files] { readers.append(try LeashLogReader(path: name)) }
      verdict = try CutVerifier.check(readers) { time in
        progress.update("cutting: \(TimeText.elapsed(time)) of the recording")
      }
    } catch {
      progress.clear()
      throw CommandFailure(error)
    }
    progress.clear()
    try CheckRun.tellDamage(readers.map(\.report), console)
    tell(verdict, isJSON: arguments[ReplayCommand.json], console)
    return verdict.trouble == nil ? .success : .checkFailed
  }

  static func tell(_ verdict: CutVerdict, isJSON: Bool, _ console: Console) {
    if isJSON {
      console.out.append(bytes: json(verdict).bytes.span)
    } else if let trouble = verdict.trouble {
      console.out.writeLine(
        "a power cut at \(TimeText.elapsed(trouble.time)) loses data: after action \(trouble.action), \(trouble.after)"
      )
      console.out.writeLine("  \(trouble.what)")
    } else {
      let cuts = TimeText.count(verdict.cutCount, "power cut")
      let packets = TimeText.count(verdict.repeatedCount, "packet")
      let requests = TimeText.count(verdict.requestCount, "request")
      console.out.writeLine(
        "nothing lost: \(cuts), one after each action; \(packets) sent again with the same bytes, "
          + "\(requests) repeated, none obeyed twice")
    }
  }

  private static func json(_ verdict: CutVerdict) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(
      bytes: Array(
        "{\"lost\":\(verdict.trouble != nil),\"inputs\":\(verdict.inputCount),\"cuts\":\(verdict.cutCount),\"repeated\":\(verdict.repeatedCount),\"requests\":\(verdict.requestCount)"
          .utf8
      ).span)
    if let trouble = verdict.trouble {
      buffer.append(
        bytes: Array(",\"action\":\(trouble.action),\"t\":\(trouble.time.secondsDouble),\"after\":".utf8).span)
      buffer.append(jsonString: Array(trouble.after.utf8).span)
      buffer.append(bytes: Array(",\"what\":".utf8).span)
      buffer.append(jsonString: Array(trouble.what.utf8).span)
    }
    buffer.append("}\n")
    return buffer
  }
}
