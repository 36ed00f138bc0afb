/// What messages must have, and what comes of it when they have it not.
///
/// - Source: booklet of OwnTracks, "JSON"; Home Assistant's integration of OwnTracks; Traccar's decoder of its client's JSON.
enum MissingFields {
  /// Fields that are not there and should be, each with what comes of that.
  static func fields(_ names: Set<String>, of form: DecodedMessage.Form, type: String) -> [DecodedField] {
    wanted(names, form, type).filter { !names.contains($0.name) }.map { DecodedField($0.name, "", problem: $0.loss) }
  }

  private static func wanted(
    _ names: Set<String>, _ form: DecodedMessage.Form, _ type: String
  ) -> [(name: String, loss: String)] {
    switch form {
    case .ownTracks: return ownTracks[type] ?? []
    case .traccar: return traccar(names)
    case .osmAnd:
      // A pair may stand in one field.
      let isHalf = names.contains("lat") != names.contains("lon") && !names.contains("location")
      return isHalf ? [("lat", "half a place is none"), ("lon", "half a place is none")] : []
    default: return []
    }
  }

  private static let ownTracks: [String: [(name: String, loss: String)]] = [
    "location": [
      ("lat", "no place"), ("lon", "no place"), ("tst", "receivers take the time at which it comes"),
      ("acc", "Home Assistant drops the location"),
    ],
    "transition": [
      ("wtst", "receivers need it"), ("tst", "receivers need it"), ("acc", "Home Assistant drops the place"),
      ("event", "neither come nor gone"), ("desc", "Home Assistant knows no zone for it"),
    ],
    "waypoint": [("desc", "receivers need it"), ("tst", "receivers need it")],
    "steps": [("steps", "receivers need it")], "cmd": [("action", "nothing is asked")],
    "encrypted": [("data", "nothing")],
  ]

  private static func traccar(_ names: Set<String>) -> [(name: String, loss: String)] {
    var wanted: [(name: String, loss: String)] = []
    let place = ["latitude", "longitude", "accuracy", "speed", "heading", "altitude"].map { "location.coords.\($0)" }
    if !names.isDisjoint(with: place) {
      wanted += place.map { ($0, "Traccar does not answer then; -1 is for an unknown speed or course") }
    }
    if names.contains("location.battery.level") {
      wanted.append(("location.battery.is_charging", "Traccar does not answer then"))
    }
    return wanted
  }
}
