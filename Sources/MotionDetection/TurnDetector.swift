import Quantities

/// Recognises a turn by the gyroscope alone, however slowly it comes, in spite of a bias that drifts.
///
/// The mean rate of the last minutes is the bias, and what is left is summed and forgotten over the same time. That the bias
/// drifts, as a sensor gets warm, is learnt, too: of a drift of 0.1 °/s per kelvin on each axis, by 15 K within 400 s, five
/// degrees are left after five minutes, and a turn of 60° in three minutes shows as fourteen.
///
/// - Source: our derivation; two high-passes of the first order in a row turn a step s of the rate into an angle
///   s·t·exp(−t/τ), and a ramp r into r·τ². The mean and its slope are an observer of the second order with the poles of
///   z² + z/τ + 1/(τ·T), which leaves nothing of a ramp.
struct TurnDetector: BitwiseCopyable {
  /// What the gyroscope shows when it does not turn, rad/s, body frame.
  private var bias = Vector3.zero
  /// By how much that changes, rad/s², body frame.
  private var drift = Vector3.zero
  /// What it has turned by of late, rad, body frame.
  private(set) var angle = Vector3.zero
  /// Seconds of samples that the bias was learnt from, up to `memory`; up to `restlessMemory` before it has stood.
  private var seconds: Float = 0
  private var lastShaken: Instant?
  private var wasRestless = false
  /// True once it has stood still: what was learnt before is the mean of all curves.
  private var hasStood = false
  /// The rate less bias of the window before, rad/s, body frame.
  private(set) var before = Vector3.zero
  /// What of the angle the last seconds would not have counted, had it shaken, rad, body frame.
  private var curve = Vector3.zero
  private var holding = Holding()
  /// Turn about the vertical as last seen, against the limit.
  private(set) var ratio: Float = 0
  /// True while it turns as fast as a hand turns it.
  private(set) var isTurning = false

  /// Time over which bias and angle are forgotten, s: warmth counts by its square, a slow turn by itself.
  static var memory: Float { 75 }
  /// Time over which the bias is learnt while it shakes or sways, s: a curve is shorter.
  static var restlessMemory: Float { 300 }
  /// Seconds that what was learnt by then counts for afterwards.
  static var relearning: Float { 10 }
  /// Seconds after it was switched on in which a turn shows that it began in one.
  static var newness: Float { 5 }
  /// A longer silence is a sleep.
  static var longestNap: Interval { .seconds(60) }
  /// Time that a curve may last before it shakes, s.
  static var curveMemory: Float { 8 }
  /// Time over which the drift of the bias is learnt, s.
  static var driftMemory: Float { 100 }
  /// Fastest change that teaches a drift, rad/s: what turns faster is turned.
  static var largestDriftChange: Float { 0.0026 }
  /// Rate of a hand, rad/s: a railway's curve is slower, and does not count while it shakes.
  static var restlessRate: Float { 0.03 }
  /// Shaking of something under way, m/s² per axis, and twice the noise.
  static var restlessShaking: Float { 0.08 }
  /// Sway of something under way, rad/s: about an axis that is level.
  static var restlessSway: Float { 0.012 }
  /// Most that a second of turn counts for, s.
  static var fastest: Float { 4 }
  /// Fastest change that is taken for the bias, rad/s.
  static var largestBiasChange: Float { 0.02 }

  /// What was turned by so far does not count any more.
  mutating func rebase() {
    angle = .zero
    curve = .zero
    holding = Holding()
  }

  /// A gap: nobody has seen what it turned by. In a long one, the sleep of a sensor, the bias has drifted, and is learnt anew before what is
  /// wrong with it could be taken for a turn.
  mutating func interrupt(for silence: Interval) {
    rebase()
    guard silence > TurnDetector.longestNap else { return }
    seconds = min(seconds, TurnDetector.newness)
    drift = .zero
  }

  /// It was turned when it was switched on: what it began with is no bias, and one so wrong would not be unlearnt in an hour.
  private mutating func beginAnew(_ window: InertialWindow) {
    bias = window.rate
    (drift, before) = (.zero, .zero)
    seconds = window.seconds
    hasStood = false
    rebase()
    ratio = 0
    isTurning = true
  }

  mutating func judge(_ window: InertialWindow, _ parameters: MotionParameters, into judgement: inout Judgement) {
    // What stands still to the last digit is one reading again and again: its noise would be summed as a turn.
    guard window.hasTurningRate, !window.isUnchanged else { return }
    guard seconds > 0 else {
      bias = window.rate
      seconds = window.seconds
      return
    }
    let step = window.isTurnMomentary || window.mayRateBeAtEnd ? before : window.rate - bias
    let length = step.length
    let isRestless = noteUnrest(step, window)
    if !isRestless, seconds < TurnDetector.newness, length >= TurnDetector.restlessRate { return beginAnew(window) }
    // A curve is not learnt; once it stands again what it has learnt of curves is soon forgotten.
    if !isRestless, wasRestless { seconds = min(seconds, TurnDetector.relearning) }
    wasRestless = isRestless
    if !isRestless, window.up != nil { hasStood = true }
    learn(step, length, isRestless: isRestless, window)
    if window.passedSeconds > 0 { bridge(step, isRestless: isRestless, window) }
    before = step
    let counted = TurnDetector.withoutCurve(step, window)
    angle = angle * (1 - window.seconds / TurnDetector.memory) + (isRestless ? counted : step) * window.seconds
    if isRestless {
      // What sets off curves before it shakes.
      angle -= curve
      curve = .zero
    } else {
      let kept = max(0, 1 - window.seconds / TurnDetector.curveMemory)
      curve = curve * kept + (step - counted) * window.seconds
    }
    var turned = angle.length
    if let up = window.up {
      let about = angle.dot(up)
      turned = about < 0 ? -about : about
    }
    ratio = turned / parameters.headingLimit
    // One bad reading stays in the sum; what turns goes on to.
    isTurning = length >= TurnDetector.restlessRate
    judgement.hold(
      .heading, ratio: ratio, &holding, window, for: parameters.orientationConfirmation,
      fastest: isTurning ? TurnDetector.fastest : 1)
  }

  /// Bias and drift follow what the gyroscope shows.
  private mutating func learn(_ step: Vector3, _ length: Float, isRestless: Bool, _ window: InertialWindow) {
    if isRestless, !hasStood {
      // It began under way: any single curve may be far from the bias, and nothing is known yet that could drift.
      seconds = min(seconds + window.seconds, TurnDetector.restlessMemory)
      bias += step * (window.seconds / seconds)
      return
    }
    seconds = min(seconds + window.seconds, TurnDetector.memory)
    let memory = isRestless ? TurnDetector.restlessMemory : TurnDetector.memory
    // Not faster while the bias is new: what was wrong with it is no drift.
    drift +=
      TurnDetector.held(step, length, TurnDetector.largestDriftChange)
      * (window.seconds / memory / TurnDetector.driftMemory)
    let share = window.seconds / (isRestless ? memory : seconds)
    bias += TurnDetector.held(step, length, TurnDetector.largestBiasChange) * share + drift * window.seconds
  }

  /// Turns over a tone: about the vertical by what the rates on both sides of it agree on, or by what the gyroscope told in it when no buzzer
  /// makes it; about other axes as the attitude has, for which the specific force has to bear witness.
  private mutating func bridge(_ step: Vector3, isRestless: Bool, _ window: InertialWindow) {
    let seconds = window.passedSeconds
    let told = window.passedTurn * (1 / seconds)
    var between = told
    let least = max(OwnSound.leastTurning, window.passedMissed / seconds)
    if told.squaredLength < least * least {
      let agreed = before.agreed(with: step)
      between = window.up.map { told + $0 * (agreed - told).dot($0) } ?? agreed
    }
    let counted = isRestless ? TurnDetector.withoutCurve(between, window) : between
    angle = angle * (1 - seconds / TurnDetector.memory) + counted * seconds
  }

  /// Whether it is under way, or in wind: it has shaken or swayed of late.
  private mutating func noteUnrest(_ step: Vector3, _ window: InertialWindow) -> Bool {
    guard let up = window.up else { return false }
    let sway = (step - up * step.dot(up)).length
    let noise = window.turningNoise / Float(Int(window.samples)).squareRoot()
    if window.shaking >= max(TurnDetector.restlessShaking, 2 * window.vibrationNoise)
      || sway >= max(TurnDetector.restlessSway, 4 * noise)
    {
      lastShaken = window.end
    }
    return lastShaken.map { window.end - $0 < .seconds(10) } ?? false
  }

  /// The rate less what a curve may be. A sway is about other axes, and does not carry a curve beyond the limit.
  private static func withoutCurve(_ step: Vector3, _ window: InertialWindow) -> Vector3 {
    guard let up = window.up else { return step }
    return step - up * min(max(step.dot(up), -restlessRate), restlessRate)
  }

  /// A vector of that length, made not longer than `most`.
  private static func held(_ vector: Vector3, _ length: Float, _ most: Float) -> Vector3 {
    length > most ? vector * (most / length) : vector
  }
}
