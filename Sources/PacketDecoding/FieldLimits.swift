import ASCIIText
import Quantities
import Telemetry

/// What a value of a field can be, and in a few words what is wrong with one that it can't be.
///
/// - Source: as of `FieldTables`; heights and speeds are those at which receivers of civil use still work.
enum FieldLimits {
  /// What a field holds.
  enum Limit {
    /// A number within limits, by the words for what is not.
    case number(ClosedRange<Double>, String)
    /// A whole number within limits.
    case whole(ClosedRange<Double>, String)
    /// Whole seconds since 1970.
    case seconds
    /// The same in hexadecimal.
    case hexSeconds
    /// Seconds or milliseconds since 1970, or ISO 8601.
    case timestamp
    /// A time in ISO 8601.
    case iso8601
    /// Our own moments: ISO 8601, or seconds of the tracker's clock.
    case moment
    /// `true` or `false`.
    case flag
    /// One of a few words.
    case words([String])
    /// Alarms by their names, with commas between.
    case alarms
    /// Two characters.
    case shortName
    /// A character.
    case letter
    /// Latitude and longitude with a comma between.
    case place
    /// A link with both.
    case link
    /// Numbers of rows.
    case rows
    /// What was sealed, in base64.
    case sealed
    /// A number in hexadecimal up to this.
    case hexadecimal(UInt64)
  }

  /// What is wrong with a value; nil when nothing is.
  ///
  /// - Parameters:
  ///   - value: As it was written, without quotes.
  ///   - kind: What it is in JSON; nil where all is text.
  ///   - now: The time by the reader's clock; nil for no opinion on what is yet to come.
  static func problem(
    _ name: String, _ value: String, _ kind: JSONValue.Kind? = nil, of form: DecodedMessage.Form, type: String,
    now: UTCTime?
  ) -> String? {
    guard let limit = limit(name, of: form, type: type) else { return nil }
    // What says that it says nothing is right where it may.
    if kind == .null { return form == .leash ? nil : "null is no value here: leave it out" }
    if let kind, let problem = problem(kind, limit, form) { return problem }
    switch limit {
    case .number(let range, let words): return number(value, range, words)
    case .whole(let range, let words):
      guard let number = plain(value), number == number.rounded(.towardZero) else { return "not a whole number" }
      return range.contains(number) ? nil : words
    case .seconds:
      guard let number = plain(value), number == number.rounded(.towardZero) else { return "not whole seconds" }
      return seconds(number, now)
    case .hexSeconds:
      guard let number = hexadecimal(value) else { return "not a hexadecimal number" }
      return seconds(Double(number), now)
    case .timestamp:
      guard let number = plain(value) else {
        // Traccar takes a date with a space, and reads it in the time zone of its machine.
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let problem = iso8601("\(parts[0])T\(parts[1])Z", now) else {
          return parts.count == 2 ? "without a time zone: the server takes its own" : iso8601(value, now)
        }
        return problem
      }
      guard number == number.rounded(.towardZero) else { return "not a whole number" }
      return seconds(number >= 2_147_483_647 ? number / 1000 : number, now)
    case .iso8601: return iso8601(value, now)
    case .moment:
      guard let number = plain(value) else { return iso8601(value, now) }
      return abs(number) > 1e9 ? "not on the tracker's clock" : nil
    case .flag: return value == "true" || value == "false" ? nil : "only the words true and false count"
    case .words(let words): return words.contains(value) ? nil : "none of \(words.joined(separator: ", "))"
    case .alarms:
      let unknown = value.split(separator: ",", omittingEmptySubsequences: false).first { !alarms.contains(String($0)) }
      return unknown.map { "Traccar knows no alarm '\($0)'" }
    case .shortName: return value.count == 2 ? nil : "two characters, by custom"
    case .letter: return value.utf8.count == 1 ? nil : "not one letter"
    case .place:
      let parts = value.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 2 else { return "not two numbers with a comma between" }
      return number(parts[0], latitudes.0, latitudes.1) ?? number(parts[1], longitudes.0, longitudes.1)
    case .link:
      guard let mark = value.firstIndex(of: "?"), let query = QueryText(Array(value[value.index(after: mark)...].utf8)),
        let latitude = query.value("mlat"), let longitude = query.value("mlon")
      else { return "a link without a place" }
      return number(latitude, latitudes.0, latitudes.1) ?? number(longitude, longitudes.0, longitudes.1)
    case .rows:
      let inner = value.hasPrefix("[") && value.hasSuffix("]") ? String(value.dropFirst().dropLast()) : value
      let isRight = inner.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
        (1...255).contains(Int(part.filter { $0 != " " }) ?? 0)
      }
      return isRight || inner.allSatisfy { $0 == " " } ? nil : "not numbers from 1 to 255"
    case .sealed:
      var bytes = DecodedBytes()
      guard decodeBase64(Array(value.utf8).span, into: &bytes) else { return "not base64" }
      // Nonce and code of the box.
      return bytes.bytes.count > 40 ? nil : "too short for a sealed message"
    case .hexadecimal(let highest):
      guard let number = hexadecimal(value) else { return "not a hexadecimal number" }
      return number <= highest ? nil : "above \(String(highest, radix: 16, uppercase: true))"
    }
  }

  /// What JSON says that it is, against what it must be.
  private static func problem(_ kind: JSONValue.Kind, _ limit: Limit, _ form: DecodedMessage.Form) -> String? {
    let isText = kind == .string
    switch limit {
    case .number, .whole, .seconds:
      if kind == .number { return nil }
      guard isText else { return "not a number" }
      // The recorder takes numbers in quotes.
      return form == .ownTracks ? nil : "text, not a number: receivers pass it over"
    case .flag: return kind == .yes || kind == .no ? nil : "not true or false"
    case .moment: return isText || kind == .number ? nil : "not a time"
    case .rows: return kind == .array ? nil : "not a list"
    case .hexSeconds, .timestamp, .iso8601, .words, .alarms, .shortName, .letter, .place, .link, .sealed,
      .hexadecimal:
      return isText ? nil : "not text"
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>, _ words: String) -> String? {
    guard let number = plain(text) else { return text.isEmpty ? "empty" : "not a number" }
    return range.contains(number) ? nil : words
  }

  private static func plain(_ text: String) -> Double? {
    // What Swift reads as a number beside these is none anywhere else.
    let isPlain = text.utf8.allSatisfy { isDigit($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    return isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  private static func hexadecimal(_ text: String) -> UInt64? {
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ hexadecimalValue($0) != nil }) else { return nil }
    return UInt64(text, radix: 16)
  }

  /// What is wrong with a time that was read.
  static func seconds(of time: UTCTime?, _ now: UTCTime?) -> String? {
    time.flatMap { seconds(Double($0.microseconds) / 1e6, now) }
  }

  private static func iso8601(_ text: String, _ now: UTCTime?) -> String? {
    guard let time = UTCTime(iso8601: text) else { return "not a time" }
    return seconds(of: time, now)
  }

  /// Clocks that were never set stand in 1970 or 1980; a receiver may have counted its weeks anew.
  private static func seconds(_ value: Double, _ now: UTCTime?) -> String? {
    if value < 946_684_800 { return "before 2000: the clock was not set" }
    if value >= 100_000_000_000 { return "milliseconds, where seconds are expected" }
    if let now, value > Double(now.microseconds) / 1e6 + 86_400 { return "in the future" }
    return nil
  }

  // MARK: Fields

  private static let latitudes = (-90.0...90.0, "-90 to 90°")
  private static let longitudes = (-180.0...180.0, "-180 to 180°")
  private static let latitude = Limit.number(latitudes.0, latitudes.1)
  private static let longitude = Limit.number(longitudes.0, longitudes.1)
  private static let altitude = Limit.number(-12_000...20_000, "-12,000 to 20,000 m")
  private static let course = Limit.number(0...360, "0 to 360°")
  private static let percent = Limit.number(0...100, "0 to 100 %")
  private static let volts = Limit.number(0...100, "0 to 100 V")
  private static let positive = Limit.number(0...1e12, "below 0")
  private static let count = Limit.whole(0...4_294_967_295, "0 to 4294967295")
  private static let accuracy = Limit.number(0...20_037_508, "0 m to half way round the earth")
  private static let speed = Limit.number(0...515, "0 to 515 m/s")
  private static let kinds = Limit.words(PacketKind.allCases.map { "\($0.name)" })
  private static let detectors = Limit.words(MovementDetector.allCases.map { "\($0.name)" })
  private static let reasons = Limit.words(StatusReason.allCases.map { "\($0.name)" })

  static func limit(_ name: String, of form: DecodedMessage.Form, type: String) -> Limit? {
    switch form {
    case .leash, .minimal: leash[name] ?? leashFields[name]
    case .text: name == "link" ? .link : nil
    case .ownTracks: ownTracks(name, type)
    case .ownTracksCompact: compact[name]
    case .osmAnd: osmAnd[name] ?? osmAndFields[name]
    case .traccar: traccar[name] ?? traccarFields[name] ?? traccarAttribute(name)
    case .homeAssistant, .request: nil
    }
  }

  /// The limits of a packet's fields by their names in a form.
  private static func fields(_ nameInForm: (PacketField) -> StaticString?) -> [String: Limit] {
    var limits: [String: Limit] = [:]
    for field in PacketField.allCases {
      guard let name = nameInForm(field) else { continue }
      func words(_ low: Int64, _ high: Int64) -> String {
        "\(low) to \(high)" + (field.unit.utf8CodeUnitCount == 0 ? "" : " \(field.unit)")
      }
      switch field.limit {
      case .flag: limits["\(name)"] = .flag
      case .number(let low, let high): limits["\(name)"] = .number(Double(low)...Double(high), words(low, high))
      case .whole(let low, let high): limits["\(name)"] = .whole(Double(low)...Double(high), words(low, high))
      case .list: limits["\(name)"] = .rows
      }
    }
    return limits
  }

  private static let leashFields = fields { $0.name }
  private static let osmAndFields = fields { $0.osmAndName }
  private static let traccarFields = Dictionary(
    uniqueKeysWithValues: fields { $0.traccarName }.map { ("location.extras.\($0)", $1) })
  private static func traccarAttribute(_ name: String) -> Limit? {
    let own = name.split(separator: ".").last.map { String($0) } ?? ""
    return name.hasPrefix("location.extras.") && FieldTables.attributes.contains(own) ? osmAnd[own] : nil
  }

  // Ids of regions are any text in apps.
  private static let ownTracksFields = fields { $0 == .fences ? nil : $0.ownTracksName }

  private static func ownTracks(_ name: String, _ type: String) -> Limit? {
    if let own = FieldTables.ofWaypoint(name) { return ownTracks["waypoint"]?[own] ?? ownTracks[""]?[own] }
    let inner = FieldTables.inner(name, type)
    if let own = inner.status {
      return trackers[own] ?? ownTracks["location"]?[own] ?? ownTracksFields[own] ?? leash[own] ?? leashFields[own]
    }
    if let key = inner.configuration { return configuration[key] }
    return ownTracks[type]?[name] ?? ownTracks[""]?[name]
      ?? (type == "location" ? trackers[name] ?? ownTracksFields[name] : nil)
  }

  private static let configuration: [String: Limit] = [
    "mode": .whole(0...3, "0 or 3"), "port": .whole(1...65_535, "1 to 65535"), "tls": .flag, "ws": .flag,
    "tid": .shortName,
    "keepalive": positive, "cleanSession": .flag, "mqttProtocolLevel": .whole(3...5, "3 to 5"),
    "pubQos": .whole(0...2, "0 to 2"), "subQos": .whole(0...2, "0 to 2"), "pubRetain": .flag, "sub": .flag,
    "monitoring": .whole(-1...2, "-1 to 2"), "locatorInterval": positive, "locatorDisplacement": positive,
    "moveModeLocatorInterval": positive, "ignoreInaccurateLocations": positive, "ping": positive, "extendedData": .flag,
    "cmd": .flag, "remoteConfiguration": .flag, "downgrade": percent,
  ]

  private static let ownTracks: [String: [String: Limit]] = [
    "": [
      "_type": .words([
        "location", "transition", "waypoint", "waypoints", "lwt", "status", "cmd", "configuration", "dump", "steps",
        "step", "card",
        "beacon", "request", "encrypted",
      ]), "tid": .shortName, "tst": .seconds, "created_at": .seconds, "lat": latitude, "lon": longitude,
    ],
    "location": [
      // Home Assistant drops what is below.
      "acc": .number(1...20_037_508, "below 1 m: Home Assistant drops the location"), "vac": accuracy, "alt": altitude,
      "vel": .number(0...1854, "0 to 1854 km/h"), "cog": course,
      "bs": .whole(0...3, "0 to 3"), "conn": .words(["w", "m", "o"]), "t": .letter, "m": .whole(-1...2, "-1 to 2"),
      "rad": positive, "p": .number(1...120, "1 to 120 kPa"), "fixAge": positive,
    ],
    "transition": [
      "wtst": count, "acc": .number(1...20_037_508, "below 1 m: Home Assistant drops the place"),
      "event": .words(["enter", "leave"]), "t": .words(["c", "b", "l"]),
    ],
    // Its tst is a key, and with us the number of a fence.
    "waypoint": ["tst": count, "rad": positive],
    "steps": ["steps": .whole(-1...1e9, "-1 or more"), "from": positive, "to": positive],
    "cmd": ["from": positive, "to": positive], "encrypted": ["data": .sealed],
  ]

  private static let trackers: [String: Limit] = [
    "odometer": positive, "hmc": positive, "uext": volts, "tow": .flag, "ign": .flag, "lac": .hexadecimal(0xFFFF),
    "cid": .hexadecimal(0xFFF_FFFF), "count": count,
    "sent": .seconds, "armed": .flag, "alert": count, "repetition": count, "alertsEnabled": .flag,
    "request": count, "event": .words(["enter", "leave"]),
  ]

  private static let compact: [String: Limit] = [
    "tid": .shortName, "tst": .hexSeconds, "lat": .number(-90e6...90e6, "-90 to 90°"),
    "lon": .number(-180e6...180e6, "-180 to 180°"), "cog": .number(0...36, "0 to 360°"),
    "vel": .number(0...1854, "0 to 1854 km/h"), "alt": .number(-1200...2000, "-12,000 to 20,000 m"), "dist": positive,
    "trip": positive,
  ]

  private static let osmAnd: [String: Limit] = [
    "timestamp": .timestamp, "lat": latitude, "lon": longitude, "location": .place,
    "speed": .number(0...1001, "0 to 1001 kn"), "bearing": course, "heading": course, "altitude": altitude,
    "accuracy": accuracy, "alarm": .alarms, "odometer": positive, "rssi": .number(-150...99, "-150 to 99"),
    "armed": .flag, "sequence": count, "boot": count, "alert": count, "repetition": count, "alertsEnabled": .flag,
    "request": count, "fixAge": positive,
  ]

  private static let traccar: [String: Limit] = [
    "location.timestamp": .iso8601, "location.coords.latitude": latitude, "location.coords.longitude": longitude,
    // Below zero is unknown.
    "location.coords.accuracy": .number(-1e9...20_037_508, "half way round the earth at most"),
    "location.coords.speed": .number(-1e9...515, "515 m/s at most"),
    "location.coords.heading": .number(-1e9...360, "360° at most"), "location.coords.altitude": altitude,
    "location.is_moving": .flag, "location.odometer": positive, "location.alarm": .alarms,
    "location.battery.level": .number(-1e9...1, "of 1, not of 100"), "location.battery.is_charging": .flag,
    "location.mock": .flag, "location.extras.alarm": .alarms, "location.extras.batteryLevel": percent,
  ]

  private static let leash: [String: Limit] = [
    "type": kinds, "sequence": count, "boot": count, "utc": .iso8601, "uptime": positive, "armed": .flag,
    "phase": .words(MotionPhase.allCases.map { "\($0.name)" }), "latitude": latitude, "longitude": longitude,
    "accuracy": accuracy, "fixAge": positive, "stale": .flag, "private": .flag, "disabled": .flag, "altitude": altitude,
    "speed": speed, "course": course, "distance": positive, "roll": .number(-180...180, "-180 to 180°"),
    "pitch": .number(-90...90, "-90 to 90°"),
    "alert.id": count, "alert.repetition": count, "alert.detector": detectors, "alert.ratio": positive,
    "alert.onset": .moment, "alert.duration": positive, "alert.tilt": .number(0...180, "0 to 180°"),
    "alert.displacement": positive, "alert.turn": .number(-180...180, "-180 to 180°"), "ride.distance": positive,
    "ride.start": .moment, "ride.end": .moment, "ride.duration": positive, "status.reason": reasons,
    "status.alertsEnabled": .flag, "status.request": count, "fence.number": .whole(0...255, "0 to 255"),
    "fence.entered": .flag, "fence.crossed": .moment, "place.number": .whole(0...255, "0 to 255"),
    "alarm.number": .whole(0...255, "0 to 255"), "link": .link,
  ]

  /// - Source: Traccar, `Position`, its alarms.
  static let alarms: Set<String> = [
    "general", "sos", "vibration", "movement", "lowspeed", "overspeed", "fallDown", "lowPower", "lowBattery", "fault",
    "powerOff", "powerOn", "door", "lock", "unlock", "geofence", "geofenceEnter", "geofenceExit", "gpsAntennaCut",
    "accident", "tow", "idle", "highRpm", "hardAcceleration", "hardBraking", "hardCornering", "laneChange",
    "fatigueDriving", "powerCut", "powerRestored", "jamming", "temperature", "parking", "bonnet", "footBrake",
    "fuelLeak", "tampering", "removing",
  ]
}
