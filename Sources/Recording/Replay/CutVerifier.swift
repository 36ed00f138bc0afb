import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

/// What a check of power cuts found.
public struct CutVerdict: Equatable, Sendable {
  /// Inputs that were given to the tracker.
  public var inputCount = 0
  /// Cuts that were tried: one after each action.
  public var cutCount = 0
  /// Packets that lives after a cut sent again, each with the bytes of before.
  public var repeatedCount = 0
  /// Requests that were sent again after a cut, each answered and not obeyed.
  public var requestCount = 0
  /// What was wrong after the first cut that did not go well.
  public var trouble: CutTrouble?

  /// Nothing has been tried.
  package init() {}
}

/// What a power cut did that it must not do.
public struct CutTrouble: Equatable, Sendable {
  /// Number of the action after which the power went, from 1.
  public var action: Int
  /// When, on the tracker's clock.
  public var time: Instant
  /// The action, as JSON or in words.
  public var after: String
  /// What was wrong then.
  public var what: String

  package init(action: Int, time: Instant, after: String, what: String) {
    self.action = action
    self.time = time
    self.after = after
    self.what = what
  }
}

/// Gives a log's inputs to a tracker and cuts its power after each of its actions: another begins with what was kept by then.
///
/// After each cut, what had been handed over and had not been acknowledged is handed over again, and whatever is handed over again has
/// the bytes of before; numbers go on; settings, alerts and privacy are as they were; a numbered request that comes again is answered
/// and not obeyed again. Which packets have left meanwhile is the log's to say.
public struct CutVerifier {
  /// What a storage would have.
  private struct Kept {
    var sections: [UInt8: [UInt8]] = [:]
    var packets: [UInt32: [UInt8]] = [:]

    mutating func keep(_ wanted: StateSections, of tracker: borrowing Tracker) {
      for tag in StateSections.tags where wanted.contains(StateSections(tag: tag)) {
        sections[tag] = CutVerifier.section(tag, of: tracker)
      }
      guard wanted.contains(.waiting) else { return }
      var waiting: [UInt32: [UInt8]] = [:]
      for place in 0..<tracker.outbox.count {
        let (sequence, _) = tracker.outbox.name(at: place)
        if let bytes = packets[sequence] {
          waiting[sequence] = bytes
        } else {
          var buffer = ByteBuffer()
          tracker.encodePacket(at: place, into: &buffer)
          waiting[sequence] = buffer.bytes
        }
      }
      packets = waiting
    }

    var bytes: [UInt8] { sections.values.reduce([], +) + packets.values.reduce([], +) }
  }

  private var kept = Kept()
  private var verdict = CutVerdict()
  private var action = 0
  /// The bytes of each packet that was handed over.
  private var told: [UInt32: [UInt8]] = [:]
  private var lastAlert: UInt32 = 0
  /// The last numbered requests that were let in.
  private var requests: [[UInt8]] = []
  private let configuration: TrackerConfiguration

  /// Checks a log up to the first cut that does not go well.
  ///
  /// - Parameters:
  ///   - logs: At their beginnings; each but the first goes on where the one before ended.
  ///   - progress: Called now and then with the time reached.
  /// - Throws: When the log can't be read, or is not one a tracker wrote.
  public static func check(
    _ logs: [LeashLogReader], progress: (Instant) -> Void = { _ in }
  ) throws(RecordingError) -> CutVerdict {
    guard var run = try LogSequence(logs) else { return CutVerdict() }
    var check = CutVerifier(run.configuration.tracker)
    var tracker = Tracker(configuration: run.configuration.tracker)
    while check.verdict.trouble == nil, let item = try run.next() {
      guard case .input(let input) = item else { continue }
      let payload = run.reader.payload
      if case .restoration = input { check.begin(with: payload) }
      if case .command = input { check.note(payload) }
      tracker.take(input, payload: payload.span)
      check.verdict.inputCount += 1
      if check.verdict.inputCount % 4096 == 0 { progress(input.time) }
      if case .recalled = input { continue }
      check.live(&tracker)
    }
    return check.verdict
  }

  private init(_ configuration: TrackerConfiguration) { self.configuration = configuration }

  /// An earlier life has left this.
  private mutating func begin(with state: [UInt8]) {
    var place = 0
    while let section = StoredSection.next(in: state.span, from: place) {
      let bytes = Array(state[(section.start - StoredSection.headLength)..<section.end])
      if !StateSections(tag: section.tag).isEmpty {
        // A table has a section for each row.
        kept.sections[section.tag, default: []] += bytes
      } else if let packet = Packet(section, of: state.span) {
        kept.packets[packet.sequence] = bytes
      }
      place = section.end
    }
  }

  /// A request was let in; what only reads may be done twice, and what has no number can't be known again.
  private mutating func note(_ request: [UInt8]) {
    guard case .admitted(let asked, _, let number, _)? = RequestVerdict(request.span), number > 0,
      !asked.kind.isReadOnly
    else { return }
    requests.append(request)
    if requests.count > 8 { requests.removeFirst() }
  }

  /// Does what the tracker wants done; after each action the power goes.
  private mutating func live(_ tracker: inout Tracker) {
    while verdict.trouble == nil, let next = tracker.nextAction() {
      action += 1
      var isSettled = true
      var name: String
      switch next {
      // What the spool answered is the next input; the rest follows from it. What it takes is gone from here by then.
      case .spool, .recall: return
      case .persist(let sections):
        kept.keep(sections, of: tracker)
        name = "keeping its state"
      case .event(let event):
        switch event.kind {
        case .motion(.movement), .movedInPlace: lastAlert = max(lastAlert, tracker.lastAlert)
        default: break
        }
        name = json { event.encodeJSON(into: &$0) }
      case .transmit(let sequence, let kind):
        let bytes = bytes { _ = tracker.drainOutput(for: .uplink, into: &$0) }
        told[sequence] = bytes
        name = "packet \(sequence), \(kind.name)"
      case .sound: name = "a sound"
      case .sense: name = "a plan for its sensors"
      case .restart:
        name = "a restart"
        isSettled = false
      }
      verdict.cutCount += 1
      if let what = cut(tracker, isSettled: isSettled) {
        verdict.trouble = CutTrouble(action: action, time: tracker.now, after: name, what: what)
      }
    }
  }

  // MARK: After the cut

  /// The life after a power cut; what is wrong with it, or nil.
  private mutating func cut(_ tracker: borrowing Tracker, isSettled: Bool) -> String? {
    for tag in StateSections.tags where isSettled && StateSections.requested.contains(StateSections(tag: tag)) {
      let live = CutVerifier.content(CutVerifier.section(tag, of: tracker))
      guard CutVerifier.content(kept.sections[tag] ?? []) == live else {
        return "saved '\(StateSections.name(ofTag: tag) ?? "")' differs from the current state"
      }
    }
    var next = Tracker(configuration: configuration)
    let state = kept.bytes
    guard !state.isEmpty else { return tracker.outbox.count == 0 || told.isEmpty ? nil : "nothing is kept" }
    guard next.restore(state.span, at: tracker.now) else { return "can't restore the saved state" }
    guard !isSettled || next.configuration == tracker.configuration else { return "a setting is another" }
    guard next.monitor.alertsEnabled == tracker.monitor.alertsEnabled else {
      return "alerts are \(next.monitor.alertsEnabled ? "on" : "off") again"
    }
    guard next.lastAlert >= lastAlert else { return "alert \(lastAlert) is forgotten: the next would have its number" }
    let found = handOver(&next)
    for (sequence, bytes) in found {
      guard let before = told[sequence] else { continue }
      guard bytes == before else {
        return "packet \(sequence) was \(text(before)) and is \(text(bytes)) now"
      }
      verdict.repeatedCount += 1
    }
    for place in 0..<tracker.outbox.count {
      let (sequence, kind) = tracker.outbox.name(at: place)
      guard found[sequence] != nil || told[sequence] == nil else { return "packet \(sequence), \(kind.name), is lost" }
    }
    return repeatRequests(&next)
  }

  /// Everything that a tracker hands over, and everybody acknowledges.
  private func handOver(_ tracker: inout Tracker) -> [UInt32: [UInt8]] {
    var found: [UInt32: [UInt8]] = [:]
    var waiting: [UInt32] = []
    while true {
      while let next = tracker.nextAction() {
        switch next {
        case .transmit(let sequence, _):
          found[sequence] = bytes { _ = tracker.drainOutput(for: .uplink, into: &$0) }
          waiting.append(sequence)
        case .spool(let sequence): tracker.spooled(sequence, isKept: false)
        case .recall: tracker.noteSpool(count: 0)
        case .persist, .event, .sound, .sense, .restart: break
        }
      }
      guard let sequence = waiting.popLast() else { return found }
      tracker.acknowledge(sequence, at: tracker.now)
    }
  }

  /// Those who asked ask again, as they have had no answer.
  private mutating func repeatRequests(_ tracker: inout Tracker) -> String? {
    for request in requests {
      guard let verdict = RequestVerdict(request.span) else { continue }
      tracker.take(verdict, at: tracker.now)
      let answer = tracker.lastRequestAnswer
      _ = handOver(&tracker)
      guard answer == .repeated else { return "'\(text(request))' is obeyed again" }
      self.verdict.requestCount += 1
    }
    return nil
  }

  // MARK: Bytes

  private static func section(_ tag: UInt8, of tracker: borrowing Tracker) -> [UInt8] {
    var buffer = ByteBuffer()
    tracker.encodeState(StateSections(tag: tag), into: &buffer)
    return buffer.bytes
  }

  /// What a section holds, without its head: that tells when it was written.
  private static func content(_ section: [UInt8]) -> [UInt8] { Array(section.dropFirst(StoredSection.headLength)) }

  private func bytes(_ body: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer()
    body(&buffer)
    return buffer.bytes
  }

  private func json(_ body: (inout ByteBuffer) -> Void) -> String { text(bytes(body)) }
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
