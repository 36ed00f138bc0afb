import Quantities
import Recording
import TrackerRuntime

/// Replays a log and compares.
enum CheckRun {
  static func run(_ path: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    if let other = arguments.firstGiven(besides: ["check", "json", "no-color"]) {
      throw .usage("'--check' and '--\(other)' exclude each other: everything comes from the log")
    }
    var progress = ProgressLine(console)
    let verdict: ReplayVerdict
    var readers: [LeashLogReader] = []
    do throws(RecordingError) {
      for name in [path] + arguments[ReplayCommand.files] { readers.append(try LeashLogReader(path: name)) }
      verdict = try ReplayVerifier.check(readers) { time in
        progress.update("checking: \(TimeText.elapsed(time)) of the recording")
      }
    } catch {
      progress.clear()
      throw CommandFailure(error)
    }
    progress.clear()
    try tellDamage(readers.map(\.report), console)
    if let difference = verdict.difference {
      return tell(difference, path, isJSON: arguments[ReplayCommand.json], console)
    }
    if arguments[ReplayCommand.json] {
      console.out.writeLine("{\"same\":true,\"inputs\":\(verdict.inputCount),\"actions\":\(verdict.matchCount)}")
    } else {
      let actions = TimeText.count(verdict.matchCount)
      console.out.writeLine(
        "same: \(TimeText.count(verdict.inputCount)) inputs gave the same \(actions) actions, byte for byte")
    }
    return .success
  }

  /// What lies behind the last whole record was being written when the power went; damage before it is another thing.
  static func tellDamage(_ reports: [ImportReport], _ console: Console) throws(CommandFailure) {
    for report in reports {
      if let offset = report.truncatedAtByte {
        console.err.writeLine(
          "leash replay: \(report.file): cut off in a record at byte \(offset); checked up to there")
      }
      for entry in report.entries where entry.problem == .damagedStretch {
        throw .check(
          "\(report.file): \(TimeText.count(report.skippedByteCount, "damaged byte")), the first at byte \(entry.firstLine); "
            + "an incomplete log can't be checked")
      }
    }
  }

  private static func tell(
    _ difference: ReplayDifference, _ path: String, isJSON: Bool, _ console: Console
  ) -> ExitCode {
    let nothing = "nothing"
    if isJSON {
      var buffer = ByteBuffer()
      buffer.append("{\"same\":false,\"record\":")
      buffer.append(decimal: Int64(difference.record))
      buffer.append(",\"offset\":")
      buffer.append(decimal: Int64(difference.offset))
      for (key, text) in [("logged", difference.logged), ("replayed", difference.replayed)] {
        buffer.append(bytes: Array(",\"\(key)\":".utf8).span)
        if let text {
          buffer.append(jsonString: Array(text.utf8).span)
        } else {
          buffer.append("null")
        }
      }
      buffer.append("}\n")
      console.out.append(bytes: buffer.bytes.span)
      return .checkFailed
    }
    console.out.writeLine(
      "different at \(TimeText.elapsed(difference.time)), record \(difference.record), byte \(difference.offset) of \(path):"
    )
    console.out.writeLine("  logged:   \(difference.logged ?? nothing)")
    console.out.writeLine("  replayed: \(difference.replayed ?? nothing)")
    return .checkFailed
  }
}
