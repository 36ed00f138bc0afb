import InertialFusion
import MotionDetection
import Quantities
import TestSupport
import Testing

/// Fixes at places and with values just below, at and just above each limit, in every order that a seed comes upon.
private struct ExactStory {
  var twin: Twin
  var random: SeededRandom
  let hasSensor: Bool
  private var position = home

  static let limits: [Float] = [15 * 0.33, 7.5, 15, 30, 60, 25, 50, 300, 500]
  static let places = limits.map { [$0.nextDown, $0, $0.nextUp].map { place(atExactly: $0) } }

  init(_ parameters: MotionParameters, seed: UInt64, hasSensor: Bool) {
    random = SeededRandom(seed: seed)
    twin = Twin(parameters, hertz: 10, seed: seed)
    self.hasSensor = hasSensor
  }

  private mutating func pick<T>(_ list: [T]) -> T { list[Int(random.next() % UInt64(list.count))] }

  mutating func pass(steps: Int) {
    // One limit at a time, so that the place where it stands stays where it was.
    let places = pick(ExactStory.places)
    for step in 0..<steps where twin.trouble == nil {
      if step < 8 || random.oneIn(3) { position = home }
      if step >= 8, random.oneIn(3) { position = pick(places) }
      move(isEarly: step < 8)
      if random.oneIn(25) { twin.dismiss() }
      if random.oneIn(40) { twin.setAlerts(random.oneIn(2)) }
    }
  }

  /// Lets time pass, in steps at which something is just due, or just not.
  private mutating func move(isEarly: Bool) {
    var next = twin.clock + .seconds(1)
    switch isEarly ? 0 : random.next() % 24 {
    case 1: next = twin.clock + .seconds(6)
    case 2: next = twin.clock + Interval(microseconds: 6_000_001)
    case 3: next = twin.monitor.nextDeadline ?? next
    case 4: next = (twin.monitor.nextDeadline ?? next) - Interval(microseconds: 1)
    case 5: next = twin.clock + .seconds(5)
    case 6: next = twin.clock + .seconds(random.oneIn(2) ? 50 : 60)
    case 7: next = twin.clock
    case 8: next = twin.clock + .seconds(14)
    case 9 where hasSensor:
      // Ten seconds after the last movement, to the microsecond.
      if let last = twin.monitor.estimator.rest.lastMovement { next = last + .seconds(10) }
    default: break
    }
    if next < twin.clock { next = twin.clock + .seconds(1) }
    if hasSensor {
      if random.oneIn(30) {
        twin.sense(until: twin.clock + .milliseconds(400), swing: 2)
        next = max(next, twin.clock)
      }
      // The sensor sleeps now and then, and the fix comes five seconds after its last window.
      if random.oneIn(20) {
        next = max(twin.clock, twin.monitor.estimator.rest.windowEnd + .seconds(5))
      } else {
        twin.sense(until: next)
      }
    }
    twin.note("\(next.secondsDouble)")
    see(at: next)
  }

  private mutating func see(at time: Instant) {
    let slow: [Double?] = [nil, 0, 0, nil, 0.3, Double(Float(0.3).nextDown), 0.29999]
    let quick: [Double?] = [0.5, Double(Float(0.5).nextDown), 1, Double(Float(1).nextDown), 2, 1.9999999, 5, 500]
    var fix = GNSSFix(time: time)
    fix.mode = random.oneIn(2) ? .twoDimensional : .threeDimensional
    fix.position = position
    fix.speed = random.oneIn(3) ? pick(quick) : pick(slow)
    fix.horizontalAccuracy = random.oneIn(8) ? pick([3.5, 3.49999, 100, 100.000001, nil, 0, -0.0001]) : 1
    twin.feed(fix)
  }
}

@Suite struct ExactLimitTests {
  @Test func everyDistanceIsFoundToTheLastDigit() throws {
    #expect(ExactStory.places.allSatisfy { $0.allSatisfy { $0 != nil } })
  }

  @Test func justBelowAtAndJustAboveEveryLimitOfFixesItDoesWhatItsManualSays() {
    for seed in 1...500 as ClosedRange<UInt64> {
      var parameters = shortParameters()
      parameters.armAfter = .seconds(seed % 2 == 0 ? 20 : 7)
      var story = ExactStory(parameters, seed: seed, hasSensor: false)
      story.pass(steps: 90)
      if let trouble = story.twin.trouble { Issue.record("seed \(seed): \(trouble)") }
    }
  }

  @Test func justBelowAtAndJustAboveEveryLimitOfTrustInASensorAtRest() {
    for seed in 1...160 as ClosedRange<UInt64> {
      var parameters = shortParameters()
      parameters.armAfter = .seconds(seed % 2 == 0 ? 20 : 7)
      var story = ExactStory(parameters, seed: seed, hasSensor: true)
      story.pass(steps: 60)
      if let trouble = story.twin.trouble { Issue.record("seed \(seed): \(trouble)") }
    }
  }
}
