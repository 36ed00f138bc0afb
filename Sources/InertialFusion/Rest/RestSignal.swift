public import Quantities

/// What one sensor showed in one short window.
@frozen public struct RestSummary: Equatable, BitwiseCopyable, Sendable {
  /// Number of samples; 0 without this sensor, and then all else is zero.
  public var count: Int32
  /// Mean, in the sensor's unit, body frame.
  public var mean: Vector3
  /// Mean square deviation from the mean, averaged over the three axes.
  public var variance: Float
  /// Variance of the mean per axis that the learnt noise gives it: the measurement noise for a filter.
  public var varianceOfMean: Float

  /// A summary; without arguments that of no sensor.
  @inlinable init(count: Int32 = 0, mean: Vector3 = .zero, variance: Float = 0, varianceOfMean: Float = 0) {
    self.count = count
    self.mean = mean
    self.variance = variance
    self.varianceOfMean = varianceOfMean
  }
}

/// The state of one sensor in the rest detector: sums of the open window, the mean while quiet, the noise.
///
/// What is long stands in one place for both sensors: windows are rare, and code is dear on a microcontroller.
struct RestSignal: Equatable, BitwiseCopyable, Sendable {
  private(set) var count: Int32 = 0
  /// Mean of the window before: differences to it are summed, for squares of raw values would drown the scatter.
  private(set) var reference = Vector3.zero
  private var sums = LaneSums()
  /// Mean since it is quiet.
  private var quietMean = Vector3.zero
  private(set) var noise: NoiseFloor
  /// True once a whole window has shown no change at all: a converter so coarse hides its noise, and then its mean jumps.
  private var isCoarse = false
  private var level = Level()

  init(prior: Float) { noise = NoiseFloor(prior: prior) }

  /// Sums over windows whose scatter is alike.
  private struct Level: Equatable, BitwiseCopyable, Sendable {
    var sum: Float = 0
    var least: Float = 0
    var most: Float = 0
    /// Squared steps between the means of neighbouring windows, as the variance of one sample that white noise would need.
    var steps: Float = 0
  }

  /// Takes one value in.
  @inline(__always) mutating func add(_ value: Lanes3) {
    sums.add(value - Lanes3(reference))
    count &+= 1
  }

  /// Takes the values behind statistics in.
  mutating func add(_ values: WindowStatistics) {
    let shift = values.reference - reference
    let n = Float(Int(values.count))
    sums.add(
      values.sum + shift * n, squares: values.sumOfSquares + 2 * shift.dot(values.sum) + shift.squaredLength * n)
    count &+= values.count
  }

  /// Forgets the open window, and the first value becomes the reference.
  mutating func startAnew(at value: Vector3?) {
    count = 0
    sums = LaneSums()
    if let value { reference = value }
  }

  /// Mean and scatter of the open window.
  var summary: RestSummary {
    guard count > 0 else { return RestSummary() }
    let share = 1 / Float(Int(count))
    let sum = sums.sum
    let total = sums.sumOfSquares - sum.squaredLength * share
    let variance = count > 1 && total > 0 ? total / Float(Int(3 &* (count &- 1))) : 0
    return RestSummary(
      count: count, mean: reference + sum * share, variance: variance,
      varianceOfMean: noise.varianceOfMean(count: count))
  }

  /// True when no value of the window differs from the window before, or there is none.
  func isUnchanged(_ summary: RestSummary) -> Bool {
    summary.count == 0 || (summary.variance == 0 && summary.mean == reference)
  }

  /// Axes whose mean is that of the window before while another's is not: bits 0 to 2.
  func unchangedAxes(_ summary: RestSummary) -> UInt8 {
    let axes: UInt8 =
      (summary.mean.x == reference.x ? 1 : 0) | (summary.mean.y == reference.y ? 2 : 0)
      | (summary.mean.z == reference.z ? 4 : 0)
    return summary.count < 2 || axes == 7 ? 0 : axes
  }

  /// Closes the window: its mean is the reference of the next.
  mutating func close(_ summary: RestSummary) {
    if summary.count > 1, summary.variance == 0 { isCoarse = true }
    startAnew(at: summary.count > 0 ? summary.mean : nil)
  }

  /// Scatter against its threshold.
  @inline(never) func scatterRatio(_ summary: RestSummary, quantile: Float, minimum: Float) -> Float {
    guard summary.count > 1 else { return 0 }
    let limit = chiSquareQuantile(quantile, freedom: 3 &* (summary.count &- 1)) * noise.variance
    return (summary.variance / max(limit, minimum * minimum, .leastNormalMagnitude)).squareRoot()
  }

  /// Change of the mean since it is quiet against its threshold.
  ///
  /// - Parameter share: Seconds of this window for each second of quiet: how uncertain the mean of the quiet itself is.
  @inline(never) func changeRatio(_ summary: RestSummary, factor: Float, share: Float, minimum: Float) -> Float {
    guard summary.count > 0 else { return 0 }
    let minimum = isCoarse ? 1.5 * minimum : minimum
    let limit = factor * factor * summary.varianceOfMean * (1 + share)
    return ((summary.mean - quietMean).squaredLength / max(limit, minimum * minimum, .leastNormalMagnitude))
      .squareRoot()
  }

  /// The mean of the quiet takes a window in; a share of 1 begins anew.
  @inline(never) mutating func follow(_ summary: RestSummary, share: Float) {
    guard summary.count > 0 else { return }
    quietMean += (summary.mean - quietMean) * share
  }

  /// Whether the learnt noise makes such a scatter more often than once in seven hundred windows, or the scatter is faint
  /// anyhow: a coarse converter shows nothing for minutes, and then a step now and then.
  @inline(never) func couldBeNoise(_ summary: RestSummary, faint: Float) -> Bool {
    guard summary.count > 1 else { return true }
    let limit = chiSquareQuantile(3, freedom: 3 &* (summary.count &- 1)) * noise.variance
    return summary.variance <= max(limit, faint * faint)
  }

  /// The floor learns from a window at rest.
  mutating func learn(_ summary: RestSummary, share: Float, smallest: Float) {
    guard summary.count > 1 else { return }
    let colour = step(summary) / max(noise.variance, .leastNormalMagnitude)
    noise.follow(variance: summary.variance, colour: colour, share: share, smallest: smallest)
  }

  /// Step of the mean since the window before as the variance of one sample that white noise would need for it.
  private func step(_ summary: RestSummary) -> Float {
    (summary.mean - reference).squaredLength * Float(Int(summary.count)) / 6
  }

  /// Begins to collect level noise with this window.
  mutating func startLevel(_ summary: RestSummary) {
    level = Level(sum: summary.variance, least: summary.variance, most: summary.variance, steps: 0)
  }

  /// Adds a window to the level noise; false when its scatter is unlike that of the others.
  ///
  /// All must lie between the quantiles three standard deviations below and above one variance.
  @inline(never) mutating func addLevel(_ summary: RestSummary) -> Bool {
    guard summary.count > 1 else { return true }
    level.least = min(level.least, summary.variance)
    level.most = max(level.most, summary.variance)
    level.sum += summary.variance
    level.steps += step(summary)
    let freedom = 3 &* (summary.count &- 1)
    return level.most * chiSquareQuantile(-3, freedom: freedom) <= level.least * chiSquareQuantile(3, freedom: freedom)
  }

  /// Variance and colour of level noise over so many windows; nil when it is no noise: louder than any sensor's, or a
  /// vibration, whose means scatter less than those of white noise, or a movement, whose means scatter more.
  ///
  /// The scatter of a vibration is also more even from window to window than chance: fourteen windows of noise, the fewest, lie
  /// within 1.8 standard deviations once in a hundred times.
  @inline(never) func levelNoise(
    _ summary: RestSummary, windows: Float, largest: Float, colours: ClosedRange<Float>
  ) -> (variance: Float, colour: Float)? {
    let variance = level.sum / windows
    guard summary.count > 1, variance > 0, variance <= largest * largest else { return nil }
    let freedom = 3 &* (summary.count &- 1)
    guard
      level.most * chiSquareQuantile(-0.9, freedom: freedom) >= level.least * chiSquareQuantile(0.9, freedom: freedom)
    else { return nil }
    let colour = level.steps / ((windows - 1) * variance)
    return colours.contains(colour) ? (variance, colour) : nil
  }

  /// Takes level noise as the floor.
  mutating func replaceNoise(_ found: (variance: Float, colour: Float)) {
    noise.replace(variance: found.variance, colour: found.colour)
  }

  /// The quantile of χ²/k that lies so many standard deviations of the normal distribution out.
  ///
  /// - Source: [wilson-hilferty] The cube root of χ²/k is nearly normal with mean 1 − 2/9k and variance 2/9k.
  private func chiSquareQuantile(_ quantile: Float, freedom: Int32) -> Float {
    let spread = 2 / Float(Int(9 &* freedom))
    let root = 1 - spread + quantile * spread.squareRoot()
    return root * root * root
  }
}
