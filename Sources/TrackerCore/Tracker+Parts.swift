import InertialFusion
import MotionDetection
import NMEA
import Positioning
public import Quantities
import Rules
import Telemetry

// What goes through all parts of a tracker, and what follows from it in others. A new part is a file in `Parts` and, in
// `Tracker.swift`, a stored property with its line in `init` and its lines in both lists; one with a section also has its place in
// `State`.

extension Tracker {
  /// The earliest deadline of all parts; every door that may change one ends with it.
  mutating func noteDeadline() {
    var earliest: Instant?
    askParts(EarliestDeadline.self, &earliest, at: now)
    if configuration.sensorsSleep || sensing.isOther || supply.thrift >= .quarter, let look = followSensing() {
      earliest = earliest.map { min($0, look) } ?? look
    }
    // What is due already is due as soon as time passes: a deadline that is now would be waited for without end. What lies beyond the
    // end of the clock can't be waited for.
    nextDeadline = earliest.flatMap { due in
      isPossible(due) ? max(due, journal.now + Interval(microseconds: 1)) : nil
    }
  }

  /// Gives every part its parameters, which have changed.
  mutating func configureParts() {
    tellParts(NewParameters.self, (), at: now)
  }

  /// Lets every part do what is due by a time.
  mutating func advanceParts(to time: Instant) {
    guard let earliest = nextDeadline, earliest <= time else {
      // As nearly always nothing is due by then.
      monitor.advance(to: time)
      journal.now = time
      return
    }
    passDeadlines(to: time)
    noteDeadline()
  }

  /// Not in the frame of `advanceParts`, where every sample would pay for it.
  @inline(never) private mutating func passDeadlines(to time: Instant) {
    if receiver.advance(to: time, &journal) { handleReceivedFixes() }
    let hasMoved = monitor.advance(to: time, &journal)
    journal.now = time
    if hasMoved { handleMotion() }
    if presence.advance(to: time, &journal) { judgePresence() }
    if alarm.advance(to: time, &journal) { tellAlertAgain(at: time) }
    if settings.advance(to: time, &journal) { takeSettingsBack() }
    if rules.advance(to: time, &journal) { advanceRules(to: time) }
    if reports.advance(to: time, &journal) { tellReport(at: time) }
    _ = outbox.advance(to: time, &journal)
  }

  /// A packet with what every part knows.
  func packet(_ kind: PacketKind, at time: Instant) -> Packet {
    // What goes with its owner is not stolen, or not yet.
    let phase = alarm.isHeld && monitor.phase == .stolen ? .alarmed : monitor.phase
    var result = Packet(kind: kind, time: time, utc: utc(of: time), phase: phase, isArmed: monitor.isArmed)
    askParts(Description.self, &result, at: time)
    return result
  }

  /// Writes a section of the state: most are of one part each.
  func encode(into draft: inout SectionText.Draft) {
    switch draft.section {
    case .numbering: encodeNumbering(into: &draft.content)
    case .alarm:
      alarm.encode(into: &draft.content, exit: rules.fences.kept.exit, rules.exitUTC(journal), at: now)
    case .mark: encodeMark(into: &draft.content)
    case .trip: trip.encode(keptUTC: journal.keptUTC(of: now), at: now, into: &draft.content)
    case .settings:
      draft.isUsed = settings.isUsed
      if draft.isUsed { settings.encode(configuration, into: &draft.content) }
    default: askParts(SectionText.self, &draft, at: now)
    }
  }

  /// Lets those go on first whose section is read where it lies; settings before all others, which have theirs from them.
  mutating func restoreInPlace(
    _ kept: borrowing KeptState, of state: Span<UInt8>, _ losses: inout StateLosses, at time: Instant
  ) {
    if let section = kept.settings {
      settings.restore(section, of: state, into: &configuration, at: time)
      configureParts()
      journal.noteChange(.settings)
    }
    if let section = kept.profile { wearer.restore(section, of: state) }
    let rows = rules.restoreRows(state)
    if kept.found.contains(.rules) {
      let lost = kept.rules.present.subtracting(rows).intersection(.rows)
      losses.sections.formUnion(lost)
      // They are kept as empty ones, in the place of what is damaged.
      rules.noteUse(lost)
    } else if !rows.isEmpty {
      losses.sections.insert(.rules)
    }
  }

  /// Lets every part go on where an earlier life was, and then what follows from it in others.
  mutating func restoreParts(_ kept: borrowing KeptState, at time: Instant) {
    tellParts(Restart.self, kept, at: time)
    if monitor.phase == .stolen, lastAlert > 0 { alarm.goOn(at: time) }
    if alarm.isHeld {
      presence.expect(at: time)
      if monitor.phase == .stolen { presence.setOff(at: time) }
    }
    noteParking()
    if let given = kept.motion.givenAlertsEnabled, given != configuration.alertsEnabled {
      // The file has another value than in the earlier life: that is meant, and not what was asked before.
      if requests.isDisabled { requests.wantsAlerts = configuration.alertsEnabled }
      if requests.isDisarmed { requests.isDisarmed = false }
      journal.noteChange([.motion, .requests])
    }
    stayDisabled(at: time)
  }

  // MARK: What owners look at

  /// The latest time of any input.
  public var now: Instant { journal.now }
  /// The UTC of an instant; nil while no receiver has provided the time.
  public func utc(of instant: Instant) -> UTCTime? { journal.utc(of: instant) }
  /// The same; of a state that was only restored, by what was kept with it.
  package func keptUTC(of instant: Instant) -> UTCTime? { journal.keptUTC(of: instant) }
  /// Distance measured since the tracker is there, m; the odometer also has what the owner has added.
  public var distance: Double { trip.distance }
  /// What is known of the wheel, and what it has counted.
  package var wheel: WheelMeter { trip.wheel }
  /// Length of the ride that ended last, m.
  public var lastRideDistance: Double { trip.lastRideDistance }
  /// How many rides have ended in this life.
  package var endedRides: UInt32 { trip.endedRides }
  /// True when the owner has said that the ride under way, or the last one, was carried.
  package var isLastRideCarried: Bool { trip.isRideCarried }
  /// The ride that is under way, or was the last; nil before the first.
  public var lastTrip: Trip? { trip.trip(at: now) }
  /// The last fix with a position.
  public var lastFix: GNSSFix? { places.lastFix }
  /// The last reading of the power supply.
  public var lastSupply: SupplyReading? { supply.last }
  /// The wearer; nil if there is no profile.
  public var profile: Profile? { wearer.profile }
  /// Number of the last alert; 0 before the first.
  public var lastAlert: UInt32 { alarm.lastAlert }

  /// Counts of what could not be used or done.
  public var diagnostics: TrackerDiagnostics {
    var result = journal.counts
    let rejected = monitor.estimator.rejections
    result.samplesOutOfOrder = rejected.outOfOrder
    result.samplesInvalid = rejected.notFinite &+ rejected.empty &+ rejected.outOfRange
    result.samplesClipped = rejected.clipped
    result.sensorFaults = monitor.estimator.faultCount
    result.actionsDropped = journal.lostEventCount &+ monitor.lostEventCount
    result.packetsEvicted = outbox.evictedCount
    result.packetsExpired = outbox.expiredCount
    result.packetsUncarried = outbox.uncarriedCount
    result.packetsRefused = outbox.refusedCount
    return result
  }
}
