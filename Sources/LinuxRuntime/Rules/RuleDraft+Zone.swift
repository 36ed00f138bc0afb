import JSON5
import Rules

// The time zone of alarms.
extension RuleDraft {
  mutating func readZone(_ value: JSON5Value) {
    let expectation =
      "a name such as \"Europe/Amsterdam\", or a POSIX string such as \"CET-1CEST,M3.5.0,M10.5.0/3\""
    guard case .string(let name) = value.content, let zone = zones.posixText(name) else {
      var reason = expectation
      if case .string(let name) = value.content {
        if ZoneFolder.isTooLong(name) {
          reason = "a POSIX string of \(ZoneFolder.textLimit) bytes at most; this one has \(name.utf8.count)"
        } else {
          reason += didYouMean(reader.nearestName(to: name, among: zones.names))
        }
      }
      reader.note("'timeZone': found \(reader.found(value)), expected \(reason)", at: value.position)
      return
    }
    tables.timeZone = zone
    zoneName = name
    remark = zones.remark(name, as: zone).map { ConfigurationProblem(position: value.position, message: $0) }
  }

  /// What is to be shown of a configuration; without a zone in the file alarms go by the machine's own.
  mutating func rows(_ members: [JSON5Member]) -> [ConfigurationRow] {
    var rows: [ConfigurationRow] = []
    if zoneName == nil, !tables.alarms.isEmpty {
      tables.timeZone = zones.local ?? "UTC0"
      rows.append(ConfigurationRow(path: ["timeZone"], value: tables.timeZone.map { .text($0) }, origin: .standard))
    }
    for member in members {
      let value: ConfigurationValue?
      switch member.key {
      case "timeZone": value = zoneName.map { .text($0) }
      case "fences": value = .rules(tables.list(.fence))
      case "places": value = .rules(tables.list(.place))
      case "alarms": value = .rules(tables.list(.alarm))
      default: continue
      }
      rows.append(ConfigurationRow(path: [member.key], value: value, origin: .file(line: member.position.line)))
    }
    return rows
  }
}
