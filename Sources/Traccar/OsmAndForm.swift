public import ASCIIText
import InlineStorage
import Quantities
public import Telemetry

/// The fields of a form, `id=…&timestamp=…`, as OsmAnd and the clients of Traccar send them.
///
/// The body of a POST of the type `application/x-www-form-urlencoded`; Traccar takes it on its port 5055, Home Assistant as a webhook of its
/// integration for Traccar. Speed is in knots. A packet without a position is kept by Traccar at the last known place. What is no field of
/// OsmAnd's becomes an attribute of the position there: `event`, `sequence`, `boot`, `armed`, `motion`, `odometer` (m), `alert`, `detector`,
/// `reason`. The answer to a packet is the text of one *custom* command that was queued, which is taken as a request.
///
/// `timestamp` is `Packet.toldTime`: of the position, and of a packet whose position is old that of the packet with `fixAge` beside it, as
/// Traccar notifies nobody of what is a quarter of an hour old.
///
/// - Source: OsmAnd's online tracking and Traccar's decoder of it.
@frozen public struct OsmAndForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Requests in answers.
  public var needs: FormNeeds { .answers }

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0 else { return nil }
    packet.writeOsmAnd(trackerID: trackerID, into: &sink)
    return MessageHead()
  }
}

extension Packet {
  func writeOsmAnd(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { encodeOsmAnd(trackerID: trackerID, into: &$0) }
  }

  func encodeOsmAnd(trackerID: Span<UInt8>, into sink: inout TextWriter) {
    sink.append("id=")
    Packet.append(formText: trackerID, to: &sink)
    if let time = toldTime.map({ $0.microseconds / 1000 }), time >= 0 {
      // Beyond 2^31 the server takes the number for milliseconds, before it for seconds.
      sink.append("&timestamp=")
      sink.append(decimal: time > 2_147_483_647 ? time : time / 1000)
    }
    if let position = timedPosition {
      sink.append("&lat=")
      sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
      sink.append("&lon=")
      sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
      append("&speed=", position.speedMilliknots, decimals: 3, to: &sink)
      append("&bearing=", position.courseCentidegrees.map { Int64($0) }, decimals: 2, to: &sink)
      append("&altitude=", position.altitudeDecimetres.map { Int64($0) }, decimals: 1, to: &sink)
      append("&accuracy=", position.accuracyDecimetres.map { Int64($0) }, decimals: 1, to: &sink)
      if isTimedWhenMade { append("&fixAge=", fixAge.microseconds / 100_000, decimals: 1, to: &sink) }
    }
    if let alarm = PacketMeaning(self)?.words.traccar {
      sink.append("&alarm=")
      sink.append(alarm)
    }
    encodeFields(OsmAndFields(), into: &sink)
    if let cell {
      append("&cell=", Int64(cell.country), decimals: 0, to: &sink)
      append(",", Int64(cell.network), decimals: 0, to: &sink)
      append(",", Int64(cell.area), decimals: 0, to: &sink)
      append(",", Int64(cell.cell), decimals: 0, to: &sink)
      append(",", readings[.signal], decimals: 0, to: &sink)
    }
    append("&odometer=", Int64(distanceMetres), decimals: 0, to: &sink)
    sink.append("&armed=")
    sink.append(flag: isArmed)
    sink.append("&event=")
    sink.append(kind.name)
    append("&sequence=", Int64(sequence), decimals: 0, to: &sink)
    if boot != 0 { append("&boot=", Int64(boot), decimals: 0, to: &sink) }
    if let alert {
      append("&alert=", Int64(alert.id), decimals: 0, to: &sink)
      sink.append("&detector=")
      sink.append(alert.evidence.detector.name)
      // Traccar drops an alarm equal to the one of the position before; a repetition has another number.
      if alert.repetition > 0 { append("&repetition=", Int64(alert.repetition), decimals: 0, to: &sink) }
    }
    if let rule {
      sink.append("&")
      // `alarm` says what happened, by Traccar's names.
      sink.append(rule.table == .alarm ? "alarmLabel" : rule.table.name)
      sink.append("=")
      Packet.append(formText: rule.name.text.span, to: &sink)
    }
    if let status {
      sink.append("&alertsEnabled=")
      sink.append(flag: status.alertsEnabled)
      sink.append("&reason=")
      sink.append(status.reason.name)
      if status.request != 0 { append("&request=", Int64(status.request), decimals: 0, to: &sink) }
      if let value {
        sink.append("&value=")
        Packet.append(formText: value.text.span, to: &sink)
      }
    }
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  private func append(_ key: StaticString, _ value: Int64?, decimals: Int, to sink: inout TextWriter) {
    guard let value else { return }
    sink.append(key)
    sink.append(fixed: value, decimals: decimals)
  }

  /// Writes text as a form has it: letters, digits and `-._*` as they are, a blank as `+`, every other byte as `%` and two digits.
  ///
  /// - Source: the URL standard, section 5.2, the serializer of `application/x-www-form-urlencoded`.
  private static func append(formText text: Span<UInt8>, to sink: inout TextWriter) {
    var place = 0
    while place < text.count {
      let byte = text[place]
      if TextWriter.has(byte, 0x03FF_6400_0000_0000, 0x07FF_FFFE_87FF_FFFE) {
        sink.append(byte)
      } else if byte == 0x20 {
        sink.append(0x2B)
      } else {
        sink.append(0x25)
        sink.append(hexadecimal: byte)
      }
      place += 1
    }
  }
}

/// The fields that OsmAnd's form has names for.
private struct OsmAndFields: FieldWriting {
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  func write(_ field: PacketField, of packet: borrowing Packet, into sink: inout TextWriter) {
    // A parameter without a value would be an empty attribute there.
    guard let name = field.osmAndName, let value = field.value(in: packet) else { return }
    if case .list(0) = value { return }
    packet.encode(parameter: name, value, into: &sink)
  }
}
