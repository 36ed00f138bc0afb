public import ASCIIText
public import InlineStorage
public import Quantities

/// A form that servers want packets in. Each is a type of its own in a module of its own (`OwnTracks`, `Traccar`), over one packet value;
/// a firmware has those that it names and no byte of the others.
public protocol PacketForm {
  /// Writes one of the messages that a packet takes, without a line end.
  ///
  /// - Parameters:
  ///   - packet: What to tell.
  ///   - part: Which message, from 0.
  ///   - trackerID: The device's name, UTF-8.
  ///   - sink: Where it goes.
  /// - Returns: nil, and nothing written, when the form can't carry the packet, or has no such part. What is made up is worse than
  ///   nothing.
  func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead?

  /// Writes one of the messages that a packet takes, of the tracker that has it: an answer may tell what no packet has room for.
  ///
  /// - Parameters:
  ///   - packet: What to tell.
  ///   - part: Which message, from 0.
  ///   - trackerID: The device's name, UTF-8.
  ///   - source: The tracker as it is now.
  ///   - sink: Where it goes.
  /// - Returns: As of the method without a source, which is what this does unless a form has its own.
  func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead?

  /// What the form asks of a transport beside carrying bytes.
  var needs: FormNeeds { get }

  /// Takes the next request of the owner out of what a server sent or answered, as the tracker's own text.
  ///
  /// - Parameters:
  ///   - bytes: What came, whole.
  ///   - place: Where to look on, 0 at first.
  ///   - sink: Takes the request.
  /// - Returns: False, and nothing written, when there is none any more.
  func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool
}

/// What answers contain about a tracker: settings and fences as they are when the answer goes out.
public protocol AnswerSource: ~Copyable {
  /// Time between positions when riding.
  var answeredInterval: Interval { get }
  /// Distance between positions when riding, m.
  var answeredDistance: UInt32 { get }
  /// Rows that fences may be in.
  var answeredFenceRows: Int { get }
  /// The fence in a row; nil when there is none.
  func answeredFence(in row: Int) -> AnsweredFence?
}

/// A fence as an answer describes it.
public struct AnsweredFence: BitwiseCopyable, Sendable {
  /// Its number, 1 to 255.
  public var number: UInt8
  /// Middle in units of 1e-7 degree; nil for a fence that is no circle.
  public var middle: (latitudeE7: Int32, longitudeE7: Int32)?
  /// Radius, m.
  public var radius: UInt32
  /// What the owner calls it, UTF-8.
  public var name: InlineBytes<32>

  /// A fence.
  public init(
    number: UInt8, middle: (latitudeE7: Int32, longitudeE7: Int32)? = nil, radius: UInt32 = 0, name: InlineBytes<32>
  ) {
    self.number = number
    self.middle = middle
    self.radius = radius
    self.name = name
  }
}

extension PacketForm {
  /// The packet alone.
  @inlinable public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    encode(packet, part: part, trackerID: trackerID, into: &sink)
  }

  /// Nothing.
  public var needs: FormNeeds { [] }

  /// All of it, once.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    guard place == 0 else { return false }
    place = bytes.count + 1
    sink.append(bytes: bytes)
    return true
  }
}

/// What a form asks of a transport. A transport that has less still carries the packets; what it loses is said here.
@frozen public struct FormNeeds: OptionSet, BitwiseCopyable, Sendable {
  /// A bit for each.
  public var rawValue: UInt8
  /// Needs by their bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Messages go to topics by their `MessageHead.topic`; elsewhere all go to one place.
  @inlinable public static var topics: FormNeeds { FormNeeds(rawValue: 1) }
  /// A broker keeps the last message of a topic, or who comes later sees nothing until the next.
  @inlinable public static var retain: FormNeeds { FormNeeds(rawValue: 2) }
  /// A message that a broker sends when the tracker is gone.
  @inlinable public static var will: FormNeeds { FormNeeds(rawValue: 4) }
  /// Requests come as messages, or in answers.
  @inlinable public static var answers: FormNeeds { FormNeeds(rawValue: 8) }
  /// An answer of 2xx says that bytes came, and not that they were understood.
  @inlinable public static var blindAnswers: FormNeeds { FormNeeds(rawValue: 16) }
}

/// Where a message goes on a transport with topics: behind the topic of the way.
@frozen public enum MessageTopic: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The topic of the way itself.
  case base
  /// What happened at a fence.
  case event
  /// An answer about the device.
  case status
  /// One fence.
  case waypoint
  /// All fences.
  case waypoints
  /// Steps.
  case step
  /// Who it is.
  case info
  /// Its settings.
  case dump

  /// What is behind the topic of the way.
  public var suffix: StaticString {
    switch self {
    case .base: return ""
    case .event: return "/event"
    case .status: return "/status"
    case .waypoint: return "/waypoint"
    case .waypoints: return "/waypoints"
    case .step: return "/step"
    case .info: return "/info"
    case .dump: return "/dump"
    }
  }
}

/// What a message of a packet is, beside its bytes.
@frozen public struct MessageHead: Equatable, BitwiseCopyable, Sendable {
  /// False when the packet takes another message after this one.
  public var isLast: Bool
  /// Where it goes on a transport with topics.
  public var topic: MessageTopic

  /// The only message of a packet, unless said otherwise.
  @inlinable public init(isLast: Bool = true, topic: MessageTopic = .base) {
    self.isLast = isLast
    self.topic = topic
  }

  /// Whether a broker may keep it: events and answers would come again to everyone who connects.
  @inlinable public var mayBeRetained: Bool { topic == .base || topic == .info }
}

extension Packet {
  /// Writes one of the messages that the packet takes in a form; see `PacketForm`.
  @inlinable public func encode(
    part: Int, as form: some PacketForm, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    form.encode(self, part: part, trackerID: trackerID, into: &sink)
  }

  /// Writes the first message of the packet in a form.
  ///
  /// - Returns: False, and nothing written, when the form can't carry it.
  @inlinable @discardableResult public func encode(
    as form: some PacketForm, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> Bool {
    form.encode(self, part: 0, trackerID: trackerID, into: &sink) != nil
  }
}
