/// The variance a sensor shows when nothing moves, learnt from the signal.
///
/// A fixed threshold on raw values fits one sensor: a parked MPU-6050 scatters by 0.002 rad/s, another of the same make by
/// 0.006, and a phone by less than either. The floor follows quiet windows slowly, and it is raised only by noise that
/// stays level for many seconds, which movement by hand never does.
@frozen public struct NoiseFloor: Equatable, BitwiseCopyable, Sendable {
  /// Learnt variance per axis, square of the sensor's unit.
  public private(set) var variance: Float
  let smallest: Float
  let largest: Float

  /// A floor that starts at a prior guess.
  ///
  /// - Parameters:
  ///   - prior: Standard deviation to begin with.
  ///   - smallest: Lower limit of the learnt standard deviation: a coarse converter can show no noise at all.
  ///   - largest: Upper limit: what scatters more is movement however steady it is.
  init(prior: Float, smallest: Float, largest: Float) {
    variance = prior * prior
    self.smallest = smallest * smallest
    self.largest = largest * largest
  }

  /// Whether a level this high can be noise at all.
  func accepts(_ observed: Float) -> Bool { observed <= largest }

  /// Moves towards the variance of a quiet window: down within seconds, up within a minute, and never towards a window that
  /// noise alone would hardly make. Otherwise faint movement would teach the floor to overlook it.
  mutating func follow(_ observed: Float, seconds: Float) {
    guard observed <= 2.5 * variance else { return }
    let timeConstant: Float = observed < variance ? 5 : 60
    replace(with: variance + (observed - variance) * min(0.5, seconds / timeConstant))
  }

  /// Takes a level that was steady for long as the new floor.
  mutating func replace(with observed: Float) {
    variance = min(max(observed, smallest), largest)
  }
}
