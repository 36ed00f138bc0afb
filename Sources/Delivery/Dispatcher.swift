import InlineStorage
public import Quantities
public import Telemetry

/// Brings every packet to every receiver that wants it, on the best of the receiver's ways.
///
/// It knows packets by number and lane only, does no input or output, and follows from its parameters, its seed and the calls.
/// A packet and a receiver are a parcel. A parcel goes to the receiver's first way that is open, else to the first that has not
/// failed, else to the first, once that way has room; alerts before notices before reports, in a lane the oldest first. When it is not
/// acknowledged in time (alerts: a quarter of it), or when its ways fail, the best of the receiver's other ways gets it, too. The
/// first acknowledgement wins and the others forget it; nothing else clears a parcel. So duplicates happen, and loss does not.
/// A packet that all ways have handed back is tried again after a wait that doubles, with jitter, so that many trackers do not
/// come back at the same moment; when one of them works again it is tried at once.
///
/// What a port has in hand can't be overtaken, what waits here can. So a way that has failed gets one report at a time until it has
/// delivered something, and none while its owner has something more urgent (`holdsReports`): after an outage where the vehicle is now.
///
///     dispatcher.take(sequence, priority, for: receivers, at: now)      // or setState, delivered, handedBack, advance
///     while let step = dispatcher.nextStep() { … }                      // then sleep until dispatcher.nextDeadline
///
/// - Complexity: O(parcels × ways) for a call of `nextStep` after news; no allocation.
public struct Dispatcher: ~Copyable {
  /// The most ways.
  public static var wayCapacity: Int { 8 }

  /// A packet on its way to a receiver.
  private struct Parcel: BitwiseCopyable {
    enum Outcome: UInt8 { case none, acknowledged, gaveUp, told }
    var sequence: UInt32
    var priority: PacketPriority
    var receiver: UInt8
    var outcome = Outcome.none
    /// Ways that have it in hand.
    var holders = WaySet()
    /// Of these, ways that shall get its next part when they have delivered this one.
    var unfinished = WaySet()
    /// Ways on which it takes several messages: what they tell late is of no use.
    var inParts = WaySet()
    /// Ways that handed it back; none when a new round begins.
    var refusers = WaySet()
    /// Ways whose format can't carry it.
    var incapable = WaySet()
    /// Ways that are to get the part of now.
    var due = WaySet()
    /// Tries before the end of its wait, because a way had come back.
    var earlyRetries: UInt8 = 0
    /// The part each way is at, four bits each.
    var parts: UInt32 = 0
    var round: UInt8 = 0
    var attempts: UInt16 = 0
    /// When another way may get it, or those that handed it back again.
    var deadline: Instant?

    /// True while a way may still get it.
    var isActive: Bool { outcome == .none }

    func part(_ way: Int) -> UInt8 { UInt8(truncatingIfNeeded: parts >> UInt32(way * 4) & 0xF) }
    mutating func setPart(_ way: Int, _ part: UInt8) {
      parts = parts & ~(0xF << UInt32(way * 4)) | UInt32(part & 0xF) << UInt32(way * 4)
    }
  }

  /// Tuning.
  public let parameters: OutboxParameters
  /// How long a packet may wait on a way before the next way gets it, too; for alerts a quarter of it.
  public let fallbackAfter: Interval
  /// What happened so far.
  public private(set) var counts = DeliveryCounts()

  private var ways = InlineVector<8, DeliveryWay>()
  private var states = InlineVector<8, WayState>()
  private var parcels = InlineVector<128, Parcel>()
  /// True while something more urgent than reports is about to come: no report is given to a way.
  public var holdsReports = false { didSet { hasNews = hasNews || holdsReports != oldValue } }

  /// Ways that have failed and delivered nothing since.
  private var unproven = WaySet()
  /// Ways whose port was asked to hand something back.
  private var askedForRoom = WaySet()
  private var jitter: SplitMix64
  private var now = Instant.zero
  /// True when something has changed since the last look.
  private var hasNews = false
  private let inPlace = InPlace()

  /// A dispatcher with nothing to do.
  ///
  /// - Parameters:
  ///   - parameters: Waits and receivers, as the outbox has them.
  ///   - fallbackAfter: Default 20 s.
  ///   - seed: Of the jitter.
  public init(parameters: OutboxParameters = OutboxParameters(), fallbackAfter: Interval = .seconds(20), seed: UInt64) {
    self.parameters = parameters
    self.fallbackAfter = max(.milliseconds(100), fallbackAfter)
    jitter = SplitMix64(seed: seed)
  }

  /// Adds a way; of a receiver's ways the one added first is preferred.
  ///
  /// - Returns: Its number from 0, or nil when there are eight.
  @discardableResult public mutating func add(_ way: DeliveryWay) -> Int? {
    guard ways.append(way), states.append(.idle) else { return nil }
    return ways.count - 1
  }

  /// A way.
  public func way(_ number: Int) -> DeliveryWay { ways[number] }

  /// How many ways there are.
  public var wayCount: Int { ways.count }

  /// Parcels that are not delivered yet.
  public var count: Int {
    var count = 0
    for place in 0..<parcels.count where parcels[place].isActive { count += 1 }
    return count
  }

  /// How often a packet was given to a way.
  public func attempts(of sequence: UInt32) -> Int {
    var attempts = 0
    for place in 0..<parcels.count where parcels[place].sequence == sequence {
      attempts += Int(parcels[place].attempts)
    }
    return attempts
  }

  /// True when a way has the packet in hand.
  public func isHeld(_ sequence: UInt32, by way: Int) -> Bool {
    guard let place = place(of: sequence, way: way) else { return false }
    return parcels[place].holders.contains(way)
  }

  // MARK: In

  /// Takes a packet for the receivers that do not have it; one that is known is on its way.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - priority: Its lane.
  ///   - receivers: Who does not have it.
  ///   - time: Now.
  public mutating func take(
    _ sequence: UInt32, _ priority: PacketPriority, for receivers: ReceiverSet, at time: Instant
  ) {
    begin(at: time)
    for receiver in 0..<ReceiverList.capacity where receivers.contains(receiver) {
      guard place(of: sequence, receiver: receiver) == nil else { continue }
      // One that comes late, from a spool, goes before those that were made after it.
      var index = parcels.count
      for other in 0..<parcels.count where parcels[other].priority == priority && parcels[other].sequence > sequence {
        index = other
        break
      }
      let parcel = Parcel(sequence: sequence, priority: priority, receiver: UInt8(receiver))
      if !parcels.insert(parcel, at: index) { counts.refused &+= 1 }
    }
  }

  /// Forgets a packet that its owner has given up: it is not to be sent hours later.
  public mutating func drop(_ sequence: UInt32) {
    hasNews = true
    for place in 0..<parcels.count where parcels[place].sequence == sequence { parcels[place].outcome = .told }
  }

  /// Forgets every packet that its owner has given up.
  public mutating func keepOnly(_ isWaiting: (UInt32) -> Bool) {
    for place in 0..<parcels.count where parcels[place].isActive && !isWaiting(parcels[place].sequence) {
      hasNews = true
      parcels[place].outcome = .told
    }
  }

  /// A way has another state.
  public mutating func setState(_ state: WayState, of way: Int, at time: Instant) {
    guard way >= 0, way < states.count, states[way] != state else { return }
    begin(at: time)
    states[way] = state
    if state == .failed { unproven.insert(WaySet(way)) }
  }

  /// The port of a way has taken a part of a packet.
  ///
  /// - Parameter isLast: False when another part follows once this one is delivered.
  public mutating func began(_ sequence: UInt32, on way: Int, isLast: Bool) {
    guard let place = place(of: sequence, way: way) else { return }
    guard !isLast else { return parcels[place].unfinished = parcels[place].unfinished.subtracting(WaySet(way)) }
    parcels[place].unfinished.insert(WaySet(way))
    parcels[place].inParts.insert(WaySet(way))
  }

  /// The format of a way can't carry the packet: the next way is tried, and when there is none the packet is given up.
  public mutating func cantCarry(_ sequence: UInt32, on way: Int, at time: Instant) {
    begin(at: time)
    guard let place = place(of: sequence, way: way), parcels[place].holders.contains(way) else { return }
    counts.uncarried &+= 1
    release(place, way)
    parcels[place].incapable.insert(WaySet(way))
    parcels[place].attempts &-= 1
    parcels[place].deadline = nil
  }

  /// The server behind a way has what the way was given last of a packet.
  public mutating func delivered(_ sequence: UInt32, on way: Int, at time: Instant) {
    begin(at: time)
    if unproven.contains(way) {
      unproven.remove(WaySet(way))
      retry(on: way)
    }
    guard let place = place(of: sequence, way: way), parcels[place].isActive else {
      counts.unexpected &+= 1
      if let place = place(of: sequence, way: way) { release(place, way) }
      return
    }
    if parcels[place].holders.contains(way), parcels[place].unfinished.contains(way) {
      parcels[place].setPart(way, parcels[place].part(way) &+ 1)
      parcels[place].due.insert(WaySet(way))
      return
    }
    guard parcels[place].holders.contains(way) || !parcels[place].inParts.contains(way) else {
      counts.unexpected &+= 1
      return
    }
    release(place, way)
    parcels[place].outcome = .acknowledged
  }

  /// A way that had failed works: what it handed back goes at once and in order, not each at the end of its own wait. What is handed back
  /// again and again for a reason of its own has that a few times only.
  private mutating func retry(on way: Int) {
    for place in 0..<parcels.count where parcels[place].isActive && parcels[place].receiver == ways[way].receiver {
      guard parcels[place].holders.isEmpty, parcels[place].refusers.contains(way), parcels[place].earlyRetries < 3
      else { continue }
      parcels[place].refusers.remove(WaySet(way))
      parcels[place].deadline = nil
      parcels[place].earlyRetries += 1
    }
  }

  /// A way hands a packet back: another gets it, or it is tried again later.
  public mutating func handedBack(_ sequence: UInt32, by way: Int, at time: Instant) {
    begin(at: time)
    guard let place = place(of: sequence, way: way), parcels[place].holders.contains(way) else { return }
    release(place, way)
    parcels[place].refusers.insert(WaySet(way))
    // While another has it this one may get it again, but not at once.
    parcels[place].deadline = parcels[place].holders.isEmpty ? nil : now + limit(parcels[place])
  }

  /// A way hands a packet back only to make room for an alert; it gets it again.
  public mutating func madeRoom(_ sequence: UInt32, by way: Int, at time: Instant) {
    begin(at: time)
    guard let place = place(of: sequence, way: way), parcels[place].holders.contains(way) else { return }
    release(place, way)
    parcels[place].attempts &-= 1
    parcels[place].deadline = nil
  }

  /// Lets time pass.
  public mutating func advance(to time: Instant) {
    guard let due = nextDeadline, due <= time else { return }
    begin(at: time)
  }

  private mutating func begin(at time: Instant) {
    now = max(now, time)
    hasNews = true
  }

  private mutating func release(_ place: Int, _ way: Int) {
    parcels[place].holders.remove(WaySet(way))
    parcels[place].due.remove(WaySet(way))
    parcels[place].unfinished.remove(WaySet(way))
    parcels[place].setPart(way, 0)
    for other in 0..<ways.count where ways[other].port == ways[way].port { askedForRoom.remove(WaySet(other)) }
  }

  private func place(of sequence: UInt32, receiver: Int) -> Int? {
    for place in 0..<parcels.count
    where parcels[place].sequence == sequence && Int(parcels[place].receiver) == receiver
      && parcels[place].outcome != .told
    {
      return place
    }
    return nil
  }

  private func place(of sequence: UInt32, way: Int) -> Int? {
    guard way >= 0, way < ways.count else { return nil }
    for place in 0..<parcels.count
    where parcels[place].sequence == sequence && parcels[place].receiver == ways[way].receiver { return place }
    return nil
  }

  // MARK: Out

  /// When `advance` has something to do.
  public var nextDeadline: Instant? {
    if hasNews { return now }
    var earliest: Instant?
    for place in 0..<parcels.count where parcels[place].isActive && !isHeld(parcels[place].priority) {
      if let due = parcels[place].deadline { earliest = min(earliest ?? due, due) }
    }
    return earliest
  }

  /// The next thing to do; nil when all is done until something happens or `nextDeadline` comes.
  public mutating func nextStep() -> DeliveryStep? {
    guard hasNews else { return nil }
    if let step = nextOutcome() { return step }
    // Alerts first, then notices, then reports.
    if let step = seeTo(.alert) { return step }
    if let step = seeTo(.notice) { return step }
    if !isHeld(.report), let step = seeTo(.report) { return step }
    hasNews = false
    return nil
  }

  /// Tells what became of parcels, and clears those that are done.
  private mutating func nextOutcome() -> DeliveryStep? {
    var place = 0
    while place < parcels.count {
      let parcel = parcels[place]
      switch parcel.outcome {
      case .none: place += 1
      case .acknowledged:
        parcels[place].outcome = .told
        return .acknowledged(sequence: parcel.sequence, receiver: parcel.receiver)
      case .gaveUp:
        parcels[place].outcome = .told
        return .gaveUp(sequence: parcel.sequence, receiver: parcel.receiver)
      case .told:
        for way in 0..<ways.count where parcel.holders.contains(way) {
          release(place, way)
          return .forget(sequence: parcel.sequence, way: UInt8(way))
        }
        parcels.remove(at: place)
      }
    }
    return nil
  }

  private func isHeld(_ priority: PacketPriority) -> Bool { holdsReports && priority == .report }

  private mutating func seeTo(_ priority: PacketPriority) -> DeliveryStep? {
    for place in 0..<parcels.count where parcels[place].isActive && parcels[place].priority == priority {
      if let step = seeTo(place) { return step }
    }
    return nil
  }

  /// What a parcel needs now.
  private mutating func seeTo(_ place: Int) -> DeliveryStep? {
    for way in 0..<ways.count where parcels[place].due.contains(way) {
      parcels[place].due.remove(WaySet(way))
      return give(place, way)
    }
    let isLate = parcels[place].deadline.map { $0 <= now } ?? false
    let held = parcels[place].holders
    if !held.isEmpty, !isLate {
      // All of its ways have failed, and there is another.
      guard haveFailed(held), let way = best(for: place, mustHaveRoom: true), states[way] != .failed else { return nil }
      return assign(place, way)
    }
    // It waits before it goes to those again that handed it back.
    if held.isEmpty, parcels[place].deadline != nil, !isLate, candidates(for: place).isEmpty { return nil }
    if let way = best(for: place, mustHaveRoom: false) {
      if hasRoom(way, for: place) { return assign(place, way) }
      if isLate, let other = best(for: place, mustHaveRoom: true) { return assign(place, other) }
      return waitForRoom(place, way, isLate)
    }
    return nobodyLeft(place, isLate)
  }

  private mutating func waitForRoom(_ place: Int, _ way: Int, _ isLate: Bool) -> DeliveryStep? {
    // What has a way already is in no hurry for another.
    if !parcels[place].holders.isEmpty {
      parcels[place].deadline = now + limit(parcels[place])
      return nil
    }
    if parcels[place].deadline == nil || isLate { parcels[place].deadline = now + limit(parcels[place]) }
    guard parcels[place].priority == .alert, !askedForRoom.contains(way), !isHeldByAlerts(way) else { return nil }
    askedForRoom.insert(WaySet(way))
    return .makeRoom(way: UInt8(way))
  }

  /// Every way has it, has handed it back, or can't carry it.
  private mutating func nobodyLeft(_ place: Int, _ isLate: Bool) -> DeliveryStep? {
    guard !parcels[place].refusers.isEmpty else {
      parcels[place].deadline = nil
      if parcels[place].holders.isEmpty, hasWay(parcels[place].receiver) {
        parcels[place].outcome = .told
        return .gaveUp(sequence: parcels[place].sequence, receiver: parcels[place].receiver)
      }
      return nil
    }
    if isLate {
      parcels[place].refusers = []
      parcels[place].round = parcels[place].round == .max ? .max : parcels[place].round + 1
      counts.retries &+= 1
      if let way = best(for: place, mustHaveRoom: true) { return assign(place, way) }
      parcels[place].deadline = now + limit(parcels[place])
      return nil
    }
    if parcels[place].deadline == nil { parcels[place].deadline = now + wait(afterRounds: parcels[place].round) }
    return nil
  }

  private mutating func assign(_ place: Int, _ way: Int) -> DeliveryStep {
    if !parcels[place].holders.isEmpty || !parcels[place].refusers.isEmpty { counts.fallbacks &+= 1 }
    parcels[place].holders.insert(WaySet(way))
    parcels[place].setPart(way, 0)
    let isLast = candidates(for: place).isEmpty && parcels[place].refusers.isEmpty
    parcels[place].deadline = isLast ? nil : now + limit(parcels[place])
    return give(place, way)
  }

  private mutating func give(_ place: Int, _ way: Int) -> DeliveryStep {
    parcels[place].attempts = parcels[place].attempts == .max ? .max : parcels[place].attempts + 1
    return .give(sequence: parcels[place].sequence, way: UInt8(way), part: parcels[place].part(way))
  }

  private func limit(_ parcel: Parcel) -> Interval {
    parcel.priority == .alert ? Interval(microseconds: fallbackAfter.microseconds / 4) : fallbackAfter
  }

  // MARK: Choice

  /// Ways that could get the parcel.
  private func candidates(for place: Int) -> WaySet {
    let parcel = parcels[place]
    var result = WaySet()
    for way in 0..<ways.count where ways[way].receiver == parcel.receiver { result.insert(WaySet(way)) }
    return result.subtracting(parcel.holders).subtracting(parcel.refusers).subtracting(parcel.incapable)
  }

  private func hasWay(_ receiver: UInt8) -> Bool {
    for way in 0..<ways.count where ways[way].receiver == receiver { return true }
    return false
  }

  private func best(for place: Int, mustHaveRoom: Bool) -> Int? {
    let free = candidates(for: place)
    var best: Int?
    var bestRank = 3
    for way in 0..<ways.count where free.contains(way) {
      let rank = states[way] == .open ? 0 : states[way] == .failed ? 2 : 1
      if rank < bestRank, !mustHaveRoom || hasRoom(way, for: place) { (best, bestRank) = (way, rank) }
    }
    return best
  }

  private func haveFailed(_ set: WaySet) -> Bool {
    for way in 0..<ways.count where set.contains(way) && states[way] != .failed { return false }
    return true
  }

  /// True when the port of a way can take one more.
  private func hasRoom(_ way: Int, for place: Int) -> Bool {
    if parcels[place].priority == .alert, ways[way].takesEveryAlert { return true }
    let isTrial = parcels[place].priority == .report && unproven.contains(way)
    return inHand(way) < (isTrial ? 1 : Int(ways[way].capacity))
  }

  /// Packets that the port of a way has in hand.
  private func inHand(_ way: Int) -> Int {
    var count = 0
    for place in 0..<parcels.count where !parcels[place].holders.isEmpty {
      for other in 0..<ways.count where ways[other].port == ways[way].port && parcels[place].holders.contains(other) {
        count += 1
      }
    }
    return count
  }

  private func isHeldByAlerts(_ way: Int) -> Bool {
    for place in 0..<parcels.count where parcels[place].priority != .alert {
      for other in 0..<ways.count where ways[other].port == ways[way].port && parcels[place].holders.contains(other) {
        return false
      }
    }
    return true
  }

  /// No try follows another at once, whatever the parameters say.
  private var minimumWait: Int64 { 100_000 }

  /// The wait before a round: the time-out doubled per round up to the maximum, plus up to a quarter of jitter.
  private mutating func wait(afterRounds rounds: UInt8) -> Interval {
    let longest = max(minimumWait, min(parameters.maximumTimeout.microseconds, 1 << 50))
    var wait = min(max(minimumWait, parameters.acknowledgementTimeout.microseconds), longest)
    var step: UInt8 = 0
    while step < rounds, wait < longest {
      wait = min(longest, wait * 2)
      step += 1
    }
    return Interval(microseconds: wait) + Interval(microseconds: Int64(jitter.next() % UInt64(max(1, wait / 4))))
  }
}
