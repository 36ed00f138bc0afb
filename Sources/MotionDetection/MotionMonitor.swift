public import InertialFusion
import InlineStorage
public import Quantities

/// A motion event with its time.
@frozen public struct StampedMotionEvent: Equatable, BitwiseCopyable, Sendable {
  /// When it was decided, on the monotonic clock.
  public var time: Instant
  /// What was decided.
  public var event: MotionEvent

  @inlinable init(time: Instant, event: MotionEvent) {
    self.time = time
    self.event = event
  }
}

/// The parked-state machine: riding → settling → parked and armed → suspicious → alarmed → quiet again, or stolen.
///
/// Evidence comes from fixes and from an inertial sensor; either may be missing. One function per state judges each input
/// (`MotionMonitor+Riding.swift`, `MotionMonitor+Parked.swift`); this file holds the doors.
///
/// | state | goes to | when |
/// |---|---|---|
/// | starting | settling | the first input |
/// | riding | settling | no travel for `standAfter`, or nothing heard for `silenceAfter` |
/// | settling | riding | travel |
/// | settling | parked, armed if alerts are on | `armAfter` after travel or handling; a touch delays it, not beyond `armBy` |
/// | settling | parked | twice that, if it went 2.5 m/s and more and nothing at all has been heard since |
/// | parked | suspicious | armed, and movement above the noise |
/// | parked, suspicious | alarmed | armed, and a confirmed sign of movement |
/// | settling, parked and not armed | riding | unseen, and its wheel has turned for `WheelMeter.look` |
/// | parked | riding | not armed, and travel |
/// | suspicious | parked | quiet for `calmAfter` |
/// | alarmed | parked | quiet for `quietAfter`; watched where it is now |
/// | alarmed | stolen | carried or travelling for `stolenAfter`, or found elsewhere |
/// | suspicious, alarmed, stolen | settling | dismissed by the owner |
/// | stolen | riding | dismissed by the owner on the way |
///
/// It is not copied: there are several kilobytes of it, and they stay where they were made.
///
/// - Complexity: O(1) per input; no allocation.
public struct MotionMonitor: ~Copyable, Sendable {
  /// Tuning, with the sensitivity worked into the limits.
  public private(set) var parameters: MotionParameters
  /// Rest, bias and attitude.
  public private(set) var estimator: InertialEstimator
  /// Whether alerts are on. Default: on.
  public private(set) var alertsEnabled: Bool
  /// True when the last fix was the first to show where it stands, after travel that no fix has seen.
  package internal(set) var hasArrived = false
  /// Whether it was made with alerts on.
  let givenAlertsEnabled: Bool
  /// Events that were refused because nobody fetched the earlier ones.
  public var lostEventCount: UInt32 { events.rejectedCount }

  /// When the state changes by itself; nil when it does not.
  public private(set) var nextDeadline: Instant?

  var state = MotionState.starting
  /// Listens to the inertial sensor.
  var tamper = TamperDetector()
  /// Where the vehicle is parked; of use while `state` is parked, suspicious, alarmed or stolen.
  var place: PlaceDetector
  var travel: TravelDetector
  var shaking = ShakingDetector()
  private var contacts = ContactDetector()
  private var ownSound = OwnSound()
  private var course = UnseenCourse()
  var now = Instant.zero
  private(set) var lastWindow: SeenWindow?
  /// Start of the first window of the inertial sensor.
  private(set) var firstWindowTime: Instant?
  private var events = InlineQueue<16, StampedMotionEvent>()
  private let inPlace = InPlace()

  /// A monitor that has seen nothing yet.
  public init(
    parameters: MotionParameters = MotionParameters(), calibration: InertialCalibration = InertialCalibration(),
    sensor: SensorDescription = SensorDescription(), alertsEnabled: Bool = true
  ) {
    let parameters = parameters.limits
    self.parameters = parameters
    self.alertsEnabled = alertsEnabled
    givenAlertsEnabled = alertsEnabled
    estimator = InertialEstimator(calibration: calibration, sensor: sensor, rest: parameters.rest)
    travel = TravelDetector(parameters: parameters)
    place = PlaceDetector(position: nil, accuracy: parameters.assumedAccuracy, seen: nil)
  }

  /// Takes over other parameters; what has happened so far was judged by the former ones. Those of rest hold from the start on.
  public mutating func configure(_ parameters: MotionParameters) {
    let rest = self.parameters.rest
    self.parameters = parameters.limits
    self.parameters.rest = rest
    updateDeadline()
  }

  /// What the vehicle is doing.
  public var phase: MotionPhase {
    switch state {
    case .starting: return .starting
    case .riding: return .riding
    case .settling: return .settling
    case .parked: return .parked
    case .suspicious: return .suspicious
    case .alarmed: return .alarmed
    case .stolen: return .stolen
    }
  }

  /// True when movement would raise an alert.
  public var isArmed: Bool {
    switch state {
    case .starting, .riding, .settling: return false
    case .parked(let parked): return parked.isArmed
    case .suspicious, .alarmed, .stolen: return true
    }
  }

  /// To be called after whatever may have changed the state, or the usual interval of the fixes.
  mutating func updateDeadline() {
    switch state {
    case .starting, .parked, .stolen: nextDeadline = nil
    case .riding(let ride): nextDeadline = ride.lastTravel + travel.silenceAfter
    case .settling(let settling): nextDeadline = parkingTime(of: settling)
    case .suspicious(let suspicion): nextDeadline = suspicion.lastMotion + parameters.calmAfter
    // Between two rare fixes it is not quiet: nothing could have been heard.
    case .alarmed(let alarm): nextDeadline = alarm.lastMotion + max(parameters.quietAfter, travel.silenceAfter)
    }
  }

  /// Takes one raw inertial sample in.
  ///
  /// - Returns: False when the sample could not be used; it is counted in `estimator.rejections`.
  @discardableResult public mutating func process(_ sample: InertialSample) -> Bool {
    if ownSound.isExpected, isHeard(sample) { return passOver(sample) }
    let rejected = estimator.rejections.total
    let closed = estimator.update(with: sample)
    guard estimator.rejections.total == rejected else { return false }
    advance(to: sample.time)
    if closed { takeWindow() }
    return true
  }

  /// Whether the own buzzer may be in a sample; when it is not any more, what was passed over is over.
  @inline(never) private mutating func isHeard(_ sample: InertialSample) -> Bool {
    if ownSound.isHeard(at: sample.time) { return true }
    if estimator.isPassingOver { ownSound.note(estimator.endPassingOver()) }
    return false
  }

  @inline(never) private mutating func passOver(_ sample: InertialSample) -> Bool {
    guard estimator.passOver(sample) else { return false }
    advance(to: sample.time)
    return true
  }

  /// Not in the frame of `process`, where every sample would pay for it.
  @inline(never) private mutating func takeWindow() {
    var heard = InertialWindow(of: estimator)
    if ownSound.isExpected { ownSound.bridge(&heard, after: lastWindow?.end) }
    // What may still change is copied for each who is given it.
    let window = heard
    lastWindow = SeenWindow(window)
    if firstWindowTime == nil { firstWindowTime = window.start }
    shaking.update(with: window, parameters: parameters)
    course.follow(window)
    judge(window)
    updateDeadline()
    advance(to: now)
  }

  /// Takes one fix in. Fixes without a usable position count as time passing.
  public mutating func process(_ fix: GNSSFix) {
    advance(to: fix.time)
    let stillSince = stillByInertiaSince
    let scatter = travel.scatter
    hasArrived = false
    let evidence = travel.judge(
      fix, isTravelling: isTravelling, isParked: isParked, stillSince: stillSince, parameters)
    guard let evidence else { return }
    course.end()
    hasArrived = evidence.isArrival && !isTravelling
    judge(fix, evidence, scatter, stillSince)
    updateDeadline()
    // A fix may be older than other inputs: what is due by its time may be overdue.
    advance(to: now)
  }

  /// How straight the way since the last fix was, as an inertial sensor has felt it, 1 without one; and how long it moved, s.
  package var unseenCourse: (straightness: Float, seconds: Float) { (course.straightness, course.seconds) }

  /// Takes in how switches stand.
  public mutating func process(_ reading: ContactReading) {
    advance(to: reading.time)
    let (sign, hasChanged) = contacts.judge(reading)
    judge(sign, hasChanged: hasChanged)
    updateDeadline()
  }

  /// Lets time pass: what is due by `time` happens at the instant it was due. Earlier times do nothing.
  public mutating func advance(to time: Instant) {
    if case .starting = state {
      now = time
      state = .settling(Settling(ride: nil, lastMotion: time, lastTouch: time))
      updateDeadline()
    }
    if let deadline = nextDeadline, deadline <= time { passDeadlines(to: time) }
    now = max(now, time)
  }

  @inline(never) private mutating func passDeadlines(to time: Instant) {
    while let deadline = nextDeadline, deadline <= time {
      now = max(now, deadline)
      expire()
      updateDeadline()
    }
  }

  /// Switches alerts on or off.
  ///
  /// Off while parked ends any alarm; on while parked arms at once, and what counts is how it stands now. Travel that is
  /// under way when they go off is still a ride. What an earlier life knew of noise and vertical counts on until the
  /// sensors have shown theirs.
  public mutating func setAlerts(enabled: Bool, at time: Instant) {
    advance(to: time)
    guard enabled != alertsEnabled else { return }
    alertsEnabled = enabled
    switch state {
    case .parked(let parked): switchAlerts(parked)
    case .suspicious(let suspicion): switchAlerts(suspicion.parked)
    case .alarmed(let alarm), .stolen(let alarm): switchAlerts(alarm.parked)
    case .starting, .riding, .settling: break
    }
    updateDeadline()
  }

  private mutating func switchAlerts(_ before: Parked) {
    let up = tamper.parkedUp
    if alertsEnabled {
      standStill()
      travel.anchorWhereLastSeen()
    }
    parkHere(isDeaf: before.isDeaf)
    tamper.keepEarlierLife(up: up)
    emit(alertsEnabled ? .armed : .disarmed)
  }

  /// The owner says that the movement is theirs: alarm, theft or suspicion ends, and the vehicle is armed again once nobody has
  /// handled it for `armAfter`; what travels goes on as a ride. Parked and just started, how it stands is how it was left. In other states it
  /// does nothing.
  public mutating func dismiss(at time: Instant) {
    advance(to: time)
    switch state {
    case .stolen(let alarm):
      if let since = alarm.travelSince, now - alarm.lastTravel < travel.silenceAfter {
        state = .riding(Ride(start: since, lastTravel: alarm.lastTravel, isByDisplacement: true))
        emit(.rideStarted(onset: since))
      } else {
        state = .settling(Settling(ride: nil, lastMotion: now, lastTouch: now))
      }
    case .suspicious, .alarmed: state = .settling(Settling(ride: nil, lastMotion: now, lastTouch: now))
    case .parked:
      // They answer what an earlier life told, before this one has seen how the vehicle stands since.
      if firstWindowTime.map({ now - $0 < MotionMonitor.firstLook }) ?? true { tamper.forget() }
    case .starting, .riding, .settling: break
    }
    updateDeadline()
  }

  /// Until a sensor that was just switched on has shown how the vehicle stands, at the latest.
  private static var firstLook: Interval { .seconds(10) }

  /// The vehicle's own buzzer is about to sound in this beat: the shaking of it is nobody's work, and it is listened to in its silences. No
  /// length is silence.
  public mutating func expectSound(_ beat: SoundBeat, for duration: Interval, at time: Instant) {
    guard duration > .zero else { return ownSound.silence(at: time) }
    ownSound.begin(beat, at: time, for: duration)
  }

  /// True when `nextEvent` has one.
  public var hasEvents: Bool { @inline(__always) get { !events.isEmpty } }

  /// Fetches the next event, oldest first; nil when there is none.
  public mutating func nextEvent() -> StampedMotionEvent? { events.popFirst() }

  /// Change of the vertical since parking, rad; nil when not parked or unknown.
  public var tiltSinceParking: Float? { isParked ? tamper.tilt : nil }

  /// What a detector of the inertial sensor measured last, 1 and more being movement; nil before the first window, and for the others.
  public func ratio(of detector: MovementDetector) -> Float? {
    lastWindow == nil ? nil : tamper.ratio(of: detector, parameters)
  }

  /// How far the last fix is from the parking place against what counts as elsewhere; nil when not parked, and before the place is known.
  package func placeRatio(of fix: GNSSFix) -> Float? {
    isParked ? place.ratio(of: fix, travel.scatter, stillSince: stillByInertiaSince, parameters) : nil
  }

  mutating func emit(_ event: MotionEvent) { events.append(StampedMotionEvent(time: now, event: event)) }

  private var isParked: Bool {
    switch state {
    case .parked, .suspicious, .alarmed, .stolen: return true
    case .starting, .riding, .settling: return false
    }
  }

  /// True while the vehicle is under way: on a ride, or being carried off.
  public var isTravelling: Bool {
    switch state {
    case .riding: return true
    case .alarmed(let alarm), .stolen(let alarm): return alarm.travelSince != nil
    case .starting, .settling, .parked, .suspicious: return false
    }
  }

  /// Since when a working inertial sensor has watched without a gap, if it has seen no movement for ten seconds; else nil.
  ///
  /// It can vouch only for what it has watched: a vehicle may have been carried off while it slept.
  public var stillByInertiaSince: Instant? {
    guard let window = lastWindow, now - window.end < .seconds(5), !window.isStuck else { return nil }
    guard window.isAtRest else { return nil }
    let last = estimator.rest.lastMovement ?? firstWindowTime ?? window.end
    return now - last >= .seconds(10) ? estimator.watchedSince : nil
  }

  /// For how long an inertial sensor that works has felt no movement, up to now; zero when it can't say so.
  public var stillFor: Interval {
    guard let watchedSince = stillByInertiaSince else { return .zero }
    let last = estimator.rest.lastMovement ?? firstWindowTime ?? now
    return now - max(last, watchedSince)
  }

  /// As `setAlerts`, before anything has been seen.
  mutating func restoreAlerts(enabled: Bool) { alertsEnabled = enabled }

  /// Forgets travel: the vehicle stands.
  mutating func standStill() {
    travel.stand()
    shaking = ShakingDetector()
  }

  /// True when fixes are recent enough to be asked before the inertial sensor whether it travels.
  var hasRecentFix: Bool { travel.lastFixTime.map { now - $0 < .seconds(5) } ?? false }

  /// True while no fix could have seen it travel: there was none for longer than usual, or ever.
  package var isUnseen: Bool { travel.lastFixTime.map { now - $0 > travel.silenceAfter } ?? true }

  /// True while the last fix is older than `silenceAfter`, or there was none: where fixes are rare a wheel tells more of what travels.
  package var isBetweenFixes: Bool { travel.lastFixTime.map { now - $0 > parameters.silenceAfter } ?? true }

  /// Parks the vehicle as it stands now.
  mutating func parkHere(isDeaf: Bool = false) {
    travel.scatterAtAnchor(parameters)
    place = PlaceDetector(
      position: travel.anchor?.position, accuracy: travel.anchor?.accuracy ?? parameters.assumedAccuracy,
      seen: travel.lastSeenAtAnchor)
    rebase()
    state = .parked(Parked(isArmed: alertsEnabled, isDeaf: isDeaf))
  }

  /// How it stands now is how it was left. What a sensor saw that has been silent since is not now; no FIFO is read as rarely.
  mutating func rebase() {
    if let window = lastWindow, now - window.end > .seconds(60) {
      tamper.forget()
    } else {
      tamper.rebase()
    }
  }

  private mutating func judge(_ window: InertialWindow) {
    let judgement = tamper.judge(window, parameters)
    switch state {
    case .starting: break
    case .riding(let ride): judgeRiding(ride, window)
    case .settling(let settling): judgeSettling(settling, window, judgement)
    case .parked(let parked): judgeParked(parked, window, judgement)
    case .suspicious(let suspicion): judgeSuspicious(suspicion, window, judgement)
    case .alarmed(let alarm): judgeAlarm(alarm, window, judgement, isStolen: false)
    case .stolen(let alarm): judgeAlarm(alarm, window, judgement, isStolen: true)
    }
  }

  private mutating func judge(
    _ fix: GNSSFix, _ evidence: TravelEvidence, _ scatter: PositionScatter, _ stillSince: Instant?
  ) {
    switch state {
    case .starting: break
    case .riding(let ride): judgeRiding(ride, evidence)
    case .settling(let settling): judgeSettling(settling, evidence, stillSince)
    case .parked, .suspicious, .alarmed, .stolen:
      judgeWatched(confirmed(by: fix, evidence, scatter, stillSince), evidence)
    }
  }

  private mutating func judge(_ sign: MovementDetector?, hasChanged: Bool) {
    switch state {
    case .starting, .riding: break
    case .settling(var settling):
      // The owner locks it.
      if hasChanged { settling.lastTouch = max(settling.lastTouch, now) }
      state = .settling(settling)
    case .parked, .suspicious, .alarmed, .stolen: if let sign { judgeContact(sign) }
    }
  }

  private mutating func expire() {
    switch state {
    case .starting, .parked, .stolen: break
    case .riding(let ride): stand(ride, cause: .silence)
    case .settling(let settling): park(settling)
    case .suspicious(let suspicion):
      state = .parked(suspicion.parked)
      emit(.calmed)
    case .alarmed(let alarm): calm(alarm)
    }
  }
}
