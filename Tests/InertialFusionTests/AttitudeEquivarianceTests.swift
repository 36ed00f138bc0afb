import InertialFusion
import Quantities
import TestSupport
import Testing

/// The largest differences between a filter and those whose sensor is mounted turned or whose clock starts elsewhere.
private struct Differences {
  var tilt: Float = 0
  var earth: Float = 0
  var bias: Float = 0
  var restCount = 0
}

/// Runs a filter over samples as they are and over the same samples in a turned body frame.
private func compare(
  _ samples: [InertialSample], turn: Quaternion, parameters: AttitudeParameters = .simulated
) -> Differences {
  var plain = AttitudeFilter(parameters: parameters)
  var turned = AttitudeFilter(parameters: parameters)
  var worst = Differences()
  for (place, sample) in samples.enumerated() {
    plain.update(with: sample)
    turned.update(with: sample.turned(by: turn))
    guard place % 5 == 0 else { continue }
    worst.tilt = max(worst.tilt, degreesOfTilt(turned.levelFromBody * turn, plain.levelFromBody))
    // Until the magnetometer was read the heading is arbitrary.
    if plain.headingUncertainty < .pi, turned.headingUncertainty < .pi {
      worst.earth = max(worst.earth, degreesBetween(turned.earthFromBody * turn, plain.earthFromBody))
    }
    worst.bias = max(worst.bias, (turned.gyroBias - turn.rotate(plain.gyroBias)).length)
    if turned.isAtRest != plain.isAtRest { worst.restCount += 1 }
  }
  return worst
}

/// No axis of the body is special: however the sensor is screwed on, the attitude is the same.
@Suite struct AttitudeEquivarianceTests {
  @Test(arguments: Quaternion.axisRotations.indices)
  func aSensorMountedAlongAxesGivesTheSameAttitude(place: Int) {
    var body = TumblingBody(seed: 51)
    body.bias = Vector3(0.02, -0.03, 0.01)
    let worst = compare(
      body.samples(seconds: 12, hertz: 100), turn: Quaternion.axisRotations[place])
    #expect(worst.tilt < 0.02 && worst.earth < 0.05, "\(worst)")
    #expect(worst.bias < 1e-4 && worst.restCount == 0, "\(worst)")
  }

  @Test func aSensorMountedAnyhowGivesTheSameAttitude() {
    var random = SeededRandom(seed: 52)
    var body = TumblingBody(seed: 53)
    body.bias = Vector3(0.1, 0.05, -0.07)
    body.hardIron = Vector3(8, -5, 3)
    let samples = body.samples(seconds: 20, hertz: 100)
    for _ in 0..<12 {
      let turn = random.attitude()
      // The scale error of the gyroscope belongs to its axes: without it nothing else does.
      var parameters = AttitudeParameters.simulated
      parameters.initialScaleUncertainty = 0
      let worst = compare(samples, turn: turn, parameters: parameters)
      #expect(worst.tilt < 0.02 && worst.earth < 0.1, "\(worst)")
      #expect(worst.bias < 1e-4 && worst.restCount == 0, "\(worst)")
      let withScale = compare(samples, turn: turn)
      #expect(withScale.tilt < 1 && withScale.bias < 1e-4, "\(withScale)")
    }
  }

  @Test func aFieldThatPointsElsewhereTurnsTheHeadingAlone() {
    var parameters = AttitudeParameters.simulated
    // While the body's own field is unknown, it takes its share of the earth's.
    parameters.magnetic.initialHardIron = 0
    for heading in stride(from: Float(0), to: 6.2, by: 0.35) {
      let turn = Quaternion(rotationVector: Vector3(0, 0, heading))
      var one = TumblingBody(seed: 54)
      var other = TumblingBody(seed: 54)
      one.fieldNoise = 0
      other.fieldNoise = 0
      // At the magnetic equator, where an error of the tilt is none of the heading.
      one.field = Vector3(0, 40, 0)
      other.field = turn.rotate(one.field)
      var filter = AttitudeFilter(parameters: parameters)
      var turned = AttitudeFilter(parameters: parameters)
      var worst: Float = 0
      for _ in 0..<1000 {
        filter.update(with: one.next(after: 0.01))
        turned.update(with: other.next(after: 0.01))
        #expect(filter.levelFromBody == turned.levelFromBody)
        guard filter.headingUncertainty < .pi else { continue }
        worst = max(worst, degreesBetween(turn * turned.earthFromBody, filter.earthFromBody))
      }
      #expect(worst < 0.1, "\(worst)° at a heading of \(heading) rad")
    }
  }

  @Test func aRecordingMountedOtherwiseGivesTheSameAttitude() throws {
    guard let folder = recordedDataFolder("broad"),
      let trial = try LaboratoryTrial(folder + "/09_undisturbed_fast_rotation_with_breaks_B.csv.gz")
    else { return }
    var random = SeededRandom(seed: 55)
    let samples = Array(trial.samples.prefix(20_000))
    for turn in [Quaternion.axisRotations[9], random.attitude()] {
      let worst = compare(samples, turn: turn, parameters: AttitudeParameters())
      #expect(worst.tilt < 0.3 && worst.earth < 0.5, "\(worst)")
      #expect(worst.bias < 1e-3, "\(worst)")
    }
  }

  @Test(arguments: [Int64(1), -7_000_000, 3_600_000_000, 1 << 52, -(1 << 60)])
  func theClockMayStartAnywhere(microseconds: Int64) {
    var body = TumblingBody(seed: 56)
    var filter = AttitudeFilter()
    var shifted = AttitudeFilter()
    for step in 0..<2000 {
      var sample = body.next(after: step == 1500 ? 4 : 0.007)
      filter.update(with: sample)
      sample.time = sample.time + Interval(microseconds: microseconds)
      shifted.update(with: sample)
      #expect(filter.earthFromBody == shifted.earthFromBody && filter.levelFromBody == shifted.levelFromBody)
    }
    #expect(filter.gyroBias == shifted.gyroBias && filter.hardIron == shifted.hardIron)
    #expect(filter.state.gapCount == 1 && shifted.state.gapCount == 1)
    #expect(shifted.rejections == filter.rejections && filter.rejections.total == 0)
  }
}
