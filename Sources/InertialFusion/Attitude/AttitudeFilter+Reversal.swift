import Quantities

extension AttitudeFilter {
  /// A filter that goes back in time from here with all that this one has learnt: for passes over what is stored.
  ///
  /// It wants every sample's time and angular rate negated. A sample holds for the time since the one before, so going back
  /// from one to that before takes the values of the later one.
  /// Reversing it again goes forward. Courses and rest begin anew.
  public func reversed() -> AttitudeFilter {
    var parameters = parameters
    parameters.gyroscopeLatency = -parameters.gyroscopeLatency
    var filter = AttitudeFilter(parameters: parameters, resuming: state)
    filter.state.motion = PreintegratedMotion(from: state.motion.rotation)
    filter.state.rate = state.rate * -1
    filter.state.level.reverse()
    filter.state.magnetic.reverse()
    filter.state.course.forget()
    filter.state.rest.interrupt()
    filter.state.lastMagnetometer = 0
    filter.state.lastTime = AttitudeState.never
    filter.state.secondsSinceMagnetometer = parameters.fusionInterval
    filter.stateUncertainty()
    return filter
  }
}
