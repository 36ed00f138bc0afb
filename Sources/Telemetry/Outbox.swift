public import ASCIIText
import InlineStorage
public import Quantities

/// Packets that wait until everybody who wants them has them.
///
/// Each packet is handed over for delivery once in a life, alerts first, then notices, then reports, in a lane the oldest first.
/// It leaves when the last of its receivers has it, when that is known to be impossible, or, but for alerts, when its lifetime
/// is over. When there is no room the oldest report is given up and counted, never an alert for something else: a new report,
/// too, takes the place of the oldest, because an owner wants to know where the vehicle is now.
///
/// An owner with a spool loses none: see `nextToSpool` and `nextToRecall`.
public struct Outbox<let capacity: Int>: ~Copyable {
  /// A packet and how far it has come.
  struct Entry: BitwiseCopyable {
    var packet: Packet
    /// Receivers that do not have it yet.
    var pending: ReceiverSet
    var stage: Stage
    /// True for a report that goes with the notices, before reports that waited.
    var isExpress = false
    /// Since when it waits in this life.
    var since: Instant

    var isReport: Bool { packet.kind.priority == .report }
    /// True when it is on its way to the spool.
    var isLeaving: Bool { stage == .toSpool || stage == .offered }
  }

  /// How far a packet has come in this life.
  enum Stage: UInt8, BitwiseCopyable {
    /// It waits to be handed over.
    case fresh
    /// It is for the spool.
    case toSpool
    /// The owner was asked to put it into the spool.
    case offered
    /// Delivery has it.
    case handedOver
  }

  /// Tuning.
  public let parameters: OutboxParameters
  /// Packets given up for want of room for another.
  public private(set) var evictedCount: UInt32 = 0
  /// Packets refused because all room was taken by such as may not be given up for them.
  public private(set) var refusedCount: UInt32 = 0
  /// Packets given up because their lifetime was over.
  public private(set) var expiredCount: UInt32 = 0
  /// Packets that a receiver never gets because none of its ways can carry them.
  public private(set) var uncarriedCount: UInt32 = 0
  /// Packets that all who wanted them have.
  public private(set) var acknowledgedCount: UInt32 = 0
  /// The number the next packet will get.
  public private(set) var nextSequence: UInt32
  /// The life that new packets are of.
  public private(set) var boot: UInt32 = 1
  /// When the lifetime of a packet is over; nil when none ends.
  public private(set) var nextDeadline: Instant?

  /// Packets that the spool holds, as far as the owner has said.
  public internal(set) var spooledCount = 0

  var entries = InlineVector<capacity, Entry>()
  /// Packets that have not been handed over yet.
  var freshCount = 0
  /// Packets that the owner is to be asked to put into the spool.
  var leavingCount = 0
  /// How far a recall has come.
  var recall = Recall()
  private let inPlace = InPlace()

  /// An empty outbox.
  ///
  /// - Parameters:
  ///   - parameters: Tuning.
  ///   - firstSequence: The number of the first packet; a device that restarts goes on where it was.
  public init(parameters: OutboxParameters = OutboxParameters(), firstSequence: UInt32 = 1) {
    self.parameters = parameters
    nextSequence = firstSequence
  }

  /// Packets that wait.
  public var count: Int { entries.count }

  /// The packet at a place, 0 to `count` - 1; those that came first are first.
  public func packet(at place: Int) -> Packet { entries[place].packet }

  /// Number and kind of the packet at a place.
  public func name(at place: Int) -> (sequence: UInt32, kind: PacketKind) {
    (entries[place].packet.sequence, entries[place].packet.kind)
  }

  /// Writes the packet at a place as a section of a state; see `Packet.encodeSection(revision:into:)`.
  public func encodeSection(at place: Int, revision: UInt32, into sink: inout some ByteSink) {
    entries[place].packet.encodeSection(revision: revision, into: &sink)
  }

  /// Writes a message of the packet at a place; see `PacketForm`.
  package func encode(
    at place: Int, part: Int, as form: some PacketForm, trackerID: Span<UInt8>,
    of source: borrowing some AnswerSource & ~Copyable, into sink: inout some ByteSink
  ) -> MessageHead? {
    form.encode(entries[place].packet, part: part, trackerID: trackerID, of: source, into: &sink)
  }

  /// Receivers that do not have the packet at a place yet.
  public func pending(at place: Int) -> ReceiverSet { entries[place].pending }

  /// Where the packet of a number is; nil when it does not wait.
  public func place(of sequence: UInt32) -> Int? {
    var place = 0
    while place < entries.count {
      if entries[place].packet.sequence == sequence { return place }
      place += 1
    }
    return nil
  }

  /// Puts back a packet of an earlier life, under its own number; it is handed over again, as nobody knows how far it came.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - pending: Receivers that did not have it; nil, and those that are not there any more, for all who want it now.
  ///   - now: Its lifetime begins anew.
  /// - Returns: False when it is there already, or, counted as refused, when there is no room.
  @discardableResult public mutating func restore(
    _ packet: Packet, pending: ReceiverSet? = nil, at now: Instant
  ) -> Bool {
    let wanting = parameters.receivers.wanting(packet.kind)
    let left = pending.map { $0.intersection(parameters.receivers.all) } ?? wanting
    let entry = Entry(packet: packet, pending: left.isEmpty ? wanting : left, stage: .fresh, since: now)
    if packet.sequence >= nextSequence { nextSequence = packet.sequence &+ 1 }
    guard !entry.pending.isEmpty else { return true }
    guard place(of: packet.sequence) == nil else { return false }
    // Among the others by its number, so that what was made first goes first.
    var index = entries.count
    while index > 0, entries[index - 1].packet.sequence > packet.sequence { index -= 1 }
    guard entries.insert(entry, at: index) else {
      refusedCount &+= 1
      return false
    }
    freshCount += 1
    updateDeadline()
    return true
  }

  /// Goes on numbering where an earlier life was.
  ///
  /// - Parameters:
  ///   - sequence: The number of the next packet; a lower one than now changes nothing.
  ///   - boot: The number of this life.
  public mutating func continueNumbering(at sequence: UInt32, boot: UInt32) {
    nextSequence = max(nextSequence, sequence)
    self.boot = boot
  }

  /// Takes a packet in and numbers it. One that nobody wants gets its number and is gone.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - isExpress: True for a report that goes before those that wait.
  ///   - now: When.
  /// - Returns: The number, or nil when all room is taken by packets that may not be given up.
  public mutating func submit(_ packet: Packet, isExpress: Bool = false, at now: Instant) -> UInt32? {
    let pending = parameters.receivers.wanting(packet.kind)
    if parameters.hasSpool { makeWay(for: packet.kind.priority) }
    if !pending.isEmpty, entries.isFull, !makeRoom(for: packet.kind.priority) {
      refusedCount &+= 1
      return nil
    }
    let sequence = nextSequence
    nextSequence &+= 1
    guard !pending.isEmpty else { return sequence }
    let isToSpool = packet.kind.priority == .report && !isExpress && isBehind(pending)
    entries.append(
      Entry(packet: packet, pending: pending, stage: isToSpool ? .toSpool : .fresh, isExpress: isExpress, since: now))
    entries[entries.count - 1].packet.sequence = sequence
    entries[entries.count - 1].packet.boot = boot
    if isToSpool { leavingCount += 1 } else { freshCount += 1 }
    updateDeadline()
    return sequence
  }

  // MARK: Alerts that are told again

  /// True while an alert waits that nobody has yet: to repeat it would put another behind it.
  ///
  /// - Parameter kind: Alerts of which kind.
  public func hasUnheardAlert(_ kind: PacketKind) -> Bool {
    let wanting = parameters.receivers.wanting(kind)
    for place in 0..<entries.count where entries[place].packet.kind == kind && entries[place].pending == wanting {
      return true
    }
    return false
  }

  /// Takes back what was repeated and still waits for somebody: a newer one takes its place.
  ///
  /// - Parameter kind: Alerts of which kind.
  public mutating func withdrawRepetitions(of kind: PacketKind) {
    var place = entries.count
    while place > 0 {
      place -= 1
      if entries[place].packet.kind == kind, entries[place].packet.alert?.repetition ?? 0 > 0 { remove(at: place) }
    }
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
      // One that only a receiver lacks which is away must not keep others from hearing of a new one.
      if victim == nil { victim = firstPlace([.partial]) }
    }
    guard let victim else { return false }
    remove(at: victim)
    evictedCount &+= 1
    return true
  }

  mutating func remove(at place: Int) {
    switch entries[place].stage {
    case .fresh: freshCount -= 1
    case .toSpool: leavingCount -= 1
    case .offered, .handedOver: break
    }
    entries.remove(at: place)
    updateDeadline()
  }

  /// The place of the next packet that has not been handed over in this life; it counts as handed over.
  public mutating func nextToHandOver() -> Int? {
    guard freshCount > 0 else { return nil }
    var best: Int?
    for place in 0..<entries.count where entries[place].stage == .fresh {
      if let held = best, priority(at: held) >= priority(at: place) { continue }
      best = place
    }
    guard let best else { return nil }
    entries[best].stage = .handedOver
    freshCount -= 1
    return best
  }

  /// The lane of the packet at a place.
  public func priority(at place: Int) -> PacketPriority {
    entries[place].isExpress ? .notice : entries[place].packet.kind.priority
  }

  /// A receiver has the packet.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - receiver: Who; nil for all.
  /// - Returns: False when it does not wait for that receiver: acknowledged before, or never made.
  @discardableResult public mutating func acknowledge(_ sequence: UInt32, by receiver: Int? = nil) -> Bool {
    acknowledge(at: place(of: sequence), by: receiver)
  }

  /// A receiver has the packet at a place; nil for one that does not wait.
  package mutating func acknowledge(at place: Int?, by receiver: Int?) -> Bool {
    // What it lacks since is newer than what the spool has of it.
    if let receiver, recall.laggards.contains(receiver), isSpoolAwaited(by: receiver) { leaveLaggardsBehind() }
    recall.laggards.subtract(receiver.map { ReceiverSet($0) } ?? parameters.receivers.all)
    guard let place = settle(place, receiver) else { return false }
    if entries[place].pending.isEmpty {
      remove(at: place)
      acknowledgedCount &+= 1
    } else if isAwaited {
      leaveLaggardsBehind()
    }
    return true
  }

  /// A receiver will never get the packet: none of its ways can carry it.
  ///
  /// - Returns: False when it does not wait for that receiver.
  @discardableResult public mutating func giveUp(_ sequence: UInt32, for receiver: Int) -> Bool {
    guard let place = settle(place(of: sequence), receiver) else { return false }
    uncarriedCount &+= 1
    if entries[place].pending.isEmpty { remove(at: place) }
    return true
  }

  /// Strikes a receiver out; the packet's place, or nil when it does not wait for that receiver.
  private mutating func settle(_ place: Int?, _ receiver: Int?) -> Int? {
    guard let place else { return nil }
    guard let receiver else {
      entries[place].pending = []
      return place
    }
    guard entries[place].pending.contains(receiver) else { return nil }
    entries[place].pending.remove(ReceiverSet(receiver))
    return place
  }

  /// Gives up what has waited too long.
  ///
  /// - Returns: True when a packet left.
  public mutating func advance(to now: Instant) -> Bool {
    guard let due = nextDeadline, due <= now else { return false }
    var place = 0
    while place < entries.count {
      if let end = end(at: place), end <= now {
        remove(at: place)
        expiredCount &+= 1
      } else {
        place += 1
      }
    }
    updateDeadline()
    return true
  }

  private func end(at place: Int) -> Instant? {
    guard let lifetime = parameters.lifetime(of: entries[place].packet.kind.priority) else { return nil }
    // Beyond the end of the clock nothing ends.
    let (end, isOver) = entries[place].since.microseconds.addingReportingOverflow(lifetime.microseconds)
    return isOver ? nil : Instant(microseconds: end)
  }

  private mutating func updateDeadline() {
    var earliest: Instant?
    for place in 0..<entries.count {
      if let end = end(at: place) { earliest = min(earliest ?? end, end) }
    }
    nextDeadline = earliest
  }
}

extension Outbox: Sendable {}
