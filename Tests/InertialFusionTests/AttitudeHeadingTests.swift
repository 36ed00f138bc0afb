import InertialFusion
import Quantities
import TestSupport
import Testing

private let degree = Float.pi / 180

/// Where the heading comes from: the magnetic field, courses, or both; and what does not belong to it.
@Suite struct AttitudeHeadingTests {
  /// A body that follows the level ground with turns, its x axis along its course; without magnetometer.
  private func ride(
    _ filter: inout AttitudeFilter, _ body: inout TumblingBody, seconds: Double, course uncertainty: Float?
  ) -> Float {
    var worst: Float = 0
    for step in 0..<Int(seconds * 50) {
      let rate = Vector3(0, 0, 0.3 * Elementary.sin(Float(step) * 0.01))
      body.earthFromBody = (body.earthFromBody * Quaternion(rotationVector: rate * 0.02)).normalized
      var sample = body.next(after: 0.02)
      sample.angularRate = sample.angularRate.map { $0 + rate }
      sample.magneticFluxDensity = nil
      filter.update(with: sample)
      if let uncertainty, step % 50 == 49 {
        let forward = body.earthFromBody.rotate(Vector3(1, 0, 0))
        filter.update(course: Elementary.atan2(forward.x, forward.y), uncertainty: uncertainty)
        worst = max(worst, degreesBetween(filter.earthFromBody, body.earthFromBody))
      }
    }
    return worst
  }

  /// Four seconds in which the bias is learnt; without magnetometer.
  private func rest(_ filter: inout AttitudeFilter, _ body: inout TumblingBody) {
    for var sample in body.samples(seconds: 4, hertz: 50) {
      sample.magneticFluxDensity = nil
      filter.update(with: sample)
    }
  }

  @Test(arguments: [Float(0), 1, 2, 3.1, -2.5, -0.7])
  func coursesGiveTheHeadingWithoutMagnetometer(heading: Float) {
    var body = TumblingBody(seed: 111)
    body.restUntil = .infinity
    body.earthFromBody = Quaternion(rotationVector: Vector3(0, 0, heading))
    var filter = AttitudeFilter(parameters: .simulated)
    rest(&filter, &body)
    #expect(filter.headingUncertainty == .pi && filter.earthFromBody == filter.levelFromBody)
    let worst = ride(&filter, &body, seconds: 60, course: 0.1)
    #expect(worst < 2, "\(worst)°")
    #expect(filter.headingUncertainty < 3 * degree)
    // Without more of them the gyroscope carries on.
    _ = ride(&filter, &body, seconds: 60, course: nil)
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 4)
  }

  @Test func oneCourseFarOffHardlyTurnsTheHeadingAndManyDo() {
    var body = TumblingBody(seed: 112)
    body.restUntil = .infinity
    var filter = AttitudeFilter(parameters: .simulated)
    rest(&filter, &body)
    _ = ride(&filter, &body, seconds: 60, course: 0.1)
    let forward = body.earthFromBody.rotate(Vector3(1, 0, 0))
    let backwards = Elementary.atan2(forward.x, forward.y) + .pi
    filter.update(course: backwards, uncertainty: 0.1)
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 5)
    for _ in 0..<200 { filter.update(course: backwards, uncertainty: 0.1) }
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) > 150)
  }

  @Test func theDeclinationTurnsNorth() {
    var parameters = AttitudeParameters.simulated
    for degrees in stride(from: Float(-170), through: 180, by: 35) {
      parameters.magneticDeclination = degrees * degree
      var body = TumblingBody(seed: 113)
      // Magnetic north is so much east of the north of the truth.
      body.field = Quaternion(rotationVector: Vector3(0, 0, -degrees * degree)).rotate(body.field)
      var filter = AttitudeFilter(parameters: parameters)
      for sample in body.samples(seconds: 3, hertz: 50) { filter.update(with: sample) }
      #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 2)
    }
  }

  @Test func aPassingMagnetHardlyTurnsTheHeading() {
    var body = TumblingBody(seed: 114)
    var filter = AttitudeFilter(parameters: .simulated)
    for sample in body.samples(seconds: 60, hertz: 100) { filter.update(with: sample) }
    let before = filter.hardIron
    var worst: Float = 0
    var disturbed = 0
    for _ in 0..<200 {
      var sample = body.next(after: 0.01)
      sample.magneticFluxDensity = sample.magneticFluxDensity.map {
        $0 + body.earthFromBody.conjugate.rotate(Vector3(60, -20, 30))
      }
      filter.update(with: sample)
      if filter.isMagneticallyDisturbed { disturbed += 1 }
      worst = max(worst, degreesBetween(filter.earthFromBody, body.earthFromBody))
    }
    #expect(worst < 4 && disturbed > 190, "\(worst)°, \(disturbed) of 200")
    #expect(filter.evidence.magneticDisturbance > 3 && filter.evidence.magneticRelearning > 0.05)
    for sample in body.samples(seconds: 5, hertz: 100) { filter.update(with: sample) }
    #expect(!filter.isMagneticallyDisturbed && (filter.hardIron - before).length < 3)
  }

  @Test func aMagnetThatIsMountedIsFoundByTurning() {
    for magnet in [Vector3(30, 0, 0), Vector3(-20, 35, 10), Vector3(0, 0, -60)] {
      var body = TumblingBody(seed: 115)
      body.hardIron = magnet
      var filter = AttitudeFilter(parameters: .simulated)
      for sample in body.samples(seconds: 120, hertz: 100) { filter.update(with: sample) }
      #expect((filter.hardIron - magnet).length < 4, "\(filter.hardIron) for \(magnet)")
      #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 5)
      // A second one, later: at first rejected, then learnt.
      body.hardIron = magnet + Vector3(20, 25, -15)
      filter.update(with: body.next(after: 0.01))
      for sample in body.samples(seconds: 120, hertz: 100) { filter.update(with: sample) }
      #expect((filter.hardIron - body.hardIron).length < 4, "\(filter.hardIron) for \(body.hardIron)")
      #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 5)
    }
  }

  /// Where the field is known, what a magnet is taken for does not turn the heading while it is found out.
  @Test(arguments: [Vector3(10, 0, 0), Vector3(12, 0, 0), Vector3(8, 4, -4)])
  func aMagnetThatIsPutOnInAKnownFieldDoesNotTurnTheHeading(magnet: Vector3) {
    for seed in UInt64(1)...3 {
      var body = TumblingBody(seed: seed)
      body.liveliness = 0.6
      body.shaking = 0.3
      var filter = AttitudeFilter(parameters: .simulated)
      for sample in body.samples(seconds: 20, hertz: 50) { filter.update(with: sample) }
      #expect(filter.hardIron == .zero)
      body.hardIron = magnet
      var worst: Float = 0
      for _ in 0..<750 {
        filter.update(with: body.next(after: 0.02))
        if filter.hardIron != .zero { worst = max(worst, degreesBetween(filter.earthFromBody, body.earthFromBody)) }
      }
      #expect((filter.hardIron - magnet).length < 2, "\(filter.hardIron) for \(magnet)")
      #expect(worst < 1.4, "\(worst)°")
    }
  }

  @Test func noMagnetIsSeenWhereThereIsNone() {
    var body = TumblingBody(seed: 116)
    var filter = AttitudeFilter(parameters: .simulated)
    for sample in body.samples(seconds: 120, hertz: 100) { filter.update(with: sample) }
    #expect(filter.hardIron.length < 0.5, "\(filter.hardIron)")
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 3)
    #expect(filter.headingUncertainty < 10 * degree)
  }
}

/// The bias of a gyroscope that warms up.
@Suite struct BiasTemperatureTests {
  private let truth = Vector3(0.01, -0.02, 0.005)
  private let slope = Vector3(2e-4, -1e-4, 5e-5)

  private func bias(at temperature: Float) -> Vector3 { truth + slope * (temperature - 25) }

  @Test func theSlopeIsLearntFromRestsAtDifferentTemperatures() {
    var model = BiasTemperature()
    #expect(model.slope == nil && model.bias(at: 20) == nil)
    model.learn(bias: bias(at: 20), temperature: 20, seconds: 60)
    #expect(model.slope == nil)
    #expect(model.bias(at: 40) == bias(at: 20))
    var random = SeededRandom(seed: 121)
    for step in 0..<40 {
      let temperature = Float(step % 20) + 15
      model.learn(
        bias: bias(at: temperature) + random.vector(deviation: 1e-5), temperature: temperature, seconds: 20)
    }
    if let found = model.slope { #expect((found - slope).length < 5e-6, "\(found)") } else { Issue.record("no slope") }
    for temperature in [Float(10), 25, 40] {
      if let found = model.bias(at: temperature) { #expect((found - bias(at: temperature)).length < 1e-4) }
    }
  }

  @Test func theLineIsNotDrawnOnForEver() throws {
    var model = BiasTemperature()
    for temperature in 20...30 {
      model.learn(bias: bias(at: Float(temperature)), temperature: Float(temperature), seconds: 10)
    }
    #expect(model.bias(at: 45) == model.bias(at: 100) && model.bias(at: 5) == model.bias(at: -60))
    #expect(model.bias(at: .nan) == nil)
    let before = model
    model.learn(bias: Vector3(.nan, 0, 0), temperature: 20, seconds: 5)
    model.learn(bias: truth, temperature: .infinity, seconds: 5)
    model.learn(bias: truth, temperature: 300, seconds: 5)
    model.learn(bias: truth, temperature: 20, seconds: 0)
    model.learn(bias: truth, temperature: 20, seconds: .nan)
    #expect(model == before)
  }

  @Test func oldRestsFade() throws {
    var model = BiasTemperature()
    for hour in 0..<20 {
      let aged = hour < 10 ? Vector3.zero : Vector3(0.01, 0, 0)
      for temperature in [Float(15), 25, 35] {
        model.learn(bias: bias(at: temperature) + aged, temperature: temperature, seconds: 1200)
      }
    }
    let found = try #require(model.bias(at: 25))
    #expect((found - truth - Vector3(0.01, 0, 0)).length < 5e-4, "\(found)")
  }

  @Test func itsAnswerStartsAFilterWell() throws {
    var model = BiasTemperature()
    for temperature in [Float(10), 20, 30] {
      model.learn(bias: bias(at: temperature), temperature: temperature, seconds: 30)
    }
    var body = TumblingBody(seed: 122)
    body.restUntil = 0
    body.bias = bias(at: 35)
    var filter = AttitudeFilter(parameters: .simulated)
    filter.warmStart(gyroBias: try #require(model.bias(at: 35)), uncertainty: 0.001)
    for sample in body.samples(seconds: 10, hertz: 100) { filter.update(with: sample) }
    #expect((filter.gyroBias - body.bias).length < 0.001)
  }
}
