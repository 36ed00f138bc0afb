import FusionEvaluation
import Glibc

/// What the tables show of a filter on a trial, degrees. Alignment does not change an inclination, and a total of 6D says
/// nothing before it.
enum Metric: String, CaseIterable, Codable {
  case nineTotal = "9D total"
  case nineInclination = "9D inclination"
  case sixInclination = "6D inclination"
  case nineAligned = "9D aligned"
  case sixAligned = "6D aligned"

  var axes: Axes { self == .sixInclination || self == .sixAligned ? .six : .nine }

  func value(in score: OrientationScore) -> Double {
    // A score with estimates missing is no score.
    guard score.badCount == 0 else { return .nan }
    switch self {
    case .nineTotal: return score.total
    case .nineInclination, .sixInclination: return score.inclination
    case .nineAligned, .sixAligned: return score.totalAligned
    }
  }
}

/// One filter on all trials.
struct Accuracy: Codable {
  let name: String
  /// Degrees, one per trial.
  var values: [String: [Double]] = [:]
  /// Share of the rows called rest that were; NaN for a filter that does not tell.
  var restPrecision = Double.nan
  /// Share of the rows at rest that were called so.
  var restRecall = Double.nan

  subscript(metric: Metric) -> [Double] { values[metric.rawValue] ?? [] }
  func mean(_ metric: Metric) -> Double { meanOf(self[metric]) }

  init(name: String) { self.name = name }

  /// Runs a filter over all trials.
  ///
  /// - Parameters:
  ///   - batch: Samples per reading of a FIFO: scored at the last of each; 1 scores every sample.
  ///   - metrics: Which to find; aligning takes most of the time.
  init(of contender: Contender, on trials: [OrientationTrial], batch: Int = 1, metrics: [Metric] = Metric.allCases) {
    name = contender.name
    var rest = RestScore()
    for trial in trials {
      let truth = batch > 1 ? trial.lastOfEach(batch) : trial
      for axes in Axes.allCases {
        let wanted = metrics.filter { $0.axes == axes }
        guard !wanted.isEmpty else { continue }
        let run = batch > 1 ? contender.prepareBatches?(trial, axes, batch) : nil
        var estimates = (run ?? contender.prepare(trial, axes)).estimates()
        if batch > 1 { estimates = estimates.lastOfEach(batch) }
        let isAligned = wanted.contains { $0 == .nineAligned || $0 == .sixAligned }
        let score = OrientationScore(estimates.quaternions, against: truth, alignment: isAligned)
        for metric in wanted { values[metric.rawValue, default: []].append(metric.value(in: score)) }
        if axes == .six, contender.hasRest { rest += RestScore(estimates.isAtRest, against: truth) }
      }
    }
    if contender.hasRest { (restPrecision, restRecall) = (rest.precision, rest.recall) }
  }
}

/// One filter against another, trial by trial.
struct PairedDifference: Codable {
  /// Mean of the differences, degrees; negative is better than the other.
  let mean: Double
  /// Its standard error.
  let standardError: Double
  /// Trials on which this filter is better.
  let wins: Int
  let count: Int

  init(_ a: [Double], minus b: [Double]) {
    let differences = zip(a, b).map { $0 - $1 }
    count = differences.count
    mean = meanOf(differences)
    wins = differences.count { $0 < 0 }
    let centre = mean
    let squares = differences.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    standardError = count > 1 ? (squares / Double(count - 1) / Double(count)).squareRoot() : .nan
  }
}

func meanOf(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
