public import ASCIIText
import InlineStorage
import MotionDetection
import Quantities
import Rules
import Telemetry

extension TrackerEvent {
  /// Writes the event as one JSON object, without a line end.
  ///
  /// Instants are written as `uptime` seconds of the monotonic clock; `utc` goes beside the event's own time when known.
  public func encodeJSON(into sink: inout some ByteSink) {
    sink.append("{\"type\":\"event\",\"event\":\"")
    sink.append(name)
    sink.append(0x22)
    if let utc {
      sink.append(",\"utc\":\"")
      sink.append(iso8601: utc)
      sink.append(0x22)
    }
    append("uptime", time, to: &sink)
    appendDetails(to: &sink)
    sink.append(0x7D)
  }

  /// The event's name in JSON.
  public var name: StaticString {
    switch kind {
    case .movedInPlace: return "movedInPlace"
    case .fixAcquired: return "fixAcquired"
    case .fixLost: return "fixLost"
    case .dismissed: return "dismissed"
    case .liveTracking: return "liveTracking"
    case .packetRefused: return "packetRefused"
    case .settingChanged: return "settingChanged"
    case .request: return "request"
    case .requestRefused: return "requestRefused"
    case .presence: return "presence"
    case .pending: return "pending"
    case .withdrawn: return "withdrawn"
    case .outside: return "outside"
    case .outsideEnded: return "outsideEnded"
    case .transition(_, let isEntry, _): return isEntry ? "arrived" : "left"
    case .ruleChanged: return "ruleChanged"
    case .alarm(_, let kind):
      switch kind {
      case .rang: return "alarmRang"
      case .missed: return "alarmMissed"
      }
    case .powerLost: return "powerLost"
    case .powerRestored: return "powerRestored"
    case .batteryLow: return "batteryLow"
    case .odometerChanged: return "odometerChanged"
    case .driving(let kind, _, _):
      switch kind {
      case .overspeed: return "overspeed"
      case .hardAcceleration: return "hardAcceleration"
      case .hardBraking: return "hardBraking"
      case .hardCornering: return "hardCornering"
      }
    case .restored: return "restored"
    case .stateDamaged: return "stateDamaged"
    case .motion(let event):
      switch event {
      case .rideStarted: return "rideStarted"
      case .standing: return "standing"
      case .resumed: return "resumed"
      case .travelledUnseen: return "travelledUnseen"
      case .parked: return "parked"
      case .armed: return "armed"
      case .disarmed: return "disarmed"
      case .suspicious: return "suspicious"
      case .calmed: return "calmed"
      case .movement: return "movement"
      case .quiet: return "quiet"
      case .stolen: return "stolen"
      }
    }
  }

  private func appendDetails(to sink: inout some ByteSink) {
    switch kind {
    case .movedInPlace(let evidence): append(evidence, to: &sink)
    case .fixAcquired(let after): append("after", after, to: &sink)
    case .fixLost(let since): append("since", since, to: &sink)
    case .dismissed(let alert), .pending(let alert), .withdrawn(let alert):
      sink.append(",\"alert\":")
      sink.append(decimal: Int64(alert))
    case .liveTracking(let until): append("until", until, to: &sink)
    case .restored(let packets, let phase):
      sink.append(",\"packets\":")
      sink.append(decimal: Int64(packets))
      sink.append(",\"phase\":\"")
      sink.append(phase.name)
      sink.append(0x22)
    case .stateDamaged(let losses): append(losses, to: &sink)
    case .settingChanged(let setting, let value):
      var configuration = TrackerConfiguration()
      var editor = SettingEditor(telling: setting, value)
      configuration.visitSettings(&editor)
      sink.append(",\"setting\":\"")
      sink.append(editor.entry?.name ?? "unknown")
      sink.append("\",\"value\":\"")
      sink.append(bytes: editor.text.span)
      sink.append(0x22)
    case .request(let kind, let channel, let number):
      sink.append(",\"request\":\"")
      sink.append(RequestKind(rawValue: kind)?.word ?? "unknown")
      sink.append("\",\"channel\":")
      sink.append(decimal: Int64(channel))
      if number > 0 {
        sink.append(",\"number\":")
        sink.append(decimal: Int64(number))
      }
    case .requestRefused(let reason, let channel, let times):
      sink.append(",\"reason\":\"")
      sink.append(RequestRefusal(rawValue: reason)?.word ?? "unknown")
      sink.append("\",\"channel\":")
      sink.append(decimal: Int64(channel))
      if times > 1 {
        sink.append(",\"times\":")
        sink.append(decimal: Int64(times))
      }
    case .presence(let isNear, let token):
      sink.append(",\"near\":")
      sink.append(isNear ? "true" : "false")
      if token > 0 {
        sink.append(",\"token\":")
        sink.append(decimal: Int64(token))
      }
    case .outside(let alert, let fence, let repetition):
      append("alert", alert, to: &sink)
      append("fence", UInt32(fence), to: &sink)
      if repetition > 0 { append("repetition", UInt32(repetition), to: &sink) }
    case .outsideEnded(let alert, let reason):
      append("alert", alert, to: &sink)
      sink.append(",\"reason\":\"")
      switch reason {
      case .entered: sink.append("entered")
      case .found: sink.append("found")
      case .removed: sink.append("removed")
      }
      sink.append(0x22)
    case .transition(let fence, _, let since):
      append("fence", UInt32(fence), to: &sink)
      append("since", since, to: &sink)
    case .ruleChanged(let table, let number):
      sink.append(",\"table\":\"")
      sink.append(PacketRule.Table(rawValue: table)?.name ?? "unknown")
      sink.append(0x22)
      append("number", UInt32(number), to: &sink)
    case .alarm(let number, let kind):
      append("number", UInt32(number), to: &sink)
      if case .rang(let seconds) = kind { append("sound", UInt32(seconds), to: &sink) }
    case .packetRefused(let kind):
      sink.append(",\"packet\":\"")
      sink.append(PacketKind(rawValue: kind)?.name ?? "unknown")
      sink.append(0x22)
    case .powerLost, .powerRestored: break
    case .batteryLow(let charge): append("charge", UInt32(charge), to: &sink)
    case .odometerChanged(let before, let after):
      sink.append(",\"before\":")
      sink.append(decimal: before)
      sink.append(",\"after\":")
      sink.append(decimal: after)
    case .driving(_, let value, let since):
      append("value", value, decimals: 1, to: &sink)
      append("since", since, to: &sink)
    case .motion(let event): append(event, to: &sink)
    }
  }

  private func append(_ losses: StateLosses, to sink: inout some ByteSink) {
    sink.append(",\"sections\":[")
    var isFirst = true
    var told: UInt8 = 0
    for tag in StateSections.tags where losses.sections.contains(StateSections(tag: tag)) {
      // Of a table once.
      if tag >= StateSections.rowTag, told >= StateSections.rowTag, told / 8 == tag / 8 { continue }
      sink.append(isFirst ? "\"" : ",\"")
      sink.append(StateSections.name(ofTag: tag) ?? "unknown")
      sink.append(0x22)
      isFirst = false
      told = tag
    }
    sink.append("],\"packets\":")
    sink.append(decimal: Int64(losses.packets))
    sink.append(",\"alerts\":")
    sink.append(decimal: Int64(losses.alerts))
    sink.append(",\"setBack\":")
    sink.append(losses.isSetBack ? "true" : "false")
    sink.append(",\"damaged\":")
    sink.append(losses.isDamaged ? "true" : "false")
  }

  private func append(_ event: MotionEvent, to sink: inout some ByteSink) {
    switch event {
    case .rideStarted(let onset): append("onset", onset, to: &sink)
    case .standing(let since, let cause):
      append("since", since, to: &sink)
      sink.append(",\"cause\":\"")
      sink.append(cause == .observed ? "observed" : "silence")
      sink.append(0x22)
    case .resumed(let onset, let since):
      append("onset", onset, to: &sink)
      append("since", since, to: &sink)
    case .travelledUnseen(let since, let distance):
      append("since", since, to: &sink)
      append("distance", distance, decimals: 0, to: &sink)
    case .parked(let lastMotion, let start, let end):
      append("lastMotion", lastMotion, to: &sink)
      if let start { append("rideStart", start, to: &sink) }
      if let end { append("rideEnd", end, to: &sink) }
    case .armed, .disarmed, .calmed: break
    case .suspicious(let evidence), .movement(let evidence): append(evidence, to: &sink)
    case .stolen(let since): append("since", since, to: &sink)
    case .quiet(let lastMotion, let displacement):
      append("lastMotion", lastMotion, to: &sink)
      if let displacement { append("displacement", displacement, decimals: 1, to: &sink) }
    }
  }

  private func append(_ evidence: MovementEvidence, to sink: inout some ByteSink) {
    sink.append(",\"detector\":\"")
    sink.append(evidence.detector.name)
    sink.append(0x22)
    append("ratio", evidence.ratio, decimals: 2, to: &sink)
    append("onset", evidence.onset, to: &sink)
    append("duration", evidence.duration, to: &sink)
    var place = 0
    while let measure = evidence.measure(at: place) {
      if let value = measure.value { append(measure.name, value, decimals: 1, to: &sink) }
      place += 1
    }
  }

  private func append(_ key: StaticString, _ number: UInt32, to sink: inout some ByteSink) {
    appendKey(key, to: &sink)
    sink.append(decimal: UInt64(number))
  }

  private func append(_ key: StaticString, _ instant: Instant, to sink: inout some ByteSink) {
    append(key, instant - Instant.zero, to: &sink)
  }

  private func append(_ key: StaticString, _ interval: Interval, to sink: inout some ByteSink) {
    appendKey(key, to: &sink)
    sink.append(fixed: interval.microseconds / 1000, decimals: 3)
  }

  private func append(_ key: StaticString, _ value: Float, decimals: Int, to sink: inout some ByteSink) {
    appendKey(key, to: &sink)
    sink.append(json: value, decimals: decimals)
  }

  private func appendKey(_ key: StaticString, to sink: inout some ByteSink) {
    sink.append(",\"")
    sink.append(key)
    sink.append("\":")
  }
}
