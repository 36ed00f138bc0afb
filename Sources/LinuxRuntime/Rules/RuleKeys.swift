import Positioning
import Rules
import TrackerCore

/// The keys of fences, places and alarms in a file: the one list that reader, schema and manual go by.
package enum RuleKeys {
  /// The keys of a file of rules.
  package static let file = ["timeZone", "fences", "places", "alarms"]

  private static let number = ConfigurationKey(
    name: "number", type: .whole(1...255), unit: nil, help: "Its unique number, used in requests.",
    example: "1",
    isRequired: true)

  /// The keys of a fence.
  package static let fence = [
    number,
    key("name", .text(1...32), "Its name, without double quotes.", "\"garden\"", isRequired: true),
    key("active", .boolean, "Whether it must not be left. Default: false.", "true"),
    key(
      "polygon", .points,
      "Its corners, each as [latitude, longitude] in degrees, up to \(FenceOutline.capacity) with those of "
        + "holes; the last is connected to the first.", "[[52.1, 4.1], [52.2, 4.1], [52.2, 4.2]]"),
    key("holes", .rings, "Lists of corners of holes in the polygon.", "[]"),
    key("circle.latitude", .number(-90...90), unit: "°", "Latitude of the centre of a circle.", "52.1"),
    key("circle.longitude", .number(-180...180), unit: "°", "Longitude of the centre of a circle.", "4.1"),
    key("circle.radius", .number(RegionLimits.widths), unit: "m", "Radius of a circle, in steps of 0.1 m.", "50"),
    key(
      "corridor.width", .number(RegionLimits.widths), unit: "m",
      "Distance from the line of a corridor to its edge, on each side.",
      "30"),
    key("corridor.points", .points, "The line of a corridor, as a list of corners.", "[[52.1, 4.1], [52.2, 4.1]]"),
  ]

  /// The keys of a secure place.
  package static let place = [
    number,
    key("name", .text(1...32), "Its name, without double quotes.", "\"home\"", isRequired: true),
    key("latitude", .number(-90...90), unit: "°", "Latitude of its centre.", "52.1", isRequired: true),
    key("longitude", .number(-180...180), unit: "°", "Longitude of its centre.", "4.1", isRequired: true),
    key(
      "radius", .number(RegionLimits.widths), unit: "m", "Its radius, in steps of 0.1 m.", "60",
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
    key("label", .text(1...32), "Its name, without double quotes.", "\"Feed her\"", isRequired: true),
    key("enabled", .boolean, "False keeps the alarm without effect.", "true"),
    key("at", .timeOfDay, "Time at which it rings, in 'timeZone'.", "\"07:30\""),
    key(
      "when", .choice(occasions),
      "Instead of 'at': 'arrive' and 'leave' ring at its fence; 'quiet' silences all alarms while it "
        + "is active; 'guard' makes movement while parked an alert only while it is active.", "\"arrive\""),
    key(
      "stay", .whole(1...Int64(AlarmRule.longestDwell)), unit: "min",
      "Instead of 'at': it rings after this time in its fence.",
      "20"),
    key(
      "days", .days,
      "Days: \"daily\", \"weekdays\", \"weekend\", a list such as [\"mon\", \"wed\"] or \"mon+wed\", or with 'at' one "
        + "date such as \"2026-12-24\". Default: daily.", "\"weekdays\""),
    key("from", .timeOfDay, "It is active from this time of day; not with 'at'.", "\"22:00\""),
    key("to", .timeOfDay, "It is active until this time of day, on the next day if it is earlier.", "\"06:00\""),
    key("inside", .whole(1...255), "Number of the fence inside which it is active.", "1"),
    key("outside", .whole(1...255), "Number of the fence outside of which it is active.", "1"),
    key(
      "noFix", .choice(PlacePolicy.allCases.map { "\($0.word)" }),
      "What happens while the position of the "
        + "tracker is unknown: 'last' uses the last known one; 'ring'; or 'skip'.", "\"last\""),
    key(
      "sound", .whole(0...Int64(AlarmRule.longestSound)), unit: "s",
      "How long the buzzer sounds; default: 30 s.",
      "30"),
    key(
      "snooze", .whole(1...Int64(AlarmRule.longestSnooze)), unit: "min",
      "How long 'snooze' waits; default: 10 min.", "10"),
  ]

  /// What the tables are for.
  static let help =
    "Fences, secure places and alarms. The tracker takes them over when a table in this file has changed; until then changes by "
    + "requests stay in effect. Rules with other numbers stay. 'timeZone' is the time zone of "
    + "alarms, a name such as \"Europe/Amsterdam\" or a POSIX string; default: that of the machine."

  /// The tables, with the room there is and what each holds.
  static var tables: [(name: String, room: Int, keys: [ConfigurationKey], help: String)] {
    [
      (
        "fences", Tracker.ruleRows(.fence), fence,
        "Regions, each a polygon, a circle or a corridor. Active ones must not be left."
      ),
      (
        "places", Tracker.ruleRows(.place), place,
        "Secure places: the tracker does not ask about parking there, and movement alone is not a theft."
      ),
      (
        "alarms", Tracker.ruleRows(.alarm), alarm,
        "Alarms by time and place, and quiet hours. One of 'at', 'when' and 'stay' must be set."
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
