import Glibc
import Quantities
import JSON5
import TrackerRuntime
import TrackerCore

/// A request with the time at which it is given.
struct TimedRequest {
  var time: Instant
  var text: [UInt8]
}

/// The options of a replay that shape the tracker, checked.
enum ReplayOptions {
  /// Applies the options to a configuration, which is the default's or a log's.
  static func apply(_ arguments: Arguments, to configuration: inout RunConfiguration) throws(CommandFailure) {
    if let seed = arguments.all(ReplayCommand.seed).last { configuration.seed = seed }
    if let format = arguments[ReplayCommand.format] {
      try set("packetFormat", "\(format.name)", option: "--format", &configuration)
    }
    if let name = arguments[ReplayCommand.trackerID] {
      try set("trackerId", name, option: "--tracker-id", &configuration)
    }
    for text in arguments.all(ReplayCommand.settings) { try set(text, &configuration) }
  }

  /// Applies one `NAME=VALUE`.
  ///
  /// - Parameter example: One that is right where it is given.
  static func set(
    _ text: String, such example: String = "motion.armAfter=60", _ configuration: inout RunConfiguration
  ) throws(CommandFailure) {
    guard let mark = text.firstIndex(of: "=") else {
      throw .usage("option '--set': '\(text)' is not NAME=VALUE, such as \(example)")
    }
    let name = String(text[..<mark])
    try set(name, String(text[text.index(after: mark)...]), option: "--set", &configuration)
  }

  private static func set(
    _ name: String, _ value: String, option: String, _ configuration: inout RunConfiguration
  ) throws(CommandFailure) {
    do throws(RunConfiguration.Refusal) {
      try configuration.set(name, to: value)
    } catch {
      guard let complaint = error.complaint else {
        let suggestion = nearest(to: name, among: Setting.all.map(\.name) + ["seed"])
        throw .usage("option '\(option)': there is no setting '\(name)'" + didYouMean(suggestion))
      }
      throw .usage("option '\(option)': \(name): \(complaint)")
    }
  }

  /// Where the log goes, when one is asked for.
  ///
  /// - Throws: When it would be written over one of the recordings it is made from, or to a standard stream.
  static func recordPath(_ arguments: Arguments) throws(CommandFailure) -> String? {
    guard let path = arguments[ReplayCommand.record] else { return nil }
    guard path != "-" else { throw .usage("option '--record': a log is written to a file, not to standard output") }
    if let target = fileIdentity(path) {
      for file in arguments[ReplayCommand.files] where fileIdentity(file).map({ $0 == target }) ?? false {
        throw .usage("option '--record': '\(path)' is the recording '\(file)' itself, which would be lost")
      }
    }
    return path
  }

  /// The requests of `--at`, by time.
  static func requests(_ arguments: Arguments) throws(CommandFailure) -> [TimedRequest] {
    var requests: [TimedRequest] = []
    for text in arguments.all(ReplayCommand.commands) {
      guard let mark = text.firstIndex(of: "="), let seconds = Double(text[..<mark]), seconds >= 0, seconds < 1e9 else {
        throw .usage("option '--at': '\(text)' is not SECONDS=REQUEST, such as '600=alerts off'")
      }
      let request = String(text[text.index(after: mark)...])
      guard Request(text: request) != nil else {
        throw .usage("option '--at': " + RequestKind.complaint(about: request))
      }
      let time = Instant(microseconds: Int64((seconds * 1_000_000).rounded()))
      // One with a number comes in as by the console, so that it is obeyed once.
      let text = request.hasPrefix("#") ? "@0 \(request)" : request
      requests.append(TimedRequest(time: time, text: Array(text.utf8)))
    }
    return requests.sorted { $0.time < $1.time }
  }
}

/// What tells a regular file from all others, whatever it is called; nil when there is none.
func fileIdentity(_ path: String) -> [UInt64]? {
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return [UInt64(status.st_dev), UInt64(status.st_ino)]
}
