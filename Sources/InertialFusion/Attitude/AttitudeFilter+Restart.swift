import Quantities

extension AttitudeFilter {
  /// The readings are of another frame than they were: a body at rest shows bias and vertical by this half window.
  mutating func beginAnew(rate: WindowStatistics, force: WindowStatistics, noise: NoiseFloor) {
    state.motion = PreintegratedMotion(from: state.motion.rotation)
    state.rate = .zero
    state.level.forgetTilt(coefficients)
    if rate.count > 0 {
      state.level.gyroBias = rate.mean.clamped(to: coefficients.maximumBias)
      state.level.setBiasVariance(noise.varianceOfMean(count: rate.count))
      state.restWindows = 10
    }
    state.magnetic.forgetField()
    state.course.forget()
    state.isSuspect = false
    state.rest.interrupt()
    state.isAligned = false
    if force.count > 0 { align(to: force.mean - state.level.accelerometerOffset) }
    stateUncertainty()
  }
}
