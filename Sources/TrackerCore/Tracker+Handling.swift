import ASCIIText
import InlineStorage
import MotionDetection
import NMEA
import Positioning
import Quantities
import Telemetry

// What happens inside between the parts: time, fixes, events of motion, and the packets that follow.
extension Tracker {
  /// Near the ends of `Int64` sums of times would overflow.
  func isPossible(_ time: Instant) -> Bool { time.microseconds.magnitude <= 1 << 62 }

  /// Brings time to an input's time, before the input itself is looked at.
  ///
  /// - Returns: False when there can be no such time: near the ends of `Int64` no deadline could lie in the future.
  mutating func begin(at time: Instant) -> Bool {
    guard isPossible(time) else {
      journal.counts.timesImpossible &+= 1
      return false
    }
    assert(!hasActions, "fetch nextAction() to nil before the next input")
    pass(to: time)
    return true
  }

  /// Brings time to a possible time. `nextDeadline` is right after it, and must be before.
  mutating func pass(to time: Instant) {
    guard journal.firstInput != nil else {
      journal.firstInput = time
      // Without any fix the owner still hears every hour that the tracker lives.
      reports.note(nil, at: time)
      journal.now = time
      monitor.advance(to: time)
      handleMotion()
      noteDeadline()
      return
    }
    guard time > now else { return }
    advanceParts(to: time)
  }

  // MARK: Fixes

  /// Reports where it is now. Not in the frame of a door, where every reading would pay for it.
  @inline(never) mutating func sendPosition() { send(packet(.location, at: now)) }

  mutating func handleReceivedFixes() {
    while let fix = receiver.nextFix() { handle(fix) }
  }

  /// Not in the frame of `receive`, which is deep already.
  @inline(never) mutating func handle(_ fix: GNSSFix) {
    let earlier = journal.earlierUTC
    let found = places.judge(fix, &journal)
    if let earlier { noteTimeOff(since: earlier, at: found) }
    guard let position = found else { return lookAtAlarms() }
    monitor.process(fix)
    // The meter is read by the events of this fix before it counts the fix itself.
    handleMotion(at: fix)
    let before = trip.distance
    trip.process(
      TripMeter.Sight(time: fix.time, position: position, speed: fix.speed, accuracy: fix.horizontalAccuracy),
      after: places.lastSight, isTravelling: monitor.isTravelling || monitor.hasArrived,
      stillFor: monitor.hasArrived ? .zero : monitor.stillFor,
      unseen: monitor.unseenCourse, &journal)
    if monitor.hasArrived { trip.credit(trip.distance - before, unseenSince: places.lastSight?.time, &journal) }
    if let height = fix.height { trip.process(height: height, deviation: fix.verticalAccuracy, at: fix.time) }
    if driving.isOn { judgeDriving(fix) }
    places.process(fix, in: monitor.phase)
    refineParking()
    // What is no alarm is not watched like one.
    let phase = alarm.isDowngraded && monitor.phase == .alarmed ? .parked : monitor.phase
    let isDue = reports.isDue(fix, position: position, phase: phase, isTravelling: monitor.isTravelling)
    let isPoint = path.isOn && followPath(fix, position, phase: phase)
    if isPoint || isDue && hasSecond(for: fix) { send(packet(.location, at: now), after: fix) }
    if reports.isLastDue { tellReport(at: now) }
    judgeFences(fix)
    lookAtAlarms()
  }

  /// Tells where it is by itself: as a report, or for the last time before the battery is empty.
  @inline(never) mutating func tellReport(at time: Instant) {
    if reports.takeLast() { sendStatus(.lastPosition) } else { send(packet(.location, at: time)) }
  }

  /// Spares the battery as far as its charge asks for.
  @inline(never) mutating func followThrift() {
    supply.spare(from: configuration.savingLevel)
    let tellsLast = supply.takeLast()
    reports.save(supply.thrift, tellsLast: tellsLast, at: now)
  }

  /// False when other packets have used up the seconds of a fix: a report that is due waits for the next fix then.
  @inline(never) private func hasSecond(for fix: GNSSFix) -> Bool {
    guard let utc = journal.utc(of: fix.time), let second = UInt32(exactly: utc.microseconds / 1_000_000) else {
      return true
    }
    return !handover.seconds.isFull(second, room: ToldSeconds.room(.report))
  }

  /// Reports what is above a limit of driving.
  @inline(never) private mutating func judgeDriving(_ fix: GNSSFix) {
    var place: UInt8 = 0
    while let kind = DrivingExcess(rawValue: place) {
      place += 1
      let isRiding = monitor.phase == .riding
      guard let (reason, value) = driving.process(kind, fix, isRiding: isRiding, &journal) else {
        continue
      }
      var notice = packet(.status, at: now)
      notice.status = PacketStatus(reason: reason, alertsEnabled: alertsAreOn)
      notice.value = value
      send(notice)
    }
    driving.pass(fix)
  }

  // MARK: Motion

  /// - Parameter fix: The fix at hand; nil for another input.
  mutating func handleMotion(at fix: GNSSFix? = nil) {
    while let stamped = monitor.nextEvent() {
      let event = measured(stamped.event)
      if case .movement(let evidence) = event {
        handleMovement(evidence, at: stamped.time)
        continue
      }
      if case .stolen = event, alarm.isDowngraded {
        // Where movement is no alarm, what sets off is a ride.
        monitor.dismiss(at: now)
        journal.noteChange()
        continue
      }
      journal.emit(.motion(event), at: stamped.time)
      journal.noteChange()
      switch event {
      case .rideStarted(let onset):
        noteCarriedRide()
        // An alarm that turned out to be a ride has been travelling since it began.
        trip.beginRide(at: alarm.isOver ? trip.distance : alarm.startDistance, since: onset)
        alarm.end()
        withdrawPlaceQuestion()
        tellDeparture(at: stamped.time, fix)
      case .resumed(let onset, let since):
        trip.resume(at: onset, stoodSince: since)
        if onset - since >= ReportPolicy.departureAfter { tellDeparture(at: stamped.time, fix) }
      case .parked(_, let start, let end):
        trip.park()
        noteParking()
        endPath()
        if let start, let end { sendRide(from: start, to: end, at: stamped.time) }
        sendParking(at: stamped.time)
        armAgain()
      case .quiet(_, let displacement):
        if alarm.isHeld { withdrawAlert(at: stamped.time) }
        alarm.close()
        noteParking()
        if let displacement, displacement >= configuration.motion.parkedDisplacement {
          sendParking(at: stamped.time)
        }
      case .disarmed:
        alarm.end()
        noteParking()
      case .stolen(let since):
        if alarm.isHeld { presence.setOff(at: since) }
        if !alarm.isHeld { endPrivacy() }
      case .suspicious:
        tellTouch(at: stamped.time)
      case .standing(let since, _): trip.stand(since: since)
      case .travelledUnseen(let since, let distance):
        trip.goOn(unseenSince: since, distance: distance, at: stamped.time)
      case .armed: noteParking()
      case .movement, .calmed: break
      }
    }
  }

  /// Movement of the parked vehicle: an alert, or where it is none at most a notice.
  private mutating func handleMovement(_ evidence: MovementEvidence, at time: Instant) {
    let policy = evidence.detector == .tamper ? .alert : movementPolicy
    let isAlert = policy == .alert || !(alarm.isOver || alarm.isDowngraded)
    journal.emit(isAlert ? .motion(.movement(evidence)) : .movedInPlace(evidence), at: time)
    journal.noteChange()
    if isAlert {
      tellMovement(evidence, at: time)
    } else {
      tellDowngraded(evidence, at: time, isSilent: policy == .silent)
    }
  }

  /// A touch is told when the owner wants that, seldom enough, when it is not the owner's own, and where movement is an alarm.
  @inline(never) private mutating func tellTouch(at time: Instant) {
    guard !presence.isNear(at: time), movementPolicy == .alert, reports.tellsTouch(at: time) else { return }
    var notice = packet(.status, at: time)
    notice.status = PacketStatus(reason: .touched, alertsEnabled: alertsAreOn)
    send(notice)
  }

  /// The event with the angle that a turn was noticed by: its ratio to the threshold, times the threshold.
  private func measured(_ event: MotionEvent) -> MotionEvent {
    guard case .movement(var evidence) = event, evidence.detector == .heading else { return event }
    evidence.turn = evidence.ratio * monitor.parameters.headingLimit
    return .movement(evidence)
  }

  // MARK: Settings

  /// Changes settings, all of them or none.
  ///
  /// - Parameters:
  ///   - number: Of the request; 0 for none.
  ///   - reason: What the owner is told when they are made.
  @inline(never) mutating func change(
    _ changes: SettingChanges, request number: UInt32 = 0, told reason: StatusReason = .settingsChanged
  ) {
    let isOnTrial = reason == .settingsChanged && handover.hasBeenAnswered
    let trialEnd = isOnTrial ? now + SettingsKeeper.trialTime : nil
    if let refusal = settings.apply(changes, to: &configuration, request: number, until: trialEnd) {
      sendStatus(refusal, request: number)
      return
    }
    endPath()
    configureParts()
    journal.noteChange(.settings)
    var place = 0
    while place < changes.count {
      let id = changes[place].id
      if let value = configuration.value(of: id) {
        journal.emit(.settingChanged(setting: id, value: value), at: now)
      }
      place += 1
    }
    sendStatus(reason, request: number)
  }

  /// Nobody was reached with new settings, and somebody was before: they may be the reason.
  mutating func takeSettingsBack() {
    guard let (changes, number) = settings.endTrial() else { return }
    change(changes, request: number, told: .settingsTakenBack)
  }

  // MARK: Packets

  // Not in the frame of who finds out: each has a packet of its own there.

  @inline(never) mutating func sendAlert(_ evidence: MovementEvidence, at time: Instant) {
    let raised = alarm.raise(evidence, at: time, distance: trip.distance)
    var alert = packet(.movement, at: time)
    alert.alert = raised
    send(alert)
  }

  /// Nobody has answered the last alert: it is told again, with where the vehicle is now.
  @inline(never) mutating func tellAlertAgain(at time: Instant) {
    guard let raised = alarm.tellAgain(at: time, isHeard: !outbox.hasUnheardAlert(.movement)) else { return }
    outbox.withdrawRepetitions(of: .movement)
    var alert = packet(.movement, at: time)
    alert.alert = raised
    send(alert)
  }

  /// A ride begins: its first position is told at once, or the last one known where none comes.
  private mutating func tellDeparture(at time: Instant, _ fix: GNSSFix?) {
    guard reports.tellsRides else { return }
    if let last = fix ?? lastFix, time - last.time < .seconds(5) {
      reports.expectDeparture()
    } else {
      send(packet(.location, at: time))
    }
  }

  @inline(never) mutating func sendStatus(_ reason: StatusReason, request: UInt32 = 0) {
    sendStatus(reason, request: request, value: Span())
  }

  /// - Parameters:
  ///   - request: Number of the request that it answers; 0 for none.
  ///   - value: What was asked for; empty for nothing.
  @inline(never) mutating func sendStatus(_ reason: StatusReason, request: UInt32, value: Span<UInt8>) {
    requests.lastAnswer = reason
    requests.lastValue = value.isEmpty ? nil : PacketText(value)
    var answer = packet(.status, at: now)
    answer.status = PacketStatus(reason: reason, alertsEnabled: alertsAreOn, request: request)
    answer.value = requests.lastValue
    send(answer)
  }

  @inline(never) private mutating func sendRide(from start: Instant, to end: Instant, at time: Instant) {
    trip.endRide(from: start, to: end)
    noteCarriedRide()
    var summary = packet(.ride, at: time)
    trip.describeRide(in: &summary)
    send(summary)
  }

  /// Whether the last ride was carried is kept with what requests have changed of the odometer.
  private mutating func noteCarriedRide() {
    if trip.isRideCarried { journal.noteChange(.odometer) }
  }

  /// Nobody is asked any more whether it is parked at a secure place.
  mutating func withdrawPlaceQuestion() {
    guard rules.question != 0 else { return }
    rules.question = 0
    journal.noteChange(.rules)
  }

  @inline(never) private mutating func sendParking(at time: Instant) {
    withdrawPlaceQuestion()
    // Nobody asks or is told at a secure place.
    guard securePlace == 0 else { return }
    var parking = packet(.parking, at: time)
    places.describeParking(in: &parking)
    rules.question = send(parking)
    rules.noteUse()
    journal.noteChange(.rules)
  }

  /// - Returns: Its number; 0 when there was no room.
  @inline(never) @discardableResult mutating func send(
    _ packet: Packet, after fix: GNSSFix? = nil, isExpress: Bool = false
  ) -> UInt32 {
    // Whoever is told this position joins it to the path, and wants the point before it.
    if let position = packet.position, path.tell(fixAt: position.fixTime, last: places.lastFix) { sendPoint() }
    return submit(packet, after: fix, isExpress: isExpress)
  }

  /// Puts a packet into the outbox; all but points of the path go through `send`.
  @inline(never) @discardableResult mutating func submit(
    _ packet: Packet, after fix: GNSSFix? = nil, isExpress: Bool = false
  ) -> UInt32 {
    journal.noteChange()
    var packet = packet
    if requests.isPrivate { packet.withholdPosition() }
    if packet.kind == .location { reports.note(fix, at: packet.time) }
    if packet.position != nil, let second = packet.epochSeconds.flatMap({ UInt32(exactly: $0) }) {
      packet.position?.addedSeconds = handover.seconds.note(second, room: ToldSeconds.room(packet.kind.priority))
    }
    if let sequence = outbox.submit(packet, isExpress: isExpress, at: now) { return sequence }
    journal.emit(.packetRefused(kind: packet.kind.rawValue), at: packet.time)
    return 0
  }
}
