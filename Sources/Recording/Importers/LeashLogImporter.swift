public import TrackerCore
public import TrackerRuntime

/// The inputs of a Leash log, exactly as they were written; configuration, actions, outputs and notes are passed over.
public final class LeashLogImporter: RecordingImporter {
  /// `Leash log`.
  public let formatName = "Leash log"
  /// The tracker's own clock.
  public let timeline = Timeline(basis: .elapsed)

  /// True once something the tracker did has been passed over: the log is that of a run, and not of sensors alone.
  public private(set) var isOfRun = false

  private let reader: LeashLogReader
  private var inputCount = 0
  private var pending: LogRecord?

  /// The text of the configuration the log begins with; nil when it begins with something else.
  public let configurationText: String?
  /// The name of the log that this one goes on from; nil when it goes on from none, or from one that has a hole at its end.
  public let earlierLog: String?

  init(_ window: ByteWindow) throws(RecordingError) {
    reader = try LeashLogReader(window: window)
    pending = try reader.next()
    guard pending == .configuration else {
      configurationText = nil
      earlierLog = nil
      return
    }
    configurationText = String(decoding: reader.payload, as: UTF8.self)
    pending = try reader.next()
    let isContinued = pending == .continuation && !reader.payload.isEmpty
    earlierLog = isContinued ? String(decoding: reader.payload, as: UTF8.self) : nil
  }

  /// What was passed over; lines are byte offsets.
  public var reports: [ImportReport] {
    var report = reader.report
    report.inputCount = inputCount
    return [report]
  }

  /// Bytes of the last input.
  public var payload: [UInt8] { reader.payload }

  /// The next input.
  public func next() throws(RecordingError) -> TrackerInput? {
    while let record = try nextRecord() {
      switch record {
      case .input(let input):
        inputCount += 1
        return input
      case .action, .output: isOfRun = true
      case .configuration, .note, .continuation: break
      }
    }
    return nil
  }

  private func nextRecord() throws(RecordingError) -> LogRecord? {
    guard let record = pending else { return try reader.next() }
    pending = nil
    return record
  }
}
