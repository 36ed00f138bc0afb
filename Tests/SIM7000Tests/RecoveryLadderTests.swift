import Quantities
import Testing

@testable import SIM7000

@Suite struct RecoveryLadderTests {
  private func rungs(_ troubles: [ModemTrouble], seed: UInt64 = 1) -> [RecoveryRung] {
    var ladder = RecoveryLadder(seed: seed)
    return troubles.map { ladder.climb(for: $0).rung }
  }

  @Test func eachRungIsTriedUpToItsLimitThenTheNext() {
    #expect(
      rungs(Array(repeating: .refused, count: 12)) == [
        .retry, .retry, .retry, .session, .session, .bearer, .bearer, .attach, .radio, .reset, .power, .retry,
      ])
  }

  @Test func aTroubleBeginsAtTheRungThatCanHelp() {
    #expect(rungs([.silent, .silent]) == [.reset, .power])
    #expect(rungs([.noBearer]) == [.bearer])
    #expect(rungs([.refused, .noBearer, .refused]) == [.retry, .bearer, .bearer])
    #expect(rungs([.notRegistered, .notRegistered]) == [.radio, .reset])
  }

  @Test func whatOnlyOthersCanMendIsWaitedForAndNotClimbed() {
    var ladder = RecoveryLadder(seed: 3)
    var waits: [Int] = []
    for _ in 0..<7 {
      let (rung, wait) = ladder.climb(for: .denied)
      #expect(rung == .radio)
      waits.append(Int(wait.microseconds / 1_000_000))
    }
    for (wait, base) in zip(waits, [2, 60, 120, 300, 900, 3600, 3600]) {
      #expect(wait >= base && wait <= base + base / 4 + 1)
    }
  }

  /// A server behind a bearer that is up: the bearer is made anew, later and later, and the modem is doubted once in a long time.
  @Test func whatIsProvenSoundIsLeftAlone() {
    var ladder = RecoveryLadder(seed: 3)
    var now = Instant.zero
    var climbed: [(time: Instant, rung: RecoveryRung, wait: Interval)] = []
    while now < .seconds(10_000) {
      let (rung, wait) = ladder.climb(for: .noSession, reaching: .bearer, at: now)
      climbed.append((now, rung, wait))
      now = now + wait + .seconds(1)
    }
    #expect(climbed.map(\.rung).prefix(6) == [.session, .session, .bearer, .bearer, .bearer, .bearer])
    #expect(climbed.allSatisfy { $0.rung <= .bearer || $0.rung == .reset })
    let resets = climbed.filter { $0.rung == .reset }.map(\.time)
    #expect(resets.count == 3 && resets.allSatisfy { $0 >= .seconds(1200) })
    #expect(zip(resets, resets.dropFirst()).allSatisfy { $1 - $0 >= .seconds(3600) })
    let waits = climbed.filter { $0.time < .seconds(1200) }.dropFirst(4).map(\.wait)
    for (wait, base) in zip(waits, [5, 10, 20, 40, 80, 160, 300, 300]) {
      #expect(wait >= .seconds(base) && wait <= .seconds(base + base / 4 + 1))
    }
  }

  /// A server that takes connections and acknowledges nothing: the session is opened anew, later and later; nothing below it is touched
  /// but once in a long time, because the modem may be wrong.
  @Test func aServerThatWasReachedIsLeftToItself() {
    var ladder = RecoveryLadder(seed: 3)
    var now = Instant.zero
    var climbed: [(time: Instant, rung: RecoveryRung, wait: Interval)] = []
    while now < .seconds(10_000) {
      let (rung, wait) = ladder.climb(for: .unacknowledged, reaching: .session, at: now)
      climbed.append((now, rung, wait))
      now = now + wait + .seconds(45)
    }
    #expect(climbed.map(\.rung).prefix(6) == [.retry, .retry, .retry, .session, .session, .session])
    #expect(climbed.allSatisfy { $0.rung <= .session || $0.rung == .reset })
    let resets = climbed.filter { $0.rung == .reset }.map(\.time)
    #expect(resets.count == 3 && resets.allSatisfy { $0 >= .seconds(1200) })
    let waits = climbed.filter { $0.time < .seconds(1200) }.map(\.wait)
    // The first is at once, and the last gives way to the reset.
    #expect(waits[3] < .seconds(1))
    for (wait, base) in zip(waits.dropFirst(4).dropLast(), [5, 10, 20, 40, 80, 160, 300, 300]) {
      #expect(wait >= .seconds(base) && wait <= .seconds(base + base / 4 + 1))
    }
  }

  /// A message that the network does not take: no reset, and the radio is switched less and less often.
  @Test func aRefusedMessageSwitchesTheRadioAtMost() {
    var ladder = RecoveryLadder(seed: 3)
    var now = Instant.zero
    var times: [Instant] = []
    while now < .seconds(1100) {
      let (rung, wait) = ladder.climb(for: .unacknowledged, reaching: .message, at: now)
      #expect(rung <= .radio)
      now = now + wait + .seconds(2)
      if rung == .radio { times.append(now) }
    }
    #expect((3...6).contains(times.count))
  }

  /// What a modem in a network refuses of the settings for messages, no reset changes; whoever only fails to send is doubted in time.
  @Test func aRefusedSettingOfMessagesNeverResetsTheModem() {
    for (trouble, resets) in [(ModemTrouble.refused, false), (.unacknowledged, true)] {
      var ladder = RecoveryLadder(seed: 3)
      var now = Instant.zero
      var rungs: [RecoveryRung] = []
      while now < .seconds(7200) {
        let (rung, wait) = ladder.climb(for: trouble, reaching: .message, at: now)
        rungs.append(rung)
        now = now + wait + .seconds(12)
      }
      #expect(rungs.contains { $0 > .radio } == resets && rungs.contains(.radio), "\(trouble)")
    }
  }

  @Test func aModemThatNeverStartsIsTriedLessAndLessOften() {
    var ladder = RecoveryLadder(seed: 3)
    var total = 0.0
    for _ in 0..<6 { total += ladder.climb(for: .noStart).wait.secondsDouble }
    #expect(total > 2 + 60 + 120 + 300 + 900 + 3600 - 1)
  }

  @Test func successGoesBackToTheGround() {
    var ladder = RecoveryLadder(seed: 1)
    for _ in 0..<9 { _ = ladder.climb(for: .refused) }
    ladder.descend()
    #expect(ladder.current == nil)
    #expect(ladder.climb(for: .refused).rung == .retry)
    #expect(ladder.counts[Int(RecoveryRung.retry.rawValue)] == 4)
  }

  @Test func theJitterComesFromTheSeed() {
    func waits(_ seed: UInt64) -> [Interval] {
      var ladder = RecoveryLadder(seed: seed)
      return (0..<5).map { _ in ladder.climb(for: .refused).wait }
    }
    #expect(waits(1) == waits(1))
    #expect(waits(1) != waits(2))
  }
}

@Suite struct EnergyLedgerTests {
  @Test func chargeIsCurrentTimesTime() {
    var ledger = EnergyLedger()
    ledger.book(.idle, hasGNSS: false, at: .zero)
    ledger.book(.transmitting, hasGNSS: true, at: .seconds(10))
    ledger.book(.off, hasGNSS: false, at: .seconds(12))
    // 10 s at 11 mA, 2 s at 115 and 30 mA.
    #expect(ledger.microcoulombs == 10 * 11_000 + 2 * 145_000)
    #expect(ledger.gnssMicrocoulombs == 60_000)
    #expect(ledger.time(in: .idle) == .seconds(10))
    #expect(ledger.time(in: .transmitting) == .seconds(2))
  }

  @Test func manyShortSpansLoseNothing() {
    var ledger = EnergyLedger()
    ledger.book(.asleep, hasGNSS: false, at: .zero)
    for step in 1...100_000 { ledger.book(.asleep, hasGNSS: false, at: Instant(microseconds: Int64(step) * 7)) }
    // 0.7 s at 1,200 µA.
    #expect(ledger.microcoulombs == 840)
  }
}
