public import LinuxDevices
public import Quantities
public import Recording
public import Telemetry

/// Ways to the server in the order they are preferred; what one does not deliver in time, the next gets, too.
///
/// A packet goes to the first way that is open, else to the first that has not failed, else to the first. When it is not
/// acknowledged in time, when its way fails or hands it back, the best of the other ways gets it as well. The first
/// acknowledgement wins, and the other ways forget it; nothing else clears a packet. So duplicates happen, and loss does not.
///
/// The chain does nothing by itself: its owner calls `advance` when `nextDeadline` has come or `onNews` was called. Given the
/// same calls, states and news it does the same, on any clock.
public final class UplinkChain: PacketUplink {
  /// A packet that no way has delivered.
  private struct Parcel {
    var packet: OutgoingPacket
    /// Ways that work on it.
    var holders: Set<Int> = []
    /// Ways that had it and handed it back; none when a new round begins.
    var refusers: Set<Int> = []
    /// Times that those who handed it back got it again.
    var roundCount = 0
    /// When the next way gets it; nil when there is no other.
    var deadline: Instant?
  }

  /// The ways, the preferred first.
  public let ways: [any Uplink]
  /// How long a packet may wait on a way before the next way gets it, too; for alerts a quarter of it.
  public let fallbackAfter: Interval
  /// Called when `advance` has something to do at once.
  public var onNews: () -> Void = {}
  /// Takes satellite sentences of a modem's receiver.
  public var onSentences: ([UInt8]) -> Void = { _ in }
  /// Takes fixes of a modem's receiver.
  public var onFix: (GNSSFix) -> Void = { _ in }
  /// Why packets were handed back, the last of each way.
  public private(set) var refusals: [String?]
  /// Times a packet was given to a further way.
  public private(set) var fallbackCount = 0
  /// Acknowledgements of packets that were acknowledged before.
  public private(set) var lateCount = 0

  private var parcels: [Parcel] = []
  private var acknowledged: [UInt32] = []
  /// Told lately: a second acknowledgement of the same packet is not told again.
  private var told: [UInt32] = []
  private var requests: [[UInt8]] = []
  private var now = Instant.zero
  private var hasNews = false

  /// Acknowledgements that are remembered.
  static var memory: Int { 256 }

  /// - Parameters:
  ///   - ways: The preferred first; their `onNews` is taken.
  ///   - fallbackAfter: Default 20 s.
  public init(_ ways: [any Uplink], fallbackAfter: Interval = .seconds(20)) {
    self.ways = ways
    self.fallbackAfter = fallbackAfter
    refusals = [String?](repeating: nil, count: ways.count)
    for way in ways {
      way.onNews = { [unowned self] in
        hasNews = true
        onNews()
      }
    }
  }

  /// Starts all ways.
  ///
  /// - Throws: The first failure that no retry will mend; all ways are stopped then.
  public func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      for way in ways { try way.start(in: loop, at: now) }
    } catch {
      stop()
      throw error
    }
  }

  /// Stops all ways.
  public func stop() { for way in ways { way.stop() } }

  /// Packets that no way has delivered yet.
  public var count: Int { parcels.count }

  // MARK: In

  /// Takes a packet; one that is known already is on its way.
  public func take(sequence: UInt32, kind: PacketKind, bytes: [UInt8], at now: Instant) {
    self.now = max(self.now, now)
    guard !ways.isEmpty, !parcels.contains(where: { $0.packet.sequence == sequence }) else { return }
    // The tracker gives it again: whatever was told about the number, it wants to know anew.
    told.removeAll { $0 == sequence }
    parcels.append(Parcel(packet: OutgoingPacket(sequence: sequence, kind: kind, bytes: bytes)))
    giveNext(at: parcels.count - 1)
  }

  /// Forgets the packets that the tracker has given up for want of room: they are not to be sent hours later.
  public func keepOnly(_ isWaiting: (UInt32) -> Bool) {
    parcels.removeAll { parcel in
      guard !isWaiting(parcel.packet.sequence) else { return false }
      for way in parcel.holders { ways[way].forget(parcel.packet.sequence) }
      return true
    }
  }

  /// Takes what the ways tell, and gives packets that have waited long enough to the next way.
  public func advance(to now: Instant) {
    self.now = max(self.now, now)
    repeat {
      hasNews = false
      for way in ways.indices {
        while let news = ways[way].nextNews() { process(news, of: way) }
      }
      seeToParcels()
      // Giving a packet can bring news at once.
    } while hasNews
  }

  private func process(_ news: UplinkNews, of way: Int) {
    switch news {
    case .delivered(let sequence): delivered(sequence, by: way)
    case .undelivered(let sequence, let reason):
      refusals[way] = reason
      guard let place = parcels.firstIndex(where: { $0.packet.sequence == sequence }),
        parcels[place].holders.remove(way) != nil
      else { return }
      parcels[place].refusers.insert(way)
      giveNext(at: place)
    case .request(let bytes): requests.append(bytes)
    case .sentences(let bytes): onSentences(bytes)
    case .fix(let fix): onFix(fix)
    }
  }

  private func delivered(_ sequence: UInt32, by way: Int) {
    if let place = parcels.firstIndex(where: { $0.packet.sequence == sequence }) {
      let parcel = parcels.remove(at: place)
      for other in parcel.holders.sorted() where other != way { ways[other].forget(sequence) }
    }
    guard !told.contains(sequence) else {
      lateCount += 1
      return
    }
    if told.count == UplinkChain.memory { told.removeFirst() }
    told.append(sequence)
    acknowledged.append(sequence)
  }

  private func seeToParcels() {
    for place in parcels.indices {
      let isLate = parcels[place].deadline.map { $0 <= now } ?? false
      // All of its ways have failed, and there is another.
      let isStuck =
        parcels[place].holders.allSatisfy { isFailed($0) } && candidates(for: place).contains { !isFailed($0) }
      if isLate || isStuck { giveNext(at: place) }
    }
  }

  // MARK: Choice

  private func isFailed(_ way: Int) -> Bool {
    if case .failed = ways[way].state { return true }
    return false
  }

  /// Ways that could get the packet.
  private func candidates(for place: Int) -> [Int] {
    ways.indices.filter { !parcels[place].holders.contains($0) && !parcels[place].refusers.contains($0) }
  }

  /// Gives a packet to the best of the ways that do not have it.
  private func giveNext(at place: Int) {
    let free = candidates(for: place)
    guard let way = free.first(where: { ways[$0].state == .open }) ?? free.first(where: { !isFailed($0) }) ?? free.first
    else {
      // Everybody has it, or has handed it back: those get it again after a while, even if another still tries.
      guard !parcels[place].refusers.isEmpty else { return parcels[place].deadline = nil }
      if let deadline = parcels[place].deadline, deadline <= now {
        parcels[place].refusers = []
        parcels[place].roundCount += 1
        return giveNext(at: place)
      }
      // A packet that nobody takes is not to cost a modem's data three times a minute.
      let wait = fallbackAfter.microseconds << Int64(min(parcels[place].roundCount, 5))
      return parcels[place].deadline = now + Interval(microseconds: wait)
    }
    if !parcels[place].holders.isEmpty || !parcels[place].refusers.isEmpty { fallbackCount += 1 }
    parcels[place].holders.insert(way)
    let isAlert = parcels[place].packet.kind.priority == .alert
    let limit = isAlert ? Interval(microseconds: fallbackAfter.microseconds / 4) : fallbackAfter
    let isLast = candidates(for: place).isEmpty && parcels[place].refusers.isEmpty
    parcels[place].deadline = isLast ? nil : now + limit
    ways[way].take(parcels[place].packet, at: now)
  }

  // MARK: Out

  /// The next packet that its server has, each once.
  public func nextAcknowledgement() -> UInt32? { acknowledged.isEmpty ? nil : acknowledged.removeFirst() }

  /// The next request that came from a server.
  public func nextRequest() -> [UInt8]? { requests.isEmpty ? nil : requests.removeFirst() }

  /// When `advance` is wanted next.
  public var nextDeadline: Instant? {
    if hasNews { return now }
    return parcels.lazy.compactMap(\.deadline).min()
  }
}
