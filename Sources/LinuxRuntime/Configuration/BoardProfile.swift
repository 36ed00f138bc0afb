/// A ready set of defaults: what the tracker is fixed to.
package enum BoardProfile: String, CaseIterable, Sendable {
  /// A bike, a scooter, a van: it stands still for hours, and is not to be moved then.
  case bike
  /// An animal's collar.
  case collar

  /// What it is, and what may be expected of it.
  package var help: String {
    switch self {
    case .bike:
      "A vehicle that stands still until its owner rides it. Movement while it is parked is an alert. These are the tracker's "
        + "own defaults."
    case .collar:
      "An animal moves whenever it likes, so movement is no alert: alerts are off at the start, and what comes is where the "
        + "animal is. That it has left the fences that it must not leave is an alert all the same: 'fences' has an example, and the "
        + "requests 'fence 1 set \"garden\" circle here 50' and 'fence 1 on' make one where it is. The collar turns about the neck, "
        + "so no direction of the sensor means anything."
    }
  }

  /// The settings that differ from the tracker's own, each with its reason.
  package var settings: [(name: String, value: ConfigurationValue, reason: String)] {
    switch self {
    case .bike: []
    case .collar:
      [
        ("alertsEnabled", .boolean(false), "A nap of five minutes would arm it, and waking up would be a theft."),
        ("motion.standAfter", .number("30"), "An animal stops to sniff; that is no end of a walk."),
        ("motion.silenceAfter", .number("30"), "As above, when the receiver is silent under a bush."),
        ("reports.distance", .number("50"), "An animal's world is small; 50 m is well above the error of a fix."),
        ("reports.courseChange", .number("3.2"), "Never, as no turn is so large: an animal turns all the time."),
        ("reports.speedChange", .number("100"), "Never: a sprint says nothing about where it is."),
        ("reports.minimumInterval", .number("15"), "A run of 50 m in a few seconds need not be a packet each."),
        ("reports.alarmInterval", .number("60"), "Waking up looks like an alarm to the tracker, and is none."),
        ("reports.parkedInterval", .number("900"), "Whoever looks for an animal wants a sign of life more often."),
      ]
    }
  }
}
