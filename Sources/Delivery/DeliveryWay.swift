public import Telemetry

/// How a way stands.
@frozen public enum WayState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing is open, and nothing wrong: it opens with the next packet.
  case idle
  /// It is being opened.
  case opening
  /// A packet would go at once.
  case open
  /// It does not work; it tries again by itself.
  case failed
}

/// One of the ways to a receiver.
@frozen public struct DeliveryWay: Equatable, BitwiseCopyable, Sendable {
  /// To whom, from 0.
  public var receiver: UInt8
  /// What it goes through. Ways through the same port share its room: a modem has one for all of its transports.
  public var port: UInt8
  /// How packets are written for it.
  public var format: PacketFormat
  /// Packets that the port has in hand at the same time, at least 1.
  public var capacity: UInt8
  /// True when the port takes alerts beyond its capacity, and sees to their order itself.
  public var takesEveryAlert: Bool

  /// A way.
  public init(
    receiver: UInt8 = 0, port: UInt8, format: PacketFormat = .json, capacity: UInt8 = 1, takesEveryAlert: Bool = false
  ) {
    self.receiver = receiver
    self.port = port
    self.format = format
    self.capacity = max(1, capacity)
    self.takesEveryAlert = takesEveryAlert
  }
}

/// Ways, one bit each.
@frozen public struct WaySet: OptionSet, BitwiseCopyable, Sendable {
  /// Bit n stands for way n.
  public var rawValue: UInt8
  /// A set of its bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// One way, 0 to 7.
  @inlinable public init(_ way: Int) { rawValue = way >= 0 && way < 8 ? 1 << UInt8(way) : 0 }
  /// True when the way is in it.
  @inlinable public func contains(_ way: Int) -> Bool { !isDisjoint(with: WaySet(way)) }
}

/// What delivery wants done.
@frozen public enum DeliveryStep: Equatable, BitwiseCopyable, Sendable {
  /// Write the packet in the way's format, hand it to the way's port, and report how that went by `began` or `cantCarry`.
  case give(sequence: UInt32, way: UInt8, part: UInt8)
  /// The port of a way is to forget a packet: it has been delivered on another way, or was given up.
  case forget(sequence: UInt32, way: UInt8)
  /// An alert waits for this way: its port is to hand back a report that has not left yet.
  case makeRoom(way: UInt8)
  /// A receiver has the packet.
  case acknowledged(sequence: UInt32, receiver: UInt8)
  /// No way of the receiver can carry the packet.
  case gaveUp(sequence: UInt32, receiver: UInt8)
}

/// Counts of delivery.
@frozen public struct DeliveryCounts: Equatable, BitwiseCopyable, Sendable {
  /// Packets given to a way after another had it.
  public var fallbacks: UInt32 = 0
  /// Packets given again after every way had handed them back.
  public var retries: UInt32 = 0
  /// Acknowledgements of packets that were not waited for: late ones, and nonsense.
  public var unexpected: UInt32 = 0
  /// Packets that a format could not carry on a way.
  public var uncarried: UInt32 = 0
  /// Packets that were not taken in because too many wait.
  public var refused: UInt32 = 0

  @inlinable init() {}
}
