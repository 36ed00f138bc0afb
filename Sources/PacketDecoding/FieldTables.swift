import Telemetry

/// What the fields of each form mean: those of packets by `PacketField`, all else by the tables here.
///
/// - Source: booklet of OwnTracks, "JSON"; Traccar's decoders of OsmAnd's form and of its client's JSON; `docs/packets.md`.
package enum FieldTables {
  typealias Row = (unit: String, meaning: String, trap: FormTrap?)

  static func row(_ name: String, of form: DecodedMessage.Form, type: String) -> Row? {
    switch form {
    case .leash, .minimal, .text: return leash[name] ?? leashFields[name]
    case .ownTracks: return ownTracks(name, type)
    case .ownTracksCompact: return compact[name]
    case .osmAnd: return osmAnd[name] ?? osmAndFields[name]
    case .traccar:
      let extras = "location.extras."
      guard name.hasPrefix(extras) else { return traccar[name] }
      let own = String(name.dropFirst(extras.count))
      return traccarFields[own] ?? (attributes.contains(own) ? osmAnd[own] : nil) ?? (
        "", "an attribute of the position", nil
      )
    case .homeAssistant, .request: return nil
    }
  }

  /// The rows of a packet's fields by their names in a form.
  private static func fields(_ nameInForm: (PacketField) -> StaticString?) -> [String: Row] {
    var rows: [String: Row] = [:]
    for field in PacketField.allCases {
      if let name = nameInForm(field) { rows["\(name)"] = ("\(field.unit)", "\(field.meaning)", nil) }
    }
    return rows
  }

  /// The members of a packet in Leash's own JSON, with dots between levels.
  package static let leashNames: Set<String> = {
    // A text message, and ThingsBoard around a packet, have these, which are no members.
    Set(leash.keys).union(leashFields.keys).subtracting(["link", "time", "ts"])
  }()

  private static let leashFields = fields { $0.name }
  private static let ownTracksFields = fields { $0.ownTracksName }
  private static let osmAndFields = fields { $0.osmAndName }
  private static let traccarFields = fields { $0.traccarName }

  /// What the board says of itself beside the packets, on `…/state`.
  static let boardState: [String: Row] = [
    "outbox": ("", "packets that wait", nil), "live": ("", "whether it is tracked live", nil),
    "tamper": ("", "whether the switch against tampering is open", nil),
  ]

  /// The name within `leash` of a status, or within a configuration, where a field stands in one.
  static func inner(_ name: String, _ type: String) -> (status: String?, configuration: String?) {
    func behind(_ prefix: String) -> String? { name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil }
    switch type {
    case "status": return (behind("leash."), nil)
    case "configuration": return (nil, name.hasPrefix("_") ? nil : name)
    case "dump", "cmd": return (nil, behind("configuration."))
    default: return (nil, nil)
    }
  }

  /// The name of a field of a waypoint in a list: what stands behind the list's name and the number; nil for any other.
  static func ofWaypoint(_ name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[parts.count - 3] == "waypoints", Int(parts[parts.count - 2]) != nil else {
      return nil
    }
    return String(parts[parts.count - 1])
  }

  private static func ownTracks(_ name: String, _ type: String) -> Row? {
    if let own = ofWaypoint(name) { return ownTracks["waypoint"]?[own] ?? ownTracks[""]?[own] }
    let inner = inner(name, type)
    let packetField = ownTracksFields[inner.status ?? name]
    if let own = inner.status {
      return trackers[own] ?? ownTracks["location"]?[own] ?? packetField ?? leash[own] ?? leashFields[own]
    }
    if let key = inner.configuration { return configuration[key] ?? ownTracks[""]?[key] }
    if let row = ownTracks[type]?[name] ?? ownTracks[""]?[name] { return row }
    return type == "location" ? trackers[name] ?? packetField ?? numbered(name) : nil
  }

  /// Sensors of dedicated trackers, which stand behind `anum` with their numbers.
  private static func numbered(_ name: String) -> Row? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    switch parts[0] {
    case "temp_c": return ("°C", "temperature of a sensor", nil)
    case "adda": return ("", "address of a sensor", nil)
    default: return nil
    }
  }

  private static let configuration: [String: Row] = [
    "mode": ("", "0 MQTT, 3 HTTP", nil), "host": ("", "broker", nil), "port": ("", "its port", nil),
    "tls": ("", "whether encrypted", nil), "ws": ("", "whether over WebSocket", nil), "username": ("", "user", nil),
    "password": ("", "secret", nil), "clientId": ("", "client name", nil), "deviceId": ("", "name of the tracker", nil),
    "url": ("", "address for HTTP", nil), "keepalive": ("s", "time between signs of life", nil),
    "cleanSession": ("", "the broker forgets commands for one who is away", nil),
    "mqttProtocolLevel": ("", "3: 3.1, 4: 3.1.1, 5: 5", nil), "pubTopicBase": ("", "topic of positions", nil),
    "pubQos": ("", "quality of service", nil), "pubRetain": ("", "whether the broker keeps the last", .retainedWill),
    "sub": ("", "whether it listens", nil), "subTopic": ("", "to what", nil), "subQos": ("", "quality of service", nil),
    "monitoring": ("", "-1 quiet, 0 manual, 1 significant, 2 move", nil),
    "locatorInterval": ("s", "time between positions", nil),
    "locatorDisplacement": ("m", "distance between positions", nil),
    "moveModeLocatorInterval": ("s", "time between positions in move mode", nil),
    "ignoreInaccurateLocations": ("m", "worse positions are not sent; 0: all are", nil),
    "ping": ("min", "time between pings", nil), "days": ("", "days of history", nil),
    "positions": ("", "positions of history", nil), "extendedData": ("", "whether all fields are sent", nil),
    "encryptionKey": ("", "secret", nil), "waypoints": ("", "regions", .regions),
    "cmd": ("", "whether commands are obeyed", nil),
    "remoteConfiguration": ("", "whether setConfiguration is obeyed", nil),
    "downgrade": ("%", "battery below which move mode ends", nil),
  ]

  /// What a letter `t` says.
  static func trigger(_ letter: String) -> String { "what made it" + (triggers[letter].map { ": \($0)" } ?? "") }

  /// What made a location, by its letter: of the apps, and of dedicated trackers.
  ///
  /// - Source: booklet of OwnTracks, "JSON"; its gateway for dedicated trackers.
  private static let triggers: [String: String] = [
    "p": "ping, by a timer", "c": "a region was entered or left", "C": "a region that follows it was left",
    "b": "a beacon", "r": "asked for", "u": "by hand", "t": "timer of move mode", "v": "a place it is often at",
    "o": "a corner", "M": "mileage", "!": "towed or moved", "a": "motionless, parked",
    "i": "ignition on, a ride begins", "I": "ignition off, a ride has ended", "e": "external power lost",
    "E": "external power is back", "1": "powered up", "2": "charging has stopped", "3": "charging has started",
    "9": "battery low", "h": "harsh: accelerated, braked or turned hard", "s": "too fast",
  ]

  private static let ownTracks: [String: [String: Row]] = [
    "": [
      "_type": ("", "sort of message", nil), "tid": ("", "short name of the tracker", nil),
      "topic": ("", "who sent it, over HTTP", nil), "_id": ("", "number of the message", nil),
      "created_at": ("s since 1970", "when it was built, if not at tst", .timeUnits),
    ],
    "location": [
      "lat": ("°", "latitude", .digits), "lon": ("°", "longitude", .signs),
      "tst": ("s since 1970", "when it was measured", .equalTimes), "acc": ("m", "accuracy", .accuracy),
      "fixAge": ("s", "age of the position, where tst is when the packet was made", nil),
      "vac": ("m", "accuracy of the height", nil), "alt": ("m", "height above the sea", .signs),
      "vel": ("km/h", "speed", .speedUnits), "cog": ("°", "course", nil),
      "bs": ("", "battery: 0 unknown, 1 unplugged, 2 charging, 3 full", nil),
      "conn": ("", "network when it was built: w, m or o", nil), "t": ("", "what made it", nil),
      "m": ("", "mode: 1 significant, 2 move", nil), "rad": ("m", "radius of the region", nil),
      "p": ("kPa", "pressure", nil), "SSID": ("", "network", nil), "BSSID": ("", "access point", nil),
      "tag": ("", "free", nil), "poi": ("", "point of interest", nil), "image": ("base64", "picture", nil),
      "imagename": ("", "name of the picture", nil), "inregions": ("", "names of the regions it is in", .regions),
      "motionactivities": ("", "activities according to the phone", nil),
    ],
    "beacon": [
      "desc": ("", "name", nil), "uuid": ("", "of the beacon", nil), "major": ("", "of the beacon", nil),
      "minor": ("", "of the beacon", nil), "tst": ("s since 1970", "when", .timeUnits),
      "acc": ("m", "distance, estimated", nil), "rssi": ("dBm", "strength of its signal", nil),
      "prox": ("", "proximity: 0 unknown, 1 immediate, 2 near, 3 far", nil),
    ],
    "transition": [
      "wtst": ("s since 1970", "key of the waypoint", nil), "tst": ("s since 1970", "when", .timeUnits),
      "acc": ("m", "accuracy", .accuracy), "event": ("", "enter or leave", .regions), "lat": ("°", "latitude", .digits),
      "lon": ("°", "longitude", .signs), "desc": ("", "name of the waypoint", .regions), "rid": ("", "its id", nil),
      "t": ("", "how it was noticed: c, b or l", nil),
    ],
    "waypoint": [
      "desc": ("", "name, the key on iOS", .regions), "tst": ("s since 1970", "key on Android", .equalTimes),
      "lat": ("°", "latitude", .digits), "lon": ("°", "longitude", .signs), "rad": ("m", "radius", nil),
      "rid": ("", "id", nil), "uuid": ("", "of a beacon", nil), "major": ("", "of a beacon", nil),
      "minor": ("", "of a beacon", nil),
    ],
    "waypoints": ["_creator": ("", "who made it", nil), "waypoints": ("", "regions", .regions)],
    "lwt": ["tst": ("s since 1970", "when it connected", .retainedWill)],
    "status": ["tst": ("s since 1970", "when", .timeUnits)],
    "card": ["name": ("", "name", nil), "face": ("", "picture, base64", nil)],
    "steps": [
      "tst": ("s since 1970", "when", .timeUnits), "steps": ("", "steps; -1 when nothing counts them", nil),
      "from": ("s since 1970", "from when", .timeUnits), "to": ("s since 1970", "until when", .timeUnits),
      "activeMinutes": ("min", "active minutes of the day", nil),
      "restMinutes": ("min", "minutes at rest of the day", nil),
    ],
    "cmd": [
      "action": ("", "what is asked", nil), "from": ("s since 1970", "from when", .timeUnits),
      "to": ("s since 1970", "until when", .timeUnits), "content": ("", "shown by the app", nil),
      "url": ("", "opened by the app", nil), "notify": ("", "shown as a notice", nil),
      "waypoints": ("", "regions", .regions), "waypoints._type": ("", "sort of message", nil),
      "waypoints._creator": ("", "who made it", nil), "waypoints.waypoints": ("", "regions", .regions),
    ],
    "encrypted": ["data": ("base64", "nonce, tag and cipher text", nil)],
  ]

  private static let trackers: [String: Row] = [
    "odometer": ("km", "distance travelled", nil), "hmc": ("s", "time of operation", nil),
    "uext": ("V", "voltage from outside", nil),
    "tow": ("", "whether it is carried off", nil),
    "ign": ("", "ignition", nil), "rty": ("", "kind of the report", nil),
    "mst": ("", "code of the state of motion", nil),
    "don": ("s", "since the ignition was turned on", nil), "doff": ("s", "since the ignition was turned off", nil),
    "fake": ("", "a made-up position", nil), "vin": ("", "number of the vehicle", nil),
    "rpm": ("1/min", "speed of the engine", nil), "anum": ("", "number of sensors that follow", nil),
    "lac": ("hex", "area of the cell", nil), "cid": ("hex", "cell", nil), "imei": ("", "number of the modem", nil),
    "name": ("", "name", nil), "count": ("", "number of the message", nil),
    "sent": ("s since 1970", "when it was sent", .timeUnits), "armed": ("", "whether movement raises an alert", nil),
    "alert": ("", "number of the alert", nil),
    "detector": ("", "what noticed it", nil), "reason": ("", "why the answer", nil),
    "value": ("", "what was asked for", nil),
    "repetition": ("", "number of repetitions", nil),
    "alertsEnabled": ("", "whether alerts are on", nil), "request": ("", "number of the request", nil),
    "fence": ("", "name of the fence", nil), "place": ("", "name of the place", nil),
    "alarm": ("", "name of the alarm", nil), "event": ("", "enter or leave", .regions),
  ]

  private static let compact: [String: Row] = [
    "tid": ("", "short name of the tracker", nil), "tst": ("hex s since 1970", "when it was measured", .timeUnits),
    "t": ("", "what made it", nil), "lat": ("1e-6 °", "latitude", .digits), "lon": ("1e-6 °", "longitude", .signs),
    "cog": ("10 °", "course", nil), "vel": ("km/h", "speed", .speedUnits),
    "alt": ("10 m", "height above the sea", .signs),
    "dist": ("m", "distance since the last", nil), "trip": ("km", "distance travelled", nil),
  ]

  private static let osmAnd: [String: Row] = [
    "id": ("", "name of the tracker", nil), "deviceid": ("", "name of the tracker", nil),
    "timestamp": ("s or ms since 1970", "when it was measured", .timeUnits), "lat": ("°", "latitude", .webhook),
    "lon": ("°", "longitude", .signs), "location": ("°", "latitude and longitude", .digits),
    "valid": ("", "whether the position holds", nil), "speed": ("kn", "speed", .speedUnits),
    "bearing": ("°", "course", nil), "heading": ("°", "course", nil), "altitude": ("m", "height above the sea", .signs),
    "accuracy": ("m", "accuracy", .accuracy),
    "fixAge": ("s", "age of the position, where the time is when the packet was made", nil),
    "charge": ("", "whether the battery is charging; only the word true counts", nil),
    "cell": ("", "mcc,mnc,area,cell and perhaps signal", nil), "wifi": ("", "access point, signal", nil),
    "driverUniqueId": ("", "who drives", nil), "alarm": ("", "alarm, by its name", .webhook),
    "ignition": ("", "ignition", nil),
    "odometer": ("m", "distance travelled", nil),
    "armed": ("", "whether movement raises an alert", nil), "event": ("", "kind of the packet", nil),
    "sequence": ("", "number of the packet", nil), "boot": ("", "life of the tracker", nil),
    "alert": ("", "number of the alert", nil), "detector": ("", "what noticed it", nil),
    "reason": ("", "why the answer", nil), "value": ("", "what was asked for", nil),
    "repetition": ("", "number of repetitions", nil), "alertsEnabled": ("", "whether alerts are on", nil),
    "request": ("", "number of the request", nil),
    "fence": ("", "name of the fence", nil),
    "place": ("", "name of the place", nil), "alarmLabel": ("", "label of the alarm", nil),
  ]

  /// Those of ours that neither form of Traccar has, which are attributes of the position in both.
  static let attributes: Set<String> = [
    "armed", "sequence", "boot", "alert", "detector", "reason", "value", "repetition", "alertsEnabled", "request",
    "fence",
    "place", "alarm", "alarmLabel", "event", "fixAge",
  ]

  private static let traccar: [String: Row] = [
    "device_id": ("", "name of the tracker", nil),
    "location.timestamp": ("ISO 8601", "when it was measured", .timeUnits),
    "location.coords.latitude": ("°", "latitude", .digits), "location.coords.longitude": ("°", "longitude", .signs),
    "location.coords.accuracy": ("m", "accuracy", nil),
    "location.coords.speed": ("m/s", "speed; negative when unknown", .speedUnits),
    "location.coords.heading": ("°", "course; negative when unknown", nil),
    "location.coords.altitude": ("m", "height above the sea", .signs),
    "location.is_moving": ("", "whether it is moving", nil), "location.odometer": ("m", "distance travelled", nil),
    "location.event": ("", "kind of the packet", nil), "location.alarm": ("", "alarm, by its name", nil),
    "location.battery.level": ("of 1", "battery; negative when unknown", nil),
    "location.battery.is_charging": ("", "whether the battery is charging", nil),
    "location.activity.type": ("", "activity according to the phone", nil),
    "location.mock": ("", "a made-up position", nil),
  ]

  private static let leash: [String: Row] = [
    "type": ("", "kind of the packet", nil), "trackerId": ("", "name of the tracker", nil),
    "sequence": ("", "number of the packet", nil), "boot": ("", "life of the tracker", nil),
    "utc": ("ISO 8601", "when it was made", .timeUnits), "uptime": ("s", "the same on its own clock", nil),
    "phase": ("", "what the vehicle is doing", nil), "armed": ("", "whether movement raises an alert", nil),
    "latitude": ("°", "latitude", .digits), "longitude": ("°", "longitude", .signs), "accuracy": ("m", "accuracy", nil),
    "fixAge": ("s", "age of the position", nil), "stale": ("", "the position is old", nil),
    "altitude": ("m", "height above the sea", .signs), "speed": ("m/s", "speed", .speedUnits),
    "course": ("°", "course", nil), "private": ("", "positions are withheld", nil),
    "disabled": ("", "it raises no alerts", nil), "distance": ("m", "distance travelled", nil),
    "roll": ("°", "lean to the right", nil), "pitch": ("°", "nose down", nil),
    "alert.id": ("", "number of the alert", nil), "alert.repetition": ("", "number of repetitions", nil),
    "alert.detector": ("", "what noticed it", nil), "alert.ratio": ("", "value over its threshold", nil),
    "alert.onset": ("", "when it began", nil), "alert.duration": ("s", "how long it had lasted", nil),
    "alert.tilt": ("°", "change of the vertical", nil), "alert.displacement": ("m", "from the parking place", nil),
    "alert.turn": ("°", "change of the heading", nil), "ride.distance": ("m", "length", nil),
    "ride.start": ("", "when it began", nil), "ride.end": ("", "when it ended", nil),
    "ride.duration": ("s", "how long", nil),
    "status.reason": ("", "why the answer", nil), "status.alertsEnabled": ("", "whether alerts are on", nil),
    "status.request": ("", "number of the request", nil), "status.value": ("", "what was asked for", nil),
    "fence.number": ("", "number of the fence", nil), "fence.name": ("", "its name", nil),
    "fence.entered": ("", "come or gone", .regions), "fence.crossed": ("", "when", nil),
    "place.number": ("", "number of the place", nil), "place.name": ("", "its name", nil),
    "alarm.number": ("", "number of the alarm", nil), "alarm.name": ("", "its name", nil),
    "link": ("", "map", nil), "time": ("", "when it was made", nil),
    "ts": ("ms since 1970", "when it was made, as ThingsBoard has it", .timeUnits),
  ]
}
