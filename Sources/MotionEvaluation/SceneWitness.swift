import Quantities
import TrackerRuntime
import Telemetry
import TrackerCore

/// Stands beside a tracker in a scene and notes what its owner would notice.
final class SceneWitness {
  private struct Mark {
    let telling: Telling
    let begin: Instant
    let bound: Instant
  }

  private let scene: EvaluatedScene
  private var run: TrackerRun?
  private var outcome: SceneOutcome
  private var marks: [Mark] = []
  private var alerts: [Instant] = []
  private var movements: [Instant] = []
  /// From the begin of a deed that may be told to the owner's answer.
  private var isOpen = false
  private var parkedSince: Instant? = .zero
  private var firstArmed: Instant?
  private var last = Instant.zero
  /// The meter half a minute after it was parked: what a receiver adds behind a ride is no travel.
  private var metres: Double?
  private var armed = (from300: 0.0, from600: 0.0, of300: 0.0, of600: 0.0)
  private var payload: [UInt8] = []
  private var sound: (pattern: SoundPattern, duration: Interval)?

  init(_ scene: EvaluatedScene, _ configuration: RunConfiguration) throws(RecordingError) {
    self.scene = scene
    outcome = SceneOutcome(scene)
    run = try TrackerRun(configuration) { [unowned self] output, bytes in self.note(output, bytes) }
    run?.onSound = { [unowned self] pattern, duration, _ in self.sound = (pattern, duration) }
  }

  private func note(_ output: RunOutput, _ bytes: Span<UInt8>) {
    guard let run else { return }
    switch output {
    case .event(let event):
      switch event.kind {
      case .motion(.rideStarted): if parkedSince != nil, !isOpen { outcome.rides += 1 }
      case .motion(.movement(let evidence)):
        guard outcome.signs.count < 100 else { return }
        outcome.signs.append(
          SceneOutcome.Sign(
            seconds: event.time.secondsDouble, detector: "\(evidence.detector.name)", isFalse: !isOpen))
      default: break
      }
    case .packet(_, let kind):
      outcome.packets += 1
      if kind == .movement {
        outcome.alerts += 1
        alerts.append(run.now)
        if !isOpen { outcome.falseAlerts += 1 }
      }
      if kind == .movement || run.phase == .riding || run.phase == .alarmed || run.phase == .stolen {
        movements.append(run.now)
      }
    }
  }

  /// Time of the tracker.
  var now: Instant { run?.now ?? .zero }

  func feed(_ input: TrackerInput) throws(RecordingError) {
    guard let run else { return }
    let time = input.time
    if let since = parkedSince, time > last {
      let parked = (time - since).secondsDouble
      let step = (time - last).secondsDouble
      if parked >= 30, metres == nil { metres = run.distance }
      if parked >= 300 {
        armed.of300 += step
        if run.isArmed { armed.from300 += step }
      }
      if parked >= 600 {
        armed.of600 += step
        if run.isArmed { armed.from600 += step }
      }
    }
    try run.feed(input, payload: payload)
    if parkedSince != nil, firstArmed == nil, run.isArmed { firstArmed = run.now }
    last = max(last, time)
  }

  /// A deed begins.
  func begin(_ telling: Telling?, from begin: Instant, to end: Instant, isTravel: Bool, every: Double) {
    if let telling {
      closeParked(at: begin)
      isOpen = true
      let bound: Instant
      switch telling {
      case .within(let seconds), .packetWithin(let seconds): bound = begin + interval(seconds)
      case .afterEnd(let seconds): bound = end + interval(seconds)
      case .fixes(let count): bound = end + interval(Double(count) * every)
      case .maybe: return
      }
      marks.append(Mark(telling: telling, begin: begin, bound: bound))
    } else if isTravel {
      closeParked(at: begin)
      pendingPark = end
    } else if let pending = pendingPark, begin >= pending, !isOpen {
      openParked(at: begin)
    }
  }

  private var pendingPark: Instant?

  private func interval(_ seconds: Double) -> Interval { Interval(microseconds: Int64((seconds * 1e6).rounded())) }

  /// The owner answers the last alert, if there is one.
  func dismiss(at time: Instant) throws(RecordingError) {
    guard let run else { return }
    let alert = run.look { $0.lastAlert }
    closeParked(at: time)
    if alert > 0 {
      payload = Array("dismiss \(alert)".utf8)
      try run.feed(.command(time), payload: payload)
      payload = []
    }
    isOpen = false
    openParked(at: time)
  }

  /// The owner has the buzzer sound.
  func askForSound(seconds: Int, isPulsed: Bool, at time: Instant) throws(RecordingError) {
    payload = Array("buzzer \(seconds) \(isPulsed ? "pulse" : "steady")".utf8)
    try run?.feed(.command(time), payload: payload)
    payload = []
  }

  /// What the tracker has had the buzzer do since this was asked last; no length is silence.
  func takeSound() -> (pattern: SoundPattern, duration: Interval)? {
    defer { sound = nil }
    return sound
  }

  private func openParked(at time: Instant) {
    pendingPark = nil
    parkedSince = time
    firstArmed = nil
    metres = nil
  }

  private func closeParked(at time: Instant) {
    guard let since = parkedSince else { return }
    parkedSince = nil
    if let metres { outcome.metres += (run?.distance ?? 0) - metres }
    let length = (time - since).secondsDouble
    let delay = firstArmed.map { ($0 - since).secondsDouble }
    // One that was not there for long enough says nothing about arming.
    if let delay {
      outcome.armedAfter = max(outcome.armedAfter ?? 0, delay)
    } else if let by = scene.expectation.armedBy, length >= by {
      outcome.neverArmed = true
    }
  }

  func finish(at end: Instant) throws(RecordingError) -> SceneOutcome {
    try run?.advance(to: end)
    closeParked(at: end)
    outcome.hours = end.secondsDouble / 3600
    outcome.phase = run.map { "\($0.phase.name)" }
    outcome.armedShare300 = armed.of300 > 0 ? armed.from300 / armed.of300 : nil
    outcome.armedShare = armed.of600 > 0 ? armed.from600 / armed.of600 : nil
    for (place, mark) in marks.enumerated() {
      let times: [Instant]
      if case .packetWithin = mark.telling { times = movements } else { times = alerts }
      let next = place + 1 < marks.count ? marks[place + 1].begin : end + .seconds(1)
      let told = times.first { $0 >= mark.begin && $0 <= max(mark.bound, next) }
      outcome.delays.append(
        SceneOutcome.Delay(
          seconds: told.map { ($0 - mark.begin).secondsDouble }, bound: (mark.bound - mark.begin).secondsDouble))
    }
    outcome.judge(scene.expectation)
    run = nil
    return outcome
  }
}
