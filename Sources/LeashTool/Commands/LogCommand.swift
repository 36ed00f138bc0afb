import Quantities
import JSON5
import Recording
import TrackerRuntime

/// `leash log`: the records of a Leash log as JSON Lines.
enum LogCommand {
  static let tail = Option<Double>(
    "tail", "SECONDS",
    "Begin at the last marker that is at least this long before the end, without reading the rest. Markers are a minute apart."
  )
  static let only = Option<String>(
    "only", "KIND", "Show only records of this kind, such as action, output or fix; may be given several times.")
  static let file = Positional("FILE", "A Leash log; gzip allowed, '-' is standard input.")

  static let command = Command(
    "log", "Show the records of a Leash log",
    discussion: """
      Prints one JSON object per line for every record: t in seconds, kind, and the content of the record. Damaged \
      records are skipped and reported.
      """,
    parameters: [.positional(file), .option(tail), .option(only)]
  ) { arguments, console throws(CommandFailure) in
    let path = arguments[file][0]
    let wanted = Set(arguments.all(only))
    let known = LogRecord.typeNames
    for name in arguments.all(only) where !known.contains(name) {
      throw .usage(
        "option '--only': '\(name)' is not a record type, which are \(known.sorted().joined(separator: ", "))"
          + didYouMean(nearest(to: name, among: known)))
    }
    if let seconds = arguments[tail], seconds < 0 {
      throw .usage("option '--tail': '\(seconds)' is not a number of seconds, 0 or more")
    }
    let reader = try reading { () throws(RecordingError) in
      guard let seconds = arguments[tail] else { return try LeashLogReader(path: path) }
      return try LeashLogReader.tail(
        path: path, span: Interval(microseconds: Int64(max(0, min(seconds, 1e9)) * 1_000_000)))
    }
    var failure: RecordingError?
    do throws(RecordingError) {
      while let record = try reader.next() {
        guard wanted.isEmpty || wanted.contains(record.typeName) else { continue }
        console.out.writeLine(record.json(payload: reader.payload))
      }
    } catch {
      failure = error
    }
    for line in ReplaySummary.problems([reader.report]) { console.err.writeLine("leash log: " + line) }
    if let failure { throw CommandFailure(failure) }
    return .success
  }
}

extension LogRecord {
  /// The types as `--only` names them; those of readings have the names that `Reading` gives them.
  static let typeNames =
    ["configuration", "inertial", "fix"]
    + (UInt8(1)...255).compactMap { Reading.name(ofKind: $0) }.map { "\($0)" }
    + [
      "bytes", "tick", "command", "acknowledgement", "settlement", "spooled", "recalled", "spoolCount", "restoration",
      "continuation", "action", "output", "note",
    ]

  /// The type as `--only` names it.
  var typeName: String {
    switch self {
    case .configuration: "configuration"
    case .input(.inertial): "inertial"
    case .input(.fix): "fix"
    case .input(.reading(let reading)): "\(reading.name)"
    case .input(.bytes): "bytes"
    case .input(.tick): "tick"
    case .input(.command): "command"
    case .input(.acknowledgement): "acknowledgement"
    case .input(.settlement): "settlement"
    case .input(.spooled): "spooled"
    case .input(.recalled): "recalled"
    case .input(.spoolCount): "spoolCount"
    case .input(.restoration): "restoration"
    case .continuation: "continuation"
    case .action: "action"
    case .output: "output"
    case .note: "note"
    }
  }
}
