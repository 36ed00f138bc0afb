import InertialFusion
import Quantities

// The main attitude filter: a bias and a temperature at rest, turns, batches of a FIFO, a course, a smoother, a way back.

extension CoreRun {
  private func sample(_ step: Int, _ time: Instant) -> InertialSample {
    let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.00005
    let turning: Float = step > 1400 && step < 1900 ? 1 : 0
    return InertialSample(
      time: time, angularRate: Vector3(0.05 + noise, -noise, turning - 0.03),
      specificForce: step % 7 == 0 ? nil : Vector3(0.5, noise, 9.79),
      magneticFluxDensity: step % 3 == 0 ? Vector3(opaque(12), 15 + noise, -40) : nil)
  }

  /// Runs the filter over a short story and notes its attitude.
  mutating func attitudeFilter() {
    var parameters = AttitudeParameters()
    parameters.gyroscopeRange = opaque(30)
    parameters.magneticDeclination = opaque(0.03)
    var temperature = BiasTemperature()
    temperature.learn(bias: Vector3(opaque(0.05), 0, 0), temperature: opaque(20), seconds: 60)
    temperature.learn(bias: Vector3(opaque(0.06), 0, 0), temperature: opaque(30), seconds: 60)
    var filter = through(.filterInit) { AttitudeFilter(parameters: parameters) }
    if let bias = temperature.bias(at: opaque(22)) { filter.warmStart(gyroBias: bias, uncertainty: 0.02) }
    var step = 0
    while step < 2000 {
      let sample = sample(step, .milliseconds(step < 1000 ? 10 * step : 10 * step + 5000))
      through(.filterSample) { _ = filter.update(with: sample) }
      if step == 1950 { through(.filterCourse) { filter.update(course: opaque(1.2), uncertainty: 0.1) } }
      step += 1
    }
    filter.update(with: InertialSample(time: .seconds(100), angularRate: Vector3(.nan, 0, 0)))
    expect(filter.rejections.notFinite == 1 && filter.state.gapCount == 1)
    expect((filter.gyroBias - Vector3(0.05, 0, -0.03)).length < 0.002)
    batches(AttitudeFilter(parameters: parameters, resuming: filter.state))
    smoother()
    note(filter.earthFromBody)
    note(filter.headingUncertainty)
    note(filter.tiltUncertainty)
    note(filter.accelerometerOffset.x)
    note(filter.accelerometerOffsetUncertainty)
    note(filter.hardIronUncertainty)
    note(filter.magnetometerDelay)
    note(filter.gyroBias.x)
  }

  private mutating func batches(_ start: AttitudeFilter) {
    var filter = start
    var read = 1
    while read <= 100 {
      var batch = InertialBatch(following: filter)
      var step = 0
      while step < 8 {
        batch.add(angularRate: Vector3(0.05, opaque(0.5), -0.03), specificForce: Vector3(0, 0.3, 9.7), seconds: 0.005)
        step += 1
      }
      through(.filterBatch) {
        _ = filter.update(
          with: batch, endingAt: .milliseconds(200_000 + 40 * read), magneticFluxDensity: Vector3(opaque(9), 9, -40))
      }
      read += 1
    }
    note(filter.earthFromBody)
    let back = filter.reversed()
    note(back.levelFromBody)
  }

  private mutating func smoother() {
    var smoother = FixedLagSmoother<32>(lag: .milliseconds(1000))
    var step = 0
    var count = 0
    while step < 500 {
      if let past = smoother.update(with: sample(step, .milliseconds(10 * step))) {
        count += 1
        if count == 50 { note(past.earthFromBody) }
      }
      step += 1
    }
    while let past = smoother.finish() {
      count += 1
      if !past.levelFromBody.w.isFinite { count = 0 }
    }
    expect(count > 50)
  }

  private mutating func note(_ q: Quaternion) {
    note(q.w)
    note(q.x)
    note(q.y)
    note(q.z)
  }
}
