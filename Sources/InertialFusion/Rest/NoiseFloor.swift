/// The noise a sensor shows when nothing moves, learnt from the signal.
///
/// A fixed threshold on raw values fits one sensor: a parked MPU-6050 scatters by 0.002 rad/s, another of the same make by
/// 0.006, and a phone by less than either. The floor follows quiet windows slowly, and it is raised at once only by noise that
/// stays level and white, which movement never does.
@frozen public struct NoiseFloor: Equatable, BitwiseCopyable, Sendable {
  /// Learnt variance of one sample about the mean of its window, per axis, square of the sensor's unit.
  public private(set) var variance: Float
  /// How much more the mean of a window scatters than white noise would let it: 1 for white noise, more behind a low-pass.
  public private(set) var colour: Float = 1

  /// A floor that starts at a prior guess of the standard deviation.
  init(prior: Float) { variance = prior * prior }

  /// Variance of the mean of so many samples, per axis.
  @inlinable public func varianceOfMean(count: Int32) -> Float { colour * variance / Float(Int(count)) }

  /// Follows the variance of a quiet window and the colour that the step between two means shows.
  mutating func follow(variance observed: Float, colour seen: Float, share: Float, smallest: Float) {
    variance = max(smallest * smallest, variance + (observed - variance) * share)
    colour = min(max(colour + (min(seen, 9) - colour) * share, 1), 9)
  }

  /// Takes a level that was steady as the new floor.
  mutating func replace(variance observed: Float, colour seen: Float) {
    variance = observed
    colour = min(max(seen, 1), 9)
  }
}
