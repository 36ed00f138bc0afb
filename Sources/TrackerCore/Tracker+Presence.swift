import MotionDetection
import Quantities
import Telemetry

// What a movement means while the owner is near (decision 21).
extension Tracker {
  /// A parked vehicle moves: it is told, or, while the owner is near, held back.
  @inline(never) mutating func tellMovement(_ evidence: MovementEvidence, at time: Instant) {
    let isHeld = alarm.isHeld
    guard presence.holds(evidence, isHeld: isHeld, isNew: alarm.isOver, at: time) else {
      if isHeld {
        _ = alarm.hold(evidence, at: time, distance: trip.distance)
        releaseAlert(at: time)
      } else {
        sendAlert(evidence, at: time)
      }
      return
    }
    let held = alarm.hold(evidence, at: time, distance: trip.distance)
    guard !isHeld else { return }
    journal.emit(.pending(alert: held.id), at: time)
    sendNotice(.pending, held, at: time)
  }

  /// Looks what follows from whether the owner is near now.
  @inline(never) mutating func judgePresence() {
    presence.tell(&journal)
    guard alarm.isHeld else {
      presence.settle()
      return
    }
    if presence.hasMovedAlong(at: now) {
      takeAsOwners()
    } else if !presence.isNear(at: now) {
      // Nobody is there any more. What stands still where it was left has not gone with anybody.
      if monitor.isStillInAlarm { withdrawAlert(at: now) } else { releaseAlert(at: now) }
    } else if monitor.phase != .alarmed && monitor.phase != .stolen && presence.isConfirmed {
      // Of an earlier life; the owner was seen again.
      withdrawAlert(at: now)
    }
  }

  /// The vehicle is under way with its owner: it is a ride, or has been carried, and is armed again as after any.
  private mutating func takeAsOwners() {
    let held = alarm.held
    monitor.dismiss(at: now)
    handleMotion()
    alarm.end()
    presence.settle()
    journal.emit(.withdrawn(alert: held.id), at: now)
    sendNotice(.withdrawn, held, at: now)
  }

  /// What was held back came to nothing.
  mutating func withdrawAlert(at time: Instant) {
    let held = alarm.held
    alarm.end()
    presence.settle()
    journal.emit(.withdrawn(alert: held.id), at: time)
    sendNotice(.withdrawn, held, at: time)
  }

  /// What was held back is told after all, with the onset of the first movement.
  private mutating func releaseAlert(at time: Instant) {
    var alert = packet(.movement, at: time)
    presence.settle()
    alert.alert = alarm.release(at: time)
    alert.phase = monitor.phase
    send(alert)
    if monitor.phase == .stolen { endPrivacy() }
    // Of an earlier life, and nothing moves now.
    if monitor.phase != .alarmed && monitor.phase != .stolen { alarm.close() }
  }

  @inline(never) private mutating func sendNotice(_ reason: StatusReason, _ held: PacketAlert, at time: Instant) {
    var notice = packet(.status, at: time)
    notice.status = PacketStatus(reason: reason, alertsEnabled: alertsAreWanted)
    notice.alert = held
    send(notice)
  }

  /// Whether the owner is near; nil while that was never reported.
  public var isOwnerNear: Bool? { presence.isNear }

  /// Which of the owner's tags was seen last, 0 when that is not known, and when; nil before the first.
  public var ownerSeen: (token: UInt8, time: Instant)? { presence.lastSeen.map { (presence.token, $0) } }
}
