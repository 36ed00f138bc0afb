/// How far a wheel goes with each pulse of its sensor, as far as that is known.
///
/// Stretches are joined by their variances; the variance does not fall below `floor`², as what is wrong with all stretches alike no
/// number of them shows. A stretch that differs by three standard deviations shows another wheel, or a fault; a second one that agrees
/// with it, and not with what was known, is the new wheel.
///
/// - Source: our derivation.
@frozen @usableFromInline package struct WheelScale: Equatable, BitwiseCopyable, Sendable {
  /// Metres per pulse; 0 while nothing is known.
  package var metres: Float = 0
  /// Standard deviation of `metres`, as a share of it.
  package var deviation: Float = 1
  /// What it was set to, m; 0 for nothing.
  package var given: Float = 0
  /// What the last stretch showed when it differed, m; 0 when it did not.
  package var candidate: Float = 0

  /// A wheel counts when it is known to this share, and a stretch is long enough when its ends are.
  @inlinable package static var aim: Float { 0.01 }
  /// As well a wheel can be known by any number of stretches: what the seven rides of the tuning half whose device has counted turns of
  /// a wheel show together (docs/odometer.md).
  @inlinable package static var floor: Float { 0.005 }
  /// No wheel has more or fewer metres per pulse.
  @inlinable package static var range: ClosedRange<Float> { 0.01...10 }

  /// Nothing is known.
  @usableFromInline init() {}

  /// A wheel as the owner has measured it.
  ///
  /// - Parameter circumference: m; 0 when nobody knows.
  init(given circumference: Float) {
    given = circumference
    metres = circumference
    deviation = circumference > 0 ? WheelScale.aim : 1
  }

  /// How a stretch fits what was known.
  enum Verdict {
    /// It is joined with what was known, or what is known is new.
    case agreement
    /// It shows another wheel or a fault; nothing has changed but `candidate`.
    case difference
  }

  /// Learns from a stretch.
  ///
  /// - Parameters:
  ///   - shown: Its metres per pulse.
  ///   - variance: Of them, as a share.
  mutating func take(_ shown: Float, variance: Float) -> Verdict {
    let known = deviation * deviation
    guard metres > 0 else {
      (metres, deviation) = (shown, max(WheelScale.floor, variance.squareRoot()))
      return .agreement
    }
    let difference = shown / metres - 1
    if difference * difference <= 9 * (known + variance) {
      let gain = known / (known + variance)
      metres += gain * (shown - metres)
      deviation = max(WheelScale.floor, (known * (1 - gain)).squareRoot())
      candidate = 0
      return .agreement
    }
    let again = candidate > 0 ? shown / candidate - 1 : 1
    guard again * again <= 18 * variance else {
      candidate = shown
      return .difference
    }
    metres = (shown + candidate) / 2
    deviation = (variance / 2).squareRoot()
    candidate = 0
    return .agreement
  }
}
