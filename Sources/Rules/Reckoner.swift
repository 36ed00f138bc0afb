import Quantities

/// Follows where somebody is by the velocity that fixes tell, held by their positions.
///
/// The error of a position lasts for minutes, that of a velocity for seconds. What the velocity has added up to is therefore a better
/// step than the difference of two positions, and positions are averaged over as long as the sum of velocities may be trusted.
///
/// - Source: our derivation: the steady optimal filter of a random walk with the density q, seen with an error whose density is
///   2σ²τ, as that of a Gauss-Markov error is for times beyond τ. From a variance of σ² on, at rest, it is σ²/(1 + T/2τ) after T.
struct Reckoner: BitwiseCopyable {
  /// From the position of the last fix to where it is, m.
  private(set) var offset = GroundVector()
  /// Variance per axis, m².
  private(set) var variance: Float = .infinity
  private var velocity = GroundVector()
  /// Since when no course was told, s.
  private var courseAge: Float = .infinity
  /// How long positions have been too far away to be errors, s.
  private var apart: Float = 0

  // What larger and smaller values do is measured by `make fences`; these are from the model of docs/street-model.md, seeds 0 to 19.

  /// Longest time between two fixes over which a velocity says where it went, s.
  static var longestStep: Float { 5 }
  /// How long a course is believed when none is told, as that of one that walks slowly, s.
  static var courseTime: Float { 10 }
  /// What the noise of a velocity adds to the variance, m²/s: 0.1 m/s per axis, correlated over 2 s.
  static var noise: Float { 0.04 }
  /// What a speed without a course adds, s: its square per axis, as long as it keeps a direction.
  static var unknownTime: Float { 2 }
  /// What a speed with the course of some seconds ago adds, s.
  static var heldTime: Float { 0.25 }
  /// What a scale of the speed or a lag of the course adds, s.
  static var scaleTime: Float { 0.01 }
  /// Deviations between where it is and a position that are no error of it.
  static var farDeviations: Float { 5 }
  /// How long positions are that far away until they are believed, s.
  static var farTime: Float { 60 }
  /// Share of the variance of one position below which more is known than positions say.
  static var worthwhile: Float { 0.6 }

  init() {}

  /// True when it is known better than the last position tells.
  func isBetter(than deviation: Float) -> Bool {
    apart == 0 && variance < Reckoner.worthwhile * deviation * deviation
  }

  /// Only positions count from here.
  mutating func begin() { self = Reckoner() }

  /// Takes the step to a fix in.
  ///
  /// - Parameters:
  ///   - step: From the position before, m.
  ///   - speed: As the fix tells it, m/s; nil begins anew.
  ///   - course: As the fix tells it, rad clockwise from north.
  ///   - elapsed: Seconds since the fix before.
  ///   - deviation: Of positions, m per axis.
  mutating func follow(step: GroundVector, speed: Float?, course: Double?, elapsed: Float, _ deviation: Float) {
    guard let speed, elapsed > 0, elapsed <= Reckoner.longestStep else {
      begin()
      return
    }
    let old = velocity
    let unknown = turn(to: speed, course, elapsed)
    offset = offset + ((old + velocity) * 0.5 * elapsed - step)
    let bend = (velocity - old).square * 0.125 * elapsed
    variance += (max(Reckoner.noise, unknown) + Reckoner.scaleTime * speed * speed + bend) * elapsed
    correct(elapsed, deviation * deviation)
  }

  /// The velocity is another one now.
  ///
  /// - Returns: What is not known of it adds so much to the variance, m²/s.
  private mutating func turn(to speed: Float, _ course: Double?, _ elapsed: Float) -> Float {
    if let told = course.flatMap({ GroundVector(speed, along: $0) }) {
      velocity = told
      courseAge = 0
      return 0
    }
    courseAge += elapsed
    let before = velocity.length
    guard courseAge <= Reckoner.courseTime, before > 0 else {
      velocity = GroundVector()
      return speed * speed * Reckoner.unknownTime
    }
    velocity = velocity * (speed / before)
    return speed * speed * Reckoner.heldTime
  }

  private mutating func correct(_ elapsed: Float, _ square: Float) {
    let far = Reckoner.farDeviations * Reckoner.farDeviations * max(square, variance)
    guard offset.square <= far else {
      apart += elapsed
      if apart > Reckoner.farTime { (offset, variance, apart) = (GroundVector(), square, 0) }
      return
    }
    apart = 0
    // No worse than the last position alone, which is as good as any then.
    if !(variance < square) { (offset, variance) = (GroundVector(), square) }
    let share = min(1, variance * elapsed / (2 * square * FenceParameters.errorTime))
    offset = offset - offset * share
    variance -= share * variance
  }
}
