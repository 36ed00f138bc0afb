import MotionDetection
import Quantities
import TestSupport
import Testing

/// The inputs of the machine, as small as they can be and still decide.
private enum Stimulus: CaseIterable {
  case quiet, shortWait, longWait, handling, shaking, travel, standingFixes, fixWithoutPosition
  case alertsOff, alertsOn, dismiss

  func apply(to scene: inout Scene) {
    let now = max(scene.clock, scene.sensor.time)
    scene.clock = now
    scene.sensor.pause((now - scene.sensor.time).secondsDouble)
    switch self {
    case .quiet: scene.still(seconds: 3)
    case .shortWait: scene.wait(until: now + .seconds(2))
    case .longWait: scene.wait(until: now + .seconds(1000))
    case .handling: scene.handle(seconds: 3)
    case .shaking: scene.shake(seconds: 15)
    case .travel: scene.ride(seconds: 12)
    case .standingFixes: scene.stand(seconds: 7)
    case .fixWithoutPosition: scene.monitor.process(GNSSFix(time: now + .seconds(1)))
    case .alertsOff: scene.monitor.setAlerts(enabled: false, at: now)
    case .alertsOn: scene.monitor.setAlerts(enabled: true, at: now)
    case .dismiss: scene.monitor.dismiss(at: now)
    }
    scene.collect()
  }
}

private enum Situation: CaseIterable {
  case starting, riding, settling, parked, suspicious, alarmed, parkedUnarmed

  func scene() -> Scene {
    var scene = Scene(hertz: 50)
    switch self {
    case .starting: break
    case .riding: scene.ride(seconds: 20)
    case .settling: scene.still(seconds: 20)
    case .parked: scene.parkByInertia()
    case .suspicious:
      scene.parkByInertia()
      scene.move(seconds: 0.1) { $0 % 2 == 0 ? Vector3(0.7, 0, 0) : Vector3(-0.7, 0, 0) }
      scene.still(seconds: 1)
    case .alarmed:
      scene.parkByInertia()
      scene.handle(seconds: 3)
    case .parkedUnarmed:
      scene.parkByInertia()
      scene.monitor.setAlerts(enabled: false, at: scene.sensor.time)
    }
    _ = scene.news()
    return scene
  }

  var phase: MotionPhase {
    switch self {
    case .starting: .starting
    case .riding: .riding
    case .settling: .settling
    case .parked, .parkedUnarmed: .parked
    case .suspicious: .suspicious
    case .alarmed: .alarmed
    }
  }
}

@Test func everyPhaseAnswersEveryInputAsDeclared() {
  let table: [Situation: [MotionPhase]] = [
    //           quiet        2 s          1000 s   handling     shaking      travel       standing
    .starting: [
      .settling, .settling, .settling, .settling, .riding, .riding, .settling, .settling, .settling, .settling,
      .settling,
    ],
    .riding: [
      .riding, .riding, .parked, .riding, .riding, .riding, .settling, .riding, .riding, .riding, .riding,
    ],
    .settling: [
      .settling, .settling, .parked, .settling, .riding, .riding, .settling, .settling, .settling, .settling, .settling,
    ],
    .parked: [
      .parked, .parked, .parked, .alarmed, .alarmed, .alarmed, .parked, .parked, .parked, .parked, .parked,
    ],
    .suspicious: [
      .suspicious, .suspicious, .parked, .alarmed, .alarmed, .alarmed, .suspicious, .suspicious, .parked, .suspicious,
      .settling,
    ],
    .alarmed: [
      .alarmed, .alarmed, .parked, .alarmed, .alarmed, .alarmed, .alarmed, .alarmed, .parked, .alarmed, .settling,
    ],
    .parkedUnarmed: [
      .parked, .parked, .parked, .parked, .riding, .riding, .parked, .parked, .parked, .parked, .parked,
    ],
  ]
  for situation in Situation.allCases {
    guard let row = table[situation] else {
      Issue.record("\(situation) is not declared")
      continue
    }
    for (stimulus, expected) in zip(Stimulus.allCases, row) {
      var scene = situation.scene()
      #expect(scene.monitor.phase == situation.phase, "\(situation)")
      stimulus.apply(to: &scene)
      #expect(scene.monitor.phase == expected, "\(situation) and \(stimulus)")
      #expect(scene.monitor.lostEventCount == 0)
    }
  }
}

@Test func everyStateThatWaitsHasADeadlineAndKeepsIt() {
  for situation in Situation.allCases {
    var scene = situation.scene()
    var rounds = 0
    while let deadline = scene.monitor.nextDeadline, rounds < 10 {
      let phase = scene.monitor.phase
      scene.monitor.advance(to: deadline - Interval(microseconds: 1))
      #expect(scene.monitor.phase == phase, "\(situation): \(phase) left early")
      scene.monitor.advance(to: deadline)
      rounds += 1
    }
    #expect(rounds < 4, "\(situation) never comes to rest")
    #expect(scene.monitor.phase == .parked || situation == .starting)
  }
}

@Test func extremeTimesNeitherTrapNorHang() {
  let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max / 2, .max - 1, .max]
  for first in extremes {
    for second in extremes {
      var monitor = MotionMonitor()
      for time in [first, second, first] {
        let instant = Instant(microseconds: time)
        monitor.advance(to: instant)
        monitor.process(makeFix(at: instant, north: Double(time % 1000), east: 0, speed: 5))
        monitor.process(
          InertialSample(time: instant, angularRate: Vector3(1, 0, 0), specificForce: Vector3(0, 0, 9)))
        monitor.setAlerts(enabled: time % 2 == 0, at: instant)
        monitor.dismiss(at: instant)
        while monitor.nextEvent() != nil {}
      }
    }
  }
}
