import MotionEvaluation
import Quantities
import Telemetry
import TrackerRuntime
import VehicleSimulation

/// What came of a scenario.
package struct ScenarioOutcome: Sendable {
  /// The report of the life.
  package var report: LifeReport
  /// What is not as expected, in words; empty when it passes.
  package var failures: [String]
}

/// Lives a scenario, and holds what came of it against what was expected.
package final class ScenarioRun {
  private let file: ScenarioFile
  private let life: LifeScenario
  private let run: LifeRun
  /// Kinds of packets and reasons of status packets, in the order in which they were told.
  private var story: [String] = []
  /// How often each word of the story was told.
  private var times: [String: Int] = [:]
  private var rides = 0
  private var fences = 0
  private var odometer = 0.0

  /// Sees what the tracker tells, and faults, as `LifeRun` does.
  package var observer: (Instant, RunOutput, [UInt8]) -> Void = { _, _, _ in }
  /// See `observer`.
  package var faultObserver: (LifeEvent) -> Void {
    get { run.faultObserver }
    set { run.faultObserver = newValue }
  }

  /// A life about to begin.
  ///
  /// - Parameter life: That of a seed, with the faults that are wanted of it; nil for the file's own.
  package init(
    _ file: ScenarioFile, life: LifeScenario? = nil,
    log: @escaping (Int) throws(RecordingError) -> (any RunLog)? = { _ in nil }
  ) throws(RecordingError) {
    self.file = file
    self.life = life ?? file.life(seed: file.life.seed)
    run = try LifeRun(self.life, file.configuration, log: log)
    run.observer = { [unowned self] time, output, bytes in note(time, output, bytes) }
  }

  private func note(_ time: Instant, _ output: RunOutput, _ bytes: [UInt8]) {
    observer(time, output, bytes)
    guard case .packet(_, let kind) = output, let fields = PacketFields(bytes) else { return }
    for word in [fields.kind, fields.reason].compactMap({ $0 }) {
      story.append(word)
      times[word, default: 0] += 1
    }
    if kind == .ride { rides += 1 }
    if kind == .fence { fences += 1 }
    odometer = max(odometer, fields.odometer ?? 0)
  }

  /// Lives all of it.
  package func live(progress: (Instant) -> Void = { _ in }) throws(RecordingError) -> ScenarioOutcome {
    let report = try run.live(progress: progress)
    return ScenarioOutcome(report: report, failures: failures(report))
  }

  private func failures(_ report: LifeReport) -> [String] {
    let wanted = file.expectation
    var result: [String] = []
    for broken in report.broken where !wanted.arguable.contains(broken.promise) {
      result.append("broken at \(broken.time.secondsDouble) s: \(broken.promise.words): \(broken.what)")
    }
    func check(_ what: String, _ count: Int, _ range: ClosedRange<Int>?) {
      guard let range, !range.contains(count) else { return }
      let expected = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      result.append("\(what): \(count), expected \(expected)")
    }
    check("alerts", report.alerts, wanted.alerts)
    check("alerts of fences", fences, wanted.fences)
    check("rides", rides, wanted.rides)
    check("packets", report.packets, wanted.packets)
    for (word, range) in wanted.times { check("'\(word)' told", times[word] ?? 0, range) }
    if let metres = wanted.metres, !metres.contains(odometer) {
      result.append("odometer: \(odometer) m, expected \(metres.lowerBound) to \(metres.upperBound) m")
    }
    if let limit = wanted.delay, let worst = report.delays.max(), worst > limit {
      result.append("from theft to alert: \(worst) s, expected \(limit) s at most")
    }
    if let limit = wanted.journey, let worst = report.journeys.max(), worst > limit {
      result.append("from alert to server: \(worst) s, expected \(limit) s at most")
    }
    if let phase = wanted.phase, phase != run.belief?.phase {
      result.append("phase: \(run.belief?.phase ?? "off"), expected \(phase)")
    }
    if let isArmed = wanted.isArmed, isArmed != run.belief?.isArmed {
      result.append("it is \(isArmed ? "not armed" : "armed") at the end")
    }
    return result + storyFailures() + answerFailures(report)
  }

  private func storyFailures() -> [String] {
    var result: [String] = []
    var rest = story[...]
    for word in file.expectation.told {
      guard let place = rest.firstIndex(of: word) else {
        let isThere = story.contains(word)
        result.append("'\(word)' is \(isThere ? "not told after what comes before it" : "never told")")
        break
      }
      rest = rest[(place + 1)...]
    }
    for word in file.expectation.never where story.contains(word) { result.append("'\(word)' is told") }
    return result
  }

  private func answerFailures(_ report: LifeReport) -> [String] {
    var result: [String] = []
    for (time, text, answer) in file.answers {
      // One that is left out has none.
      guard let answer, life.plan.events.contains(where: { $0.time == time && $0.fault.kind == nil }) else { continue }
      let found = report.answers.first { $0.time == time && $0.text == text }?.answer
      if found != answer { result.append("'\(text)' is answered \(found ?? "by nothing"), expected \(answer)") }
    }
    return result
  }
}

/// What truly happened in a life, and when.
package struct LifeTruthEvent: Equatable, Sendable {
  /// The deed or the class of the fault.
  package var kind: String
  /// In words.
  package var words: String
  /// When it begins.
  package var from: Instant
  /// When it is over; the instant of its begin for what takes no time.
  package var until: Instant
}

extension LifeScenario {
  /// Class and interval of every event, in the order of their begins: deeds, what goes on beside them, faults and requests.
  package var truth: [LifeTruthEvent] {
    var result: [LifeTruthEvent] = []
    let starts = scene.scene.starts.map { Instant.zero + .seconds(exactly: $0) }
    for (place, deed) in scene.scene.deeds.enumerated() where deed.kind != .stand {
      let who: String
      switch scene.tellings[place] {
      case nil: who = deed.kind.isDisturbance ? "harmless" : "nothing to tell"
      case .maybe?: who = "may be told"
      case .within(let seconds)?, .packetWithin(let seconds)?: who = "told within \(seconds) s"
      case .afterEnd(let seconds)?: who = "told by \(seconds) s after its end"
      case .fixes(let count)?: who = "told by \(count) fixes after its end"
      }
      result.append(
        LifeTruthEvent(kind: deed.kind.rawValue, words: who, from: starts[place], until: starts[place + 1]))
    }
    let end = Instant.zero + length
    for background in scene.scene.backgrounds {
      let words = background.every.map { "about every \($0) s" } ?? "all the time"
      result.append(
        LifeTruthEvent(
          kind: background.deed.kind.rawValue, words: words, from: .zero + .seconds(exactly: background.from),
          until: end))
    }
    for event in plan.events {
      result.append(
        LifeTruthEvent(
          kind: event.fault.kind?.rawValue ?? "owner", words: event.fault.name, from: event.time,
          until: event.time + event.fault.length))
    }
    return result.enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }.map(\.element)
  }
}

extension LifeFault {
  /// How long it goes on by itself.
  var length: Interval {
    switch self {
    case .line(_, _, let length), .outage(let length), .sensor(_, let length), .wheel(_, let length),
      .server(_, let length):
      length
    case .power(let cut): cut.off
    case .modem, .mishap, .charger, .text, .request: .zero
    }
  }
}
