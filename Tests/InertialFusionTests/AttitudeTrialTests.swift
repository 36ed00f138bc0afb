import FusionEvaluation
import Glibc
import InertialFusion
import Quantities
import TestSupport
import Testing

/// What is done to the signal of a trial.
private enum Fault: CaseIterable {
  case none, hardIron, bias, noise
  /// Read in batches, 48 and 26 times a second: all inertial samples of a batch, and one of the magnetometer.
  case batches48, batches26
  /// The mean of each batch in place of it.
  case averaged48, averaged26

  /// Read through `InertialBatch`.
  var isBatched: Bool { self == .batches48 || self == .batches26 }

  /// Samples in a batch.
  var block: Int {
    switch self {
    case .batches48, .averaged48: 6
    case .batches26, .averaged26: 11
    default: 1
    }
  }
}

/// Errors of one run of the filter over one trial, degrees.
private struct TrialErrors {
  var total = 0.0
  var totalAligned = 0.0
  var inclination = 0.0
  var levelAligned = 0.0
  var rejected: UInt32 = 0
}

/// Runs the filter with its defaults over a trial, and scores every fourth row of truth (every row where rows are few).
private func errors(of trial: LaboratoryTrial, with fault: Fault, seed: UInt64) -> TrialErrors {
  var random = SeededRandom(seed: seed)
  var filter = AttitudeFilter()
  var earth: [PreciseQuaternion] = []
  var level: [PreciseQuaternion] = []
  var references: [PreciseQuaternion] = []
  let biased = Float(10 * Double.pi / 180)
  let noisyRate = Float(0.3 * Double.pi / 180)
  var mean = InertialSample(time: .zero)
  var batch = InertialBatch(following: filter)
  for (place, var sample) in trial.samples.prefix(fault == .hardIron ? .max : 17_500).enumerated() {
    switch fault {
    case .none: break
    case .hardIron: sample.magneticFluxDensity = sample.magneticFluxDensity.map { $0 + Vector3(10, -8, 6) }
    case .bias: sample.angularRate = sample.angularRate.map { $0 + Vector3(biased, -biased, biased) }
    case .noise:
      sample.angularRate = sample.angularRate.map { $0 + random.vector(deviation: noisyRate) }
      sample.specificForce = sample.specificForce.map { $0 + random.vector(deviation: 0.02 * 9.80665) }
    case .batches48, .batches26:
      if place % fault.block == 0 { batch = InertialBatch(following: filter) }
      guard let rate = sample.angularRate, let force = sample.specificForce else { continue }
      batch.add(angularRate: rate, specificForce: force, seconds: 0.0035)
      guard place % fault.block == fault.block - 1 else { continue }
      filter.update(with: batch, endingAt: sample.time, magneticFluxDensity: sample.magneticFluxDensity)
    case .averaged48, .averaged26:
      let position = place % fault.block
      let share = 1 / Float(fault.block)
      func add(_ part: WritableKeyPath<InertialSample, Vector3?>) {
        let before = position == 0 ? .zero : mean[keyPath: part] ?? .zero
        mean[keyPath: part] = before + (sample[keyPath: part] ?? .zero) * share
      }
      add(\.angularRate)
      add(\.specificForce)
      add(\.magneticFluxDensity)
      guard position == fault.block - 1 else { continue }
      mean.time = sample.time
      sample = mean
    }
    if !fault.isBatched { filter.update(with: sample) }
    guard place % fault.block == fault.block - 1, fault.block > 1 || place % 4 == 0, let truth = trial.truth[place]
    else { continue }
    earth.append(PreciseQuaternion(filter.earthFromBody))
    level.append(PreciseQuaternion(filter.levelFromBody))
    references.append(PreciseQuaternion(w: truth.w, x: truth.x, y: truth.y, z: truth.z))
  }
  let whole = OrientationScore(estimates: earth, references: references, alignment: fault == .none)
  var errors = TrialErrors(total: whole.total, inclination: whole.inclination, rejected: filter.rejections.total)
  errors.totalAligned = whole.totalAligned
  if fault == .none {
    let score = OrientationScore(estimates: level, references: references)
    (errors.levelAligned, errors.inclination) = (score.totalAligned, score.inclination)
  }
  return errors
}

/// Of each kind one; all of them, and whole, are for `make bench-fusion`.
private let chosen = [
  "03_undisturbed_slow_rotation_C", "09_undisturbed_fast_rotation_with_breaks_B", "15_undisturbed_fast_translation_A",
  "31_disturbed_stationary_magnet_D", "35_disturbed_attached_magnet_4cm",
]

/// Every chosen trial, its first minute (all of it where a magnet must be found), once with every fault, trials beside each other; nil without data.
private let runs = Task { () throws -> [[TrialErrors]]? in
  guard let folder = recordedDataFolder("broad") else { return nil }
  let names = chosen.map { $0 + ".csv.gz" }
  return try await withThrowingTaskGroup(of: (Int, [TrialErrors]).self) { group in
    for (place, name) in names.enumerated() {
      group.addTask {
        guard let trial = try LaboratoryTrial(folder + "/" + name) else { return (place, []) }
        return (place, Fault.allCases.map { errors(of: trial, with: $0, seed: UInt64(place + 1)) })
      }
    }
    var results = [[TrialErrors]](repeating: [], count: names.count)
    for try await (place, errors) in group { results[place] = errors }
    return results
  }
}

/// The mean over the chosen trials of one error; nil without data.
private func mean(_ fault: Fault, _ part: (TrialErrors) -> Double) async throws -> Double? {
  guard let results = try await runs.value, let column = Fault.allCases.firstIndex(of: fault) else { return nil }
  #expect(results.count == chosen.count)
  return results.reduce(0) { $0 + part($1[column]) } / Double(results.count)
}

/// The bars of attitude over recorded trials, with one set of parameters: the defaults. `docs/fusion.md` has the figures
/// reached over all of them and those of other filters; `SimulatedTrialTests` stands in where there are none.
@Suite struct AttitudeTrialTests {
  @Test func theAttitudeWithMagnetometerHoldsItsBar() async throws {
    guard let total = try await mean(.none, \.total), let aligned = try await mean(.none, \.totalAligned) else {
      return
    }
    #expect(total <= 2.15, "\(total)°")
    #expect(aligned <= 1.40, "\(aligned)°")
  }

  @Test func theAttitudeWithoutMagnetometerHoldsItsBar() async throws {
    guard let inclination = try await mean(.none, \.inclination), let aligned = try await mean(.none, \.levelAligned)
    else { return }
    #expect(inclination <= 0.60, "\(inclination)°")
    #expect(aligned <= 2.00, "\(aligned)°")
  }

  @Test func aMagnetOnTheSensorIsFoundAndTakenAway() async throws {
    guard let total = try await mean(.hardIron, \.total) else { return }
    // Over all fourteen trials it is 9.57°.
    #expect(total <= 11.5, "\(total)°")
  }

  @Test func aBiasOfTenDegreesPerSecondChangesNothing() async throws {
    guard let total = try await mean(.bias, \.total), let clean = try await mean(.none, \.total) else { return }
    #expect(total <= 2.5, "\(total)°")
    #expect(abs(total - clean) < 0.1, "\(total)° with a bias, \(clean)° without")
  }

  @Test func aNoisySensorCostsLittle() async throws {
    guard let inclination = try await mean(.noise, \.inclination), let total = try await mean(.noise, \.total)
    else { return }
    #expect(inclination <= 0.75, "\(inclination)°")
    #expect(total <= 3, "\(total)°")
  }

  @Test func readingInBatchesLosesNothing() async throws {
    guard let faster = try await mean(.batches48, \.total), let slower = try await mean(.batches26, \.total)
    else { return }
    #expect(faster <= 2.3, "\(faster)° at 48 Hz")
    #expect(slower <= 2.4, "\(slower)° at 26 Hz")
  }

  /// What averaging loses of the rotation inside a batch no filter brings back; this is why batches are folded.
  @Test func averagedBatchesLoseNoMoreThanTheyMust() async throws {
    guard let faster = try await mean(.averaged48, \.total), let slower = try await mean(.averaged26, \.total)
    else { return }
    #expect(faster <= 2.5, "\(faster)° at 48 Hz")
    #expect(slower <= 2.8, "\(slower)° at 26 Hz")
  }

  @Test func noRecordedSampleIsRefused() async throws {
    guard let results = try await runs.value else { return }
    for trial in results { for errors in trial { #expect(errors.rejected == 0) } }
  }

  @Test func theStateStaysSmall() {
    #expect(MemoryLayout<AttitudeState>.size <= 1054, "\(MemoryLayout<AttitudeState>.size) bytes")
  }
}
