public import Quantities
public import Telemetry

/// What takes the packets of a run to their server and brings back what the server says, on the time of the run.
public protocol PacketUplink: AnyObject {
  /// Takes a packet for delivery. The tracker gives the same packet again when it has waited long enough.
  func take(sequence: UInt32, kind: PacketKind, bytes: [UInt8], at now: Instant)

  /// Forgets the packets that no longer wait: the tracker gave them up for want of room.
  func keepOnly(_ isWaiting: (UInt32) -> Bool)

  /// Lets time pass.
  func advance(to now: Instant)

  /// The next packet that its server has, each once.
  func nextAcknowledgement() -> UInt32?

  /// The next request that came from the server, as text.
  func nextRequest() -> [UInt8]?

  /// When there is something to do.
  var nextDeadline: Instant? { get }
}

extension PacketUplink {
  /// Nothing: an uplink of a replay may deliver what was given up.
  public func keepOnly(_ isWaiting: (UInt32) -> Bool) {}
}
