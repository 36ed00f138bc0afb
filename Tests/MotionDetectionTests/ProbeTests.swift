import MotionDetection
import Quantities
import TestSupport
import Testing

/// What a sensor shows is measured first; then the limit is set to just that value, and a digit above and below it.
private enum Probe: CaseIterable {
  case tilt, turn, swing, wobble, shake, lateTilt, rough, lift, step, slide

  /// Parks and moves; after every window the plain machine's watch is looked at.
  func run(_ parameters: MotionParameters, look: (Twin) -> Void = { _ in }) -> Twin {
    var twin = Twin(parameters, seed: 5)
    if self == .shake {
      twin.sense(until: .seconds(3))
    } else if self == .rough {
      // The receiver dies during a ride, on a road that is rough now and then.
      for _ in 0..<10 {
        twin.sense(until: twin.clock + .seconds(1), shake: 0.5)
        twin.north += 5
        twin.fix(speed: 5)
      }
    } else {
      twin.sense(until: .seconds(self == .lateTilt ? 40 : 18))
    }
    for step in 1...24 {
      let next = twin.clock + .milliseconds(300)
      switch self {
      case .tilt, .lateTilt: twin.sense(until: next, rate: Vector3(0.02, 0, 0))
      case .turn: twin.sense(until: next, rate: Vector3(0, 0, 0.08))
      case .swing: twin.sense(until: next, swing: step % 7 < 5 ? 1 : 0)
      case .wobble: twin.sense(until: next, turnSwing: step % 7 < 5 ? 0.2 : 0)
      case .shake, .rough: twin.sense(until: next, shake: 1.2)
      case .lift: twin.sense(until: next) { $0.specificForce?.z += step < 5 ? 0.3 : 0 }
      case .step: twin.sense(until: next) { $0.specificForce?.z += step % 2 == 0 ? 1.3 : -1.3 }
      case .slide: twin.sense(until: next) { $0.specificForce?.x += step > 8 ? 0 : step < 5 ? 0.7 : -0.7 }
      }
      look(twin)
    }
    return twin
  }
}

@Test func aValueJustAtItsLimitCountsAndADigitBelowItDoesNot() {
  var tries = 0
  for probe in Probe.allCases {
    var loose = shortParameters()
    (loose.tiltLimit, loose.headingLimit, loose.handlingRate, loose.handlingVibration) = (9, 9, 9, 99)
    (loose.liftSpeed, loose.carryForce, loose.shiftLimit) = (99, 99, 99)
    var settings: [(WritableKeyPath<MotionParameters, Float>, Float)] = []
    _ = probe.run(loose) { twin in
      switch probe {
      case .tilt, .lateTilt: if let tilt = twin.monitor.tiltSinceParking { settings.append((\.tiltLimit, tilt)) }
      case .turn: settings.append((\.headingLimit, twin.plain.watch.heading))
      case .swing: settings.append((\.handlingVibration, PlainWindow(twin.monitor.estimator).shaking))
      case .wobble: settings.append((\.handlingRate, PlainWindow(twin.monitor.estimator).turning))
      case .lift: settings.append((\.liftSpeed, twin.plain.watch.speed))
      case .slide: settings.append((\.shiftLimit, twin.plain.watch.shift.metres))
      case .step: settings.append((\.carryForce, twin.plain.watch.swinging))
      case .shake, .rough: settings.append((\.rideVibration, PlainWindow(twin.monitor.estimator).vibration))
      }
    }
    for (setting, value) in settings where value > 0.02 {
      for limit in [value.nextDown, value, value.nextUp] {
        var parameters = loose
        parameters[keyPath: setting] = limit
        if let trouble = probe.run(parameters).trouble { Issue.record("\(probe) with \(limit): \(trouble)") }
        tries += 1
      }
    }
  }
  #expect(tries > 200)
}

@Test func aSensorIsStuckAfterTenSecondsWithoutAnyChangeAndNotBefore() {
  var parameters = shortParameters()
  parameters.armAfter = .seconds(5)
  var twin = Twin(parameters, hertz: 50, seed: 2)
  for _ in 0..<20 {
    twin.sense(until: twin.clock + .seconds(1))
    twin.fix(speed: 0)
  }
  var stuckFor: [Interval] = []
  while stuckFor.count < 60 {
    let end = twin.monitor.estimator.rest.windowEnd
    twin.sense(until: twin.clock + .milliseconds(20)) {
      $0.angularRate = Vector3(0.001, 0, 0)
      $0.specificForce = Vector3(0, 0.01, 9.8)
    }
    guard twin.monitor.estimator.rest.windowEnd != end else { continue }
    stuckFor.append(twin.monitor.estimator.rest.frozen)
    // What would five fixes elsewhere do now?
    var other = twin
    other.north += 200
    other.fix(speed: 0)
    other.fix(at: other.clock + .milliseconds(10), speed: 0)
    other.fix(at: other.clock + .milliseconds(20), speed: 0)
    other.fix(at: other.clock + .milliseconds(30), speed: 0)
    other.fix(at: other.clock + .milliseconds(40), speed: 0)
    if let trouble = other.trouble { Issue.record("\(trouble)") }
    let isStuck = twin.monitor.estimator.rest.frozen > .seconds(10)
    if twin.clock - (twin.monitor.estimator.rest.lastMovement ?? .zero) >= .seconds(11) {
      #expect((other.monitor.phase == .stolen) == isStuck, "after \(twin.monitor.estimator.rest.frozen.seconds) s")
    }
  }
  #expect(stuckFor.contains(.seconds(10)))
}
