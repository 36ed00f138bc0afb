import ModemSimulation
import Quantities
import SIM7000
import Testing

@testable import SimulatedWorld

/// From the first movement of a theft to the server, sensor and modem included.
@Suite struct AlertDelayTests {
  private static func delay(
    _ idle: IdlePolicy, _ weather: NetworkWeather, _ transport: ModemTransport, seed: UInt64 = 1
  ) throws -> AlertDelay.Outcome {
    try #require(try AlertDelay(idle: idle, weather: weather, transport: transport, seed: seed).live())
  }

  /// Twenty seconds are asked for, from the state that profiles ship with; two where the link is open.
  @Test(arguments: [ModemTransport.http, .mqtt, .tcp]) func anAlertIsThereInTimeFromAModemThatIsAwake(
    _ transport: ModemTransport
  ) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let outcome = try AlertDelayTests.delay(.awake, .good, transport, seed: seed)
      #expect(outcome.told > 0 && outcome.told < 5 && outcome.there > outcome.told && outcome.there <= 20, "\(outcome)")
      if transport != .http { #expect(outcome.there - outcome.told <= 2, "\(outcome)") }
    }
  }

  @Test func aModemThatIsOffTakesLongerAndANetworkThatIsAwayTheLongest() throws {
    let awake = try AlertDelayTests.delay(.awake, .good, .http)
    let off = try AlertDelayTests.delay(.off, .good, .http)
    let away = try AlertDelayTests.delay(.awake, .away, .http)
    #expect(off.told == awake.told && off.there > awake.there + 3)
    #expect(away.told == awake.told && away.there > awake.there + 3)
  }
}
