import Quantities

extension AttitudeFilter {
  /// Takes the time of a sample and its turn, and nothing else: another thing than the vehicle's movement is in it.
  ///
  /// - Returns: What was turned by since the sample before, rad, body frame, and in how many seconds; nil when it can't be used.
  mutating func passOver(_ sample: InertialSample) -> (turn: Vector3, seconds: Float)? {
    let values = InertialLanes(sample)
    guard let length = admit(sample, values) else { return nil }
    let rate = values.hasRate ? corrected(values.rate).vector : .zero
    return (rate * length, length)
  }

  /// Drops the short window that is open.
  ///
  /// - Returns: What was turned by in it, rad, body frame, and its length, s.
  mutating func dropRestWindow() -> (turn: Vector3, seconds: Float) {
    let (rate, seconds) = state.rest.drop()
    return (rate.map { correctedRate($0) * seconds } ?? .zero, seconds)
  }

  /// The sensor turned while it was passed over.
  ///
  /// - Parameters:
  ///   - turn: By how much, rad, body frame.
  ///   - seconds: How long it was passed over, s.
  ///   - hasRate: Whether a gyroscope says so; otherwise it may have turned anywhere.
  mutating func turn(by turn: Vector3, in seconds: Float, hasRate: Bool) {
    state.motion.rotation = state.motion.rotation.turned(by: turn)
    let variance = hasRate ? AttitudeFilter.passedOver * turn.squaredLength : AttitudeFilter.unseen * seconds
    state.level.ttXX += variance
    state.level.ttYY += variance
    stateUncertainty()
  }

  /// Share of a turn that is unknown while it is passed over, squared: a third.
  static var passedOver: Float { 0.1 }
  /// What a sensor without gyroscope may turn by, rad²/s.
  static var unseen: Float { 0.01 }
}
