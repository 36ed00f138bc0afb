import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct DeliveryTests {
  @Test(arguments: ModemTransport.allCases)
  func aPacketGetsFromASwitchedOffModemToTheServer(transport: ModemTransport) {
    let run = FaultRun(FaultStory(seed: 1, transport: transport))
    let outcome = run.run()
    #expect(outcome.isGood && outcome.duplicates == 0 && outcome.damaged == 0, "\(outcome)")
    #expect(outcome.rungs.allSatisfy { $0 == 0 })
    #expect(run.bench.now < .seconds(60))
  }
}
