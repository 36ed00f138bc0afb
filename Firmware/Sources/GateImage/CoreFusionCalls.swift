import InertialFusion
import Quantities

// The lite attitude filter: half a minute of rest with a bias and a pause, then a turn, then a sensor upside down.

extension CoreRun {
  /// Runs the filter over a short story and notes its attitude.
  mutating func liteFilter() {
    var filter = through(.liteFilterInit) { LiteAttitudeFilter() }
    var step = 0
    while step < 2000 {
      let time = Instant.milliseconds(step < 1000 ? 10 * step : 10 * step + 5000)
      let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.00005
      let turning: Float = step > 1400 && step < 1500 ? 1 : 0
      let sample = InertialSample(
        time: time, angularRate: Vector3(0.05 + noise, -noise, turning - 0.03),
        specificForce: step % 7 == 0 ? nil : Vector3(0.5, noise, 9.79),
        magneticFluxDensity: step % 3 == 0 ? Vector3(opaque(12), 15 + noise, -40) : nil)
      through(.liteFilterSample) { filter.update(with: sample) }
      step += 1
    }
    let saved = filter.state
    filter.update(angularRate: Vector3(Float.nan, 0, 0), specificForce: Vector3(0, 0, 9.8), seconds: 0.01)
    expect(filter.state == saved && filter.rejections.notFinite == 1)
    expect(filter.gapCount == 1 && filter.isAtRest && filter.hasHeading)
    expect((filter.state.bias - Vector3(0.05, 0, -0.03)).length < 0.002)
    while step < 3000 {
      filter.update(
        angularRate: Vector3(opaque(30), 0.05, 0), specificForce: Vector3(0, 0, opaque(-9.8)),
        magneticFluxDensity: Vector3(opaque(1), 20, 3), seconds: 0.02)
      step += 1
    }
    expect(filter.earthFromBody.w.isFinite)
    let earth = filter.earthFromBody
    note(earth.w)
    note(earth.x)
    note(earth.y)
    note(earth.z)
    note(filter.state.bias.x)
  }
}
