import Quantities
import Testing

@testable import SIM7000

@Suite struct EnergyTests {
  /// The manual's table of currents, µA; searching and starting are assumptions.
  private let table: [(ModemLoad, Int64)] = [
    (.off, 7), (.powerSaving, 9), (.asleep, 1200), (.starting, 40_000), (.searching, 60_000), (.idle, 11_000),
    (.transmitting, 115_000),
  ]

  @Test func everyLoadIsBookedWithItsOwnCurrentAndTime() {
    for (load, current) in table {
      for hasGNSS in [false, true] {
        var ledger = EnergyLedger()
        ledger.book(load, hasGNSS: hasGNSS, at: .seconds(100))
        #expect(ledger.microcoulombs == 700, "before the first load it is off")
        ledger.book(.off, hasGNSS: false, at: .seconds(103))
        #expect(ledger.microcoulombs == 700 + 3 * (current + (hasGNSS ? 30_000 : 0)), "\(load)")
        #expect(ledger.time(in: load) == (load == .off ? .seconds(103) : .seconds(3)))
        #expect(ledger.gnssMicroseconds == (hasGNSS ? 3_000_000 : 0))
        #expect(ledger.gnssMicrocoulombs == (hasGNSS ? 90_000 : 0))
        for other in ModemLoad.allCases where other != load && other != .off {
          #expect(ledger.time(in: other) == .zero)
        }
      }
    }
  }

  @Test func currentsOfTheBoardAreUsed() {
    var currents = ModemCurrents()
    currents.offMicroamperes = 1
    currents.powerSavingMicroamperes = 2
    currents.asleepMicroamperes = 3
    currents.startingMicroamperes = 4
    currents.searchingMicroamperes = 5
    currents.idleMicroamperes = 6
    currents.transmittingMicroamperes = 7
    currents.gnssMicroamperes = 8
    for (place, entry) in table.enumerated() {
      var ledger = EnergyLedger(currents: currents)
      ledger.book(entry.0, hasGNSS: true, at: .zero)
      ledger.book(.off, hasGNSS: false, at: .seconds(1))
      #expect(ledger.microcoulombs == Int64(place) + 1 + 8, "\(entry.0)")
    }
    var configuration = ModemConfiguration()
    configuration.idle = .off
    let modem = Modem(configuration: configuration, currents: currents, seed: 1)
    #expect(modem.energy.currents == currents)
  }

  @Test func aClockThatStandsStillOrGoesBackCostsNothing() {
    var ledger = EnergyLedger()
    ledger.book(.transmitting, hasGNSS: true, at: .seconds(10))
    let before = ledger.microcoulombs
    ledger.book(.transmitting, hasGNSS: true, at: .seconds(10))
    ledger.book(.transmitting, hasGNSS: true, at: .seconds(4))
    #expect(ledger.microcoulombs == before && ledger.gnssMicroseconds == 0)
    // The time that was given back is not booked twice.
    ledger.book(.off, hasGNSS: false, at: .seconds(11))
    #expect(ledger.microcoulombs == before + 145_000)
    #expect(ledger.time(in: .transmitting) == .seconds(1))
  }

  @Test func chargeIsWholeOverManySmallSpansOfDifferentLoads() {
    var ledger = EnergyLedger()
    var picocoulombs: Int64 = 0
    var random = SplitMix64(seed: 4)
    var now: Int64 = 0
    var current: Int64 = 7
    for _ in 0..<20_000 {
      let span = Int64(random.next() % 2_000)
      let (load, next) = table[Int(random.next() % 7)]
      let hasGNSS = random.next() % 2 == 0
      picocoulombs += span * current
      now += span
      ledger.book(load, hasGNSS: hasGNSS, at: Instant(microseconds: now))
      current = next + (hasGNSS ? 30_000 : 0)
      #expect(ledger.microcoulombs == picocoulombs / 1_000_000)
    }
    #expect(ledger.microseconds.span.indices.reduce(0) { $0 + ledger.microseconds[$1] } == now)
  }
}
