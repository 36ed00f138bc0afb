public import ASCIIText
import Quantities
public import Telemetry

/// OwnTracks' compact form, ten fields with commas between, which its recorder takes in the place of JSON.
///
/// `tid,tst,t,lat,lon,cog,vel,alt,dist,trip`: time hexadecimal, place in 1e-6 degree, course and height in tens, speed in km/h. What is
/// unknown of course, speed and height stands as 0, as the form has no other word. It carries no packet without a position or a time. The
/// distance since the last packet is not known to a packet and stands as 0; `trip` is the odometer in km.
///
/// - Source: OwnTracks recorder, "CSV" (section 5 of the wire facts that the tests hold).
@frozen public struct OwnTracksCompactForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// The same as of the whole form, but for requests and topics: there is one sort of message.
  public var needs: FormNeeds { [.retain, .will, .answers, .blindAnswers] }

  /// Writes the only message of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    guard part == 0, let position = packet.timedPosition, let time = packet.epochSeconds else { return nil }
    let odometer = Int64(packet.distanceMetres) / 1000
    let trigger = PacketMeaning(packet)?.words.ownTracks ?? 0x6B
    sink.write { writer in
      position.encodeCompact(trackerID: trackerID, time, trigger, odometer, into: &writer)
    }
    return MessageHead()
  }

  /// The requests among what a server says, as in the whole form; what is answered by another message than a location is none.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    OwnTracksCommands.next(in: bytes, at: &place, hasAnswers: false, into: &sink)
  }
}

extension PacketPosition {
  fileprivate func encodeCompact(
    trackerID: Span<UInt8>, _ seconds: Int64, _ trigger: UInt8, _ odometer: Int64, into sink: inout TextWriter
  ) {
    appendName(OwnTracksMessages.shortName(of: trackerID), to: &sink)
    sink.append(0x2C)
    sink.append(hexadecimal: UInt64(seconds))
    sink.append(0x2C)
    sink.append(trigger)
    append(rounded(Int64(latitudeE7), 10), to: &sink)
    append(rounded(Int64(longitudeE7), 10), to: &sink)
    append(courseCentidegrees.map { rounded(Int64($0), 1000) % 36 } ?? 0, to: &sink)
    append(speedKilometresPerHour ?? 0, to: &sink)
    append(altitudeDecimetres.map { rounded(Int64($0), 100) } ?? 0, to: &sink)
    sink.append(",0")
    append(odometer, to: &sink)
  }

  /// Without what would end a field.
  private func appendName(_ name: Span<UInt8>, to sink: inout TextWriter) {
    var place = 0
    while place < name.count {
      sink.append(name[place] == 0x2C || name[place] < 0x20 ? 0x5F : name[place])
      place += 1
    }
  }

  private func append(_ value: Int64, to sink: inout TextWriter) {
    sink.append(0x2C)
    sink.append(decimal: value)
  }

  private func rounded(_ value: Int64, _ divisor: Int64) -> Int64 {
    (value < 0 ? value - divisor / 2 : value + divisor / 2) / divisor
  }
}
