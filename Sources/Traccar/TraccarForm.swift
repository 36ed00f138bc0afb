public import ASCIIText
import Quantities
public import Telemetry

/// The JSON object that Traccar's newer clients send to its port 5055.
///
/// Its `coords` must be whole, so that speed, heading and accuracy that are not known are -1; a height that is not known is 0,
/// as this form has no other word for it. A packet without a position has none and is kept at the last known place. A packet of before
/// the time is known is not carried: the form must have it; it is that of OsmAnd's form. No command comes back on this form.
///
/// - Source: Traccar's decoder of its own client's JSON form.
@frozen public struct TraccarForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0, packet.writeTraccar(trackerID: trackerID, into: &sink) else { return nil }
    return MessageHead()
  }

  /// None.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool { false }
}

extension Packet {
  func writeTraccar(trackerID: Span<UInt8>, into sink: inout some ByteSink) -> Bool {
    sink.write { encodeTraccar(trackerID: trackerID, into: &$0) }
  }

  func encodeTraccar(trackerID: Span<UInt8>, into sink: inout TextWriter) -> Bool {
    guard let time = toldTime else { return false }
    sink.append("{\"device_id\":")
    sink.append(jsonString: trackerID)
    sink.append(",\"location\":{\"timestamp\":\"")
    sink.append(iso8601: time)
    sink.append(0x22)
    if let position = timedPosition {
      sink.append(",\"coords\":{\"latitude\":")
      sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
      sink.append(",\"longitude\":")
      sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
      append(",\"accuracy\":", position.accuracyDecimetres.map { Int64($0) }, decimals: 1, unknown: -1, to: &sink)
      append(",\"speed\":", position.speedCentimetres.map { Int64($0) }, decimals: 2, unknown: -1, to: &sink)
      append(",\"heading\":", position.courseCentidegrees.map { Int64($0) }, decimals: 2, unknown: -1, to: &sink)
      append(",\"altitude\":", position.altitudeDecimetres.map { Int64($0) }, decimals: 1, unknown: 0, to: &sink)
      sink.append(0x7D)
    }
    sink.append(",\"is_moving\":")
    sink.append(flag: isMoving)
    sink.append(",\"odometer\":")
    sink.append(decimal: Int64(distanceMetres))
    if let charge = supply?.charge, let isCharging = supply?.isCharging {
      // A fraction, in steps of a hundredth; both must be there.
      sink.append(",\"battery\":{\"level\":")
      sink.append(fixed: Int64(charge), decimals: 2)
      sink.append(",\"is_charging\":")
      sink.append(flag: isCharging)
      sink.append(0x7D)
    }
    sink.append(",\"event\":\"")
    sink.append(kind.name)
    sink.append(0x22)
    if let alarm = PacketMeaning(self)?.words.traccar {
      sink.append(",\"alarm\":\"")
      sink.append(alarm)
      sink.append(0x22)
    }
    sink.append(",\"extras\":{\"sequence\":")
    sink.append(decimal: Int64(sequence))
    if boot != 0 {
      sink.append(",\"boot\":")
      sink.append(decimal: Int64(boot))
    }
    sink.append(",\"armed\":")
    sink.append(flag: isArmed)
    if isTimedWhenMade {
      sink.append(",\"fixAge\":")
      sink.append(fixed: fixAge.microseconds / 100_000, decimals: 1)
    }
    if let supply, supply.charge == nil || supply.isCharging == nil {
      // One without the other has no place in `battery`.
      if let charge = supply.charge {
        sink.append(",\"batteryLevel\":")
        sink.append(decimal: Int64(charge))
      }
      if let isCharging = supply.isCharging {
        sink.append(isCharging ? ",\"charge\":true" : ",\"charge\":false")
      }
    }
    encodeFields(TraccarFields(), into: &sink)
    encodeAlertMembers(into: &sink)
    // An `alarm` among the extras would be one of Traccar's.
    encodeRuleMember(alarm: "alarmLabel", into: &sink)
    encodeStatusMembers(into: &sink)
    sink.append("}}}")
    return true
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  private func append(
    _ key: StaticString, _ value: Int64?, decimals: Int, unknown: Int64, to sink: inout TextWriter
  ) {
    sink.append(key)
    if let value { sink.append(fixed: value, decimals: decimals) } else { sink.append(decimal: unknown) }
  }
}

/// The fields that stand among Traccar's extras.
private struct TraccarFields: FieldWriting {
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  func write(_ field: PacketField, of packet: borrowing Packet, into sink: inout TextWriter) {
    guard let name = field.traccarName, let value = field.value(in: packet) else { return }
    guard case .list(let numbers) = value else { return packet.encode(member: name, value, into: &sink) }
    // Values within values are dropped there.
    sink.append(",\"", name, "\":\"")
    packet.encode(list: numbers, into: &sink)
    sink.append(0x22)
  }
}
