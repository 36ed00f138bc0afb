import Quantities

/// The worst confirmed sign of a movement.
struct Judgement: BitwiseCopyable {
  var detector: MovementDetector?
  var ratio: Float = 0
  var onset: Instant = .zero
  /// True when something moves by more than wind and traffic move it, confirmed or not.
  var isMoving = false

  /// Keeps the sign when it is worse, or as bad and clearer.
  mutating func confirm(_ detector: MovementDetector, ratio: Float, onset: Instant) {
    if let held = self.detector,
      held.severity > detector.severity || (held.severity == detector.severity && self.ratio >= ratio)
    {
      return
    }
    self.detector = detector
    self.ratio = ratio
    self.onset = onset
  }

  /// Takes a sign in that must hold for some time.
  ///
  /// - Parameter since: Since when it has held; nil when it does not.
  mutating func hold(
    _ detector: MovementDetector, ratio: Float, since: inout Instant?, _ window: InertialWindow,
    for confirmation: Interval
  ) {
    guard ratio >= 1 else {
      since = nil
      return
    }
    let onset = since ?? window.start
    since = onset
    if window.end - onset >= confirmation { confirm(detector, ratio: ratio, onset: onset) }
  }
}
