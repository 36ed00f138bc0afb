import Quantities

/// Watches the vehicle by the inertial sensor: one detector for each thing that is done to it, each with its own evidence.
///
/// It listens all the time, parked or not, so that the moment of parking finds it knowing gyroscope, gravity and vertical.
struct TamperDetector: BitwiseCopyable {
  private var handling = HandlingDetector()
  private var turn = TurnDetector()
  private var tilting = TiltDetector()
  private var vertical = VerticalDetector()
  private var shift = ShiftDetector()
  private var transport = TransportDetector()
  private var previousEnd: Instant?

  /// Change of the vertical since it was left, rad, as last seen.
  var tilt: Float? { tilting.tilt }
  /// The vertical in the body when it was left; nil while unknown.
  var parkedUp: Vector3? { tilting.reference }

  /// True while it is turned or shaken as by a hand.
  var isHandled: Bool { handling.level >= HandlingDetector.floor }

  /// True while it turns as fast as a hand turns it.
  var isTurning: Bool { turn.isTurning }

  /// What each detector measured last, 1 and more being movement; nil for those of another sensor.
  func ratio(of detector: MovementDetector, _ parameters: MotionParameters) -> Float? {
    switch detector {
    case .handling: return handling.level
    case .tilt: return tilting.tilt.map { $0 / parameters.tiltLimit }
    case .heading: return turn.ratio
    case .lift: return vertical.lifted
    case .carry: return vertical.carried
    case .shift: return shift.ratio
    case .touch, .speed, .displacement, .brake, .kickStand, .lock, .tamper, .fence: return nil
    }
  }

  var noiseLimit: HandlingDetector.NoiseLimit? {
    get { handling.noiseLimit }
    set { handling.noiseLimit = newValue }
  }

  /// How it stands now is how it was left, and each movement from here on is a new one.
  mutating func rebase() {
    turn.rebase()
    tilting.rebase()
    vertical.interrupt()
    shift.interrupt()
    handling.interrupt()
  }

  /// The sensor is not what it was, or silent: how it stands once it can be believed is how it was left.
  mutating func forget() {
    turn = TurnDetector()
    tilting.restore(nil)
    vertical.interrupt()
    shift.interrupt()
    transport.interrupt()
    handling.interrupt()
  }

  /// Goes on with what an earlier life knew.
  mutating func restore(noiseLimit: HandlingDetector.NoiseLimit?, up: Vector3?) {
    handling.noiseLimit = noiseLimit
    tilting.restore(up)
  }

  /// Takes over what an earlier life knew and this one does not: the vertical.
  mutating func keepEarlierLife(up: Vector3?) {
    if tilting.reference == nil { tilting.restore(up) }
  }

  /// Judges one window of the inertial sensor.
  mutating func judge(_ window: InertialWindow, _ parameters: MotionParameters) -> Judgement {
    if let previousEnd, previousEnd != window.begin {
      handling.interrupt()
      vertical.interrupt()
      shift.interrupt()
      transport.interrupt()
      tilting.interrupt()
      turn.interrupt(for: window.begin - previousEnd)
    }
    previousEnd = window.end
    var judgement = Judgement()
    if window.isInTrouble {
      forget()
      return judgement
    }
    turn.judge(window, parameters, into: &judgement)
    tilting.judge(window, rate: turn.before, turned: turn.angle, parameters, into: &judgement)
    vertical.judge(window, isLevelKnown: tilting.isKnown, parameters, into: &judgement)
    shift.judge(window, isLevelKnown: tilting.isKnown, parameters, into: &judgement)
    let moved = min(max(vertical.lifted, vertical.carried, (tilting.tilt ?? 0) / parameters.tiltLimit), 1)
    handling.judge(window, moved: moved, parameters, into: &judgement)
    transport.judge(window, rate: turn.before, swing: vertical.carried, into: &judgement)
    return judgement
  }
}
