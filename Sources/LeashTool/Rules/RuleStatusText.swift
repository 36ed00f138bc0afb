import LinuxRuntime

/// Fences, secure places and alarms of a running tracker as lines for people.
struct RuleStatusText {
  private let rules: BoardStatus.RulesStatus
  private let say: (_ title: String, _ text: String) -> Void
  private let console: Console

  init(_ rules: BoardStatus.RulesStatus, say: @escaping (String, String) -> Void, _ console: Console) {
    self.rules = rules
    self.say = say
    self.console = console
  }

  /// All of it.
  func write() {
    for (place, fence) in rules.fences.enumerated() { say(place == 0 ? "Fences" : "", text(of: fence)) }
    if let alert = rules.openAlert {
      say("", console.styled("outside: alert \(alert), repeated until it is back or 'found'", .red))
    } else if rules.state == "suppressed" {
      say("", "found outside; no alerts until it is back")
    }
    for (place, secure) in rules.places.enumerated() {
      var text = "\(secure.number) \(secure.name), \(TimeText.decimal(secure.radiusMetres, 0)) m about "
      text += "\(TimeText.decimal(secure.latitudeDegrees, 5)) \(TimeText.decimal(secure.longitudeDegrees, 5))"
      say(place == 0 ? "Secure places" : "", text + (secure.isHere ? ", parked here" : ""))
    }
    if let question = rules.placeQuestion {
      say("Secure here?", "'leash tell secure \(question)' or 'leash tell temporary \(question)'")
    }
    for (place, alarm) in rules.alarms.enumerated() { say(place == 0 ? "Alarms" : "", text(of: alarm)) }
    if !rules.alarms.isEmpty { say("Time zone", rules.timeZone ?? "UTC; 'leash tell zone TIMEZONE' sets another") }
    for (place, problem) in rules.problems.enumerated() {
      say(place == 0 ? "Refused" : "", console.styled(problem, .yellow))
    }
  }

  private func text(of fence: BoardStatus.FenceStatus) -> String {
    var text = "\(fence.number) \(fence.name), \(fence.shape)"
    if let width = fence.widthMetres { text += " of \(TimeText.decimal(width, width < 10 ? 1 : 0)) m" }
    // To be in one of those that must not be left is enough.
    let active = rules.fences.filter(\.isActive)
    let duty = active.count > 1 ? "one of \(active.count) to stay in" : "must not be left"
    text += ", \(fence.isActive ? duty : "off")"
    let isOut = fence.isActive && active.allSatisfy { $0.presence == "outside" }
    let style: Console.Style = fence.presence == "inside" ? .green : isOut ? .red : .dim
    return text + ": " + console.styled(fence.presence == "unknown" ? "not known yet" : fence.presence, style)
  }

  private func text(of alarm: BoardStatus.AlarmRuleStatus) -> String {
    var text = "\(alarm.number) \(alarm.label), \(alarm.rule)"
    if let next = alarm.next {
      text += ": " + console.styled("\(alarm.isSnoozed ? "snoozed until" : "next") \(next)", .bold)
    }
    return text
  }
}
