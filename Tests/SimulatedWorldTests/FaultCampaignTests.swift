import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct FaultCampaignTests {
  @Test func mixedFaultsLoseNothingAndHangNothing() {
    for seed in 1...UInt64(300) {
      let story = FaultCampaign.story(seed: seed)
      let outcome = FaultRun(story).run()
      #expect(outcome.isGood, "leash modem soak --seed \(seed) --runs 1: \(story.transport) \(story.faults) \(outcome)")
    }
  }
}
