import Quantities

/// Recognises a ride by its vibration alone, for vehicles without a fix.
struct ShakingDetector: BitwiseCopyable {
  private var score: Interval = .zero
  private var previousEnd: Instant?
  private(set) var onset: Instant?

  /// True while shaking has lasted for the confirmation time.
  private(set) var isConfirmed = false

  /// Takes one window in; quiet counts against shaking second by second, and a gap ends it.
  mutating func update(with window: InertialWindow, parameters: MotionParameters) {
    if let previousEnd, window.begin != previousEnd { self = ShakingDetector() }
    previousEnd = window.end
    let length = window.end - window.begin
    if window.vibration >= parameters.rideVibration {
      if score == .zero { onset = window.start }
      score = min(parameters.rideVibrationConfirmation, score + length)
    } else {
      score = max(.zero, score - length)
    }
    if score >= parameters.rideVibrationConfirmation { isConfirmed = true }
    if score == .zero { isConfirmed = false }
  }
}
