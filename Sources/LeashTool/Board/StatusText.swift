import LinuxRuntime
import Telemetry

/// The status of a running tracker as lines for people.
struct StatusText {
  private let status: BoardStatus
  private let console: Console

  init(_ status: BoardStatus, _ console: Console) {
    self.status = status
    self.console = console
  }

  /// One line: what matters now.
  static func line(_ status: BoardStatus) -> String {
    var parts = [status.phase + (status.isArmed ? ", armed" : status.alertsEnabled ? "" : ", alerts off")]
    if let position = status.position {
      parts.append(
        "\(degrees(position.latitudeDegrees)) \(degrees(position.longitudeDegrees))"
          // A fresh one needs no words: the line has to fit 80 columns.
          + (position.isStale
            ? " stale, \(age(position.ageSeconds))" : position.ageSeconds > 5 ? " \(age(position.ageSeconds))" : ""))
    } else {
      parts.append("no position yet")
    }
    parts.append("outbox \(status.outbox.waiting.count)")
    for uplink in status.uplinks { parts.append("\(firstWord(uplink.name)) \(uplink.state)") }
    for sensor in status.sensors {
      let rate = sensor.hertz.map { "\(TimeText.decimal($0, 0)) Hz" }
      parts.append("\(firstWord(sensor.name)) \(sensor.state == "running" ? rate ?? "…" : sensor.state)")
    }
    return parts.joined(separator: " · ")
  }

  private static func firstWord(_ text: String) -> String { text.split(separator: " ").first.map(String.init) ?? text }

  private static func degrees(_ value: Double) -> String { TimeText.decimal(value, 5) }

  private static func age(_ seconds: Double) -> String {
    seconds < 100 ? "\(TimeText.decimal(seconds, 0)) s ago" : "\(TimeText.decimal(seconds / 60, 0)) min ago"
  }

  /// All of it.
  func write() {
    heading()
    if let rules = status.rules { RuleStatusText(rules, say: say, console).write() }
    requests()
    devices("Sensors", status.sensors)
    devices("Uplinks", status.uplinks)
    if status.uplinks.isEmpty { say("Uplinks", "none; packets stay in the outbox") }
    outbox()
    storage()
    if !status.counters.isEmpty {
      say("Rejected", status.counters.map { "\(StatusText.spaced($0.name)) \($0.value)" }.joined(separator: ", "))
    }
    let process = status.process
    let share = process.uptimeSeconds > 0 ? process.cpuSeconds / process.uptimeSeconds * 100 : 0
    say(
      "Process",
      "\(process.id), up \(length(process.uptimeSeconds)), \(TimeText.decimal(share, 1)) % of a core, "
        + "\(TimeText.decimal(Double(process.residentKibibytes) / 1024, 1)) MiB")
  }

  /// `requests refused` for `requestsRefused`.
  static func spaced(_ name: String) -> String {
    name.reduce(into: "") { words, letter in
      if letter.isUppercase { words += " " }
      words += letter.lowercased()
    }
  }

  private func heading() {
    let off = status.isDisabled == true ? "disabled" : "alerts are off"
    let armed = status.isArmed ? "armed" : status.alertsEnabled ? "not armed" : off
    let style: Console.Style =
      status.phase == "alarmed" || status.phase == "stolen" ? .red : status.isArmed ? .green : .bold
    say("Tracker", "\(status.trackerID), \(console.styled("\(status.phase), \(armed)", style))")
    if let profile = status.profile { say("Profile", StatusText.words(profile)) }
    if let activity = status.activity { say("Activity", StatusText.words(activity)) }
    if let gear = status.gear { say("Gear", StatusText.words(gear)) }
    if status.owner == "none" { say("Owner", "none; 'leash identity' shows the claim secret") }
    if let utc = status.utc { say("Time", utc) } else { say("Time", "not known yet") }
    if let position = status.position {
      var text = "\(TimeText.decimal(position.latitudeDegrees, 7)) \(TimeText.decimal(position.longitudeDegrees, 7))"
      if let accuracy = position.accuracyMetres { text += " ± \(TimeText.decimal(accuracy, 1)) m" }
      if let speed = position.speedMetresPerSecond { text += ", \(TimeText.decimal(speed * 3.6, 1)) km/h" }
      text += ", \(StatusText.age(position.ageSeconds))" + (position.isStale ? " (stale)" : "")
      say("Position", text)
    } else {
      say("Position", "none yet")
    }
    say("Odometer", StatusText.odometer(status))
    var movement = "\(TimeText.decimal(status.movementEvidence, 2)) × threshold"
    if let tilt = status.tiltSinceParkingDegrees { movement += ", tilted \(TimeText.decimal(tilt, 1))° since parking" }
    say("Movement", movement)
    if let parked = status.parkedSeconds { say("Parked for", length(parked)) }
    say(
      status.alert?.outcome == "notice" ? "Last notice" : "Last alert",
      status.alert.map(alert) ?? (status.lastAlert > 0 ? "\(status.lastAlert), before the last start" : "none yet"))
    if let live = status.liveSeconds { say("Live for", "\(length(live)) more") }
  }

  /// `57.80 km, corrected 2025-03-01T08:15:00Z from 57.21 km to 57.80 km; last ride 3.12 km`
  static func odometer(_ status: BoardStatus) -> String {
    var text = TimeText.distance(status.odometerMetres)
    if let odometer = status.odometer, let change = odometer.change {
      text += ", \(odometer.source)" + (change.time.map { " \($0)" } ?? "")
      text += " from \(TimeText.distance(change.beforeMetres)) to \(TimeText.distance(change.afterMetres))"
    }
    return "\(text); last ride \(TimeText.distance(status.lastRideMetres))"
  }

  /// `Rex, dog, 5 years, 12.5 kg, brown; shy of trams`
  private static func words(_ profile: BoardStatus.ProfileStatus) -> String {
    var words = [profile.name, profile.kind]
    if let age = profile.ageYears {
      words.append(age == 1 ? "1 year" : "\(age) years")
    } else if let birthday = profile.birthday {
      words.append("born \(birthday)")
    }
    if let weight = profile.weightKilograms { words.append("\(TimeText.decimal(weight, 1)) kg") }
    if let colour = profile.colour { words.append(colour) }
    return words.joined(separator: ", ") + (profile.note.map { "; \($0)" } ?? "")
  }

  /// `8214 steps, 95 min active, 310 min at rest today; usually 120 min active`
  static func words(_ activity: BoardStatus.ActivityStatus) -> String {
    let today =
      "\(activity.steps) steps, \(activity.activeMinutes) min active, \(activity.restMinutes) min at rest today"
    if let usual = activity.usualMinutes { return "\(today); usually \(usual) min active" }
    let days = activity.knownDays == 1 ? "1 day" : "\(activity.knownDays) days"
    return "\(today); its habit is not known yet, of \(days)"
  }

  /// `road bike, 4000.00 km; due: chain, road bike`
  private static func words(_ gear: BoardStatus.GearSummary) -> String {
    let present = gear.present.map { name in
      name + (gear.distanceMetres.map { ", \(TimeText.distance($0))" } ?? "")
    }
    return (present ?? "none present") + (gear.due.isEmpty ? "" : "; due: \(gear.due.joined(separator: "; "))")
  }

  private func devices(_ title: String, _ devices: [BoardStatus.Device]) {
    for (place, device) in devices.enumerated() {
      let style: Console.Style =
        device.state == "failed" ? .red : device.state == "running" || device.state == "open" ? .green : .yellow
      var text = "\(device.name): \(console.styled(device.state, style))"
      if let hertz = device.hertz { text += ", \(TimeText.decimal(hertz, 1)) a second" }
      if let age = device.lastInputSeconds, device.state == "running" { text += ", last \(StatusText.age(age))" }
      text += StatusText.trouble(of: device)
      say(place == 0 ? title : "", text)
      if !device.facts.isEmpty {
        say("", "  " + device.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", "))
      }
    }
  }

  /// Why a device failed and when it is tried again, behind its name and state; empty when it did not fail.
  static func trouble(of device: BoardStatus.Device) -> String {
    var text = ""
    if let reason = device.reason {
      // Most reasons begin with the place, which the name has already.
      let place = reason.range(of: ": ").map { String(reason[..<$0.lowerBound]) }
      let isNamed = place.map { device.name == $0 || device.name.hasSuffix(" " + $0) } ?? false
      text += ": " + (isNamed ? String(reason.dropFirst((place?.count ?? 0) + 2)) : reason)
    }
    if let retry = device.retryInSeconds { text += "; next attempt in \(TimeText.decimal(retry, 0)) s" }
    return text
  }

  /// How many of the places of the outbox are taken: `2 of 32 packets waiting`.
  static func waiting(_ count: Int, of capacity: Int) -> String {
    count == 0 ? "empty" : "\(count) of \(capacity) packets waiting"
  }

  private func requests() {
    for (place, asked) in status.requests.enumerated() {
      let isOwn = ["control socket", "text message", "local page", "configuration"].contains(asked.channel)
      var text = "\(StatusText.age(asked.ageSeconds)) from \(isOwn ? "the " : "")\(asked.channel): "
      if let refused = asked.refused {
        text += console.styled("refused, \(refused)", .yellow)
        if let times = asked.times, times > 1 { text += ", \(times) times" }
      } else {
        text += asked.request ?? "?"
        if let number = asked.number { text += " #\(number)" }
        text +=
          ": \(asked.answer.map { answer in StatusReason(named: answer).map { "\($0.words)" } ?? answer } ?? "accepted")"
      }
      say(place == 0 ? "Requests" : "", text)
    }
  }

  private func alert(_ alert: BoardStatus.AlertStatus) -> String {
    var text = "\(alert.number), \(alert.detector) at \(TimeText.decimal(alert.ratio, 1)) × its threshold"
    text += alert.ageSeconds.map { ", \(StatusText.age($0))" } ?? ", before the last start"
    let isOpen = alert.outcome == "unanswered"
    let isNotice = alert.outcome == "notice"
    text += ": " + (isOpen ? console.styled(alert.outcome, .red) : isNotice ? "movement without alert" : alert.outcome)
    if let ended = alert.outcomeSeconds { text += " \(StatusText.age(ended))" }
    if alert.repetitions > 0 {
      text += ", repeated \(alert.repetitions == 1 ? "once" : "\(alert.repetitions) times")"
    }
    return text
  }

  private func outbox() {
    let outbox = status.outbox
    var text = StatusText.waiting(outbox.waiting.count, of: outbox.capacity)
    text += "; \(TimeText.count(outbox.acknowledged)) delivered, \(TimeText.count(outbox.retries)) sent again"
    if let spooled = outbox.spooled { text += ", \(TimeText.count(spooled)) in the spool" }
    if let thinned = outbox.thinned { text += ", \(TimeText.count(thinned)) thinned out" }
    if outbox.evicted > 0 { text += ", \(outbox.evicted) reports dropped" }
    if outbox.refused > 0 { text += ", \(outbox.refused) refused" }
    say("Outbox", text)
    for packet in outbox.waiting.prefix(8) {
      let tries = packet.attempts == 1 ? "1 try" : "\(packet.attempts) tries"
      say(
        "",
        "  \(packet.sequence) \(packet.kind), \(tries)" + (packet.ageSeconds.map { ", \(StatusText.age($0))" } ?? ""))
    }
    if outbox.waiting.count > 8 { say("", "  and \(outbox.waiting.count - 8) more") }
  }

  private func storage() {
    let store = status.store
    say(
      "State",
      "\(store.path): \(TimeText.count(store.commits)) changes kept, longest "
        + "\(TimeText.decimal(store.longestCommitMilliseconds, 1)) ms"
        + (store.problem.map { "; \(console.styled("not kept now", .red)): \($0)" } ?? ""))
    if let unkept = store.unkept {
      say("", "  \(TimeText.count(unkept)) \(unkept == 1 ? "packet" : "packets") sent before the storage confirmed")
    }
    if let remark = store.remark { say("", "  \(remark)") }
    guard let recording = status.recording else { return }
    let size = TimeText.decimal(Double(recording.bytes) / 1_048_576, 2)
    say(
      "Recording",
      "\(recording.folder)/\(recording.file ?? "-"), \(size) MiB"
        + (recording.lost > 0 ? ", \(recording.lost) records lost" : "")
        + (recording.problem.map { ": \(console.styled($0, .red))" } ?? ""))
  }

  private func say(_ title: String, _ text: String) {
    let padding = String(repeating: " ", count: max(1, 20 - title.count))
    console.out.writeLine(console.styled(title, .bold) + padding + text)
  }

  private func length(_ seconds: Double) -> String {
    TimeText.length(.seconds(Int(min(max(0, seconds), 1e12))))
  }
}
