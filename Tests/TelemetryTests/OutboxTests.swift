import Quantities
import Telemetry
import TestSupport
import Testing

private func packet(_ kind: PacketKind, mark: UInt32 = 0) -> Packet {
  var packet = Packet(kind: kind, time: .zero, utc: nil, phase: .riding, isArmed: false)
  packet.distanceMetres = mark
  return packet
}

private func second(_ count: Int) -> Instant { .seconds(count) }

extension Outbox {
  fileprivate mutating func sendAll(at now: Instant) -> [UInt32] {
    var sent: [UInt32] = []
    while sent.count < 1000, let packet = nextToSend(at: now) { sent.append(packet.sequence) }
    return sent
  }
}

@Test func alertsGoFirstThenNoticesThenReportsEachInOrder() {
  var parameters = OutboxParameters()
  parameters.window = 10
  var outbox = Outbox<16>(parameters: parameters, seed: 1)
  for kind in [PacketKind.location, .parking, .movement, .ride, .status, .movement, .location] {
    _ = outbox.submit(packet(kind), at: .zero)
  }
  #expect(outbox.sendAll(at: .zero) == [3, 6, 2, 5, 1, 4, 7])
  #expect(outbox.count == 7)
}

@Test func onlyAWindowOfPacketsIsUnderWayButAlertsAlwaysGo() {
  var outbox = Outbox<16>(seed: 1)
  for _ in 0..<6 { _ = outbox.submit(packet(.location), at: .zero) }
  #expect(outbox.sendAll(at: .zero) == [1, 2, 3, 4])
  _ = outbox.submit(packet(.movement), at: .zero)
  #expect(outbox.sendAll(at: .zero) == [7])
  #expect(outbox.acknowledge(2) == true)
  #expect(outbox.sendAll(at: .zero) == [])
  #expect(outbox.acknowledge(7) == true)
  #expect(outbox.sendAll(at: .zero) == [5])
}

@Test func waitsDoubleUpToTheCapWithAtMostAQuarterOfJitter() {
  for seed in 1...20 {
    var outbox = Outbox<4>(seed: UInt64(seed))
    _ = outbox.submit(packet(.movement), at: .zero)
    var now = Instant.zero
    for expected in [30, 60, 120, 240, 480, 600, 600, 600] {
      #expect(outbox.nextToSend(at: now) != nil)
      #expect(outbox.nextToSend(at: now) == nil)
      guard let next = outbox.nextDeadline else {
        Issue.record("a packet that waits has no deadline")
        return
      }
      let wait = (next - now).secondsDouble
      #expect(wait >= Double(expected) && wait < Double(expected) * 1.25)
      #expect(outbox.nextToSend(at: next - Interval(microseconds: 1)) == nil)
      now = next
    }
    #expect(outbox.retryCount == 7)
  }
}

@Test func jitterComesFromTheSeedAlone() {
  func deadlines(seed: UInt64) -> [Instant?] {
    var outbox = Outbox<4>(seed: seed)
    _ = outbox.submit(packet(.location), at: .zero)
    return (0..<5).map { _ in
      _ = outbox.nextToSend(at: outbox.nextDeadline ?? .zero)
      return outbox.nextDeadline
    }
  }
  #expect(deadlines(seed: 5) == deadlines(seed: 5))
  #expect(deadlines(seed: 5) != deadlines(seed: 6))
}

@Test func onlyASentWaitingPacketCanBeAcknowledgedAndOnlyOnce() {
  var outbox = Outbox<4>(seed: 1)
  _ = outbox.submit(packet(.location), at: .zero)
  #expect(outbox.acknowledge(1) == false, "it was never sent")
  #expect(outbox.acknowledge(99) == false)
  #expect(outbox.nextToSend(at: .zero)?.sequence == 1)
  #expect(outbox.acknowledge(1) == true)
  #expect(outbox.acknowledge(1) == false)
  #expect(outbox.count == 0 && outbox.acknowledgedCount == 1 && outbox.nextDeadline == nil)
}

@Test func theOldestReportGivesWayAndAlertsNever() {
  var outbox = Outbox<4>(seed: 1)
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
  #expect(outbox.sendAll(at: .zero) == [1, 6, 7, 8])
}

@Test func numbersGoOnAfterTheLargest() {
  var outbox = Outbox<4>(firstSequence: .max, seed: 1)
  #expect(outbox.submit(packet(.location), at: .zero) == .max)
  #expect(outbox.submit(packet(.location), at: .zero) == 0)
  #expect(outbox.submit(packet(.location), at: .zero) == 1)
  #expect(outbox.sendAll(at: .zero) == [.max, 0, 1])
  #expect(outbox.acknowledge(0) && outbox.count == 2)
}

@Test func anOverdueReportBehindAFullWindowOfAlertsCausesNoBusyLoop() throws {
  var outbox = Outbox<8>(seed: 3)
  _ = outbox.submit(packet(.location), at: .zero)
  #expect(outbox.sendAll(at: .zero) == [1])
  let firstDeadline = outbox.nextDeadline
  let overdue = try #require(firstDeadline)
  for _ in 0..<4 { _ = outbox.submit(packet(.movement), at: overdue) }
  #expect(outbox.sendAll(at: overdue).count == 4)
  let nextDeadline = outbox.nextDeadline
  let next = try #require(nextDeadline)
  #expect(next > overdue, "woken at once, with nothing to send")
  #expect(!outbox.sendAll(at: next).isEmpty)
}

@Test func senselessParametersDoNotTrapOrSpin() {
  for (first, cap, window) in [
    (Int64.max, Int64.max, 4), (0, 0, 4), (-5, -5, 0), (Int64.max / 2 + 1, Int64.max, -1), (1, Int64.max, 1),
  ] {
    var parameters = OutboxParameters()
    parameters.acknowledgementTimeout = Interval(microseconds: first)
    parameters.maximumTimeout = Interval(microseconds: cap)
    parameters.window = window
    var outbox = Outbox<4>(parameters: parameters, seed: 1)
    var now = Instant.zero
    _ = outbox.submit(packet(.location), at: now)
    for _ in 0..<100 {
      #expect(outbox.sendAll(at: now).count <= 1)
      guard let next = outbox.nextDeadline, next < Instant(microseconds: .max) else { break }
      #expect(next > now)
      now = next
    }
  }
}

/// The outbox as a plain list, to compare with.
private struct Model {
  struct Waiting {
    var sequence: UInt32
    var kind: PacketKind
    var attempts = 0
  }
  var waiting: [Waiting] = []
  var next: UInt32

  mutating func submit(_ kind: PacketKind, capacity: Int) -> UInt32? {
    if waiting.count == capacity {
      let report = waiting.firstIndex { $0.kind.priority == .report }
      let notice = kind.priority == .alert ? waiting.firstIndex { $0.kind.priority == .notice } : nil
      guard let victim = report ?? notice else { return nil }
      waiting.remove(at: victim)
    }
    defer { next &+= 1 }
    waiting.append(Waiting(sequence: next, kind: kind))
    return next
  }
}

@Test func randomOperationsAgreeWithAPlainList() {
  for seed in 1...60 {
    var random = SeededRandom(seed: UInt64(seed))
    var outbox = Outbox<6>(firstSequence: .max - 20, seed: UInt64(seed))
    var model = Model(next: .max - 20)
    var now = Instant.zero
    for step in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let kind = PacketKind.allCases.randomElement(using: &random) ?? .location
        #expect(outbox.submit(packet(kind), at: now) == model.submit(kind, capacity: 6))
      case 2:
        while let sent = outbox.nextToSend(at: now) {
          guard let place = model.waiting.firstIndex(where: { $0.sequence == sent.sequence }) else {
            Issue.record("seed \(seed): sent \(sent.sequence), which does not wait")
            return
          }
          // Nothing fresh of a higher lane, or older in the same, was passed over.
          for (other, entry) in model.waiting.enumerated() where entry.attempts == 0 && other != place {
            #expect(entry.kind.priority <= sent.kind.priority)
            if entry.kind.priority == sent.kind.priority { #expect(other > place) }
          }
          model.waiting[place].attempts += 1
        }
        if let next = outbox.nextDeadline { #expect(next > now, "seed \(seed), step \(step): a deadline in the past") }
      case 3:
        let sequence =
          random.oneIn(4)
          ? UInt32(truncatingIfNeeded: random.next()) : model.waiting.randomElement(using: &random)?.sequence ?? 7
        let place = model.waiting.firstIndex { $0.sequence == sequence && $0.attempts > 0 }
        #expect(outbox.acknowledge(sequence) == (place != nil))
        if let place { model.waiting.remove(at: place) }
      default:
        let next = outbox.nextDeadline
        #expect((next == nil) == model.waiting.isEmpty)
        now = random.oneIn(2) ? max(now, next ?? now) : now + .seconds(Int.random(in: 0..<50, using: &random))
      }
      #expect(outbox.count == model.waiting.count)
      #expect(outbox.nextSequence == model.next)
    }
    // Once every packet is acknowledged there is nothing left, after a bounded number of rounds.
    var rounds = 0
    while outbox.count > 0, rounds < 50 {
      for sequence in outbox.sendAll(at: now) { outbox.acknowledge(sequence) }
      now = outbox.nextDeadline ?? now
      rounds += 1
    }
    #expect(outbox.count == 0)
  }
}

@Test func packetsOfAnEarlierLifeKeepTheirNumbersAndNoneIsGivenTwice() {
  var outbox = Outbox<3>(seed: 1)
  func kept(_ sequence: UInt32) -> Packet {
    var kept = packet(.movement)
    kept.sequence = sequence
    return kept
  }
  // Also when nothing else tells how far numbering had come.
  let isRestored = outbox.restore(kept(7), at: .zero)
  #expect(isRestored && outbox.nextSequence == 8)
  let isOlderRestored = outbox.restore(kept(5), at: .zero)
  #expect(isOlderRestored && outbox.nextSequence == 8)
  #expect(outbox.submit(packet(.status), at: .zero) == 8)
  #expect(outbox.refusedCount == 0)
  // One for which there is no room is counted.
  let isThird = outbox.restore(kept(6), at: .zero)
  #expect(!isThird && outbox.refusedCount == 1 && outbox.count == 3)
  #expect(outbox.sendAll(at: .zero) == [7, 5, 8])
}

@Test func numberingNeverGoesBack() {
  var outbox = Outbox<4>(seed: 1)
  outbox.continueNumbering(at: 20)
  #expect(outbox.nextSequence == 20)
  outbox.continueNumbering(at: 12)
  #expect(outbox.nextSequence == 20)
  #expect(outbox.submit(packet(.location), at: .zero) == 20)
  outbox.continueNumbering(at: 21)
  #expect(outbox.submit(packet(.location), at: .zero) == 21)
}
