import Quantities

/// How far a receiver says that it has gone since it was last where it stands: what Doppler tells of a displacement.
///
/// An outlier is far away, and says that it stands. What is carried off says that it moves, between two rare fixes, too.
struct ToldWay: BitwiseCopyable {
  /// What was told, m.
  private(set) var metres: Float = 0
  /// Speed of the last fix as far as it is believed, m/s.
  private var speed: Float = 0

  /// Share of a displacement that must have been told: a way is sampled, and some of it is missed.
  static var share: Float { 0.5 }

  /// Whether it explains a distance, m.
  func explains(_ distance: Float) -> Bool { metres >= ToldWay.share * distance && metres > 0 }

  /// Takes a fix in.
  ///
  /// - Parameters:
  ///   - passed: Since the fix before.
  ///   - limit: From which on a speed is believed, m/s.
  ///   - isNear: The fix is where the vehicle stands.
  mutating func add(speed told: Double?, passed: Interval, limit: Float, isNear: Bool) {
    let before = speed
    let now = Float(told ?? 0)
    speed = now >= limit ? now : 0
    if speed == 0, isNear {
      metres = 0
    } else {
      // The mean of both ends: of two rare fixes one may have seen it move.
      metres += 0.5 * (before + speed) * max(0, min(passed, .seconds(60)).seconds)
    }
  }
}
