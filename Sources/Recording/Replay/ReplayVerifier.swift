import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

/// Where a replay and its log part.
public struct ReplayDifference: Error, Equatable, Sendable {
  /// Number of the record in the log, from 1; one past the last when the log ends too early.
  public var record: Int
  /// Byte offset of that record.
  public var offset: Int
  /// When, on the tracker's clock.
  public var time: Instant
  /// What the log has there; nil when the log has nothing.
  public var logged: String?
  /// What the tracker does now; nil when it does nothing.
  public var replayed: String?
}

/// What a check found.
public struct ReplayVerdict: Equatable, Sendable {
  /// Inputs that were given to the tracker.
  public var inputCount = 0
  /// Actions and outputs that were the same.
  public var matchCount = 0
  /// The first that was not.
  public var difference: ReplayDifference?
}

/// Gives a log's inputs to a new tracker and compares all it does with what the log says it did, byte for byte.
///
/// Which way got which packet when is decided by servers and lines and not repeated; but every message that went on a way has to be
/// one of a packet that waited then.
public struct ReplayVerifier {
  private enum Produced {
    case action([UInt8], Instant)
    case output([UInt8], Instant)

    var text: String {
      switch self {
      case .action(let bytes, _): String(decoding: bytes, as: UTF8.self)
      case .output(let bytes, _): "output " + String(decoding: bytes, as: UTF8.self)
      }
    }

    var time: Instant {
      switch self {
      case .action(_, let time), .output(_, let time): time
      }
    }
  }

  /// Checks a log up to the first difference.
  ///
  /// - Parameters:
  ///   - logs: At their beginnings; each but the first goes on where the one before ended.
  ///   - progress: Called now and then with the time reached.
  /// - Throws: When the log can't be read, or is not one a tracker wrote.
  public static func check(
    _ logs: [LeashLogReader], progress: (Instant) -> Void = { _ in }
  ) throws(RecordingError) -> ReplayVerdict {
    var verdict = ReplayVerdict()
    guard var reader = logs.first else { return verdict }
    let configuration = try configuration(of: reader)
    var rest = logs.dropFirst()
    var previous: String?
    var tracker = Tracker(configuration: configuration.tracker)
    var produced: [Produced] = []
    var next = 0
    var record = 1
    while true {
      guard let item = try reader.next() else {
        guard let next = rest.popFirst() else { break }
        previous = reader.report.file
        reader = next
        guard try Self.configuration(of: reader) == configuration else {
          throw RecordingError(
            kind: .malformed, file: reader.report.file, found: "another configuration",
            expected: "the log that goes on from \(previous ?? "the one before")")
        }
        guard case .continuation? = try reader.next() else {
          throw RecordingError(
            kind: .malformed, file: reader.report.file, found: "a log with a beginning of its own",
            expected: "one that goes on from \(previous ?? "the one before")")
        }
        try expect(reader, toGoOnFrom: previous)
        record = 2
        continue
      }
      record += 1
      func part(_ logged: String?, _ replayed: Produced?, at time: Instant) -> ReplayVerdict {
        var result = verdict
        result.difference = ReplayDifference(
          record: record, offset: reader.recordOffset, time: time, logged: logged, replayed: replayed?.text)
        return result
      }
      switch item {
      case .input(let input):
        if next < produced.count { return part(nil, produced[next], at: produced[next].time) }
        produced.removeAll(keepingCapacity: true)
        next = 0
        let payload = reader.payload
        tracker.take(input, payload: payload.span)
        verdict.inputCount += 1
        if verdict.inputCount % 4096 == 0 { progress(input.time) }
        // What comes back from the spool comes together; how much is left is told at its end.
        if case .recalled = input { continue }
        drain(&tracker, into: &produced)
      case .output(let port, let time) where port >= firstWayPort:
        guard isMessage(reader.payload, of: tracker) else {
          return part("message " + String(decoding: reader.payload, as: UTF8.self), nil, at: time)
        }
      case .action(let time), .output(_, let time):
        var isOutput = false
        if case .output = item { isOutput = true }
        let logged = (isOutput ? "output " : "") + String(decoding: reader.payload, as: UTF8.self)
        guard next < produced.count else { return part(logged, nil, at: time) }
        let replayed = produced[next]
        guard replayed.text == logged, replayed.time == time else { return part(logged, replayed, at: time) }
        next += 1
        verdict.matchCount += 1
      case .configuration, .note: break
      case .continuation: try expect(reader, toGoOnFrom: nil)
      }
    }
    // A log that ends in a power cut may have lost the last actions; a whole one may not.
    if next < produced.count, reader.report.truncatedAtByte == nil {
      verdict.difference = ReplayDifference(
        record: record + 1, offset: reader.recordOffset, time: produced[next].time, logged: nil,
        replayed: produced[next].text)
    }
    return verdict
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
  private static func expect(_ reader: LeashLogReader, toGoOnFrom previous: String?) throws(RecordingError) {
    let wanted = String(decoding: reader.payload, as: UTF8.self)
    guard !wanted.isEmpty else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "a log that begins in the middle of a run",
        expected: "one that begins with it: what the tracker knew by then is not recorded")
    }
    guard let previous, previous == wanted || previous.hasSuffix("/" + wanted) else {
      throw RecordingError(
        kind: .malformed, file: reader.report.file, found: "a log that goes on from \(wanted)",
        expected: "that log before it")
    }
  }

  /// True when the bytes are a message of a packet that waits, in one of the forms.
  private static func isMessage(_ bytes: [UInt8], of tracker: borrowing Tracker) -> Bool {
    for place in 0..<tracker.outbox.count {
      for format in PacketFormat.allCases {
        var part = 0
        var buffer = ByteBuffer()
        while let message = tracker.encodePacket(at: place, part: part, as: format, into: &buffer) {
          if buffer.bytes == bytes { return true }
          if message.isLast { break }
          part += 1
          buffer = ByteBuffer(reusing: buffer.bytes)
        }
      }
    }
    return false
  }

  private static func drain(_ tracker: inout Tracker, into produced: inout [Produced]) {
    while let action = tracker.nextAction() {
      var buffer = ByteBuffer()
      switch action {
      case .persist, .sound, .restart: break
      // What the spool answered is the next input; the rest follows from it.
      case .spool, .recall: return
      case .event(let event):
        event.encodeJSON(into: &buffer)
        produced.append(.action(buffer.bytes, tracker.now))
      case .transmit:
        tracker.drainOutput(for: .uplink, into: &buffer)
        produced.append(.output(buffer.bytes, tracker.now))
      }
    }
  }
}
