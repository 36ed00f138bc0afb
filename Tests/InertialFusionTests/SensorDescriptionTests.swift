import Quantities
import TestSupport
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.81)

private func sample(_ milliseconds: Int, _ rate: Vector3?, _ force: Vector3? = up) -> InertialSample {
  InertialSample(time: .milliseconds(milliseconds), angularRate: rate, specificForce: force)
}

@Suite struct SensorDescriptionTests {
  @Test func whatIsKnownTakesThePlaceOfDefaultsAndWhatIsUnknownLeavesThem() {
    let nothing = AttitudeParameters(sensor: SensorDescription())
    var expected = AttitudeParameters()
    expected.gyroscopeLatency = 0
    #expect(nothing == expected)
    var sensor = SensorDescription()
    sensor.angularRateRange = 34.9
    sensor.specificForceRange = 78.4
    sensor.latency = Interval(microseconds: 4800)
    sensor.angularRateNoise = 0.001
    sensor.specificForceNoise = 0.03
    sensor.magneticDeclination = -0.2
    let known = AttitudeParameters(sensor: sensor)
    expected.gyroscopeRange = 34.9
    expected.accelerometerRange = 78.4
    expected.gyroscopeLatency = Interval(microseconds: 4800).seconds
    expected.gyroscopeNoise = 0.001
    expected.accelerometerNoise = 0.03
    expected.magneticDeclination = -0.2
    #expect(known == expected)
  }

  /// The range is that of the sensor's own axes and numbers, whatever a calibration makes of them.
  @Test func anEndIsSeenInTheReadingsOfTheSensorWhateverTheCalibration() {
    var sensor = SensorDescription()
    sensor.angularRateRange = 10
    sensor.specificForceRange = 40
    let eighth = Quaternion(rotationVector: Vector3(0, 0, .pi / 4))
    let calibrations = [
      InertialCalibration(), InertialCalibration(mounting: .rotation(eighth)),
      InertialCalibration(
        angularRateOffset: Vector3(2, 2, 2), specificForceOffset: Vector3(5, 5, 5),
        specificForceScale: Vector3(0.5, 0.5, 0.5)),
    ]
    for calibration in calibrations {
      var estimator = InertialEstimator(calibration: calibration, sensor: sensor)
      var blind = InertialEstimator(calibration: calibration)
      func take(_ sample: InertialSample) -> UInt32 {
        _ = estimator.update(with: sample)
        _ = blind.update(with: sample)
        return estimator.rejections.clipped
      }
      #expect(take(sample(0, Vector3(9.89, 9.89, -9.89), Vector3(39.5, 39.5, -39.5))) == 0)
      #expect(take(sample(10, Vector3(9.91, 0, 0))) == 1)
      #expect(take(sample(20, Vector3(0, 0, -10))) == 2)
      #expect(take(sample(30, .zero, Vector3(0, -39.7, 0))) == 3)
      #expect(take(sample(40, nil, Vector3(40, 0, 0))) == 4)
      #expect(take(sample(50, .zero)) == 4)
      // What is not used is not counted as clipped.
      #expect(take(sample(50, Vector3(10, 1, 0))) == 4 && take(sample(20, Vector3(10, 2, 0))) == 4)
      #expect(take(sample(60, Vector3(10, .nan, 0))) == 4 && take(sample(60, Vector3(300, 0, 0))) == 4)
      #expect(take(sample(60, Vector3(10, 3, 0))) == 5)
      #expect(blind.rejections.clipped == 0)
      #expect(estimator.rejections.total == 4 && blind.rejections.total == 4)
    }
  }

  /// A sensor whose gyroscope ends at 2 rad/s is thrown about; with the ends known its vertical is nearer to the truth, mounted
  /// as it may be.
  @Test func aKnownRangeHelpsBehindACalibrationAsWell() {
    let turn = Quaternion(rotationVector: Vector3(0.3, -0.4, 0.5))
    var sensor = SensorDescription()
    sensor.angularRateRange = 2
    let calibration = InertialCalibration(mounting: .rotation(turn.conjugate))
    var estimator = InertialEstimator(calibration: calibration, sensor: sensor)
    var blind = InertialEstimator(calibration: calibration)
    var body = TumblingBody(seed: 74)
    var (squares, blindSquares) = (Float(0), Float(0))
    while body.time < 40 {
      if body.time > 5 { body.liveliness = 1.6 }
      var sample = body.next(after: 0.01).turned(by: turn)
      if let rate = sample.angularRate {
        sample.angularRate = Vector3(min(max(rate.x, -2), 2), min(max(rate.y, -2), 2), min(max(rate.z, -2), 2))
      }
      _ = estimator.update(with: sample)
      _ = blind.update(with: sample)
      let error = degreesOfTilt(estimator.attitude.levelFromBody, body.earthFromBody)
      let blindError = degreesOfTilt(blind.attitude.levelFromBody, body.earthFromBody)
      squares += error * error
      blindSquares += blindError * blindError
    }
    #expect(estimator.rejections.clipped > 300 && blind.rejections.clipped == 0)
    #expect(squares < 0.8 * blindSquares, "\(squares) with the range known, \(blindSquares) without")
  }
}
