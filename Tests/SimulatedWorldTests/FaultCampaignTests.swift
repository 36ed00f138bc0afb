import Foundation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct FaultCampaignTests {
  private let first = UInt64(ProcessInfo.processInfo.environment["FIRST"] ?? "") ?? 1
  private let count = UInt64(ProcessInfo.processInfo.environment["COUNT"] ?? "") ?? 300

  @Test func mixedFaultsLoseNothingAndHangNothing() {
    for seed in first...(first + count - 1) {
      let story = FaultCampaign.story(seed: seed)
      let outcome = FaultRun(story).run()
      #expect(
        outcome.isGood,
        "seed \(seed) leash modem soak --seed \(seed) --runs 1: \(story.transport) \(story.faults) \(outcome)")
    }
  }
}
