import Quantities

extension MotionMonitor {
  /// True in an alarm in which nothing has moved for so long that the next movement is news.
  public var isStillInAlarm: Bool {
    guard case .alarmed(let alarm) = state else { return false }
    return now - alarm.lastMotion >= max(parameters.calmAfter, travel.silenceAfter)
  }
}
