import Quantities

/// Tones of the own buzzer.
extension InertialEstimator {
  /// Passes over a sample that something else than the vehicle's movement is in: the own buzzer. Time passes and the turn is noted;
  /// rest, bias and vertical stay as they are. `endPassingOver` must come before the next sample that counts.
  ///
  /// - Returns: False when the sample could not be used; it is counted.
  package mutating func passOver(_ raw: InertialSample) -> Bool {
    let before = attitude.lastSampleTime
    guard let step = attitude.passOver(isCalibrated ? calibration.apply(to: raw) : raw) else { return false }
    if attitude.wasSilent(since: before) {
      begin(at: raw.time)
    }
    if passed.seconds == 0 {
      noteTone()
      watch.forgetStep()
      let short = attitude.dropRestWindow()
      let half = rest.drop()
      passed.turn = short.turn + (half.rate.map { attitude.correctedRate($0) * half.seconds } ?? .zero)
      passed.seconds = short.seconds + half.seconds
    }
    passed.turn += step.turn
    passed.seconds += step.seconds
    passed.hasRate = raw.angularRate != nil
    return true
  }

  /// After a silence all windows begin anew.
  private mutating func begin(at time: Instant) {
    (watchedSince, passed) = (time, Passed())
    rest.interrupt()
    watch.interrupt()
  }

  /// True while `endPassingOver` is due.
  package var isPassingOver: Bool { passed.seconds > 0 }

  /// Ends passing over: the sensor has turned by what the gyroscope told, when that or what came before is more than a tone makes it tell,
  /// and by what both agree on otherwise.
  ///
  /// - Returns: What it has turned by, rad, body frame, and by how much it may have turned beyond that, rad.
  package mutating func endPassingOver() -> (turn: Vector3, missed: Float) {
    let told = passed
    passed = Passed()
    let half = rest.angularRateHalf
    let wentOn = half.count > 0 ? attitude.correctedRate(half.mean) * told.seconds : .zero
    let least = max(InertialEstimator.leastTurning, 3 * tone.rate) * told.seconds
    let isTurning = max(told.turn.squaredLength, wentOn.squaredLength) >= least * least
    let turn = isTurning ? told.turn : told.turn.agreed(with: wentOn)
    attitude.turn(by: turn, in: told.seconds, hasRate: told.hasRate)
    tone.last = told.turn.length / told.seconds
    return (turn, least)
  }

  /// What was passed over.
  struct Passed: BitwiseCopyable {
    /// What the gyroscope told, rad, body frame.
    var turn = Vector3.zero
    /// How long it is, s.
    var seconds: Float = 0
    var hasRate = false
  }

  /// What a tone makes the gyroscope tell.
  struct Tone: BitwiseCopyable {
    /// Mean rate over a tone, rad/s: the largest of late.
    var rate = InertialEstimator.usualTurning
    /// That of the last tone.
    var last: Float = 0
    /// True when it was at rest before the last tone.
    var wasAtRest = false
  }

  /// A tone between two times of rest shows what tones make the gyroscope tell; or somebody has turned it there about the vertical.
  private mutating func noteTone() {
    if tone.wasAtRest, rest.isAtRest {
      let last = min(tone.last, InertialEstimator.loudestTurning)
      tone.rate = max(last, 0.75 * tone.rate + 0.25 * last)
    }
    tone.wasAtRest = rest.isAtRest
  }

  /// Least mean rate over a tone that is a turn, rad/s, whatever tones have told.
  static var leastTurning: Float { 0.02 }
  /// Mean rate that a tone makes the gyroscope tell, rad/s: before one was heard, and at most.
  static var usualTurning: Float { 0.033 }
  static var loudestTurning: Float { 0.2 }
}
