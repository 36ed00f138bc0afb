import Rules

extension BoardConfigurationFile {
  /// Shows fences, places, alarms and the time zone as the state file has them: those of the file hold until a request changes them,
  /// and again once the file has others.
  mutating func showChangedRules() {
    guard var kept = RuleTables(stateFile: configuration.stateFile) else { return }
    let given = configuration.rules
    if given.timeZone != nil { kept = kept.withZone }
    // Those are told at the next start.
    let untold = given.untold(since: TakenRules(ofState: configuration.stateFile).read(), known: kept)
    let now = untold.laid(over: kept)
    for name in RuleKeys.file where now.only([name]) != given.sorted.only([name]) {
      let value = now.value(of: name)
      guard let place = rows.firstIndex(where: { $0.path == [name] }) else {
        rows.append(ConfigurationRow(path: [name], value: value, origin: .state))
        continue
      }
      rows[place].value = value
      // An alarm on a date is off once it has rung, without a request.
      if now.withDatesOn.only([name]) != given.sorted.withDatesOn.only([name]) { rows[place].origin = .state }
    }
  }
}

extension RuleTables {
  /// The same, each table by its numbers.
  fileprivate var sorted: RuleTables {
    var result = self
    result.fences.sort { $0.outline.number < $1.outline.number }
    result.places.sort { $0.number < $1.number }
    result.alarms.sort { $0.number < $1.number }
    return result
  }

  /// The same with all alarms on dates switched on.
  fileprivate var withDatesOn: RuleTables {
    var result = self
    for place in result.alarms.indices where result.alarms[place].isOnDate { result.alarms[place].isEnabled = true }
    return result
  }

  /// These in place of those with the same numbers, by their numbers.
  fileprivate func laid(over other: RuleTables) -> RuleTables {
    var result = self
    result.timeZone = timeZone ?? other.timeZone
    result.fences += other.fences.filter { kept in !fences.contains { $0.outline.number == kept.outline.number } }
    result.places += other.places.filter { kept in !places.contains { $0.number == kept.number } }
    result.alarms += other.alarms.filter { kept in !alarms.contains { $0.number == kept.number } }
    return result.sorted
  }

  /// A table, or the zone, as a value of a configuration; nil when there is no zone.
  fileprivate func value(of name: String) -> ConfigurationValue? {
    switch name {
    case "fences": .rules(list(.fence))
    case "places": .rules(list(.place))
    case "alarms": .rules(list(.alarm))
    default: timeZone.map { .text($0) }
    }
  }
}

extension AlarmRule {
  fileprivate var isOnDate: Bool {
    guard case .time(let schedule) = trigger, case .date = schedule.days else { return false }
    return true
  }
}
