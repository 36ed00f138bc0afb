import MotionEvaluation
import Testing

@Suite struct RiddenDistanceTests {
  private func ride(
    _ metres: Double, thinned: Double = 1000, track: Double = 1000, device: Double? = 1000, half: SceneHalf = .tuning
  ) -> RiddenDistance {
    RiddenDistance(
      name: "ride", half: half, metres: metres, thinnedMetres: thinned, trackMetres: track, deviceMetres: device)
  }

  @Test func whereTrackAndDeviceAgreeOnePerCentIsAllowed() {
    #expect(ride(1009.9).holds == true && ride(990.1).holds == true)
    #expect(ride(1010.1).holds == false && ride(989.9).holds == false)
    #expect(ride(1009.9, track: 1009.9).holds == true && ride(1010.1, track: 1009.9).holds == false)
  }

  @Test func elseTwiceTheirDisagreementIs() {
    #expect(ride(1059.9, track: 1030).holds == true && ride(1060.1, track: 1030).holds == false)
    #expect(ride(940.1, track: 1030).holds == true && ride(939.9, track: 1030).holds == false)
  }

  @Test func withoutADeviceOnlyTheTrackIsThereAndJudgesNothing() {
    let alone = ride(900, device: nil)
    #expect(alone.holds == nil && alone.limit == nil && alone.disagreement == nil)
    #expect((alone.error + 0.1).magnitude < 1e-12)
  }

  @Test func thinnedRidesAreJudgedByTheWholeTrack() {
    #expect(ride(1000, thinned: 1019.9).holdsThinned && ride(1000, thinned: 980.1).holdsThinned)
    #expect(!ride(1000, thinned: 1020.1).holdsThinned && !ride(1000, thinned: 979.9).holdsThinned)
    #expect(!ride(1000, thinned: 1000, track: 1050).holdsThinned)
  }

  @Test func theSumMayBeWrongByThreePerMille() {
    #expect(DistanceTable([ride(1002.9)]).holds && !DistanceTable([ride(1003.1)]).holds)
    #expect(DistanceTable([ride(1009), ride(991)]).holds)
    #expect(!DistanceTable([ride(1000), ride(1000, thinned: 1021)]).holds)
    #expect(!DistanceTable([ride(1011), ride(989)]).holds)
    // What has no device is not in the sum.
    #expect(DistanceTable([ride(500, device: nil)]).bias == nil && DistanceTable([ride(500, device: nil)]).holds)
  }

  @Test func theTableHasALineForEachRideAndItsSums() {
    let table = DistanceTable([ride(1004.6, thinned: 979), ride(2030, device: nil, half: .held)])
    let lines = table.markdown.split(separator: "\n")
    #expect(lines[2] == "| ride | tuning | 1000 | 1000 | 0.00 % | 1005 | +0.46 % | yes | 979 | -2.10 % | **no** |")
    #expect(lines[3] == "| ride | held | 1000 |  |  | 2030 | +103.00 % |  | 1000 | 0.00 % | yes |")
    #expect(lines[4] == "- All with a device's distance: 1 rides, error of the sum +0.46 %")
    #expect(lines.last == "- 1 of 1 hold; with a fix every 5 s 1 of 2")
  }
}
