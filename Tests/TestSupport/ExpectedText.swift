import Glibc
import Quantities
import Telemetry
import TrackerCore

/// What the text of packets and events must be, worked out from docs/packets.md alone.
package enum ExpectedText {
  /// UTC as ISO 8601 with milliseconds, by the C library's calendar.
  package static func utc(_ time: UTCTime) -> String {
    let cut = Int(time.microseconds % 1_000_000)
    let rest = cut < 0 ? cut + 1_000_000 : cut
    let seconds = Int(time.microseconds / 1_000_000) - (cut < 0 ? 1 : 0)
    var clock = seconds
    var parts = tm()
    gmtime_r(&clock, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let year = String(parts.tm_year + 1900)
    let milliseconds = String(1000 + rest / 1000).dropFirst()
    return String(repeating: "0", count: max(0, 4 - year.count)) + year
      + "-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))."
      + "\(milliseconds)Z"
  }

  /// Milliseconds as seconds, cut.
  static func seconds(_ microseconds: Int64) -> PlainJSON { .fixed(microseconds / 1000, 3) }

  /// A number to so many decimals, halves away from zero; `null` for what is none.
  static func rounded(_ value: Float, _ decimals: Int) -> PlainJSON {
    guard value.isFinite else { return .null }
    let scaled = Double(value) * [1, 10, 100][decimals]
    return .fixed(Int64(clamping: scaled.rounded(.toNearestOrAwayFromZero)), decimals)
  }

  /// The members of a packet's full form.
  package static func members(of packet: Packet, trackerID: String) -> [String: PlainJSON] {
    func moment(_ instant: Instant) -> PlainJSON {
      packet.utc.map { .text(utc($0 + (instant - packet.time))) } ?? seconds(instant.microseconds)
    }
    let kinds: [PacketKind: String] = [
      .location: "location", .parking: "parking", .movement: "movement", .ride: "ride", .status: "status",
      .fence: "fence", .transition: "transition",
    ]
    var result: [String: PlainJSON] = [
      "type": .text(kinds[packet.kind] ?? ""), "trackerId": .text(trackerID),
      "sequence": .fixed(Int64(packet.sequence), 0), "uptime": seconds(packet.time.microseconds),
      "phase": .text("\(packet.phase)"), "armed": packet.isArmed ? .yes : .no, "latitude": .null, "longitude": .null,
      "distance": .fixed(Int64(packet.distanceMetres), 0),
    ]
    result["motion"] = [.riding, .alarmed, .stolen].contains(packet.phase) ? .yes : .no
    result["satellites"] = packet.position?.satellites.map { .fixed(Int64($0), 0) }
    for (name, reading, decimals) in [
      ("hdop", PacketReading.dilution, 2), ("signal", .signal, 0), ("temperature", .temperature, 1),
      ("steps", .steps, 0), ("satellitesInView", .satellitesInView, 0),
    ] { result[name] = packet.readings[reading].map { .fixed($0, decimals) } }
    result["fences"] = packet.readings[.fences].map { packed in
      .list((0..<5).map { packed >> (8 * $0) & 0xFF }.filter { $0 != 0 }.map { .fixed($0, 0) })
    }
    if let cell = packet.cell {
      for (name, value) in [
        ("mcc", Int64(cell.country)), ("mnc", Int64(cell.network)), ("area", Int64(cell.area)),
        ("cell", Int64(cell.cell)),
      ] { result[name] = .fixed(value, 0) }
    }
    if let supply = packet.supply {
      result["battery"] = supply.charge.map { .fixed(Int64($0), 0) }
      result["batteryVoltage"] = supply.millivolts.map { .fixed(Int64($0), 3) }
      result["charging"] = supply.isCharging.map { $0 ? .yes : .no }
      result["externalPower"] = supply.isExternal.map { $0 ? .yes : .no }
    }
    if packet.boot != 0 { result["boot"] = .fixed(Int64(packet.boot), 0) }
    if let time = packet.utc { result["utc"] = .text(utc(time)) }
    if let position = packet.position {
      result["latitude"] = .fixed(Int64(position.latitudeE7), 7)
      result["longitude"] = .fixed(Int64(position.longitudeE7), 7)
      result["accuracy"] = position.accuracyDecimetres.map { .fixed(Int64($0), 1) }
      let age = max(0, (packet.time - position.fixTime).microseconds)
      result["fixAge"] = .fixed(age / 100_000, 1)
      result["stale"] = packet.isStale ? .yes : .no
      result["altitude"] = position.altitudeDecimetres.map { .fixed(Int64($0), 1) }
      result["speed"] = position.speedCentimetres.map { .fixed(Int64($0), 2) }
      result["course"] = position.courseCentidegrees.map { .fixed(Int64($0), 2) }
    }
    if let roll = packet.rollDecidegrees, let pitch = packet.pitchDecidegrees {
      result["roll"] = .fixed(Int64(roll), 1)
      result["pitch"] = .fixed(Int64(pitch), 1)
    }
    if let alert = packet.alert {
      var members = evidence(alert.evidence)
      members["id"] = .fixed(Int64(alert.id), 0)
      if alert.repetition > 0 { members["repetition"] = .fixed(Int64(alert.repetition), 0) }
      members["onset"] =
        alert.evidence.onset > MovementEvidence.unknownOnset ? moment(alert.evidence.onset) : nil
      result["alert"] = .object(members)
    }
    if let ride = packet.ride {
      result["movingTime"] = ride.movingSeconds.map { .fixed(Int64($0), 0) }
      result["topSpeed"] = ride.topSpeedCentimetres.map { .fixed(Int64($0), 2) }
      result["climb"] = ride.climbMetres.map { .fixed(Int64($0), 0) }
      if packet.carriedMetres > 0 { result["carried"] = .fixed(Int64(packet.carriedMetres), 0) }
      result["ride"] = .object([
        "distance": .fixed(Int64(ride.distanceMetres), 0), "start": moment(ride.start), "end": moment(ride.end),
        "duration": seconds((ride.end - ride.start).microseconds),
      ])
    }
    if let rule = packet.rule {
      let name = String(decoding: (0..<Int(rule.name.count)).map { rule.name[$0] }, as: UTF8.self)
      var members: [String: PlainJSON] = ["number": .fixed(Int64(rule.number), 0), "name": .text(name)]
      if packet.kind == .transition {
        members["entered"] = rule.isEntry ? .yes : .no
        members["crossed"] = moment(packet.time - rule.crossedAgo)
      }
      result[["fence", "place", "alarm"][Int(rule.table.rawValue)]] = .object(members)
    }
    if packet.isPrivate { result["private"] = .yes }
    if packet.isDisabled { result["disabled"] = .yes }
    if let isNear = packet.isOwnerNear { result["near"] = isNear ? .yes : .no }
    if let value = packet.value, [.activity, .steps].contains(packet.status?.reason) {
      let text = String(decoding: (0..<Int(value.count)).map { value[$0] }, as: UTF8.self)
      let numbers = text.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
      if numbers.count == 3, !numbers.contains(nil), !text.contains("-"), !text.contains("+") {
        for (name, number) in zip(["steps", "activeMinutes", "restMinutes"], numbers) where result[name] == nil {
          result[name] = number.map { .fixed($0, 0) }
        }
      }
    }
    if let status = packet.status {
      let reasons: [StatusReason: String] = [
        .alertsOn: "alertsOn", .alertsOff: "alertsOff", .dismissed: "dismissed", .unknownAlert: "unknownAlert",
        .stateDamaged: "stateDamaged", .settingsChanged: "settingsChanged", .settingsRefused: "settingsRefused",
        .repeated: "repeated", .located: "located", .tracking: "tracking", .pong: "pong", .info: "info",
        .asked: "asked", .setting: "setting", .found: "found", .nothingToFind: "nothingToFind", .armed: "armed",
        .disarmed: "disarmed", .sounding: "sounding", .privacyOn: "privacyOn", .privacyOff: "privacyOff",
        .rebooting: "rebooting", .rebooted: "rebooted", .settingsTakenBack: "settingsTakenBack",
        .enabled: "enabled", .disabled: "disabled", .claimed: "claimed", .unclaimed: "unclaimed",
        .pending: "pending", .withdrawn: "withdrawn", .near: "near", .away: "away",
        .ruleChanged: "ruleChanged", .ruleRefused: "ruleRefused", .rules: "rules", .secured: "secured",
        .temporary: "temporary", .unknownParking: "unknownParking", .movedInPlace: "movedInPlace",
        .returned: "returned", .alarmRang: "alarmRang", .alarmMissed: "alarmMissed", .snoozed: "snoozed",
        .hushed: "hushed", .touched: "touched",
        .profile: "profile", .profileChanged: "profileChanged", .profileRefused: "profileRefused",
        .settings: "settings", .fences: "fences", .steps: "steps", .checkpoint: "checkpoint",
        .trackingOff: "trackingOff", .odometerMeasured: "odometerMeasured",
        .odometerImported: "odometerImported", .odometerCorrected: "odometerCorrected", .trip: "trip",
        .overspeed: "overspeed", .hardAcceleration: "hardAcceleration", .hardBraking: "hardBraking",
        .hardCornering: "hardCornering", .newerAlert: "newerAlert", .settingsFull: "settingsFull",
        .settingsUnconfirmed: "settingsUnconfirmed", .activity: "activity", .quietDay: "quietDay",
        .lastPosition: "lastPosition",
        .gear: "gear", .gearChanged: "gearChanged", .gearRefused: "gearRefused", .gearDue: "gearDue",
        .cameHome: "cameHome", .batteryLow: "batteryLow", .powerLost: "powerLost", .powerRestored: "powerRestored",
      ]
      var members: [String: PlainJSON] = [
        "reason": .text(reasons[status.reason] ?? ""), "alertsEnabled": status.alertsEnabled ? .yes : .no,
      ]
      if status.request != 0 { members["request"] = .fixed(Int64(status.request), 0) }
      if let value = packet.value {
        members["value"] = .text(String(decoding: (0..<Int(value.count)).map { value[$0] }, as: UTF8.self))
      }
      result["status"] = .object(members)
    }
    return result
  }

  private static func evidence(_ evidence: MovementEvidence) -> [String: PlainJSON] {
    var members: [String: PlainJSON] = [
      "detector": .text("\(evidence.detector)"), "ratio": rounded(evidence.ratio, 2),
      "duration": seconds(evidence.duration.microseconds),
    ]
    members["tilt"] = evidence.tilt.map { rounded($0 * (180 / Float.pi), 1) }
    members["displacement"] = evidence.displacement.map { rounded($0, 1) }
    members["turn"] = evidence.turn.map { rounded($0 * (180 / Float.pi), 1) }
    return members
  }

  /// The name and the members of an event that is written as it is declared: its case, and its values under their labels.
  private static func plainly(_ kind: TrackerEvent.Kind) -> (String, [String: PlainJSON]) {
    guard let content = Mirror(reflecting: kind).children.first, let name = content.label else {
      return ("\(kind)", [:])
    }
    let values = Mirror(reflecting: content.value).children
    var members: [String: PlainJSON] = [:]
    for (label, value) in values {
      guard var key = label else { continue }
      if key.hasPrefix("is") { key = key.dropFirst(2).prefix(1).lowercased() + key.dropFirst(3) }
      switch value {
      case let instant as Instant: members[key] = seconds(instant.microseconds)
      case let interval as Interval: members[key] = seconds(interval.microseconds)
      case let flag as Bool: members[key] = flag ? .yes : .no
      case let number as any FixedWidthInteger: members[key] = .fixed(Int64(clamping: number), 0)
      default: members[key] = .null
      }
    }
    return (name, members)
  }

  /// The members of an event's line.
  package static func members(of event: TrackerEvent) -> [String: PlainJSON] {
    var name = ""
    var own: [String: PlainJSON] = [:]
    func at(_ instant: Instant) -> PlainJSON { seconds(instant.microseconds) }
    switch event.kind {
    case .presence(let isNear, let token):
      (name, own) = ("presence", ["near": isNear ? .yes : .no])
      if token > 0 { own["token"] = .fixed(Int64(token), 0) }
    case .outside(let alert, let fence, let repetition):
      (name, own) = ("outside", ["alert": .fixed(Int64(alert), 0), "fence": .fixed(Int64(fence), 0)])
      if repetition > 0 { own["repetition"] = .fixed(Int64(repetition), 0) }
    case .requestRefused(let reason, let channel, let times):
      let word = RequestRefusal(rawValue: reason).map { "\($0.word)" } ?? "unknown"
      (name, own) = ("requestRefused", ["reason": .text(word), "channel": .fixed(Int64(channel), 0)])
      if times > 1 { own["times"] = .fixed(Int64(times), 0) }
    case .outsideEnded(let alert, let reason):
      (name, own) = ("outsideEnded", ["alert": .fixed(Int64(alert), 0), "reason": .text("\(reason)")])
    case .transition(let fence, let isEntry, let since):
      (name, own) = (isEntry ? "arrived" : "left", ["fence": .fixed(Int64(fence), 0), "since": at(since)])
    case .ruleChanged(let table, let number):
      let tables = ["fence", "place", "alarm"]
      name = "ruleChanged"
      own = [
        "table": .text(table < 3 ? tables[Int(table)] : "unknown"), "number": .fixed(Int64(number), 0),
      ]
    case .alarm(let number, .rang(let seconds)):
      (name, own) = ("alarmRang", ["number": .fixed(Int64(number), 0), "sound": .fixed(Int64(seconds), 0)])
    case .alarm(let number, .missed): (name, own) = ("alarmMissed", ["number": .fixed(Int64(number), 0)])
    case .driving(let kind, let value, let since):
      (name, own) = ("\(kind)", ["value": rounded(value, 1), "since": at(since)])
    case .restored(let packets, let phase):
      (name, own) = ("restored", ["packets": .fixed(Int64(packets), 0), "phase": .text("\(phase)")])
    case .stateDamaged(let losses):
      let sections = ["numbering", "alarm", "trip", "motion", "places", "waiting", "mark"]
      let lost = sections.indices.filter { losses.sections.rawValue & (1 << $0) != 0 }.map {
        PlainJSON.text(sections[$0])
      }
      name = "stateDamaged"
      own = [
        "sections": .list(lost), "packets": .fixed(Int64(losses.packets), 0), "alerts": .fixed(Int64(losses.alerts), 0),
        "setBack": losses.isSetBack ? .yes : .no, "damaged": losses.isDamaged ? .yes : .no,
      ]
    case .packetRefused(let kind):
      let names = ["location", "parking", "movement", "ride", "status", "fence", "transition"]
      (name, own) = ("packetRefused", ["packet": .text(kind < 7 ? names[Int(kind)] : "unknown")])
    case .movedInPlace(let evidence):
      (name, own) = ("movedInPlace", ExpectedText.evidence(evidence))
      own["onset"] = at(evidence.onset)
    case .motion(let motion):
      switch motion {
      case .rideStarted(let onset): (name, own) = ("rideStarted", ["onset": at(onset)])
      case .standing(let since, let cause):
        (name, own) = ("standing", ["since": at(since), "cause": .text("\(cause)")])
      case .resumed(let onset, let since): (name, own) = ("resumed", ["onset": at(onset), "since": at(since)])
      case .travelledUnseen(let since, let distance):
        (name, own) = ("travelledUnseen", ["since": at(since), "distance": rounded(distance, 0)])
      case .parked(let last, let start, let end):
        (name, own) = ("parked", ["lastMotion": at(last)])
        own["rideStart"] = start.map(at)
        own["rideEnd"] = end.map(at)
      case .armed: name = "armed"
      case .disarmed: name = "disarmed"
      case .calmed: name = "calmed"
      case .stolen(let since): (name, own) = ("stolen", ["since": at(since)])
      case .suspicious(let evidence), .movement(let evidence):
        if case .suspicious = motion { name = "suspicious" } else { name = "movement" }
        own = ExpectedText.evidence(evidence)
        own["onset"] = at(evidence.onset)
      case .quiet(let last, let displacement):
        (name, own) = ("quiet", ["lastMotion": at(last)])
        own["displacement"] = displacement.map { rounded($0, 1) }
      }
    default: (name, own) = plainly(event.kind)
    }
    own["type"] = .text("event")
    own["event"] = .text(name)
    own["uptime"] = at(event.time)
    if let time = event.utc { own["utc"] = .text(utc(time)) }
    return own
  }
}

extension Int64 {
  /// The nearest number there is.
  init(clamping value: Double) {
    self = value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }
}
