import ASCIIText
import InlineStorage
import Telemetry

/// Packets as OwnTracks has them, on a way whose topic is known: each message says where it was sent.
///
/// Traccar and Home Assistant take from it who it is. Where nothing is known `OwnTracksForm` makes up a name in the form of a topic, as
/// both would pass a message without one over.
package struct OwnTracksTopicForm: PacketForm, Sendable {
  /// The longest topic, bytes; of a longer one nothing is said, as a part of it would be another.
  package static var topicCapacity: Int { 128 }

  private var topic: OwnTracksTopic

  /// The form of a way.
  ///
  /// - Parameter topic: Topic of its positions, UTF-8; others are behind it (`MessageTopic`).
  package init(topic: Span<UInt8>) {
    self.topic = OwnTracksTopic()
    if topic.count <= OwnTracksTopicForm.topicCapacity { self.topic.append(contentsOf: topic) }
  }

  /// As of the form without a topic.
  package var needs: FormNeeds { OwnTracksForm().needs }

  /// Writes one of the messages of a packet.
  package func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    packet.encodeOwnTracks(part: part, OwnTracksNames(trackerID, topic: topic.span), into: &sink)
  }

  /// Writes one of the messages of a packet, with what its answer is about.
  package func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    packet.encodeOwnTracks(part: part, OwnTracksNames(trackerID, topic: topic.span), of: source, into: &sink)
  }

  /// As of the form without a topic.
  package func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    OwnTracksForm().nextRequest(in: bytes, at: &place, into: &sink)
  }
}

private typealias OwnTracksTopic = InlineBytes<128>

/// What messages call the tracker.
struct OwnTracksNames: ~Escapable {
  /// The device's name, UTF-8.
  let trackerID: Span<UInt8>
  /// Topic of the way's positions; empty when nothing is to be said of it, or when it is not known.
  private let topic: Span<UInt8>
  private let isMadeUp: Bool

  /// On a way without a topic.
  @_lifetime(copy trackerID)
  init(_ trackerID: Span<UInt8>) {
    self.trackerID = trackerID
    topic = trackerID.extracting(0..<0)
    isMadeUp = true
  }

  /// On a way with a topic.
  @_lifetime(copy trackerID, copy topic)
  init(_ trackerID: Span<UInt8>, topic: Span<UInt8>) {
    self.trackerID = trackerID
    self.topic = topic
    isMadeUp = false
  }

  /// Writes the topic of a message.
  func appendTopic(_ kind: MessageTopic, to sink: inout TextWriter) {
    guard isMadeUp || !topic.isEmpty else { return }
    sink.append(",\"topic\":")
    if isMadeUp {
      var made = InlineBytes<64>("owntracks/leash/")
      made.append(contentsOf: trackerID)
      sink.append(jsonString: made.span)
    } else {
      // The longest topic and the longest of what is behind it.
      var whole = InlineBytes<144>()
      whole.append(contentsOf: topic)
      whole.append(kind.suffix)
      sink.append(jsonString: whole.span)
    }
  }
}
