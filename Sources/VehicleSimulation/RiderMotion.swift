import Quantities

/// What the rider adds: the bicycle rocks with the pedals while riding and sways a little at a traffic stop.
struct RiderMotion: Sendable {
  /// Lean amplitude of pedalling at full effort, rad: about 0.13 rad/s rms of roll at 1.2 Hz, as recorded.
  static let pedallingLean: Float = 0.025
  /// Amplitude of forward acceleration of the two pedal strokes per turn, m/s²; our choice.
  static let strokeAcceleration: Float = 0.4
  /// Standard deviation of the lean at a stop, rad; our choice.
  static let stopLean: Float = 0.006
  /// After this long at a stop the rider has got off and the bicycle is left alone, s; our choice.
  static let longestStop = 30.0

  private var effort: Float = 0
  private var phase: Float = 0
  private var sway: ColouredNoise
  private var swayLevel: Float = 0
  private var stoppedSeconds = RiderMotion.longestStop
  private let period: Float
  private var random: SeededRandom

  init(seed: UInt64, hertz: Int) {
    sway = ColouredNoise(frequency: 0.4, damping: 0.4, hertz: hertz)
    period = 1 / Float(hertz)
    random = SeededRandom(seed: seed, stream: 3)
  }

  /// Turns of the pedals per second at a speed (m/s): 0.8 to 1.8.
  static func cadence(speed: Float) -> Float { min(max(0.6 + 0.09 * speed, 0.8), 1.8) }

  /// The rider's part of lean (rad, positive to the right) and of forward acceleration (m/s²) at the next sample.
  ///
  /// - Parameters:
  ///   - speed: m/s.
  ///   - slope: Of the road, rad; nobody pedals down a steep one.
  ///   - acceleration: Forward, m/s²; nobody pedals while braking.
  mutating func next(speed: Double, slope: Double, acceleration: Double) -> (lean: Float, forward: Float) {
    let isRiding = speed >= 0.3
    let isPedalling = speed > 1 && speed < 14 && slope > -0.03 && acceleration > -0.6
    effort += ((isPedalling ? 1 : 0) - effort) * period * 2
    stoppedSeconds = isRiding ? 0 : stoppedSeconds + Double(period)
    let swayTarget: Float = !isRiding && stoppedSeconds < RiderMotion.longestStop ? 1 : 0
    swayLevel += (swayTarget - swayLevel) * period
    var lean: Float = 0
    var forward: Float = 0
    if effort > 0.001 {
      phase += 2 * .pi * RiderMotion.cadence(speed: Float(speed)) * period
      if phase > 2 * .pi { phase -= 2 * .pi }
      let turn = Elementary.sincos(phase)
      lean = effort * RiderMotion.pedallingLean * turn.sin
      // sin 2φ = 2 sin φ cos φ: two strokes a turn.
      forward = effort * RiderMotion.strokeAcceleration * 2 * turn.sin * turn.cos
    }
    if swayLevel > 0.0005 {
      lean += swayLevel * RiderMotion.stopLean * sway.next(Float(random.gaussian()))
    }
    return (lean, forward)
  }
}
