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
public struct Outbox<let capacity: Int>: ~Copyable {
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
  /// When there is something to send next; nil when empty. While the window is full only its own packets and alerts count.
  public private(set) var nextDeadline: Instant?

  private var entries = InPlaceVector<capacity, Entry>()
  private var jitter: SplitMix64
  private let inPlace = InPlace()

  /// An empty outbox.
  ///
  /// - Parameters:
  ///   - parameters: Tuning.
  ///   - firstSequence: The number of the first packet; a device that restarts goes on where it was.
  ///   - seed: Start of the jitter.
  public init(parameters: OutboxParameters = OutboxParameters(), firstSequence: UInt32 = 1, seed: UInt64) {
    self.parameters = parameters
    nextSequence = firstSequence
    jitter = SplitMix64(seed: seed)
  }

  /// Packets that wait.
  public var count: Int { entries.count }

  /// The packet at a place, 0 to `count` - 1; those that came first are first.
  public func packet(at place: Int) -> Packet { entries[place].packet }

  /// How often the packet at a place has been sent.
  public func attempts(at place: Int) -> UInt16 { entries[place].attempts }

  /// Puts back a packet of an earlier life, under its own number; it is sent at once, as nobody knows whether it was.
  ///
  /// - Returns: False when there is no room.
  @discardableResult public mutating func restore(_ packet: Packet, at now: Instant) -> Bool {
    guard entries.append(Entry(packet: packet, attempts: 0, nextAttempt: now, isUnderWay: false)) else { return false }
    if packet.sequence >= nextSequence { nextSequence = packet.sequence &+ 1 }
    updateDeadline()
    return true
  }

  /// Goes on numbering where an earlier life was.
  public mutating func continueNumbering(at sequence: UInt32) { nextSequence = max(nextSequence, sequence) }

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
    updateDeadline()
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
    guard let nextDeadline, nextDeadline <= now else { return nil }
    var best: Int?
    var underWay = 0
    for place in 0..<entries.count {
      let entry = entries[place]
      if entry.isUnderWay, entry.nextAttempt > now { underWay += 1 }
      guard entry.nextAttempt <= now else { continue }
      if let held = best, entries[held].packet.kind.priority >= entry.packet.kind.priority { continue }
      best = place
    }
    guard let best, underWay < window || entries[best].packet.kind.priority == .alert else { return nil }
    var entry = entries[best]
    if entry.attempts > 0 { retryCount &+= 1 }
    entry.nextAttempt = now + wait(afterAttempts: entry.attempts)
    entry.attempts = entry.attempts == .max ? .max : entry.attempts + 1
    entry.isUnderWay = true
    entries[best] = entry
    updateDeadline()
    return entry.packet
  }

  /// The server has the packet.
  ///
  /// - Returns: False when no packet of that number waits (acknowledged before, or never sent).
  @discardableResult public mutating func acknowledge(_ sequence: UInt32) -> Bool {
    for place in 0..<entries.count where entries[place].packet.sequence == sequence {
      guard entries[place].attempts > 0 else { return false }
      entries.remove(at: place)
      updateDeadline()
      acknowledgedCount &+= 1
      return true
    }
    return false
  }

  private mutating func updateDeadline() {
    var alert: Instant?
    var other: Instant?
    var underWay = 0
    for place in 0..<entries.count {
      if entries[place].isUnderWay { underWay += 1 }
      let next = entries[place].nextAttempt
      if entries[place].packet.kind.priority == .alert {
        alert = min(alert ?? next, next)
      } else {
        other = min(other ?? next, next)
      }
    }
    if let due = other, underWay >= window { other = max(due, windowFree ?? due) }
    if let alert, let other { nextDeadline = min(alert, other) } else { nextDeadline = alert ?? other }
  }

  /// The first instant at which fewer packets than the window allows still wait for an acknowledgement.
  private var windowFree: Instant? {
    var earliest: Instant?
    for place in 0..<entries.count where entries[place].isUnderWay {
      let candidate = entries[place].nextAttempt
      var later = 0
      for other in 0..<entries.count where entries[other].isUnderWay && entries[other].nextAttempt > candidate {
        later += 1
      }
      if later < window { earliest = min(earliest ?? candidate, candidate) }
    }
    return earliest
  }

  /// At least one packet must be able to go.
  private var window: Int { max(1, parameters.window) }

  /// No try follows another at once, whatever the parameters say.
  private var minimumWait: Int64 { 100_000 }

  /// The wait after a try: the time-out doubled per try up to the maximum, plus up to a quarter of jitter.
  private mutating func wait(afterAttempts attempts: UInt16) -> Interval {
    let longest = max(minimumWait, parameters.maximumTimeout.microseconds)
    var wait = min(max(minimumWait, parameters.acknowledgementTimeout.microseconds), longest)
    var step: UInt16 = 0
    while step < attempts, wait < longest {
      wait = wait > longest / 2 ? longest : wait * 2
      step += 1
    }
    return Interval(microseconds: wait) + Interval(microseconds: Int64(jitter.next() % UInt64(wait / 4)))
  }
}

extension Outbox: Sendable {}
