import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
public import Rules
public import Telemetry

// Fences, secure places and alarms: what follows from fixes, from time and from requests.
extension Tracker {
  // MARK: Fixes and time

  /// Lets the rules look at a fix, once all others have.
  @inline(never) mutating func judgeFences(_ fix: GNSSFix) {
    guard rules.isUsed else { return }
    let scatter = monitor.fixScatter
    let before = rules.fences.presence
    defer { if rules.fences.presence != before { journal.noteChange(.rules) } }
    rules.fences.process(
      fix,
      scatter: LearntScatter(
        deviation: scatter.deviation, usualAccuracy: scatter.usualAccuracy, isLearnt: scatter.isLearnt),
      stillSince: monitor.stillByInertiaSince)
    handleFences()
  }

  /// Looks at alarms though none is due, when the time has become known or a clock was set.
  @inline(never) mutating func lookAtAlarms() {
    if rules.isLookDue(scene) { advanceAlarms() }
  }

  @inline(never) mutating func advanceRules(to time: Instant) {
    rules.fences.advance(to: time, isHeard: !outbox.hasUnheardAlert(.fence))
    handleFences()
    if let due = rules.alarms.nextDeadline, due <= time { advanceAlarms() }
  }

  mutating func handleFences() {
    while let event = rules.fences.nextEvent() {
      switch event.kind {
      case .arrived(let fence, let since, let isFirst): cross(fence, isEntry: true, since, isFirst, at: event.time)
      case .departed(let fence, let since, let isFirst): cross(fence, isEntry: false, since, isFirst, at: event.time)
      case .alert(let repetition): tellOutside(repetition, at: event.time)
      case .ended(let end):
        journal.emit(.outsideEnded(alert: rules.alert, end), at: event.time)
        journal.noteChange(.rules)
        outbox.withdrawRepetitions(of: .fence)
        if end == .entered { tellRule(.returned, about: .fence, rules.fences.exit.fence) }
      }
    }
  }

  private mutating func cross(_ fence: UInt8, isEntry: Bool, _ since: Instant, _ isFirst: Bool, at time: Instant) {
    noteFence(fence)
    // Where it was found first it has not just come to.
    if !isFirst {
      journal.emit(.transition(fence: fence, isEntry: isEntry, since: since), at: time)
      if isEntry {
        rules.alarms.enter(fence, scene, rules.fences.fences)
      } else {
        rules.alarms.leave(fence, scene, rules.fences.fences)
      }
      if rules.tellsTransitions { sendTransition(fence, isEntry: isEntry, since, at: time) }
    }
    advanceAlarms()
  }

  /// Where it is, seen from this fence, is kept: alarms ask for it after a restart.
  private mutating func noteFence(_ number: UInt8) {
    guard let row = rules.fences.fences.row(of: number) else { return }
    rules.noteUse(.fence(row))
    journal.noteChange(.fence(row))
  }

  @inline(never) private mutating func sendTransition(_ fence: UInt8, isEntry: Bool, _ since: Instant, at time: Instant)
  {
    var news = packet(.transition, at: time)
    news.rule = PacketRule(
      .fence, fence, name: rules.name(ofFence: fence).span, isEntry: isEntry, ago: time - since)
    send(news)
  }

  /// It is outside all fences that must not be left.
  @inline(never) private mutating func tellOutside(_ repetition: UInt16, at time: Instant) {
    if repetition == 0 || rules.alert == 0 { rules.alert = alarm.nextNumber() }
    if repetition == 0 {
      rules.noteExit()
      // Who switches it on again after that has been told.
      endPrivacy()
    }
    let onset = rules.exitOnset(at: time, journal.utc(of: time))
    let exit = rules.fences.exit
    journal.emit(.outside(alert: rules.alert, fence: exit.fence, repetition: repetition), at: time)
    journal.noteChange(.rules)
    outbox.withdrawRepetitions(of: .fence)
    var evidence = MovementEvidence(
      detector: .fence, ratio: max(0, exit.ratio), onset: onset ?? MovementEvidence.unknownOnset,
      duration: time - exit.since)
    // On its way back it may be within again before that is confirmed.
    if exit.fence != 0 { evidence.displacement = max(0, exit.distance) }
    var news = packet(.fence, at: time)
    news.alert = PacketAlert(id: rules.alert, repetition: repetition, evidence: evidence)
    news.rule = PacketRule(.fence, exit.fence, name: rules.name(ofFence: exit.fence).span)
    send(news)
  }

  // MARK: Alarms

  /// Where and when it is, for alarms.
  var scene: AlarmScene {
    let isFresh = places.lastFix.map { now - $0.time <= configuration.reports.staleAfter } ?? false || isWhereItWasSeen
    return AlarmScene(now: now, utc: journal.utc(of: now), hasFix: isFresh, position: places.lastFix?.position)
  }

  @inline(never) mutating func advanceAlarms() {
    rules.alarms.advance(scene, rules.fences.fences)
    while let event = rules.alarms.nextEvent() {
      journal.emit(.alarm(number: event.number, event.kind), at: now)
      if case .rang(let seconds) = event.kind {
        if seconds > 0 { buzzer.sound(.pulse, .seconds(Int(seconds)), for: .alarm, at: now) }
        tellRule(.alarmRang, about: .alarm, event.number)
      } else {
        tellRule(.alarmMissed, about: .alarm, event.number)
      }
    }
    // What an alarm began before quiet hours ends with their beginning.
    if buzzer.isAlarmSounding(at: now), rules.alarms.isQuiet(scene, rules.fences.fences) { buzzer.hush() }
    keepAlarms()
  }

  mutating func keepAlarms() {
    let changed = rules.alarms.takeChanges()
    guard changed != 0 else { return }
    let rows = StateSections(rawValue: UInt64(changed) << 32)
    rules.noteUse(rows)
    journal.noteChange(rows.union(.rules))
  }

  /// A status about a rule, with its name.
  @inline(never) mutating func tellRule(
    _ reason: StatusReason, about table: PacketRule.Table, _ number: UInt8, request: UInt32 = 0
  ) {
    requests.lastAnswer = reason
    requests.lastValue = nil
    var news = packet(.status, at: now)
    news.status = PacketStatus(reason: reason, alertsEnabled: alertsAreOn, request: request)
    news.rule = PacketRule(table, number, name: ruleName(table, number).span)
    send(news)
  }

  func ruleName(_ table: PacketRule.Table, _ number: UInt8) -> InlineBytes<32> {
    switch table {
    case .fence: return rules.name(ofFence: number)
    case .place: return rules.secure.row(of: number).map { rules.secure[$0].name } ?? InlineBytes<32>()
    case .alarm: return rules.alarms.row(of: number).map { rules.alarms[$0].label } ?? InlineBytes<32>()
    }
  }

  // MARK: Secure places

  /// Where it is parked, or was before what is going on began; while it is on its way or has just come to stand, where it is.
  var parkedPosition: GeodeticPosition? {
    switch monitor.phase {
    case .parked, .suspicious, .alarmed, .stolen: return places.parkedAt
    case .starting, .riding, .settling: return places.restsAt
    }
  }

  /// It is parked, and watched where the monitor says; without a fix since it came, where it was seen last.
  @inline(never) mutating func noteParking() { places.park(at: monitor.snapshot.place ?? places.restsAt) }

  /// A fix may have shown where it is parked, or shown it better.
  @inline(never) mutating func refineParking() {
    guard monitor.phase == .parked || monitor.phase == .suspicious else { return }
    if let place = monitor.snapshot.place { places.park(at: place) }
  }

  /// The number of the secure place where it is parked; 0 for none.
  var securePlace: UInt8 { parkedPosition.map { rules.secure.number(at: $0) } ?? 0 }

  /// What becomes of movement where it is parked.
  var movementPolicy: SecureMovement {
    guard rules.isUsed else { return .alert }
    if configuration.rules.secureMovement != .alert, securePlace != 0 { return configuration.rules.secureMovement }
    return rules.alarms.isGuarding(scene, rules.fences.fences) ? .alert : .notice
  }

  /// Movement at a secure place, or where no rule guards it, is told once and is no alarm.
  @inline(never) mutating func tellDowngraded(_ evidence: MovementEvidence, at time: Instant, isSilent: Bool) {
    guard alarm.isOver else { return }
    var news = packet(.status, at: time)
    news.alert = alarm.raise(evidence, at: time, distance: trip.distance)
    alarm.downgrade()
    guard !isSilent else { return }
    news.status = PacketStatus(reason: .movedInPlace, alertsEnabled: alertsAreWanted)
    let place = securePlace
    if place != 0 { news.rule = PacketRule(.place, place, name: ruleName(.place, place).span) }
    send(news)
  }

  // MARK: What owners look at

  /// Where the machine of the fences is.
  public var fenceState: FenceAlarmState { rules.fences.alarm.state }
  /// The number of the alert about fences that is repeated until it is over; nil when there is none.
  public var openFenceAlert: UInt32? { rules.fences.alarm.state == .alerting ? rules.alert : nil }
  /// The secure place where it is parked; nil for none, and while it is on its way, has just come to stand, or is stolen.
  public var parkedPlace: UInt8? {
    guard isParked else { return nil }
    let place = securePlace
    return place == 0 ? nil : place
  }
  /// True while it is parked, whatever happens to it there.
  var isParked: Bool {
    switch monitor.phase {
    case .parked, .suspicious, .alarmed: return true
    case .starting, .riding, .settling, .stolen: return false
    }
  }
  /// True where it is parked at the secure place that is called `home`.
  package var isParkedAtHome: Bool {
    let name = ruleName(.place, securePlace)
    return TextWord(in: name.span).equals("home", in: name.span)
  }
  /// The number of the `parking` packet that asks whether it is a secure place; nil when none does, and while it is not parked.
  public var placeQuestion: UInt32? { rules.question == 0 || !isParked ? nil : rules.question }
  /// True when it has or had rules, or a question about its parking place.
  package var usesRules: Bool { rules.isUsed }

  /// Writes a rule as the request that makes it, without its first word; false, and nothing written, for an empty row.
  ///
  /// - Parameters:
  ///   - table: Which table.
  ///   - row: From 0; beyond the last row there is nothing.
  public func encodeRule(_ table: PacketRule.Table, row: Int, into sink: inout some ByteSink) -> Bool {
    guard row >= 0 else { return false }
    switch table {
    case .fence:
      guard row < RuleKeeper.fenceRows, rules.fences.fences[row].number != 0 else { return false }
      encodeFence(row, into: &sink)
    case .place:
      guard row < RuleKeeper.placeRows, rules.secure[row].number != 0 else { return false }
      let place = rules.secure[row]
      var outline = PlaceOutline(number: place.number)
      outline.name = place.name
      outline.latitudeE7 = Int32(clamping: roundedToE7(place.latitudeE9))
      outline.longitudeE7 = Int32(clamping: roundedToE7(place.longitudeE9))
      outline.radius = place.radius
      PlaceChange.set(outline).encode(into: &sink)
    case .alarm:
      guard row < RuleKeeper.alarmRows, rules.alarms[row].number != 0 else { return false }
      AlarmChange.set(rules.alarms[row]).encode(into: &sink)
    }
    return true
  }

  private func encodeFence(_ row: Int, into sink: inout some ByteSink) {
    let shape = rules.fences.fences[row].region.shape
    let name = rules.fences.fences[row].name
    var outline = FenceOutline(
      rules.fences.fences[row].number, name: name.span, shape,
      width: Float(rules.fences.fences[row].region.width))
    var ring = 0
    var place = 0
    while place < rules.fences.fences[row].region.count {
      let beginsHole = place == rules.fences.fences[row].region.ringEnd(ring)
      if beginsHole { ring += 1 }
      let corner = rules.fences.fences[row].region.corner(place)
      _ = outline.append(
        latitudeE7: Int32(clamping: roundedToE7(corner.latitudeE9)),
        longitudeE7: Int32(clamping: roundedToE7(corner.longitudeE9)), beginsHole: beginsHole)
      place += 1
    }
    FenceChange.set(outline).encode(into: &sink)
  }

  /// What is known of the fence in a row; nil for an empty one.
  public func fenceStatus(row: Int) -> (number: UInt8, isActive: Bool, presence: PresenceState)? {
    guard row >= 0, row < RuleKeeper.fenceRows, rules.fences.fences[row].number != 0 else { return nil }
    return (rules.fences.fences[row].number, rules.fences.fences[row].isActive, rules.fences.fences[row].presence)
  }

  /// The alarm in a row, with when it rings next; nil for an empty one.
  public func alarmStatus(row: Int) -> AlarmRule? {
    guard row >= 0, row < RuleKeeper.alarmRows, rules.alarms[row].number != 0 else { return nil }
    return rules.alarms[row]
  }

  /// The time zone of alarms as it was set; empty for UTC.
  public var alarmZone: InlineBytes<48> { rules.alarms.zoneText }
}

func roundedToE7(_ valueE9: Int64) -> Int64 { (valueE9 + (valueE9 < 0 ? -50 : 50)) / 100 }

extension Tracker {
  /// How many rows of a table there is room for.
  package static func ruleRows(_ table: PacketRule.Table) -> Int {
    switch table {
    case .fence: return RuleKeeper.fenceRows
    case .place: return RuleKeeper.placeRows
    case .alarm: return RuleKeeper.alarmRows
    }
  }
}
