import Quantities

/// The worst confirmed sign of a movement.
struct Judgement: BitwiseCopyable {
  var detector: MovementDetector?
  var ratio: Float = 0
  var onset: Instant = .zero
  /// True when something moves by more than wind and traffic move it, confirmed or not.
  var isMoving = false
  /// Since when it is lifted, carried or shifted; nil when none of these is confirmed. A clearer sign, as of a lean, does not hide that.
  var carriedSince: Instant?
  /// True when what is told has been still since: a lean that an accelerometer alone has seen at rest.
  var isPast = false
  /// True when what was lifted is still carried: it swings as by steps, though more faintly than what raises an alarm.
  var isSwung = false
  /// True when it shakes and turns as what rolls, is ridden or driven.
  var isUnderWay = false

  /// Keeps the sign when it is worse, or as bad and clearer.
  mutating func confirm(_ detector: MovementDetector, ratio: Float, onset: Instant) {
    if detector.movementClass == .carried { carriedSince = min(carriedSince ?? onset, onset) }
    if let held = self.detector,
      held.severity > detector.severity || (held.severity == detector.severity && self.ratio >= ratio)
    {
      return
    }
    self.detector = detector
    self.ratio = ratio
    self.onset = onset
  }

  /// Takes a sign in that must hold for some time; what is far beyond its limit holds for less, by the third power of the ratio.
  ///
  /// - Parameters:
  ///   - holding: For how long it has held.
  ///   - fastest: Most that a second counts for, s.
  mutating func hold(
    _ detector: MovementDetector, ratio: Float, _ holding: inout Holding, _ window: InertialWindow,
    for confirmation: Interval, fastest: Float = 1
  ) {
    guard ratio >= 1 else {
      holding = Holding()
      return
    }
    // One window alone may be one bad sample.
    let before = holding.onset
    let most = before == nil ? 1 : fastest
    let onset = before ?? window.start
    holding.onset = onset
    let length = window.end - window.start
    let more = (min(ratio * ratio * ratio, most) - 1) * Float(Int(length.microseconds))
    // What holds on both sides of a tone held in it, and what holds after it began in it.
    let passed = window.start - window.begin
    let since = before == nil ? min(passed, OwnSound.leastHeld) : passed
    holding.length = holding.length + length + since + Interval(microseconds: Int64(Int(more)))
    if holding.length >= confirmation { confirm(detector, ratio: ratio, onset: onset) }
  }
}

/// For how long a sign has held, without a break.
struct Holding: BitwiseCopyable {
  /// Since when; nil when it does not.
  var onset: Instant?
  /// What that counts for.
  var length = Interval.zero
}
