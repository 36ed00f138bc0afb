import LinuxDevices
import Quantities

/// A sensor that gives what it was told at the first opportunity, or fails.
final class FakeSensor: SensorSource {
  let name: String
  var sink: (SensorInput) -> Void = { _ in }
  private(set) var failure: DeviceFailure?
  var facts: [(name: String, value: String)]
  var patience: Interval? { nil }
  private(set) var startCount = 0

  private let inputs: [SensorInput]
  private let trouble: String?
  private weak var loop: EventLoop?
  private var due: Instant?

  init(
    _ name: String, _ inputs: [SensorInput] = [], facts: [(name: String, value: String)] = [],
    fails trouble: String? = nil
  ) {
    self.name = name
    self.inputs = inputs
    self.facts = facts
    self.trouble = trouble
  }

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    startCount += 1
    if let trouble { throw DeviceFailure(.open, name, .explained(trouble)) }
    self.loop = loop
    loop.add(self)
    due = now
  }

  func stop() {
    loop?.remove(self)
    due = nil
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  var nextDeadline: Instant? { due }
  func advance(to now: Instant) {
    guard due != nil else { return }
    due = nil
    for input in inputs { sink(input) }
  }
}

/// Samples of a part that lies still, with noise of known size.
func stillSamples(
  count: Int = 200, hertz: Double = 100, force: Double = 9.81, forceNoise: Double = 0.02, rate: Double = 0.01,
  rateNoise: Double = 0.002
) -> [InertialSample] {
  (0..<count).map { place in
    let sign: Double = place % 2 == 0 ? 1 : -1
    return InertialSample(
      time: Instant(microseconds: Int64(Double(place) * 1_000_000 / hertz)),
      angularRate: Vector3(Float(rate + sign * rateNoise), 0, 0),
      specificForce: Vector3(0, 0, Float(force + sign * forceNoise)))
  }
}
