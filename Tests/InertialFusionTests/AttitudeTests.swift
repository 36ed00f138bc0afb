import InertialFusion
import Quantities
import TestSupport
import Testing

private let degree = Float.pi / 180

/// Angle between the vertical of an estimate and the true one, rad.
private func tiltError(_ estimator: borrowing InertialEstimator, _ truth: Quaternion) -> Float {
  let up = Vector3(0, 0, 1)
  let a = estimator.attitude.levelFromBody.conjugate.rotate(up)
  let b = truth.conjugate.rotate(up)
  return Elementary.atan2(a.cross(b).length, a.dot(b))
}

@Test func theVerticalIsRightWithinADegreeInEveryAttitude() {
  var random = SeededRandom(seed: 9)
  for seed in 1...40 {
    var sensor = SimulatedSensor(hertz: 50, forceNoise: 0.05, seed: UInt64(seed))
    sensor.earthFromBody =
      Quaternion(
        w: Float(random.normal()), x: Float(random.normal()), y: Float(random.normal()), z: Float(random.normal())
      ).normalized
    var estimator = InertialEstimator()
    for _ in 0..<250 { _ = estimator.update(with: sensor.next()) }
    let error = tiltError(estimator, sensor.earthFromBody)
    #expect(error < degree)
  }
}

@Test(arguments: [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(-1, 0, 0), Vector3(0.6, 0, 0.8)])
func aTurnAboutAnyAxisIsFollowed(axis: Vector3) {
  var sensor = SimulatedSensor(hertz: 100, seed: 15)
  sensor.bias = Vector3(0.03, -0.04, 0.02)
  var estimator = InertialEstimator()
  for _ in 0..<1500 { _ = estimator.update(with: sensor.next()) }
  let before = estimator.attitude.levelFromBody
  let truthBefore = sensor.earthFromBody
  // 90 degrees in three seconds.
  for _ in 0..<300 { _ = estimator.update(with: sensor.next(rate: axis * (30 * degree))) }
  for _ in 0..<300 { _ = estimator.update(with: sensor.next()) }
  let error = tiltError(estimator, sensor.earthFromBody)
  #expect(error < degree)
  // The turn, seen from the start, agrees; the quarter second until movement is noticed costs up to 15 degrees of heading.
  let turned = (before.conjugate * estimator.attitude.levelFromBody).normalized
  let truth = (truthBefore.conjugate * sensor.earthFromBody).normalized
  #expect((turned.conjugate * truth).normalized.angle < 16 * degree)
}

@Test func theHeadingDoesNotDriftInTwelveHoursOfRest() {
  var sensor = SimulatedSensor(hertz: 10, seed: 17)
  sensor.bias = Vector3(0.05, 0.02, -0.04)
  var estimator = InertialEstimator()
  for _ in 0..<300 { _ = estimator.update(with: sensor.next()) }
  let before = estimator.attitude.levelFromBody
  for _ in 0..<12 * 3600 * 10 { _ = estimator.update(with: sensor.next()) }
  let turn = estimator.attitude.levelFromBody * before.conjugate
  let heading = 2 * Elementary.atan2(abs(turn.z), abs(turn.w))
  #expect(heading < 0.5 * degree, "\(heading / degree)°")
}

@Test func accelerationsOfARideAverageOut() {
  var sensor = SimulatedSensor(hertz: 100, rateNoise: 0.01, forceNoise: 1.5, seed: 19)
  var estimator = InertialEstimator()
  var still = SimulatedSensor(hertz: 100, seed: 20)
  for _ in 0..<1000 { _ = estimator.update(with: still.next()) }
  sensor.pause(10)
  var worst: Float = 0
  for step in 0..<3000 {
    // Braking and speeding up by 2 m/s², one second each.
    let push: Float = step / 100 % 2 == 0 ? 2 : -2
    _ = estimator.update(with: sensor.next(acceleration: Vector3(push, 0, 0)))
    worst = max(worst, tiltError(estimator, sensor.earthFromBody))
  }
  #expect(worst < 8 * degree, "\(worst / degree)°")
}

@Test func theMountingTurnsTheAttitudeWithIt() throws {
  let mounting = try #require(AxisRemap(forward: .plusY, left: .plusZ, up: .plusX))
  var estimator = InertialEstimator(calibration: InertialCalibration(mounting: .axes(mounting)))
  for step in 1...100 {
    _ = estimator.update(
      with: InertialSample(
        time: .milliseconds(20 * step), angularRate: .zero, specificForce: Vector3(9.8, 0, 0)))
  }
  let error = tiltError(estimator, .identity)
  #expect(error < 0.001)
}
