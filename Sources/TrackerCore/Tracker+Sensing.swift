import InertialFusion
import MotionDetection
import Quantities
import Telemetry

// What the tracker needs of its sensors. It follows from the phase, from how long it has been quiet, and from the next report, and is
// looked at whenever a deadline may have changed; nothing of it is state but what was told last.
extension Tracker {
  /// How long it must have been quiet before the sensors sleep: longer than a pause between two gusts, and long enough for the noise to be
  /// learnt.
  static var quietBeforeSleep: Interval { .seconds(60) }
  /// How long a sensor that has slept is heard at least: its gyroscope has drifted meanwhile, and its bias is learnt anew.
  private static var hearing: Interval { .seconds(12) }
  /// How soon at the earliest it is looked again whether it is quiet.
  private static var look: Interval { .seconds(10) }
  /// Least change of the specific force that wakes, m/s²: half of what somebody who leans on it tilts it by, and a third of handling.
  private static var leastThreshold: Float { 0.3 }
  /// The same in standard deviations of the sensor's noise over all axes. An axis that is half as loud again as that is beyond it by
  /// noise once in 10⁷ samples, nine days.
  private static var thresholdDeviations: Float { 8 }

  /// Lets the plan follow.
  ///
  /// - Returns: When to look again; nil when what comes will show it.
  @inline(never) mutating func followSensing() -> Instant? {
    guard configuration.sensorsSleep || supply.thrift >= .quarter else {
      // Switched off by a request, it leaves nothing asleep.
      sensing.tell(SensingPlan())
      return nil
    }
    var plan = SensingPlan()
    switch monitor.phase {
    case .suspicious, .alarmed, .stolen: plan.isAlertLikely = true
    case .starting, .riding, .settling, .parked: break
    }
    defer { sensing.tell(plan) }
    // What was taken while it had no power is far from where it was: where it is must be known before its receiver sleeps.
    if let first = journal.firstInput, now < first + Tracker.quietBeforeSleep {
      return first + Tracker.quietBeforeSleep
    }
    guard monitor.phase == .parked, let quietSince = monitor.quietSince, let heardAt = monitor.estimator.lastSampleTime
    else { return nil }
    // It is heard after that at the latest; one that is silent then, too, watches nothing.
    let heardBy = heardAt + configuration.reports.parkedInterval
    guard now < heardBy + Tracker.look else { return now + Tracker.look }
    let isHeard = now < (sensing.isWatching ? heardBy : heardAt + Tracker.look)
    let calmAt = quietSince + Tracker.quietBeforeSleep
    let isCalm = monitor.isQuiet && calmAt <= now && isHeard
    // What is not armed may be ridden off at any moment; its alarm tells nobody where it is.
    // One fix alone that is elsewhere may be wrong: the next ones are to tell now, not in an hour.
    let isLocating = reports.isLive(at: now) || monitor.isPlaceInDoubt
    if (isCalm || monitor.isArmed) && !isLocating { plan.reception = .off }
    // The sensor is heard then, too: whether it still works, and how it stands.
    let fixAt = reports.nextDeadline.map { $0 - SensingPlan.fixTimeout }
    if plan.reception == .off, let fixAt, fixAt <= now, places.lastFix?.time ?? .zero < fixAt {
      plan.reception = .single
      return nil
    }
    let next = fixAt.flatMap { $0 > now ? $0 : nil }
    let knownAt = sensing.isWatching ? now : (monitor.estimator.watchedSince ?? now) + Tracker.hearing
    guard isCalm, knownAt <= now, plan.reception == .off, !hasActivity else {
      let again = isCalm && knownAt > now ? knownAt : max(calmAt, now + Tracker.look)
      return next.map { min($0, again) } ?? again
    }
    plan.inertial = .watching
    plan.wakeThresholdSteps = sensing.isWatching ? sensing.plan.wakeThresholdSteps : wakeThreshold
    return next.map { min($0, heardBy) } ?? heardBy
  }

  /// True while the receiver is off, and nothing was felt since its last fix: that is where it still is.
  var isWhereItWasSeen: Bool {
    guard sensing.plan.reception != .on, let quietSince = monitor.quietSince, let seen = places.lastFix?.time else {
      return false
    }
    return quietSince <= seen
  }

  private var wakeThreshold: UInt8 {
    let noise = monitor.estimator.rest.specificForceNoise.variance.squareRoot()
    let threshold = max(Tracker.leastThreshold, Tracker.thresholdDeviations * noise)
    // Rounded up; what is louder than the largest wakes all the time.
    return UInt8(min(255, threshold * SensingPlan.wakeSteps + 0.999))
  }
}
