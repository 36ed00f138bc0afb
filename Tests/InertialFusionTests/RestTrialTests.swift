import InertialFusion
import Quantities
import TestSupport
import Testing

/// How a rest flag agrees with the label of a trial, sample by sample.
private struct RestScore {
  var hits = 0
  var falseAlarms = 0
  var misses = 0
  var falseOnsets = 0
  /// Rest phases of two seconds and more, and how many of them were found.
  var phases = 0
  var found = 0
  private var wasAtRest = false
  private var phaseLength = 0
  private var isFound = false

  mutating func add(isAtRest: Bool, isMoved: Bool) {
    if isAtRest, isMoved {
      falseAlarms += 1
      if !wasAtRest { falseOnsets += 1 }
    } else if isAtRest {
      hits += 1
    } else if !isMoved {
      misses += 1
    }
    wasAtRest = isAtRest
    if isMoved {
      endPhase()
    } else {
      phaseLength += 1
      isFound = isFound || isAtRest
    }
  }

  mutating func endPhase() {
    if Double(phaseLength) * LabelledTrial.step.secondsDouble >= 2 {
      phases += 1
      if isFound { found += 1 }
    }
    phaseLength = 0
    isFound = false
  }

  mutating func endTrial() {
    endPhase()
    wasAtRest = false
  }

  var precision: Double { Double(hits) / Double(hits + falseAlarms) }
  var recall: Double { Double(hits) / Double(hits + misses) }
}

/// What is done to the signal of a trial.
private struct Perturbation {
  var name: String
  var isNoisy = false
  var bias = Vector3.zero
  /// Samples averaged into one.
  var block = 1
}

private func score(_ trials: [LabelledTrial], _ perturbation: Perturbation) -> RestScore {
  var score = RestScore()
  var random = SeededRandom(seed: 1)
  for trial in trials {
    var estimator = InertialEstimator()
    var time = Instant.zero
    var rate = Vector3.zero
    var force = Vector3.zero
    var count = 0
    for (sample, isMoved) in zip(trial.samples, trial.isMoved) {
      rate += sample.rate + perturbation.bias
      force += sample.force
      if perturbation.isNoisy {
        rate += random.vector(deviation: 0.3 * .pi / 180)
        force += random.vector(deviation: 0.02 * 9.80665)
      }
      count += 1
      if count == perturbation.block {
        let share = 1 / Float(count)
        _ = estimator.update(
          with: InertialSample(time: time, angularRate: rate * share, specificForce: force * share))
        rate = .zero
        force = .zero
        count = 0
      }
      time = time + LabelledTrial.step
      score.add(isAtRest: estimator.rest.isAtRest, isMoved: isMoved)
    }
    score.endTrial()
  }
  return score
}

/// The bars of rest detection over recorded trials; `docs/rest.md` has the figures reached over all of them.
@Test func restIsFoundOnRecordedTrialsWhateverTheBiasNoiseAndRate() throws {
  guard let folder = recordedDataFolder("broad") else { return }
  // Of each kind one, and 27, in which a hand rests; all of them are for `make bench-fusion`.
  let names = [
    "09_undisturbed_fast_rotation_with_breaks_B", "15_undisturbed_fast_translation_A", "27_disturbed_phone_vibration_B",
  ]
  let trials = try names.map { try LabelledTrial(folder + "/" + $0 + ".csv.gz") }
  let large = Float(20 * Double.pi / 180)
  for perturbation in [
    Perturbation(name: "biased", bias: Vector3(large, -large, large)),
    Perturbation(name: "26 Hz, biased", bias: Vector3(-large, 0, large), block: 11),
    Perturbation(name: "noisy, biased", isNoisy: true, bias: Vector3(large, large, -large)),
  ] {
    let score = score(trials, perturbation)
    #expect(score.precision >= (perturbation.block == 11 ? 0.998 : 0.999), "\(perturbation.name): \(score)")
    #expect(score.recall >= (perturbation.isNoisy ? 0.92 : 0.93), "\(perturbation.name): \(score)")
    #expect(perturbation.isNoisy || score.falseOnsets == 0, "\(perturbation.name): \(score)")
    #expect(score.phases > 6 && score.found == score.phases, "\(perturbation.name): \(score)")
  }
}
