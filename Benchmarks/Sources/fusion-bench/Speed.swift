import BenchmarkHarness
import FusionEvaluation

/// Time and memory of one filter.
struct Speed: Codable {
  let name: String
  /// Processor time per sample, ns: the least of all rounds, the median over the trials.
  let nanoseconds: [String: Double]
  /// The median round over the least, of the same trial: how restless the machine was.
  let spread: [String: Double]
  let size: Contender.Size?
}

/// Times filters in turns, round after round, so that a change of the machine's speed meets all of them.
///
/// A machine that others use has slow minutes: measure at several moments, and the least time is of a quiet one.
final class SpeedTest {
  private struct Case {
    let contender: Int
    let axes: Axes
    let trial: Int
    let run: any FilterRun
    var times: [Double] = []
  }

  private let contenders: [Contender]
  private let trials: [OrientationTrial]
  private var cases: [Case] = []

  /// Prepares all filters that stand in the table, and runs each once to warm up.
  init(of contenders: [Contender], on trials: [OrientationTrial]) {
    let chosen = contenders.filter { $0.tables.contains(.speed) }
    self.contenders = chosen
    self.trials = trials
    for (trial, recording) in trials.enumerated() {
      for axes in Axes.allCases {
        for (place, contender) in chosen.enumerated() {
          cases.append(Case(contender: place, axes: axes, trial: trial, run: contender.prepare(recording, axes)))
        }
      }
    }
    for item in cases { item.run.run() }
  }

  /// Runs all filters so many times.
  func measure(rounds: Int) {
    for _ in 0..<rounds {
      for place in cases.indices {
        let start = processorSeconds()
        cases[place].run.run()
        let time = processorSeconds() - start
        cases[place].times.append(time / Double(trials[cases[place].trial].count) * 1e9)
      }
    }
  }

  /// What was found so far.
  var results: [Speed] {
    contenders.indices.map { contender in
      var nanoseconds: [String: Double] = [:]
      var spread: [String: Double] = [:]
      for axes in Axes.allCases {
        let own = cases.filter { $0.contender == contender && $0.axes == axes }
        nanoseconds[axes.rawValue] = middle(own.map { $0.times.min() ?? .nan })
        spread[axes.rawValue] = middle(own.map { middle($0.times) / ($0.times.min() ?? .nan) })
      }
      return Speed(
        name: contenders[contender].name, nanoseconds: nanoseconds, spread: spread, size: contenders[contender].size)
    }
  }
}

private func middle(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
