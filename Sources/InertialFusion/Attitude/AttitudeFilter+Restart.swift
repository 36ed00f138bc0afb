import Quantities

extension AttitudeFilter {
  /// The readings are of another frame than they were.
  ///
  /// - Parameters:
  ///   - bias: What the gyroscope shows of itself in it, rad/s; nil when there is none.
  ///   - variance: How well that is known, (rad/s)².
  ///   - force: A half window that shows the vertical; empty without accelerometer.
  mutating func beginAnew(bias: Vector3?, variance: Float, force: WindowStatistics) {
    state.motion = PreintegratedMotion(from: state.motion.rotation)
    state.rate = .zero
    state.level.forgetTilt(coefficients)
    if let bias {
      state.level.gyroBias = bias.clamped(to: coefficients.maximumBias)
      state.level.setBiasVariance(variance)
      state.restWindows = 10
    }
    state.forgetHeading()
    state.isSuspect = false
    state.rest.interrupt()
    state.isAligned = false
    if force.count > 0 { align(to: force.mean - state.level.accelerometerOffset) }
    stateUncertainty()
  }
}
