import Quantities

/// Recognises that the vehicle is shifted level: slid, rolled or carried from where it stood to another place, and set down.
///
/// From one moment of rest to the next the horizontal acceleration is summed twice. What the accelerometer showed at rest, turned as
/// the gyroscope says, is gravity; the rest is acceleration. At the end the vehicle stands, so what is left of the velocity is an
/// error, which has grown evenly: half of it over all the time is taken off the way. Wind and lorries move a vehicle about its place
/// and leave it there. A train takes longer from one rest to the next, and a van goes faster.
///
/// - Source: our derivation. The way of a constant error b of the acceleration is b T²/2, and b T of velocity is left, so that the
///   difference is 0; an error that begins at any moment between leaves b T²/8 at most, one that grows evenly T³/12 of its growth.
struct ShiftDetector: BitwiseCopyable {
  /// The force at rest, m/s², body frame, turned along while it moves.
  private var gravity = Vector3.zero
  /// Seconds of rest that it was learnt from, up to `memory`.
  private var known: Float = 0
  /// Horizontal velocity and way since it began to move, m/s and m, body frame.
  private var velocity = Vector3.zero
  private var way = Vector3.zero
  /// How long it has moved, s; 0 at rest. Of that, how long it has been calm by now.
  private var moving: Float = 0
  private var calm: Float = 0
  private var onset = Instant.zero
  /// By how much it has turned in each axis, to and fro, rad, and in all: wind sways, and each sway is missed a little.
  private var turn = Vector3.zero
  private var turned: Float = 0
  /// Sum of the variances of the accelerations, (m/s²)².
  private var variance: Float = 0
  /// It has gone too far, or moved for too long: nothing is known before the next rest.
  private var isLost = false
  /// Mean square of the ways of the last minutes, m²: what goes to and fro all the time, as a hum near the sensor's rate seems to, is
  /// not shifted.
  private var unrest: Float = 0
  /// Way of the last movement from rest to rest, against its limit.
  private(set) var ratio: Float = 0

  /// Time over which the force at rest is averaged, s, and the least of it that is enough.
  static var memory: Float { 4 }
  static var leastKnown: Float { 1 }
  /// Longest movement that is summed, s: an accelerometer that turns unseen by 0.01 °/s is wrong by 0.4 m then.
  static var longest: Float { 14 }
  /// Fastest that somebody moves it by hand, m/s.
  static var fastest: Float { 3 }
  /// How long it must be calm for the movement to be over, s.
  static var dwell: Float { 0.4 }
  /// What a gyroscope that was compared at rest may be wrong by, rad/s, and the share of a turn that it may miss.
  static var drift: Float { 1.5e-4 }
  static var missedShare: Float { 0.03 }
  /// What the accelerometer may be wrong by otherwise, m/s².
  static var offset: Float { 0.02 }
  /// Change of the force that begins a movement, m/s², and in deviations of its mean.
  static var leastDeparture: Float { 0.06 }
  static var departureDeviations: Float { 4 }
  /// Time over which the unrest is learnt, s, the most limits that a way teaches, and the limits from which on the root of it is unrest:
  /// half a minute of five, so that a thief teaches it little.
  static var unrestMemory: Float { 300 }
  static var mostFelt: Float { 2 }
  static var restless: Float { 0.6 }
  /// How many deviations of what is random count.
  static var deviations: Float { 4 }

  /// A gap, or a new beginning.
  mutating func interrupt() {
    let before = self
    self = ShiftDetector()
    (unrest, onset) = (before.unrest, before.onset)
  }

  /// - Parameters:
  ///   - isLevelKnown: Whether the attitude can be believed.
  mutating func judge(
    _ window: InertialWindow, isLevelKnown: Bool, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    // One part of the sensor alone can't tell a tilt from an acceleration.
    guard window.hasForce, window.hasTurningRate, isLevelKnown, !window.isUnchanged, window.passedSeconds == 0 else {
      interrupt()
      return
    }
    if moving == 0 {
      guard window.activity >= 1 || departs(window, from: gravity) else { return learn(window) }
      guard known >= ShiftDetector.leastKnown else { return }
      begin(at: window.start)
    }
    let isSteady = move(window)
    if isLost || moving > ShiftDetector.longest || velocity.length > ShiftDetector.fastest {
      if !isLost { note(.infinity, parameters) }
      isLost = true
      if window.isAtRest { interrupt() }
      return
    }
    calm = isSteady && window.activity < 1 ? calm + window.seconds : 0
    guard calm >= ShiftDetector.dwell - 0.01, velocity.length <= velocityError else { return }
    let shift = (way - velocity * (moving / 2)).length
    ratio = shift / max(parameters.shiftLimit, wayError)
    let least = ShiftDetector.restless * parameters.shiftLimit
    let isRestless = unrest >= least * least
    note(shift, parameters)
    moving = 0
    // The way goes on from here, and what the gyroscope has missed is learnt soon.
    known = ShiftDetector.leastKnown
    guard ratio >= 1, !isRestless else { return }
    judgement.isMoving = true
    judgement.confirm(.shift, ratio: ratio, onset: onset)
  }

  /// What begins smoothly is no activity, and would be learnt.
  private func departs(_ window: InertialWindow, from gravity: Vector3) -> Bool {
    guard known >= ShiftDetector.leastKnown else { return false }
    return (window.force - gravity).length >= departure(window)
  }

  private func departure(_ window: InertialWindow) -> Float {
    max(ShiftDetector.leastDeparture, ShiftDetector.departureDeviations * window.forceDeviation)
  }

  private mutating func learn(_ window: InertialWindow) {
    known = min(known + window.seconds, ShiftDetector.memory)
    gravity += (window.force - gravity) * min(1, window.seconds / known)
  }

  private mutating func begin(at time: Instant) {
    unrest *= max(0, 1 - (time - onset).seconds / ShiftDetector.unrestMemory)
    onset = time
    (velocity, way, turn) = (.zero, .zero, .zero)
    (moving, calm, turned, variance) = (0, 0, 0, 0)
  }

  private mutating func note(_ shift: Float, _ parameters: MotionParameters) {
    let felt = min(shift, ShiftDetector.mostFelt * parameters.shiftLimit)
    unrest += felt * felt * (moving / ShiftDetector.unrestMemory)
  }

  /// - Returns: True when nothing accelerates it.
  private mutating func move(_ window: InertialWindow) -> Bool {
    let seconds = window.seconds
    moving += seconds
    // Seen from the body, what stands still in the world turns the other way.
    let back = window.turn * -seconds
    gravity += back.cross(gravity)
    velocity += back.cross(velocity)
    way += back.cross(way)
    turn += Vector3(window.turn.x.magnitude, window.turn.y.magnitude, window.turn.z.magnitude) * seconds
    turned = max(turned, turn.length)
    guard let up = gravity.normalized else { return false }
    let excess = window.force - gravity
    let level = excess - up * excess.dot(up)
    way += velocity * seconds + level * (0.5 * seconds * seconds)
    velocity += level * seconds
    // What shakes at random has a mean, too.
    let chance = window.shaking / Float(Int(window.samples)).squareRoot()
    let deviation = max(window.forceDeviation, chance)
    variance += deviation * deviation * seconds * seconds
    return level.length < departure(window) + steadyError - ShiftDetector.offset
  }

  /// Largest acceleration that is an error, m/s².
  private var steadyError: Float { ShiftDetector.offset + ShiftDetector.missedShare * turned * gravity.length }

  /// Largest velocity that is left at rest, m/s.
  private var velocityError: Float {
    steadyError * moving + gravity.length * ShiftDetector.drift * moving * moving / 2
      + ShiftDetector.deviations * variance.squareRoot()
  }

  /// Way that errors can make, m: twice what the steady ones leave.
  private var wayError: Float {
    steadyError * moving * moving / 4 + gravity.length * ShiftDetector.drift * moving * moving * moving / 6
      + ShiftDetector.deviations * variance.squareRoot() * moving / 3.46
  }
}
