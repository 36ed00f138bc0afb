import Quantities

/// Recognises work at the vehicle: shaking and turning whose strength, summed over time, wind, lorries and knocks do not reach.
///
/// What sways is not counted as shaking: only what is faster than a tenth of a second is. Strength counts by its third power, so
/// that a grinder is told at once and a faint rattle never is; a knock is over before it has counted for long.
struct HandlingDetector: BitwiseCopyable {
  private var score: Float = 0
  private var onset: Instant?
  private var peak: Float = 0
  /// Strength of the last window, against the limits.
  private(set) var level: Float = 0

  /// Strength below which nothing is counted, against the limits: traffic and sway.
  static var floor: Float { 0.65 }
  /// Most that a second of shaking counts for, s.
  static var fastest: Float { 1.25 }
  /// The same when turning alone reaches its limit, or it is nearly lifted, carried or tilted by then: no wind, lorry or knock does that.
  static var fastestTurning: Float { 2.5 }
  /// Share of a lift, step or tilt, against its limit and squared, that adds to the strength; and from where on it is counted faster.
  static var movedWeight: Float { 0.2 }
  static var movedEnough: Float { 0.7 }
  /// Samples of a half window up to which a tenth of a second holds three or four of them, and how many times the shaking those may show:
  /// what alternates with them scatters about their mean by √(4/3) of it.
  static var some: Int32 { 9 }
  static var excessOfSome: Float { 1.154_700_5 }

  /// How many times the shaking the samples of a window may show.
  static func excess(of window: InertialWindow) -> Float { window.samples <= some ? excessOfSome : 1 }

  /// Noise of the sensors as an earlier life learnt it at rest.
  struct NoiseLimit: BitwiseCopyable {
    /// rad/s per axis.
    var turning: Float
    /// m/s² per axis.
    var vibration: Float
  }

  /// Until the sensors have been at rest in this life: what they show from the start may be movement, and is not their noise.
  var noiseLimit: NoiseLimit?

  /// A gap: what was seen before it does not count.
  mutating func interrupt() { score = 0 }

  /// - Parameter moved: How near it is to being lifted, carried or tilted, 1 at most.
  mutating func judge(
    _ window: InertialWindow, moved: Float, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    // Twice what it was: a sensor is a little louder when it is warm.
    let turningNoise = min(window.turningNoise, noiseLimit.map { 2 * $0.turning } ?? .infinity)
    let vibrationNoise = min(window.vibrationNoise, noiseLimit.map { 2 * $0.vibration } ?? .infinity)
    let turning = window.turningRate / max(parameters.handlingRate, 4 * turningNoise)
    let excess = HandlingDetector.excess(of: window)
    let shaking = window.shaking / max(parameters.handlingVibration * excess, 4 * vibrationNoise)
    let left = HandlingDetector.movedWeight * moved * moved
    let before = level
    level = (turning * turning + shaking * shaking + left).squareRoot()
    if level < HandlingDetector.floor, window.isAtRest { noiseLimit = nil }
    if level >= HandlingDetector.floor {
      judgement.isMoving = true
      if score == 0 {
        onset = window.start
        peak = 0
      }
      peak = max(peak, level)
      let isClear = turning >= 1 || moved >= HandlingDetector.movedEnough
      let most = isClear ? HandlingDetector.fastestTurning : HandlingDetector.fastest
      score += min(level * level * level, most) * window.seconds
      // What works on both sides of a tone worked in it.
      let agreed = before.agreed(with: level)
      if agreed >= HandlingDetector.floor { score += min(agreed * agreed * agreed, most) * window.passedSeconds }
    } else {
      score = max(0, score - window.seconds - window.passedSeconds)
    }
    let needed = parameters.handlingConfirmation.seconds
    // Without a confirmation the first counted window is enough, and stillness never is.
    guard score >= needed, score > 0 else { return }
    judgement.confirm(.handling, ratio: max(1, peak), onset: onset ?? window.start)
    // What goes on is not forgotten later than what has just begun.
    score = needed
  }
}
