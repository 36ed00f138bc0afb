public import Quantities

/// Mean and scatter of a vector over some samples, accumulated in single precision without cancellation.
///
/// Sums are taken of the differences to a reference near the mean (the mean of the window before), because the squares of
/// raw values of 9.8 m/s² would drown a scatter of 0.03 m/s² in rounding.
@frozen public struct WindowStatistics: Equatable, BitwiseCopyable, Sendable {
  /// Number of samples.
  public private(set) var count: Int32
  var reference: Vector3
  var sum: Vector3
  var sumOfSquares: Float

  /// No sample yet; differences are taken to `reference`.
  public init(reference: Vector3 = .zero) {
    count = 0
    self.reference = reference
    sum = .zero
    sumOfSquares = 0
  }

  /// The statistics behind a count, a mean and a variance.
  init(_ summary: RestSummary) {
    count = summary.count
    reference = summary.mean
    sum = .zero
    sumOfSquares = summary.count > 1 ? summary.variance * Float(3 * (summary.count - 1)) : 0
  }

  /// Takes one value in.
  mutating func add(_ value: Vector3) {
    if count == 0, sum == .zero, reference == .zero { reference = value }
    let difference = value - reference
    sum += difference
    sumOfSquares += difference.squaredLength
    count += 1
  }

  /// The mean; the reference when there is no sample.
  public var mean: Vector3 {
    count == 0 ? reference : reference + sum * (1 / Float(count))
  }

  /// Mean square deviation from the mean, averaged over the three axes.
  public var variance: Float {
    guard count > 1 else { return 0 }
    let total = sumOfSquares - sum.squaredLength / Float(count)
    return total > 0 ? total / (3 * Float(count - 1)) : 0
  }

  /// The statistics of both windows together.
  func merged(with other: WindowStatistics) -> WindowStatistics {
    guard other.count > 0 else { return self }
    guard count > 0 else { return other }
    let shift = other.reference - reference
    let n = Float(other.count)
    var result = self
    result.sum += other.sum + shift * n
    result.sumOfSquares += other.sumOfSquares + 2 * shift.dot(other.sum) + shift.squaredLength * n
    result.count += other.count
    return result
  }
}
