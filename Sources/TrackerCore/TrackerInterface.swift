public import Quantities
public import Telemetry

/// Where bytes come from and go to.
@frozen public enum Port: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// A satellite receiver that speaks NMEA 0183.
  case gnss = 0
  /// The way to the server.
  case uplink = 1
  /// Text messages: requests.
  case message = 2
  /// The owner's own line, as a control socket: requests.
  case console = 3
}

/// What the tracker wants done.
@frozen public enum Action: Equatable, BitwiseCopyable, Sendable {
  /// Tell the owner, or nobody: nothing depends on it.
  case event(TrackerEvent)
  /// Keep these sections before any action that follows, all or none: those of the state as `Tracker.encodeState(_:into:)` writes
  /// them, with `.waiting` the packets of the outbox, of which new ones are added and others taken out; after it the mark, in a
  /// second place where there is one.
  case persist(StateSections)
  /// Deliver a packet of the outbox (`Outbox.place(of:)`, `Outbox.pending(at:)`), which is returned once in a life; its canonical
  /// bytes wait in the output of `Port.uplink`. Call `acknowledge` for each receiver that has it.
  case transmit(sequence: UInt32, kind: PacketKind)
  /// Put the packet of that number (`Tracker.encodePacket`, `Outbox.pending(at:)`) into the spool, and answer by
  /// `Tracker.spooled` before the next action is fetched; only with `OutboxParameters.hasSpool`.
  case spool(sequence: UInt32)
  /// There is room for so many packets of the spool: those with the lowest numbers that one of the receivers lacks go to
  /// `Tracker.recall`, and then `Tracker.noteSpool` says how many are left.
  case recall(count: UInt8, receivers: ReceiverSet)
  /// Sound the buzzer for a while; a new one takes the place of that before.
  case sound(SoundPattern, Interval)
  /// What sensors and modem are to do from now on; before the first one they do all they can. Who can't ignores it.
  case sense(SensingPlan)
  /// Start anew, when all that came before is done and kept.
  case restart
}

/// Counts of what the tracker could not use or do.
@frozen public struct TrackerDiagnostics: Equatable, BitwiseCopyable, Sendable {
  /// Inertial samples not later than the one before.
  public var samplesOutOfOrder: UInt32 = 0
  /// Inertial samples with NaN, infinity or absurd values, or with nothing in them.
  public var samplesInvalid: UInt32 = 0
  /// Inertial samples at the end of the sensor's range (`SensorDescription`): trusted less.
  public var samplesClipped: UInt32 = 0
  /// Times that an axis of the inertial sensor stood still, or that its readings stepped as no movement can make them.
  public var sensorFaults: UInt32 = 0
  /// Fixes not later than the one before, or too old to say where the vehicle is.
  public var fixesOutOfOrder: UInt32 = 0
  /// Fixes without a position.
  public var fixesWithoutPosition: UInt32 = 0
  /// Inputs whose time is beyond the limit of the clock, 2^62 µs (146,000 years) either way.
  public var timesImpossible: UInt32 = 0
  /// Bytes that came from a port nothing listens to.
  public var bytesIgnored: UInt64 = 0
  /// Actions dropped because they were not fetched.
  public var actionsDropped: UInt32 = 0
  /// Packets given up for want of room in the outbox.
  public var packetsEvicted: UInt32 = 0
  /// Packets given up because their lifetime was over.
  public var packetsExpired: UInt32 = 0
  /// Packets that a receiver never gets because none of its ways can carry them.
  public var packetsUncarried: UInt32 = 0
  /// Packets refused because the outbox was full of more important ones.
  public var packetsRefused: UInt32 = 0
  /// Acknowledgements of packets that do not wait for that receiver.
  public var acknowledgementsUnknown: UInt32 = 0
  /// Requests that were not let in.
  public var requestsRefused: UInt32 = 0

  @inlinable init() {}
}
