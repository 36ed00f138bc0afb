import Quantities
import TestSupport
import Testing
import TrackerCore

/// A ride in which nothing calls for a report, and one just sent.
private func riding(_ change: (inout ReportParameters) -> Void) -> Owner {
  var owner = Owner {
    $0.reports.ridingInterval = .seconds(100_000)
    $0.reports.distance = 1e9
    $0.reports.courseChange = 10
    $0.reports.speedChange = 1e9
    change(&$0.reports)
  }
  owner.ride(seconds: 30, speed: 5, course: 1)
  owner.submit(.locate)
  _ = owner.news()
  return owner
}

@Test func timeAloneCallsForAReport() {
  var owner = riding { $0.ridingInterval = .seconds(60) }
  owner.ride(seconds: 59, course: 1)
  let early = owner.news(.location).count
  owner.ride(seconds: 61, course: 1)
  #expect(early <= 1 && owner.news(.location).count >= 1)
  var still = riding { _ in }
  still.ride(seconds: 300, course: 1)
  #expect(still.news(.location).isEmpty)
}

@Test func distanceAloneCallsForAReport() {
  var owner = riding { $0.distance = 250 }
  owner.ride(seconds: 500, speed: 5, course: 1)
  // 2,500 m.
  let count = owner.news(.location).count
  #expect(count >= 9 && count <= 10)
}

@Test func courseAloneCallsForAReport() {
  let limit = 30 * Double.pi / 180
  for (turn, reports) in [(limit - 0.01, false), (limit + 0.01, true), (-limit - 0.01, true), (-limit + 0.01, false)] {
    var owner = riding { $0.courseChange = Float(limit) }
    owner.ride(seconds: 2, course: 0.1)
    owner.ride(seconds: 10, course: 0.1)
    _ = owner.news()
    // Across north.
    var course = 0.1 + turn
    if course < 0 { course += 2 * .pi }
    owner.ride(seconds: 10, course: course)
    #expect(!owner.news(.location).isEmpty == reports, "turn of \(turn)")
  }
}

@Test func speedAloneCallsForAReport() {
  for (speed, reports) in [(8.9, false), (9.1, true), (1.1, false), (0.9, true)] {
    var owner = riding { $0.speedChange = 4 }
    owner.ride(seconds: 6, speed: 5, course: 1)
    #expect(owner.news(.location).count <= 1)
    owner.ride(seconds: 10, speed: speed, course: 1)
    #expect(!owner.news(.location).isEmpty == reports, "to \(speed) m/s")
  }
}

@Test func twoReportsAreAtLeastTheMinimumApart() {
  var owner = riding { $0.speedChange = 1 }
  var times: [Instant] = []
  for step in 0..<60 { owner.ride(seconds: 1, speed: step % 2 == 0 ? 3 : 9, course: 1) }
  times = owner.news(.location).map(\.time)
  #expect(times.count > 5)
  for (first, second) in zip(times, times.dropFirst()) { #expect(second - first >= .seconds(5)) }
}

@Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e17])
func aSenselessCourseDoesNotHang(course: Double) {
  var owner = riding { $0.courseChange = 0.5 }
  owner.ride(seconds: 20, course: course)
  owner.ride(seconds: 20, course: 1)
  #expect(owner.tracker.monitor.phase == .riding)
}

@Test func anAlarmIsFollowedEveryTenSeconds() {
  var owner = Owner(hertz: 50)
  owner.stand(seconds: 320)
  owner.handle()
  _ = owner.news()
  owner.clock = owner.sensor.time
  owner.stand(seconds: 50)
  #expect((4...6).contains(owner.news(.location).count))
}

@Test func receptionIsNeverFoundBeforeItWasLookedFor() {
  var owner = Owner(isWatched: false)
  owner.wait(until: .seconds(10))
  // The receiver is quicker than the tracker: its first fix is of before the tracker was switched on.
  var fix = GNSSFix(time: .seconds(-2))
  (fix.mode, fix.position, fix.horizontalAccuracy) = (.threeDimensional, owner.place(), 5)
  owner.process(fix)
  #expect(owner.allEvents.map(\.kind) == [.fixAcquired(after: .zero)])
}
