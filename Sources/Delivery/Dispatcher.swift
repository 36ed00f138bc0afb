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

  /// Tuning.
  public let parameters: OutboxParameters
  /// How long a packet may wait on a way before the next way gets it, too; for alerts a quarter of it.
  public let fallbackAfter: Interval
  /// What happened so far.
  public internal(set) var counts = DeliveryCounts()

  var ways = InlineVector<8, DeliveryWay>()
  var states = InlineVector<8, WayState>()
  var parcels = InlineVector<128, Parcel>()
  /// True while something more urgent than reports is about to come: no report is given to a way.
  public var holdsReports = false { didSet { hasNews = hasNews || holdsReports != oldValue } }

  /// Ways that have failed and delivered nothing since.
  var unproven = WaySet()
  /// Ways whose port was asked to hand something back.
  var askedForRoom = WaySet()
  var jitter: SplitMix64
  var now = Instant.zero
  /// True when something has changed since the last look.
  var hasNews = false
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

  mutating func release(_ place: Int, _ way: Int) {
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

  func isHeld(_ priority: PacketPriority) -> Bool { holdsReports && priority == .report }

  mutating func seeTo(_ priority: PacketPriority) -> DeliveryStep? {
    for place in 0..<parcels.count where parcels[place].isActive && parcels[place].priority == priority {
      if let step = seeTo(place) { return step }
    }
    return nil
  }
}
