import Quantities
import Telemetry
import TestSupport
import Testing

private func packet(_ kind: PacketKind) -> Packet {
  Packet(kind: kind, time: .zero, utc: nil, phase: .riding, isArmed: false)
}

private func spooling(capacity: Int = 4, receivers: Int = 1) -> OutboxParameters {
  var parameters = OutboxParameters()
  parameters.hasSpool = true
  parameters.reportCapacity = capacity
  for _ in 1..<receivers { parameters.receivers.append(.all) }
  return parameters
}

/// An outbox of twelve places with its owner: a spool that may be full, and delivery that gets what is handed over.
private struct SpoolOwner: ~Copyable {
  var outbox: Outbox<12>
  var spool: [UInt32: (packet: Packet, pending: ReceiverSet)] = [:]
  var isFull = false
  var handed: [UInt32] = []
  /// Numbers that were refused or given up.
  var lost = 0

  init(receivers: Int = 1) { outbox = Outbox(parameters: spooling(receivers: receivers)) }

  mutating func settle() {
    while true {
      while let place = outbox.nextToSpool() {
        let packet = outbox.packet(at: place)
        if !isFull { spool[packet.sequence] = (packet, outbox.pending(at: place)) }
        let isAnswered = outbox.spooled(packet.sequence, isKept: !isFull)
        #expect(isAnswered)
      }
      while let place = outbox.nextToHandOver() { handed.append(outbox.name(at: place).sequence) }
      guard let (count, receivers) = outbox.nextToRecall() else { return }
      #expect(count > 0)
      let wanted = spool.keys.sorted().filter { !(spool[$0]?.pending.isDisjoint(with: receivers) ?? true) }
      for number in wanted.prefix(count) {
        if let (packet, pending) = spool.removeValue(forKey: number) {
          let isBack = outbox.restore(packet, pending: pending, at: .zero)
          #expect(isBack, "there was room for it")
        }
      }
      outbox.noteSpool(count: spool.count)
    }
  }
}

@Test func reportsBeyondTheirRoomGoToTheSpoolAndComeBackInOrder() {
  var owner = SpoolOwner()
  for _ in 1...20 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.settle()
  }
  #expect(owner.handed == [1, 2, 3, 4] && owner.spool.count == 16 && owner.outbox.spooledCount == 16)
  // An alert does not wait behind them, nor does it go to the spool.
  _ = owner.outbox.submit(packet(.movement), at: .zero)
  owner.settle()
  #expect(owner.handed.last == 21)
  owner.handed = []
  var arrived: [UInt32] = []
  for number in [UInt32(1), 2, 3, 4, 21] {
    arrived.append(number)
    let isThere = owner.outbox.acknowledge(number)
    #expect(isThere)
    owner.settle()
  }
  while let next = owner.handed.first {
    owner.handed.removeFirst()
    arrived.append(next)
    let isThere = owner.outbox.acknowledge(next)
    #expect(isThere)
    owner.settle()
  }
  #expect(arrived == [1, 2, 3, 4, 21] + Array(5...20) && owner.outbox.count == 0 && owner.spool.isEmpty)
  #expect(owner.outbox.evictedCount == 0 && owner.outbox.spooledCount == 0)
}

/// There is room in the outbox again, though not enough to ask for what is in the spool: a new report stands behind that all the
/// same.
@Test func aNewReportDoesNotOvertakeThoseInTheSpool() {
  var owner = SpoolOwner()
  for _ in 1...6 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.settle()
  }
  #expect(owner.spool.keys.sorted() == [5, 6])
  let isThere = owner.outbox.acknowledge(1)
  owner.settle()
  #expect(isThere && owner.spool.keys.sorted() == [5, 6])
  _ = owner.outbox.submit(packet(.location), at: .zero)
  owner.settle()
  #expect(owner.handed == [1, 2, 3, 4] && owner.spool.keys.sorted() == [5, 6, 7])
}

@Test func anExpressReportGoesBeforeThoseThatWaitAndNeverToTheSpool() {
  var owner = SpoolOwner()
  for _ in 1...10 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.settle()
  }
  owner.handed = []
  _ = owner.outbox.submit(packet(.location), isExpress: true, at: .zero)
  owner.settle()
  #expect(owner.handed == [11])
  let place = owner.outbox.place(of: 11) ?? 0
  #expect(owner.outbox.priority(at: place) == .notice && owner.outbox.priority(at: 0) == .report)
}

@Test func aSpoolThatTakesNothingLeavesReportsInTheOutbox() {
  var owner = SpoolOwner()
  owner.isFull = true
  for _ in 1...8 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.settle()
  }
  #expect(owner.handed == Array(1...8) && owner.outbox.spooledCount == 0)
  // Without an answer, or for one that was not asked, nothing happens.
  let isForNothing = owner.outbox.spooled(3, isKept: true)
  #expect(!isForNothing && owner.outbox.count == 8)
}

@Test func aFullOutboxSendsItsLastReportAwayBeforeAnAlertNeedsTheRoom() {
  var owner = SpoolOwner()
  for _ in 1...4 { _ = owner.outbox.submit(packet(.location), at: .zero) }
  owner.settle()
  for _ in 1...8 {
    _ = owner.outbox.submit(packet(.movement), at: .zero)
    owner.settle()
  }
  #expect(owner.outbox.evictedCount == 0 && owner.outbox.refusedCount == 0)
  #expect(owner.spool.keys.sorted() == [2, 3, 4] || owner.spool.keys.sorted() == [1, 2, 3, 4])
  for number in UInt32(5)...12 { owner.outbox.acknowledge(number) }
  owner.settle()
  #expect(owner.spool.isEmpty && owner.outbox.count == 4)
}

/// Whatever comes in whatever order: no report and no alert is lost, and reports are handed over in order, but for express ones
/// and those that had been handed over before they had to make room.
@Test func atRandomNothingIsLost() {
  for seed in UInt64(1)...200 {
    var random = SeededRandom(seed: seed)
    var owner = SpoolOwner()
    var made: Set<UInt32> = []
    var arrived: Set<UInt32> = []
    var underWay: [UInt32] = []
    var last: UInt32 = 0
    for step in 0..<300 {
      let isAway = (step / 60) % 2 == 0
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        if let number = owner.outbox.submit(packet(.location), at: .zero) { made.insert(number) }
      case 5 where owner.outbox.count < 8:
        if let number = owner.outbox.submit(packet(.movement), at: .zero) { made.insert(number) }
      case 6:
        if let number = owner.outbox.submit(packet(.ride), at: .zero) { made.insert(number) }
      default:
        guard !isAway, !underWay.isEmpty else { break }
        let number = underWay.removeFirst()
        if owner.outbox.acknowledge(number) { arrived.insert(number) }
      }
      owner.settle()
      for number in owner.handed where owner.outbox.place(of: number) != nil {
        if !underWay.contains(number) { underWay.append(number) }
      }
      owner.handed = []
      underWay.removeAll { owner.outbox.place(of: $0) == nil }
    }
    _ = last
    while true {
      for number in owner.handed where !underWay.contains(number) { underWay.append(number) }
      owner.handed = []
      guard !underWay.isEmpty else { break }
      let number = underWay.removeFirst()
      if owner.outbox.acknowledge(number) {
        arrived.insert(number)
        last = number
      }
      owner.settle()
    }
    #expect(arrived == made && owner.spool.isEmpty && owner.outbox.count == 0, "seed \(seed)")
    #expect(owner.outbox.evictedCount == 0 && owner.outbox.refusedCount == 0, "seed \(seed)")
  }
}

@Test func withoutASpoolTheOldestReportMakesRoomAsBefore() {
  var parameters = spooling()
  parameters.hasSpool = false
  var outbox = Outbox<4>(parameters: parameters)
  for _ in 1...6 { _ = outbox.submit(packet(.location), at: .zero) }
  #expect(outbox.nextToSpool() == nil && outbox.nextToRecall() == nil && outbox.evictedCount == 2)
}

// MARK: Several receivers

extension SpoolOwner {
  /// Hands over what is to be handed over, and every answering receiver takes it at once.
  ///
  /// - Returns: What each has got by it, by receiver.
  fileprivate mutating func answer(by answering: [Int], to arrived: inout [[UInt32]]) {
    settle()
    while !handed.isEmpty {
      let numbers = handed
      handed = []
      for number in numbers {
        for receiver in answering where outbox.acknowledge(number, by: receiver) { arrived[receiver].append(number) }
      }
      settle()
    }
  }

  /// What was handed over before, and waits for receivers that answer again: delivery tries it on.
  fileprivate mutating func tryAgain() {
    for place in 0..<outbox.count { handed.append(outbox.name(at: place).sequence) }
  }
}

/// A receiver that takes nothing for a day does not keep the other waiting for a single packet; it gets all when it is back.
@Test(arguments: [0, 1]) func aReceiverThatIsAwayHoldsUpNobody(living: Int) {
  var owner = SpoolOwner(receivers: 2)
  var arrived: [[UInt32]] = [[], []]
  for number in UInt32(1)...200 {
    // An alert now and then: more than the outbox has room for.
    let made = owner.outbox.submit(packet(number % 10 == 0 ? .movement : .location), at: .zero)
    owner.answer(by: [living], to: &arrived)
    #expect(made == number && arrived[living].last == number, "it has each before the next is made")
  }
  #expect(arrived[living] == Array(1...200) && arrived[1 - living].isEmpty)
  #expect(owner.outbox.evictedCount == 0 && owner.outbox.refusedCount == 0)
  // It comes back: its packets all arrive, and the other gets none a second time.
  owner.tryAgain()
  owner.answer(by: [0, 1], to: &arrived)
  #expect(arrived[1 - living].sorted() == Array(1...200) && arrived[living].count == 200)
  #expect(owner.outbox.count == 0 && owner.spool.isEmpty)
  // And both get what is new at once.
  _ = owner.outbox.submit(packet(.location), at: .zero)
  owner.answer(by: [0, 1], to: &arrived)
  #expect(arrived[0].last == 201 && arrived[1].last == 201)
}

/// All were away, and one comes back: its backlog arrives in order, and what is new does not wait for the other's.
@Test func ofSeveralThatWereAwayTheFirstThatAnswersGetsItsBacklog() {
  var owner = SpoolOwner(receivers: 3)
  var arrived: [[UInt32]] = [[], [], []]
  for _ in 1...100 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.answer(by: [], to: &arrived)
  }
  #expect(owner.spool.count == 96)
  owner.tryAgain()
  owner.answer(by: [1], to: &arrived)
  #expect(arrived[1] == Array(1...100), "all of it, in order")
  for _ in 101...150 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.answer(by: [1], to: &arrived)
  }
  #expect(arrived[1] == Array(1...150))
  // The second comes back, and the third never does.
  owner.tryAgain()
  owner.answer(by: [0, 1], to: &arrived)
  #expect(arrived[0].sorted() == Array(1...150) && arrived[1].count == 150 && arrived[2].isEmpty)
  owner.tryAgain()
  owner.answer(by: [0, 1, 2], to: &arrived)
  #expect(arrived[2].sorted() == Array(1...150) && owner.spool.isEmpty && owner.outbox.count == 0)
}

/// One that only answers slowly is left behind, catches up, and loses nothing; nothing goes round in circles meanwhile.
@Test func aSlowReceiverCatchesUp() {
  var owner = SpoolOwner(receivers: 2)
  var arrived: [[UInt32]] = [[], []]
  var waiting: [UInt32] = []
  for number in UInt32(1)...400 {
    if number <= 300 { _ = owner.outbox.submit(packet(.location), at: .zero) }
    owner.settle()
    waiting += owner.handed.filter { !waiting.contains($0) }
    let handed = owner.handed
    owner.handed = []
    for sequence in handed where owner.outbox.acknowledge(sequence, by: 0) { arrived[0].append(sequence) }
    owner.settle()
    waiting.removeAll { owner.outbox.place(of: $0) == nil }
    guard number % 3 == 0 || number > 300, !waiting.isEmpty else { continue }
    let sequence = waiting.removeFirst()
    if owner.outbox.acknowledge(sequence, by: 1) { arrived[1].append(sequence) }
    owner.settle()
  }
  #expect(arrived[0] == Array(1...300), "the fast one has all, in order")
  for _ in 0..<400 where arrived[1].count < 300 {
    owner.tryAgain()
    owner.answer(by: [0, 1], to: &arrived)
  }
  #expect(arrived[1].sorted() == Array(1...300) && owner.spool.isEmpty && owner.outbox.count == 0)
}

/// Reports that are to go first do not fill the outbox either, once the others have them.
@Test func expressReportsOfAReceiverThatIsAwayHoldUpNobody() {
  var owner = SpoolOwner(receivers: 2)
  var arrived: [[UInt32]] = [[], []]
  for number in UInt32(1)...40 {
    _ = owner.outbox.submit(packet(.location), isExpress: number % 2 == 0, at: .zero)
    owner.answer(by: [1], to: &arrived)
    #expect(arrived[1].last == number)
  }
  let (isForAway, isForOther) = (owner.outbox.isSpoolAwaited(by: 0), owner.outbox.isSpoolAwaited(by: 1))
  #expect(isForAway && !isForOther && owner.outbox.evictedCount == 0)
}

/// After a restart nobody knows whom the spool is for: what only the one that is away lacks does not stop the others.
@Test func afterARestartTheSpoolOfOneHoldsUpNobody() {
  var before = SpoolOwner(receivers: 2)
  var arrived: [[UInt32]] = [[], []]
  for _ in 1...60 {
    _ = before.outbox.submit(packet(.location), at: .zero)
    before.answer(by: [0], to: &arrived)
  }
  var owner = SpoolOwner(receivers: 2)
  for place in 0..<before.outbox.count {
    owner.outbox.restore(before.outbox.packet(at: place), pending: before.outbox.pending(at: place), at: .zero)
  }
  owner.spool = before.spool
  owner.outbox.noteSpool(count: owner.spool.count)
  owner.answer(by: [0], to: &arrived)
  for number in UInt32(61)...90 {
    _ = owner.outbox.submit(packet(.location), at: .zero)
    owner.answer(by: [0], to: &arrived)
    #expect(arrived[0].last == number)
  }
  #expect(arrived[0] == Array(1...90))
  owner.tryAgain()
  owner.answer(by: [0, 1], to: &arrived)
  #expect(arrived[1].sorted() == Array(1...90) && owner.spool.isEmpty && owner.outbox.count == 0)
}

/// Without a spool, too, a new alert is not refused because of old ones that others have had.
@Test func withoutASpoolAnAlertThatOthersHaveMakesRoomForANewOne() {
  var parameters = spooling(receivers: 2)
  parameters.hasSpool = false
  var outbox = Outbox<4>(parameters: parameters)
  for number in UInt32(1)...4 {
    _ = outbox.submit(packet(.movement), at: .zero)
    outbox.acknowledge(number, by: 0)
  }
  let fifth = outbox.submit(packet(.movement), at: .zero)
  #expect(fifth == 5 && outbox.evictedCount == 1 && outbox.place(of: 1) == nil && outbox.refusedCount == 0)
  for _ in 6...8 { _ = outbox.submit(packet(.movement), at: .zero) }
  let last = outbox.submit(packet(.movement), at: .zero)
  #expect(last == nil && outbox.refusedCount == 1, "those that nobody has are never given up for another")
}
