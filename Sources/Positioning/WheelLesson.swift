/// A stretch between two fixes on which both the way and the pulses are counted, from which a wheel is learnt.
///
/// It has an error of √2 · a in its length, where a is the accuracy of the fixes, whatever lies between, or the way in `lag` where that is
/// longer. It is long enough when that is `WheelScale.aim` of it: 141 · a, 700 m for fixes of 5 m. It has no silence, no jump, and speeds that agree with its positions. Its
/// variance, as a share, is 2a²/L² + 1/(6n²) for whole pulses + that of the corners + `error`².
///
/// - Source: our derivation.
@frozen @usableFromInline struct WheelLesson: Equatable, BitwiseCopyable, Sendable {
  private var stretch = WheelStretch()
  /// The way by speeds, m, below zero where one is missing.
  private var told: Float = 0
  /// What was added for corners, m.
  private var corners: Float = 0
  /// The worst accuracy of a fix, m.
  private var accuracy: Float = 0
  /// True while it can teach nothing.
  private var isSpoilt = true

  /// What one wheel differs by from ride to ride, as fixes see it: on the seven rides of the tuning half whose device has counted
  /// turns of a wheel (docs/odometer.md).
  static var error: Float { 0.013 }
  /// So long before or behind a fix the pulses may be that belong to it, s: the fix is of before it comes, and each reading of its time.
  static var lag: Float { 0.3 }
  /// Way and speeds agree to this share.
  static var agreement: Float { 0.1 }

  /// Nothing is learnt before the next way.
  @usableFromInline init() {}

  /// What lies behind can't be compared.
  mutating func spoil() { isSpoilt = true }

  /// What speeds tell of the way between two fixes, m; nil when they tell nothing.
  mutating func note(told way: Double?) {
    guard let way, told >= 0 else {
      told = -1
      return
    }
    told += Float(min(way, 1e6))
  }

  /// Takes a way by fixes in.
  ///
  /// - Parameters:
  ///   - step: The way.
  ///   - now: Pulses at its end.
  ///   - accuracy: Of the fix at its end, m.
  ///   - isFresh: Whether pulses are known there.
  ///   - teaches: Whether the wheel turns with the way at all.
  /// - Returns: What a stretch that is complete now shows, metres per pulse and their variance as a share.
  mutating func follow(
    _ step: WheelMeter.Step, _ now: WheelPulses, accuracy: Float, isFresh: Bool, teaches: Bool
  ) -> (metres: Float, variance: Float)? {
    guard teaches, !isSpoilt, !step.hasSilence else {
      stretch = WheelStretch(from: now)
      (told, corners, self.accuracy) = (0, 0, 0)
      isSpoilt = !teaches
      return nil
    }
    self.accuracy = max(self.accuracy, accuracy, WheelLesson.lag * step.speed)
    stretch.way += Float(step.way)
    corners += Float(step.corners)
    let way = stretch.way
    let ends = 2 * self.accuracy * self.accuracy / (way * way)
    guard isFresh, !step.isEnd, ends <= WheelScale.aim * WheelScale.aim else { return nil }
    isSpoilt = true
    let pulses = now.since(stretch.start)
    let metres = way / max(pulses, 1)
    guard told < 0 || (told - way).magnitude <= WheelLesson.agreement * way, pulses >= 1,
      WheelScale.range.contains(metres)
    else { return nil }
    let corner = Float(TripMeter.cornerError) * corners / way
    let variance = ends + 1 / (6 * pulses * pulses) + corner * corner + WheelLesson.error * WheelLesson.error
    return (metres, variance)
  }
}
