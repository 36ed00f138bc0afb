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

/// Times all filters in turns, round after round, so that a change of the machine's speed meets all of them.
///
/// The first round warms up and does not count.
func speeds(of contenders: [Contender], on trials: [OrientationTrial], rounds: Int) -> [Speed] {
  struct Case {
    let contender: Int
    let axes: Axes
    let trial: Int
    let run: any FilterRun
    var times: [Double] = []
  }
  let chosen = contenders.filter { $0.tables.contains(.speed) }
  var cases: [Case] = []
  for (trial, recording) in trials.enumerated() {
    for axes in Axes.allCases {
      for (place, contender) in chosen.enumerated() {
        cases.append(Case(contender: place, axes: axes, trial: trial, run: contender.prepare(recording, axes)))
      }
    }
  }
  for round in 0...rounds {
    for place in cases.indices {
      let start = processorSeconds()
      cases[place].run.run()
      let time = processorSeconds() - start
      if round > 0 { cases[place].times.append(time / Double(trials[cases[place].trial].count) * 1e9) }
    }
  }
  return chosen.indices.map { contender in
    var nanoseconds: [String: Double] = [:]
    var spread: [String: Double] = [:]
    for axes in Axes.allCases {
      let own = cases.filter { $0.contender == contender && $0.axes == axes }
      nanoseconds[axes.rawValue] = middle(own.map { $0.times.min() ?? .nan })
      spread[axes.rawValue] = middle(own.map { middle($0.times) / ($0.times.min() ?? .nan) })
    }
    return Speed(
      name: chosen[contender].name, nanoseconds: nanoseconds, spread: spread, size: chosen[contender].size)
  }
}

private func middle(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
