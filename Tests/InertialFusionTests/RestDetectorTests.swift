import InertialFusion
import Quantities
import TestSupport
import Testing

/// Share of closed windows at rest, counted from `after` on.
private func restShare(_ samples: [InertialSample], after: Instant) -> (rest: Int, moving: Int) {
  var estimator = InertialEstimator()
  var rest = 0
  var moving = 0
  for sample in samples where estimator.update(with: sample) && sample.time >= after {
    if estimator.rest.isAtRest { rest += 1 } else { moving += 1 }
  }
  return (rest, moving)
}

private func still(_ sensor: inout SimulatedSensor, seconds: Int) -> [InertialSample] {
  (0..<seconds * sensor.hertz).map { _ in sensor.next() }
}

@Test(
  arguments: [25, 50, 100, 200], [(0.0005, 0.005), (0.002, 0.02), (0.006, 0.08), (0.009, 0.1)] as [(Float, Float)])
func restIsReachedAndKeptAtEveryRateAndNoise(hertz: Int, noise: (Float, Float)) {
  for seed in 1...3 {
    var sensor = SimulatedSensor(hertz: hertz, rateNoise: noise.0, forceNoise: noise.1, seed: UInt64(seed))
    sensor.bias = Vector3(0.02, -0.05, 0.01)
    let (rest, moving) = restShare(still(&sensor, seconds: 120), after: .seconds(5))
    #expect(moving == 0, "\(hertz) Hz, noise \(noise), seed \(seed): \(moving) of \(rest + moving)")
  }
}

@Test(arguments: [0.012, 0.015, 0.019] as [Float])
func aLoudSensorIsLearntWithinHalfAMinute(rateNoise: Float) {
  var sensor = SimulatedSensor(hertz: 100, rateNoise: rateNoise, forceNoise: 0.25, seed: 5)
  let (rest, moving) = restShare(still(&sensor, seconds: 180), after: .seconds(45))
  #expect(moving * 100 <= rest, "\(moving) windows of movement, \(rest) at rest")
}

@Test(arguments: [Vector3(0.35, 0, 0), Vector3(0, -0.35, 0), Vector3(0.2, 0.2, -0.2), Vector3(0, 0, 0.05)])
func aConstantBiasNeitherPreventsRestNorStaysUnknown(bias: Vector3) {
  var sensor = SimulatedSensor(hertz: 50, seed: 21)
  sensor.bias = bias
  var estimator = InertialEstimator()
  for _ in 0..<60 * 50 { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.isAtRest)
  #expect(estimator.attitude.isGyroBiasKnown)
  // Learnt within half a milliradian per second.
  #expect((estimator.attitude.gyroBias - bias).length < 0.0005)
}

@Test(arguments: [25, 100])
func aSlowSteadyRotationIsMovementOnceTheBiasIsKnown(hertz: Int) throws {
  var sensor = SimulatedSensor(hertz: hertz, seed: 31)
  sensor.bias = Vector3(-0.08, 0.03, 0.01)
  var estimator = InertialEstimator()
  for _ in 0..<20 * hertz { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.isAtRest)
  let start = sensor.time
  var seen: Instant?
  for _ in 0..<5 * hertz {
    let closed = estimator.update(with: sensor.next(rate: Vector3(0, 0, 2 * .pi / 180)))
    if closed, seen == nil, !estimator.rest.isAtRest { seen = sensor.time }
  }
  let noticed = try #require(seen)
  #expect(noticed - start <= .seconds(1))
  #expect(estimator.rest.evidence.meanRateRatio > 2)
  // And rest returns when the rotation ends.
  for _ in 0..<3 * hertz { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.isAtRest)
}

@Test func aBiasThatHasMovedIsAcceptedAfterTenQuietSeconds() {
  var sensor = SimulatedSensor(hertz: 50, seed: 41)
  var estimator = InertialEstimator()
  for _ in 0..<30 * 50 { _ = estimator.update(with: sensor.next()) }
  // About the vertical: of the others the accelerometer tells sooner (`SensorWatchTests`).
  sensor.bias = Vector3(0, 0, 0.02)
  for _ in 0..<5 * 50 { _ = estimator.update(with: sensor.next()) }
  #expect(!estimator.rest.isAtRest)
  for _ in 0..<10 * 50 { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.isAtRest)
  #expect((estimator.attitude.gyroBias - sensor.bias).length < 0.001)
}

@Test func theSameFaintMovementIsSeenByAQuietSensorAndNotByALoudOne() {
  func activity(rateNoise: Float) -> Float {
    var sensor = SimulatedSensor(hertz: 50, rateNoise: rateNoise, forceNoise: 0.02, seed: 51)
    var estimator = InertialEstimator()
    for _ in 0..<120 * 50 { _ = estimator.update(with: sensor.next()) }
    var largest: Float = 0
    for step in 0..<100 {
      let swing: Float = step % 4 < 2 ? 0.02 : -0.02
      if estimator.update(with: sensor.next(rate: Vector3(swing, 0, swing))) {
        largest = max(largest, estimator.rest.evidence.angularRateRatio)
      }
    }
    return largest
  }
  #expect(activity(rateNoise: 0.001) > 1.3)
  #expect(activity(rateNoise: 0.012) < 1)
}

@Test func movementIsDatedToTheWindowInWhichItBegan() throws {
  var sensor = SimulatedSensor(hertz: 100, seed: 61)
  var estimator = InertialEstimator()
  for _ in 0..<1000 { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.movementOnset == nil && estimator.rest.lastMovement == nil)
  let start = sensor.time
  for step in 0..<200 {
    _ = estimator.update(with: sensor.next(acceleration: Vector3(step % 2 == 0 ? 2 : -2, 0, 0)))
  }
  let onset = try #require(estimator.rest.movementOnset)
  #expect(abs((onset - start).seconds) <= 0.3)
  let end = sensor.time
  for _ in 0..<300 { _ = estimator.update(with: sensor.next()) }
  let last = try #require(estimator.rest.lastMovement)
  #expect(estimator.rest.movementOnset == nil)
  #expect(abs((last - end).seconds) <= 0.6)
  #expect(estimator.rest.isAtRest)
}

@Test func aStuckSensorIsSeenToBeFrozenEvenAfterItHasWorked() {
  var sensor = SimulatedSensor(hertz: 50, seed: 71)
  var estimator = InertialEstimator()
  var last = sensor.next()
  for _ in 0..<500 {
    last = sensor.next()
    _ = estimator.update(with: last)
  }
  #expect(estimator.rest.frozen == .zero)
  for _ in 0..<50 * 15 {
    last.time = last.time + .milliseconds(20)
    _ = estimator.update(with: last)
  }
  #expect(estimator.rest.frozen >= .seconds(10))
  #expect(estimator.rest.evidence.activity < 1)
}

@Test(arguments: [
  ("bike_still_15min_imu.csv.gz", 0), ("bike_still_15min_imu2.csv.gz", 1), ("still_mpu6050_11min_imu.csv.gz", 2),
])
func recordedStillnessIsRest(file: String, index: Int) throws {
  guard let folder = recordedDataFolder("rides") else { return }
  let (rest, moving) = restShare(try recordedSamples(folder + "/" + file), after: .seconds(5))
  #expect(rest > 1000)
  #expect(moving * 100 <= rest + moving, "\(file): \(moving) of \(rest + moving) windows not at rest")
}
