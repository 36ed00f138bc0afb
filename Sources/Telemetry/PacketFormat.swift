import Quantities

/// How packets are written for the server: the words of configurations. `PacketForms` has what they mean.
@frozen public enum PacketFormat: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Leash's own JSON object with everything known, `docs/packets.md`.
  case json
  /// `{"latitude":…,"longitude":…,"trackerId":…}` and nothing else.
  case minimal
  /// A line of text for a person; as a text message `Packet.encodeMessage`.
  case text
  /// A `location` of OwnTracks.
  case ownTracks
  /// A form as OsmAnd and the clients of Traccar send it.
  case osmAnd
  /// The JSON object of Traccar's newer clients.
  case traccar
  /// A location of OwnTracks as ten fields with commas between.
  case ownTracksCompact

  /// The name used in configurations.
  public var name: StaticString {
    switch self {
    case .json: return "json"
    case .minimal: return "minimal"
    case .text: return "text"
    case .ownTracks: return "ownTracks"
    case .ownTracksCompact: return "ownTracksCompact"
    case .osmAnd: return "osmAnd"
    case .traccar: return "traccar"
    }
  }

  /// True when a text message has room for it.
  public var fitsTextMessage: Bool { self == .minimal || self == .text || self == .ownTracksCompact }

  /// True when a message has the number of its packet, by which a server behind a line acknowledges it.
  package var tellsSequence: Bool { self != .minimal && self != .ownTracksCompact }

  /// What HTTP calls the type of its bytes.
  public var contentType: StaticString {
    switch self {
    case .json, .minimal, .ownTracks, .traccar: return "application/json"
    case .text, .ownTracksCompact: return "text/plain"
    case .osmAnd: return "application/x-www-form-urlencoded"
    }
  }
}
