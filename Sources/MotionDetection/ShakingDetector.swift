import Quantities

/// Recognises a ride by its vibration alone, for vehicles without a fix.
///
/// A road shakes at all frequencies; what sways in the wind does so at its own, up to 2 Hz, and a sensor high above the ground feels
/// that as strongly. The share of what is faster than a sway tells them apart.
///
/// - Source: our derivation. Of five recorded rides by bicycle, motorcycle and car, thinned to 12.5 to 100 samples a second, that share is
///   0.47 and more over any ten seconds; of a sway of 1° at 2 Hz 0.40 at most, 0.15 with short windows of three samples.
struct ShakingDetector: BitwiseCopyable {
  private var score: Interval = .zero
  private var previousEnd: Instant?
  private(set) var onset: Instant?
  /// By how much the square of the share of what is faster than a sway has exceeded that of a road, in the mean of the windows that shake.
  private var excess: Float = 0

  /// True while shaking has lasted for the confirmation time.
  private(set) var isConfirmed = false

  /// Least share of a road.
  static var leastShare: Float { 0.45 }
  /// Shaking over which it is averaged, s.
  static var memory: Float { 10 }

  /// True while what shakes is a road.
  var isRoad: Bool { excess >= 0 }

  /// Takes one window in; quiet counts against shaking second by second, and a gap ends it.
  mutating func update(with window: InertialWindow, parameters: MotionParameters) {
    if let previousEnd, window.begin != previousEnd { self = ShakingDetector() }
    previousEnd = window.end
    let length = window.end - window.begin
    if window.vibration >= parameters.rideVibration {
      if score == .zero { onset = window.start }
      score = min(parameters.rideVibrationConfirmation, score + length)
      follow(window)
    } else {
      score = max(.zero, score - length)
    }
    if score >= parameters.rideVibrationConfirmation, isRoad { isConfirmed = true }
    if score == .zero { isConfirmed = false }
  }

  private mutating func follow(_ window: InertialWindow) {
    let least = ShakingDetector.leastShare
    let share = window.shaking / max(HandlingDetector.excess(of: window) * window.vibration, .leastNormalMagnitude)
    excess += (share * share - least * least - excess) * min(1, window.seconds / ShakingDetector.memory)
  }
}
