import Quantities

/// Recognises that the vehicle is lifted or carried, by the vertical specific force.
///
/// A lift is a vertical velocity that holds; steps are a vertical swing. Wind sways and lorries shake a parked vehicle about its
/// place: neither gives it a velocity.
struct VerticalDetector: BitwiseCopyable {
  /// Vertical specific force when nothing moves, m/s²: an accelerometer is wrong by some per cent.
  private var gravity: Float = 0
  /// Seconds that was learnt from, up to `gravityMemory`: one window of a loud sensor alone would be a lift for the next ten.
  private var known: Float = 0
  /// Vertical velocity of the last seconds, m/s.
  private var velocity: Float = 0
  /// Mean square of the vertical acceleration against its limit, of what a step makes at most: against the limit of its own window, as
  /// one that is raised by a knock would let the knock count for more than a step in the next.
  private var swing: Float = 0
  /// The last two accelerations, m/s², and the mean square of what was random in them, (m/s²)²: jolts, of which a velocity is the
  /// random sum. It is what the middle one of three differs from the line between the others: a lift goes on as it began.
  private var before: Float = 0
  private var earlier: Float = 0
  private var jolts: Float = 0
  /// Seconds of tones of late that the velocity went on over, from one silence to the next.
  private var bridged: Float = 0
  /// Mean square of the velocity over minutes, (m/s)²: what goes up and down all the time is not lifted.
  private var unrest: Float = 0
  private var liftHeld = Holding()
  private var carryHeld = Holding()
  /// Velocity and swing as last seen, against their limits.
  private(set) var lifted: Float = 0
  private(set) var carried: Float = 0

  /// Time over which a velocity is forgotten, s.
  static var velocityMemory: Float { 3 }
  /// Time over which gravity is learnt, s.
  static var gravityMemory: Float { 20 }
  /// Time over which the swing is averaged, s.
  static var swingMemory: Float { 1 }
  /// Time over which the unrest is learnt, s, and how many times it a lift must be; a thief teaches it little.
  static var unrestMemory: Float { 300 }
  static var unrestFactor: Float { 3 }
  /// How many times its limit a lift must be by that at most, and when the root of the unrest is as many times the limit itself: half of the
  /// last minutes, as beside a machine that hums near the sensor's rate, and no thief's work.
  static var mostUnrest: Float { 4 }
  static var mostRestless: Float { 9 }
  static var restless: Float { 1.1 }
  /// Time over which jolts are averaged, s.
  static var joltMemory: Float { 1.5 }
  /// How many deviations of a sum of jolts a lift must be.
  static var joltFactor: Float { 3.5 }
  /// Largest acceleration that teaches gravity, m/s².
  static var faint: Float { 0.5 }
  /// Largest acceleration that counts as a step, against the limit: a knock is larger, and short.
  static var clip: Float { 1.5 }
  /// Largest acceleration that goes on over a tone though only one side of it shows it, m/s²: a knock is larger.
  static var gentle: Float { 0.2 }
  /// Seconds of tones that are forgotten in a second without any.
  static var bridgeFading: Float { 0.3 }
  /// How many deviations of the mean of what shakes at random a step must be.
  static var shakingFactor: Float { 3 }
  /// Most that a second of either counts for, s.
  static var fastest: Float { 2 }
  /// How long each must hold.
  static var liftConfirmation: Interval { .milliseconds(800) }
  static var carryConfirmation: Interval { .milliseconds(600) }

  /// A gap, or a new beginning: what was seen before it does not count.
  mutating func interrupt() {
    velocity = 0
    swing = 0
    (before, earlier, jolts) = (0, 0, 0)
    liftHeld = Holding()
    carryHeld = Holding()
    known = 0
  }

  /// - Parameters:
  ///   - isLevelKnown: Whether the attitude can be believed.
  mutating func judge(
    _ window: InertialWindow, isLevelKnown: Bool, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    // What stands still to the last digit is one reading again and again: its noise would be summed as a lift.
    guard window.hasForce, !window.isUnchanged else { return }
    let length = window.forceLength
    let seconds = window.seconds
    guard known > 0 else {
      known = seconds
      gravity = length
      return
    }
    known = min(known + seconds, VerticalDetector.gravityMemory)
    // The whole force and the part of it along the vertical both change by a lift. The whole changes by what is level, too, and
    // the part by an attitude that is wrong: the smaller change is the lift.
    var acceleration = length - gravity
    // Without gyroscope the attitude is made of the accelerations themselves.
    let hasAttitude = window.hasTurningRate && isLevelKnown
    if hasAttitude, let attitude = window.levelFromBody {
      let upward = attitude.rotate(window.force).z - gravity
      if upward * acceleration <= 0 {
        acceleration = 0
      } else if upward * upward < acceleration * acceleration {
        acceleration = upward
      }
    }
    if window.passedSeconds > 0 { bridge(acceleration, window, parameters) }
    let faint = min(max(acceleration, -VerticalDetector.faint), VerticalDetector.faint)
    gravity += faint * min(1, seconds / known)
    velocity = (velocity + acceleration * seconds) * max(0, 1 - seconds / VerticalDetector.velocityMemory)
    let bend = before - 0.5 * (earlier + acceleration)
    (earlier, before) = (before, acceleration)
    jolts += (bend * bend / 1.5 - jolts) * min(1, seconds / VerticalDetector.joltMemory)
    let sum = (seconds * VerticalDetector.velocityMemory / 2).squareRoot()
    var wander = max(8 * window.forceDeviation, VerticalDetector.joltFactor * jolts.squareRoot()) * sum
    if bridged > 0 {
      // Each window beside a tone counts for half of the tone, too, and so do its jolts.
      let longer = ((seconds + bridged / 2) * VerticalDetector.velocityMemory / 2).squareRoot()
      wander = max(wander, VerticalDetector.joltFactor * jolts.squareRoot() * longer)
      bridged = max(0, bridged - seconds * VerticalDetector.bridgeFading)
    }
    let speed = velocity < 0 ? -velocity : velocity
    let least = max(parameters.liftSpeed * (hasAttitude ? 1 : 1.2), wander)
    let usual = unrest.squareRoot()
    let isRestless = usual >= VerticalDetector.restless * least
    let liftLimit =
      isRestless
      ? VerticalDetector.mostRestless * least
      : max(least, min(VerticalDetector.unrestFactor * usual, VerticalDetector.mostUnrest * least))
    let felt = min(speed, 2 * least)
    unrest += (felt * felt - unrest) * min(1, seconds / VerticalDetector.unrestMemory)
    // What shakes at random has a mean, too.
    let chance = VerticalDetector.shakingFactor * window.shaking / Float(Int(window.samples)).squareRoot()
    let limit = max(parameters.carryForce, 6 * window.forceDeviation, chance)
    let ratio = min(acceleration.magnitude / limit, VerticalDetector.clip)
    swing += (ratio * ratio - swing) * min(1, seconds / VerticalDetector.swingMemory)
    lifted = speed / liftLimit
    carried = swing.squareRoot()
    if lifted >= 1 || carried >= 1 { judgement.isMoving = true }
    judgement.hold(
      .lift, ratio: lifted, &liftHeld, window, for: VerticalDetector.liftConfirmation, fastest: VerticalDetector.fastest
    )
    judgement.hold(
      .carry, ratio: carried, &carryHeld, window, for: VerticalDetector.carryConfirmation,
      fastest: VerticalDetector.fastest)
  }

  /// Goes over a tone: a lift by what the accelerations on both sides of it have in the mean, as far as they are gentle, or agree on; a swing
  /// grows by what both have.
  private mutating func bridge(_ acceleration: Float, _ window: InertialWindow, _ parameters: MotionParameters) {
    let seconds = window.passedSeconds
    func held(_ value: Float, _ most: Float) -> Float { min(max(value, -most), most) }
    bridged = seconds
    // What shakes in step with the beat has the same mean in each silence, and no jolts.
    jolts = max(jolts, window.shaking * window.shaking / Float(Int(window.samples)))
    let gentle = 0.5 * (held(before, VerticalDetector.gentle) + held(acceleration, VerticalDetector.gentle))
    let agreed = before.agreed(with: acceleration)
    let mean = agreed.magnitude > gentle.magnitude ? agreed : gentle
    // What velocity is summed from teaches gravity for as long.
    known = min(known + seconds, VerticalDetector.gravityMemory)
    gravity += held(mean, VerticalDetector.faint) * min(1, seconds / known)
    velocity += mean * seconds
    velocity -= velocity * min(1, seconds / VerticalDetector.velocityMemory)
    let (most, limit) = (VerticalDetector.clip, parameters.carryForce)
    let both = min(before.magnitude / limit, most) * min(acceleration.magnitude / limit, most)
    swing += max(0, both - swing) * min(1, seconds / VerticalDetector.swingMemory)
  }
}
