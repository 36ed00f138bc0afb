import Foundation
import Quantities
import SkippedTests
import Testing

@testable import VehicleSimulation

/// FNV-1a over the bits of everything handed out.
private func hash(_ outputs: [RideExtension.Output]) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  func mix(_ bits: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      hash = (hash ^ ((bits >> UInt64(shift)) & 0xFF)) &* 0x0000_0100_0000_01B3
    }
  }
  for output in outputs {
    switch output {
    case .inertial(let sample):
      mix(UInt64(bitPattern: sample.time.microseconds))
      for v in [sample.angularRate ?? .zero, sample.specificForce ?? .zero] {
        mix(UInt64(v.x.bitPattern) << 32 | UInt64(v.y.bitPattern))
        mix(UInt64(v.z.bitPattern))
      }
    case .fix(let fix):
      mix(UInt64(bitPattern: fix.time.microseconds))
      mix(UInt64(bitPattern: fix.position?.latitudeE9 ?? 0))
      mix(UInt64(bitPattern: fix.position?.longitudeE9 ?? 0))
      mix((fix.speed ?? 0).bitPattern)
    }
  }
  return hash
}

private func time(of output: RideExtension.Output) -> Instant {
  switch output {
  case .inertial(let sample): return sample.time
  case .fix(let fix): return fix.time
  }
}

/// In order of time, samples before fixes at equal times, every number finite and within the sensor's range.
private func expectOrderAndRange(_ outputs: [RideExtension.Output]) {
  var isOrdered = true
  var isFinite = true
  for (a, b) in zip(outputs, outputs.dropFirst()) {
    if time(of: b) < time(of: a) { isOrdered = false }
    if case .fix = a, case .inertial(let sample) = b, sample.time <= time(of: a) { isOrdered = false }
  }
  for sample in outputs.samples {
    let rate = sample.angularRate ?? Vector3(.nan, 0, 0)
    let force = sample.specificForce ?? Vector3(.nan, 0, 0)
    if !rate.isFinite || !force.isFinite || rate.length > 15.2 || force.length > 136 { isFinite = false }
  }
  #expect(isOrdered)
  #expect(isFinite)
}

@Test func theSameSeedGivesTheSameBitsAndAnotherSeedOthers() {
  let track = RideTracks.circle(radius: 30, speed: 6, seconds: 40)
  let scene = ParkingScene(phases: [.standing(seconds: 5), .rolled(metres: 8), .lifted, .carriedOff(metres: 10)])
  let first = RideTracks.outputs(of: track, seed: 7, scene: scene).all
  #expect(first == RideTracks.outputs(of: track, seed: 7, scene: scene).all)
  #expect(first != RideTracks.outputs(of: track, seed: 8, scene: scene).all)
}

@Test func theArdennesRideGivesTheBitsItAlwaysGave() throws {
  let track = try RideTracks.fixture("ardennes_edge1000_gnss")
  #expect(track.count == 8357)
  // At 20 Hz, for a debug build takes its time.
  let outputs = RideTracks.outputs(of: track, seed: 1, hertz: 20, scene: .tenMinutesThenThief)
  // Golden: changes only with the model, in a commit that says how.
  #expect(hash(outputs.all) == 13_404_648_836_992_206_760)
  #expect(outputs.extension.recordedFixes == track.count)
  #expect(Array(outputs.all.fixes.prefix(track.count)) == track)
  #expect(outputs.all.samples.count == 167_121 + 15_905)
  expectOrderAndRange(outputs.all)
}

@Test func whenTheFixesAreTakenInDoesNotMatter() throws {
  let track = Array(try RideTracks.fixture("ardennes_edge1000_gnss").prefix(200))
  let one = RideTracks.outputs(of: track).all
  var late = RideExtension(seed: 1, scene: nil)
  for fix in track { late.receive(fix) }
  late.finish()
  var all: [RideExtension.Output] = []
  while let output = late.next() { all.append(output) }
  #expect(one == all)
  #expect(late.isFinished)
}

@Test func aRideThroughAGapGoesOn() throws {
  let track = try RideTracks.fixture("leiden_edge1000_gap_gnss")
  let all = RideTracks.outputs(of: track).all
  expectOrderAndRange(all)
  let longest = zip(all.samples, all.samples.dropFirst()).map { ($1.time - $0.time).microseconds }.max()
  #expect(longest == 10_000)
  // Inside the gap the bicycle rides: it shakes.
  let inside = all.samples.filter { $0.time > .seconds(60) && $0.time < .seconds(80) }
  #expect(RideTracks.median(RideTracks.deviations(inside).map { $0.values[4] }) > 1)
}

@Test func aGapOfMinutesInOnePlaceIsAStop() {
  var track = (0...30).map { RideTracks.fix(at: Double($0), east: 6 * Double($0), north: 0, speed: 6) }
  track += (0...30).map { RideTracks.fix(at: 330 + Double($0), east: 186 + 6 * Double($0), north: 3, speed: 6) }
  let all = RideTracks.outputs(of: track).all
  expectOrderAndRange(all)
  let still = all.samples.filter { $0.time > .seconds(70) && $0.time < .seconds(329) }
  #expect(still.count == 25_899)
  for (_, values) in RideTracks.deviations(still) {
    #expect(values[0...2].max() ?? 1 < 0.01)
    #expect(values[3...5].max() ?? 1 < 0.1)
  }
}

@Test func aHoleOfADayIsNotFilledWithSamples() {
  var track = (0...10).map { RideTracks.fix(at: Double($0), east: 6 * Double($0), north: 0, speed: 6) }
  var near = RideTracks.fix(at: 10.1, east: 60, north: 0, speed: 6)
  near.position = nil
  track.append(near)
  track += (0...10).map { RideTracks.fix(at: 86_400.003 + Double($0), east: 6 * Double($0), north: 0, speed: 6) }
  let outputs = RideTracks.outputs(of: track, scene: ParkingScene(phases: [.standing(seconds: 3)]))
  expectOrderAndRange(outputs.all)
  #expect(outputs.all.samples.count < 3000)
  #expect(outputs.all.fixes.prefix(track.count) == track[...])
  #expect(outputs.extension.isFinished)
}

@Test func withoutFixesThereIsNothing() {
  let outputs = RideTracks.outputs(of: [], scene: .tenMinutesThenThief)
  #expect(outputs.all.isEmpty)
  #expect(outputs.extension.isFinished)
  #expect(outputs.extension.remarks.isEmpty)
}

@Test func aSingleFixGivesOneSampleAndTheScene() {
  let fix = RideTracks.fix(at: 5, east: 0, north: 0)
  let alone = RideTracks.outputs(of: [fix])
  #expect(alone.all.fixes == [fix])
  #expect(alone.all.samples.map(\.time) == [.seconds(5)])
  #expect(alone.extension.isFinished)
  let parked = RideTracks.outputs(of: [fix], scene: ParkingScene(phases: [.standing(seconds: 10)]))
  expectOrderAndRange(parked.all)
  #expect(parked.all.samples.count == 1001)
  #expect(parked.all.fixes.count == 11)
}

@Test func anUnfinishedRideIsNotFinished() {
  var extended = RideExtension(seed: 1, scene: nil)
  #expect(extended.next() == nil)
  #expect(!extended.isFinished)
  extended.receive(RideTracks.fix(at: 0, east: 0, north: 0))
  while extended.next() != nil {}
  #expect(!extended.isFinished)
}

@Test func jumpsAndNonsenseGiveFiniteReadings() {
  var track: [GNSSFix] = []
  for second in 0..<120 {
    let s = Double(second)
    switch second % 12 {
    case 3: track.append(RideTracks.fix(at: s, east: 5_000_000, north: -3_000_000, height: 8000, speed: 1e300))
    case 5: track.append(RideTracks.fix(at: s, east: 0, north: 6 * s, height: .nan, speed: .nan))
    case 7: track.append(RideTracks.fix(at: s, east: 39 * s, north: 6 * s, height: -.infinity, speed: -3))
    case 9: track.append(GNSSFix(time: .seconds(second)))
    case 10: track.append(RideTracks.fix(at: s - 0.9999, east: 30, north: 6 * s, height: 1e300))
    default: track.append(RideTracks.fix(at: s, east: 0, north: 6 * s, height: 100 + s, speed: 6))
    }
  }
  track.append(track[40])
  var pole = RideTracks.fix(at: 200, east: 0, north: 0)
  pole.position = GeodeticPosition(latitudeE9: 90_000_000_000, longitudeE9: -180_000_000_000)
  track.append(pole)
  let outputs = RideTracks.outputs(of: track, scene: .tenMinutesThenThief)
  expectOrderAndRange(outputs.all)
  #expect(outputs.extension.isFinished)
  #expect(outputs.extension.fixesOutOfOrder == 1)
  #expect(outputs.extension.recordedFixes == track.count - 1)
}

@Test func timesAtTheEndsOfTheClockEndToo() {
  for microseconds in [Int64.min, -1, Int64.max - 5, Int64.max] {
    var track = [RideTracks.fix(at: 0, east: 0, north: 0), RideTracks.fix(at: 1, east: 5, north: 0)]
    track[0].time = Instant(microseconds: microseconds)
    track[1].time = Instant(microseconds: microseconds) + .seconds(1)
    let outputs = RideTracks.outputs(of: track, scene: ParkingScene(phases: [.standing(seconds: 2)]))
    #expect(outputs.extension.isFinished)
    #expect(outputs.all.fixes.prefix(2) == track[...])
  }
}

@Test func aPositionThatIsMissingForALongTimeLetsTheBicycleStand() {
  var track = (0...20).map { RideTracks.fix(at: Double($0), east: 6 * Double($0), north: 0, speed: 6) }
  track += (21...2000).map { GNSSFix(time: .seconds($0)) }
  let outputs = RideTracks.outputs(of: track)
  expectOrderAndRange(outputs.all)
  #expect(outputs.all.fixes == track)
  #expect(outputs.all.samples.last?.time == .seconds(2000))
}

@Test func memoryDoesNotGrowWithTheRide() {
  var extended = RideExtension(seed: 1, hertz: 1, scene: nil)
  var most = 0
  for second in 0..<20_000 {
    // Every third quarter of an hour in a tunnel.
    let isHidden = second / 900 % 3 == 2
    extended.receive(
      isHidden
        ? GNSSFix(time: .seconds(second)) : RideTracks.fix(at: Double(second), east: 5 * Double(second), north: 0))
    while extended.next() != nil {}
    most = max(most, extended.storedFixes)
  }
  #expect(most < 500)
}

@Test(arguments: [1, 7, 50, 100, 333, 1000])
func samplesComeAtTheRateAskedFor(hertz: Int) {
  let all = RideTracks.outputs(
    of: RideTracks.circle(radius: 30, speed: 6, seconds: 20), hertz: hertz,
    scene: ParkingScene(phases: [.standing(seconds: 10)])
  ).all
  expectOrderAndRange(all)
  // 20 s of ride, 3 s of braking from 6 m/s, 10 s of standing.
  #expect(abs(all.samples.count - 33 * hertz) <= max(hertz / 10, 2))
  for (a, b) in zip(all.samples, all.samples.dropFirst()) {
    let step = Double((b.time - a.time).microseconds)
    #expect(abs(step - 1e6 / Double(hertz)) < 1.5)
  }
}

@Test func aRideShakesAsTheRecordedOneDoes() throws {
  let track = Array(try RideTracks.fixture("ardennes_edge1000_gnss")[300..<1500])
  let samples = RideTracks.outputs(of: track).all.samples
  let speeds = Dictionary(uniqueKeysWithValues: track.map { ($0.time.microseconds / 1_000_000, $0.speed ?? 0) })
  let windows = RideTracks.deviations(samples).filter {
    let speed = speeds[$0.time.microseconds / 1_000_000] ?? 0
    return speed > 5 && speed < 8
  }
  #expect(windows.count > 50)
  // bike_campus_laps_2 at 5 to 8 m/s: gyroscope 0.17 0.26 0.16 rad/s, accelerometer 2.1 3.9 3.8 m/s².
  let recorded = [0.17, 0.26, 0.16, 2.1, 3.9, 3.8]
  for (channel, value) in recorded.enumerated() {
    let median = RideTracks.median(windows.map { $0.values[channel] })
    #expect(median > 0.6 * value && median < 1.6 * value, "channel \(channel): \(median), recorded \(value)")
  }
}

@Test func noiseAtRestIsThatOfARecordedParkedBicycle() throws {
  guard let rides = outsideRecordings("rides") else { return }
  let rows = try RideTracks.rows(URL(fileURLWithPath: rides + "/bike_still_15min_imu2.csv.gz"))
  let recorded = RideTracks.deviations(
    rows.compactMap { row in
      let n = row.compactMap { Double($0) }
      guard n.count == 7 else { return nil }
      return InertialSample(
        time: Instant(microseconds: Elementary.roundedInteger(n[0] * 1e6)),
        angularRate: Vector3(Float(n[1]), Float(n[2]), Float(n[3])),
        specificForce: Vector3(Float(n[4]), Float(n[5]), Float(n[6])))
    })
  let made = RideTracks.deviations(RideTracks.outputs(of: RideTracks.standing(seconds: 300)).all.samples)
  #expect(recorded.count > 1500)
  for channel in 0..<6 {
    let ratio =
      RideTracks.median(made.map { $0.values[channel] }) / RideTracks.median(recorded.map { $0.values[channel] })
    #expect(ratio > 0.4 && ratio < 2.5, "channel \(channel): synthetic over recorded \(ratio)")
  }
}
