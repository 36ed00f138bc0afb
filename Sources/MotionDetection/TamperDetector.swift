import InertialFusion
import Positioning
import Quantities

/// Watches a parked vehicle: handling, tilt, heading and displacement since it was parked, each with its own evidence.
struct TamperDetector: BitwiseCopyable {
  private var reference: Reference
  private var handlingScore: Interval = .zero
  private var handlingOnset: Instant?
  private var handlingPeak: Float = 0
  private var tiltSince: Instant?
  private var headingSince: Instant?
  private var displacedSince: Instant?
  private var displacedCount: Int32 = 0
  /// Change of the vertical since parking, rad, as last seen.
  private(set) var tilt: Float?
  /// Distance from the parking place, m, as last seen.
  private(set) var displacement: Float?

  /// How and where it was parked.
  struct Reference: BitwiseCopyable {
    var levelFromBody: Quaternion?
    /// The vertical in the body, as an earlier life saw it: how it stood, but for the heading. Used until the attitude is known.
    var up: Vector3?
    /// Windows at rest whose mean that attitude is, up to `referenceWindows`.
    var windows: UInt8 = 0
    var position: GeodeticPosition?
    var accuracy: Float
    /// Last fix that agreed with the position; nil when there was none.
    var seen: Instant?
  }

  /// The vertical in the body when it was parked; nil while unknown.
  var parkedUp: Vector3? {
    if let attitude = reference.levelFromBody { return attitude.conjugate.rotate(Vector3(0, 0, 1)) }
    return reference.up
  }

  /// Where it was parked, and how well that is known, m; nil without a fix.
  var parkedPlace: (position: GeodeticPosition, accuracy: Float)? {
    guard let position = reference.position else { return nil }
    return (position, reference.accuracy)
  }

  /// Noise of the sensors as an earlier life learnt it at rest.
  struct NoiseLimit: BitwiseCopyable {
    /// rad/s per axis.
    var turning: Float
    /// m/s² per axis.
    var vibration: Float
  }

  /// Until the sensors have been at rest in this life: what they show from the start may be movement, and is not their noise.
  var noiseLimit: NoiseLimit?

  init(reference: Reference, noiseLimit: NoiseLimit? = nil) {
    self.reference = reference
    self.noiseLimit = noiseLimit
  }

  /// Takes over what an earlier life learnt and this one has not: the noise, and the vertical while the attitude is not
  /// known.
  mutating func keepEarlierLife(noiseLimit limit: NoiseLimit?, up: Vector3?) {
    noiseLimit = limit
    if reference.levelFromBody == nil { reference.up = up }
  }

  /// Judges one window of the inertial sensor.
  ///
  /// - Returns: The strongest sign that has been confirmed, or else the strongest unconfirmed one with its ratio below 1.
  mutating func judge(_ window: InertialWindow, _ parameters: MotionParameters) -> Judgement {
    var judgement = Judgement()
    judgeHandling(window, parameters, into: &judgement)
    judgeOrientation(window, parameters, into: &judgement)
    return judgement
  }

  private mutating func judgeHandling(
    _ window: InertialWindow, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    // Twice what it was: a sensor is a little louder when it is warm.
    let turningNoise = min(window.turningNoise, noiseLimit.map { 2 * $0.turning } ?? .infinity)
    let vibrationNoise = min(window.vibrationNoise, noiseLimit.map { 2 * $0.vibration } ?? .infinity)
    let level = max(
      window.turningRate / max(parameters.handlingRate, 4 * turningNoise),
      window.vibration / max(parameters.handlingVibration, 4 * vibrationNoise))
    if level < 1, window.isAtRest { noiseLimit = nil }
    if level >= 1 {
      if handlingScore == .zero {
        handlingOnset = window.start
        handlingPeak = 0
      }
      handlingPeak = max(handlingPeak, level)
      handlingScore = handlingScore + (window.end - window.start)
    } else {
      let decay = Interval(microseconds: (window.end - window.start).microseconds / 2)
      handlingScore = max(.zero, handlingScore - decay)
    }
    // Windows overlap by half: every burst shows for one half window more than it lasts.
    let confirmation = parameters.handlingConfirmation + (window.end - window.start)
    guard handlingScore >= confirmation else { return }
    handlingScore = confirmation
    judgement.confirm(.handling, ratio: handlingPeak, onset: handlingOnset ?? window.start)
  }

  private mutating func judgeOrientation(
    _ window: InertialWindow, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    guard let now = window.levelFromBody else { return }
    guard let parked = reference.levelFromBody else {
      // The sensor began after parking: what it first sees at rest is how the vehicle stands.
      guard window.isAtRest else { return }
      let nowUp = now.conjugate.rotate(Vector3(0, 0, 1))
      reference.levelFromBody = reference.up.map { now * Quaternion(from: $0, to: nowUp) } ?? now
      return
    }
    let up = Vector3(0, 0, 1)
    let parkedUp = parked.conjugate.rotate(up)
    let nowUp = now.conjugate.rotate(up)
    let angle = Elementary.atan2(parkedUp.cross(nowUp).length, parkedUp.dot(nowUp))
    tilt = angle
    tiltSince = hold(angle / parameters.tiltLimit, .tilt, since: tiltSince, window, parameters, &judgement)
    guard window.hasTurningRate else { return }
    let turn = now * parked.conjugate
    refine(parked, by: turn, window)
    let heading = 2 * Elementary.atan2(turn.z < 0 ? -turn.z : turn.z, turn.w < 0 ? -turn.w : turn.w)
    headingSince = hold(
      heading / parameters.headingLimit, .heading, since: headingSince, window, parameters, &judgement)
  }

  /// The first seconds at rest after parking make the reference a mean, which one noisy moment can't shift.
  private mutating func refine(_ parked: Quaternion, by turn: Quaternion, _ window: InertialWindow) {
    guard window.isAtRest, reference.windows < TamperDetector.referenceWindows, abs(turn.w) > 0.9999 else { return }
    reference.windows += 1
    let half = 1 / (Float(Int(reference.windows)) + 1) * (turn.w < 0 ? -1 : 1)
    let step = Quaternion(w: 1, x: turn.x * half, y: turn.y * half, z: turn.z * half)
    reference.levelFromBody = (step * parked).normalized
  }

  private static var referenceWindows: UInt8 { 50 }

  /// Since when a sign has held; nil when it does not.
  private func hold(
    _ ratio: Float, _ detector: MovementDetector, since: Instant?, _ window: InertialWindow,
    _ parameters: MotionParameters, _ judgement: inout Judgement
  ) -> Instant? {
    guard ratio >= 1 else { return nil }
    let onset = since ?? window.start
    if window.end - onset >= parameters.orientationConfirmation {
      judgement.confirm(detector, ratio: ratio, onset: onset)
    }
    return onset
  }

  /// Judges one fix: the distance from the parking place, confirmed by a second fix.
  mutating func judge(_ fix: GNSSFix, stillSince: Instant?, _ parameters: MotionParameters) -> Judgement {
    var judgement = Judgement()
    guard let (position, accuracy) = fix.evidence(parameters) else { return judgement }
    guard let parked = reference.position else {
      // Parked without a fix, indoors perhaps: the first one shows where.
      reference.position = position
      reference.accuracy = accuracy
      reference.seen = fix.time
      return judgement
    }
    let distance = Float(Geodesic.fastDistance(from: parked, to: position))
    displacement = distance
    let noise = (reference.accuracy * reference.accuracy + accuracy * accuracy).squareRoot()
    let radius = max(parameters.parkedDisplacement, 3 * noise)
    let isStill = vouches(stillSince, for: reference.seen)
    guard distance >= radius, !isStill || distance > 20 * radius else {
      if distance < radius { reference.seen = fix.time }
      displacedSince = nil
      displacedCount = 0
      if accuracy < reference.accuracy * 0.7, distance < radius {
        reference.position = position
        reference.accuracy = accuracy
      }
      return judgement
    }
    let onset = displacedSince ?? fix.time
    displacedSince = onset
    displacedCount &+= 1
    if displacedCount >= 2 {
      judgement.confirm(.displacement, ratio: distance / radius, onset: onset)
    }
    return judgement
  }
}

/// The strongest confirmed sign of a movement.
struct Judgement: BitwiseCopyable {
  var detector: MovementDetector?
  var ratio: Float = 0
  var onset: Instant = .zero

  /// Keeps the sign when it is of a higher grade, or of the same grade and clearer.
  mutating func confirm(_ detector: MovementDetector, ratio: Float, onset: Instant) {
    if let held = self.detector, held.grade > detector.grade || (held.grade == detector.grade && self.ratio >= ratio) {
      return
    }
    self.detector = detector
    self.ratio = ratio
    self.onset = onset
  }
}
