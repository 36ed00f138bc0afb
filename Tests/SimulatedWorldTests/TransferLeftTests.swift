import ModemSimulation
import Quantities
import SIM7000
import Testing

@testable import SimulatedWorld

/// To a modem that somebody left transferring data, every command is data.
@Suite struct TransferLeftTests {
  @Test func aModemThatTransfersDataForSomebodyElseIsToldToEndThat() {
    var story = FaultStory(seed: 3, transport: .http)
    story.module.startsPoweredOff = false
    story.module.network.registrationDelay = .seconds(1)
    // Nothing but the serial line can help.
    story.driver.wiring.hasReset = false
    story.driver.wiring.hasPowerKey = false
    let bench = FaultRun(story).bench
    bench.stopDriver()
    bench.run(until: .seconds(15))
    for command in ["AT+CIPMODE=1", "AT+CSTT", "AT+CIICR", "AT+CIFSR", "AT+CIPSTART=\"TCP\",\"track.example\",5000"] {
      bench.module.receive(Array((command + "\r").utf8), at: bench.now)
      bench.run(until: bench.now + .seconds(5))
    }
    var sent = ""
    bench.listener = { _, isToModule, bytes in if isToModule { sent += String(decoding: bytes, as: UTF8.self) } }
    bench.restartDriver(story.driver, seed: 3)
    let begun = bench.now
    #expect(bench.submit(FaultRun.payload(7), ticket: 7, by: .http))
    _ = bench.run(until: begun + .seconds(120)) { !$0.actions.contains { $0.action == .delivered(ticket: 7) } }
    let end = bench.actions.first { $0.action == .delivered(ticket: 7) }?.time
    #expect(end.map { $0 - begun < .seconds(45) } == true, "\(bench.actions)")
    #expect(sent.contains("+++"))
  }
}
