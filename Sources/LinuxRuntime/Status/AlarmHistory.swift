import MotionDetection
import Quantities
import Telemetry
import TrackerCore

/// Since when it is parked, the last alert, and what was done about it.
package struct AlarmHistory: Sendable {
  /// How an alarm ended.
  package enum End: String, CaseIterable, Sendable {
    /// The owner said that it was their own doing.
    case dismissed
    /// The owner has it back.
    case found
    /// It went on as a ride.
    case ride
    /// Alerts were switched off.
    case disarmed
    /// It is back within its fences.
    case returned
    /// Its fences are others now, or none.
    case removed

    /// Its title and what it says, for people.
    package var words: (title: String, text: String) {
      switch self {
      case .dismissed: ("Dismissed", "Dismissed by the owner")
      case .found: ("Found", "The owner has it back")
      case .ride: ("Over", "It became a ride")
      case .disarmed: ("Over", "Alerts were switched off")
      case .returned: ("Over", "It is back within its fences")
      case .removed: ("Over", "Its fences were changed")
      }
    }
  }

  /// What else the status says of an alert instead of how it ended, with the same words.
  package static let otherOutcomes = [
    (name: "unanswered", title: "Unanswered", text: "Nobody has answered"),
    (name: "notice", title: "Notice", text: "Movement at a secure place, or where no rule guards it"),
  ]

  /// The last alert.
  package struct Alert: Equatable, Sendable {
    /// Its number.
    package var number: UInt32
    /// When it was raised; nil when that was in an earlier life.
    package var time: Instant?
    /// What caused it.
    package var evidence: MovementEvidence
    /// How many times it was told again.
    package var repetition: UInt16
    /// How it ended; nil while it has not, or when nobody saw it.
    package var end: End?
    /// When it ended.
    package var endedAt: Instant?
    /// True for movement that is no alert, of which a notice was sent.
    package var isNotice = false
  }

  /// The last alert; nil when none was told in this life.
  package private(set) var last: Alert?
  /// When it moved last before it was parked; nil when that was in an earlier life, or it is not parked.
  package private(set) var parkedSince: Instant?
  /// Until when positions are told at an interval of their own.
  package private(set) var liveUntil: Instant?

  /// Nothing yet.
  package init() {}

  /// Looks at what happened.
  mutating func note(_ event: TrackerEvent) {
    switch event.kind {
    case .motion(let motion):
      switch motion {
      case .parked(let lastMotion, _, _): parkedSince = lastMotion
      case .rideStarted:
        parkedSince = nil
        end(.ride, at: event.time)
      case .disarmed: end(.disarmed, at: event.time)
      default: break
      }
    // What the owner says counts more than what followed from it in the same moment.
    case .dismissed: end(.dismissed, at: event.time, isOwners: true)
    case .outsideEnded(let alert, let reason):
      guard last?.number == alert else { break }
      switch reason {
      case .entered: last?.end = .returned
      case .found: last?.end = .found
      case .removed: last?.end = .removed
      }
      last?.endedAt = event.time
    case .liveTracking(let until): liveUntil = until
    default: break
    }
  }

  /// Looks at what was told.
  mutating func note(_ packet: Packet) {
    if let alert = packet.alert {
      if let known = last, known.number == alert.id {
        last?.repetition = max(known.repetition, alert.repetition)
      } else {
        last = Alert(
          number: alert.id, time: alert.repetition == 0 ? packet.time : nil, evidence: alert.evidence,
          repetition: alert.repetition, isNotice: packet.status?.reason == .movedInPlace)
      }
    }
    if packet.status?.reason == .found, last?.endedAt == packet.time { last?.end = .found }
  }

  private mutating func end(_ end: End, at time: Instant, isOwners: Bool = false) {
    // An alert about a fence is over by what happens at the fence alone, and a notice begins no alarm.
    guard let alert = last, !alert.isNotice, alert.evidence.detector != .fence else { return }
    guard alert.end == nil || isOwners else { return }
    last?.end = end
    last?.endedAt = time
  }
}
