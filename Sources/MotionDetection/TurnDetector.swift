import Quantities

/// Recognises a turn by the gyroscope alone, however slowly it comes, in spite of a bias that drifts.
///
/// The mean rate of the last minutes is the bias, and what is left is summed and forgotten over the same time. Warmth that
/// changes the bias by 0.001 °/s each second stays below eight degrees; a turn of 60° in three minutes shows as eleven.
///
/// - Source: our derivation; two high-passes of the first order in a row turn a step s of the rate into an angle
///   s·t·exp(−t/τ), and a ramp r into r·τ².
struct TurnDetector: BitwiseCopyable {
  /// What the gyroscope shows when it does not turn, rad/s, body frame.
  private var bias = Vector3.zero
  /// What it has turned by of late, rad, body frame.
  private(set) var angle = Vector3.zero
  /// Seconds of samples that the bias was learnt from, up to `memory`.
  private var seconds: Float = 0
  private var lastShaken: Instant?
  private var holding = Holding()
  /// Turn about the vertical as last seen, against the limit.
  private(set) var ratio: Float = 0

  /// Time over which bias and angle are forgotten, s: warmth counts by its square, a slow turn by itself.
  static var memory: Float { 90 }
  /// Rate that does not count while it shakes, rad/s: a railway's curve is slower than a hand.
  static var restlessRate: Float { 0.03 }
  /// Shaking of something under way, m/s² per axis, and twice the noise.
  static var restlessShaking: Float { 0.08 }
  /// Most that a second of turn counts for, s.
  static var fastest: Float { 4 }
  /// Fastest change that is taken for the bias, rad/s.
  static var largestBiasChange: Float { 0.02 }

  /// What was turned by so far does not count any more.
  mutating func rebase() {
    angle = .zero
    holding = Holding()
  }

  /// A gap: nobody has seen what it turned by.
  mutating func interrupt() { rebase() }

  mutating func judge(_ window: InertialWindow, _ parameters: MotionParameters, into judgement: inout Judgement) {
    // What stands still to the last digit is one reading again and again: its noise would be summed as a turn.
    guard window.hasTurningRate, !window.isUnchanged else { return }
    if window.shaking >= max(TurnDetector.restlessShaking, 2 * window.vibrationNoise) { lastShaken = window.end }
    guard seconds > 0 else {
      bias = window.rate
      seconds = window.seconds
      return
    }
    let step = window.rate - bias
    let length = step.length
    seconds = min(seconds + window.seconds, TurnDetector.memory)
    let held = length > TurnDetector.largestBiasChange ? TurnDetector.largestBiasChange / length : 1
    bias += step * (held * window.seconds / seconds)
    let isQuiet = lastShaken.map { window.end - $0 >= .seconds(10) } ?? true
    let counted = isQuiet ? window.seconds : window.seconds * max(0, 1 - TurnDetector.restlessRate / max(length, 1e-6))
    angle = angle * (1 - window.seconds / TurnDetector.memory) + step * counted
    var turned = angle.length
    if let up = window.up {
      let about = angle.dot(up)
      turned = about < 0 ? -about : about
    }
    ratio = turned / parameters.headingLimit
    // One bad reading stays in the sum; what turns goes on to.
    let isTurning = length >= TurnDetector.restlessRate
    judgement.hold(
      .heading, ratio: ratio, &holding, window, for: parameters.orientationConfirmation,
      fastest: isTurning ? TurnDetector.fastest : 1)
  }
}
