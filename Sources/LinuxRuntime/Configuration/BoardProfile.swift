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
      "A vehicle that stands still until its owner rides it. Movement while parked raises an alert. It uses the tracker's "
        + "own defaults."
    case .collar:
      "An animal moves at any time, so movement raises no alert: alerts are off at start, and the tracker only reports where the "
        + "animal is. Leaving a fence that it must not leave still raises an alert: 'fences' has an example, and the "
        + "requests 'fence 1 set \"garden\" circle here 50' and 'fence 1 on' make one at its position. The collar turns about the neck, "
        + "so the orientation of the sensor has no meaning."
    }
  }

  /// The settings that differ from the tracker's own, each with its reason.
  package var settings: [(name: String, value: ConfigurationValue, reason: String)] {
    switch self {
    case .bike: []
    case .collar:
      [
        ("alertsEnabled", .boolean(false), "A nap of five minutes would arm it, and waking up would be a theft."),
        ("motion.standAfter", .number("30"), "An animal stops often during a walk."),
        ("motion.silenceAfter", .number("30"), "As above, when the receiver loses its signal."),
        (
          "reports.distance", .number("50"),
          "An animal stays within a small area; 50 m is well above the error of a fix."
        ),
        ("reports.courseChange", .number("3.2"), "Never (no turn is that large): an animal turns all the time."),
        ("reports.speedChange", .number("100"), "Never: changes of speed are not of interest."),
        ("reports.minimumInterval", .number("15"), "Limits the packets of a running animal."),
        ("reports.alarmInterval", .number("60"), "Waking up looks like an alarm to the tracker."),
        ("reports.parkedInterval", .number("900"), "Shows more often that the tracker is alive."),
      ]
    }
  }
}
