import Quantities

/// What the vehicle's own buzzer does to its inertial sensor while it sounds: a shaking that is nobody's work.
///
/// How strongly a buzzer shakes the sensor depends on both and on what is between them, so it is learnt each time: the strongest window of
/// the first seconds, where it was still before; what is stronger than that is movement. From then on the level only falls, to the
/// strongest window of the last seconds, so that who shakes while it begins is not hidden for long. What is stronger than any buzzer is
/// never taken for one, and nothing of turning or tilting is. A tone far above the rate of the sensor may arrive as a slow swing, as a
/// lift or a step is: by how much the mean of a window swings is learnt as well, and followed, as pitch and swing drift.
///
/// - Source: our derivation; a tone is as strong in each window as in the one before, and adds its square to theirs.
struct OwnSound: BitwiseCopyable {
  private var begin: Instant?
  private var end = Instant.zero
  /// Last movement before it began; nil when there was none.
  private var lastMovement: Instant?
  /// True once something was stronger than the buzzer since it began.
  private var hasMoved = false
  /// True once a level was learnt.
  private var isKnown = false
  /// True while the level is being learnt, up or down.
  private var isLearning = false
  /// Mean force before it began, m/s²; 0 for unknown.
  private var stillForce: Float = 0
  private var level = Level()
  private var heard = Level()
  private var spanEnd = Instant.zero

  /// How long it is listened to, from the begin when it was still, and from then on.
  static var firstSpan: Interval { .milliseconds(2500) }
  static var span: Interval { .seconds(5) }
  /// How long after the end windows may still have it in them, and a board may be late to end it.
  static var margin: Interval { .milliseconds(700) }
  /// By how much a window may be stronger than the strongest of those it was learnt from.
  static var tolerance: Float { 1.3 }
  /// The same for a touch, for which one window is enough.
  static var touchTolerance: Float { 1.6 }
  /// Strongest shaking of a buzzer, m/s² per axis (rms), and strongest turning, rad/s per axis.
  static var loudest: Float { 6 }
  static var loudestTurning: Float { 0.15 }

  /// How much of the tone's strength the mean of a window may have, in m/s² of one axis for m/s² per axis (rms).
  static var swingShare: Float { 2 }
  /// By how much the mean may swing further than it was seen to; how many deviations of a mean a slow tone is beyond, and by how much
  /// that may swing further.
  static var swingTolerance: Float { 1.2 }
  static var slow: Float { 3 }
  static var slowTolerance: Float { 2 }
  /// What is left of a swing that is over after five seconds.
  static var swingKept: Float { 0.85 }
  /// For how long the vertical may be off by a swing that is over, and by how much, rad for m/s².
  static var leanMemory: Interval { .seconds(5) }
  static var perGravity: Float { 0.102 }

  /// Shares of a window that a buzzer makes.
  private struct Level: BitwiseCopyable {
    var shaking: Float = 0
    var vibration: Float = 0
    var turning: Float = 0
    var activity: Float = 0
    /// By how much the mean force was off, m/s².
    var swing: Float = 0

    mutating func rise(to other: Level) {
      shaking = max(shaking, other.shaking)
      vibration = max(vibration, other.vibration)
      turning = max(turning, other.turning)
      activity = max(activity, other.activity)
      swing = max(swing, other.swing)
    }

    mutating func fall(to other: Level) {
      shaking = min(shaking, other.shaking)
      vibration = min(vibration, other.vibration)
      turning = min(turning, other.turning)
      activity = min(activity, other.activity)
    }
  }

  /// It is about to sound.
  ///
  /// - Parameters:
  ///   - isStill: Whether nothing moved up to now.
  ///   - lastMovement: When something last did.
  ///   - force: Length of the mean specific force, m/s²; 0 for unknown.
  mutating func begin(at now: Instant, for duration: Interval, isStill: Bool, lastMovement: Instant?, force: Float) {
    let isSounding = begin != nil && now < end
    end = now + duration + OwnSound.margin
    guard !isSounding else { return }
    begin = now
    self.lastMovement = lastMovement
    hasMoved = !isStill
    stillForce = force
    isLearning = isStill || !isKnown
    heard = Level()
    spanEnd = now + (isStill ? OwnSound.firstSpan : OwnSound.span)
  }

  /// It was told to be silent.
  mutating func silence(at now: Instant) { end = min(end, now + OwnSound.margin) }

  /// Notes in a window what the buzzer has put there.
  mutating func hear(_ window: inout InertialWindow) {
    guard let begin, window.end >= begin, window.start < end + OwnSound.leanMemory else { return }
    // An attitude that has followed a swing needs some seconds to come back.
    if isKnown, !isLearning || window.start >= end { window.ownLean = level.swing * OwnSound.perGravity }
    guard window.start < end else { return }
    window.stillForce = stillForce
    var seen = Level(
      shaking: window.shaking, vibration: window.vibration, turning: window.turningRate, activity: window.activity)
    if window.hasForce, stillForce > 0 { seen.swing = (window.forceLength - stillForce).magnitude }
    heard.rise(to: seen)
    if window.end >= spanEnd { closeSpan(at: window.end, samples: window.samples) }
    if isLearning {
      window.ownShaking = OwnSound.loudest
      window.ownTurning = OwnSound.loudestTurning
      window.ownSwing = OwnSound.loudest
      if isPossible(seen) { window.activity = 0 }
      window.vibration = OwnSound.rest(window.vibration, OwnSound.loudest)
    } else {
      window.ownShaking = level.shaking
      window.ownTurning = level.turning
      window.ownSwing = level.swing
      window.activity /= max(1, level.activity)
      window.vibration = OwnSound.rest(window.vibration, level.vibration)
    }
    if window.activity >= 1 { hasMoved = true } else { window.movementEnd = self.lastMovement ?? begin }
  }

  private func isPossible(_ seen: Level) -> Bool {
    seen.shaking <= OwnSound.loudest && seen.turning <= OwnSound.loudestTurning
  }

  private mutating func closeSpan(at now: Instant, samples: Int32) {
    var learnt = heard
    learnt.shaking = min(learnt.shaking * OwnSound.tolerance, OwnSound.loudest)
    learnt.vibration = min(learnt.vibration * OwnSound.tolerance, OwnSound.loudest)
    learnt.turning = min(learnt.turning * OwnSound.tolerance, OwnSound.loudestTurning)
    learnt.activity *= OwnSound.touchTolerance
    // A mean of what is random goes to and fro; a slow tone stays off, and its largest may be still to come.
    let isSlow = heard.swing * Float(Int(samples)).squareRoot() > OwnSound.slow * heard.shaking
    let tolerance = isSlow ? OwnSound.slowTolerance : OwnSound.swingTolerance
    learnt.swing *= tolerance
    if isLearning {
      level = learnt
      level.swing = min(level.swing, OwnSound.loudest)
    } else {
      level.fall(to: learnt)
      // What was slow may be slow again; no swing is stronger than the tone.
      let kept = max(learnt.swing, OwnSound.swingKept * level.swing)
      let most = max(OwnSound.swingShare * level.shaking, learnt.swing)
      level.swing = min(kept, most, max(level.swing * tolerance, 0.01))
    }
    isLearning = false
    isKnown = true
    heard = Level()
    spanEnd = now + OwnSound.span
  }

  /// What is left of a strength when a part of it is taken out.
  static func rest(_ whole: Float, _ part: Float) -> Float { max(0, whole * whole - part * part).squareRoot() }

  /// The last movement that was not the buzzer's.
  ///
  /// - Parameter movement: When the sensor last moved, by whatever.
  func last(_ movement: Instant?) -> Instant? {
    guard let begin, let movement, movement > begin, movement <= end, !hasMoved else { return movement }
    return lastMovement
  }

  /// True while the unrest of the sensor is the buzzer's.
  func isOwn(at now: Instant) -> Bool { begin.map { now > $0 } ?? false && now < end && !hasMoved }
}
