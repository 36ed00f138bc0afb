import InertialFusion
import Quantities
import TestSupport
import Testing

private let degree = Float.pi / 180

/// From whatever it starts, the filter finds the attitude, the bias and the scale.
@Suite struct AttitudeConvergenceTests {
  /// A grid of attitudes over the whole sphere, upside down and on every side among them.
  static var attitudes: [Quaternion] {
    var random = SeededRandom(seed: 91)
    var all = Quaternion.axisRotations
    for _ in 0..<60 { all.append(random.attitude()) }
    return all
  }

  @Test func everyAttitudeIsFoundWithinTheFirstSamples() {
    for attitude in Self.attitudes {
      var body = TumblingBody(seed: 92)
      body.restUntil = .infinity
      body.earthFromBody = attitude
      var filter = AttitudeFilter(parameters: .simulated)
      #expect(!filter.isAligned && filter.headingUncertainty == .pi)
      filter.update(with: body.next(after: 0.02))
      #expect(filter.isAligned && degreesOfTilt(filter.levelFromBody, attitude) < 1)
      for sample in body.samples(seconds: 1, hertz: 50) { filter.update(with: sample) }
      #expect(degreesBetween(filter.earthFromBody, attitude) < 2)
      for sample in body.samples(seconds: 4, hertz: 50) { filter.update(with: sample) }
      #expect(degreesOfTilt(filter.levelFromBody, attitude) < 0.2)
      #expect(degreesBetween(filter.earthFromBody, attitude) < 1.5)
    }
  }

  @Test func aBodyThatTumblesFromTheFirstSampleIsFollowed() {
    for attitude in Self.attitudes.suffix(12) {
      var body = TumblingBody(seed: 93)
      body.restUntil = 0
      body.earthFromBody = attitude
      var filter = AttitudeFilter(parameters: .simulated)
      for sample in body.samples(seconds: 20, hertz: 100) { filter.update(with: sample) }
      #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 2)
      #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 5)
    }
  }

  /// The state of before, and a body that lies otherwise: what a filter finds that was resumed too late.
  @Test func aWrongVerticalIsLeftWhateverItIs() {
    for attitude in Self.attitudes {
      var body = TumblingBody(seed: 94)
      body.restUntil = .infinity
      var before = AttitudeFilter(parameters: .simulated)
      for sample in body.samples(seconds: 5, hertz: 50) { before.update(with: sample) }
      body.earthFromBody = attitude
      var filter = AttitudeFilter(parameters: .simulated, resuming: before.state)
      for sample in body.samples(seconds: 20, hertz: 50) { filter.update(with: sample) }
      #expect(filter.state.gapCount == 0)
      #expect(degreesOfTilt(filter.levelFromBody, attitude) < 0.5)
      #expect(filter.isAtRest)
    }
  }

  /// The heading cannot tell a turn that the gyroscope has not seen from a magnet until the body turns.
  @Test(arguments: [Float(180), 90, -120])
  func aWrongHeadingIsLeftOnceTheBodyTurns(degrees: Float) {
    var body = TumblingBody(seed: 95)
    body.restUntil = .infinity
    var filter = AttitudeFilter(parameters: .simulated)
    for sample in body.samples(seconds: 5, hertz: 50) { filter.update(with: sample) }
    body.earthFromBody = Quaternion(rotationVector: Vector3(0, 0, degrees * degree)) * body.earthFromBody
    filter = AttitudeFilter(parameters: filter.parameters, resuming: filter.state)
    body.restUntil = body.time + 2
    for sample in body.samples(seconds: 180, hertz: 100) { filter.update(with: sample) }
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 2)
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 10)
  }

  @Test(arguments: [Vector3(20, 0, 0), Vector3(0, 20, 0), Vector3(0, 0, 20), Vector3(-20, 20, -20), Vector3(3, -5, 1)])
  func aLargeBiasIsLearntAtRest(degreesPerSecond: Vector3) {
    var body = TumblingBody(seed: 96)
    body.restUntil = 6
    body.bias = degreesPerSecond * degree
    var filter = AttitudeFilter(parameters: .simulated)
    for sample in body.samples(seconds: 5.9, hertz: 100) { filter.update(with: sample) }
    #expect(filter.isAtRest && filter.isGyroBiasKnown)
    #expect((filter.gyroBias - body.bias).length < 0.05 * degree)
    #expect(filter.gyroBiasUncertainty < 0.05 * degree)
    var worst: Float = 0
    for _ in 0..<3000 {
      filter.update(with: body.next(after: 0.01))
      worst = max(worst, degreesOfTilt(filter.levelFromBody, body.earthFromBody))
    }
    #expect(worst < 3, "\(worst)°")
    #expect((filter.gyroBias - body.bias).length < 0.1 * degree)
  }

  @Test func aBiasIsLearntInMotionToo() {
    var body = TumblingBody(seed: 97)
    body.restUntil = 0
    body.bias = Vector3(1, -1.5, 1) * degree
    var filter = AttitudeFilter(parameters: .simulated)
    // In the first minute a vehicle is thought possible, whose accelerations look like a bias.
    for sample in body.samples(seconds: 120, hertz: 100) { filter.update(with: sample) }
    #expect((filter.gyroBias - body.bias).length < 0.3 * degree, "\(filter.gyroBias * (1 / degree))")
  }

  @Test func aStoredBiasHelpsFromTheFirstSampleOn() {
    func worst(warm: Bool) -> Float {
      var body = TumblingBody(seed: 98)
      body.restUntil = 0
      // Else the first sample's force hides the rest.
      body.shaking = 0.1
      body.bias = Vector3(6, -5, 4) * degree
      var filter = AttitudeFilter(parameters: .simulated)
      if warm { filter.warmStart(gyroBias: body.bias, uncertainty: 0.1 * degree) }
      #expect(filter.isGyroBiasKnown == warm)
      var worst: Float = 0
      for _ in 0..<1000 {
        filter.update(with: body.next(after: 0.01))
        worst = max(worst, degreesOfTilt(filter.levelFromBody, body.earthFromBody))
      }
      return worst
    }
    let (warm, cold) = (worst(warm: true), worst(warm: false))
    #expect(warm < 0.6 * cold, "\(warm)° with a stored bias, \(cold)° without")
  }

  @Test(arguments: [Float(0.1), 1, 5])
  func aStoredBiasThatIsWrongIsGivenUpAtRest(uncertainty: Float) {
    var body = TumblingBody(seed: 99)
    body.restUntil = .infinity
    body.bias = Vector3(2, -3, 1) * degree
    var filter = AttitudeFilter(parameters: .simulated)
    filter.warmStart(gyroBias: Vector3(-6, 4, 5) * degree, uncertainty: uncertainty * degree)
    for sample in body.samples(seconds: 30, hertz: 50) { filter.update(with: sample) }
    #expect(filter.isAtRest && (filter.gyroBias - body.bias).length < 0.1 * degree)
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 0.5)
  }

  @Test func theScaleOfTheGyroscopeIsFoundWhileTurning() {
    var parameters = AttitudeParameters.simulated
    func run() -> (error: Float, scale: Vector3, uncertainty: Float) {
      var body = TumblingBody(seed: 100)
      body.gain = Vector3(1.02, 0.985, 1.01)
      var filter = AttitudeFilter(parameters: parameters)
      var squares: Float = 0
      for step in 0..<12_000 {
        filter.update(with: body.next(after: 0.01))
        guard step >= 6000 else { continue }
        let tilt = degreesOfTilt(filter.levelFromBody, body.earthFromBody)
        squares += tilt * tilt
      }
      return ((squares / 6000).squareRoot(), filter.gyroScale, filter.state.level.gyroScaleUncertainty)
    }
    let with = run()
    parameters.initialScaleUncertainty = 0
    let without = run()
    #expect(without.scale.length < 1e-4)
    #expect((with.scale - Vector3(1 / 1.02 - 1, 1 / 0.985 - 1, 1 / 1.01 - 1)).length < 0.009, "\(with)")
    #expect(with.uncertainty < 0.005)
    #expect(with.error < 0.7 * without.error, "\(with.error)° with, \(without.error)° without")
  }
}
