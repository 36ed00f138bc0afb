import InertialFusion
import InlineStorage
import MotionDetection
import NMEA
import Positioning
import Quantities
import Telemetry

/// What happens to fixes and motion events inside.
extension Tracker {
  /// Counts of what could not be used or done.
  public var diagnostics: TrackerDiagnostics {
    var result = counts
    let rejected = monitor.estimator.rejections
    result.samplesOutOfOrder = rejected.outOfOrder
    result.samplesInvalid = rejected.notFinite &+ rejected.empty &+ rejected.outOfRange
    result.actionsDropped = events.rejectedCount &+ monitor.lostEventCount
    result.packetsEvicted = outbox.evictedCount
    result.packetsExpired = outbox.expiredCount
    result.packetsUncarried = outbox.uncarriedCount
    result.packetsRefused = outbox.refusedCount
    return result
  }

  /// Distance travelled since switching on, m.
  public var distance: Double { trip.distance }

  /// The UTC of an instant; nil while no receiver has told the time.
  public func utc(of instant: Instant) -> UTCTime? {
    utcOffset.map { UTCTime(microseconds: instant.microseconds) + $0 }
  }

  /// Near the ends of `Int64` sums of times would overflow.
  func isPossible(_ time: Instant) -> Bool { time.microseconds.magnitude <= 1 << 62 }

  /// Brings time to an input's time, before the input itself is looked at.
  ///
  /// - Returns: False when there can be no such time: near the ends of `Int64` no deadline could lie in the future.
  mutating func begin(at time: Instant) -> Bool {
    guard isPossible(time) else {
      counts.timesImpossible &+= 1
      return false
    }
    pass(to: time)
    return true
  }

  private mutating func pass(to time: Instant) {
    assert(events.isEmpty, "fetch nextAction() to nil before the next input")
    guard firstInput != nil else {
      firstInput = time
      // Without any fix the owner still hears every hour that the tracker lives.
      policy.note(nil, at: time)
      now = time
      monitor.advance(to: time)
      handleMotion()
      return
    }
    guard time > now else { return }
    if let deadline = receiver.nextDeadline, deadline <= time {
      receiver.advance(to: time)
      handleReceivedFixes()
    }
    monitor.advance(to: time)
    now = time
    handleMotion()
    if let heartbeat = policy.heartbeat(in: monitor.phase), heartbeat <= time { send(packet(.location, at: time)) }
    if outbox.advance(to: time) { noteChange(.waiting) }
  }

  mutating func handleReceivedFixes() {
    while let fix = receiver.nextFix() { handle(fix) }
  }

  mutating func handle(_ fix: GNSSFix) {
    let isOld = now - fix.time > configuration.reports.staleAfter
    if isOld || lastFixTime.map({ fix.time <= $0 }) ?? false {
      counts.fixesOutOfOrder &+= 1
      return
    }
    lastFixTime = fix.time
    if let utc = fix.utc { utcOffset = Interval(microseconds: utc.microseconds) - (fix.time - Instant.zero) }
    guard fix.hasPosition, let position = fix.position else {
      noteMissingPosition(at: fix.time)
      return
    }
    noteAcquired(at: fix.time)
    monitor.process(fix)
    // The meter is read by the events of this fix before it counts the fix itself.
    handleMotion()
    trip.record(
      position, isTravelling: monitor.isTravelling, previous: lastFix?.position,
      elapsed: lastFix.map { fix.time - $0.time } ?? .zero)
    noteTravelled()
    lastFix = fix
    followParkingPlace(fix)
    if policy.isDue(fix, position: position, phase: monitor.phase) { send(packet(.location, at: now), after: fix) }
  }

  private mutating func noteMissingPosition(at time: Instant) {
    counts.fixesWithoutPosition &+= 1
    let since = withoutPositionSince ?? time
    withoutPositionSince = since
    if !isFixLost, time - since >= .seconds(30) {
      isFixLost = true
      emit(.fixLost(since: since), at: now)
    }
  }

  private mutating func noteAcquired(at time: Instant) {
    if isFixLost {
      isFixLost = false
      let since = withoutPositionSince ?? firstInput ?? time
      // A first fix may be of before the first input.
      emit(.fixAcquired(after: max(.zero, time - since)), at: now)
    }
    withoutPositionSince = nil
  }

  /// The best fix since the vehicle came to stand tells where it is parked; of equals the latest.
  private mutating func followParkingPlace(_ fix: GNSSFix) {
    if monitor.phase == .riding || monitor.phase == .alarmed {
      parkingFix = nil
      return
    }
    let assumed = Double(configuration.motion.assumedAccuracy)
    if let held = parkingFix, (fix.horizontalAccuracy ?? assumed) > (held.horizontalAccuracy ?? assumed) { return }
    parkingFix = fix
  }

  mutating func handleMotion() {
    while let stamped = monitor.nextEvent() {
      emit(.motion(stamped.event), at: stamped.time)
      noteChange()
      switch stamped.event {
      case .rideStarted:
        // An alarm that turned out to be a ride has been travelling since it began.
        rideStartDistance = isAlarmOver ? trip.distance : alarmStartDistance
        isAlarmOver = true
      case .parked(_, let start, let end):
        if let start, let end { sendRide(from: start, to: end, at: stamped.time) }
        send(parkingPacket(at: stamped.time))
      case .movement(let evidence):
        sendAlert(evidence, at: stamped.time)
      case .quiet(_, let displacement):
        isAlarmOver = true
        if let displacement, displacement >= configuration.motion.parkedDisplacement {
          send(parkingPacket(at: stamped.time))
        }
      case .disarmed:
        isAlarmOver = true
      case .standing, .resumed, .travelledUnseen, .armed, .suspicious, .calmed:
        break
      }
    }
  }

  private mutating func sendAlert(_ evidence: MovementEvidence, at time: Instant) {
    lastAlert &+= 1
    if isAlarmOver {
      isAlarmOver = false
      firstAlert = lastAlert
      alarmStartDistance = trip.distance
    }
    var alert = packet(.movement, at: time)
    alert.alert = PacketAlert(id: lastAlert, evidence: evidence)
    send(alert)
  }

  mutating func sendStatus(_ reason: StatusReason) {
    var answer = packet(.status, at: now)
    answer.status = PacketStatus(reason: reason, alertsEnabled: monitor.alertsEnabled)
    send(answer)
  }

  private mutating func sendRide(from start: Instant, to end: Instant, at time: Instant) {
    lastRideDistance = trip.distance - rideStartDistance
    var summary = packet(.ride, at: time)
    let metres = UInt32(clamping: Elementary.roundedInteger(lastRideDistance))
    summary.ride = PacketRide(start: start, end: end, distanceMetres: metres)
    send(summary)
  }

  private func parkingPacket(at time: Instant) -> Packet {
    var parking = packet(.parking, at: time)
    if let fix = parkingFix, let position = PacketPosition(fix) {
      parking.position = position
      parking.isStale = parking.fixAge > configuration.reports.staleAfter
    }
    return parking
  }

  func packet(_ kind: PacketKind, at time: Instant) -> Packet {
    var result = Packet(kind: kind, time: time, utc: utc(of: time), phase: monitor.phase, isArmed: monitor.isArmed)
    result.position = lastFix.flatMap { PacketPosition($0) }
    result.isStale = result.fixAge > configuration.reports.staleAfter
    result.distanceMetres = UInt32(clamping: Elementary.roundedInteger(trip.distance))
    if let lastSupply, time - lastSupply.time <= configuration.reports.supplyLifetime, !lastSupply.supply.isEmpty {
      result.supply = lastSupply.supply
    }
    if monitor.estimator.attitude.isAligned {
      let up = monitor.estimator.attitude.levelFromBody.conjugate.rotate(Vector3(0, 0, 1))
      let level = (up.y * up.y + up.z * up.z).squareRoot()
      result.rollDecidegrees = decidegrees(Elementary.atan2(up.y, up.z))
      result.pitchDecidegrees = decidegrees(Elementary.atan2(-up.x, level))
    }
    return result
  }

  private func decidegrees(_ angle: Float) -> Int16 {
    Int16(clamping: Elementary.roundedInteger(Double(angle) * (1800 / Double.pi)))
  }

  mutating func send(_ packet: Packet, after fix: GNSSFix? = nil, isExpress: Bool = false) {
    noteChange()
    if packet.kind == .location { policy.note(fix, at: packet.time) }
    if outbox.submit(packet, isExpress: isExpress, at: now) == nil {
      emit(.packetRefused(kind: packet.kind.rawValue), at: packet.time)
    }
  }

  mutating func emit(_ kind: TrackerEvent.Kind, at time: Instant) {
    events.append(TrackerEvent(time: time, utc: utc(of: time), kind: kind))
  }
}
