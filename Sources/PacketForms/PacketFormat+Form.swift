public import ASCIIText
import InlineStorage
import OwnTracks
import Quantities
public import Telemetry
import Traccar

/// The forms by the words of configurations. Who names this module has all of them; a firmware with one form names that alone.
extension PacketFormat: PacketForm {
  /// Writes one of the messages of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    switch self {
    case .json: return JSONForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .minimal: return MinimalForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .text: return TextForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .ownTracks: return OwnTracksForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .ownTracksCompact: return OwnTracksCompactForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .osmAnd: return OsmAndForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    case .traccar: return TraccarForm().encode(packet, part: part, trackerID: trackerID, into: &sink)
    }
  }

  /// Writes one of the messages of a packet, with what an answer is about where the form has it.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    guard self == .ownTracks else { return encode(packet, part: part, trackerID: trackerID, into: &sink) }
    return OwnTracksForm().encode(packet, part: part, trackerID: trackerID, of: source, into: &sink)
  }

  /// What the form asks of a transport.
  public var needs: FormNeeds {
    switch self {
    case .json, .minimal, .text: return JSONForm().needs
    case .ownTracks: return OwnTracksForm().needs
    case .ownTracksCompact: return OwnTracksCompactForm().needs
    case .osmAnd: return OsmAndForm().needs
    case .traccar: return TraccarForm().needs
    }
  }

  /// Takes the next request out of what a server sent or answered.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    switch self {
    case .json, .minimal, .text, .osmAnd: return JSONForm().nextRequest(in: bytes, at: &place, into: &sink)
    case .traccar: return TraccarForm().nextRequest(in: bytes, at: &place, into: &sink)
    case .ownTracks: return OwnTracksForm().nextRequest(in: bytes, at: &place, into: &sink)
    case .ownTracksCompact: return OwnTracksCompactForm().nextRequest(in: bytes, at: &place, into: &sink)
    }
  }
}
