import Foundation
import Quantities
import Testing
import VehicleSimulation

@testable import MotionEvaluation

/// A stretch whose axes are noise of these deviations, plus a sine in the force's x.
private func noise(_ deviation: Double, count: Int, seed: UInt64, sine: (hertz: Double, size: Double) = (1, 0))
  -> SignalStretch
{
  var random = SeededRandom(seed: seed)
  var stretch = SignalStretch()
  for place in 0..<count {
    func next() -> Float { Float(deviation * random.gaussian()) }
    let wave = Float(sine.size * sin(2 * Double.pi * sine.hertz * Double(place) / 100))
    stretch.append(Vector3(next(), next(), next()), Vector3(next() + wave, next(), next()))
  }
  return stretch
}

private func figures(_ stretch: SignalStretch, allan: Bool = false) -> SignalFigures {
  SignalFigures([stretch], hertz: 100, lowest: 0.5, wantsAllan: allan)
}

@Suite struct RealityTests {
  @Test func whiteNoiseHasTheSameDensityInAllBands() {
    let result = figures(noise(2, count: 100_000, seed: 1))
    // All of the variance up to half of the rate.
    for axis in 0..<6 { #expect(result.densities[axis].allSatisfy { abs($0 / (4.0 / 50) - 1) < 0.2 }) }
    #expect(abs((result.bands.first ?? 0) - 0.501) < 0.01 && result.bands.last ?? 0 < 42)
    let mean = result.windows.force.reduce(0, +) / Double(result.windows.force.count)
    #expect(abs(mean / (2 * 3.squareRoot()) - 1) < 0.02)
  }

  @Test func aToneIsInItsBandWithItsPower() {
    let result = figures(noise(0.001, count: 50_000, seed: 2, sine: (10, 3)))
    let place = result.bands.firstIndex { abs($0 - 10) < 0.1 } ?? 0
    // A²/2 over the width of a third of an octave.
    #expect(abs(result.densities[3][place] / (4.5 / (10 * (1.122 - 1 / 1.122))) - 1) < 0.05)
    #expect(result.densities[3][place - 3] < 1e-3 * result.densities[3][place])
  }

  @Test func whatIsTwiceAsStrongIsSixDecibelsAway() {
    let distance = SignalDistance(figures(noise(2, count: 60_000, seed: 3)), figures(noise(1, count: 60_000, seed: 4)))
    #expect(abs(distance.spectrum.rate - 6.02) < 0.3 && abs(distance.spectrum.force - 6.02) < 0.3)
    #expect(abs(distance.shares.force - 1) < 0.03)
    let same = SignalDistance(figures(noise(1, count: 60_000, seed: 3)), figures(noise(1, count: 60_000, seed: 4)))
    #expect(same.spectrum.rate < 0.6 && same.shares.rate < 0.03)
  }

  @Test func theWassersteinDistanceIsTheAreaBetweenDistributions() {
    #expect(SignalDistance.wasserstein([1, 2, 3], [1, 2, 3]) == 0)
    #expect(SignalDistance.wasserstein([3, 1, 2], [4, 2, 3]) == 1)
    // Half of it has to go by 3.
    #expect(abs(SignalDistance.wasserstein([0, 3], [3, 3, 3, 3]) - 1.5) < 1e-12)
    // Of thirds and halves: sixths that go by 1.
    #expect(abs(SignalDistance.wasserstein([0, 1, 2], [0, 2]) - 1.0 / 3) < 1e-12)
  }

  @Test func theAllanDeviationOfWhiteNoiseFallsWithTheRootOfTime() {
    let allan = figures(noise(1, count: 60_000, seed: 5), allan: true).allan
    #expect(allan.times.first == 0.01 && allan.times.last ?? 0 > 40)
    for (place, time) in allan.times.enumerated() where time < 10 {
      #expect(abs(allan.axes[4][place] * (time * 100).squareRoot() - 1) < 0.2)
    }
  }

  @Test func aRecordingIsReadWithItsSpeedsAndItsGaps() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reality-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var imu = "t_s,gx,gy,gz,ax,ay,az\n"
    var wheel = "t_s,speed_mps,distance_m\n"
    for step in 0..<1000 where step < 400 || step > 450 {
      imu += "\(Double(step) / 50),0.1,0.2,0.3,0,0,\(step % 7)\n"
    }
    for step in 0..<200 { wheel += "\(Double(step) / 10),0,\(step < 100 ? Double(step) * 0.2 : 20)\n" }
    try Data(imu.utf8).write(to: folder.appending(path: "a_imu.csv"))
    try Data(wheel.utf8).write(to: folder.appending(path: "a_wheel.csv"))
    let library = SceneLibrary(repository: "/nowhere", data: folder.path)
    let recording = try RealityRecording("data:a_imu.csv", speeds: "data:a_wheel.csv", in: library)
    #expect(abs(recording.hertz - 50) < 0.5)
    #expect(abs(recording.speed(at: 5) - 2) < 0.05 && recording.speed(at: 15) < 0.05)
    let all = recording.stretches(from: 0, to: 100, speeds: 0...100, shortest: 1)
    #expect(all.map(\.count) == [400, 549])
    let ridden = recording.stretches(from: 0, to: 100, speeds: 1...100, shortest: 1)
    #expect(ridden.count == 2 && ridden[1].count < 100)
    #expect(recording.stretches(from: 0, to: 2, speeds: 0...100, shortest: 5).isEmpty)
    #expect(throws: (any Error).self) { try RealityRecording("data:b_imu.csv", speeds: nil, in: library) }
  }

  @Test func eachClassIsComparedOnHalvesThatHaveNothingInCommon() {
    for motion in RealityClass.all {
      for a in motion.sources where a.half == .tuning {
        for b in motion.sources where b.half == .held {
          #expect(a.file != b.file || a.to <= b.from || b.to <= a.from, "\(motion.name)")
        }
      }
      #expect(!motion.models.isEmpty && motion.sources.contains { $0.half == .held })
    }
    #expect(RealityClass.without.count > 5)
  }

  @Test func theTableHasARowForEachModelAndSaysWhatItHasNothingFor() {
    let a = figures(noise(1, count: 4000, seed: 6))
    let b = figures(noise(1.5, count: 4000, seed: 7))
    let half = RealityResult.Half(
      half: .held, files: ["x_imu.csv"], seconds: 40, recorded: a, models: [("`model`", true, b, SignalDistance(b, a))])
    let table = RealityTable([RealityResult(name: "ride", about: "a ride", halves: [half], between: nil)]).markdown
    #expect(table.contains("| ride | held | `model` | "))
    #expect(table.contains("50 % · ") || table.contains("49 % · ") || table.contains("51 % · "))
    #expect(table.contains("held x_imu.csv (40 s)") && table.contains("With no recording to compare with: wind;"))
  }
}
