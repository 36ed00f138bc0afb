import Quantities

/// Recognises that the vehicle leans otherwise than it was left.
///
/// An accelerometer takes a train that sets off for a lean; a gyroscope does not, and has to agree. How it was left follows a
/// stand that sinks, slowly, and not for ever.
struct TiltDetector: BitwiseCopyable {
  /// The vertical in the body as the vehicle was left; nil while unknown.
  private(set) var reference: Vector3?
  /// Change of the vertical since then, rad, as last seen.
  private(set) var tilt: Float?
  /// The vertical of the last seconds.
  private var mean: Vector3?
  private var since: Instant?
  /// The same of a tilt that no gyroscope has seen.
  private var unseenSince: Instant?
  /// How far the reference has followed, rad.
  private var followed: Float = 0
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
  /// Share of a tilt that the gyroscope must have seen.
  static var seenShare: Float { 0.35 }

  /// How it stands now is how it was left.
  mutating func rebase() {
    reference = mean
    tilt = mean == nil ? nil : 0
    (since, unseenSince) = (nil, nil)
    followed = 0
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

  /// - Parameter turned: What the gyroscope has turned by of late, rad, body frame.
  mutating func judge(
    _ window: InertialWindow, turned: Vector3, _ parameters: MotionParameters, into judgement: inout Judgement
  ) {
    guard let up = window.up else {
      mean = nil
      return
    }
    if let old = mean {
      let share = min(1, window.seconds / TiltDetector.memory)
      mean = (old + (up - old) * share).normalized ?? up
    } else {
      mean = up
    }
    // The first vertical of a sensor may be anything: it is one sample, and the sample may be a blow.
    if !isKnown {
      guard window.isAtRest else { return }
      isKnown = true
      mean = up
    }
    guard let left = reference else {
      // The sensor began after parking: what it first sees at rest is how the vehicle stands.
      reference = mean
      return
    }
    let angle = Elementary.atan2(left.cross(up).length, left.dot(up))
    tilt = angle
    var ratio = angle / parameters.tiltLimit
    if !window.hasTurningRate {
      judgement.hold(.tilt, ratio: ratio, since: &unseenSince, window, for: TiltDetector.unseenConfirmation)
      ratio = ratio / 2
    } else if rolled(turned, window) < TiltDetector.seenShare * angle {
      ratio = ratio / 2
    }
    judgement.hold(.tilt, ratio: ratio, since: &since, window, for: parameters.orientationConfirmation)
    guard angle < parameters.tiltLimit, followed < TiltDetector.largestSinking, angle > 0 else { return }
    let step = min(angle, TiltDetector.sinking * window.seconds)
    followed += step
    reference = (left + (up - left) * (step / angle)).normalized ?? left
  }
}
