import InertialFusion
import Quantities
import Testing
import VehicleSimulation

/// What speeds up, brakes and bends for seconds looks tilted; how far the tilt may be off must be said.
@Suite struct VehicleTiltTests {
  /// A car on flat roads: seconds, forward acceleration and yaw rate.
  private typealias Stretch = (seconds: Int, acceleration: Float, yawRate: Float)

  private static let stand: Stretch = (20, 0, 0)
  private static let drive: [Stretch] = [
    (8, 1.5, 0), (10, 0, 0), (6, 0, 0.15), (5, -1.2, 0), (12, 0, 0.02), (4, 1.5, 0), (8, 0, -0.15), (6, -2, 0),
    (3, 0, 0),
  ]

  private struct Errors {
    var squares: Float = 0
    var count: Float = 0
    var beyond: Float = 0
    var most: Float = 0
    var mean: Float { squares / count }
    var share: Float { beyond / count }
  }

  /// Drives and holds the tilt against what is stated.
  private func errors(of stretches: [Stretch], _ filter: inout AttitudeFilter, seed: UInt64) -> Errors {
    var random = SeededRandom(seed: seed, stream: 3)
    func noise(_ size: Float) -> Vector3 {
      Vector3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * size
    }
    var seen = Errors()
    var speed: Float = 0
    var time = (filter.lastSampleTime ?? .zero) + Interval.milliseconds(10)
    for stretch in stretches {
      let isStanding = stretch.acceleration == 0 && stretch.yawRate == 0 && speed < 0.1
      for _ in 0..<stretch.seconds * 100 {
        speed = max(0, speed + stretch.acceleration * 0.01)
        let felt = Vector3(speed > 0 ? stretch.acceleration : 0, speed * stretch.yawRate, 9.81)
        filter.update(
          with: InertialSample(
            time: time, angularRate: Vector3(0.01, -0.02, 0.005 + stretch.yawRate) + noise(0.002),
            specificForce: felt + noise(isStanding ? 0.02 : 0.4)))
        time = time + Interval.milliseconds(10)
        let tilt = degreesOfTilt(filter.levelFromBody, .identity) * .pi / 180
        let ratio = tilt / (filter.tiltUncertainty * 1.414)
        seen.squares += ratio * ratio
        seen.count += 1
        seen.beyond += ratio > 3 ? 1 : 0
        seen.most = max(seen.most, ratio)
      }
    }
    return seen
  }

  @Test(arguments: [UInt64(1), 2, 3]) func aCarStatesHowFarItMayBeOff(seed: UInt64) {
    var filter = AttitudeFilter()
    _ = errors(of: [VehicleTiltTests.stand], &filter, seed: seed)
    let round = VehicleTiltTests.drive + [VehicleTiltTests.stand]
    for place in 0..<3 {
      let seen = errors(of: place == 2 ? VehicleTiltTests.drive : round, &filter, seed: seed &+ UInt64(place) &* 100)
      // Nobody knows yet that it is a vehicle, in the first.
      let (mean, share): (Float, Float) = place == 0 ? (3, 0.12) : (2, 0.06)
      #expect(seen.mean < mean && seen.mean > 0.1, "round \(place): mean squared error \(seen.mean) of that stated")
      #expect(seen.share < share && seen.most < 6, "round \(place): \(seen.share) beyond three, at most \(seen.most)")
    }
    // At rest behind it all is known again, and is stated so.
    _ = errors(of: [VehicleTiltTests.stand], &filter, seed: seed &+ 7)
    #expect(filter.isAtRest && filter.tiltUncertainty < 0.5 * .pi / 180)
  }

  /// A stop is too short to forget that it is a vehicle; ten minutes of rest are not.
  @Test func aVehicleIsOneForAStop() {
    func stated(driving: Bool = true, after rest: Int) -> Float {
      var filter = AttitudeFilter()
      _ = errors(
        of: [VehicleTiltTests.stand] + (driving ? VehicleTiltTests.drive : []) + [(rest, 0, 0), (4, 0, 0.1)], &filter,
        seed: 9)
      var random = SeededRandom(seed: 4, stream: 3)
      // Shaken without being accelerated.
      var time = filter.lastSampleTime!
      var most: Float = 0
      for _ in 0..<1500 {
        time = time + Interval.milliseconds(10)
        filter.update(
          with: InertialSample(
            time: time, angularRate: Vector3(0.01, -0.02, 0.055),
            specificForce: Vector3(Float(random.gaussian()), Float(random.gaussian()), 9.81)))
        most = max(most, filter.tiltUncertainty)
      }
      return most
    }
    let forgotten = stated(after: 600)
    #expect(stated(after: 5) > 1.5 * forgotten)
    // As if it had never driven.
    #expect(forgotten < 1.3 * stated(driving: false, after: 600))
  }
}
