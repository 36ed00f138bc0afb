import Quantities

/// Recognises that the vehicle is under way, by how it shakes and turns together; no fix is needed.
///
/// A road shakes what rolls on it, and what is ridden, driven or carried turns to and fro, slowly and by more than a vehicle in its place.
/// A grinder or a lorry shakes and hardly turns; wind and a hand that leans it turn it and hardly shake it.
///
/// - Source: our derivation. Of recorded rides of bicycles the turning is 0.05 to 0.6 rad/s for each m/s² of the shaking, of a lock that is
/// ground 0.04, of a bicycle leant to and fro by hand 1.3 and more.
struct TransportDetector: BitwiseCopyable {
  /// Mean square of turning, (rad/s)², and of shaking against that of work at it, of late.
  private var turning: Float = 0
  private var shaking: Float = 0
  /// Mean rate about the vertical of late, rad/s.
  private var curve: Float = 0

  /// Time over which turning and shaking are averaged, s, and a curve: longer than a sway.
  static var memory: Float { 2 }
  static var curveMemory: Float { 5 }
  /// Least turning of what rolls, is ridden or carried, rad/s.
  static var leastTurning: Float { 0.08 }
  /// Least and most turning for each m/s² of shaking, rad/s.
  static var turningShare: Float { 0.05 }
  static var leaningShare: Float { 1 }
  /// Least shaking by a road, m/s² per axis; and in a curve.
  static var leastShaking: Float { 0.3 }
  static var leastShakingInCurve: Float { 0.15 }
  /// Least rate of a curve, rad/s: more than a railway's, and than a gyroscope drifts by as it warms up.
  static var leastCurve: Float { 0.04 }
  /// Vertical swing of steps, against the limit of a carry, that goes on once it has been lifted.
  static var leastSwing: Float { 0.5 }

  /// A gap: what was seen before it does not count.
  mutating func interrupt() { self = TransportDetector() }

  /// - Parameters:
  ///   - rate: How fast it turns by the mean of the gyroscope's last minutes, rad/s, body frame: of use while the bias is unknown.
  ///   - swing: Vertical swing against the limit of a carry.
  mutating func judge(_ window: InertialWindow, rate: Vector3, swing: Float, into judgement: inout Judgement) {
    judgement.isSwung = swing >= TransportDetector.leastSwing && judgement.carriedSince != nil
    guard window.hasForce, window.hasTurningRate, !window.isTurnMomentary else { return }
    let turn = window.isBiasKnown ? window.turn : rate
    let seconds = window.seconds
    let share = min(1, seconds / TransportDetector.memory)
    turning += (turn.squaredLength - turning) * share
    let shake = window.shaking / HandlingDetector.excess(of: window)
    shaking += (shake * shake - shaking) * share
    if let up = window.up { curve += (turn.dot(up) - curve) * min(1, seconds / TransportDetector.curveMemory) }
    let least = TransportDetector.leastTurning * TransportDetector.leastTurning
    if swing >= TransportDetector.leastSwing, turning >= least, !isLeant { judgement.isSwung = true }
    judgement.isUnderWay = isUnderWay
    if isUnderWay { (judgement.isMoving, judgement.isSwung) = (true, true) }
  }

  /// True while it turns by more than it shakes: leant to and fro in its place.
  private var isLeant: Bool {
    turning > TransportDetector.leaningShare * TransportDetector.leaningShare * shaking
  }

  private var isUnderWay: Bool {
    func square(_ value: Float) -> Float { value * value }
    guard !isLeant else { return false }
    if curve.magnitude >= TransportDetector.leastCurve, shaking >= square(TransportDetector.leastShakingInCurve) {
      return true
    }
    return shaking >= square(TransportDetector.leastShaking) && turning >= square(TransportDetector.leastTurning)
      && turning >= square(TransportDetector.turningShare) * shaking
  }
}
