import Foundation
import Quantities
import Rules
import Testing

/// A receiver that errs by 15 m per axis for minutes, in a circle of 50 m, with outliers of hundreds of metres.
///
/// `make fences` runs it for a hundred seeds and seven days each (`LEASH_FENCE_SEEDS`), and prints the delays of true exits.
@Suite struct FenceCampaignTests {
  private var seeds: Int { Int(ProcessInfo.processInfo.environment["LEASH_FENCE_SEEDS"] ?? "") ?? 0 }

  @Test(arguments: StatedAccuracy.allCases) func nobodyAtRestIsOutside(_ stated: StatedAccuracy) {
    let isCampaign = seeds > 0
    for isSmooth in [false, true] {
      for seed in 0..<UInt64(isCampaign ? seeds : 1) {
        let world = FenceWorld(campaignReceiver(stated, every: isCampaign ? 1 : 10, isSmooth: isSmooth), seed: seed)
        world.rest(for: .seconds(isCampaign ? 604_800 : 172_800))
        #expect(world.alert == nil, "\(stated), smooth \(isSmooth), seed \(seed), after \(world.now.secondsDouble) s")
      }
    }
  }

  /// From 2.5 deviations beyond the edge on; at a crawl the errors of the receiver are what decides.
  @Test(arguments: StatedAccuracy.allCases) func oneThatWalksOffIsToldWithinTwoMinutes(_ stated: StatedAccuracy) throws
  {
    for speed in seeds > 0 ? [0.5, 1, 2, 5] : [0.5, 5] {
      for seed in 0..<UInt64(max(seeds / 2, 1)) {
        let delay = try #require(exitDelay(campaignReceiver(stated), beyond: 300, speed: speed, seed: seed))
        #expect(
          delay > 0 && delay - 37.5 / speed <= (speed < 1 ? 135 : 120),
          "\(stated), \(speed) m/s, seed \(seed): \(delay) s")
      }
    }
  }

  /// The curve of docs/rules.md; only for the campaign.
  @Test func delaysByDistance() {
    guard seeds > 0 else { return }
    print("| s from fix to fix | m/s | m beyond the edge | s to the alert, median | ninth decile |")
    print("|---|---|---|---|---|")
    for every in [1.0, 10, 60] {
      for speed in [1.0, 5] {
        for beyond in [10.0, 20, 30, 40, 60, 80, 120, 200] {
          let delays = (0..<UInt64(seeds)).map {
            exitDelay(campaignReceiver(.right, every: every), beyond: beyond, speed: speed, seed: $0) ?? .infinity
          }.sorted()
          let (half, most) = (delays[delays.count / 2], delays[delays.count * 9 / 10])
          print("| \(Int(every)) | \(Int(speed)) | \(Int(beyond)) | \(words(half)) | \(words(most)) |")
        }
      }
    }
  }

  private func words(_ delay: Double) -> String { delay == .infinity ? "—" : "\(Int(delay))" }
}
