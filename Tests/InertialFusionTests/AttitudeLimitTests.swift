import FusionEvaluation
import Quantities
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.80665)
private let degree = Float.pi / 180

private func sample(
  _ index: Int, rate: Vector3 = .zero, force: Vector3 = up, field: Vector3? = nil, hertz: Int64 = 100
) -> InertialSample {
  InertialSample(
    time: Instant(microseconds: Int64(index) * 1_000_000 / hertz), angularRate: rate, specificForce: force,
    magneticFluxDensity: field)
}

/// A filter after some seconds that lay still or turned, with noise that is none: small alternations.
private func filter(
  _ seconds: Double, rate: Vector3 = .zero, shaking: Float = 0, change: (inout AttitudeParameters) -> Void = { _ in }
) -> AttitudeFilter {
  var parameters = AttitudeParameters()
  parameters.gyroscopeLatency = 0
  change(&parameters)
  var filter = AttitudeFilter(parameters: parameters)
  for index in 0...Int(seconds * 100) {
    let swing: Float = index % 2 == 0 ? 1 : -1
    filter.update(
      with: sample(
        index, rate: rate + Vector3(0.001, 0.001, 0.001) * swing, force: up + Vector3(shaking, shaking, 0) * swing))
  }
  return filter
}

/// Both sides of each limit of the attitude filter, and what each of its numbers does.
@Suite struct AttitudeLimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let p = AttitudeParameters()
    #expect(p.fusionInterval == 0.04 && p.gyroscopeLatency == 0.0024 && p.gyroscopeNoise == 0.0005)
    #expect(p.turningNoise == 0.002 && p.velocityNoise == 0.4 && p.velocityNoisePerAcceleration == 0.14)
    #expect(p.accelerometerNoise == 0.02 && p.restAccelerometerNoise == 0.006 && p.restVelocityNoise == 0.003)
    #expect(p.restBiasNoise == 0.00017 && p.initialTiltUncertainty == 0.25 && p.initialBiasUncertainty == 0.035)
    #expect(p.biasWandering == 1e-5 && p.maximumGyroBias == 0.45 && p.initialScaleUncertainty == 0.01)
    #expect(p.maximumGyroScale == 0.05 && p.gyroscopeRange == 0 && p.accelerometerRange == 0)
    #expect(p.magneticDeclination == 0)
    let m = p.magnetic
    #expect(m.fieldNoise == 3 && m.fieldWandering == 0.08 && m.initialHardIron == 17 && m.placeSeconds == 2)
    #expect(m.hardIronMemory == 120 && m.hardIronEvidence == 16 && m.hardIronDoubt == 6 && m.placeShare == 0.5)
    #expect(m.delayUncertainty == 0.015 && m.rejection == 4.25 && m.rejectionShare == 2 && m.relearnAfter == 60)
    #expect(m.placeVariance == 0.1 && m.unseenHardIron == 0.0007)
    #expect(p.initialAccelerometerOffset == 0.115 && p.offsetWandering == 0.0005 && p.unseenRate == 1)
    // Both parts reach their filters.
    var parameters = AttitudeParameters()
    parameters.rest.maximumBias = 0.1
    var strict = AttitudeFilter(parameters: parameters)
    var usual = AttitudeFilter()
    for index in 0..<300 {
      let turning = sample(index, rate: Vector3(0.2, 0, 0.001 * Float(index % 3)), force: up)
      strict.update(with: turning)
      usual.update(with: turning)
    }
    #expect(usual.isAtRest && !strict.isAtRest)
    parameters = AttitudeParameters()
    parameters.magnetic.placeVariance = 50
    var sure = AttitudeFilter()
    var unsure = AttitudeFilter(parameters: parameters)
    for index in 0..<500 {
      let still = sample(index, field: Vector3(20, 0.01 * Float(index % 5), -40))
      sure.update(with: still)
      unsure.update(with: still)
    }
    #expect(unsure.headingUncertainty > 1.5 * sure.headingUncertainty)
  }

  /// A stretch is closed by the sample with which it is a quarter longer than the interval.
  @Test(arguments: [(Float(0.04), 5), (0.0399, 5), (0.041, 6), (0.0475, 6), (0.0485, 7)])
  func aStretchIsAQuarterLongerThanTheInterval(interval: Float, samples: Int) {
    var parameters = AttitudeParameters()
    parameters.fusionInterval = interval
    var filter = AttitudeFilter(parameters: parameters)
    var corrections: [Int] = []
    for index in 0..<100 {
      var correction: Vector3?
      _ = filter.update(with: sample(index), correction: &correction)
      if correction != nil { corrections.append(index) }
    }
    #expect(corrections.first == samples, "\(corrections.prefix(3))")
    #expect(zip(corrections, corrections.dropFirst()).allSatisfy { $1 - $0 == samples }, "\(corrections.prefix(5))")
  }

  /// A magnetometer of its own rate closes the stretch, when its turn has come.
  @Test func aReadingIsTakenOnceInAnInterval() {
    var filter = AttitudeFilter()
    var corrections: [Int] = []
    for index in 0..<40 {
      var correction: Vector3?
      _ = filter.update(with: sample(index, field: Vector3(20, 0, -40 + 0.1 * Float(index))), correction: &correction)
      if correction != nil { corrections.append(index) }
    }
    #expect(corrections == [1, 5, 9, 13, 17, 21, 25, 29, 33, 37], "\(corrections)")
  }

  @Test(arguments: [Float(0), 0.0024, 0.02])
  func theAttitudeIsCarriedForwardByTheLatency(latency: Float) {
    let turned = filter(1, rate: Vector3(0, 0, 0.5)) { $0.gyroscopeLatency = latency }
    let ahead = (turned.state.motion.rotation.conjugate * turned.levelFromBody).normalized
    #expect(abs(ahead.angle - turned.state.rate.length * latency) < 2e-4 && turned.state.rate.z > 0.4)
    #expect(latency == 0 || ahead.z > 0)
    let earth = turned.earthFromBody
    let level = turned.levelFromBody
    #expect(degreesOfTilt(earth, level) < 0.01)
  }

  @Test func whatIsNotKnownYetIsAsUncertainAsStated() {
    var parameters = AttitudeParameters()
    (parameters.initialTiltUncertainty, parameters.initialBiasUncertainty) = (0.3, 0.02)
    parameters.initialScaleUncertainty = 0.03
    parameters.initialAccelerometerOffset = 0
    for p in [AttitudeParameters(), parameters] {
      var fresh = AttitudeFilter(parameters: p)
      #expect(!fresh.isAligned && fresh.levelFromBody == .identity && fresh.lastSampleTime == nil)
      #expect(fresh.headingUncertainty == .pi && fresh.evidence.misalignment == 0 && !fresh.isGyroBiasKnown)
      fresh.update(with: sample(1))
      #expect(fresh.isAligned && fresh.lastSampleTime == .milliseconds(10))
      #expect(abs(fresh.state.level.tiltUncertainty / p.initialTiltUncertainty - 1) < 1e-5)
      // Four mg of an offset that nobody estimates are told, too.
      let unseen: Float = p.initialAccelerometerOffset > 0 ? 0 : 1.6e-5
      #expect(
        abs(fresh.tiltUncertainty / (p.initialTiltUncertainty * p.initialTiltUncertainty + unseen).squareRoot() - 1)
          < 1e-5)
      #expect(abs(fresh.gyroBiasUncertainty / p.initialBiasUncertainty - 1) < 1e-5)
      #expect(abs(fresh.state.level.gyroScaleUncertainty / p.initialScaleUncertainty - 1) < 1e-5)
    }
  }

  /// What each noise does: its half and its double, and which way an answer goes.
  @Test func eachNoiseDoesWhatItsCommentSays() {
    typealias Change = (inout AttitudeParameters, Float) -> Void
    func answers(
      _ name: String, _ change: @escaping Change, least factor: Float = 1.05,
      _ answer: ((inout AttitudeParameters) -> Void) -> Float
    ) {
      let low = answer { change(&$0, 0.5) }
      let high = answer { change(&$0, 2) }
      #expect(high > factor * low && low >= 0, "\(name): \(low) and \(high)")
    }
    func turning(_ change: (inout AttitudeParameters) -> Void) -> Float {
      filter(4, rate: Vector3(1.5, 0, 0), shaking: 2, change: change).state.level.tiltUncertainty
    }
    /// The same where velocity, bias and scale leave room for what is small.
    func precise(_ change: (inout AttitudeParameters) -> Void) -> Float {
      filter(8, rate: Vector3(1.5, 0, 0), shaking: 2) {
        ($0.velocityNoise, $0.velocityNoisePerAcceleration) = (0.02, 0)
        ($0.initialBiasUncertainty, $0.initialScaleUncertainty, $0.initialAccelerometerOffset) = (1e-5, 0, 0)
        change(&$0)
      }.state.level.tiltUncertainty
    }
    func still(_ change: (inout AttitudeParameters) -> Void) -> Float {
      filter(6) {
        $0.initialAccelerometerOffset = 0
        change(&$0)
      }.state.level.tiltUncertainty
    }
    answers("gyroscope", { $0.gyroscopeNoise *= 4 * $1 }, precise)
    answers("turning", { $0.turningNoise *= $1 }, precise)
    answers("accelerometer", { $0.accelerometerNoise *= 2 * $1 }, precise)
    answers("velocity", { $0.velocityNoise *= $1 }, turning)
    answers("acceleration", { $0.velocityNoisePerAcceleration *= $1 }, least: 1.02, turning)
    answers("accelerometer at rest", { $0.restAccelerometerNoise *= $1 }, still)
    answers("velocity at rest", { $0.restVelocityNoise *= $1 }, still)
    // Nothing that belongs to movement counts at rest, and the reverse.
    let rest = still { _ in }
    #expect(abs(still { $0.velocityNoise *= 3 } / rest - 1) < 0.02)
    #expect(abs(still { $0.accelerometerNoise *= 3 } / rest - 1) < 0.02)
    let moved = turning { _ in }
    #expect(turning { $0.restVelocityNoise *= 3 } == moved && turning { $0.restAccelerometerNoise *= 3 } == moved)
    // The turning noise counts by the rate: none without.
    let slow = filter(4, rate: Vector3(0.02, 0, 0), shaking: 2).state.level.tiltUncertainty
    let slowLoud = filter(4, rate: Vector3(0.02, 0, 0), shaking: 2) { $0.turningNoise *= 3 }.state.level.tiltUncertainty
    #expect(abs(slowLoud / slow - 1) < 0.02)
    // Known from a rest, it wanders while moving: 1e-5 rad/s in a second, so many times in a hundred.
    for wandering: Float in [1e-5, 1e-4] {
      var moved = filter(12) { $0.biasWandering = wandering }
      let before = moved.gyroBiasUncertainty
      for index in 1201...2200 {
        let swing: Float = index % 2 == 0 ? 1 : -1
        moved.update(with: sample(index, rate: Vector3(2, 0, 0), force: up + Vector3(8, 8, 8) * swing))
      }
      let grown = (moved.gyroBiasUncertainty * moved.gyroBiasUncertainty - before * before).squareRoot()
      #expect(abs(grown / (wandering * Float(10).squareRoot()) - 1) < 0.1, "\(grown)")
    }
    answers("rest's bias", { $0.restBiasNoise *= 20 * $1 }, least: 1.8) { filter(10, change: $0).gyroBiasUncertainty }
  }

  @Test func aSecondOfRestTellsTheBiasAsWellAsStated() {
    // Ten windows of a tenth of a second, each with ten times the variance; the noise of the sensor is far below.
    let known = filter(12) { $0.biasWandering = 0 }
    #expect(known.isAtRest)
    let seconds = Float(known.state.restWindows) * 0.1
    #expect(abs(known.gyroBiasUncertainty / (0.00017 / seconds.squareRoot()) - 1) < 0.35)
  }

  @Test(arguments: [Float(0.4), 0.45, 0.5])
  func theBiasIsHeldWithinWhatAPartMayHave(bias: Float) {
    for sign: Float in [1, -1] {
      var filter = AttitudeFilter()
      filter.warmStart(gyroBias: Vector3(0.1, bias * sign, 0), uncertainty: 0.01)
      #expect(filter.gyroBias == Vector3(0.1, min(bias, 0.45) * sign, 0))
    }
    var found = AttitudeFilter()
    for index in 0..<400 {
      found.update(with: sample(index, rate: Vector3(bias, 0.0005 * Float(index % 3), 0)))
    }
    #expect(found.gyroBias.x <= 0.45 && (bias > 0.45 || abs(found.gyroBias.x - bias) < 0.002), "\(found.gyroBias)")
  }

  @Test(arguments: [(Float(0.02), false), (0.12, true)])
  func theScaleIsHeldWithinWhatAPartMayHave(excess: Float, isHeld: Bool) {
    var parameters = AttitudeParameters.simulated
    parameters.initialScaleUncertainty = 0.03
    parameters.maximumGyroScale = 0.05
    var body = TumblingBody(seed: 431)
    body.gain = Vector3(1 / (1 + excess), 1 / (1 + excess), 1 / (1 + excess))
    var filter = AttitudeFilter(parameters: parameters)
    var largest: Float = 0
    for sample in body.samples(seconds: 40, hertz: 100) {
      filter.update(with: sample)
      largest = max(largest, filter.gyroScale.largestComponent)
    }
    #expect(largest <= 0.05 && (largest == 0.05) == isHeld, "\(largest)")
    #expect(isHeld || abs(filter.gyroScale.x - excess) < 0.01, "\(filter.gyroScale)")
  }

  @Test func aStoredBiasIsAsGoodAsItsUncertaintyAndNoWorseThanNone() {
    for (told, expected) in [(Float(0.002), Float(0.002)), (0.035, 0.035), (0.5, 0.035)] {
      var filter = AttitudeFilter()
      filter.warmStart(gyroBias: Vector3(0.01, 0, 0), uncertainty: told)
      #expect(abs(filter.gyroBiasUncertainty / expected - 1) < 1e-5)
      #expect(filter.isGyroBiasKnown == (told < 0.0087))
    }
  }

  /// Rest tells the bias after ten windows, and to half a degree per second.
  @Test func theBiasIsKnownAfterASecondOfRestAndToHalfADegree() {
    var filter = AttitudeFilter()
    for (windows, deviation, known) in [
      (UInt8(9), Float(0.001), Float?.none), (10, 0.001, 0.003), (49, 0.001, 0.003), (50, 0.001, 0.001),
      (10, 0.005, 0.005), (255, 0.008_69, 0.008_69), (255, 0.008_71, nil),
    ] {
      filter.state.restWindows = windows
      filter.state.level.setBiasVariance(deviation * deviation)
      let seen = filter.knownBiasUncertainty
      #expect((seen == nil) == (known == nil) && abs((seen ?? 0) - (known ?? 0)) < 1e-6, "\(windows) \(deviation)")
      #expect(filter.isGyroBiasKnown == (known != nil))
    }
  }

  @Test(arguments: [Float(1.979), 1.981, 2, 2.5])
  func aSampleAtNinetyNinePerCentOfTheRangeIsClipped(value: Float) {
    let isAtEnd = value >= 1.98
    for axis in [Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, 1)] {
      var parameters = AttitudeParameters()
      parameters.gyroscopeRange = 2
      var gyroscope = AttitudeFilter(parameters: parameters)
      gyroscope.update(with: sample(1, rate: axis * value, force: up * 3))
      #expect(gyroscope.rejections.clipped == (isAtEnd ? 1 : 0) && gyroscope.state.isSuspect == isAtEnd)
      parameters = AttitudeParameters()
      parameters.accelerometerRange = 20
      var accelerometer = AttitudeFilter(parameters: parameters)
      accelerometer.update(with: sample(1, rate: Vector3(30, 0, 0), force: axis * (10 * value)))
      #expect(accelerometer.rejections.clipped == (isAtEnd ? 1 : 0))
      var unknown = AttitudeFilter()
      unknown.update(with: sample(1, rate: axis * value, force: axis * 150))
      #expect(unknown.rejections.clipped == 0 && unknown.rejections.total == 0)
    }
  }

  /// Of a stretch with a sample at the end of the range the accelerometer must lead; of the next no more.
  @Test func aClippedStretchIsTrustedLessAndOnlyThatOne() {
    var parameters = AttitudeParameters.simulated
    parameters.gyroscopeRange = 2
    func uncertainties(clipped place: Int?) -> [Float] {
      var filter = AttitudeFilter(parameters: parameters)
      return (0..<120).map { index in
        let isClipped = index == place
        filter.update(
          with: sample(
            index, rate: Vector3(0, 0, isClipped ? 2 : 1.9), force: up + Vector3(index % 2 == 0 ? 3 : -3, 0, 0)))
        return filter.tiltUncertainty
      }
    }
    let (plain, clipped) = (uncertainties(clipped: nil), uncertainties(clipped: 61))
    #expect(plain[64] == clipped[64] && clipped[65] > plain[65])
    // 0.01 rad²/s for a twentieth of a second.
    #expect(abs(clipped[65] * clipped[65] - plain[65] * plain[65] - 0.0005) < 0.00012)
    #expect(clipped[119] < clipped[65])
  }

  /// What no part for vehicles measures is not used: from 200 rad/s and 4,000 m/s² on.
  @Test func whatNoPartMeasuresIsNotUsed() {
    for (rate, force, isUsed) in [
      (Vector3(199.9, 0, 0), up, true), (Vector3(200, 0, 0), up, false), (Vector3(120, -160.1, 0), up, false),
      (Vector3(0, 0, -199.9), up, true), (.zero, Vector3(0, 3999.9, 0), true), (.zero, Vector3(0, 4000, 0), false),
      (.zero, Vector3(2400, 0, -3200.1), false),
    ] as [(Vector3, Vector3, Bool)] {
      var filter = AttitudeFilter()
      filter.update(with: sample(1, rate: rate, force: force))
      #expect(filter.rejections.outOfRange == (isUsed ? 0 : 1) && filter.rejections.total == (isUsed ? 0 : 1))
      #expect(filter.isAligned == isUsed)
      var lite = LiteAttitudeFilter()
      lite.update(with: sample(1, rate: rate, force: force))
      #expect(lite.rejections.outOfRange == (isUsed ? 0 : 1) && lite.isAligned == isUsed)
      var batch = InertialBatch(following: AttitudeFilter())
      batch.add(angularRate: rate, specificForce: force, seconds: 0.01)
      #expect(batch.rejectedCount == (isUsed ? 0 : 1) && (batch.seconds > 0) == isUsed)
    }
    for (field, isUsed) in [(Float(9999), true), (10_000, false)] {
      var filter = AttitudeFilter()
      filter.update(with: sample(1))
      filter.update(with: sample(2, field: Vector3(field, 0, 0)))
      #expect(filter.rejections.repeatedMagnetometer == (isUsed ? 0 : 1))
      #expect((filter.headingUncertainty < .pi) == isUsed)
      var lite = LiteAttitudeFilter()
      lite.update(with: sample(1, field: Vector3(field, 0, 0)))
      #expect(lite.rejections.outOfRange == (isUsed ? 0 : 1) && lite.hasHeading == isUsed)
    }
  }

  /// Two seconds of windows of a tenth in which an axis does not move; any movement of it begins anew.
  @Test func anAxisIsStuckFromTheTwentiethWindowOn() {
    for bit in 0..<6 {
      var axes = StuckAxes()
      let mask = UInt8(1) << UInt8(bit)
      for window in 1...300 {
        let isStuck = axes.update(unchanged: mask)
        #expect(isStuck == (window >= 20), "axis \(bit), window \(window)")
      }
      var isStuck = axes.update(unchanged: 63 & ~mask)
      #expect(!isStuck)
      for window in 2...20 {
        isStuck = axes.update(unchanged: 63)
        #expect(isStuck == (window >= 20))
      }
    }
    var mixed = StuckAxes()
    for _ in 0..<100 {
      let stuck = [mixed.update(unchanged: 21), mixed.update(unchanged: 42)]
      #expect(stuck == [false, false])
    }
  }

  @Test(arguments: [(2_500_000, false), (2_500_001, true)])
  func aSilenceOfMoreThanTwoAndAHalfSecondsBeginsAnew(microseconds: Int64, isNew: Bool) {
    var filter = AttitudeFilter()
    var body = TumblingBody(seed: 432)
    body.restUntil = .infinity
    for sample in body.samples(seconds: 6, hertz: 100) { filter.update(with: sample) }
    let before = filter.state
    let last = filter.lastSampleTime ?? .zero
    filter.update(
      with: InertialSample(time: last + Interval(microseconds: microseconds), angularRate: .zero, specificForce: up))
    #expect(filter.state.gapCount == (isNew ? 1 : 0))
    #expect((filter.headingUncertainty == .pi) == isNew && filter.rejections.total == 0)
    guard isNew else { return }
    #expect(filter.gyroBias == before.level.gyroBias && filter.gyroScale == before.level.gyroScale)
    #expect(filter.hardIron == AttitudeFilter(parameters: filter.parameters, resuming: before).hardIron)
    #expect(abs(filter.tiltUncertainty - 0.25) < 1e-3 && !filter.isAtRest)
    #expect(degreesOfTilt(filter.levelFromBody, .identity) < 0.01)
    // The heading of the level frame is kept as far as nobody knows better.
    #expect(filter.state.headingSine == before.headingSine)
    filter.state.gapCount = .max
    filter.update(with: InertialSample(time: last + .seconds(60), angularRate: .zero, specificForce: up))
    #expect(filter.state.gapCount == .max)
  }

  /// The share of gravity that is vertical, as a mean over a second and a half, below a half: found anew at once.
  @Test func aVerticalThatIsMoreThanSixtyDegreesOffIsFoundAnew() {
    func secondsUntilFound(degrees: Float) -> Float? {
      var parameters = AttitudeParameters.simulated
      // So that small corrections do nothing.
      (parameters.velocityNoise, parameters.velocityNoisePerAcceleration) = (1e4, 0)
      (parameters.restVelocityNoise, parameters.restAccelerometerNoise) = (1e4, 1)
      parameters.rest.maximumBias = 0
      var filter = AttitudeFilter(parameters: parameters)
      filter.update(with: sample(0))
      filter.state.motion.rotation = Quaternion(rotationVector: Vector3(degrees * degree, 0, 0))
      for index in 1..<1200 {
        filter.update(with: sample(index))
        let vertical = max(0, 2 - 2 * filter.state.meanVerticalForce / 9.80665)
        #expect(filter.evidence.misalignment == vertical)
        if degreesOfTilt(filter.levelFromBody, .identity) < 1 { return Float(index) / 100 }
      }
      return nil
    }
    // From gravity to its cosine with a time constant of 1.5 s: the half is passed after 1.5 ln((1 − c)/(0.5 − c)).
    for (degrees, seconds) in [(Float(180), Float(0.432)), (120, 0.608), (90, 1.04), (70, 2.14)] {
      let found = secondsUntilFound(degrees: degrees) ?? -1
      #expect(abs(found - seconds) < 0.08, "\(degrees)°: \(found) s, not \(seconds)")
    }
    #expect(secondsUntilFound(degrees: 61) != nil)
    #expect(secondsUntilFound(degrees: 59) == nil)
  }
}
