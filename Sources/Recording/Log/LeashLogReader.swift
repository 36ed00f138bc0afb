import CZlib
import Glibc
public import Quantities
public import TrackerCore
public import TrackerRuntime

/// One record of a Leash log. Bytes that belong to it lie in the reader's `payload` until the next call.
public enum LogRecord: Equatable, Sendable {
  /// The configuration; its text is in `payload`.
  case configuration
  /// Something that went into the tracker.
  case input(TrackerInput)
  /// Something the tracker did; its encoding is in `payload`.
  case action(Instant)
  /// Bytes the tracker sent; they are in `payload`.
  case output(port: UInt8, time: Instant)
  /// A remark; its text is in `payload`.
  case note(Instant)
  /// The log goes on where another ended, whose name is in `payload`.
  case continuation

  /// When it happened; nil for the configuration.
  public var time: Instant? {
    switch self {
    case .configuration, .continuation: nil
    case .input(let input): input.time
    case .action(let time), .note(let time), .output(_, let time): time
    }
  }
}

/// Reads a Leash log, record by record, as far as it is whole.
///
/// A log that ends in the middle of a record (power cut) ends with its last whole record; `report.truncatedAtByte` says
/// so. A damaged stretch is passed over and counted. No content makes it crash or take more than a few megabytes.
public final class LeashLogReader {
  /// What was passed over; lines are byte offsets.
  public private(set) var report: ImportReport
  /// The bytes of the last record, when it has some.
  public private(set) var payload: [UInt8] = []
  /// Offset in the log of the record last read.
  public private(set) var recordOffset = 0

  private let window: ByteWindow
  private let offsetBase: Int
  private var markerTime = Instant.zero
  private var baseChecksum = checksumOfBase(.zero)
  private var block = InertialBlockDecoder()

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
    self.window = window
    offsetBase = 0
    report = ImportReport(file: window.source.name)
    try readHeader()
  }

  /// Starts at a marker in the middle of a file.
  init(window: ByteWindow, at offset: Int) {
    self.window = window
    offsetBase = offset
    report = ImportReport(file: window.source.name)
  }

  /// True when the bytes begin like a Leash log.
  static func recognizes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.starts(with: LogFormat.magic) }

  /// The next record; nil at the end, whether whole or cut.
  ///
  /// - Throws: errors of the operating system only.
  public func next() throws(RecordingError) -> LogRecord? {
    while true {
      if let sample = block.take() { return .input(.inertial(sample)) }
      guard let head = try nextFrame() else { return nil }
      let start = window.pointer
      var reader = PayloadReader(start: start + head.headLength, count: head.payloadLength)
      let record = decode(head.type, &reader)
      let isInertial = head.type == LogFormat.RecordType.inertialBlock.rawValue && block.count > 0
      if record == nil, !isInertial, head.type != LogFormat.RecordType.marker.rawValue {
        let isKnown = LogFormat.RecordType(rawValue: head.type) != nil
        report.count(isKnown ? .damagedStretch : .unknownRecord, line: recordOffset)
        if isKnown { report.skippedByteCount += head.totalLength }
      }
      window.consume(head.totalLength)
      if let record { return record }
    }
  }

  // MARK: Content

  private func decode(_ type: UInt8, _ reader: inout PayloadReader) -> LogRecord? {
    switch LogFormat.RecordType(rawValue: type) {
    case .configuration:
      take(reader.rest)
      return .configuration
    case .inertialBlock:
      _ = block.decode(&reader, relativeTo: markerTime)
      return nil
    case .fix:
      return reader.fix(relativeTo: markerTime).map { .input(.fix($0)) }
    case .reading: return reader.reading(at: instant(&reader)).map { .input(.reading($0)) }
    case .bytes:
      let time = instant(&reader)
      let port = reader.byte()
      take(reader.rest)
      return reader.isDamaged ? nil : .input(.bytes(port: port, time: time))
    case .tick:
      let time = instant(&reader)
      return reader.isDamaged || !reader.isAtEnd ? nil : .input(.tick(time))
    case .command:
      let time = instant(&reader)
      take(reader.rest)
      return reader.isDamaged ? nil : .input(.command(time))
    case .acknowledgement:
      let time = instant(&reader)
      let sequence = UInt32(exactly: reader.varint())
      guard let sequence, !reader.isDamaged, reader.isAtEnd else { return nil }
      return .input(.acknowledgement(time, sequence: sequence))
    case .settlement:
      let time = instant(&reader)
      let sequence = UInt32(exactly: reader.varint())
      let receiver = reader.byte()
      let outcome = reader.byte()
      guard let sequence, outcome <= 1, !reader.isDamaged, reader.isAtEnd else { return nil }
      return .input(.settlement(time, sequence: sequence, receiver: receiver, isDelivered: outcome == 1))
    case .spool: return spoolRecord(instant(&reader), &reader)
    case .restoration:
      let time = instant(&reader)
      take(reader.rest)
      return reader.isDamaged ? nil : .input(.restoration(time))
    case .continuation:
      take(reader.rest)
      return .continuation
    case .action:
      let time = instant(&reader)
      take(reader.rest)
      return reader.isDamaged ? nil : .action(time)
    case .output:
      let time = instant(&reader)
      let port = reader.byte()
      take(reader.rest)
      return reader.isDamaged ? nil : .output(port: port, time: time)
    case .note:
      let time = instant(&reader)
      take(reader.rest)
      return reader.isDamaged ? nil : .note(time)
    case .marker:
      reader.skip(LogFormat.markerPattern.count)
      let time = Int64(bitPattern: reader.fixed64())
      if !reader.isDamaged {
        markerTime = Instant(microseconds: time)
        baseChecksum = checksumOfBase(markerTime)
      }
      return nil
    case nil:
      return nil
    }
  }

  private func spoolRecord(_ time: Instant, _ reader: inout PayloadReader) -> LogRecord? {
    let what = reader.byte()
    if what == 2 {
      let pending = reader.byte()
      take(reader.rest)
      return reader.isDamaged ? nil : .input(.recalled(time, pending: pending))
    }
    guard let number = UInt32(exactly: reader.varint()), what <= 3, !reader.isDamaged, reader.isAtEnd else {
      return nil
    }
    return .input(what == 3 ? .spoolCount(time, number) : .spooled(time, sequence: number, isKept: what == 1))
  }

  private func instant(_ reader: inout PayloadReader) -> Instant {
    Instant(microseconds: markerTime.microseconds &+ reader.signed())
  }

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    payload.removeAll(keepingCapacity: true)
    payload.append(contentsOf: bytes)
  }

  // MARK: Frames

  private struct Frame {
    var type: UInt8
    var headLength: Int
    var payloadLength: Int
    var totalLength: Int { headLength + payloadLength + 4 }
  }

  private enum FrameState {
    case whole(Frame)
    /// The checksum is wrong; the length may be right or not.
    case damaged(Frame?)
    /// The file ends before the frame does.
    case cut
  }

  private func readHeader() throws(RecordingError) {
    let name = window.source.name
    guard window.require(LogFormat.headerLength) else {
      if let failure = window.failure { throw failure }
      throw RecordingError(
        kind: .truncated, file: name, found: "\(window.count) bytes",
        expected: "a Leash log, which has at least a header of \(LogFormat.headerLength) bytes")
    }
    let bytes = window.pointer
    guard LeashLogReader.recognizes(UnsafeBufferPointer(start: bytes, count: LogFormat.headerLength)) else {
      throw RecordingError(kind: .malformed, file: name, found: "not a Leash log")
    }
    var fields = PayloadReader(start: bytes + LogFormat.magic.count, count: 8)
    let version = fields.byte()
    let versionHigh = fields.byte()
    _ = fields.byte()
    _ = fields.byte()
    let isIntact = fields.fixed32() == checksum(bytes, 12)
    // With a wrong checksum the version means nothing; the records have their own checksums.
    let found = UInt16(version) | UInt16(versionHigh) << 8
    if isIntact, found != LogFormat.version {
      throw RecordingError(
        kind: .unsupported, file: name, found: "a Leash log of version \(found)",
        expected: "version \(LogFormat.version)")
    }
    if !isIntact { report.count(.damagedStretch, line: 0) }
    window.consume(LogFormat.headerLength)
  }

  /// Finds the next whole record, passing over what is damaged; nil at the end.
  private func nextFrame() throws(RecordingError) -> Frame? {
    while true {
      recordOffset = offsetBase + window.position
      switch frame(at: 0) {
      case .whole(let frame):
        return frame
      case .damaged(let frame):
        try rejectSystemFailure()
        if !passDamage(frame) { return nil }
      case .cut:
        try rejectSystemFailure()
        // The length itself may be damaged: an intact record behind it proves that the log goes on.
        if window.count == 0 || !passDamage(nil) { return nil }
      }
    }
  }

  /// Passes over a damaged stretch; false, with everything consumed, when nothing intact follows.
  private func passDamage(_ frame: Frame?) -> Bool {
    let start = window.position
    var isResumed = false
    if let frame, isFollowedWell(frame) {
      window.consume(frame.totalLength)
      isResumed = true
    } else {
      isResumed = seekIntactRecord()
    }
    report.skippedByteCount += window.position - start
    if isResumed {
      report.count(.damagedStretch, line: recordOffset)
    } else {
      report.truncatedAtByte = recordOffset
    }
    return isResumed
  }

  /// A gzip stream that ends early is a cut log; an IO error is an error.
  private func rejectSystemFailure() throws(RecordingError) {
    guard let failure = window.failure else { return }
    if case .system = failure.kind { throw failure }
    report.remark(failure.found)
  }

  private func frame(at offset: Int) -> FrameState {
    // No record is shorter than type, length and checksum.
    guard window.require(offset + 6) else { return .cut }
    guard let frame = head(at: offset) else { return .damaged(nil) }
    guard window.require(offset + frame.totalLength) else { return .cut }
    return isIntact(frame, at: offset) ? .whole(frame) : .damaged(frame)
  }

  /// The type and length at an offset with at least four bytes at hand; nil when the length is out of range.
  private func head(at offset: Int) -> Frame? {
    let start = window.pointer + offset
    var length = 0
    for index in 1...3 {
      length |= Int(start[index] & 0x7F) << (7 * (index - 1))
      if start[index] & 0x80 == 0 {
        guard length <= LogFormat.maximumPayload else { return nil }
        return Frame(type: start[0], headLength: index + 1, payloadLength: length)
      }
    }
    return nil
  }

  /// Compares the checksum of a frame that is at hand.
  private func isIntact(_ frame: Frame, at offset: Int) -> Bool {
    let start = window.pointer + offset
    let length = frame.headLength + frame.payloadLength
    var stored = PayloadReader(start: start + length, count: 4)
    let isMarker = frame.type == LogFormat.RecordType.marker.rawValue
    if isMarker, frame.payloadLength != LogFormat.markerPayloadLength { return false }
    let seed = isMarker ? 0 : baseChecksum
    return stored.fixed32() == UInt32(truncatingIfNeeded: crc32(UInt(seed), start, UInt32(length)))
  }

  /// True when the record behind a damaged one is intact, or the file ends there: then its length was right.
  private func isFollowedWell(_ frame: Frame) -> Bool {
    switch self.frame(at: frame.totalLength) {
    case .whole: true
    case .damaged: false
    case .cut: window.count == frame.totalLength
    }
  }

  /// Moves to the next intact record; false, with everything consumed, when there is none.
  ///
  /// A checksum covers the instant of the marker to which the record's times refer, so a record that passes has its
  /// base, even when a marker was lost. Work is bounded: after some megabytes of failed checksums only markers are
  /// looked for.
  private func seekIntactRecord() -> Bool {
    var budget = LeashLogReader.searchBudget
    var offset = 1
    while true {
      guard window.require(offset + 6) else {
        window.consume(window.count)
        return false
      }
      let type = window.pointer[offset]
      let isMarker = type == LogFormat.RecordType.marker.rawValue
      if isMarker || (budget > 0 && LogFormat.RecordType(rawValue: type) != nil), let found = head(at: offset),
        found.totalLength <= LeashLogReader.searchedRecordLength, window.require(offset + found.totalLength)
      {
        if !isMarker { budget -= found.totalLength }
        if isIntact(found, at: offset) {
          window.consume(offset)
          return true
        }
      }
      offset += 1
      if offset >= LeashLogReader.searchedRecordLength {
        window.consume(offset)
        offset = 0
      }
    }
  }

  /// Bytes to run through the checksum in search of a record, for one damaged stretch.
  private static let searchBudget = 16 * 1024 * 1024
  /// Longer records are not looked for in a damaged stretch.
  private static let searchedRecordLength = 8 * 1024

  private func checksum(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, start, UInt32(count)))
  }
}
