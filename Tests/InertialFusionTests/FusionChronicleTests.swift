import InertialFusion
import Quantities
import TestSupport
import Testing

/// Numbers as text that is read back to the same bits.
private func text(_ v: Vector3) -> String { "\(v.x) \(v.y) \(v.z)" }
private func text(_ q: Quaternion) -> String { "\(q.w) \(q.x) \(q.y) \(q.z)" }
private func text(_ e: RestEvidence) -> String {
  "\(e.angularRateRatio) \(e.specificForceRatio) \(e.rateChangeRatio) \(e.forceChangeRatio) \(e.meanRateRatio)"
}
private func text(_ r: InertialRejections) -> String {
  "\(r.outOfOrder) \(r.notFinite) \(r.empty) \(r.outOfRange) \(r.clipped) \(r.stuck) \(r.repeatedMagnetometer)"
}

extension AttitudeFilter {
  /// Everything a user sees of a filter, to the last bit.
  fileprivate var line: String {
    """
    level \(text(levelFromBody)) earth \(text(earthFromBody)) bias \(text(gyroBias)) scale \(text(gyroScale)) iron \
    \(text(hardIron)) sigma \(tiltUncertainty) \(gyroBiasUncertainty) \(state.level.gyroScaleUncertainty) \
    \(headingUncertainty) evidence \(evidence.rest) \(evidence.magneticDisturbance) \(evidence.magneticRelearning) \
    \(evidence.misalignment) \(isAligned ? "aligned" : "lost") \(isAtRest ? "rest" : "move") \
    \(isGyroBiasKnown ? "known" : "unknown") \(isMagneticallyDisturbed ? "disturbed" : "clear") gaps \(state.gapCount) \
    rejected \(text(rejections))
    """
  }
}

/// A day in the life of a sensor, in a minute and a half: all that may happen to one, and some of it twice.
enum EventfulDay {
  static let sensor: SimulatedTrial.Sensor = {
    var sensor = SimulatedTrial.Sensor()
    sensor.hertz = 80
    sensor.gain = Vector3(1.015, 0.99, 1.005)
    sensor.hardIron = Vector3(12, -6, 9)
    sensor.biasStep = Vector3(0.02, 0, -0.015)
    sensor.biasStepAt = 58
    return sensor
  }()

  static let trial = SimulatedTrial(
    seed: 301, start: Quaternion(rotationVector: Vector3(0.4, -0.9, 2)), sensor: sensor,
    phases: [
      .rest(4), .tumble(8), .rest(3), SimulatedTrial.Phase(seconds: 2, evenTurn: Vector3(0, 0.05, 0.03)), .rest(2),
      .tumble(6), SimulatedTrial.Phase(seconds: 5, turning: 0.7, shaking: 0.3, disturbance: Vector3(40, 10, -20)),
      .tumble(8), .rest(14), .rest(13), SimulatedTrial.Phase(seconds: 6, turning: 0.2, shaking: 2), .tumble(12),
      .rest(3),
    ])

  /// The samples with what a bus, a FIFO and a power switch do to them.
  static let samples: [InertialSample] = {
    var samples = trial.samples
    func change(_ seconds: Range<Double>, _ body: (inout InertialSample, Int) -> Void) {
      for place in Int(seconds.lowerBound * 80)..<Int(seconds.upperBound * 80) { body(&samples[place], place) }
    }
    change(6..<6.4) { sample, _ in sample.angularRate = nil }
    change(7..<7.4) { sample, _ in sample.specificForce = nil }
    change(8..<9) { sample, place in if place % 4 != 0 { sample.magneticFluxDensity = nil } }
    let held = samples[720].magneticFluxDensity
    change(9..<9.2) { sample, _ in sample.magneticFluxDensity = held }
    change(21..<24) { sample, _ in sample.angularRate?.y = 0.3 }
    samples[800].angularRate?.x = .nan
    samples[810].specificForce?.z = .infinity
    samples[820].angularRate = Vector3(0, 250, 0)
    samples[830] = InertialSample(time: samples[830].time, magneticFluxDensity: Vector3(1, 2, 3))
    samples[840].magneticFluxDensity?.y = .nan
    samples[850].time = samples[849].time
    for place in 2700..<samples.count { samples[place].time = samples[place].time + .milliseconds(2300) }
    for place in 5600..<samples.count { samples[place].time = samples[place].time + .seconds(30) }
    for place in 6320..<samples.count { samples[place].time = samples[place].time + .seconds(5) }
    return samples
  }()

  /// The courses that a receiver tells while it turns: of the body's x axis, now and then of something else.
  static func course(at place: Int) -> Float {
    let forward = trial.truth[place].rotate(Vector3(1, 0, 0))
    return Elementary.atan2(forward.x, forward.y) + (place % 480 == 0 ? 2.5 : 0)
  }
}

/// What the filters make of one day, bit for bit: the promise of the same bits on every target, and a net for everything that
/// has no bar of its own. Made by `LEASH_UPDATE_GOLDEN=1 swift test --filter FusionChronicle`.
@Suite struct FusionChronicleTests {
  private func expect(_ lines: [String], _ name: String) {
    let differences = differences(lines, fromGolden: name)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  @Test func theAttitudeFilterSaysTheSameToTheLastBit() {
    var filter = AttitudeFilter()
    var lines: [String] = []
    for (place, sample) in EventfulDay.samples.enumerated() {
      filter.update(with: sample)
      if place % 80 == 40 { lines.append("\(sample.time.microseconds) \(filter.line)") }
    }
    #expect(filter.rejections.total == 5 && filter.state.gapCount == 4)
    expect(lines, "attitude")
  }

  @Test func theAttitudeFilterWithRangesDeclinationAndCoursesToo() {
    var parameters = AttitudeParameters()
    parameters.gyroscopeRange = 1.8
    parameters.accelerometerRange = 13
    parameters.magneticDeclination = 0.3
    parameters.initialScaleUncertainty = 0
    parameters.fusionInterval = 0.08
    var filter = AttitudeFilter(parameters: parameters)
    filter.warmStart(gyroBias: Vector3(0.03, -0.02, 0.02), uncertainty: 0.01)
    var lines = [filter.line]
    for (place, sample) in EventfulDay.samples.enumerated() {
      var sample = sample
      if place > 2000, place < 4500 { sample.magneticFluxDensity = nil }
      filter.update(with: sample)
      if place % 80 == 20 { filter.update(course: EventfulDay.course(at: place), uncertainty: 0.1) }
      if place % 160 == 40 { lines.append("\(sample.time.microseconds) \(filter.line)") }
    }
    #expect(filter.rejections.clipped > 50)
    expect(lines, "attitude-courses")
  }

  @Test func batchesToo() {
    var filter = AttitudeFilter()
    var batch = InertialBatch(following: filter)
    var lines: [String] = []
    for (place, sample) in EventfulDay.samples.enumerated() {
      let isLost = (3000..<3010).contains(place)
      batch.add(
        angularRate: sample.angularRate ?? Vector3(.nan, 0, 0), specificForce: sample.specificForce ?? .zero,
        seconds: 0.0125)
      guard place % 6 == 5 else { continue }
      if !isLost { filter.update(with: batch, endingAt: sample.time, magneticFluxDensity: sample.magneticFluxDensity) }
      batch = InertialBatch(following: filter)
      if place / 6 % 24 == 0 { lines.append("\(sample.time.microseconds) \(filter.line)") }
    }
    expect(lines, "attitude-batches")
  }

  @Test func theSmootherToo() {
    var smoother = FixedLagSmoother<64>(lag: .seconds(2))
    var lines: [String] = []
    var count = 0
    func take(_ smoothed: SmoothedAttitude?) {
      guard let smoothed else { return }
      if count % 20 == 0 {
        lines.append(
          """
          \(smoothed.time.microseconds) level \(text(smoothed.levelFromBody)) earth \(text(smoothed.earthFromBody)) \
          correction \(text(smoothed.correction)) turn \(text(smoothed.earthFromLevel))
          """)
      }
      count += 1
    }
    for sample in EventfulDay.samples { take(smoother.update(with: sample)) }
    while let smoothed = smoother.finish() { take(smoothed) }
    lines.append("\(count) in all")
    expect(lines, "smoother")
  }

  @Test func theLiteFilterToo() {
    var filter = LiteAttitudeFilter()
    var lines: [String] = []
    for (place, sample) in EventfulDay.samples.enumerated() {
      filter.update(with: sample)
      guard place % 80 == 40 else { continue }
      lines.append(
        """
        \(sample.time.microseconds) level \(text(filter.levelFromBody)) earth \(text(filter.earthFromBody)) bias \
        \(text(filter.state.bias)) seconds \(filter.state.biasSeconds) \(filter.state.quietSeconds) \
        \(filter.state.headingSeconds) \(filter.isAligned ? "aligned" : "lost") \(filter.hasHeading ? "north" : "astray") \
        \(filter.isAtRest ? "rest" : "move") gaps \(filter.gapCount) rejected \(text(filter.rejections))
        """)
    }
    expect(lines, "lite")
  }

  @Test(arguments: ["estimator", "estimator-slow", "estimator-loud"])
  func theEstimatorToo(name: String) {
    var sensor = EventfulDay.sensor
    var phases: [SimulatedTrial.Phase] = [
      .rest(6), SimulatedTrial.Phase(seconds: 3, turning: 0.02, shaking: 0.05), .rest(5),
      SimulatedTrial.Phase(seconds: 2, turning: 0.5, shaking: 0.5), .rest(0.7), .tumble(2), .rest(5),
      SimulatedTrial.Phase(seconds: 4, evenTurn: Vector3(0, 0, 0.03)), .rest(26),
    ]
    sensor.biasStepAt = 36
    if name == "estimator-slow" {
      sensor.hertz = 12
      sensor.rateStep = 0.0175
      sensor.forceStep = 0.08
      phases[8].seconds = 30
    } else if name == "estimator-loud" {
      (sensor.rateNoise, sensor.forceNoise) = (0.014, 0.22)
      phases[0].seconds = 12
    }
    let trial = SimulatedTrial(seed: 302, sensor: sensor, phases: phases)
    let mounting = AxisRemap(forward: .minusY, left: .plusX, up: .plusZ) ?? .identity
    var estimator = InertialEstimator(
      calibration: InertialCalibration(
        angularRateOffset: Vector3(0.01, 0, -0.02), specificForceOffset: Vector3(0.05, -0.1, 0.1),
        specificForceScale: Vector3(1.01, 0.99, 1.02), mounting: .axes(mounting)))
    var lines: [String] = []
    var closed = 0
    for (place, sample) in trial.samples.enumerated() {
      var sample = sample
      if place * 2 > trial.samples.count { sample.time = sample.time + .seconds(4) }
      guard estimator.update(with: sample) else { continue }
      closed += 1
      guard closed % 3 == 0 else { continue }
      let rest = estimator.rest
      lines.append(
        """
        \(sample.time.microseconds) \(rest.isAtRest ? "rest" : "move") evidence \(text(rest.evidence)) window \
        \(rest.windowStart.microseconds) \(rest.windowEnd.microseconds) rate \(text(rest.angularRate.mean)) \
        \(rest.angularRate.variance) \(rest.angularRate.count) force \(text(rest.specificForce.mean)) \
        \(rest.specificForce.variance) floor \(rest.angularRateNoise.variance) \(rest.angularRateNoise.colour) \
        \(rest.specificForceNoise.variance) \(rest.specificForceNoise.colour) last \
        \(rest.lastMovement?.microseconds ?? -1) since \(rest.movementOnset?.microseconds ?? -1) frozen \
        \(rest.frozen.microseconds) watched \(estimator.watchedSince?.microseconds ?? -1) bias \
        \(text(estimator.attitude.gyroBias)) gaps \(estimator.gapCount)
        """)
    }
    expect(lines, name)
  }
}
