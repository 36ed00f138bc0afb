import Quantities
import Testing

@testable import VehicleSimulation

@Test func theSameSeedGivesTheSameBitsAndAnotherSeedOthers() {
  let track = RideTracks.circle(radius: 30, speed: 6, seconds: 40)
  let first = RideTracks.outputs(of: track, seed: 7, scene: .tenMinutesThenThief).all
  #expect(first == RideTracks.outputs(of: track, seed: 7, scene: .tenMinutesThenThief).all)
  #expect(first != RideTracks.outputs(of: track, seed: 8, scene: .tenMinutesThenThief).all)
}
