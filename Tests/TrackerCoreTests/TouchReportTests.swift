import InlineStorage
import Quantities
import Telemetry
import Testing
import TrackerCore

/// A bike with an inertial sensor, armed, and what its packets say.
private struct Bike: ~Copyable {
  var tracker: Tracker
  var step = 0
  var reasons: [StatusReason] = []
  var alerts = 0

  init(_ interval: Interval) {
    var configuration = TrackerConfiguration()
    configuration.reports.touchInterval = interval
    tracker = Tracker(configuration: configuration)
    feel(seconds: 310)
    reasons = []
  }

  mutating func feel(seconds: Double, shaking: Float = 0) {
    for _ in 0..<Int(seconds * 25) {
      step += 1
      let sign: Float = step % 2 == 0 ? 1 : -1
      tracker.process(
        InertialSample(
          time: Instant(microseconds: Int64(step) * 40_000), angularRate: Vector3(0.001 * sign, 0, 0),
          specificForce: Vector3(0.02 * sign + shaking * sign, 0, 9.81)))
      drain()
    }
  }

  mutating func drain() {
    while let action = tracker.nextAction() {
      guard case .transmit(let sequence, let kind) = action else { continue }
      if kind == .movement { alerts += 1 }
      if let place = tracker.outbox.place(of: sequence), let status = tracker.outbox.packet(at: place).status {
        reasons.append(status.reason)
      }
      tracker.acknowledge(sequence, at: tracker.now)
    }
  }

  /// Somebody leans on it, and goes.
  mutating func touch() {
    feel(seconds: 0.4, shaking: 0.4)
    feel(seconds: 29.6)
  }
}

@Test func aTouchIsToldWhenTheOwnerWantsThatAndNotMoreOften() {
  for (interval, told) in [(0, 0), (60, 2), (61, 1), (1, 3)] {
    var bike = Bike(.seconds(interval))
    for _ in 0..<3 { bike.touch() }
    #expect(bike.reasons == Array(repeating: .touched, count: told), "\(interval)")
    #expect(bike.alerts == 0)
  }
}

@Test func theOwnersTouchesAreNotTold() {
  for isNear in [true, false] {
    var bike = Bike(.seconds(60))
    if isNear { bike.tracker.submit(.near(for: .seconds(3600)), at: bike.tracker.now) }
    bike.drain()
    bike.feel(seconds: 1)
    bike.reasons = []
    bike.touch()
    #expect(bike.reasons.contains(.touched) == !isNear)
  }
}

@Test func whatAmountsToHandlingIsAnAlertWhateverTheOwnerWantsOfTouches() {
  for interval in [0, 600] {
    var bike = Bike(.seconds(interval))
    bike.feel(seconds: 10, shaking: 3)
    #expect(bike.alerts == 1, "\(interval)")
  }
}
