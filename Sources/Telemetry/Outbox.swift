import InlineStorage
public import Quantities

/// Tuning of the outbox.
@frozen public struct OutboxParameters: Equatable, BitwiseCopyable, Sendable {
  /// How long to wait for the server's acknowledgement before trying again. Default 30 s.
  public var acknowledgementTimeout: Interval = .seconds(30)
  /// The longest wait between two tries. Default 600 s.
  public var maximumTimeout: Interval = .seconds(600)
  /// Packets that may be under way at the same time. Default 4.
  public var window: Int = 4

  /// The defaults.
  @inlinable public init() {}
}

/// Packets that wait for the server's acknowledgement.
///
/// Alerts go first, then notices, then reports; in a lane the oldest first. A packet leaves only when its sequence number is
/// acknowledged. When there is no room the oldest report is given up and counted, never an alert for something else: a
/// new report, too, takes the place of the oldest, because an owner wants to know where the vehicle is now.
///
/// Each wait doubles, with jitter from the seed so that many trackers do not come back at the same moment.
public struct Outbox<let capacity: Int>: BitwiseCopyable {
  /// A packet and how far it has come.
  struct Entry: BitwiseCopyable {
    var packet: Packet
    var attempts: UInt16
    var nextAttempt: Instant
    var isUnderWay: Bool
  }

  /// Tuning.
  public let parameters: OutboxParameters
  /// Reports given up for want of room.
  public private(set) var evictedCount: UInt32 = 0
  /// Alerts and notices refused because all room was taken by such.
  public private(set) var refusedCount: UInt32 = 0
  /// Tries beyond the first.
  public private(set) var retryCount: UInt32 = 0
  /// Packets acknowledged.
  public private(set) var acknowledgedCount: UInt32 = 0
  /// The number the next packet will get.
  public private(set) var nextSequence: UInt32

  private var entries: InlineVector<capacity, Entry>
  private var jitter: UInt64

  /// An empty outbox.
  ///
  /// - Parameters:
  ///   - parameters: Tuning.
  ///   - firstSequence: The number of the first packet; a device that restarts goes on where it was.
  ///   - seed: Start of the jitter.
  public init(parameters: OutboxParameters = OutboxParameters(), firstSequence: UInt32 = 1, seed: UInt64) {
    self.parameters = parameters
    nextSequence = firstSequence
    jitter = seed
    let filler = Packet(kind: .location, time: .zero, utc: nil, phase: .starting, isArmed: false)
    entries = InlineVector(filler: Entry(packet: filler, attempts: 0, nextAttempt: .zero, isUnderWay: false))
  }

  /// Packets that wait.
  public var count: Int { entries.count }

  /// Takes a packet in and numbers it.
  ///
  /// - Returns: The number, or nil when all room is taken by packets that may not be given up.
  public mutating func submit(_ packet: Packet, at now: Instant) -> UInt32? {
    if entries.isFull, !makeRoom(for: packet.kind.priority) {
      refusedCount &+= 1
      return nil
    }
    var numbered = packet
    numbered.sequence = nextSequence
    nextSequence &+= 1
    entries.append(Entry(packet: numbered, attempts: 0, nextAttempt: now, isUnderWay: false))
    return numbered.sequence
  }

  private mutating func makeRoom(for priority: PacketPriority) -> Bool {
    var victim: Int?
    for place in 0..<entries.count where entries[place].packet.kind.priority == .report {
      victim = place
      break
    }
    if victim == nil, priority == .alert {
      for place in 0..<entries.count where entries[place].packet.kind.priority == .notice {
        victim = place
        break
      }
    }
    guard let victim else { return false }
    entries.remove(at: victim)
    evictedCount &+= 1
    return true
  }

  /// The packet to send now, if any; it counts as sent.
  public mutating func nextToSend(at now: Instant) -> Packet? {
    var best: Int?
    var underWay = 0
    for place in 0..<entries.count {
      let entry = entries[place]
      if entry.isUnderWay, entry.nextAttempt > now { underWay += 1 }
      guard entry.nextAttempt <= now else { continue }
      if let held = best, entries[held].packet.kind.priority >= entry.packet.kind.priority { continue }
      best = place
    }
    guard let best, underWay < parameters.window || entries[best].packet.kind.priority == .alert else { return nil }
    var entry = entries[best]
    if entry.attempts > 0 { retryCount &+= 1 }
    entry.nextAttempt = now + wait(afterAttempts: entry.attempts)
    entry.attempts = entry.attempts == .max ? .max : entry.attempts + 1
    entry.isUnderWay = true
    entries[best] = entry
    return entry.packet
  }

  /// The server has the packet.
  ///
  /// - Returns: False when no packet of that number waits (acknowledged before, or never sent).
  @discardableResult public mutating func acknowledge(_ sequence: UInt32) -> Bool {
    for place in 0..<entries.count where entries[place].packet.sequence == sequence {
      guard entries[place].attempts > 0 else { return false }
      entries.remove(at: place)
      acknowledgedCount &+= 1
      return true
    }
    return false
  }

  /// When there is something to send next; nil when empty. While the window is full only its own packets and alerts count.
  public var nextDeadline: Instant? {
    var underWay = 0
    for place in 0..<entries.count where entries[place].isUnderWay { underWay += 1 }
    var earliest: Instant?
    for place in 0..<entries.count {
      let entry = entries[place]
      if underWay >= parameters.window, !entry.isUnderWay, entry.packet.kind.priority != .alert { continue }
      if let held = earliest, held <= entry.nextAttempt { continue }
      earliest = entry.nextAttempt
    }
    return earliest
  }

  /// The wait after a try: the time-out doubled per try up to the maximum, plus up to a quarter of jitter.
  private mutating func wait(afterAttempts attempts: UInt16) -> Interval {
    var wait = parameters.acknowledgementTimeout.microseconds
    var step: UInt16 = 0
    while step < attempts, wait < parameters.maximumTimeout.microseconds {
      wait *= 2
      step += 1
    }
    wait = min(wait, parameters.maximumTimeout.microseconds)
    // SplitMix64 [steele]: one addition and two multiplications per draw.
    jitter &+= 0x9E37_79B9_7F4A_7C15
    var z = jitter
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Interval(microseconds: wait + Int64(z % UInt64(max(1, wait / 4))))
  }
}

extension Outbox: Sendable {}
