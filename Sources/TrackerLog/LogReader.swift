import Quantities
import TrackerCore

/// What a reader of a log has passed over; offsets are those of the first.
package struct LogDamage: Equatable {
  /// Damaged stretches.
  package var stretchCount = 0
  package var firstStretch = 0
  /// Records of a type that this version does not know.
  package var unknownCount = 0
  package var firstUnknown = 0
  /// Records that are too long for the window; their checksums are not looked at.
  package var overlongCount = 0
  /// Bytes of damaged stretches.
  package var skippedByteCount = 0
  /// Where the log ends in the middle of a record.
  package var truncatedAtByte: Int?

  package init() {}

  mutating func countStretch(at offset: Int) {
    if stretchCount == 0 { firstStretch = offset }
    stretchCount += 1
  }

  mutating func countUnknown(at offset: Int) {
    if unknownCount == 0 { firstUnknown = offset }
    unknownCount += 1
  }
}

/// Reads a Leash log, record by record, as far as it is whole, without a heap.
///
/// A log that ends in the middle of a record (power cut) ends with its last whole record. A damaged stretch is passed over and
/// counted. No content makes it crash.
package struct LogReader<Window: LogWindow & ~Copyable>: ~Copyable {
  /// What is known of the beginning of a log.
  package enum Header: Equatable {
    /// A log of this version.
    case intact
    /// The checksum of the header is wrong, which says nothing of the records.
    case damaged
    /// Shorter than a header.
    case short
    /// No Leash log.
    case foreign
    /// A log of another version.
    case version(UInt16)
  }

  /// What was passed over.
  package private(set) var damage = LogDamage()
  /// Offset in the log of the record last read.
  package private(set) var recordOffset = 0
  /// The window that it reads through.
  package var window: Window

  private let offsetBase: Int
  private var markerTime = Instant.zero
  private var baseChecksum = Window.checksum(ofBase: 0)
  private var block = InertialBlockDecoder()
  /// The frame that was given last: its bytes stay until the next call.
  private var frameLength = 0
  private var payloadStart = 0
  private var payloadCount = 0

  /// Reads from a window at the beginning of a log, or at a marker in its middle.
  ///
  /// - Parameter offset: Where in the log the window begins.
  package init(_ window: consuming Window, at offset: Int = 0) {
    self.window = window
    offsetBase = offset
  }

  /// The bytes of the last record, when it has some; valid until the next call of `next`.
  package var payload: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: window.pointer + payloadStart, count: payloadCount)
  }

  /// Passes over the header; the first call when the window is at the beginning of a log.
  package mutating func readHeader() -> Header {
    guard window.require(LogFormat.headerLength) else {
      let rest = UnsafeBufferPointer(start: window.pointer, count: min(window.count, LogFormat.signature.count))
      return LogFormat.mayBegin(rest) ? .short : .foreign
    }
    let bytes = window.pointer
    guard LogFormat.begins(UnsafeBufferPointer(start: bytes, count: LogFormat.headerLength)) else { return .foreign }
    var fields = PayloadReader(start: bytes + LogFormat.signature.count, count: 8)
    let version = UInt16(fields.byte()) | UInt16(fields.byte()) << 8
    fields.skip(2)
    let isIntact = fields.fixed32() == Window.checksum(0, UnsafeBufferPointer(start: bytes, count: 12))
    // With a wrong checksum the version means nothing; the records have their own checksums.
    if isIntact, version != LogFormat.version { return .version(version) }
    if !isIntact {
      damage.countStretch(at: 0)
      damage.skippedByteCount += LogFormat.headerLength
    }
    window.consume(LogFormat.headerLength)
    return isIntact ? .intact : .damaged
  }

  /// The next record; nil at the end, whether whole or cut.
  package mutating func next() -> LogRecord? {
    payloadCount = 0
    while true {
      if let sample = block.take() { return .input(.inertial(sample)) }
      window.consume(frameLength)
      frameLength = 0
      payloadStart = 0
      guard let frame = nextFrame() else { return nil }
      frameLength = frame.totalLength
      var reader = PayloadReader(start: window.pointer + frame.headLength, count: frame.payloadLength)
      if let record = decode(frame, &reader) { return record }
      payloadCount = 0
      let type = LogFormat.RecordType(rawValue: frame.type)
      if type == .marker || (type == .inertialBlock && block.count > 0) { continue }
      guard type != nil else {
        damage.countUnknown(at: recordOffset)
        continue
      }
      damage.countStretch(at: recordOffset)
      damage.skippedByteCount += frame.totalLength
    }
  }

  // MARK: Content

  private mutating func decode(_ frame: LogFrame, _ reader: inout PayloadReader) -> LogRecord? {
    switch LogFormat.RecordType(rawValue: frame.type) {
    case .configuration:
      take(frame, &reader)
      return .configuration
    case .inertialBlock:
      _ = block.decode(&reader, relativeTo: markerTime)
      return nil
    case .fix:
      guard let fix = reader.fix(relativeTo: markerTime) else { return nil }
      return .input(.fix(fix))
    case .reading:
      guard let reading = reader.reading(at: instant(&reader)) else { return nil }
      return .input(.reading(reading))
    case .bytes:
      let time = instant(&reader)
      let port = reader.byte()
      take(frame, &reader)
      return reader.isDamaged ? nil : .input(.bytes(port: port, time: time))
    case .tick:
      let time = instant(&reader)
      return reader.isDamaged || !reader.isAtEnd ? nil : .input(.tick(time))
    case .command:
      let time = instant(&reader)
      take(frame, &reader)
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
    case .spool: return spoolRecord(frame, instant(&reader), &reader)
    case .restoration:
      let time = instant(&reader)
      take(frame, &reader)
      return reader.isDamaged ? nil : .input(.restoration(time))
    case .continuation:
      take(frame, &reader)
      return .continuation
    case .action:
      let time = instant(&reader)
      take(frame, &reader)
      return reader.isDamaged ? nil : .action(time)
    case .output:
      let time = instant(&reader)
      let port = reader.byte()
      take(frame, &reader)
      return reader.isDamaged ? nil : .output(port: port, time: time)
    case .note:
      let time = instant(&reader)
      take(frame, &reader)
      return reader.isDamaged ? nil : .note(time)
    case .marker:
      reader.skip(LogFormat.markerSignature.count)
      let time = Int64(bitPattern: reader.fixed64())
      if !reader.isDamaged {
        markerTime = Instant(microseconds: time)
        baseChecksum = Window.checksum(ofBase: time)
      }
      return nil
    case nil:
      return nil
    }
  }

  private mutating func spoolRecord(
    _ frame: LogFrame, _ time: Instant, _ reader: inout PayloadReader
  ) -> LogRecord? {
    let what = reader.byte()
    if what == 2 {
      let pending = reader.byte()
      take(frame, &reader)
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

  private mutating func take(_ frame: LogFrame, _ reader: inout PayloadReader) {
    payloadCount = reader.rest.count
    payloadStart = frame.headLength + frame.payloadLength - payloadCount
  }

  // MARK: Frames

  /// Finds the next whole record, passing over what is damaged; nil at the end.
  private mutating func nextFrame() -> LogFrame? {
    while true {
      recordOffset = offsetBase + window.position
      switch frame(at: 0) {
      case .whole(let frame):
        return frame
      case .overlong(let frame):
        if !passOverlong(frame.totalLength) { return nil }
      case .damaged(let frame):
        if window.isBroken || !passDamage(frame) { return nil }
      case .cut:
        // The length itself may be damaged: an intact record behind it proves that the log goes on.
        if window.isBroken || window.count == 0 || !passDamage(nil) { return nil }
      }
    }
  }

  /// Passes over a record that the window has no room for; false when the log ends before it does.
  private mutating func passOverlong(_ length: Int) -> Bool {
    var left = length
    while left > 0 {
      guard window.require(1) else {
        if !window.isBroken { damage.truncatedAtByte = recordOffset }
        return false
      }
      let count = min(left, window.count)
      window.consume(count)
      left -= count
    }
    damage.overlongCount += 1
    return true
  }

  /// Passes over a damaged stretch; false, with everything consumed, when nothing intact follows.
  private mutating func passDamage(_ frame: LogFrame?) -> Bool {
    let start = window.position
    var isResumed = false
    if let frame, isFollowedWell(frame) {
      window.consume(frame.totalLength)
      isResumed = true
    } else {
      isResumed = seekIntactRecord()
    }
    damage.skippedByteCount += window.position - start
    if isResumed {
      damage.countStretch(at: recordOffset)
    } else {
      damage.truncatedAtByte = recordOffset
    }
    return isResumed
  }

  private mutating func frame(at offset: Int) -> LogFrameState {
    // No record is shorter than type, length and checksum.
    guard window.require(offset + 6) else { return .cut }
    guard let frame = head(at: offset) else { return .damaged(nil) }
    if frame.totalLength > window.limit { return .overlong(frame) }
    guard window.require(offset + frame.totalLength) else { return .cut }
    return isIntact(frame, at: offset) ? .whole(frame) : .damaged(frame)
  }

  /// The type and length at an offset with at least four bytes at hand; nil when the length is out of range.
  private func head(at offset: Int) -> LogFrame? {
    let start = window.pointer + offset
    var length = 0
    for index in 1...3 {
      length |= Int(start[index] & 0x7F) << (7 * (index - 1))
      if start[index] & 0x80 == 0 {
        guard length <= LogFormat.maximumPayload else { return nil }
        return LogFrame(type: start[0], headLength: index + 1, payloadLength: length)
      }
    }
    return nil
  }

  /// Compares the checksum of a frame that is at hand.
  private func isIntact(_ frame: LogFrame, at offset: Int) -> Bool {
    let start = window.pointer + offset
    let length = frame.headLength + frame.payloadLength
    var stored = PayloadReader(start: start + length, count: 4)
    let isMarker = frame.type == LogFormat.RecordType.marker.rawValue
    if isMarker, frame.payloadLength != LogFormat.markerPayloadLength { return false }
    let seed = isMarker ? 0 : baseChecksum
    return stored.fixed32() == Window.checksum(seed, UnsafeBufferPointer(start: start, count: length))
  }

  /// True when the record behind a damaged one is intact, or the file ends there: then its length was right.
  private mutating func isFollowedWell(_ frame: LogFrame) -> Bool {
    switch self.frame(at: frame.totalLength) {
    case .whole: return true
    case .damaged, .overlong: return false
    case .cut: return window.count == frame.totalLength
    }
  }

  /// Moves to the next intact record; false, with everything consumed, when there is none.
  ///
  /// A checksum covers the instant of the marker to which the record's times refer, so a record that passes has its
  /// base, even when a marker was lost. Work is bounded: after some megabytes of failed checksums only markers are
  /// looked for.
  private mutating func seekIntactRecord() -> Bool {
    var budget = LogFormat.searchBudget
    var offset = 1
    while true {
      guard window.require(offset + 6) else {
        window.consume(window.count)
        return false
      }
      let type = window.pointer[offset]
      let isMarker = type == LogFormat.RecordType.marker.rawValue
      if isMarker || (budget > 0 && LogFormat.RecordType(rawValue: type) != nil), let found = head(at: offset),
        found.totalLength <= LogFormat.searchedRecordLength, window.require(offset + found.totalLength)
      {
        if !isMarker { budget -= found.totalLength }
        if isIntact(found, at: offset) {
          window.consume(offset)
          return true
        }
      }
      offset += 1
      if offset >= LogFormat.searchedRecordLength {
        window.consume(offset)
        offset = 0
      }
    }
  }
}

extension LogFormat {
  /// Bytes to run through the checksum in search of a record, for one damaged stretch.
  static var searchBudget: Int { 16 * 1024 * 1024 }
  /// Longer records are not looked for in a damaged stretch.
  static var searchedRecordLength: Int { 8 * 1024 }

  /// True when the bytes begin like a Leash log.
  package static func begins(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= signature.count
      && mayBegin(UnsafeBufferPointer(start: bytes.baseAddress, count: signature.count))
  }

  /// True for a log that is cut within its signature.
  static func mayBegin(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for place in 0..<bytes.count where bytes[place] != signature[place] { return false }
    return true
  }
}

/// What stands around a payload.
struct LogFrame {
  var type: UInt8
  var headLength: Int
  var payloadLength: Int
  var totalLength: Int { headLength + payloadLength + 4 }
}

/// What is found where a record should begin.
enum LogFrameState {
  case whole(LogFrame)
  /// The checksum is wrong; the length may be right or not.
  case damaged(LogFrame?)
  /// The window has no room for it.
  case overlong(LogFrame)
  /// The log ends before the frame does.
  case cut
}
