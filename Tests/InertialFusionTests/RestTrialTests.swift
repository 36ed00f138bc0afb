import Foundation
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

private func score(
  _ trials: [LabelledTrial], _ perturbation: Perturbation, _ parameters: RestParameters = RestParameters()
) -> RestScore {
  var score = RestScore()
  var random = SeededRandom(seed: 1)
  for trial in trials {
    var estimator = InertialEstimator(rest: parameters)
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
  // Of each kind one, and 27, in which a hand rests; all of them are for `make rest`.
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

/// The tables of docs/rest.md, over all trials and over hours of noise; only for `make rest`.
@Test func restOverAllTrialsAndHoursOfNoise() throws {
  guard let page = RestCampaign.page else { return }
  let folder = try #require(recordedDataFolder("broad"))
  let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv.gz") }.sorted()
  let campaign = RestCampaign(trials: try names.map { try LabelledTrial("\(folder)/\($0)") })
  let tables = [campaign.conditions, campaign.parameters, campaign.halves, campaign.noise]
  let text = tables.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  try text.write(toFile: page, atomically: true, encoding: .utf8)
}

private struct RestCampaign {
  /// Where the tables go (`LEASH_REST`).
  static var page: String? { ProcessInfo.processInfo.environment["LEASH_REST"] }

  let trials: [LabelledTrial]

  private static let quiet = Perturbation(name: "quiet")
  private static let noisy = Perturbation(name: "noisy", isNoisy: true)

  /// One row for each condition.
  var conditions: [String] {
    let turn = Float(20 * Double.pi / 180)
    let bias = Vector3(turn, -turn, turn)
    let rows = [
      Self.quiet, Self.noisy, Perturbation(name: "bias 20 °/s", bias: bias),
      Perturbation(name: "bias 20 °/s, noisy", isNoisy: true, bias: bias),
      Perturbation(name: "block-averaged to 48 Hz", block: 6), Perturbation(name: "block-averaged to 26 Hz", block: 11),
      Perturbation(name: "48 Hz, noisy", isNoisy: true, block: 6),
      Perturbation(name: "26 Hz, noisy", isNoisy: true, block: 11),
    ].map { perturbation in
      let score = score(trials, perturbation)
      return "| \(perturbation.name) | \(Self.text(score.precision, 4)) | \(Self.text(score.recall, 3)) "
        + "| \(score.found) of \(score.phases) | \(score.falseOnsets) |"
    }
    let head = "| \(trials.count) trials | precision | recall | phases ≥ 2 s found | false onsets |"
    return [head, "|---|---|---|---|---|"] + rows
  }

  /// One row for each parameter that is changed, a smaller and a larger value of it.
  var parameters: [String] {
    func row(_ name: String, _ values: [Double], _ change: (inout RestParameters, Double) -> Void) -> String {
      let cells = values.map { value in
        var parameters = RestParameters()
        change(&parameters, value)
        let scores = [Self.quiet, Self.noisy].map { score(trials, $0, parameters) }
        let recall = scores.map { Self.text($0.recall, 3) }.joined(separator: ", ")
        return "\(Self.text(value)): \(recall) | " + scores.map { "\($0.falseOnsets)" }.joined(separator: ", ")
      }
      return "| `\(name)` | " + cells.joined(separator: " | ") + " |"
    }
    func time(_ seconds: Double) -> Interval { Interval(microseconds: Int64(seconds * 1_000_000)) }
    return [
      "| parameter | smaller: recall quiet, noisy | false onsets | larger: recall quiet, noisy | false onsets |",
      "|---|---|---|---|---|",
      row("window", [0.05, 0.15]) { $0.window = time($1) },
      row("scatterQuantile", [4, 7]) { $0.scatterQuantile = Float($1) },
      row("meanFactor", [4, 7]) { $0.meanFactor = Float($1) },
      row("entryShare", [0.5, 1]) { $0.entryShare = Float($1) },
      row("minimumAngularRate", [0.007, 0.015]) { $0.minimumAngularRate = Float($1) },
      row("minimumSpecificForce", [0.07, 0.15]) { $0.minimumSpecificForce = Float($1) },
      row("minimumAngularRateChange", [0.005, 0.01]) { $0.minimumAngularRateChange = Float($1) },
      row("minimumSpecificForceChange", [0.07, 0.15]) { $0.minimumSpecificForceChange = Float($1) },
      row("dwell", [0.8, 1.5]) { $0.dwell = time($1) },
      row("shortestDwell", [0.2, 0.5]) { $0.shortestDwell = time($1) },
      row("firstLevelTime", [1, 2]) { $0.firstLevelTime = time($1) },
    ]
  }

  /// Mean recall over every other trial, and over those between, for a longer dwell: no figure comes from few trials.
  var halves: [String] {
    let rows = [1, 1.2, 1.5].map { seconds in
      var parameters = RestParameters()
      parameters.dwell = Interval(microseconds: Int64(seconds * 1_000_000))
      let cells = [0, 1].map { first in
        let recalls = stride(from: first, to: trials.count, by: 2).map {
          score([trials[$0]], Self.quiet, parameters).recall
        }
        return Self.text(recalls.reduce(0, +) / Double(recalls.count), 3)
      }
      return "| \(Self.text(seconds)) s | " + cells.joined(separator: " | ") + " |"
    }
    return ["| `dwell` | mean recall of every other trial | of those between |", "|---|---|---|"] + rows
  }

  /// Twelve hours of white noise: how often rest ends, after the first minute.
  var noise: [String] {
    let rows = [(0.012, 0.25), (0.003, 0.04)].flatMap { (rate: Float, force: Float) in
      [26, 100, 208].map { hertz in
        var sensor = SimulatedSensor(hertz: hertz, rateNoise: rate, forceNoise: force, seed: 1)
        var estimator = InertialEstimator()
        var (windows, alarms, wasAtRest) = (0, 0, false)
        for _ in 0..<43_200 * hertz where estimator.update(with: sensor.next()) {
          windows += 1
          let isAtRest = estimator.rest.isAtRest
          if wasAtRest, !isAtRest, windows > 600 { alarms += 1 }
          wasAtRest = isAtRest
        }
        return "| \(rate) rad/s, \(force) m/s² | \(hertz) Hz | \(alarms) |"
      }
    }
    return ["| white noise per axis | samples | ends of rest in 12 h |", "|---|---|---|"] + rows
  }

  private static func text(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }
  private static func text(_ value: Double) -> String { String(format: "%g", value) }
}
