import Quantities
import Telemetry
import TestSupport
import Testing

private func packet(_ kind: PacketKind) -> Packet {
  Packet(kind: kind, time: .zero, utc: nil, phase: .riding, isArmed: false)
}

private func spooling(capacity: Int = 4) -> OutboxParameters {
  var parameters = OutboxParameters()
  parameters.hasSpool = true
  parameters.reportCapacity = capacity
  return parameters
}

/// An outbox of twelve places with its owner: a spool that may be full, and delivery that gets what is handed over.
private struct SpoolOwner: ~Copyable {
  var outbox = Outbox<12>(parameters: spooling())
  var spool: [UInt32: Packet] = [:]
  var isFull = false
  var handed: [UInt32] = []
  /// Numbers that were refused or given up.
  var lost = 0

  mutating func settle() {
    while true {
      while let place = outbox.nextToSpool() {
        let packet = outbox.packet(at: place)
        if !isFull { spool[packet.sequence] = packet }
        let isAnswered = outbox.spooled(packet.sequence, isKept: !isFull)
        #expect(isAnswered)
      }
      while let place = outbox.nextToHandOver() { handed.append(outbox.name(at: place).sequence) }
      guard let count = outbox.recallCount() else { return }
      #expect(count > 0)
      for number in spool.keys.sorted().prefix(count) {
        if let packet = spool.removeValue(forKey: number) {
          let isBack = outbox.restore(packet, at: .zero)
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
  #expect(outbox.nextToSpool() == nil && outbox.recallCount() == nil && outbox.evictedCount == 2)
}
