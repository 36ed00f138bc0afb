import MotionDetection
import Quantities
import TestSupport
import Testing

/// The inputs of the machine, each as short as it can be with these parameters and still decide.
private enum Step: CaseIterable {
  case still, touch, handle, tilt, standingFix, travelFix, displacedFix, silence, alertsOff, alertsOn, dismiss, restart

  static let fixes: [Step] = [.standingFix, .travelFix, .displacedFix, .silence, .alertsOff, .dismiss]

  func apply(to twin: inout Twin) {
    twin.note("\(self)")
    let now = twin.clock
    switch self {
    case .still: twin.sense(until: now + .milliseconds(600))
    case .touch:
      twin.sense(until: now + .milliseconds(100), swing: 1.5)
      twin.sense(until: now + .milliseconds(600))
    case .handle: twin.sense(until: now + .milliseconds(900), swing: 4)
    case .tilt: twin.sense(until: now + .milliseconds(900), rate: Vector3(0.2, 0, 0))
    case .standingFix: fix(&twin, 0)
    case .travelFix:
      twin.east += 3
      fix(&twin, 3)
    case .displacedFix:
      twin.north += 40
      fix(&twin, nil)
    case .silence: twin.wait(until: max(now, twin.monitor.nextDeadline ?? (now + .seconds(7))))
    case .alertsOff: twin.setAlerts(false)
    case .alertsOn: twin.setAlerts(true)
    case .dismiss: twin.dismiss()
    case .restart: twin.restart(at: .seconds(3))
    }
  }

  private func fix(_ twin: inout Twin, _ speed: Double?) {
    twin.wait(until: twin.clock + .seconds(1))
    twin.fix(speed: speed, accuracy: 3)
  }
}

private enum Situation: CaseIterable {
  case starting, standing, riding, paused, parked, watched, unarmed, suspicious, alarmed, carriedOff, restored

  func twin() -> Twin {
    var p = shortParameters()
    p.armAfter = .seconds(3)
    p.calmAfter = .seconds(1)
    p.quietAfter = .seconds(2)
    p.stolenAfter = .seconds(3)
    p.touchDelay = .seconds(1)
    p.armBy = .seconds(5)
    p.silenceAfter = .seconds(4)
    p.standAfter = .seconds(1)
    p.travelConfirmation = .seconds(1)
    p.handlingConfirmation = .milliseconds(300)
    p.orientationConfirmation = .milliseconds(300)
    var twin = Twin(p, seed: 3)
    func fixes(_ count: Int, _ speed: Double) {
      for _ in 0..<count {
        twin.wait(until: twin.clock + .seconds(1))
        twin.east += speed
        twin.fix(speed: speed, accuracy: 3)
      }
    }
    switch self {
    case .starting: break
    case .standing: fixes(1, 0)
    case .riding: fixes(5, 3)
    case .paused:
      fixes(5, 3)
      fixes(2, 0)
    case .parked: fixes(5, 0)
    case .watched, .unarmed, .suspicious, .alarmed, .carriedOff, .restored:
      fixes(2, 0)
      twin.sense(until: twin.clock + .seconds(8))
      if self == .unarmed { twin.setAlerts(false) }
      if self == .suspicious { Step.touch.apply(to: &twin) }
      if self == .alarmed { for _ in 0..<2 { Step.handle.apply(to: &twin) } }
      if self == .carriedOff { fixes(4, 3) }
      if self == .restored { twin.restart(at: .zero) }
    }
    return twin
  }
}

@Suite struct EverySequenceTests {
  /// Goes through all sequences; gives how many steps were taken.
  private func explore(_ twin: Twin, _ steps: [Step], depth: Int, _ phases: inout Set<String>) -> Int {
    phases.insert("\(twin.monitor.phase)")
    guard depth > 0 else { return 0 }
    var taken = 0
    for step in steps {
      var next = twin
      step.apply(to: &next)
      taken += 1
      if let trouble = next.trouble {
        Issue.record("\(trouble)")
        return taken
      }
      taken += explore(next, steps, depth: depth - 1, &phases)
    }
    return taken
  }

  @Test func everySequenceOfThreeInputsEndsAsTheManualSays() {
    var phases: Set<String> = []
    var taken = 0
    for situation in Situation.allCases { taken += explore(situation.twin(), Step.allCases, depth: 3, &phases) }
    #expect(taken == Situation.allCases.count * (12 + 144 + 1728) && phases.count == 7)
  }

  @Test func everySequenceOfFiveFixesAndSilencesEndsAsTheManualSays() {
    var phases: Set<String> = []
    for situation in [Situation.standing, .riding, .paused, .parked] {
      _ = explore(situation.twin(), Step.fixes, depth: 5, &phases)
    }
    #expect(phases.count >= 4)
  }
}
