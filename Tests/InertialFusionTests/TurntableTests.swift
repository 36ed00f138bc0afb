import InertialFusion
import Quantities
import Testing

/// An even turn about the vertical without any wobble feels as a changed bias feels; a magnetometer tells them apart.
@Suite struct TurntableTests {
  private static let degree = Float.pi / 180

  /// Largest error of the heading, degrees, and largest in units of the stated deviation.
  private func headingErrors(_ trial: SimulatedTrial, _ filter: inout AttitudeFilter) -> (most: Float, ratio: Float) {
    var (most, ratio): (Float, Float) = (0, 0)
    for (place, sample) in trial.samples.enumerated() {
      filter.update(with: sample)
      guard place > 500 else { continue }
      let error = filter.earthFromBody * trial.truth[place].conjugate
      let off = 2 * Elementary.atan2(error.z.magnitude, error.w.magnitude)
      most = max(most, off / TurntableTests.degree)
      ratio = max(ratio, off / filter.headingUncertainty)
    }
    return (most, ratio)
  }

  /// As slowly as it can be told within the ten seconds, at a usual rate, and one in which the ten seconds are a whole turn.
  @Test(arguments: [Float(4), 20, 36]) func aTurnThatAMagnetometerSeesIsNoBias(rate: Float) {
    let trial = SimulatedTrial(
      seed: 67, start: Quaternion(rotationVector: Vector3(0, 0, 0.7)),
      phases: [
        .rest(20), SimulatedTrial.Phase(seconds: 60, evenTurn: Vector3(0, 0, rate * TurntableTests.degree)), .rest(30),
      ])
    var filter = AttitudeFilter()
    let errors = headingErrors(trial, &filter)
    #expect(errors.most < 3 && errors.ratio < 3, "\(errors)")
    let off = (filter.gyroBias - Vector3(0.02, -0.03, 0.01)).length / TurntableTests.degree
    #expect(off < 0.2, "bias off by \(off)°/s")
  }

  /// The reading stays where it is: so does the sensor.
  @Test(arguments: [Float(3), 6, 20]) func aBiasThatChangesAtRestIsLearntAllTheSame(step: Float) {
    var sensor = SimulatedTrial.Sensor()
    sensor.biasStep = Vector3(0, 0, step * TurntableTests.degree)
    sensor.biasStepAt = 30
    let trial = SimulatedTrial(
      seed: 68, start: Quaternion(rotationVector: Vector3(0, 0, 0.7)), sensor: sensor, phases: [.rest(60)])
    var filter = AttitudeFilter()
    for sample in trial.samples.prefix(4300) { filter.update(with: sample) }
    let off = filter.gyroBias.z - 0.01 - step * TurntableTests.degree
    #expect(off.magnitude < 0.2 * TurntableTests.degree, "\(off / TurntableTests.degree)°/s off")
    #expect(filter.isAtRest)
  }

  /// Once in a while the turn that there was not would be a whole one, and the reading where it should be.
  @Test func aWholeTurnShowsNothing() {
    var parameters = AttitudeParameters()
    parameters.rest.biasChangeTime = .seconds(30)
    var sensor = SimulatedTrial.Sensor()
    sensor.biasStep = Vector3(0, 0, 20 * TurntableTests.degree)
    sensor.biasStepAt = 30
    let trial = SimulatedTrial(seed: 69, sensor: sensor, phases: [.rest(70)])
    var filter = AttitudeFilter(parameters: parameters)
    for sample in trial.samples.prefix(6300) { filter.update(with: sample) }
    #expect((filter.gyroBias.z - 0.01 - 20 * TurntableTests.degree).magnitude < 0.2 * TurntableTests.degree)
  }
}
