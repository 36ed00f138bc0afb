import Positioning
import Rules
import Telemetry
import TrackerCore

// The tables as JSON, a row on a line: what `RuleDraft` reads back to the same tables.
extension RuleTables {
  /// The tables as JSON, with a line feed at the end.
  package var json: String {
    var members: [String] = []
    if let timeZone { members.append("  \"timeZone\": \(quoted(timeZone))") }
    for (name, table) in [("fences", PacketRule.Table.fence), ("places", .place), ("alarms", .alarm)] {
      let rows = rows(table)
      members.append("  \"\(name)\": [" + (rows.isEmpty ? "]" : "\n    \(rows.joined(separator: ",\n    "))\n  ]"))
    }
    return "{\n\(members.joined(separator: ",\n"))\n}\n"
  }

  /// The rows of a table as JSON objects.
  func rows(_ table: PacketRule.Table) -> [String] {
    switch table {
    case .fence: fences.map { object($0.outline.members(isActive: $0.isActive)) }
    case .place: places.map { object($0.members) }
    case .alarm: alarms.map { object($0.members) }
    }
  }

  /// A table as a list on one line.
  func list(_ table: PacketRule.Table) -> String { "[\(rows(table).joined(separator: ", "))]" }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }
}

extension FenceOutline {
  fileprivate func members(isActive: Bool) -> [(String, String)] {
    var members = [("number", "\(number)"), ("name", quoted(name.string))]
    if isActive { members.append(("active", "true")) }
    switch shape {
    case .circle:
      let middle = corner(0)
      members.append(
        (
          "circle",
          "{\"latitude\": \(degrees(middle.latitudeE7)), \"longitude\": \(degrees(middle.longitudeE7)), "
            + "\"radius\": \(metres(width))}"
        ))
    case .corridor:
      members.append(("corridor", "{\"width\": \(metres(width)), \"points\": \(text(of: rings[0]))}"))
    case .polygon:
      members.append(("polygon", text(of: rings[0])))
      if rings.count > 1 { members.append(("holes", "[\(rings.dropFirst().map(text(of:)).joined(separator: ", "))]")) }
    }
    return members
  }

  /// Its corners, 1e-7 degree: the outline and then each hole.
  var rings: [[(latitudeE7: Int32, longitudeE7: Int32)]] {
    var rings: [[(latitudeE7: Int32, longitudeE7: Int32)]] = [[]]
    for place in 0..<Int(count) {
      if place > 0, holes & (1 << UInt8(place)) != 0 { rings.append([]) }
      rings[rings.count - 1].append(corner(place))
    }
    return rings
  }

  private func text(of ring: [(latitudeE7: Int32, longitudeE7: Int32)]) -> String {
    "[\(ring.map { "[\(degrees($0.latitudeE7)), \(degrees($0.longitudeE7))]" }.joined(separator: ", "))]"
  }
}

extension PlaceOutline {
  fileprivate var members: [(String, String)] {
    [
      ("number", "\(number)"), ("name", quoted(name.string)), ("latitude", degrees(latitudeE7)),
      ("longitude", degrees(longitudeE7)), ("radius", metres(radius)),
    ]
  }
}

extension AlarmRule {
  fileprivate var members: [(String, String)] {
    var members = [("number", "\(number)"), ("label", quoted(label.string))]
    if !isEnabled { members.append(("enabled", "false")) }
    switch trigger {
    case .time(let schedule):
      members.append(("at", timeOfDay(schedule.minute)))
      switch schedule.days {
      case .date(let date):
        members.append(("days", "\"\(date.year.padded(4))-\(date.month.padded(2))-\(date.day.padded(2))\""))
      case .weekdays(let set): if set != .all { members.append(("days", text(of: set))) }
      }
    case .arrival: members.append(("when", "\"arrive\""))
    case .departure: members.append(("when", "\"leave\""))
    case .dwell(let minutes): members.append(("stay", "\(minutes)"))
    case .quiet: members.append(("when", "\"quiet\""))
    case .guarding: members.append(("when", "\"guard\""))
    }
    if let window {
      members.append(("from", timeOfDay(window.start)))
      members.append(("to", timeOfDay(window.end)))
      if window.days != .all { members.append(("days", text(of: window.days))) }
    }
    if fence != 0 { members.append((isOutside ? "outside" : "inside", "\(fence)")) }
    if policy != .last { members.append(("noFix", "\"\(policy.word)\"")) }
    if soundSeconds != 30 { members.append(("sound", "\(soundSeconds)")) }
    if snoozeMinutes != 10 { members.append(("snooze", "\(snoozeMinutes)")) }
    return members
  }

  private func timeOfDay(_ minute: Int32) -> String { "\"\((minute / 60).padded(2)):\((minute % 60).padded(2))\"" }

  private func text(of set: WeekdaySet) -> String {
    if let word = RuleKeys.dayWords.first(where: { $0.days == set })?.word { return quoted(word) }
    let names = RuleKeys.weekdays.indices.filter { set.contains(WeekdaySet(rawValue: 1 << UInt8($0))) }
    return "[\(names.map { quoted(RuleKeys.weekdays[$0]) }.joined(separator: ", "))]"
  }
}

extension FixedWidthInteger {
  /// With zeros in front, up to so many digits.
  fileprivate func padded(_ digits: Int) -> String {
    let text = "\(self)"
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

/// Degrees with as many decimals as it takes.
func degrees(_ valueE7: Int32) -> String {
  let digits = "\(valueE7.magnitude)"
  let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  var fraction = padded.suffix(7)
  while fraction.last == "0" { fraction.removeLast() }
  return (valueE7 < 0 ? "-" : "") + padded.dropLast(7) + (fraction.isEmpty ? "" : "." + fraction)
}

/// Metres to a decimetre.
private func metres(_ value: Float) -> String {
  let tenths = Int((Double(value) * 10).rounded())
  return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}
