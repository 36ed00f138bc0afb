public import Quantities

/// Kinds of packets, one bit each.
@frozen public struct PacketKindSet: OptionSet, BitwiseCopyable, Sendable {
  /// Bit n stands for the kind with the raw value n.
  public var rawValue: UInt8

  /// A set of its bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One kind.
  @inlinable public init(_ kind: PacketKind) { rawValue = 1 << kind.rawValue }

  /// Every kind, those of later versions included.
  public static var all: PacketKindSet { PacketKindSet(rawValue: .max) }

  /// True when the kind is in it.
  @inlinable public func contains(_ kind: PacketKind) -> Bool { rawValue & (1 << kind.rawValue) != 0 }
}

/// Receivers of packets, one bit each: bit n stands for receiver n.
@frozen public struct ReceiverSet: OptionSet, BitwiseCopyable, Sendable {
  /// The bits.
  public var rawValue: UInt8

  /// A set of its bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One receiver, 0 to 3.
  @inlinable public init(_ receiver: Int) { rawValue = receiver >= 0 && receiver < 8 ? 1 << UInt8(receiver) : 0 }

  /// True when the receiver is in it.
  @inlinable public func contains(_ receiver: Int) -> Bool { !isDisjoint(with: ReceiverSet(receiver)) }
}

/// Who gets packets: up to four receivers, each with the kinds it wants.
///
/// A packet waits until each receiver that wants its kind has it.
@frozen public struct ReceiverList: Equatable, BitwiseCopyable, Sendable {
  /// The most receivers.
  public static var capacity: Int { 4 }

  private var first = PacketKindSet.all
  private var second = PacketKindSet()
  private var third = PacketKindSet()
  private var fourth = PacketKindSet()
  /// How many there are, 1 to 4.
  public private(set) var count = 1
  /// Who they are: other receivers, or another order of them, have another. What was noted of one list is not taken for another's.
  public var identity: UInt32 = 0

  /// One receiver that wants every kind.
  public init() {}

  /// The kinds a receiver wants; none for a receiver that is not there.
  public subscript(receiver: Int) -> PacketKindSet {
    get {
      switch receiver {
      case 0: return first
      case 1: return count > 1 ? second : []
      case 2: return count > 2 ? third : []
      case 3: return count > 3 ? fourth : []
      default: return []
      }
    }
    set {
      switch receiver {
      case 0: first = newValue
      case 1 where count > 1: second = newValue
      case 2 where count > 2: third = newValue
      case 3 where count > 3: fourth = newValue
      default: break
      }
    }
  }

  /// Adds a receiver; false when there are four.
  @discardableResult public mutating func append(_ kinds: PacketKindSet) -> Bool {
    guard count < ReceiverList.capacity else { return false }
    count += 1
    self[count - 1] = kinds
    return true
  }

  /// Those who want a kind.
  public func wanting(_ kind: PacketKind) -> ReceiverSet {
    var result = ReceiverSet()
    var receiver = 0
    while receiver < count {
      if self[receiver].contains(kind) { result.insert(ReceiverSet(receiver)) }
      receiver += 1
    }
    return result
  }

  /// All of them.
  public var all: ReceiverSet { ReceiverSet(rawValue: UInt8(truncatingIfNeeded: (1 << count) - 1)) }
}

/// Tuning of the outbox and of the delivery from it.
@frozen public struct OutboxParameters: Equatable, BitwiseCopyable, Sendable {
  /// How long to wait before a packet that every way has handed back is tried again. Default 30 s.
  public var acknowledgementTimeout: Interval = .seconds(30)
  /// The longest of these waits; each is twice the one before. Default 600 s.
  public var maximumTimeout: Interval = .seconds(600)
  /// Packets that may be under way on one way at the same time. Default 4.
  public var window: Int = 4
  /// How long a report may wait before it is given up. Default 30 days.
  public var reportLifetime: Interval = .seconds(30 * 86_400)
  /// How long a notice may wait before it is given up; alerts wait for ever. Default 90 days.
  public var noticeLifetime: Interval = .seconds(90 * 86_400)
  /// Whether the owner has a spool for reports that no longer fit. Default: no, and the oldest report is given up for a new one.
  public var hasSpool = false
  /// With a spool: reports that may wait in the outbox; those that follow go to the spool. Default 16.
  public var reportCapacity: Int = 16
  /// Who gets packets. Default: one receiver that wants every kind.
  public var receivers = ReceiverList()

  /// The defaults.
  @inlinable public init() {}

  /// How long a packet may wait; nil for ever.
  func lifetime(of priority: PacketPriority) -> Interval? {
    switch priority {
    case .alert: return nil
    case .notice: return max(.seconds(1), noticeLifetime)
    case .report: return max(.seconds(1), reportLifetime)
    }
  }
}
