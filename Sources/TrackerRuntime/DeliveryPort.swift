public import Quantities
public import Telemetry

/// A message on its way, with the bytes as they are to arrive.
public struct OutgoingPacket: Equatable, Sendable {
  /// The tracker's number of the packet.
  public var sequence: UInt32
  /// What it reports.
  public var kind: PacketKind
  /// The packet in the form of its way.
  public var bytes: [UInt8]
  /// The way that it is on, of those that share the port; the port tells it again with what became of the packet. The same packet may
  /// be on two ways of one port: for two receivers, or because the first way takes long.
  public var way: Int
  /// Which of the port's channels it takes, nil for its own choice; what that means is the port's.
  public var channel: UInt8?
  /// Where it goes on a transport with topics, and whether another message of the packet follows.
  public var head: MessageHead

  /// A message.
  public init(
    sequence: UInt32, kind: PacketKind, bytes: [UInt8], way: Int = 0, channel: UInt8? = nil,
    head: MessageHead = MessageHead()
  ) {
    self.head = head
    self.way = way
    self.sequence = sequence
    self.kind = kind
    self.bytes = bytes
    self.channel = channel
  }

  /// True for a packet on the same way.
  public func isSame(as other: OutgoingPacket) -> Bool { sequence == other.sequence && way == other.way }
}

/// What a port has to report.
///
/// With a packet goes its way, as the port was given it; nil is enough where the port has only one.
public enum UplinkNews: Equatable, Sendable {
  /// The server has the packet: the broker's PUBACK, a status of 2xx.
  case delivered(sequence: UInt32, way: Int? = nil)
  /// The port gave the packet up, with one line for people; another way may take it.
  case undelivered(sequence: UInt32, way: Int? = nil, reason: String)
  /// The port hands a packet back to make room for an alert.
  case madeRoom(sequence: UInt32, way: Int? = nil)
  /// A request for the tracker came from the server, as text, on a channel of the port; nil when it has only one.
  case request([UInt8], channel: UInt8? = nil)
  /// A text message came, which may be a request; whether its sender is on the owner's list.
  case textMessage([UInt8], isListedSender: Bool)
  /// What the server answered to a packet, as text; it may hold a request.
  case answer([UInt8], to: UInt32, kind: PacketKind, way: Int? = nil)
  /// Satellite sentences of the modem's own receiver.
  case sentences([UInt8])
  /// A fix of the modem's own receiver.
  case fix(GNSSFix)
  /// A reading of the port's own, such as the strength of a modem's signal.
  case reading(Reading)
}

/// How a port stands.
public enum UplinkState: Equatable, Sendable {
  /// Nothing is open, and nothing wrong: it opens with the next packet.
  case idle
  /// It is being opened.
  case opening
  /// A packet would go at once.
  case open
  /// It does not work, with one line for people; it tries again by itself at `retryAt`.
  case failed(reason: String, retryAt: Instant?)
}

/// What carries messages to a server and reports which of them arrived.
///
/// It keeps trying by itself, with back-off, for as long as it runs. It never waits in a call. A packet taken twice for
/// the same way while it is under way is sent once; one for two ways is two.
public protocol DeliveryPort: AnyObject {
  /// Kind and place, for people, without secrets: `mqtt broker.example:8883`.
  var name: String { get }

  /// How it stands.
  var state: UplinkState { get }

  /// Packets that it can have in hand at the same time.
  var capacity: Int { get }

  /// True when it takes alerts beyond its capacity, and sends them first.
  var takesEveryAlert: Bool { get }

  /// Takes a packet for delivery.
  func take(_ packet: OutgoingPacket, at now: Instant)

  /// Forgets a packet of a way: it has been delivered on another. One that has left already may still arrive.
  func forget(_ sequence: UInt32, way: Int)

  /// Hands back a report that has not left yet (`UplinkNews.madeRoom`), because an alert waits.
  func makeRoom(at now: Instant)

  /// What a text message of the port asked for is on the storage, or nothing is to be kept of it: the port may delete it.
  func noteKept(at now: Instant)

  /// An alert may come at any moment: what takes long before one can go is begun now.
  func expectAlert(at now: Instant)

  /// The next news, oldest first. `onNews` was called when there is some.
  func nextNews() -> UplinkNews?

  /// Called when news has come or `state` has changed. It must not call back into the port but for `nextNews` and `state`.
  var onNews: () -> Void { get set }

  /// Lets a port on the time of the run come to a time; one in an event loop has its own.
  func pass(to now: Instant)

  /// When `pass` has something to do; nil for a port in an event loop.
  var nextPass: Instant? { get }
}

extension DeliveryPort {
  /// One packet at a time.
  public var capacity: Int { 1 }
  /// No: it has no order of its own.
  public var takesEveryAlert: Bool { false }
  /// Nothing: what it has in hand has left.
  public func makeRoom(at now: Instant) {}
  /// Nothing: it has no text messages, or does not keep them.
  public func noteKept(at now: Instant) {}
  /// Nothing.
  public func expectAlert(at now: Instant) {}
  /// Nothing.
  public func pass(to now: Instant) {}
  /// Never.
  public var nextPass: Instant? { nil }
}
