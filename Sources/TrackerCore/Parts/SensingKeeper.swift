import Quantities

/// What the sensors were told to do last; what they are to do follows from other parts (`Tracker+Sensing.swift`).
///
/// In two bytes: the tracker has none to spare.
struct SensingKeeper: TrackerPart {
  /// As the plan: bit 0 watching, bits 1 and 2 the reception, bit 3 an alert is likely; bit 7 while it was not fetched.
  private var bits: UInt8 = 0
  private var threshold: UInt8 = 0

  init() {}

  /// What they were told last, or are to be told.
  var plan: SensingPlan {
    SensingPlan(
      inertial: isWatching ? .watching : .awake, reception: SensingPlan.Reception(rawValue: bits >> 1 & 3) ?? .on,
      isAlertLikely: bits & 8 != 0, wakeThresholdSteps: threshold)
  }

  /// True while the inertial sensor is to sleep.
  var isWatching: Bool { bits & 1 != 0 }
  /// True while they are not to do all they can.
  var isOther: Bool { bits & 127 != 0 }
  /// True when the plan was not fetched.
  var hasNews: Bool { bits & 128 != 0 }

  /// From now on that is the plan.
  mutating func tell(_ plan: SensingPlan) {
    guard plan != self.plan else { return }
    bits = plan.inertial.rawValue | plan.reception.rawValue << 1 | (plan.isAlertLikely ? 8 : 0) | 128
    threshold = plan.wakeThresholdSteps
  }

  /// The plan, once.
  mutating func take() -> SensingPlan? {
    guard hasNews else { return nil }
    bits &= 127
    return plan
  }
}
