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
