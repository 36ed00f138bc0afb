import ASCIIText
import OwnTracks
import PacketForms
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
    guard var run = try LogSequence(logs) else { return verdict }
    var tracker = Tracker(configuration: run.configuration.tracker)
    var produced: [Produced] = []
    var next = 0
    while let item = try run.next() {
      let reader = run.reader
      let record = run.record
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
        let logged = (isOutput ? "output " : "") + ReplayVerifier.withNamesOfToday(reader.payload)
        guard next < produced.count else { return part(logged, nil, at: time) }
        let replayed = produced[next]
        guard replayed.text == logged, replayed.time == time else { return part(logged, replayed, at: time) }
        next += 1
        verdict.matchCount += 1
      case .configuration, .note, .continuation: break
      }
    }
    // A log that ends in a power cut may have lost the last actions; a whole one may not.
    if next < produced.count, run.reader.report.truncatedAtByte == nil {
      verdict.difference = ReplayDifference(
        record: run.record + 1, offset: run.reader.recordOffset, time: produced[next].time, logged: nil,
        replayed: produced[next].text)
    }
    return verdict
  }

  /// An action as text. In logs of earlier versions some settings have other names.
  private static func withNamesOfToday(_ payload: [UInt8]) -> String {
    let text = String(decoding: payload, as: UTF8.self)
    guard text.contains(",\"setting\":\"") else { return text }
    for setting in Setting.all {
      guard let earlier = setting.earlierName else { continue }
      let renamed = text.replacing(",\"setting\":\"\(earlier)\"", with: ",\"setting\":\"\(setting.name)\"")
      if renamed != text { return renamed }
    }
    return text
  }

  /// True when the bytes are a message of a packet that waits, in one of the forms; a narrow transport has it without some of it.
  private static func isMessage(_ bytes: [UInt8], of tracker: borrowing Tracker) -> Bool {
    let topics = topics(in: bytes)
    // Few are shortened: those are looked at last.
    for cut in PacketCut.allCases {
      for place in 0..<tracker.outbox.count {
        for topic in topics {
          let form = OwnTracksTopicForm(topic: topic.span)
          if isMessage(bytes, at: place, as: ShortForm(form, cut), of: tracker) { return true }
        }
        for format in PacketFormat.allCases where isMessage(bytes, at: place, as: ShortForm(format, cut), of: tracker) {
          return true
        }
      }
    }
    return false
  }

  /// Topics of a way whose message in OwnTracks' form this may be: what the message says, without what stands behind a way's topic; or none.
  private static func topics(in bytes: [UInt8]) -> [[UInt8]] {
    guard let object = JSONValue(bytes.span), object.member("_type", in: bytes.span) != nil else { return [] }
    guard let topic = object.member("topic", in: bytes.span) else { return [[]] }
    var text = ByteBuffer()
    topic.appendText(of: bytes.span, to: &text)
    return MessageTopic.allCases.compactMap { kind in
      let suffix = Array("\(kind.suffix)".utf8)
      return text.bytes.suffix(suffix.count).elementsEqual(suffix) ? Array(text.bytes.dropLast(suffix.count)) : nil
    }
  }

  private static func isMessage(
    _ bytes: [UInt8], at place: Int, as form: some PacketForm, of tracker: borrowing Tracker
  ) -> Bool {
    var part = 0
    var buffer = ByteBuffer()
    while let message = tracker.encodePacket(at: place, part: part, as: form, into: &buffer) {
      if buffer.bytes == bytes { return true }
      if message.isLast { break }
      part += 1
      buffer = ByteBuffer(reusing: buffer.bytes)
    }
    return false
  }

  private static func drain(_ tracker: inout Tracker, into produced: inout [Produced]) {
    while let action = tracker.nextAction() {
      var buffer = ByteBuffer()
      switch action {
      case .persist, .sound, .sense, .restart: break
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
