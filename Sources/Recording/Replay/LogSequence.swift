import TrackerRuntime

/// Logs of one run, one after the other, as one.
struct LogSequence {
  /// What the run was made with.
  let configuration: RunConfiguration
  /// The log that is read now; its payload is that of the last item.
  private(set) var reader: LeashLogReader
  /// Number of the last record in its log, from 1.
  private(set) var record = 1
  private var rest: ArraySlice<LeashLogReader>
  private var previous: String?

  /// Reads the configuration.
  ///
  /// - Parameter logs: At their beginnings; each but the first goes on where the one before ended. At least one.
  /// - Throws: When the log can't be read, or is not one a tracker wrote.
  init?(_ logs: [LeashLogReader]) throws(RecordingError) {
    guard let first = logs.first else { return nil }
    reader = first
    rest = logs.dropFirst()
    configuration = try LogSequence.configuration(of: first)
  }

  /// The next item; nil after the last of the last log.
  ///
  /// - Throws: When the log can't be read, or is not the one that goes on from the one before.
  mutating func next() throws(RecordingError) -> LogRecord? {
    while true {
      guard let item = try reader.next() else {
        guard let next = rest.popFirst() else { return nil }
        try goOn(with: next)
        continue
      }
      record += 1
      if case .continuation = item {
        try expect(toGoOnFrom: nil)
        continue
      }
      return item
    }
  }

  private mutating func goOn(with next: LeashLogReader) throws(RecordingError) {
    previous = reader.report.file
    reader = next
    guard try LogSequence.configuration(of: reader) == configuration else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "another configuration",
        expected: "the log that continues \(previous ?? "the one before")")
    }
    guard case .continuation? = try reader.next() else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "a log with a beginning of its own",
        expected: "one that continues \(previous ?? "the one before")")
    }
    try expect(toGoOnFrom: previous)
    record = 2
  }

  private static func configuration(of reader: LeashLogReader) throws(RecordingError) -> RunConfiguration {
    let name = reader.report.file
    guard case .configuration? = try reader.next() else {
      throw RecordingError(
        kind: .malformed, file: name, found: "a Leash log without a configuration",
        expected: "a log written by 'leash replay --record' or 'leash run'")
    }
    do {
      return try RunConfiguration(text: String(decoding: reader.payload, as: UTF8.self))
    } catch {
      throw RecordingError(
        kind: .malformed, file: name, found: "setting '\(error.name)' in the configuration",
        expected: error.expectation ?? "settings this version knows")
    }
  }

  /// Whether the log that was read before is the one this goes on from.
  private func expect(toGoOnFrom previous: String?) throws(RecordingError) {
    let wanted = String(decoding: reader.payload, as: UTF8.self)
    guard !wanted.isEmpty else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "a log that begins in the middle of a run",
        expected: "one that begins with it: the state of the tracker at that time is not recorded")
    }
    guard let previous, previous == wanted || previous.hasSuffix("/" + wanted) else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "a log that continues \(wanted)",
        expected: "that log before it")
    }
  }
}
