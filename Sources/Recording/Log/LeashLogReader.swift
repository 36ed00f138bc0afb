import Glibc
public import TrackerLog
public import TrackerRuntime

/// One record of a Leash log. Bytes that belong to it lie in the reader's `payload` until the next call.
public typealias LogRecord = TrackerLog.LogRecord

/// Reads a Leash log, record by record, as far as it is whole.
///
/// A log that ends in the middle of a record (power cut) ends with its last whole record; `report.truncatedAtByte` says
/// so. A damaged stretch is passed over and counted. No content makes it crash or take more than a few megabytes.
public final class LeashLogReader {
  /// What was passed over; lines are byte offsets.
  public var report: ImportReport {
    var report = remarks
    report.note(reader.damage)
    return report
  }
  /// The bytes of the last record, when it has some.
  public private(set) var payload: [UInt8] = []
  /// Offset in the log of the record last read.
  public var recordOffset: Int { reader.recordOffset }

  private var reader: LogReader<ByteWindow>
  /// The report without what the reader counts itself.
  private var remarks: ImportReport

  /// Opens a log, packed with gzip or not; `-` is standard input.
  ///
  /// - Throws: when the file is no Leash log or of a later version.
  public convenience init(path: String) throws(RecordingError) {
    try self.init(ByteSource(path: path))
  }

  /// Reads a log from a byte source.
  public convenience init(_ source: ByteSource) throws(RecordingError) {
    try self.init(window: ByteWindow(source))
  }

  init(window: ByteWindow) throws(RecordingError) {
    reader = LogReader(window)
    remarks = ImportReport(file: window.source.name)
    try readHeader()
  }

  /// Starts at a marker in the middle of a file.
  init(window: ByteWindow, at offset: Int) {
    reader = LogReader(window, at: offset)
    remarks = ImportReport(file: window.source.name)
  }

  /// True when the bytes begin like a Leash log.
  static func recognizes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { LogFormat.begins(bytes) }

  /// The next record; nil at the end, whether whole or cut.
  ///
  /// - Throws: errors of the operating system only.
  public func next() throws(RecordingError) -> LogRecord? {
    guard let record = reader.next() else {
      if let failure = reader.window.failure {
        if case .system = failure.kind { throw failure }
        // A gzip stream that ends early is a cut log.
        remarks.remark(failure.found)
      }
      return nil
    }
    if record.hasPayload {
      payload.removeAll(keepingCapacity: true)
      payload.append(contentsOf: reader.payload)
    }
    return record
  }

  private func readHeader() throws(RecordingError) {
    let name = remarks.file
    switch reader.readHeader() {
    case .intact, .damaged: break
    case .short:
      if let failure = reader.window.failure { throw failure }
      throw RecordingError(
        kind: .truncated, file: name, found: "\(reader.window.count) bytes",
        expected: "a Leash log, which has at least a header of \(LogFormat.headerLength) bytes")
    case .foreign: throw RecordingError(kind: .malformed, file: name, found: "not a Leash log")
    case .version(let found):
      throw RecordingError(
        kind: .unsupported, file: name, found: "a Leash log of version \(found)",
        expected: "version \(LogFormat.version)")
    }
  }
}

extension ByteWindow: LogWindow {
  var limit: Int { ByteWindow.maximumCapacity }

  /// A gzip stream that ends early is a cut log; an IO error is an error.
  var isBroken: Bool {
    if case .system? = failure?.kind { return true }
    return false
  }

  static func checksum(_ seed: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 { zlibChecksum(seed, bytes) }
}

extension LogRecord {
  /// True when the reader's `payload` belongs to it.
  fileprivate var hasPayload: Bool {
    switch self {
    case .configuration, .action, .output, .note, .continuation: true
    case .input(.bytes), .input(.command), .input(.restoration), .input(.recalled): true
    case .input: false
    }
  }
}

extension ImportReport {
  fileprivate mutating func note(_ damage: LogDamage) {
    set(.damagedStretch, count: damage.stretchCount, firstLine: damage.firstStretch)
    set(.unknownRecord, count: damage.unknownCount, firstLine: damage.firstUnknown)
    skippedByteCount = damage.skippedByteCount
    truncatedAtByte = damage.truncatedAtByte
  }
}
