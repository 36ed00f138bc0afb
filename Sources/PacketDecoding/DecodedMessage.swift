public import Quantities
public import Telemetry

/// A field of a message, as it was written.
public struct DecodedField: Equatable, Sendable {
  /// What the form calls it; of values within values the names with points between, and of waypoints in a list their number from 1.
  public var name: String
  /// As it was written, without quotes and escapes.
  public var value: String
  /// Its unit in that form; empty where it has none.
  public var unit: String
  /// What it says; empty for a field that the form does not know.
  public var meaning: String
  /// What many have got wrong about it.
  public var trap: FormTrap?
  /// Why it can't have that value, in a few words; nil when it can.
  public var problem: String?

  /// A field.
  public init(
    _ name: String, _ value: String, unit: String = "", meaning: String = "", trap: FormTrap? = nil,
    problem: String? = nil
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.meaning = meaning
    self.trap = trap
    self.problem = problem
  }
}

/// What bytes on their way to a server, or from it, say.
public struct DecodedMessage: Equatable, Sendable {
  /// In which form.
  public enum Form: String, Sendable, CaseIterable {
    /// Our own JSON.
    case leash
    /// Place and name and nothing else.
    case minimal
    /// A text message.
    case text
    /// JSON of OwnTracks.
    case ownTracks
    /// The compact form of OwnTracks.
    case ownTracksCompact
    /// Parameters of a form or a query.
    case osmAnd
    /// JSON of Traccar's clients.
    case traccar
    /// What Home Assistant's MQTT discovery is told of a device or of an entity, and who is there.
    case homeAssistant
    /// A request to a tracker.
    case request
  }

  /// In which form.
  public var form: Form
  /// What sort of message of that form: `location`, `cmd`.
  public var type: String
  /// True when it was sealed, and opened with the key.
  public var wasSealed = false
  /// The topic that stood before it, as `mosquitto_sub -v` prints it; nil without one.
  public var topic: String?
  /// All fields, in their order.
  public var fields: [DecodedField]
  /// What the fields say, in units that are the same for all forms.
  public var facts: DecodedFacts
  /// Fields that it should have and has not, without a value, each with what comes of that as its problem.
  package var missing: [DecodedField] {
    MissingFields.fields(Set(fields.map(\.name)), of: form, type: type)
  }

  /// The value of a field; nil without one.
  public func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension [DecodedField] {
  /// The fields, of which those are marked that come again, and keys of waypoints that another has.
  ///
  /// - Parameter several: Names of which a message may have several.
  func markedRepetitions(but several: Set<String> = []) -> [DecodedField] {
    var seen: Set<String> = []
    return map { field in
      guard !several.contains(field.name) else { return field }
      var field = field
      let isRepeated = !seen.insert(field.name).inserted
      if isRepeated, field.problem == nil { field.problem = "repeated: receivers take one of them" }
      if let own = FieldTables.ofWaypoint(field.name), ["tst", "rid", "desc"].contains(own),
        !seen.insert("\(own)=\(field.value)").inserted, field.problem == nil, !isRepeated
      {
        field.problem = "the same as of another waypoint"
      }
      return field
    }
  }
}

/// What a message says, whatever its form. What it does not say is nil.
public struct DecodedFacts: Equatable, Sendable {
  /// The tracker's name, or what stands for it.
  public var tracker: String?
  /// When it was measured, µs since 1970.
  public var time: UTCTime?
  /// Degrees.
  public var latitude: Double?
  /// Degrees.
  public var longitude: Double?
  /// m above mean sea level.
  public var altitude: Double?
  /// m.
  public var accuracy: Double?
  /// m/s.
  public var speed: Double?
  /// Degrees clockwise from north.
  public var course: Double?
  /// Percent.
  public var battery: Double?
  /// Whether it is under way.
  public var isMoving: Bool?
  /// m.
  public var odometer: Double?
  /// What happened, by the table of alarms.
  public var meaning: PacketMeaning?

  /// Nothing.
  public init() {}
}

/// Text of others for a terminal: without what that would take for a command, and without what turns the order of letters round.
package func terminalText(_ text: String) -> String {
  func isCommand(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
  return String(String.UnicodeScalarView(text.unicodeScalars.map { isCommand($0.value) ? "?" : $0 }))
}

/// Why bytes are no message.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// One line for people.
  public var message: String

  /// True when the message may be right, and only its key is missing.
  package private(set) var isAboutKey = false

  init(_ message: String, isAboutKey: Bool = false) { (self.message, self.isAboutKey) = (message, isAboutKey) }
}

/// Traps of the forms, by their numbers in the tests.
public enum FormTrap: Int, Sendable, CaseIterable {
  /// Units of speed.
  case speedUnits = 1
  /// Units of time.
  case timeUnits = 2
  /// Two positions of one time.
  case equalTimes = 7
  /// A will on the topic of the position.
  case retainedWill = 8
  /// Decimal points, NaN.
  case plainNumbers = 9
  /// Digits of places.
  case digits = 10
  /// Signs of places.
  case signs = 11
  /// Accuracies that are missing or 0.
  case accuracy = 12
  /// Regions that are not left.
  case regions = 13
  /// What Home Assistant's webhook asks for.
  case webhook = 14
  /// How Home Assistant places a tracker.
  case trackerPlace = 15
  /// Announcements that are not kept, or kept for ever.
  case announcement = 16
  /// Controls of what is not there.
  case availability = 17
  /// Events that are not listed, or repeated.
  case events = 18
  /// Commands that a broker keeps.
  case retainedCommand = 19

  /// One line for people.
  public var text: String {
    switch self {
    case .speedUnits: "OwnTracks has km/h, OsmAnd's form knots, Traccar's JSON and Leash m/s"
    case .timeUnits:
      "OwnTracks has seconds, OsmAnd's form seconds or, from 2147483647, milliseconds, the compact form hex seconds"
    case .equalTimes: "some receivers take two messages of one tst for the same"
    case .retainedWill: "a retained will on this topic takes the place of the position"
    case .plainNumbers: "a point, no exponent; NaN and Infinity are not JSON"
    case .digits: "7 decimals are 11 mm"
    case .signs: "south and west are negative, and so are heights below the sea"
    case .accuracy: "Home Assistant drops a location whose acc is missing or 0"
    case .regions: "after an enter Home Assistant follows no location until the leave of the same desc"
    case .webhook: "Home Assistant's webhook needs lat, lon and a whole timestamp, and knows no alarm"
    case .trackerPlace:
      "a device_tracker needs latitude, longitude and gps_accuracy as numbers; its state_topic, value_template and payloads end with 2027.1"
    case .announcement:
      "another identifier is another entity; retain it, send it again after online, and an empty retained message takes it away"
    case .availability: "while it is offline there its buttons and switches can't be used"
    case .events: "an event_type that is not among these is passed over; its number tells whether an event comes again"
    case .retainedCommand: "a retained command comes again with each connection of the tracker"
    }
  }
}
