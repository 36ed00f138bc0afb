public import ASCIIText
import InlineStorage
import Quantities

/// Leash's own JSON object with everything known, `docs/packets.md`.
@frozen public struct JSONForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Requests as messages and in answers.
  public var needs: FormNeeds { .answers }

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0 else { return nil }
    packet.writeJSON(trackerID: trackerID, into: &sink)
    return MessageHead()
  }
}

/// `{"latitude":…,"longitude":…,"trackerId":…}` and nothing else; it carries no packet without a position.
@frozen public struct MinimalForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0, let position = packet.position else { return nil }
    sink.write { position.encodeMinimal(trackerID: trackerID, into: &$0) }
    return MessageHead()
  }
}

/// The text of a text message for a person, on ways that carry any letters: `Packet.encodeText`.
@frozen public struct TextForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0 else { return nil }
    packet.encodeText(trackerID: trackerID, into: &sink)
    return MessageHead()
  }
}

/// One text message for a person, in the alphabet of the network: `Packet.encodeMessage`.
@frozen public struct TextMessageForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0 else { return nil }
    packet.encodeMessage(trackerID: trackerID, into: &sink)
    return MessageHead()
  }
}

extension Packet {
  func writeJSON(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { encodeJSON(trackerID: trackerID, into: &$0) }
  }

  func encodeJSON(trackerID: Span<UInt8>, into sink: inout TextWriter) {
    sink.append("{\"type\":\"")
    sink.append(kind.name)
    sink.append("\",\"trackerId\":")
    sink.append(jsonString: trackerID)
    sink.append(",\"sequence\":")
    sink.append(decimal: Int64(sequence))
    if boot != 0 {
      sink.append(",\"boot\":")
      sink.append(decimal: Int64(boot))
    }
    if let utc {
      sink.append(",\"utc\":\"")
      sink.append(iso8601: utc)
      sink.append(0x22)
    }
    sink.append(",\"uptime\":")
    sink.append(fixed: time.microseconds / 1000, decimals: 3)
    sink.append(",\"phase\":\"")
    sink.append(phase.name)
    sink.append("\",\"armed\":")
    sink.append(flag: isArmed)
    encodePosition(into: &sink)
    if isPrivate { sink.append(",\"private\":true") }
    if isDisabled { sink.append(",\"disabled\":true") }
    sink.append(",\"distance\":")
    sink.append(decimal: Int64(distanceMetres))
    if let rollDecidegrees, let pitchDecidegrees {
      sink.append(",\"roll\":")
      sink.append(fixed: Int64(rollDecidegrees), decimals: 1)
      sink.append(",\"pitch\":")
      sink.append(fixed: Int64(pitchDecidegrees), decimals: 1)
    }
    encodeFields(JSONFields(), into: &sink)
    if let alert { encode(alert, into: &sink) }
    if let ride { encode(ride, into: &sink) }
    if let rule { encode(rule, into: &sink) }
    if let status {
      sink.append(",\"status\":{\"reason\":\"")
      sink.append(status.reason.name)
      sink.append("\",\"alertsEnabled\":")
      sink.append(flag: status.alertsEnabled)
      if status.request != 0 {
        sink.append(",\"request\":")
        sink.append(decimal: Int64(status.request))
      }
      if let value {
        sink.append(",\"value\":")
        sink.append(jsonString: value.text.span)
      }
      sink.append(0x7D)
    }
    sink.append(0x7D)
  }

  private func encodePosition(into sink: inout TextWriter) {
    guard let position else {
      sink.append(",\"latitude\":null,\"longitude\":null")
      return
    }
    sink.append(",\"latitude\":")
    sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
    sink.append(",\"longitude\":")
    sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
    if let accuracy = position.accuracyDecimetres {
      sink.append(",\"accuracy\":")
      sink.append(fixed: Int64(accuracy), decimals: 1)
    }
    sink.append(",\"fixAge\":")
    sink.append(fixed: fixAge.microseconds / 100_000, decimals: 1)
    sink.append(",\"stale\":")
    sink.append(flag: isStale)
    if let altitude = position.altitudeDecimetres {
      sink.append(",\"altitude\":")
      sink.append(fixed: Int64(altitude), decimals: 1)
    }
    if let speed = position.speedCentimetres {
      sink.append(",\"speed\":")
      sink.append(fixed: Int64(speed), decimals: 2)
    }
    if let course = position.courseCentidegrees {
      sink.append(",\"course\":")
      sink.append(fixed: Int64(course), decimals: 2)
    }
  }

  private func encode(_ alert: PacketAlert, into sink: inout TextWriter) {
    let evidence = alert.evidence
    sink.append(",\"alert\":{\"id\":")
    sink.append(decimal: Int64(alert.id))
    if alert.repetition > 0 {
      sink.append(",\"repetition\":")
      sink.append(decimal: Int64(alert.repetition))
    }
    sink.append(",\"detector\":\"")
    sink.append(evidence.detector.name)
    sink.append("\",\"ratio\":")
    sink.append(json: evidence.ratio, decimals: 2)
    if evidence.onset > MovementEvidence.unknownOnset { encode("onset", evidence.onset, into: &sink) }
    sink.append(",\"duration\":")
    sink.append(fixed: evidence.duration.microseconds / 1000, decimals: 3)
    var place = 0
    while let measure = evidence.measure(at: place) {
      if let value = measure.value {
        sink.append(",\"")
        sink.append(measure.name)
        sink.append("\":")
        sink.append(json: value, decimals: 1)
      }
      place += 1
    }
    sink.append(0x7D)
  }

  private func encode(_ rule: PacketRule, into sink: inout TextWriter) {
    sink.append(",\"")
    sink.append(rule.table.name)
    sink.append("\":{\"number\":")
    sink.append(decimal: UInt64(rule.number))
    sink.append(",\"name\":")
    sink.append(jsonString: rule.name.text.span)
    if kind == .transition {
      sink.append(rule.isEntry ? ",\"entered\":true" : ",\"entered\":false")
      encode("crossed", time - rule.crossedAgo, into: &sink)
    }
    sink.append(0x7D)
  }

  private func encode(_ ride: PacketRide, into sink: inout TextWriter) {
    sink.append(",\"ride\":{\"distance\":")
    sink.append(decimal: Int64(ride.distanceMetres))
    encode("start", ride.start, into: &sink)
    encode("end", ride.end, into: &sink)
    sink.append(",\"duration\":")
    sink.append(fixed: (ride.end - ride.start).microseconds / 1000, decimals: 3)
    sink.append(0x7D)
  }

  /// An instant as UTC text, or as seconds since switching on while the time is unknown.
  private func encode(_ key: StaticString, _ instant: Instant, into sink: inout TextWriter) {
    sink.append(",\"")
    sink.append(key)
    sink.append("\":")
    if let utc = utc(of: instant) {
      sink.append(0x22)
      sink.append(iso8601: utc)
      sink.append(0x22)
    } else {
      sink.append(fixed: instant.microseconds / 1000, decimals: 3)
    }
  }
}

extension PacketPosition {
  fileprivate func encodeMinimal(trackerID: Span<UInt8>, into sink: inout TextWriter) {
    sink.append("{\"latitude\":")
    sink.append(fixed: Int64(latitudeE7), decimals: 7)
    sink.append(",\"longitude\":")
    sink.append(fixed: Int64(longitudeE7), decimals: 7)
    sink.append(",\"trackerId\":")
    sink.append(jsonString: trackerID)
    sink.append(0x7D)
  }
}
