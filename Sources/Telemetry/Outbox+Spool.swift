import InlineStorage
import Quantities

/// The spool: the owner's, for packets that the outbox has no room for.
///
/// While `reportCapacity` reports wait, or the spool holds some that the receivers lack, a new report goes to the spool
/// (`nextToSpool`). They come back by their numbers, the lowest first, when there is room (`nextToRecall`). To a single receiver all
/// arrives in order, because what waits in the outbox is older than what is in the spool.
///
/// One of several receivers that takes nothing while others do is a laggard: when it lacks half of `reportCapacity` packets that
/// others have, these go to the spool for it alone, but for the oldest, which are tried on, and the others get theirs as if it
/// were not there. With its first answer it is none any more. It gets what it missed by their numbers then, and what is new in
/// between.
extension Outbox {
  /// How far a recall has come, and for whom one is worth while.
  struct Recall: BitwiseCopyable {
    /// Receivers that the spool may hold something for.
    var awaiting = ReceiverSet()
    /// Receivers that lag behind others; nothing comes back for them alone.
    var laggards = ReceiverSet()
    /// Packets asked for, from `nextToRecall` until the owner has told what is left; zero when none are.
    var asked: UInt8 = 0
    /// Those they were asked for.
    var receivers = ReceiverSet()
  }

  // MARK: To the spool

  /// The place of a packet that the owner is to put into the spool; it is asked once, and answers by `spooled`.
  public mutating func nextToSpool() -> Int? {
    guard leavingCount > 0 else { return nil }
    for place in 0..<entries.count where entries[place].stage == .toSpool {
      entries[place].stage = .offered
      leavingCount -= 1
      return place
    }
    return nil
  }

  /// The owner has put a packet into the spool, or could not: then it waits here as others do.
  ///
  /// - Returns: False when it was not asked to.
  @discardableResult public mutating func spooled(_ sequence: UInt32, isKept: Bool) -> Bool {
    guard let place = place(of: sequence), entries[place].stage == .offered else { return false }
    if isKept {
      recall.awaiting.formUnion(entries[place].pending)
      remove(at: place)
      spooledCount += 1
    } else {
      entries[place].stage = .fresh
      freshCount += 1
    }
    return true
  }

  /// True when a new report has to stand behind others that the outbox has no room for.
  ///
  /// - Parameter receivers: Who wants it.
  func isBehind(_ receivers: ReceiverSet) -> Bool {
    guard parameters.hasSpool else { return false }
    if reportCount >= parameters.reportCapacity { return true }
    let answering = receivers.subtracting(recall.laggards)
    if spooledCount > 0, answering.isSubset(of: recall.awaiting) { return true }
    guard leavingCount > 0 else { return false }
    for place in 0..<entries.count where entries[place].isLeaving && answering.isSubset(of: entries[place].pending) {
      return true
    }
    return false
  }

  /// Makes way for a new packet, while the spool takes others.
  mutating func makeWay(for priority: PacketPriority) {
    if priority == .report, reportCount >= parameters.reportCapacity { leaveLaggardsBehind() }
    // There is to be room for the next alerts.
    guard entries.count > capacity - 4, let place = leastNeeded else { return }
    if traits(at: place).contains(.partial) { recall.laggards.formUnion(entries[place].pending) }
    send(toSpool: place)
  }

  /// What goes first when alerts and notices fill the outbox: the newest report that only a laggard lacks, then the newest of all, what some
  /// have, and the newest of the rest.
  private var leastNeeded: Int? {
    lastPlace([.report, .here, .leftBehind]) ?? lastPlace([.report, .here]) ?? firstPlace([.partial, .here])
      ?? lastPlace([.notice, .here]) ?? lastPlace([.here])
  }

  /// Finds the laggards, and sends away what only they lack, but for the oldest, which they are tried with: what they missed is to come
  /// in order.
  mutating func leaveLaggardsBehind() {
    let limit = max(1, parameters.reportCapacity / 2)
    for receiver in 0..<parameters.receivers.count {
      var lag = 0
      for place in 0..<entries.count where entries[place].pending.contains(receiver) {
        if traits(at: place).isSuperset(of: [.partial, .here]) { lag += 1 }
      }
      if lag >= limit { recall.laggards.insert(ReceiverSet(receiver)) }
    }
    guard !recall.laggards.isEmpty else { return }
    // Each laggard has some to answer to, and all together no more than half of the room.
    var laggards = 0
    for receiver in 0..<ReceiverList.capacity where recall.laggards.contains(receiver) { laggards += 1 }
    let share = max(1, limit / max(1, laggards))
    var kept = InlineArray<4, Int>(repeating: 0)
    for place in 0..<entries.count {
      guard traits(at: place).isSuperset(of: [.report, .here, .leftBehind]) else { continue }
      var isKept = false
      for receiver in 0..<ReceiverList.capacity where entries[place].pending.contains(receiver) {
        guard kept[receiver] < share else { continue }
        kept[receiver] += 1
        isKept = true
      }
      if !isKept { send(toSpool: place) }
    }
  }

  private mutating func send(toSpool place: Int) {
    if entries[place].stage == .fresh { freshCount -= 1 }
    entries[place].stage = .toSpool
    leavingCount += 1
  }

  /// Reports that wait here, without those that leave for the spool.
  private var reportCount: Int {
    var count = 0
    for place in 0..<entries.count where entries[place].isReport && !entries[place].isLeaving { count += 1 }
    return count
  }

  // MARK: Back from the spool

  /// How many packets of the spool there is room for, when there is room for several, and who lacks them: others are to stay.
  ///
  /// The owner is asked once, puts them in (`restore`), and says what is left (`noteSpool`).
  public mutating func nextToRecall() -> (count: Int, receivers: ReceiverSet)? {
    guard let room = roomForRecall else { return nil }
    recall.asked = UInt8(clamping: room)
    // Those that are not there any more, too: their packets go to who wants them now.
    recall.receivers = ReceiverSet(rawValue: .max).subtracting(recall.laggards)
    return (Int(recall.asked), recall.receivers)
  }

  /// The owner's spool holds so many packets.
  public mutating func noteSpool(count: Int) {
    let isAnswer = recall.asked > 0
    let taken = spooledCount - count
    if !isAnswer {
      // After a start nobody knows for whom.
      recall.awaiting = parameters.receivers.all
    } else if taken < Int(recall.asked) {
      recall.awaiting.subtract(recall.receivers)
    }
    spooledCount = max(0, count)
    if spooledCount == 0 { recall.awaiting = [] }
    recall.asked = 0
    // They may be what only laggards lack.
    if isAnswer, isAwaited { leaveLaggardsBehind() }
  }

  /// True when the spool may hold something for somebody who takes packets.
  var isAwaited: Bool { spooledCount > 0 && !recall.awaiting.isSubset(of: recall.laggards) }

  /// True when the spool may hold something for a receiver; nil for any.
  package func isSpoolAwaited(by receiver: Int?) -> Bool {
    spooledCount > 0 && (receiver.map { recall.awaiting.contains($0) } ?? true)
  }

  /// True when a receiver lacks where the vehicle was: some of it is in the spool, or two reports wait here, the older for a minute.
  ///
  /// - Parameters:
  ///   - receiver: Who; nil for any.
  ///   - now: When.
  package func hasBacklog(for receiver: Int?, at now: Instant) -> Bool {
    if isSpoolAwaited(by: receiver) { return true }
    var (count, isLate) = (0, false)
    for place in 0..<entries.count where entries[place].isReport {
      guard receiver.map({ entries[place].pending.contains($0) }) ?? true else { continue }
      count += 1
      isLate = isLate || now - entries[place].since >= .seconds(60)
    }
    return count >= 2 && isLate
  }

  /// What waits for a receiver that answers, in one look.
  package struct Standing {
    /// Where the packet is that it answers; nil when that does not wait.
    package var place: Int?
    /// True when it lacks a report for a minute that others have: it is away, or was.
    package var isStuck = false
    /// True when a report that goes before others waits for it, made within a minute: it tells where the vehicle is.
    package var isTold = false
  }

  /// Looks what waits for a receiver, and where a packet is.
  ///
  /// - Parameters:
  ///   - receiver: Who; nil for all, of whom only the place is known.
  ///   - sequence: The number of the packet.
  ///   - now: When.
  package func standing(of receiver: Int?, answering sequence: UInt32, at now: Instant) -> Standing {
    var standing = Standing()
    for place in 0..<entries.count {
      if standing.place == nil, entries[place].packet.sequence == sequence { standing.place = place }
      guard let receiver, entries[place].pending.contains(receiver) else { continue }
      let isRecent = now - entries[place].since < .seconds(60)
      if isRecent {
        standing.isTold = standing.isTold || entries[place].isExpress
      } else if !standing.isStuck {
        standing.isStuck = traits(at: place).isSuperset(of: [.report, .partial])
      }
    }
    return standing
  }

  /// How many reports can come back from the spool; nil while there is nothing to ask for.
  private var roomForRecall: Int? {
    guard isAwaited, recall.asked == 0 else { return nil }
    let room = min(parameters.reportCapacity - reportCount, capacity - 4 - entries.count)
    return room > 0 && room * 2 >= parameters.reportCapacity ? room : nil
  }

  /// True when `nextToSpool`, `nextToHandOver` or `nextToRecall` has something for the owner.
  public var hasNews: Bool { leavingCount > 0 || freshCount > 0 || (spooledCount > 0 && roomForRecall != nil) }

  // MARK: What is where

  /// What a packet that waits is like, for the question which goes first.
  struct Traits: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    static var report: Traits { Traits(rawValue: 1) }
    static var notice: Traits { Traits(rawValue: 2) }
    /// It may be sent to the spool: what is to go first only once somebody has it.
    static var here: Traits { Traits(rawValue: 4) }
    /// Some who wanted it have it, and others lack it.
    static var partial: Traits { Traits(rawValue: 8) }
    /// Only laggards lack it.
    static var leftBehind: Traits { Traits(rawValue: 16) }
  }

  private func traits(at place: Int) -> Traits {
    let (kind, pending) = (entries[place].packet.kind, entries[place].pending)
    var traits = Traits()
    if kind.priority == .report { traits.insert(.report) }
    if kind.priority == .notice { traits.insert(.notice) }
    let isPartial = pending != parameters.receivers.wanting(kind)
    if isPartial { traits.insert(.partial) }
    if !entries[place].isLeaving, !entries[place].isExpress || isPartial { traits.insert(.here) }
    if pending.isSubset(of: recall.laggards) { traits.insert(.leftBehind) }
    return traits
  }

  /// The first place of a packet that has all of these.
  func firstPlace(_ wanted: Traits) -> Int? {
    for place in 0..<entries.count where traits(at: place).isSuperset(of: wanted) { return place }
    return nil
  }

  /// The last one.
  private func lastPlace(_ wanted: Traits) -> Int? {
    for place in stride(from: entries.count - 1, through: 0, by: -1) where traits(at: place).isSuperset(of: wanted) {
      return place
    }
    return nil
  }
}
