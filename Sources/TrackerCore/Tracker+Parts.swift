import InertialFusion
import MotionDetection
import NMEA
public import Quantities
import Rules
import Telemetry

// The parts of a tracker, each in one line for everything that all of them are asked for. A new part is a file in `Parts`, a stored
// property of `Tracker` with its line in `init`, and its lines here; one with a section also has its place in `State`.

extension Tracker {
  /// The earliest deadline of all parts; every door that may change one ends with it.
  mutating func noteDeadline() {
    var earliest = monitor.nextDeadline
    if let due = receiver.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = reports.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = alarm.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = presence.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = settings.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = rules.nextDeadline { earliest = min(earliest ?? due, due) }
    if let due = outbox.nextDeadline { earliest = min(earliest ?? due, due) }
    // What is due already is due as soon as time passes: a deadline that is now would be waited for without end. What lies beyond the
    // end of the clock can't be waited for.
    nextDeadline = earliest.flatMap { due in
      isPossible(due) ? max(due, journal.now + Interval(microseconds: 1)) : nil
    }
  }

  /// Gives every part its parameters, which have changed.
  mutating func configureParts() {
    monitor.configure(configuration.motion)
    places.configure(configuration)
    alarm.configure(configuration)
    supply.configure(configuration)
    surroundings.configure(configuration)
    reports.configure(configuration)
    presence.configure(configuration)
    rules.configure(configuration)
    path.configure(configuration)
    checkpoints.configure(configuration)
    driving.configure(configuration)
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
    if let deadline = receiver.nextDeadline, deadline <= time {
      receiver.advance(to: time)
      handleReceivedFixes()
    }
    monitor.advance(to: time)
    journal.now = time
    handleMotion()
    if let due = presence.nextDeadline, due <= time { judgePresence() }
    if let due = alarm.nextDeadline, due <= time { tellAlertAgain(at: time) }
    if let due = settings.nextDeadline, due <= time { takeSettingsBack() }
    if let due = rules.nextDeadline, due <= time { advanceRules(to: time) }
    if let due = reports.nextDeadline, due <= time { send(packet(.location, at: time)) }
    if outbox.advance(to: time) { journal.noteChange(.waiting) }
  }

  /// A packet with what every part knows.
  func packet(_ kind: PacketKind, at time: Instant) -> Packet {
    // What goes with its owner is not stolen, or not yet.
    let phase = alarm.isHeld && monitor.phase == .stolen ? .alarmed : monitor.phase
    var result = Packet(kind: kind, time: time, utc: utc(of: time), phase: phase, isArmed: monitor.isArmed)
    places.describe(in: &result)
    trip.describe(in: &result)
    supply.describe(in: &result)
    surroundings.describe(in: &result)
    presence.describe(in: &result)
    monitor.describe(in: &result)
    requests.describe(in: &result)
    rules.describe(in: &result)
    return result
  }

  /// Writes the section of a part.
  func encode(_ section: StateSections, into content: inout SectionContent) {
    switch section {
    case .numbering: encodeNumbering(into: &content)
    case .alarm:
      alarm.encode(into: &content, exit: rules.fences.kept.exit, rules.exitUTC(journal), at: now)
    case .trip: trip.encode(into: &content, at: now)
    case .motion: monitor.encode(into: &content)
    case .places: places.encode(into: &content)
    case .waiting: encodeWaiting(into: &content)
    case .mark: encodeMark(into: &content)
    case .settings: encodeSettings(into: &content)
    case .requests: requests.encode(into: &content)
    case .rules: rules.encode(into: &content)
    case .profile: wearer.encode(into: &content)
    case .odometer: trip.encodeOdometer(into: &content)
    default: rules.encode(row: section, into: &content)
    }
  }

  /// Settings that were never changed have no section, nor has a profile that was never told, nor an odometer that no request has changed,
  /// nor have requests and rules that left nothing.
  func isUnused(_ section: StateSections) -> Bool {
    switch section {
    case .settings: return !settings.isUsed
    case .requests: return !requests.isUsed
    case .rules: return !rules.isUsed
    case .profile: return !wearer.isUsed
    case .odometer: return !trip.isChanged
    default: return !section.isDisjoint(with: .rows) && !rules.usedRows.contains(section)
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
      losses.sections.formUnion(kept.rules.present.subtracting(rows).intersection(.rows))
    } else if !rows.isEmpty {
      losses.sections.insert(.rules)
    }
  }

  /// Lets every part go on where an earlier life was.
  mutating func restoreParts(_ kept: borrowing KeptState, at time: Instant) {
    monitor.restore(kept.motion, at: time)
    alarm.restore(kept, at: time)
    if monitor.phase == .stolen, lastAlert > 0 { alarm.goOn(at: time) }
    if alarm.isHeld {
      presence.expect(at: time)
      if monitor.phase == .stolen { presence.setOff(at: time) }
    }
    trip.restore(kept, at: time)
    places.restore(kept, at: time)
    noteParking()
    requests.restore(kept, at: time)
    rules.restore(kept, at: time)
    stayDisabled(at: time)
  }

  // MARK: What owners look at

  /// The latest time of any input.
  public var now: Instant { journal.now }
  /// The UTC of an instant; nil while no receiver has provided the time.
  public func utc(of instant: Instant) -> UTCTime? { journal.utc(of: instant) }
  /// Distance measured since the tracker is there, m; the odometer also has what the owner has added.
  public var distance: Double { trip.distance }
  /// Length of the ride that ended last, m.
  public var lastRideDistance: Double { trip.lastRideDistance }
  /// How many rides have ended in this life.
  package var endedRides: UInt32 { trip.endedRides }
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
