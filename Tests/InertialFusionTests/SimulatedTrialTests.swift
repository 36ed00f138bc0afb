import FusionEvaluation
import Glibc
import InertialFusion
import Quantities
import Testing

private typealias Phase = SimulatedTrial.Phase

/// Trials that stand in for those of the laboratory.
private enum Trials {
  static let phases: [Phase] = [
    .rest(4), .tumble(12), .rest(3), Phase(seconds: 8, turning: 0.25, shaking: 0.2), .rest(2.5),
    Phase(seconds: 8, turning: 0.1, shaking: 2), .rest(3), .tumble(8), .rest(3),
  ]

  static func trial(_ seed: UInt64, _ change: (inout SimulatedTrial.Sensor) -> Void = { _ in }) -> SimulatedTrial {
    var sensor = SimulatedTrial.Sensor()
    change(&sensor)
    return SimulatedTrial(
      seed: seed, start: Quaternion(rotationVector: Vector3(0.5, -0.3, 1.1)), sensor: sensor, phases: phases)
  }

  static let clean = trial(501)
  static let cleanOutcome = AttitudeFilter.outcome(of: clean, bias: SimulatedTrial.Sensor().bias, aligns: true)
}

/// The bars of the recorded trials, where there are none: simulated ones, whose truth is known in every sample.
@Suite struct SimulatedTrialTests {
  @Test func theAttitudeHoldsItsBars() {
    let outcome = Trials.cleanOutcome
    #expect(outcome.total < 1.0 && outcome.aligned < 0.8, "\(outcome.total)° \(outcome.aligned)°")
    #expect(
      outcome.inclination < 0.45 && outcome.worstInclination < 1.5,
      "\(outcome.inclination)° \(outcome.worstInclination)°")
    #expect(outcome.bias < 0.02, "\(outcome.bias)°/s")
    // The filter knows how well it knows the vertical, to a factor of three.
    #expect(outcome.tiltHonesty > 0.05 && outcome.tiltHonesty < 9, "\(outcome.tiltHonesty)")
    #expect(
      outcome.filter.hardIron.length < 0.5 && outcome.filter.gyroScale.length < 0.01, "\(outcome.filter.gyroScale)")
    #expect(outcome.filter.rejections.total == 0 && outcome.filter.state.gapCount == 0)
  }

  @Test func restIsFoundWhateverTheBiasNoiseAndRate() {
    func score(_ name: String, _ change: (inout SimulatedTrial.Sensor) -> Void, recall: Double) {
      var sensor = SimulatedTrial.Sensor()
      change(&sensor)
      let trial = SimulatedTrial(seed: 502, sensor: sensor, phases: Trials.phases)
      var estimator = InertialEstimator()
      let said = trial.samples.map { sample in
        _ = estimator.update(with: sample)
        return estimator.rest.isAtRest
      }
      let score = RestScore(isResting: said, isMoving: trial.isMoving, hertz: Double(trial.hertz))
      #expect(score.precision > 0.985 && score.recall > recall, "\(name): \(score.precision) \(score.recall)")
      #expect(score.phases == 5 && score.phasesFound == 5 && score.falseOnsets == 0, "\(name): \(score)")
    }
    score("quiet", { _ in }, recall: 0.63)
    score("biased", { $0.bias = Vector3(0.35, -0.35, 0.35) }, recall: 0.63)
    score("noisy", { ($0.rateNoise, $0.forceNoise) = (0.0052, 0.15) }, recall: 0.56)
    score("26 Hz", { $0.hertz = 26 }, recall: 0.62)
    score("coarse", { ($0.rateStep, $0.forceStep) = (0.0107, 0.04) }, recall: 0.63)
    score("loud", { ($0.rateNoise, $0.forceNoise) = (0.014, 0.22) }, recall: 0.5)
  }

  @Test func aBiasOfTenDegreesPerSecondChangesNothing() {
    let bias = Vector3(1, -1, 1) * (10 * .pi / 180)
    let outcome = AttitudeFilter.outcome(of: Trials.trial(501) { $0.bias = bias }, bias: bias)
    #expect(abs(outcome.total - Trials.cleanOutcome.total) < 0.1, "\(outcome.total)°")
    #expect(abs(outcome.inclination - Trials.cleanOutcome.inclination) < 0.05 && outcome.bias < 0.02)
  }

  @Test func aNoisySensorCostsLittle() {
    let outcome = AttitudeFilter.outcome(
      of: Trials.trial(503) { ($0.rateNoise, $0.forceNoise) = (0.0052, 0.2) }, bias: SimulatedTrial.Sensor().bias)
    #expect(outcome.inclination < 0.6 && outcome.total < 1.5, "\(outcome.inclination)° \(outcome.total)°")
    #expect(outcome.bias < 0.05, "\(outcome.bias)°/s")
  }

  @Test func aMagnetOnTheSensorIsFoundAndTakenAway() {
    let iron = Vector3(20, -15, 12)
    let outcome = AttitudeFilter.outcome(of: Trials.trial(504) { $0.hardIron = iron })
    #expect((outcome.filter.hardIron - iron).length < 1.5, "\(outcome.filter.hardIron)")
    #expect(outcome.total < 12, "\(outcome.total)°")
    let blind = AttitudeFilter.outcome(
      of: Trials.trial(504) { $0.hardIron = iron },
      parameters: {
        var parameters = AttitudeParameters.simulated
        parameters.magnetic.initialHardIron = 0.01
        parameters.magnetic.relearnAfter = 1e6
        return parameters
      }())
    #expect(outcome.total < 0.6 * blind.total, "\(outcome.total)°, without \(blind.total)°")
  }

  @Test func aPassingMagnetHardlyTurnsTheHeading() {
    var phases = Trials.phases
    // Two seconds, less than after which the body's field is learnt anew.
    phases.insert(Phase(seconds: 2, turning: 0.3, shaking: 0.3, disturbance: Vector3(60, 20, -30)), at: 5)
    let trial = SimulatedTrial(seed: 505, phases: phases)
    let outcome = AttitudeFilter.outcome(of: trial)
    #expect(outcome.total < 1.3, "\(outcome.total)°")
  }

  @Test func theScaleOfTheGyroscopeIsFound() {
    let gain = Vector3(1.02, 0.985, 1.015)
    let trial = Trials.trial(506) { $0.gain = gain }
    let outcome = AttitudeFilter.outcome(of: trial)
    let wanted = Vector3(1 / 1.02 - 1, 1 / 0.985 - 1, 1 / 1.015 - 1)
    #expect((outcome.filter.gyroScale - wanted).length < 0.5 * wanted.length, "\(outcome.filter.gyroScale)")
    var parameters = AttitudeParameters.simulated
    parameters.initialScaleUncertainty = 0
    let without = AttitudeFilter.outcome(of: trial, parameters: parameters)
    #expect(outcome.inclination < 0.95 * without.inclination, "\(outcome.inclination)° \(without.inclination)°")
    #expect(without.filter.gyroScale.length < 1e-6)
  }

  /// What gravity is to a sensor at rest shows as it turns.
  @Test func anOffsetOfTheAccelerometerIsFoundByTurning() {
    let offset = Vector3(0.4, -0.35, 0.3)
    var trial = Trials.trial(511)
    for place in trial.samples.indices {
      trial.samples[place].specificForce = trial.samples[place].specificForce.map { $0 + offset }
    }
    var estimating = AttitudeParameters.simulated
    estimating.initialAccelerometerOffset = 0.115
    let outcome = AttitudeFilter.outcome(of: trial, parameters: estimating)
    #expect(
      (outcome.filter.accelerometerOffset - offset).length < 0.6 * offset.length,
      "\(outcome.filter.accelerometerOffset)")
    #expect(outcome.filter.accelerometerOffsetUncertainty < 0.1)
    var parameters = AttitudeParameters.simulated
    parameters.initialAccelerometerOffset = 0
    let without = AttitudeFilter.outcome(of: trial, parameters: parameters)
    #expect(outcome.inclination < 0.9 * without.inclination, "\(outcome.inclination)° \(without.inclination)°")
    #expect(without.filter.accelerometerOffset.length < 1e-4)
  }

  /// Samples that are missing are not bridged as if they had been measured: the tilt is trusted less by what the sensor may
  /// have done, and found anew when that is much.
  @Test func aGapCostsWhatMayHaveHappenedInIt() {
    func afterGap(of seconds: Float, unseen: Float, turning: Float) -> (AttitudeFilter, AttitudeFilter) {
      var parameters = AttitudeParameters.simulated
      parameters.unseenRate = unseen
      var filter = AttitudeFilter(parameters: parameters)
      func sample(_ time: Float, _ place: Int) -> InertialSample {
        let shaking = Float(place % 5) - 2
        return InertialSample(
          time: Instant(microseconds: Int64(time * 1e6)), angularRate: Vector3(0.1 * shaking, 0.1, turning),
          specificForce: Vector3(0.3 * shaking, 0.2, 9.8))
      }
      for place in 0..<500 { filter.update(with: sample(0.01 * Float(place), place)) }
      let before = filter
      filter.update(with: sample(4.99 + seconds, 500))
      return (before, filter)
    }
    let (before, short) = afterGap(of: 0.15, unseen: 1, turning: 0.3)
    #expect(short.tiltUncertainty > 1.8 * before.tiltUncertainty && short.state.gapCount == 0)
    let (_, calm) = afterGap(of: 0.15, unseen: 0.1, turning: 0.3)
    #expect(calm.tiltUncertainty < 0.7 * short.tiltUncertainty && calm.state.gapCount == 0)
    // As many seconds of a quick turn leave nothing.
    let (_, quick) = afterGap(of: 0.15, unseen: 1, turning: 5)
    #expect(quick.state.gapCount == 1)
    // A step no longer than a slow sensor's is none.
    let (same, slow) = afterGap(of: 0.09, unseen: 1, turning: 0.3)
    #expect(slow.tiltUncertainty < 1.2 * same.tiltUncertainty && slow.state.gapCount == 0)
  }

  /// The filter's own delay is made up for; with the wrong sign it would double.
  @Test func aLateGyroscopeIsCarriedForward() {
    let trial = Trials.trial(507) { $0.latency = 0.012 }
    func inclination(_ latency: Float) -> Double {
      var parameters = AttitudeParameters()
      parameters.gyroscopeLatency = latency
      return AttitudeFilter.outcome(of: trial, parameters: parameters).inclination
    }
    let (none, right) = (inclination(0), inclination(0.012))
    #expect(right < 0.75 * none, "\(right)° with it, \(none)° without")
  }

  @Test func silencesAreSurvivedWithBiasAndIronKept() {
    let trial = Trials.trial(509) { $0.hardIron = Vector3(20, -15, 12) }
    var before: (bias: Vector3, iron: Vector3) = (.zero, .zero)
    var filter = AttitudeFilter(parameters: .simulated)
    var worst: Float = 0
    for (place, original) in trial.samples.enumerated() {
      var sample = original
      if place >= 2820 { sample.time = sample.time + .seconds(20) }
      if place == 2820 { before = (filter.gyroBias, filter.hardIron) }
      filter.update(with: sample)
      if place == 2820 { #expect(filter.gyroBias == before.bias && filter.hardIron == before.iron) }
      if place > 3020 { worst = max(worst, degreesOfTilt(filter.levelFromBody, trial.truth[place])) }
    }
    #expect(filter.state.gapCount == 1 && worst < 2.5 && before.iron.length > 10, "\(worst)°")
  }

  @Test func averagesOfBatchesLoseLittle() {
    for size in [2, 4] {
      let perturbed = AttitudeFilter.outcome(of: Trials.trial(510) { $0.hertz = 100 / size })
      #expect(
        perturbed.inclination < 0.7 && perturbed.total < 1.6, "\(size): \(perturbed.inclination)° \(perturbed.total)°")
    }
  }

  @Test func theLiteFilterHoldsItsBars() {
    let trial = Trials.clean
    var filter = LiteAttitudeFilter()
    var (earth, truth): ([PreciseQuaternion], [PreciseQuaternion]) = ([], [])
    var resting: [Bool] = []
    for (place, sample) in trial.samples.enumerated() {
      filter.update(with: sample)
      resting.append(filter.isAtRest)
      earth.append(PreciseQuaternion(filter.earthFromBody))
      truth.append(PreciseQuaternion(trial.truth[place]))
    }
    let score = OrientationScore(estimates: earth, references: truth, isMoving: trial.isMoving, alignment: false)
    #expect(score.total < 2.2 && score.inclination < 1.2, "\(score.total)° \(score.inclination)°")
    #expect((filter.state.bias - SimulatedTrial.Sensor().bias).length < 0.001)
    let rest = RestScore(isResting: resting, isMoving: trial.isMoving, hertz: 100)
    #expect(rest.precision > 0.97 && rest.phasesFound >= 2 && rest.falseOnsets <= 1, "\(rest) \(rest.precision)")
  }
}
