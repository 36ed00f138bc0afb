import Quantities

/// Recognises that the vehicle leans otherwise than it was left.
///
/// An accelerometer takes a train that sets off for a lean; a gyroscope does not. What the vertical turns by faster than a creep,
/// and the gyroscope does not see, is doubted: it is taken off again, until it goes back. How it was left follows a stand that
/// sinks, slowly, and not for ever.
struct TiltDetector: BitwiseCopyable {
  /// The vertical in the body as the vehicle was left; nil while unknown.
  private(set) var reference: Vector3?
  /// Change of the vertical since then, rad, as last seen.
  private(set) var tilt: Float?
  /// The vertical of the last seconds.
  private var mean: Vector3?
  /// How long it has leant beyond the limit; before the vertical is known, how long it has stayed near its mean.
  private var held = Holding()
  /// The same of a tilt that no gyroscope has seen.
  private var unseenHeld = Holding()
  /// How far the reference has followed, rad.
  private var followed: Float = 0
  /// Direction of the specific force of the last tenths of a second.
  private var force: Vector3?
  /// The vertical of the window before.
  private var before: Vector3?
  /// What the vertical has turned by without the gyroscope, body frame, rad.
  private(set) var doubt = Vector3.zero
  /// What the attitude may have missed in the last tone of the own buzzer, rad.
  private var missing: Float = 0
  /// True once the vertical of this life can be believed.
  private(set) var isKnown = false

  /// Time over which the vertical is averaged, s: longer than a sway.
  static var memory: Float { 3 }
  /// How fast the reference follows, rad/s: 4° an hour.
  static var sinking: Float { 1.94e-5 }
  /// How far it follows, rad: 10°.
  static var largestSinking: Float { 0.174_532_93 }
  /// How long a tilt must hold that no gyroscope can have seen: longer than a train sets off for.
  static var unseenConfirmation: Interval { .seconds(45) }
  /// The same at rest: what sets off shakes by more than the noise of a sensor.
  static var unseenConfirmationAtRest: Interval { .seconds(9) }
  /// Share of a tilt that the gyroscope must have seen.
  static var seenShare: Float { 0.35 }
  /// Time over which the specific force is averaged, s.
  static var forceMemory: Float { 0.5 }
  /// Share of the limit that the specific force alone must show: a gyroscope that goes wrong tilts nothing.
  static var feltShare: Float { 0.5 }
  /// Most that a second of tilt counts for, s: eleven degrees are told after a quarter of one.
  static var fastest: Float { 4 }
  /// Time over which a doubt is forgotten at rest between tones, s.
  static var restMemory: Float { 20 }
  /// For how long the first vertical must have stayed near its mean, and how near, as a share of the limit, if the sensor does not rest.
  static var swayingDwell: Interval { .seconds(20) }
  static var swayShare: Float { 0.3 }
  /// How fast the vertical must turn to be doubted when the gyroscope does not see it, rad/s.
  static var doubtedRate: Float { 0.02 }

  /// How it stands now is how it was left.
  mutating func rebase() {
    reference = mean
    tilt = mean == nil ? nil : 0
    (held, unseenHeld) = (Holding(), Holding())
    followed = 0
    doubt = .zero
  }

  /// How it was left is what an earlier life saw; nil when that is not known.
  mutating func restore(_ up: Vector3?) {
    self = TiltDetector()
    reference = up
  }

  /// How much of a turn (rad, body frame) is about an axis that is level.
  func rolled(_ turned: Vector3, _ window: InertialWindow) -> Float {
    guard let up = window.up else { return 0 }
    return (turned - up * turned.dot(up)).length
  }

  /// - Parameters:
  ///   - rate: How fast it turns by the mean of the gyroscope's last minutes, rad/s, body frame: of use while the bias is unknown.
  ///   - turned: What the gyroscope has turned by of late, rad, body frame.
  mutating func judge(
    _ window: InertialWindow, rate: Vector3, turned: Vector3, _ parameters: MotionParameters,
    into judgement: inout Judgement
  ) {
    guard let up = window.up else {
      mean = nil
      before = nil
      return
    }
    weigh(up, window.isBiasKnown ? window.turn : rate, window)
    feel(window)
    if let old = mean {
      let share = min(1, (window.seconds + window.passedSeconds) / TiltDetector.memory)
      mean = (old + (up - old) * share).normalized ?? up
    } else {
      mean = up
    }
    if !isKnown {
      guard stands(up, window, parameters) else { return }
      isKnown = true
      held = Holding()
      if window.isAtRest { mean = up }
    }
    guard let left = reference else {
      // The sensor began after parking: what it first sees at rest is how the vehicle stands.
      reference = mean
      return
    }
    let believed = up - doubt
    let angle = Elementary.atan2(left.cross(believed).length, left.dot(believed))
    tilt = angle
    var ratio = angle / parameters.tiltLimit
    let felt = TiltDetector.feltShare * parameters.tiltLimit
    if !window.hasTurningRate {
      judgement.hold(
        .tilt, ratio: ratio, &unseenHeld, window,
        for: window.isAtRest ? TiltDetector.unseenConfirmationAtRest : TiltDetector.unseenConfirmation)
      judgement.isPast = window.isAtRest && judgement.detector == .tilt
      ratio = ratio / 2
    } else if rolled(turned, window) < TiltDetector.seenShare * angle {
      ratio = ratio / 2
    }
    if let force, force.dot(left) > 1 - 0.5 * felt * felt { ratio = min(ratio, 0.99) }
    // One bad reading stays in the attitude and in the mean of the force; what is tilted shows it still.
    let isClear = window.forceDirection.map { $0.dot(left) <= 1 - 0.5 * felt * felt } ?? false
    judgement.hold(
      .tilt, ratio: ratio, &held, window, for: parameters.orientationConfirmation,
      fastest: isClear ? TiltDetector.fastest : 1)
    guard angle < parameters.tiltLimit, followed < TiltDetector.largestSinking, angle > 0 else { return }
    let step = min(angle, TiltDetector.sinking * window.seconds)
    followed += step
    reference = (left + (up - left) * (step / angle)).normalized ?? left
  }

  /// A gap: what has turned meanwhile nobody has seen.
  mutating func interrupt() {
    before = nil
    held = Holding()
  }

  /// Whether the first vertical of a sensor can be believed. It may be anything, as it is one sample, and the sample may be a blow: it is
  /// known at rest, or when it has stayed near its mean for longer than somebody handles a vehicle, as in wind.
  private mutating func stands(_ up: Vector3, _ window: InertialWindow, _ parameters: MotionParameters) -> Bool {
    if window.isAtRest { return true }
    let most = TiltDetector.swayShare * parameters.tiltLimit
    let isNear = mean.map { up.dot($0) >= 1 - 0.5 * most * most } ?? false
    held.length = isNear ? held.length + (window.end - window.start) : .zero
    return held.length >= TiltDetector.swayingDwell
  }

  private mutating func feel(_ window: InertialWindow) {
    guard window.hasForce, let direction = window.forceDirection else {
      force = nil
      return
    }
    guard let old = force else {
      force = direction
      return
    }
    force =
      (old + (direction - old) * min(1, (window.seconds + window.passedSeconds) / TiltDetector.forceMemory)).normalized
      ?? direction
  }

  /// The share of what the vertical turned by unseen that a tone does not explain: the attitude makes up for what it missed in one.
  private mutating func allow(for unseen: Float, in seconds: Float) -> Float {
    let allowed = min(unseen, missing)
    missing = max(0, missing - allowed - seconds * TiltDetector.doubtedRate)
    return allowed > 0 ? 1 - allowed / unseen : 1
  }

  /// Follows what the vertical turns by and the gyroscope does not.
  private mutating func weigh(_ up: Vector3, _ rate: Vector3, _ window: InertialWindow) {
    defer { before = up }
    guard let before, window.hasTurningRate, isKnown else { return }
    var seconds = window.seconds
    let seen = window.isTurnMomentary ? Vector3.zero : rate
    var unseen = up - before - before.cross(seen) * seconds
    if window.passedSeconds > 0 {
      unseen -= before.cross(window.passedTurn)
      seconds += window.passedSeconds
      missing = window.passedMissed
      // What was doubted for a turn that fell into a tone; what accelerates does not rest for long.
      if window.isAtRest { doubt = doubt * (1 - min(1, seconds / TiltDetector.restMemory)) }
    }
    if missing > 0 { unseen = unseen * allow(for: unseen.length, in: window.seconds) }
    let changed = doubt + unseen
    let isFast = unseen.squaredLength > TiltDetector.doubtedRate * TiltDetector.doubtedRate * seconds * seconds
    if isFast || changed.squaredLength < doubt.squaredLength { doubt = changed }
  }
}
