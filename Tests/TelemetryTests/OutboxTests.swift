import Quantities
import Telemetry
import TestSupport
import Testing

private func packet(_ kind: PacketKind, mark: UInt32 = 0) -> Packet {
  var packet = Packet(kind: kind, time: .zero, utc: nil, phase: .riding, isArmed: false)
  packet.distanceMetres = mark
  return packet
}

/// Two receivers: the first wants everything, the second alerts and parking places.
private func two() -> OutboxParameters {
  var parameters = OutboxParameters()
  parameters.receivers.append([PacketKindSet(.movement), PacketKindSet(.parking)])
  return parameters
}

extension Outbox {
  fileprivate mutating func handOverAll() -> [UInt32] {
    var handed: [UInt32] = []
    while let place = nextToHandOver() { handed.append(name(at: place).sequence) }
    return handed
  }
}

@Test func alertsAreHandedOverFirstThenNoticesThenReportsEachInOrderAndOnce() {
  var outbox = Outbox<16>()
  for kind in [PacketKind.location, .parking, .movement, .ride, .status, .movement, .location] {
    _ = outbox.submit(packet(kind), at: .zero)
  }
  #expect(outbox.handOverAll() == [3, 6, 2, 5, 1, 4, 7])
  #expect(outbox.handOverAll() == [] && outbox.count == 7)
  _ = outbox.submit(packet(.location), at: .zero)
  #expect(outbox.handOverAll() == [8])
}

@Test func aPacketLeavesWhenTheLastReceiverHasItAndOnlyOnce() {
  var outbox = Outbox<4>(parameters: two())
  _ = outbox.submit(packet(.movement), at: .zero)
  _ = outbox.submit(packet(.location), at: .zero)
  #expect(outbox.pending(at: 0).rawValue == 3 && outbox.pending(at: 1).rawValue == 1)
  #expect(outbox.acknowledge(1, by: 1) && outbox.count == 2 && outbox.acknowledgedCount == 0)
  #expect(!outbox.acknowledge(1, by: 1) && !outbox.acknowledge(1, by: 2) && !outbox.acknowledge(99, by: 0))
  #expect(outbox.acknowledge(1, by: 0) && outbox.count == 1 && outbox.acknowledgedCount == 1)
  #expect(!outbox.acknowledge(2, by: 1) && outbox.acknowledge(2) && outbox.count == 0)
  #expect(!outbox.acknowledge(2) && outbox.acknowledgedCount == 2)
}

@Test func whatNobodyWantsHasANumberAndIsGone() {
  var parameters = OutboxParameters()
  parameters.receivers[0] = PacketKindSet(.movement)
  var outbox = Outbox<1>(parameters: parameters)
  #expect(outbox.submit(packet(.location), at: .zero) == 1)
  #expect(outbox.submit(packet(.movement), at: .zero) == 2 && outbox.count == 1)
  #expect(outbox.submit(packet(.ride), at: .zero) == 3 && outbox.count == 1 && outbox.evictedCount == 0)
}

@Test func whatNoWayCanCarryEndsForThatReceiverAndIsCountedApart() {
  var outbox = Outbox<4>(parameters: two())
  _ = outbox.submit(packet(.parking), at: .zero)
  #expect(outbox.giveUp(1, for: 1) && !outbox.giveUp(1, for: 1) && outbox.count == 1)
  #expect(outbox.acknowledge(1, by: 0) && outbox.count == 0)
  #expect(outbox.uncarriedCount == 1 && outbox.acknowledgedCount == 1)
  _ = outbox.submit(packet(.location), at: .zero)
  #expect(outbox.giveUp(2, for: 0) && outbox.count == 0)
  #expect(outbox.uncarriedCount == 2 && outbox.acknowledgedCount == 1, "never called delivered")
}

@Test func theOldestReportGivesWayAndAlertsNever() {
  var outbox = Outbox<4>()
  for kind in [PacketKind.movement, .location, .parking, .location] { _ = outbox.submit(packet(kind), at: .zero) }
  #expect(outbox.submit(packet(.location), at: .zero) == 5)
  #expect(outbox.evictedCount == 1)
  // Waiting: movement 1, parking 3, location 4, location 5.
  #expect(outbox.submit(packet(.movement), at: .zero) == 6)
  #expect(outbox.submit(packet(.movement), at: .zero) == 7)
  // movement 1, parking 3, movement 6, movement 7: a report or a notice has no place now.
  #expect(outbox.submit(packet(.location), at: .zero) == nil)
  #expect(outbox.submit(packet(.status), at: .zero) == nil)
  #expect(outbox.refusedCount == 2)
  #expect(outbox.submit(packet(.movement), at: .zero) == 8)
  #expect(outbox.submit(packet(.movement), at: .zero) == nil)
  #expect(outbox.refusedCount == 3 && outbox.evictedCount == 4)
  #expect(outbox.handOverAll() == [1, 6, 7, 8])
}

@Test func numbersGoOnAfterTheLargest() {
  var outbox = Outbox<4>(firstSequence: .max)
  #expect(outbox.submit(packet(.location), at: .zero) == .max)
  #expect(outbox.submit(packet(.location), at: .zero) == 0)
  #expect(outbox.submit(packet(.location), at: .zero) == 1)
  #expect(outbox.handOverAll() == [.max, 0, 1])
  #expect(outbox.acknowledge(0) && outbox.count == 2)
}

@Test func whatWaitedInAnEarlierLifeIsHandedOverAgainUnderItsNumber() {
  var outbox = Outbox<2>(parameters: two())
  var earlier = packet(.movement)
  earlier.sequence = 41
  #expect(outbox.restore(earlier, pending: ReceiverSet(1), at: .seconds(5)) == true)
  #expect(outbox.nextSequence == 42 && outbox.pending(at: 0) == ReceiverSet(1) && outbox.handOverAll() == [41])
  // Receivers that are gone wait for nothing: who wants it now gets it.
  earlier.sequence = 40
  #expect(outbox.restore(earlier, pending: ReceiverSet(3), at: .seconds(5)) && outbox.pending(at: 0).rawValue == 3)
  #expect(outbox.nextSequence == 42)
  // No room: counted, and its number is not given again.
  earlier.sequence = 50
  #expect(!outbox.restore(earlier, at: .seconds(5)) && outbox.refusedCount == 1 && outbox.nextSequence == 51)
  outbox.continueNumbering(at: 60, boot: 3)
  outbox.continueNumbering(at: 10, boot: 3)
  #expect(outbox.nextSequence == 60)
  // A late acknowledgement of the life before counts.
  #expect(outbox.acknowledge(41, by: 1) && outbox.count == 1)
}

@Test func reportsAndNoticesEndWithTheirLifetimesAndAlertsNever() {
  var parameters = OutboxParameters()
  parameters.reportLifetime = .seconds(100)
  parameters.noticeLifetime = .seconds(200)
  var outbox = Outbox<8>(parameters: parameters)
  _ = outbox.submit(packet(.movement), at: .zero)
  #expect(outbox.nextDeadline == nil)
  _ = outbox.submit(packet(.parking), at: .seconds(1))
  _ = outbox.submit(packet(.location), at: .seconds(2))
  #expect(outbox.nextDeadline == .seconds(102))
  #expect(!outbox.advance(to: .seconds(102) - Interval(microseconds: 1)) && outbox.count == 3)
  #expect(outbox.advance(to: .seconds(102)) && outbox.count == 2 && outbox.nextDeadline == .seconds(201))
  #expect(outbox.advance(to: .seconds(201)) && outbox.handOverAll() == [1] && outbox.expiredCount == 2)
  #expect(!outbox.advance(to: .seconds(1 << 40)) && outbox.nextDeadline == nil)
  // Beyond the end of the clock nothing ends, and no lifetime is over at once.
  parameters.reportLifetime = Interval(microseconds: .max)
  parameters.noticeLifetime = .zero
  var odd = Outbox<8>(parameters: parameters)
  _ = odd.submit(packet(.location), at: .seconds(9))
  #expect(odd.nextDeadline == nil)
  _ = odd.submit(packet(.status), at: .seconds(9))
  #expect(odd.nextDeadline == .seconds(10))
}

/// The outbox as a plain list, to compare with.
private struct Model {
  struct Waiting {
    var sequence: UInt32
    var kind: PacketKind
    var pending: Set<Int>
    var isFresh = true
  }
  var waiting: [Waiting] = []
  var next: UInt32

  mutating func submit(_ kind: PacketKind, capacity: Int) -> UInt32? {
    if waiting.count == capacity {
      let report = waiting.firstIndex { $0.kind.priority == .report }
      let notice = kind.priority == .alert ? waiting.firstIndex { $0.kind.priority == .notice } : nil
      let heard = kind.priority == .alert ? waiting.firstIndex { $0.pending != wanting($0.kind) } : nil
      guard let victim = report ?? notice ?? heard else { return nil }
      waiting.remove(at: victim)
    }
    defer { next &+= 1 }
    waiting.append(Waiting(sequence: next, kind: kind, pending: wanting(kind)))
    return next
  }

  func wanting(_ kind: PacketKind) -> Set<Int> { kind == .movement || kind == .parking ? [0, 1] : [0] }
}

@Test func randomOperationsAgreeWithAPlainList() {
  for seed in 1...60 {
    var random = SeededRandom(seed: UInt64(seed))
    var outbox = Outbox<6>(parameters: two(), firstSequence: .max - 20)
    var model = Model(next: .max - 20)
    for _ in 0..<400 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let kind = PacketKind.allCases.randomElement(using: &random) ?? .location
        #expect(outbox.submit(packet(kind), at: .zero) == model.submit(kind, capacity: 6))
      case 2:
        let right = model.waiting.enumerated().filter(\.element.isFresh)
          .min { ($1.element.kind.priority, $0.offset) < ($0.element.kind.priority, $1.offset) }
        #expect(outbox.nextToHandOver().map { outbox.name(at: $0).sequence } == right?.element.sequence)
        if let right { model.waiting[right.offset].isFresh = false }
      default:
        let sequence =
          random.oneIn(4)
          ? UInt32(truncatingIfNeeded: random.next()) : model.waiting.randomElement(using: &random)?.sequence ?? 7
        let receiver = random.oneIn(5) ? nil : Int.random(in: 0...2, using: &random)
        let place = model.waiting.firstIndex { $0.sequence == sequence }
        let isPending =
          place.map { place in receiver.map { model.waiting[place].pending.contains($0) } ?? true } ?? false
        #expect(outbox.acknowledge(sequence, by: receiver) == isPending)
        if isPending, let place {
          if let receiver { model.waiting[place].pending.remove(receiver) } else { model.waiting[place].pending = [] }
          if model.waiting[place].pending.isEmpty { model.waiting.remove(at: place) }
        }
      }
      #expect((0..<outbox.count).map { outbox.name(at: $0).sequence } == model.waiting.map(\.sequence))
      #expect(outbox.nextSequence == model.next)
    }
  }
}
