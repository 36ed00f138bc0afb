/// Keeps reports that no longer fit into the outbox, until there is room again.
public protocol PacketSpool: AnyObject {
  /// Packets in it.
  var count: Int { get }

  /// Takes a packet, which leaves the outbox when this says so.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - pending: Who does not have it, as bits.
  ///   - isThinnable: True for one of many like it: when room runs out these are thinned out.
  ///   - section: Its section.
  /// - Returns: False when there is no room for it, not even after thinning; it stays in the outbox then.
  func put(_ sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) -> Bool

  /// Gives back packets, those with the lowest numbers first; they are in the outbox then.
  ///
  /// - Parameters:
  ///   - count: The most.
  ///   - pending: Only such as one of these receivers lacks, as bits.
  func take(_ count: Int, pending: UInt8) -> [SpooledPacket]
}

/// A packet of a spool.
public struct SpooledPacket: Equatable, Sendable {
  /// Its number.
  public var sequence: UInt32
  /// Who does not have it, as bits.
  public var pending: UInt8
  /// True for one of many like it.
  public var isThinnable: Bool
  /// Its section.
  public var section: [UInt8]

  /// A packet of a spool.
  public init(sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) {
    self.sequence = sequence
    self.pending = pending
    self.isThinnable = isThinnable
    self.section = section
  }
}

/// Packets in the order of their numbers, thinned out when there are too many.
public struct SpooledPackets {
  /// All of them, those with the lowest numbers first.
  public private(set) var all: [SpooledPacket] = []
  /// The most packets.
  public let capacity: Int
  /// Packets that went to make room.
  public private(set) var thinnedCount = 0

  /// None, with room for so many.
  public init(capacity: Int) { self.capacity = capacity }

  /// How many they are.
  public var count: Int { all.count }

  /// Takes a packet.
  ///
  /// - Parameter thinned: Called with the numbers of those that go to make room.
  /// - Returns: False when there is no room for it, not even after thinning.
  public mutating func put(_ packet: SpooledPacket, thinned: (UInt32) -> Void = { _ in }) -> Bool {
    if all.count >= capacity {
      let left = SpoolThinning.thinned(all, capacity: capacity)
      let staying = Set(left.lazy.map(\.sequence))
      for packet in all where !staying.contains(packet.sequence) { thinned(packet.sequence) }
      thinnedCount += all.count - left.count
      all = left
      guard all.count < capacity else { return false }
    }
    let place = all.lastIndex { $0.sequence < packet.sequence }.map { $0 + 1 } ?? 0
    all.insert(packet, at: place)
    return true
  }

  /// Gives back packets, those with the lowest numbers first, of those that one of some receivers lacks.
  public mutating func take(_ count: Int, pending: UInt8) -> [SpooledPacket] {
    var result: [SpooledPacket] = []
    // What stays before the last that goes; behind it nothing is looked at.
    var end = 0
    var staying: [SpooledPacket] = []
    while end < all.count, result.count < count {
      if all[end].pending & pending != 0 { result.append(all[end]) } else { staying.append(all[end]) }
      end += 1
    }
    all.replaceSubrange(..<end, with: staying)
    return result
  }

  /// Puts others in the place of all; in ascending order.
  public mutating func replace(with packets: [SpooledPacket]) { all = packets }
}

/// A spool in memory, for replays and tests.
public final class MemorySpool: PacketSpool {
  private var packets: SpooledPackets

  /// A spool for so many packets.
  public init(capacity: Int = 20_000) { packets = SpooledPackets(capacity: capacity) }

  /// Packets that went to make room.
  public var thinnedCount: Int { packets.thinnedCount }
  /// Packets in it.
  public var count: Int { packets.count }

  /// Takes a packet.
  public func put(_ sequence: UInt32, pending: UInt8, isThinnable: Bool, section: [UInt8]) -> Bool {
    packets.put(SpooledPacket(sequence: sequence, pending: pending, isThinnable: isThinnable, section: section))
  }

  /// Gives back packets, those with the lowest numbers first, of those that one of some receivers lacks.
  public func take(_ count: Int, pending: UInt8) -> [SpooledPacket] { packets.take(count, pending: pending) }
}

/// How a spool that is full makes room: of those that are many one in 2, 4, 8 … stays, chosen by their numbers, so that old and new
/// parts of the way are equally dense.
enum SpoolThinning {
  /// The least power of two that leaves at most half of a capacity, when only numbers that it divides stay.
  ///
  /// - Parameters:
  ///   - capacity: Packets that have room.
  ///   - left: How many would be left.
  static func stride(capacity: Int, left: (UInt32) -> Int) -> UInt32 {
    var stride: UInt32 = 2
    while stride < 1 << 20, left(stride) > capacity / 2 { stride *= 2 }
    return stride
  }

  /// Those that stay.
  static func thinned(_ packets: [SpooledPacket], capacity: Int) -> [SpooledPacket] {
    func left(_ stride: UInt32) -> [SpooledPacket] {
      packets.filter { !$0.isThinnable || $0.sequence % stride == 0 }
    }
    return left(stride(capacity: capacity) { left($0).count })
  }
}
