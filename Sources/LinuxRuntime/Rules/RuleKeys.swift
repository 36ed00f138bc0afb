import Positioning
import Rules
import TrackerCore

/// The keys of fences, places and alarms in a file: the one list that reader, schema and manual go by.
package enum RuleKeys {
  /// The keys of a file of rules.
  package static let file = ["timeZone", "fences", "places", "alarms"]

  private static let number = ConfigurationKey(
    name: "number", type: .whole(1...255), unit: nil, help: "What requests call it; no two have the same.",
    example: "1",
    isRequired: true)

  /// The keys of a fence.
  package static let fence = [
    number,
    key("name", .text(1...32), "What the owner calls it, without double quotes.", "\"garden\"", isRequired: true),
    key("active", .boolean, "Whether it must not be left. Not when it is not said.", "true"),
    key(
      "polygon", .points,
      "Its corners, each as [latitude, longitude] in degrees, up to \(FenceOutline.capacity) with those of "
        + "holes; the last is joined to the first.", "[[52.1, 4.1], [52.2, 4.1], [52.2, 4.2]]"),
    key("holes", .rings, "Lists of corners of what is not part of the polygon.", "[]"),
    key("circle.latitude", .number(-90...90), unit: "°", "Latitude of a circle's middle.", "52.1"),
    key("circle.longitude", .number(-180...180), unit: "°", "Longitude of a circle's middle.", "4.1"),
    key("circle.radius", .number(RegionLimits.widths), unit: "m", "Radius of a circle, to a decimetre.", "50"),
    key("corridor.width", .number(RegionLimits.widths), unit: "m", "How far from its line a corridor reaches.", "30"),
    key("corridor.points", .points, "The line of a corridor, as corners.", "[[52.1, 4.1], [52.2, 4.1]]"),
  ]

  /// The keys of a secure place.
  package static let place = [
    number,
    key("name", .text(1...32), "What the owner calls it, without double quotes.", "\"home\"", isRequired: true),
    key("latitude", .number(-90...90), unit: "°", "Latitude of its middle.", "52.1", isRequired: true),
    key("longitude", .number(-180...180), unit: "°", "Longitude of its middle.", "4.1", isRequired: true),
    key(
      "radius", .number(RegionLimits.widths), unit: "m", "How far from its middle it still is, to a decimetre.", "60",
      isRequired: true),
  ]

  /// What sets an alarm off that has no time.
  static let occasions = ["arrive", "leave", "quiet", "guard"]
  /// Days of the week, Monday first.
  static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// Words for several days.
  static let dayWords: [(word: String, days: WeekdaySet)] = [
    ("daily", .all), ("weekdays", WeekdaySet(rawValue: 0x1F)), ("weekend", WeekdaySet(rawValue: 0x60)),
  ]

  /// The keys of an alarm.
  package static let alarm = [
    number,
    key("label", .text(1...32), "What the owner calls it, without double quotes.", "\"Feed her\"", isRequired: true),
    key("enabled", .boolean, "False for one that is kept and does nothing.", "true"),
    key("at", .timeOfDay, "When it rings, on the clock of 'timeZone'.", "\"07:30\""),
    key(
      "when", .choice(occasions),
      "Instead of 'at': 'arrive' and 'leave' ring at its fence; 'quiet' holds all alarms back while it "
        + "counts; 'guard' makes movement of what is parked an alert only while it counts.", "\"arrive\""),
    key(
      "stay", .whole(1...Int64(AlarmRule.longestDwell)), unit: "min",
      "Instead of 'at': it rings after so long in its fence.",
      "20"),
    key(
      "days", .days,
      "On which days: \"daily\", \"weekdays\", \"weekend\", a list such as [\"mon\", \"wed\"], or with 'at' one "
        + "date such as \"2026-12-24\". Daily when it is not said.", "\"weekdays\""),
    key("from", .timeOfDay, "It counts from this time of the day; not with 'at'.", "\"22:00\""),
    key("to", .timeOfDay, "It counts until this time of the day, of the next day when that is earlier.", "\"06:00\""),
    key("inside", .whole(1...255), "Number of the fence that it counts in.", "1"),
    key("outside", .whole(1...255), "Number of the fence that it counts outside of.", "1"),
    key(
      "noFix", .choice(PlacePolicy.allCases.map { "\($0.word)" }),
      "What it makes of its fence while it is not known where the "
        + "tracker is: 'last', which is where it was; 'ring'; or 'skip'.", "\"last\""),
    key(
      "sound", .whole(0...Int64(AlarmRule.longestSound)), unit: "s",
      "How long the buzzer sounds; 30 s when it is not said.",
      "30"),
    key(
      "snooze", .whole(1...Int64(AlarmRule.longestSnooze)), unit: "min",
      "How long 'snooze' waits; 10 min when it is not said.", "10"),
  ]

  /// What the tables are for.
  static let help =
    "Fences, secure places and alarms that the tracker is told when they are others than it was told last: what requests have "
    + "changed since holds until the table is another one in this file. Rules of other numbers stay. 'timeZone' is the zone of "
    + "alarms, a name such as \"Europe/Amsterdam\" or the text of POSIX; without it the machine's own."

  /// The tables, with the room there is and what each holds.
  static var tables: [(name: String, room: Int, keys: [ConfigurationKey], help: String)] {
    [
      (
        "fences", Tracker.ruleRows(.fence), fence,
        "Regions, each a polygon, a circle or a corridor; those that are active must not be left."
      ),
      (
        "places", Tracker.ruleRows(.place), place,
        "Secure places: parking there is not asked about, and movement is no theft by itself."
      ),
      (
        "alarms", Tracker.ruleRows(.alarm), alarm,
        "Alarms by time and place, and what holds them back. One of 'at', 'when' and 'stay' must be set."
      ),
    ]
  }

  /// A row as it may stand in a configuration.
  static func example(of table: String) -> String {
    switch table {
    case "fences":
      "{ number: 1, name: \"garden\", active: true, circle: { latitude: 52.1, longitude: 4.1, radius: 50 } },"
    case "places": "{ number: 1, name: \"home\", latitude: 52.1, longitude: 4.1, radius: 60 },"
    default: "{ number: 1, label: \"Feed her\", at: \"07:30\", days: \"weekdays\", inside: 1 },"
    }
  }

  private static func key(
    _ name: String, _ type: ConfigurationType, unit: String? = nil, _ help: String, _ example: String,
    isRequired: Bool = false
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, type: type, unit: unit, help: help, example: example, isRequired: isRequired)
  }
}
