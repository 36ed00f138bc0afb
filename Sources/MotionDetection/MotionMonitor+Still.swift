import InertialFusion
import Quantities

extension MotionMonitor {
  /// When an inertial sensor that works felt the last movement, or was first heard, if it felt none; nil without one that can be left to
  /// watch alone: without an accelerometer, stuck, in trouble, or not heard since a restart.
  package var quietSince: Instant? {
    guard case .parked(let parked) = state, !parked.isDeaf, let window = lastWindow, !window.isStuck,
      !estimator.isInTrouble, estimator.rest.specificForceHalf.count > 0
    else { return nil }
    return estimator.rest.lastMovement ?? firstWindowTime ?? window.end
  }

  /// True while the inertial sensor feels nothing but its own noise, or felt nothing else when it was heard last.
  package var isQuiet: Bool { estimator.rest.movementOnset == nil && (lastWindow?.isAtRest ?? false) }

  /// True for a minute after a fix that says that it is elsewhere than where it was parked, while nothing vouches that it has not moved
  /// and too few have agreed.
  package var isPlaceInDoubt: Bool {
    switch state {
    case .parked, .suspicious: return place.isInDoubt && (travel.lastFixTime.map { now - $0 < .seconds(60) } ?? false)
    case .starting, .riding, .settling, .alarmed, .stolen: return false
    }
  }

  /// True in an alarm in which nothing has moved for so long that the next movement is news.
  public var isStillInAlarm: Bool {
    guard case .alarmed(let alarm) = state else { return false }
    return now - alarm.lastMotion >= max(parameters.calmAfter, travel.silenceAfter)
  }
}
