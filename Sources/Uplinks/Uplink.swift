public import LinuxDevices
public import Quantities
public import Telemetry

/// A packet on its way, with the bytes as they are to arrive.
public struct OutgoingPacket: Equatable, Sendable {
  /// The tracker's number of it.
  public var sequence: UInt32
  /// What it reports.
  public var kind: PacketKind
  /// The packet in the server's format.
  public var bytes: [UInt8]

  /// A packet.
  public init(sequence: UInt32, kind: PacketKind, bytes: [UInt8]) {
    self.sequence = sequence
    self.kind = kind
    self.bytes = bytes
  }
}

/// What an uplink has to tell.
public enum UplinkNews: Equatable, Sendable {
  /// The server has the packet: the broker's PUBACK, a status of 2xx.
  case delivered(sequence: UInt32)
  /// The uplink gave the packet up, with one line for people; another way may take it, or the tracker tries again.
  case undelivered(sequence: UInt32, reason: String)
  /// A request for the tracker came from the server, as text.
  case request([UInt8])
  /// Satellite sentences of the modem's own receiver.
  case sentences([UInt8])
  /// A fix of the modem's own receiver.
  case fix(GNSSFix)
}

/// How an uplink stands.
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

/// One way to the server: takes packets, and tells which of them the server has.
///
/// It keeps trying by itself, with back-off, for as long as it runs. It never waits in a call. A packet taken twice while it
/// is under way is sent once.
public protocol Uplink: LoopMember {
  /// Kind and place, for people, without secrets: `mqtt broker.example:8883`.
  var name: String { get }

  /// How it stands.
  var state: UplinkState { get }

  /// Joins the loop.
  ///
  /// - Throws: What no retry will mend, such as a certificate file that is not there. A server that can't be reached is
  ///   no failure here: it shows in `state`.
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure)

  /// Says goodbye as far as that takes no time, and leaves the loop.
  func stop()

  /// Takes a packet for delivery.
  func take(_ packet: OutgoingPacket, at now: Instant)

  /// Forgets a packet: it has been delivered on another way. One that has left already may still arrive.
  func forget(_ sequence: UInt32)

  /// The next news, oldest first. `onNews` was called when there is some.
  func nextNews() -> UplinkNews?

  /// Called on the loop's thread when news has come or `state` has changed; set it before `start`. It must not call back into
  /// the uplink but for `nextNews` and `state`.
  var onNews: () -> Void { get set }

  /// Facts for `leash status`: what was sent and acknowledged, reconnections, signal strength.
  var facts: [(name: String, value: String)] { get }
}
