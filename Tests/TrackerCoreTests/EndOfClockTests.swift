import Quantities
import Testing
import TrackerCore

@Test func atTheEndOfTheClockNothingIsWaitedForInVain() {
  var tracker = Tracker()
  tracker.process(InertialSample(time: Instant(microseconds: 1 << 62), specificForce: Vector3(0, 0, 9.8)))
  while tracker.nextAction() != nil {}
  var rounds = 0
  while let deadline = tracker.nextDeadline, rounds < 100 {
    rounds += 1
    tracker.advance(to: deadline)
    while tracker.nextAction() != nil {}
  }
  #expect(rounds < 100)
}
