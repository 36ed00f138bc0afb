import ASCIIText
import Quantities
import Telemetry

/// Messages that are JSON objects.
enum JSONReading {
  static func message(
    _ object: JSONValue, _ text: [UInt8], _ now: UTCTime?, topic: String? = nil
  ) throws(DecodingFailure) -> DecodedMessage {
    var flat: [(name: String, value: JSONValue)] = []
    flatten(object, "", text, &flat, opensLists: object.member("_type", in: text.span) != nil)
    func member(_ name: String) -> JSONValue? { flat.first { $0.name == name }?.value }
    let form: DecodedMessage.Form
    var type = ""
    // What ThingsBoard wants around a packet.
    var prefix = ""
    if let kind = member("_type") {
      form = .ownTracks
      type = string(kind, text)
      guard !type.isEmpty else { throw DecodingFailure("'_type' is not a word") }
    } else if member("device_id") != nil || member("location.timestamp") != nil {
      form = .traccar
      type = "location"
      guard member("device_id")?.kind == .string else { throw DecodingFailure("no 'device_id'") }
      guard member("location.timestamp") != nil else { throw DecodingFailure("no 'location.timestamp'") }
    } else if let kind = member("type"), member("trackerId") != nil {
      form = .leash
      type = string(kind, text)
    } else if let kind = member("values.type"), member("values.trackerId") != nil {
      form = .leash
      type = string(kind, text)
      prefix = "values."
    } else if member("latitude") != nil, member("trackerId") != nil {
      form = .minimal
      type = "location"
    } else if member("outbox") != nil, member("live") != nil {
      let fields = flat.map { name, value in
        let row = FieldTables.boardState[name]
        return DecodedField(name, shown(value, text), unit: row?.unit ?? "", meaning: row?.meaning ?? "")
      }
      return DecodedMessage(form: .leash, type: "state", fields: fields.markedRepetitions(), facts: DecodedFacts())
    } else if let type = DiscoveryReading.type(flat) {
      var facts = DecodedFacts()
      facts.tracker = DiscoveryReading.tracker(flat, text)
      return DecodedMessage(
        form: .homeAssistant, type: type, fields: DiscoveryReading.fields(flat, text, topic: topic), facts: facts)
    } else {
      throw DecodingFailure(
        "unknown object: it has none of '_type', 'device_id', 'trackerId', and no topic of Home Assistant")
    }
    let fields = flat.map { name, value in
      let own = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
      let row = FieldTables.row(own, of: form, type: type)
      let shown = shown(value, text)
      let isTrigger = form == .ownTracks && type == "location" && own == "t"
      return DecodedField(
        name, shown, unit: row?.unit ?? "", meaning: isTrigger ? FieldTables.trigger(shown) : row?.meaning ?? "",
        trap: row?.trap ?? nil,
        problem: FieldLimits.problem(own, shown, value.kind, of: form, type: type, now: now))
    }
    let facts =
      switch form {
      case .ownTracks: ownTracks(member, type, text)
      case .traccar: traccar(member, text)
      default: leash({ member(prefix + $0) }, text)
      }
    return DecodedMessage(form: form, type: type, fields: fields.markedRepetitions(), facts: facts)
  }

  /// Values that hold none, with the names of what they are in.
  ///
  /// - Parameter opensLists: Whether lists of objects are taken apart, as those of waypoints; other lists stay whole.
  private static func flatten(
    _ object: JSONValue, _ prefix: String, _ text: [UInt8], _ flat: inout [(name: String, value: JSONValue)],
    opensLists: Bool
  ) {
    var members = JSONValue.Members(of: object)
    while flat.count < PacketDecoder.fieldCapacity, let (key, value) = members.next(in: text.span) {
      let name = prefix + string(key, text)
      if value.kind == .object, name.utf8.count < 256 {
        flatten(value, name + ".", text, &flat, opensLists: opensLists)
      } else if opensLists, let rows = rows(of: value, name, text),
        flat.count + rows.count < PacketDecoder.fieldCapacity
      {
        flat += rows
      } else {
        flat.append((name, value))
      }
    }
  }

  /// The values of a list of objects; nil when it is none, or has more than a message may have.
  private static func rows(of list: JSONValue, _ name: String, _ text: [UInt8]) -> [(name: String, value: JSONValue)]? {
    guard list.kind == .array, name.utf8.count < 256 else { return nil }
    var rows: [(name: String, value: JSONValue)] = []
    var elements = JSONValue.Elements(of: list)
    var number = 0
    while let element = elements.next(in: text.span) {
      number += 1
      guard element.kind == .object else { return nil }
      flatten(element, "\(name).\(number).", text, &rows, opensLists: true)
      guard rows.count < PacketDecoder.fieldCapacity else { return nil }
    }
    return rows.isEmpty ? nil : rows
  }

  static func string(_ value: JSONValue, _ text: [UInt8]) -> String {
    var bytes = DecodedBytes()
    value.appendText(of: text.span, to: &bytes)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  static func shown(_ value: JSONValue, _ text: [UInt8]) -> String {
    value.kind == .string ? string(value, text) : String(decoding: text[value.start..<value.end], as: UTF8.self)
  }

  private static func number(_ value: JSONValue?, _ text: [UInt8], decimals: Int = 9) -> Double? {
    guard let scaled = value?.number(decimals: decimals, in: text.span) else { return nil }
    return Double(scaled) / Double(powerOfTen(decimals))
  }

  /// A place on the globe, or none.
  static func place(_ latitude: Double?, _ longitude: Double?) -> (Double, Double)? {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    return (latitude, longitude)
  }

  private static func ownTracks(_ member: (String) -> JSONValue?, _ type: String, _ text: [UInt8]) -> DecodedFacts {
    var facts = DecodedFacts()
    facts.tracker = member("topic").map { string($0, text) } ?? member("tid").map { string($0, text) }
    facts.time = member("tst")?.number(decimals: 6, in: text.span).map { UTCTime(microseconds: $0) }
    if let told = facts.time, let age = member("fixAge")?.number(decimals: 6, in: text.span) {
      facts.time = UTCTime(microseconds: told.microseconds &- age)
    }
    if let place = place(number(member("lat"), text), number(member("lon"), text)) {
      (facts.latitude, facts.longitude) = place
    }
    facts.altitude = number(member("alt"), text)
    facts.accuracy = number(member("acc"), text)
    facts.speed = number(member("vel"), text).map { $0 / 3.6 }
    facts.course = number(member("cog"), text)
    facts.battery = number(member("batt"), text)
    facts.isMoving = member("motion")?.flag
    facts.odometer = number(member("odometer"), text, decimals: 3).map { $0 * 1000 }
    facts.meaning = OwnTracksMeaning.meaning({ member($0).map { shown($0, text) } }, type)
    return facts
  }

  private static func traccar(_ member: (String) -> JSONValue?, _ text: [UInt8]) -> DecodedFacts {
    var facts = DecodedFacts()
    facts.tracker = member("device_id").map { string($0, text) }
    facts.time = member("location.timestamp").flatMap { UTCTime(iso8601: string($0, text)) }
    if let told = facts.time, let age = member("location.extras.fixAge")?.number(decimals: 6, in: text.span) {
      facts.time = UTCTime(microseconds: told.microseconds &- age)
    }
    func coordinate(_ name: String) -> Double? { number(member("location.coords.\(name)"), text) }
    func known(_ value: Double?) -> Double? { value.flatMap { $0 < 0 ? nil : $0 } }
    if let place = place(coordinate("latitude"), coordinate("longitude")) {
      (facts.latitude, facts.longitude) = place
      facts.altitude = coordinate("altitude")
    }
    facts.accuracy = known(coordinate("accuracy"))
    facts.speed = known(coordinate("speed"))
    facts.course = known(coordinate("heading"))
    facts.battery = known(number(member("location.battery.level"), text)).map { $0 * 100 }
    if facts.battery == nil { facts.battery = number(member("location.extras.batteryLevel"), text) }
    facts.isMoving = member("location.is_moving")?.flag
    facts.odometer = number(member("location.odometer"), text, decimals: 3)
    let alarm = member("location.alarm") ?? member("location.extras.alarm")
    facts.meaning = alarm.flatMap { PacketMeaning(traccarList: string($0, text)) }
    return facts
  }

  private static func leash(_ member: (String) -> JSONValue?, _ text: [UInt8]) -> DecodedFacts {
    var facts = DecodedFacts()
    facts.tracker = member("trackerId").map { string($0, text) }
    facts.time = member("utc").flatMap { UTCTime(iso8601: string($0, text)) }
    if let made = facts.time, let age = member("fixAge")?.number(decimals: 6, in: text.span) {
      facts.time = UTCTime(microseconds: made.microseconds &- age)
    }
    if let place = place(number(member("latitude"), text), number(member("longitude"), text)) {
      (facts.latitude, facts.longitude) = place
    }
    facts.altitude = number(member("altitude"), text)
    facts.accuracy = number(member("accuracy"), text)
    facts.speed = number(member("speed"), text)
    facts.course = number(member("course"), text)
    facts.battery = number(member("battery"), text)
    facts.isMoving = member("motion")?.flag
    facts.odometer = number(member("distance"), text, decimals: 3)
    facts.meaning = leashMeaning(member, text)
    return facts
  }

  private static func leashMeaning(_ member: (String) -> JSONValue?, _ text: [UInt8]) -> PacketMeaning? {
    guard let word = member("type").map({ string($0, text) }),
      let kind = PacketKind.allCases.first(where: { "\($0.name)" == word })
    else { return nil }
    return OwnTracksMeaning.meaning(
      kind, detector: member("alert.detector").map { string($0, text) },
      reason: member("status.reason").map { string($0, text) }, isEntry: member("fence.entered")?.flag == true)
      ?? (kind == .status ? .answer : nil)
  }

  /// Where text stops to be JSON, for people.
  static func fault(in text: [UInt8]) -> String {
    // The longest beginning that could go on is found by what closes it; a count of open brackets is enough to say what is missing.
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in text {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isString = false
        }
      } else if byte == 0x22 {
        isString = true
      } else if byte == 0x7B || byte == 0x5B {
        depth += 1
      } else if byte == 0x7D || byte == 0x5D {
        depth -= 1
      }
    }
    if isString { return "invalid JSON: unterminated text" }
    if depth > 0 { return "invalid JSON: \(depth == 1 ? "1 bracket is" : "\(depth) brackets are") not closed" }
    return "invalid JSON: look for numbers like NaN or 01, trailing commas, or text after the end"
  }
}

extension UTCTime {
  /// Reads `2026-11-21T08:15:30.123Z`, with any number of digits of a second and `Z` or a distance from UTC; nil for anything else.
  ///
  /// - Source: RFC 3339 section 5.6.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    func digits(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<start + count] {
        guard isDigit(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74 || bytes[10] == 0x20,
      bytes[13] == 0x3A, bytes[16] == 0x3A, let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2),
      let hour = digits(11, 2), let minute = digits(14, 2), let second = digits(17, 2), hour < 24, minute < 60,
      second <= 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var place = 19
    var fraction = 0
    if bytes[place] == 0x2E {
      place += 1
      var scale = 100_000
      let start = place
      while place < bytes.count, isDigit(bytes[place]) {
        fraction += Int(bytes[place] - 0x30) * scale
        scale /= 10
        place += 1
      }
      guard place > start else { return nil }
    }
    var offset = 0
    guard place < bytes.count else { return nil }
    if bytes[place] | 0x20 == 0x7A {
      place += 1
    } else {
      guard bytes[place] == 0x2B || bytes[place] == 0x2D, place + 6 == bytes.count, bytes[place + 3] == 0x3A,
        let hours = digits(place + 1, 2), let minutes = digits(place + 4, 2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[place] == 0x2D ? -60 : 60)
      place += 6
    }
    guard place == bytes.count else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
  }
}
