import MotionDetection
import Quantities
import TrackerRuntime
import Telemetry
import TrackerCore

/// Writes what a tracker did as lines for people: when, what, why.
final class TimelineWriter {
  private let console: Console
  private let showsAllPackets: Bool
  private let origin: Instant
  private var heldLocations = 0
  private var heldStanding: (since: Instant, cause: StandingCause)?

  /// - Parameters:
  ///   - console: Where the lines go.
  ///   - showsAllPackets: Every location packet on a line of its own, not only their number.
  ///   - origin: What elapsed times count from.
  init(_ console: Console, showsAllPackets: Bool, origin: Instant = .zero) {
    self.console = console
    self.origin = origin
    self.showsAllPackets = showsAllPackets
  }

  /// Writes the titles of the columns.
  func begin() {
    console.out.writeLine(console.styled("elapsed   UTC       what                why", .bold))
  }

  /// Writes one output of the run.
  func write(_ output: RunOutput, bytes: [UInt8], rideDistance: Double) {
    switch output {
    case .event(let event): write(event, rideDistance: rideDistance)
    case .packet(_, let kind):
      if kind == .location, !showsAllPackets {
        heldLocations += 1
        return
      }
      flushLocations()
      for (place, part) in wrapped(String(decoding: bytes, as: UTF8.self)).enumerated() {
        console.out.writeLine(indent + console.styled((place == 0 ? "→ " : "  ") + part, .cyan))
      }
    }
  }

  /// Writes a remark of the simulation, so that what was done can be compared with what was noticed.
  func remark(_ text: String, at time: Instant, utc: UTCTime?) {
    flushLocations()
    line(time, utc, console.styled("· " + text, .dim), "")
  }

  /// Writes what is held back, at the end.
  func end(at time: Instant, utc: UTCTime?) {
    flushLocations()
    guard let (since, cause) = heldStanding else { return }
    line(time, utc, "Still standing", "\(TimelineWriter.reason(cause)) since \(elapsed(since))")
  }

  /// The time since the origin.
  private func elapsed(_ time: Instant) -> String { TimeText.elapsed(.zero + (time - origin)) }

  private static func reason(_ cause: StandingCause) -> String {
    cause == .silence ? "nothing was heard" : "no travel was seen"
  }

  private static func words(_ losses: StateLosses) -> String {
    var parts: [String] = []
    var names: [String] = []
    for tag in StateSections.tags where losses.sections.contains(StateSections(tag: tag)) {
      // Of a table once.
      if let name = StateSections.name(ofTag: tag).map({ "\($0)" }), names.last != name { names.append(name) }
    }
    if !names.isEmpty { parts.append("lost: " + names.joined(separator: ", ")) }
    if losses.packets > 0 {
      let packets = losses.packets == 1 ? "1 packet" : "\(losses.packets) packets"
      parts.append("\(packets) lost, including \(losses.alerts) \(losses.alerts == 1 ? "alert" : "alerts")")
    }
    if losses.isSetBack { parts.append("it is outdated") }
    return parts.isEmpty ? "nothing was lost" : parts.joined(separator: "; ")
  }

  private var indent: String { String(repeating: " ", count: 20) }

  /// A packet in lines that fit, broken behind commas. Its bytes as they are sent are what `--json` shows.
  private func wrapped(_ packet: String) -> [String] {
    let room = max(40, min(console.outIsTerminal ? console.width : 110, 110) - indent.count - 2)
    var lines: [String] = []
    var line = ""
    for part in packet.split(separator: ",", omittingEmptySubsequences: false) {
      let piece = line.isEmpty && lines.isEmpty ? String(part) : "," + part
      if !line.isEmpty, line.count + piece.count + 1 > room {
        lines.append(line + ",")
        line = String(part)
      } else {
        line += piece
      }
    }
    return lines + [line]
  }

  private func flushLocations() {
    guard heldLocations > 0 else { return }
    let packets = heldLocations == 1 ? "1 location packet" : "\(TimeText.count(heldLocations)) location packets"
    console.out.writeLine(indent + console.styled("→ \(packets)", .cyan))
    heldLocations = 0
  }

  private func line(_ time: Instant, _ utc: UTCTime?, _ what: String, _ why: String, style: Console.Style? = nil) {
    let elapsed = elapsed(time)
    let padding = String(repeating: " ", count: max(1, 10 - elapsed.count))
    var text = elapsed + padding + TimeText.timeOfDay(utc) + "  "
    let padded = why.isEmpty ? what : what + String(repeating: " ", count: max(1, 20 - what.count))
    text += style.map { console.styled(padded, $0) } ?? padded
    console.out.writeLine(text + why)
  }

  /// An event by its title.
  private func tell(_ event: TrackerEvent, _ why: String, style: Console.Style? = nil) {
    line(event.time, event.utc, EventText.title(of: event), why, style: style)
  }

  private func write(_ event: TrackerEvent, rideDistance: Double) {
    if case .motion(.standing(let since, let cause)) = event.kind {
      // The line comes when it is known how long it stood.
      heldStanding = (since, cause)
      return
    }
    flushLocations()
    switch event.kind {
    case .fixAcquired(let after):
      let how = after == .zero ? "with the first fix" : "after \(TimeText.length(after))"
      tell(event, how)
    case .fixLost(let since):
      tell(event, "the receiver has no fix since \(elapsed(since))")
    case .settingChanged(let setting, let value):
      tell(event, Request.text(of: setting, value))
    case .liveTracking(let until): tell(event, "until \(elapsed(until))")
    case .restored(let packets, let phase):
      let waiting = packets == 1 ? "1 packet waits" : "\(packets) packets wait"
      tell(event, "\(phase.name); \(waiting)")
    case .stateDamaged(let losses):
      tell(event, TimelineWriter.words(losses), style: .red)
    case .request(let kind, let channel, let number):
      let word = RequestKind(rawValue: kind)?.word ?? "unknown"
      tell(event, "\(word)\(number > 0 ? " #\(number)" : ""), by \(RequestOrigin.name(ofChannel: channel))")
    case .requestRefused(let reason, let channel, let times):
      let word = RequestRefusal(rawValue: reason)?.word ?? "unknown"
      let way = RequestOrigin.name(ofChannel: channel)
      tell(event, "\(word), by \(way)\(times > 1 ? ", \(times) more" : "")", style: .red)
    case .presence(let isNear, let token):
      let tag = token > 0 ? "tag \(token)" : ""
      line(event.time, event.utc, "\(EventText.title(of: event)) \(isNear ? "near" : "away")", tag)
    case .pending(let alert):
      tell(event, "alert \(alert): the owner is near", style: .yellow)
    case .withdrawn(let alert):
      tell(event, "alert \(alert): it was the owner", style: .green)
    case .packetRefused(let kind):
      let name = PacketKind(rawValue: kind)?.name ?? "unknown"
      tell(event, "the outbox is full: \(name)", style: .red)
    case .outside, .outsideEnded, .transition, .alarm: writeRule(event)
    case .movedInPlace(let evidence): tell(event, describe(evidence), style: .yellow)
    case .motion(let motion): write(motion, event, rideDistance: rideDistance)
    default: writePlainly(event)
    }
  }

  /// Events without words of their own are told by their names and members.
  private func writePlainly(_ event: TrackerEvent) {
    let text = EventText(event)
    line(event.time, event.utc, text.what, text.why)
  }

  private func writeRule(_ event: TrackerEvent) {
    switch event.kind {
    case .outside(let alert, let fence, let repetition):
      let again = repetition > 0 ? ", repeated \(repetition == 1 ? "once" : "\(repetition) times")" : ""
      tell(event, "fence \(fence), alert \(alert)\(again)", style: .red)
    case .outsideEnded(let alert, let reason):
      let why =
        switch reason {
        case .entered: "it is back"
        case .found: "the owner has found it"
        case .removed: "its fences or 'enabled' were changed"
        }
      tell(event, "alert \(alert): \(why)", style: .green)
    case .transition(let fence, _, let since):
      tell(event, "fence \(fence), since \(elapsed(since))")
    case .alarm(let number, .rang(let seconds)):
      tell(event, "\(number), \(seconds > 0 ? "sounds for \(seconds) s" : "silent")", style: .yellow)
    case .alarm(let number, .missed):
      tell(event, "\(number) was due while the tracker was off", style: .yellow)
    default: break
    }
  }

  private func write(_ motion: MotionEvent, _ event: TrackerEvent, rideDistance: Double) {
    switch motion {
    case .rideStarted(let onset): tell(event, "travel since \(elapsed(onset))", style: .green)
    case .standing: break
    case .resumed(let onset, let since):
      let cause = TimelineWriter.reason(heldStanding?.cause ?? .observed)
      heldStanding = nil
      line(
        event.time, event.utc, "Stood \(TimeText.length(onset - since))",
        "\(cause) from \(elapsed(since)) to \(elapsed(onset))")
    case .travelledUnseen(let since, let distance):
      heldStanding = nil
      tell(event, "\(TimeText.distance(Double(distance))), no fixes since \(elapsed(since))")
    case .parked(let lastMotion, let start, let end):
      heldStanding = nil
      if let start, let end {
        line(
          event.time, event.utc, "Ride ended",
          "at \(elapsed(end)) after \(TimeText.distance(rideDistance)) in \(TimeText.length(end - start))")
      }
      tell(event, "no motion for \(TimeText.length(event.time - lastMotion)), since \(elapsed(lastMotion))")
    case .armed: tell(event, "alerts are on", style: .green)
    case .suspicious(let evidence): tell(event, describe(evidence), style: .yellow)
    case .calmed: tell(event, "nothing followed")
    case .movement(let evidence): tell(event, describe(evidence), style: .red)
    case .stolen(let since): tell(event, "carried off since \(elapsed(since)), until the owner answers", style: .red)
    case .quiet(let lastMotion, let displacement):
      var why = "no motion since \(elapsed(lastMotion))"
      if let displacement { why += ", \(TimeText.distance(Double(displacement))) from where it was parked" }
      tell(event, why)
    default: writePlainly(event)
    }
  }

  private func describe(_ evidence: MovementEvidence) -> String {
    var text = "\(evidence.detector.name) at \(TimeText.decimal(Double(evidence.ratio), 1)) × its threshold"
    text += ", since \(elapsed(evidence.onset)) (\(TimeText.length(evidence.duration)))"
    if let tilt = evidence.tilt { text += ", tilted \(TimeText.decimal(Double(tilt) * 180 / Double.pi, 1))°" }
    if let turn = evidence.turn { text += ", turned \(TimeText.decimal(Double(turn) * 180 / Double.pi, 1))°" }
    if let displacement = evidence.displacement, evidence.detector == .displacement || evidence.detector == .speed {
      text += ", moved \(TimeText.distance(Double(displacement)))"
    }
    return text
  }
}
