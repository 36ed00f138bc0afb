import InertialFusion
import Quantities
import TestSupport
import Testing

/// Share of the time at rest from `after` seconds on, of a signal given by a function of time.
private func restShare(
  hertz: Double, seconds: Double, after: Double, bias: Float? = nil, _ signal: (Float) -> (Vector3?, Vector3?)
) -> Double {
  var state = RestState()
  let coefficients = RestCoefficients()
  var atRest = 0
  var count = 0
  for index in 0..<Int(seconds * hertz) {
    let (rate, force) = signal(Float(Double(index) / hertz))
    if state.add(angularRate: rate, specificForce: force, seconds: Float(1 / hertz), coefficients: coefficients) {
      _ = state.close(bias: .zero, biasUncertainty: bias, coefficients: coefficients)
    }
    guard Double(index) / hertz >= after else { continue }
    count += 1
    if state.isAtRest { atRest += 1 }
  }
  return Double(atRest) / Double(count)
}

@Test func restStateIsSmallAndContinuesWhereItWasSaved() {
  #expect(MemoryLayout<RestState>.size <= 180)
  var random = SeededRandom(seed: 3)
  let coefficients = RestCoefficients()
  var whole = RestState()
  var resumed = RestState()
  for index in 0..<6000 {
    let isMoving = index % 1500 > 1000
    let rate = random.vector(deviation: isMoving ? 0.3 : 0.003)
    let force = Vector3(0, 0, 9.8) + random.vector(deviation: isMoving ? 1 : 0.04)
    func step(_ state: inout RestState) -> RestWindow? {
      guard state.add(angularRate: rate, specificForce: force, seconds: 0.01, coefficients: coefficients) else {
        return nil
      }
      return state.close(bias: .zero, biasUncertainty: 0.001, coefficients: coefficients)
    }
    let expected = step(&whole)
    let seen = step(&resumed)
    #expect(seen == expected && resumed == whole)
    if index % 7 == 0 {
      let saved = withUnsafeBytes(of: &resumed) { Array($0) }
      resumed = saved.withUnsafeBytes { $0.loadUnaligned(as: RestState.self) }
    }
  }
  #expect(whole.angularRateNoise.variance > 0)
}

@Test(arguments: [10, 26, 50, 104, 208, 400], [false, true])
func restIsKeptAtEveryRateWithEitherSensorAlone(hertz: Int, isLoud: Bool) {
  var random = SeededRandom(seed: UInt64(hertz))
  let noise: (Float, Float) = isLoud ? (0.012, 0.2) : (0.002, 0.03)
  let up = Vector3(0.2, -0.4, 9.7)
  let turn = Vector3(0.3, -0.34, 0.1)
  for sensors in 1...3 {
    let share = restShare(hertz: Double(hertz), seconds: 120, after: 15) { _ in
      (
        sensors & 1 != 0 ? turn + random.vector(deviation: noise.0) : nil,
        sensors & 2 != 0 ? up + random.vector(deviation: noise.1) : nil
      )
    }
    #expect(share > 0.995, "\(hertz) Hz, sensors \(sensors): \(share)")
  }
}

@Test func jitterAndMissingSamplesDoNotDisturbRest() {
  var random = SeededRandom(seed: 9)
  var estimator = InertialEstimator()
  var time = Instant.zero
  var moving = 0
  for index in 0..<20_000 {
    time = time + Interval(microseconds: Int64(2000 + random.uniform() * 18_000))
    if random.uniform() < 0.01 { time = time + .milliseconds(300) }
    let sample = InertialSample(
      time: time, angularRate: random.vector(deviation: 0.003),
      specificForce: index % 4 == 0 ? Vector3(0, 0, 9.8) + random.vector(deviation: 0.05) : nil)
    _ = estimator.update(with: sample)
    if index > 500, !estimator.rest.isAtRest { moving += 1 }
  }
  #expect(moving < 40, "\(moving) samples not at rest")
}

@Test(arguments: [(0.01, 0.05), (0.0175, 0.08), (0.002, 0.02)] as [(Float, Float)])
func aCoarseConverterRests(step: (Float, Float)) {
  var random = SeededRandom(seed: 11)
  func coarse(_ value: Float, _ step: Float) -> Float { (value / step).rounded() * step }
  func coarse(_ value: Vector3, _ step: Float) -> Vector3 {
    Vector3(coarse(value.x, step), coarse(value.y, step), coarse(value.z, step))
  }
  let share = restShare(hertz: 50, seconds: 300, after: 5) { _ in
    (
      coarse(Vector3(0.032, 0.001, -0.004) + random.vector(deviation: 0.001), step.0),
      coarse(Vector3(0.01, 0.02, 9.8) + random.vector(deviation: 0.01), step.1)
    )
  }
  #expect(share > 0.98, "\(share)")
}

@Test(arguments: [(0.8, true), (1.3, false)] as [(Float, Bool)])
func scatterOnEitherSideOfItsLimitIsRestOrMovement(factor: Float, rests: Bool) {
  let parameters = RestParameters()
  var random = SeededRandom(seed: 13)
  func share(rate: Float, force: Float) -> Double {
    restShare(hertz: 100, seconds: 30, after: 5) { time in
      let sign: Float = Int((time * 100).rounded()) % 2 == 0 ? 1 : -1
      return (
        Vector3(sign * rate, sign * rate, sign * rate) + random.vector(deviation: 1e-4),
        Vector3(0, 0, 9.8) + Vector3(sign * force, sign * force, sign * force) + random.vector(deviation: 1e-3)
      )
    }
  }
  // Ten alternating values scatter by √(10/9) of their amplitude.
  let byRate = share(rate: factor * parameters.minimumAngularRate * 0.95, force: 0)
  let byForce = share(rate: 0, force: factor * parameters.minimumSpecificForce * 0.95)
  #expect(rests ? byRate == 1 : byRate < 0.1, "\(byRate)")
  #expect(rests ? byForce == 1 : byForce < 0.1, "\(byForce)")
}

@Test(arguments: [(0.8, 0), (1.3, 1)] as [(Float, Int)])
func aChangeOfTheMeanEndsRestAtOnceWithoutAnyBias(factor: Float, ends: Int) throws {
  let parameters = RestParameters()
  let coefficients = RestCoefficients(parameters)
  for isRate in [true, false] {
    var random = SeededRandom(seed: 17)
    var state = RestState()
    var count = 0
    for index in 0..<1000 {
      let jump: Float = index < 900 ? 0 : factor
      let rate = Vector3(0.3, isRate ? jump * parameters.minimumAngularRateChange : 0, 0)
      let force = Vector3(isRate ? 0 : jump * parameters.minimumSpecificForceChange, 0, 9.8)
      guard
        state.add(
          angularRate: rate + random.vector(deviation: 1e-4), specificForce: force + random.vector(deviation: 1e-3),
          seconds: 0.01, coefficients: coefficients)
      else { continue }
      let window = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
      if index > 100, !window.isAtRest { count += 1 }
      if index > 890, index < 915, window.evidence.activity >= 1 { #expect(ends == 1) }
    }
    #expect(ends == 0 ? count == 0 : (3...14).contains(count), "\(count) windows not at rest, rate \(isRate)")
  }
}

@Test(arguments: [52.0, 104, 208])
func aVibrationHoweverSteadyIsNoRest(hertz: Double) {
  var random = SeededRandom(seed: 19)
  for (frequency, amplitude) in [(11.3, 0.5), (23, 0.6), (29.7, 0.5), (43, 0.7), (61, 2)] as [(Float, Float)] {
    let share = restShare(hertz: hertz, seconds: 90, after: 0) { time in
      let phase = (time * frequency).truncatingRemainder(dividingBy: 1) * 2 * Float.pi
      let shake = Elementary.sin(phase) * amplitude
      return (
        Vector3(0, shake * 0.02, 0) + random.vector(deviation: 0.002),
        Vector3(0.3 * shake, 0, 9.8 + shake) + random.vector(deviation: 0.04)
      )
    }
    #expect(share == 0, "at rest in a vibration of \(frequency) Hz:  \(share)")
  }
}

@Test(arguments: [0.3, 1, 5] as [Float])
func aSlowLeanIsNoRestForAnAccelerometerAlone(degreesPerSecond: Float) {
  var random = SeededRandom(seed: 23)
  func share(_ speed: Float) -> Double {
    restShare(hertz: 100, seconds: 30, after: 10) { time in
      let angle = max(0, time - 10) * speed * .pi / 180
      return (nil, Vector3(0, Elementary.sin(angle), Elementary.cos(angle)) * 9.8 + random.vector(deviation: 0.02))
    }
  }
  #expect(share(0) == 1)
  #expect(share(degreesPerSecond) < (degreesPerSecond < 1 ? 0.8 : 0.1), "\(share(degreesPerSecond))")
}

@Test func aLoudSensorThatBeginsInMovementIsLearntInItsFirstRest() {
  var random = SeededRandom(seed: 29)
  let share = restShare(hertz: 100, seconds: 44, after: 40) { time in
    let swing = time < 37 ? Elementary.sin(time * 5) * 0.8 + Elementary.sin(time * 23) * 0.2 : 0
    return (
      Vector3(swing, -0.3 * swing, 0.1) + random.vector(deviation: 0.012),
      Vector3(swing, swing, 9.8) + random.vector(deviation: 0.2)
    )
  }
  #expect(share > 0.95, "\(share)")
}

@Test func theMeanOfARestWindowMeasuresTheBiasAsWellAsItSays() {
  var random = SeededRandom(seed: 31)
  let coefficients = RestCoefficients()
  var state = RestState()
  let bias = Vector3(0.1, -0.2, 0.3)
  var sum: Float = 0
  var expected: Float = 0
  for index in 0..<60_000 {
    guard
      state.add(
        angularRate: bias + random.vector(deviation: 0.006), specificForce: Vector3(0, 9.8, 0), seconds: 0.01,
        coefficients: coefficients)
    else { continue }
    let window = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
    guard index > 3000 else { continue }
    #expect(window.isAtRest)
    sum += (window.angularRate.mean - bias).squaredLength
    expected += 3 * window.angularRate.varianceOfMean
  }
  #expect(abs(sum / expected - 1) < 0.15, "\(sum / expected)")
}
