import LinuxDevices
import Quantities

/// A sensor started for a while to see what it gives.
struct SensorTrial {
  /// What came, in order.
  private(set) var inputs: [SensorInput] = []
  /// Why it does not work; nil when it does.
  private(set) var failure: String?
  /// What it told of itself at the end.
  private(set) var facts: [(name: String, value: String)] = []

  /// Starts the sensor, lets it run, and stops it.
  ///
  /// - Parameters:
  ///   - sensor: Not started; nobody else uses it.
  ///   - limit: How long it is listened to.
  ///   - isEnough: True when what came will do.
  init(_ sensor: any SensorSource, for limit: Interval, until isEnough: ([SensorInput]) -> Bool) {
    let box = Box()
    sensor.sink = { box.inputs.append($0) }
    do throws(DeviceFailure) {
      let loop = try EventLoop(clock: MachineClock())
      let start = MonotonicClock.now
      try sensor.start(in: loop, at: start)
      while sensor.failure == nil, MonotonicClock.now < start + limit, !isEnough(box.inputs) {
        loop.turn(until: start + limit)
      }
      failure = sensor.failure?.message
      facts = sensor.facts
      sensor.stop()
    } catch {
      failure = error.message
    }
    inputs = box.inputs
  }

  private final class Box { var inputs: [SensorInput] = [] }
}
