public import Quantities

/// Why a ride is taken to stand.
@frozen public enum StandingCause: UInt8, BitwiseCopyable, Sendable {
  /// Fixes or sensors show that it stands.
  case observed
  /// Nothing is heard: a bike computer pauses at a stop, or the signal is lost. The next fix shows which.
  case silence
}

/// Something the parked-state machine noticed or decided.
@frozen public enum MotionEvent: Equatable, BitwiseCopyable, Sendable {
  /// A ride has begun, `onset` is when it really did.
  case rideStarted(onset: Instant)
  /// The ride stands since `since`; it may go on.
  case standing(since: Instant, cause: StandingCause)
  /// The ride goes on at `onset` after standing since `since`.
  case resumed(onset: Instant, since: Instant)
  /// The ride went on unseen: the vehicle is `distance` metres from where the signal was lost at `since`.
  case travelledUnseen(since: Instant, distance: Float)
  /// Parked: there was no motion since `lastMotion`. The ride before it lasted from `rideStart` to `rideEnd`; both are nil
  /// when there was none.
  case parked(lastMotion: Instant, rideStart: Instant?, rideEnd: Instant?)
  /// Alerts are armed from now on.
  case armed
  /// Alerts are off.
  case disarmed
  /// Something moved a little; it may be nothing.
  case suspicious(MovementEvidence)
  /// The suspicion came to nothing.
  case calmed
  /// The parked vehicle is being moved.
  case movement(MovementEvidence)
  /// It has been carried or driven off since `since`; only the owner ends that.
  case stolen(since: Instant)
  /// The movement has ended; the vehicle is watched where it is now.
  case quiet(lastMotion: Instant, displacement: Float?)
}
