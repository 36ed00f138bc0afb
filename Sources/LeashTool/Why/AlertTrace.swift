import MotionDetection
import Quantities
import TrackerRuntime
import TrackerCore

/// A replay that looks for one alert, and notes what was measured before it.
final class AlertTrace {
  /// The alert that was looked for.
  private(set) var wanted: RaisedEvidence?
  /// Alerts up to the end.
  private(set) var alertCount = 0
  /// When the replay ended.
  private(set) var end = Instant.zero
  /// When it was armed last before the alert; nil when it never was.
  private(set) var armedAt: Instant?
  /// The largest ratio of each line of evidence in the ten seconds up to the alert.
  private(set) var peaks = [Float?](repeating: nil, count: EvidenceLine.all.count)
  /// Times of all alerts.
  private(set) var times: [Instant] = []
  /// True when an alarm was open just before the alert, or before the instant that was asked about.
  private(set) var isInAlarm = false

  private let number: Int
  private var recent: [(time: Instant, ratios: [Float?])] = []
  private var wasArmed = false
  private var switches = SwitchWatch()

  /// - Parameters:
  ///   - until: Where to stop; nil for the alert that is looked for, or the end.
  ///   - alert: Its number, from 1; 0 for none.
  ///   - moment: When to see whether an alarm is open; nil for the alert.
  init(
    _ recording: WhyRecording, _ configuration: RunConfiguration, until: Instant?, alert: Int, at moment: Instant? = nil
  ) throws(RecordingError) {
    number = alert
    let run = try TrackerRun(configuration) { [unowned self] output, _ in self.take(output) }
    for (input, payload) in recording.inputs {
      if let until, input.time > until { break }
      if wanted == nil, moment.map({ input.time <= $0 }) ?? true { isInAlarm = AlertTrace.isAlarm(run.phase) }
      try run.feed(input, payload: payload)
      if alert > 0 { look(at: run, after: input) }
      if alert > 0, wanted != nil { break }
    }
    end = run.now
    if wanted == nil || alert == 0 { try run.advance(to: run.now + .milliseconds(500)) }
  }

  private static func isAlarm(_ phase: MotionPhase) -> Bool { phase == .alarmed || phase == .stolen }

  private func take(_ output: RunOutput) {
    guard case .event(let event) = output else { return }
    // It may be armed long before the next input.
    if case .motion(.armed) = event.kind { (armedAt, wasArmed) = (event.time, true) }
    guard case .motion(.movement(let evidence)) = event.kind else { return }
    alertCount += 1
    times.append(event.time)
    if alertCount == number {
      wanted = RaisedEvidence(time: event.time, evidence: evidence, alert: number)
    }
  }

  private func look(at run: TrackerRun, after input: TrackerInput) {
    switches.take(input)
    if run.isArmed, !wasArmed { armedAt = run.now }
    wasArmed = run.isArmed
    // Ten times a second is as often as the detectors look.
    let isSeldom = switches.ratio ?? 0 == 0
    if let last = recent.last, run.now - last.time < .milliseconds(100), wanted == nil, isSeldom { return }
    recent.append((run.now, run.look { tracker in EvidenceLine.all.map { $0.ratio(tracker, switches) } }))
    if recent.count > 400 { recent.removeFirst(200) }
    guard let wanted else { return }
    // What raises an alarm may begin anew with it: then only the alarm has it.
    for (place, line) in EvidenceLine.all.enumerated() where line.name.hasPrefix("\(wanted.evidence.detector.name)") {
      peaks[place] = wanted.evidence.ratio
    }
    for (time, ratios) in recent where run.now - time <= .seconds(10) {
      for (place, ratio) in ratios.enumerated() {
        if let ratio { peaks[place] = max(peaks[place] ?? 0, ratio) }
      }
    }
  }
}
