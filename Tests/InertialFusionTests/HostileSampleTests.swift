import InertialFusion
import Quantities
import TestSupport
import Testing

private func isSound(_ estimator: borrowing InertialEstimator) -> Bool {
  let rest = estimator.rest
  let q = estimator.attitude.levelFromBody
  let norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
  return estimator.attitude.gyroBias.isFinite && rest.angularRate.mean.isFinite && rest.specificForce.mean.isFinite
    && rest.angularRate.variance.isFinite && rest.specificForce.variance.isFinite
    && rest.evidence.activity.isFinite && rest.angularRateNoise.variance.isFinite
    && rest.specificForceNoise.variance.isFinite && abs(norm - 1) < 1e-4
}

@Test func everyBadSampleIsCountedByKindAndChangesNothing() {
  var sensor = SimulatedSensor(hertz: 50, seed: 1)
  var estimator = InertialEstimator()
  for _ in 0..<500 { _ = estimator.update(with: sensor.next()) }
  let rest = estimator.rest.angularRate
  let attitude = estimator.attitude.levelFromBody
  let time = sensor.time
  let up = Vector3(0, 0, 9.8)
  func refuse(_ sample: InertialSample) {
    let closed = estimator.update(with: sample)
    #expect(!closed)
  }
  for bad in [Float.nan, .infinity, -.infinity] {
    refuse(InertialSample(time: time, angularRate: Vector3(bad, 0, 0), specificForce: up))
    refuse(InertialSample(time: time, angularRate: .zero, specificForce: Vector3(0, bad, 0)))
  }
  #expect(estimator.rejections.notFinite == 6)
  refuse(InertialSample(time: time, angularRate: Vector3(0, 201, 0), specificForce: up))
  refuse(InertialSample(time: time, angularRate: .zero, specificForce: Vector3(0, 0, 4001)))
  refuse(InertialSample(time: time, angularRate: Vector3(1e38, 1e38, 1e38), specificForce: up))
  #expect(estimator.rejections.outOfRange == 3)
  refuse(InertialSample(time: time))
  refuse(InertialSample(time: time, magneticFluxDensity: Vector3(1, 2, 3)))
  #expect(estimator.rejections.empty == 2)
  refuse(InertialSample(time: time - .milliseconds(20), angularRate: .zero, specificForce: up))
  refuse(InertialSample(time: .zero, angularRate: .zero, specificForce: up))
  #expect(estimator.rejections.outOfOrder == 2)
  #expect(estimator.rejections.total == 13)
  #expect(estimator.rest.angularRate == rest && estimator.attitude.levelFromBody == attitude)
  _ = estimator.update(with: sensor.next())
  #expect(estimator.rejections.total == 13)
}

@Test func aGapOfAnHourStartsANewWindowAndRestReturns() {
  var sensor = SimulatedSensor(hertz: 50, seed: 3)
  var estimator = InertialEstimator()
  for _ in 0..<500 { _ = estimator.update(with: sensor.next()) }
  #expect(estimator.rest.isAtRest && estimator.gapCount == 0)
  sensor.pause(3600)
  let closed = estimator.update(with: sensor.next())
  #expect(!closed && !estimator.rest.isAtRest && estimator.gapCount == 1)
  for _ in 0..<150 {
    _ = estimator.update(with: sensor.next())
    #expect(estimator.rest.windowEnd - estimator.rest.windowStart < .seconds(2))
  }
  #expect(estimator.rest.isAtRest)
}

@Test func oneShockAfterAGapDoesNotTiltTheAttitude() {
  var sensor = SimulatedSensor(hertz: 50, seed: 4)
  var estimator = InertialEstimator()
  for _ in 0..<500 { _ = estimator.update(with: sensor.next()) }
  sensor.pause(60)
  _ = estimator.update(with: sensor.next(acceleration: Vector3(9.8, 0, 0)))
  for _ in 0..<75 { _ = estimator.update(with: sensor.next()) }
  let up = estimator.attitude.levelFromBody.conjugate.rotate(Vector3(0, 0, 1))
  let tilt = Elementary.atan2((up.x * up.x + up.y * up.y).squareRoot(), up.z) * 180 / .pi
  #expect(tilt < 1.5, "\(tilt)° of tilt that is not there")
}

@Test func gyroscopeOrAccelerometerAloneWork() {
  var sensor = SimulatedSensor(hertz: 50, seed: 6)
  var gyroscope = InertialEstimator()
  var accelerometer = InertialEstimator()
  for _ in 0..<500 {
    let sample = sensor.next()
    _ = gyroscope.update(with: InertialSample(time: sample.time, angularRate: sample.angularRate))
    _ = accelerometer.update(with: InertialSample(time: sample.time, specificForce: sample.specificForce))
  }
  #expect(gyroscope.rest.isAtRest && !gyroscope.attitude.isAligned)
  #expect(accelerometer.rest.isAtRest && accelerometer.attitude.isAligned)
  let areSound = (isSound(gyroscope), isSound(accelerometer))
  #expect(areSound.0 && areSound.1)
}

@Test func noSequenceOfSamplesMakesTheEstimatorUnsound() {
  for seed in 1...20 {
    var random = SeededRandom(seed: UInt64(seed))
    var estimator = InertialEstimator()
    var time = Instant.zero
    func value() -> Float {
      let extremes: [Float] = [.nan, .infinity, 1e38, -1e38, 199, -199, 3999, 0, -0.0, .leastNonzeroMagnitude, 115]
      if random.oneIn(12) { return extremes[Int.random(in: 0..<extremes.count, using: &random)] }
      return Float(random.normal()) * (random.oneIn(3) ? 100 : 1)
    }
    for _ in 0..<3000 {
      let steps: [Int64] = [0, 1, -5, 1000, 20_000, 2_499_999, 2_500_001, 3_600_000_000, .max, .min]
      let step = random.oneIn(10) ? steps[Int.random(in: 0..<8, using: &random)] : 20_000
      time = time + Interval(microseconds: step)
      let stray = random.oneIn(500) ? Instant(microseconds: random.oneIn(2) ? .min : -1) : time
      _ = estimator.update(
        with: InertialSample(
          time: stray, angularRate: random.oneIn(9) ? nil : Vector3(value(), value(), value()),
          specificForce: random.oneIn(9) ? nil : Vector3(value(), value(), value())))
      let isFine = isSound(estimator)
      #expect(isFine, "seed \(seed) at \(time.microseconds)")
      if !isFine { return }
    }
  }
}
