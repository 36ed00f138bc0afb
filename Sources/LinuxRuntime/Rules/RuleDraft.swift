import InlineStorage
import JSON5
import Positioning
import Quantities
import Rules
import Telemetry
import TrackerCore

/// The tables of a file while they are read; what is wrong is noted, all of it.
struct RuleDraft {
  var reader: ConfigurationReader
  var tables = RuleTables()
  /// The line on which each rule begins.
  private(set) var lines: [RuleName: Int] = [:]
  let zones: ZoneFolder
  /// The zone as the file has it.
  var zoneName: String?
  /// What should be known of the zone; nil for nothing.
  var remark: ConfigurationProblem?

  init(_ reader: ConfigurationReader, zones: ZoneFolder = ZoneFolder()) {
    self.reader = reader
    self.zones = zones
  }

  /// A whole file.
  mutating func read(_ value: JSON5Value) {
    guard case .object(let members) = value.content else {
      reader.note("found \(value.kind), expected an object { … } with fences, places and alarms", at: value.position)
      return
    }
    for member in members where !read(member) {
      // That is for editors.
      if member.key == "$schema" {
        if case .string = member.value.content {
        } else {
          reader.note("'$schema': expected a text", at: member.position)
        }
        continue
      }
      let suggestion = reader.nearestName(to: member.key, among: RuleKeys.file)
      reader.note("unknown key '\(reader.shown(member.key))'" + didYouMean(suggestion), at: member.position)
    }
    finish()
  }

  /// One of the tables, or the time zone; false for a member that is none.
  mutating func read(_ member: JSON5Member) -> Bool {
    switch member.key {
    case "timeZone": readZone(member.value)
    case "fences": for (row, place) in rows(member, .fence) { readFence(row, place) }
    case "places": for (row, place) in rows(member, .place) { readPlace(row, place) }
    case "alarms": for (row, place) in rows(member, .alarm) { readAlarm(row, place) }
    default: return false
    }
    return true
  }

  /// Once all is read.
  mutating func finish() {
    for alarm in tables.alarms where alarm.fence != 0 {
      guard lines[RuleName(.fence, alarm.fence)] == nil else { continue }
      reader.warn(
        "alarm \(alarm.number) refers to fence \(alarm.fence), which is not in this file",
        at: TextPosition(line: lines[RuleName(.alarm, alarm.number)] ?? 1, column: 1))
    }
  }

  /// The objects of a table, each with its label; none of what is no table. Too many are a problem, and looked at all the same.
  private mutating func rows(_ member: JSON5Member, _ table: PacketRule.Table) -> [(row: GivenRow, place: TextPosition)]
  {
    guard case .array(let values) = member.value.content else {
      reader.note("'\(member.key)': found \(member.value.kind), expected a list [ { … } ]", at: member.value.position)
      return []
    }
    let room = Tracker.ruleRows(table)
    if values.count > room {
      reader.note("\(member.key): \(values.count), there is room for \(room)", at: values[room].position)
    }
    let keys =
      switch table {
      case .fence: RuleKeys.fence
      case .place: RuleKeys.place
      case .alarm: RuleKeys.alarm
      }
    var result: [(row: GivenRow, place: TextPosition)] = []
    for (place, value) in values.enumerated() {
      let label = "\(member.key)[\(place)]"
      guard let members = reader.members(value, label: label) else { continue }
      let before = reader.problems.count
      let given = reader.values(of: members, keys: keys, label: label)
      for key in keys where key.isRequired && !members.contains(where: { $0.key == key.name }) {
        reader.note("'\(label).\(key.name)' is missing, expected \(key.type.expectation)", at: value.position)
      }
      let isRead = reader.problems.count == before
      let number = given["number"]?.number.flatMap { UInt8($0) }
      if let number, let line = lines.updateValue(value.position.line, forKey: RuleName(table, number)) {
        reader.note(
          "'\(label).number': \(number) is used by the \(table.name) on line \(line)",
          at: given["number"]?.position ?? value.position)
      }
      // One without a number is looked at all the same, as if it had one.
      result.append((GivenRow(label: label, number: number ?? 1, given: given, isWhole: isRead), value.position))
    }
    return result
  }

  // MARK: Fences and places

  private mutating func readFence(_ row: GivenRow, _ position: TextPosition) {
    // What else is wrong is told, too.
    let name = name(row, "name") ?? InlineBytes("a")
    let shapes = ["polygon", "circle", "corridor"].filter { shape in
      row.given.keys.contains { $0 == shape || $0.hasPrefix(shape + ".") }
    }
    guard shapes.count == 1, let shape = shapes.first else {
      if shapes.isEmpty, !row.isWhole { return }
      reader.note("'\(row.label)': expected one of 'polygon', 'circle' and 'corridor'", at: position)
      return
    }
    let inner = row.given.filter { $0.key == shape || $0.key.hasPrefix(shape + ".") }.map(\.value.position)
    let place = inner.min { ($0.line, $0.column) < ($1.line, $1.column) } ?? position
    var outline: FenceOutline
    switch shape {
    case "circle":
      guard require(row, ["circle.latitude", "circle.longitude", "circle.radius"], at: place),
        let corner = GivenCorner(
          row.given["circle.latitude"]?.value.double, row.given["circle.longitude"]?.value.double)
      else { return }
      outline = FenceOutline(row.number, name: name.span, .circle, width: metres(row, "circle.radius"))
      _ = outline.append(latitudeE7: corner.latitudeE7, longitudeE7: corner.longitudeE7)
    case "corridor":
      guard require(row, ["corridor.width", "corridor.points"], at: place) || !row.isWhole,
        let corners = corners(row.given["corridor.points"]?.json, "\(row.label).corridor.points")
      else { return }
      outline = FenceOutline(row.number, name: name.span, .corridor, width: metres(row, "corridor.width"))
      guard add([corners], to: &outline, row, at: place) else { return }
    default:
      guard let corners = corners(row.given["polygon"]?.json, "\(row.label).polygon") else { return }
      var rings = [corners]
      if let holes = row.given["holes"]?.json {
        guard case .array(let values) = holes.content else {
          reader.note(
            "'\(row.label).holes': found \(holes.kind), expected a list of lists of corners", at: holes.position)
          return
        }
        var isRead = true
        for (hole, value) in values.enumerated() {
          guard let corners = self.corners(value, "\(row.label).holes[\(hole)]") else {
            isRead = false
            continue
          }
          rings.append(corners)
        }
        guard isRead else { return }
      }
      outline = FenceOutline(row.number, name: name.span, .polygon)
      guard add(rings, to: &outline, row, at: place) else { return }
    }
    if shape != "polygon", let holes = row.given["holes"] {
      reader.note("'\(row.label).holes' belongs to 'polygon'", at: holes.position)
      return
    }
    // A width that was told as wrong is not told again, and hides nothing else.
    if outline.problem == .badWidth, !row.isWhole { outline.width = 10 }
    if let error = outline.problem {
      reader.note("'\(row.label).\(shape)': \(error.name): \(error.explanation(of: outline.shape))", at: place)
      return
    }
    tables.fences.append(RuleTables.FenceRow(outline: outline, isActive: row.given["active"]?.value == .boolean(true)))
  }

  private mutating func add(
    _ rings: [[GivenCorner]], to outline: inout FenceOutline, _ row: GivenRow, at position: TextPosition
  ) -> Bool {
    let count = rings.reduce(0) { $0 + $1.count }
    guard count <= FenceOutline.capacity else {
      reader.note("'\(row.label)': found \(count) corners, there is room for \(FenceOutline.capacity)", at: position)
      return false
    }
    for (ring, corners) in rings.enumerated() {
      for (place, corner) in corners.enumerated() {
        _ = outline.append(
          latitudeE7: corner.latitudeE7, longitudeE7: corner.longitudeE7, beginsHole: ring > 0 && place == 0)
      }
      if corners.isEmpty {
        let name = ring == 0 ? "outline" : "hole"
        reader.note("'\(row.label)': tooFewPoints: expected three corners or more in each \(name)", at: position)
        return false
      }
    }
    return true
  }

  private mutating func readPlace(_ row: GivenRow, _ position: TextPosition) {
    guard let name = name(row, "name"),
      let middle = GivenCorner(row.given["latitude"]?.value.double, row.given["longitude"]?.value.double)
    else { return }
    var outline = PlaceOutline(number: row.number)
    outline.name = name
    outline.latitudeE7 = middle.latitudeE7
    outline.longitudeE7 = middle.longitudeE7
    outline.radius = metres(row, "radius")
    tables.places.append(outline)
  }

  // MARK: Alarms

  private mutating func readAlarm(_ row: GivenRow, _ position: TextPosition) {
    let label = name(row, "label") ?? InlineBytes("a")
    let before = reader.problems.count
    var rule = AlarmRule()
    rule.number = row.number
    rule.label = label
    let triggers = ["at", "when", "stay"].filter { row.given[$0] != nil }
    guard triggers.count == 1 else {
      if triggers.isEmpty, !row.isWhole {
        _ = days(row)
        return
      }
      reader.note("'\(row.label)': expected one of 'at', 'when' and 'stay'", at: position)
      return
    }
    let days = days(row)
    if let at = row.given["at"], let minute = minute(row, "at") {
      if let other = row.given["from"] ?? row.given["to"] {
        reader.note("'\(row.label).from' and '.to' can't be used with 'at'", at: other.position)
      }
      guard let schedule = AlarmSchedule(days ?? .weekdays(.all), minute: minute) else {
        reader.note("'\(row.label).days': expected at least one day", at: at.position)
        return
      }
      rule.trigger = .time(schedule)
    } else if let when = row.given["when"], case .text(let word) = when.value {
      switch word {
      case "arrive": rule.trigger = .arrival
      case "leave": rule.trigger = .departure
      case "quiet": rule.trigger = .quiet
      default: rule.trigger = .guarding
      }
    } else if let minutes = row.given["stay"]?.number {
      rule.trigger = .dwell(minutes: UInt16(clamping: minutes))
    }
    readWindow(row, days, &rule)
    readFenceOf(row, &rule, at: position)
    if case .text(let word)? = row.given["noFix"]?.value,
      let policy = PlacePolicy.allCases.first(where: { "\($0.word)" == word })
    {
      rule.policy = policy
    }
    if let seconds = row.given["sound"]?.number { rule.soundSeconds = UInt16(clamping: seconds) }
    if let minutes = row.given["snooze"]?.number { rule.snoozeMinutes = UInt8(clamping: minutes) }
    rule.isEnabled = row.given["enabled"]?.value != .boolean(false)
    if reader.problems.count == before { tables.alarms.append(rule) }
  }

  private mutating func readWindow(_ row: GivenRow, _ days: AlarmSchedule.Days?, _ rule: inout AlarmRule) {
    if case .time = rule.trigger { return }
    switch (row.given["from"], row.given["to"]) {
    case (_?, _?):
      guard let start = minute(row, "from"), let end = minute(row, "to") else { return }
      var set = WeekdaySet.all
      switch days {
      case .date?: reader.note("'\(row.label).days': a date needs 'at'", at: row.place("days"))
      case .weekdays(let told)?: set = told
      case nil: break
      }
      rule.window = DailyWindow(set, start: start, end: end)
    case (nil, nil):
      guard row.given["at"] == nil, row.isWhole, let days = row.given["days"] else { return }
      reader.note("'\(row.label).days' needs 'at', or 'from' and 'to'", at: days.position)
    case (let one?, nil), (nil, let one?):
      // The other one may be what could not be read.
      guard row.isWhole else { return }
      reader.note("'\(row.label)': expected both 'from' and 'to'", at: one.position)
    }
  }

  private mutating func readFenceOf(_ row: GivenRow, _ rule: inout AlarmRule, at position: TextPosition) {
    let inside = row.given["inside"]
    let outside = row.given["outside"]
    if let outside, inside != nil {
      reader.note("'\(row.label)': expected 'inside' or 'outside', not both", at: outside.position)
    }
    rule.fence = (inside ?? outside)?.number.flatMap { UInt8($0) } ?? 0
    rule.isOutside = inside == nil && outside != nil
    switch rule.trigger {
    case .arrival, .departure, .dwell:
      if inside == nil, row.isWhole {
        reader.note(
          "'\(row.label).inside' is missing, expected the number of a fence", at: outside?.position ?? position)
      }
    case .time, .quiet, .guarding: break
    }
  }

  private mutating func minute(_ row: GivenRow, _ key: String) -> Int? {
    guard let value = row.given[key]?.json else { return nil }
    if case .string(let text) = value.content, text.utf8.count == 5, text.utf8.dropFirst(2).first == 0x3A,
      text.utf8.enumerated().allSatisfy({ $0.offset == 2 || (0x30...0x39).contains($0.element) }),
      let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)), hour < 24, minute < 60
    {
      return hour * 60 + minute
    }
    reader.note(
      "'\(row.label).\(key)': found \(reader.found(value)), expected \(ConfigurationType.timeOfDay.expectation)",
      at: value.position)
    return nil
  }

  private mutating func days(_ row: GivenRow) -> AlarmSchedule.Days? {
    guard let value = row.given["days"]?.json else { return nil }
    switch value.content {
    case .string(let text):
      if let days = RuleKeys.dayWords.first(where: { $0.word == text })?.days { return .weekdays(days) }
      if let date = CivilDate(text: text) { return .date(date) }
      let listed = listedWords(text)
      if listed.count > 1 || RuleKeys.weekdays.contains(listed.first ?? "") {
        return days(listed.map { JSON5Value(.string($0), at: value.position) }, row)
      }
      let words = RuleKeys.dayWords.map(\.word)
      reader.note(
        "'\(row.label).days': found \(reader.found(value)), expected \(ConfigurationType.days.expectation)"
          + didYouMean(reader.nearestName(to: text, among: words)), at: value.position)
      return nil
    case .array(let values) where !values.isEmpty: return days(values, row)
    default:
      reader.note(
        "'\(row.label).days': found \(reader.found(value)), expected \(ConfigurationType.days.expectation)",
        at: value.position)
      return nil
    }
  }

  /// Days of a list.
  private mutating func days(_ values: [JSON5Value], _ row: GivenRow) -> AlarmSchedule.Days? {
    var set = WeekdaySet()
    for value in values {
      guard case .string(let word) = value.content, let day = RuleKeys.weekdays.firstIndex(of: word) else {
        var suggestion: String?
        if case .string(let word) = value.content {
          suggestion = reader.nearestName(to: word, among: RuleKeys.weekdays)
        }
        reader.note(
          "'\(row.label).days': found \(reader.found(value)), expected one of "
            + RuleKeys.weekdays.map(quoted).joined(separator: ", ") + didYouMean(suggestion), at: value.position)
        return nil
      }
      set.insert(WeekdaySet(rawValue: 1 << UInt8(day)))
    }
    return .weekdays(set)
  }

  // MARK: Values

  private mutating func name(_ row: GivenRow, _ key: String) -> InlineBytes<32>? {
    guard case .text(let text)? = row.given[key]?.value else { return nil }
    let name = InlineBytes<32>(text: text)
    guard isRuleName(name.span), !name.isTruncated else {
      reader.note("'\(row.label).\(key)': expected a name without double quotes", at: row.place(key))
      return nil
    }
    return name
  }

  private mutating func require(_ row: GivenRow, _ keys: [String], at position: TextPosition) -> Bool {
    let missing = keys.filter { row.given[$0] == nil }
    // It may be there and be what could not be read.
    if row.isWhole { for key in missing { reader.note("'\(row.label).\(key)' is missing", at: position) } }
    return missing.isEmpty
  }

  /// Metres as a request has them, to a decimetre.
  private func metres(_ row: GivenRow, _ key: String) -> Float {
    Float(((row.given[key]?.value.double ?? 0) * 10).rounded()) / 10
  }

  private mutating func corners(_ value: JSON5Value?, _ label: String) -> [GivenCorner]? {
    guard let value else { return nil }
    guard case .array(let values) = value.content else {
      reader.note(
        "'\(label)': found \(value.kind), expected \(ConfigurationType.points.expectation)", at: value.position)
      return nil
    }
    var corners: [GivenCorner] = []
    for (place, value) in values.enumerated() {
      guard case .array(let pair) = value.content, pair.count == 2, case .number(let latitude) = pair[0].content,
        case .number(let longitude) = pair[1].content
      else {
        reader.note("'\(label)[\(place)]': expected [latitude, longitude] in degrees", at: value.position)
        continue
      }
      guard let corner = GivenCorner(latitude.value, longitude.value) else {
        reader.note(
          "'\(label)[\(place)]': outOfRange: expected a latitude from -90 to 90 and then a longitude from -180 to 180",
          at: value.position)
        continue
      }
      corners.append(corner)
    }
    guard corners.count == values.count else { return nil }
    return corners
  }
}

/// An object of a table with its values.
private struct GivenRow {
  let label: String
  let number: UInt8
  let given: [String: GivenValue]
  /// False when something of it could not be read, and was told: what is missing for that is not told again.
  let isWhole: Bool

  func place(_ key: String) -> TextPosition { given[key]?.position ?? TextPosition(line: 1, column: 1) }
}

/// A place, 1e-7 degree.
private struct GivenCorner {
  var latitudeE7: Int32
  var longitudeE7: Int32

  /// Degrees; nil when they are out of range.
  init?(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude) else {
      return nil
    }
    latitudeE7 = Int32((latitude * 1e7).rounded())
    longitudeE7 = Int32((longitude * 1e7).rounded())
  }
}

extension GivenValue {
  fileprivate var number: Int? { if case .number(let digits) = value { Int(digits) } else { nil } }
  fileprivate var json: JSON5Value? { if case .given(let value) = value { value } else { nil } }
}

extension CivilDate {
  /// `2026-12-24`.
  fileprivate init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes.enumerated().allSatisfy({ $0.offset == 4 || $0.offset == 7 || (0x30...0x39).contains($0.element) }),
      let year = Int(text.prefix(4)), let month = Int(text.dropFirst(5).prefix(2)), let day = Int(text.suffix(2))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension FenceOutline {
  /// Why the tracker would not take it; nil when it would.
  var problem: RuleError? {
    var table = FenceTable<1, 8>()
    table.begin(Int(number), name: name.span, shape, width: Double(width))
    for place in 0..<Int(count) {
      if holes & (1 << UInt8(place)) != 0 { table.beginHole() }
      let corner = corner(place)
      table.append(latitudeE9: Int64(corner.latitudeE7) * 100, longitudeE9: Int64(corner.longitudeE7) * 100)
    }
    return table.finish().map { RuleError($0) }
  }
}
