import InertialFusion
import MotionDetection
import Quantities
import TestSupport

/// The machine and the plain one side by side: both get every input, and after each all that can be seen from outside must be
/// the same.
struct Twin {
  private var held: CopyableMonitor
  var plain: PlainMonitor
  var sensor: SimulatedSensor
  let parameters: MotionParameters
  /// The present.
  var clock = Instant.zero
  /// Metres from the place where it begins.
  var north = 0.0
  var east = 0.0
  /// The first difference, and what was done before it.
  private(set) var trouble: String?
  private(set) var story: [String] = []
  /// All events.
  private(set) var events: [PlainMonitor.Said] = []
  /// How often each kind of event came.
  private(set) var kinds: [String: Int] = [:]
  /// Changes of phase, as `from>to`.
  private(set) var changes: Set<String> = []
  private var random: SeededRandom
  private var lives: UInt64 = 1

  var monitor: MotionMonitor {
    _read { yield held.value }
    _modify { yield &held.value }
  }

  init(
    _ parameters: MotionParameters, alerts: Bool = true, hertz: Int = 20, seed: UInt64 = 1, start: Instant = .zero
  ) {
    self.parameters = parameters
    held = CopyableMonitor(MotionMonitor(parameters: parameters, alertsEnabled: alerts))
    plain = PlainMonitor(parameters, alerts: alerts)
    sensor = SimulatedSensor(hertz: hertz, seed: seed, start: start)
    clock = start
    random = SeededRandom(seed: seed &* 977)
  }

  mutating func note(_ words: String) {
    guard trouble == nil else { return }
    story.append(words)
    if story.count > 30 { story.removeFirst() }
  }

  private mutating func differs(_ words: String) {
    guard trouble == nil else { return }
    trouble = "\(words) at \(clock.secondsDouble) s after \(story.suffix(16).joined(separator: ", "))"
  }

  mutating func compare() {
    guard trouble == nil else { return }
    while let event = monitor.nextEvent() {
      let said = PlainMonitor.Said(time: event.time, event: event.event)
      let expected = events.count < plain.said.count ? plain.said[events.count] : nil
      if expected != said { return differs("said \(said), expected \(expected.map { "\($0)" } ?? "nothing")") }
      events.append(said)
      kinds[PlainMonitor.kind(said.event), default: 0] += 1
    }
    if plain.said.count != events.count { return differs("did not say \(plain.said[events.count])") }
    if monitor.phase != plain.phase { return differs("is \(monitor.phase), not \(plain.phase)") }
    if monitor.isArmed != plain.isArmed { return differs("armed is \(monitor.isArmed)") }
    if monitor.alertsEnabled != plain.alerts { return differs("alerts are \(monitor.alertsEnabled)") }
    if monitor.isTravelling != plain.isTravelling { return differs("travelling is \(monitor.isTravelling)") }
    if monitor.nextDeadline != plain.deadline {
      return differs(
        "the deadline in \(monitor.phase) is \(String(describing: monitor.nextDeadline)), not "
          + "\(String(describing: plain.deadline))")
    }
    if monitor.tiltSinceParking != plain.tilt { return differs("the tilt is \(monitor.tiltSinceParking ?? -1)") }
    let kept = monitor.snapshot
    let expected = plain.snapshot(held.value.estimator)
    if kept != expected { return differs("keeps \(kept), not \(expected)") }
    if monitor.lostEventCount != 0 { return differs("lost an event") }
  }

  private mutating func noteChange(from before: MotionPhase) {
    if monitor.phase != before { changes.insert("\(before)>\(monitor.phase)") }
  }

  // MARK: Inputs

  mutating func feed(_ sample: InertialSample) {
    guard trouble == nil else { return }
    let before = monitor.phase
    let refused = monitor.estimator.rejections.total
    let closedBefore = monitor.estimator.rest.windowEnd
    let taken = monitor.process(sample)
    let isRefused = monitor.estimator.rejections.total != refused
    clock = max(clock, sample.time)
    if taken == isRefused { return differs("said \(taken) of a sample that was \(isRefused ? "refused" : "taken")") }
    if taken {
      let end = monitor.estimator.rest.windowEnd
      plain.sample(at: sample.time, closed: end != closedBefore && end == sample.time, held.value.estimator)
      // Between two windows nothing but time passes.
      if end == closedBefore, monitor.phase == before { return }
    }
    noteChange(from: before)
    compare()
  }

  mutating func feed(_ fix: GNSSFix) {
    guard trouble == nil else { return }
    let before = monitor.phase
    monitor.process(fix)
    plain.fix(fix, held.value.estimator)
    clock = max(clock, fix.time)
    noteChange(from: before)
    compare()
  }

  mutating func wait(until time: Instant) {
    guard trouble == nil else { return }
    let before = monitor.phase
    monitor.advance(to: time)
    plain.advance(to: time, held.value.estimator)
    clock = max(clock, time)
    noteChange(from: before)
    compare()
  }

  mutating func setAlerts(_ enabled: Bool) {
    guard trouble == nil else { return }
    let before = monitor.phase
    monitor.setAlerts(enabled: enabled, at: clock)
    plain.setAlerts(enabled, at: clock, held.value.estimator)
    noteChange(from: before)
    compare()
  }

  mutating func dismiss() {
    guard trouble == nil else { return }
    let before = monitor.phase
    monitor.dismiss(at: clock)
    plain.dismiss(at: clock, held.value.estimator)
    noteChange(from: before)
    compare()
  }

  /// Power off and on; the clock begins anew at `time`.
  mutating func restart(at time: Instant, change: (inout MotionSnapshot) -> Void = { _ in }) {
    guard trouble == nil else { return }
    var kept = monitor.snapshot
    change(&kept)
    lives += 1
    // The configuration is another in every second life.
    let alerts = lives / 2 % 2 == 0
    monitor = MotionMonitor(parameters: parameters, alertsEnabled: alerts)
    plain = PlainMonitor(parameters, alerts: alerts)
    events = []
    monitor.restore(kept, at: time)
    plain.restore(kept, at: time)
    let attitude = sensor.earthFromBody
    sensor = SimulatedSensor(hertz: sensor.hertz, seed: lives &* 31, start: time)
    sensor.earthFromBody = attitude
    clock = time
    compare()
    // A second restoration is none.
    monitor.restore(MotionSnapshot(), at: time + .seconds(5))
    compare()
  }

  // MARK: In seconds

  /// Samples until `time`.
  mutating func sense(
    until time: Instant, rate: Vector3 = .zero, shake: Float = 0, swing: Float = 0, turnSwing: Float = 0,
    change: (inout InertialSample) -> Void = { _ in }
  ) {
    guard trouble == nil else { return }
    if sensor.time < clock { sensor.pause((clock - sensor.time).secondsDouble) }
    var step = 0
    while sensor.time <= time {
      var acceleration = shake > 0 ? random.vector(deviation: shake) : .zero
      if swing > 0 { acceleration = Vector3(step % 4 < 2 ? swing : -swing, 0, 0) }
      let turning = rate + Vector3(0, step % 4 < 2 ? turnSwing : -turnSwing, 0)
      var sample = sensor.next(rate: turning, acceleration: acceleration)
      change(&sample)
      feed(sample)
      step += 1
    }
  }

  mutating func fix(
    at time: Instant? = nil, speed: Double? = nil, accuracy: Double? = 5, hasPosition: Bool = true
  ) {
    var fix = makeFix(at: time ?? clock, north: north, east: east, speed: speed, accuracy: accuracy)
    if !hasPosition { fix.mode = .none }
    feed(fix)
  }
}

extension PlainMonitor {
  /// A name of an event, with what tells it from its like.
  static func kind(_ event: MotionEvent) -> String {
    switch event {
    case .rideStarted: "rideStarted"
    case .standing(_, let cause): "standing \(cause)"
    case .resumed: "resumed"
    case .travelledUnseen: "travelledUnseen"
    case .parked(_, let start, _): start == nil ? "parked" : "parked after a ride"
    case .armed: "armed"
    case .disarmed: "disarmed"
    case .suspicious(let evidence): "suspicious \(evidence.detector)"
    case .calmed: "calmed"
    case .movement(let evidence): "movement \(evidence.detector)"
    case .stolen: "stolen"
    case .quiet(_, let displacement): displacement == nil ? "quiet" : "quiet elsewhere"
    }
  }
}
