public import MotionDetection
public import Quantities
public import Rules

/// Something that happened, for the owner's timeline.
@frozen public struct TrackerEvent: Equatable, BitwiseCopyable, Sendable {
  /// What happened.
  @frozen public enum Kind: Equatable, BitwiseCopyable, Sendable {
    /// The parked-state machine.
    case motion(MotionEvent)
    /// The parked vehicle is being moved at a secure place, or where no rule guards it, which is no alert.
    case movedInPlace(MovementEvidence)
    /// The first position, or one after the receiver had lost it, `after` is how long that took.
    case fixAcquired(after: Interval)
    /// The receiver says that it has no position since `since`.
    case fixLost(since: Instant)
    /// The owner said that an alert was their own doing.
    case dismissed(alert: UInt32)
    /// Live tracking until `until`.
    case liveTracking(until: Instant)
    /// The owner has changed a setting; the value as `SettingChange.value` has it.
    case settingChanged(setting: UInt8, value: Int64)
    /// The tracker goes on where it was before a restart, with so many packets that wait.
    case restored(packets: UInt8, phase: MotionPhase)
    /// A part of what had been kept before a restart was lost.
    case stateDamaged(StateLosses)
    /// A packet was refused because the outbox was full.
    case packetRefused(kind: UInt8)
    /// A request was let in: its kind, the channel it came by, and its number, 0 for none.
    case request(kind: UInt8, channel: UInt8, number: UInt32)
    /// A request was refused, `RequestRefusal`, or so many of a kind together.
    case requestRefused(reason: UInt8, channel: UInt8, times: UInt16)
    /// The owner has come near or gone away; which tag was seen, 0 when that is not known.
    case presence(isNear: Bool, token: UInt8)
    /// The vehicle moves while its owner is near: the alert is held back.
    case pending(alert: UInt32)
    /// What was held back was the owner's own doing, or came to nothing.
    case withdrawn(alert: UInt32)
    /// It is outside all fences that must not be left: the alert, the nearest of them, and how often it was reported before.
    case outside(alert: UInt32, fence: UInt8, repetition: UInt16)
    /// That alert is over.
    case outsideEnded(alert: UInt32, FenceAlarmEnd)
    /// Somebody has come to a fence or left it, since when.
    case transition(fence: UInt8, isEntry: Bool, since: Instant)
    /// A rule was changed: `PacketRule.Table` and its number, 0 for all of them.
    case ruleChanged(table: UInt8, number: UInt8)
    /// An alarm has rung, or would have while the tracker was off.
    case alarm(number: UInt8, AlarmEvent.Kind)
    /// Power from outside has gone: somebody may have pulled a plug or cut a cable.
    case powerLost
    /// There is power from outside again.
    case powerRestored
    /// The battery is low: its charge, percent.
    case batteryLow(charge: UInt8)
    /// A request has changed the odometer: where it stood before, and where it stands, m.
    case odometerChanged(before: Int64, after: Int64)
    /// Driving above a limit since a time: what, and how much it is now, m/s or m/s².
    case driving(DrivingExcess, value: Float, since: Instant)
  }

  /// When, on the monotonic clock.
  public var time: Instant
  /// The same in UTC; nil while unknown.
  public var utc: UTCTime?
  /// What.
  public var kind: Kind

  @inlinable init(time: Instant, utc: UTCTime?, kind: Kind) {
    self.time = time
    self.utc = utc
    self.kind = kind
  }
}
