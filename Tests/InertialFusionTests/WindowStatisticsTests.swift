import Quantities
import TestSupport
import Testing

@testable import InertialFusion

private func model(_ values: [Vector3]) -> (mean: [Double], variance: Double) {
  let axes: [(Vector3) -> Double] = [{ Double($0.x) }, { Double($0.y) }, { Double($0.z) }]
  let n = Double(values.count)
  let means = axes.map { axis in values.reduce(0) { $0 + axis($1) } / n }
  var squares = 0.0
  for (axis, mean) in zip(axes, means) {
    squares += values.reduce(0) { $0 + (axis($1) - mean) * (axis($1) - mean) }
  }
  return (means, squares / (3 * (n - 1)))
}

@Test(arguments: [0.0001, 0.003, 0.05, 1, 20] as [Float])
func windowStatisticsAgreeWithDoublePrecision(deviation: Float) {
  var random = SeededRandom(seed: 11)
  for count in [2, 3, 7, 25, 100] {
    let values = (0..<2 * count).map { _ in Vector3(0.3, -9.7, 1.2) + random.vector(deviation: deviation) }
    var first = WindowStatistics()
    for value in values[..<count] { first.add(value) }
    var second = WindowStatistics(reference: first.mean)
    for value in values[count...] { second.add(value) }
    for (statistics, part) in [
      (first, values[..<count]), (second, values[count...]), (first.merged(with: second), values[...]),
    ] {
      let expected = model(Array(part))
      let tolerance = max(2e-6, 3e-7 * Double(deviation))
      #expect(statistics.count == part.count)
      #expect(abs(Double(statistics.mean.y) - expected.mean[1]) < tolerance)
      #expect(abs(Double(statistics.mean.x) - expected.mean[0]) < tolerance)
      // Single precision of 9.7 is 1e-6: a deviation of 1e-4 is known to a few percent.
      let share = deviation < 0.001 ? 0.03 : 0.001
      #expect(abs(Double(statistics.variance) - expected.variance) < share * expected.variance)
    }
  }
}

@Test func statisticsOfNothingAndOfOneValueAreDefined() {
  var empty = WindowStatistics()
  #expect(empty.variance == 0 && empty.mean == .zero && empty.count == 0)
  var one = WindowStatistics()
  one.add(Vector3(1, 2, 3))
  #expect(one.variance == 0 && one.mean == Vector3(1, 2, 3))
  #expect(empty.merged(with: one) == one)
  #expect(one.merged(with: empty) == one)
  empty.add(Vector3(1, 2, 3))
  #expect(empty == one)
}

@Test func equalValuesHaveNoVarianceEvenWithAReferenceFarAway() {
  var statistics = WindowStatistics(reference: Vector3(0.031, -0.017, 9.79))
  for _ in 0..<50 { statistics.add(Vector3(0.03, -0.02, 9.81)) }
  #expect(statistics.variance < 1e-10)
}
