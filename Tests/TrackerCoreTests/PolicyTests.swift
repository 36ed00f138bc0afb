import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// One second, or more, in the life of a tracker, as far as reports can tell.
private enum Step: CaseIterable {
  case same, far, turned, faster, unknown, standing, pause, minute, live, locate, lost

  func apply(to owner: inout Owner, _ life: inout Life) {
    var seconds = 1
    switch self {
    case .same: life.north += life.speed
    case .far: life.north += 260
    case .turned: life.course = life.course < 1 ? 6 : 0.1
    case .faster: life.speed = life.speed < 6 ? 9.5 : 5
    case .unknown: life.north += life.speed
    case .standing: break
    case .pause: seconds = 5
    case .minute: seconds = 56
    case .live:
      owner.submit(.track(interval: .seconds(3), duration: .seconds(4)))
      return
    case .locate:
      owner.submit(.locate)
      return
    case .lost: break
    }
    owner.clock = owner.clock + .seconds(seconds)
    owner.advance(to: owner.clock)
    owner.north = life.north
    switch self {
    case .lost: owner.noFix()
    case .unknown: owner.fix()
    case .standing: owner.fix(speed: 0)
    default: owner.fix(speed: life.speed, course: life.course)
    }
  }
}

private struct Life {
  var north = 0.0
  var speed = 5.0
  var course = 0.1
}

/// How a life begins, so that reports are judged in each phase.
private enum Beginning: CaseIterable {
  case nothing, riding, parked, alarmed, settling

  func owner(_ life: inout Life, _ change: (inout TrackerConfiguration) -> Void = { _ in }) -> Owner {
    var owner = Owner(isWatched: false) {
      $0.motion.armAfter = .seconds(600)
      // Apart by seconds, so that a short sequence meets them all; none at a multiple of another.
      $0.reports.ridingInterval = .seconds(60)
      $0.reports.alarmInterval = .seconds(7)
      $0.reports.parkedInterval = .seconds(61)
      change(&$0)
    }
    func ride(_ owner: inout Owner, _ life: inout Life, _ count: Int) {
      for _ in 0..<count { Step.same.apply(to: &owner, &life) }
    }
    switch self {
    case .nothing: break
    case .riding: ride(&owner, &life, 5)
    case .settling:
      ride(&owner, &life, 5)
      for _ in 0..<6 { Step.standing.apply(to: &owner, &life) }
    case .parked, .alarmed:
      var fields = KeptFields()
      fields.phase = 3
      fields.place = KeptFields.Place(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000, accuracy: 5)
      fields.parkingPlace = fields.place
      var tracker = ReferenceTracker(owner.tracker.configuration)
      tracker.standParked(at: 52, 4, accuracy: 5)
      owner.restart(from: fields.bytes, tracker)
      if self == .alarmed { ride(&owner, &life, 5) }
    }
    return owner
  }
}

/// All sequences of four steps in each phase: the reference says of each fix whether it is to be reported, and the owner holds every
/// packet against it.
@Test(arguments: Beginning.allCases)
private func whetherAFixIsReportedIsAsTheTableSaysForEveryShortSequence(beginning: Beginning) {
  var reports = 0
  for first in Step.allCases {
    for second in Step.allCases {
      for third in Step.allCases {
        // The last is the same fix again: what the three before have left behind.
        var life = Life()
        var owner = beginning.owner(&life)
        for step in [first, second, third, .same] { step.apply(to: &owner, &life) }
        reports += owner.allPackets.count { $0.kind == .location }
      }
    }
  }
  #expect(reports > 1331)
}

/// A ride on which only one thing can call for a report, and one was sent just now.
private func rider(_ change: (inout ReportParameters) -> Void) -> Owner {
  var owner = Owner(isWatched: false) {
    $0.reports.ridingInterval = .seconds(1_000_000)
    $0.reports.parkedInterval = .seconds(1_000_000)
    $0.reports.distance = 1e9
    $0.reports.courseChange = 10
    $0.reports.speedChange = 1e9
    change(&$0.reports)
  }
  owner.ride(seconds: 5, course: nil)
  // The first fix was reported; one more, as a base that is known.
  owner.submit(.track(interval: .milliseconds(100), duration: .seconds(2)))
  owner.ride(seconds: 1, course: nil)
  #expect(owner.allPackets.last?.time == owner.clock && owner.tracker.monitor.phase == .riding)
  owner.wait(until: owner.clock + .seconds(3))
  owner.forget()
  return owner
}

/// A fix at a place and a time after the report, in nanodegrees north of it.
private func isReported(
  _ owner: inout Owner, after milliseconds: Int, northE9: Int64 = 0, speed: Double? = 5, course: Double? = nil
) -> Bool {
  let base = owner.allPackets.isEmpty ? owner.clock - Interval.seconds(3) : owner.clock
  owner.clock = base + Interval.milliseconds(milliseconds)
  var fix = GNSSFix(time: owner.clock)
  fix.mode = .threeDimensional
  let place = owner.tracker.lastFix?.position
  fix.position = place.flatMap {
    GeodeticPosition(latitudeE9: $0.latitudeE9 + northE9, longitudeE9: $0.longitudeE9)
  }
  (fix.speed, fix.course, fix.horizontalAccuracy) = (speed, course, 5)
  owner.process(fix)
  return owner.allPackets.contains { $0.kind == .location }
}

@Test func eachLimitOfAReportHoldsAtItsEdge() {
  // A minute, but not a moment less.
  for (milliseconds, isDue) in [(59_999, false), (60_000, true)] {
    var owner = rider { $0.ridingInterval = ReportParameters().ridingInterval }
    let base = owner.clock - Interval.seconds(3)
    // Fixes a second apart until then, so that it rides on.
    for second in 4..<60 {
      owner.clock = base + .seconds(second)
      owner.north += 5
      owner.fix(speed: 5)
    }
    #expect(owner.allPackets.isEmpty)
    owner.clock = base + Interval.milliseconds(milliseconds)
    owner.north += 5
    owner.fix(speed: 5)
    #expect(owner.allPackets.isEmpty == !isDue, "\(milliseconds) ms")
  }
  // Five seconds between two reports for a change, of whatever.
  for (milliseconds, isDue) in [(4999, false), (5000, true)] {
    var owner = rider { $0.speedChange = 4 }
    #expect(isReported(&owner, after: milliseconds, speed: 20) == isDue)
  }
  // 250 m: a nanodegree of latitude is 0.11 mm.
  for (metres, isDue) in [(249.9, false), (250.1, true)] {
    var owner = rider { $0.distance = ReportParameters().distance }
    #expect(isReported(&owner, after: 6000, northE9: Int64(metres / 111_267 * 1e9)) == isDue, "\(metres) m")
  }
  // 4 m/s more or less.
  for (speed, isDue) in [(8.99, false), (9.0, true), (1.01, false), (1.0, true)] {
    var owner = rider { $0.speedChange = ReportParameters().speedChange }
    #expect(isReported(&owner, after: 6000, speed: speed) == isDue, "\(speed) m/s")
  }
  var unknown = rider { $0.speedChange = 4 }
  #expect(!isReported(&unknown, after: 6000, speed: nil))
  // 30° either way, also across north; the ride went north.
  let turn = Double(ReportParameters().courseChange)
  for (course, isDue) in [
    (turn - 0.001, false), (turn + 0.001, true), (2 * .pi - turn + 0.001, false), (2 * .pi - turn - 0.001, true),
    (.pi, true),
  ] {
    var owner = rider { $0.courseChange = ReportParameters().courseChange }
    #expect(isReported(&owner, after: 6000, course: course) == isDue, "\(course) rad")
  }
}

@Test func aCourseIsTakenFromStepsOfFiveMetresWhereNoneIsStated() {
  // North so far; then a step back, which turns by half a circle if it is long enough to tell.
  for (metres, isDue) in [(4.99, false), (5.01, true)] {
    var owner = rider { $0.courseChange = 1 }
    #expect(isReported(&owner, after: 6000, northE9: -Int64(metres / 111_267 * 1e9)) == isDue, "\(metres) m")
  }
}

@Test func liveTrackingLastsAsLongAsItWasAskedForAndNoLonger() {
  var owner = Owner()
  owner.stand(seconds: 320)
  owner.forget()
  let start = owner.clock
  owner.submit(.track(interval: .seconds(3), duration: .seconds(12)))
  #expect(owner.allEvents.map(\.kind) == [.liveTracking(until: start + .seconds(12))])
  owner.stand(seconds: 40)
  // The last report is long ago, so the first fix is due; at the end itself it is over.
  #expect(owner.news(.location).map { ($0.time - start).secondsDouble } == [1, 4, 7, 10])
  // A later request takes the place of the earlier one.
  let again = owner.clock
  owner.submit(.track(interval: .seconds(10), duration: .seconds(100)))
  owner.submit(.track(interval: .zero, duration: .seconds(2)))
  for _ in 0..<30 {
    owner.clock = owner.clock + .milliseconds(99)
    owner.fix(speed: 0)
  }
  // A tenth of a second is the shortest.
  let times = owner.news(.location).map { ($0.time - again).secondsDouble }
  #expect(times == [0.099, 0.297, 0.495, 0.693, 0.891, 1.089, 1.287, 1.485, 1.683, 1.881])
}

@Test func aLifeSignComesAnHourAfterTheLastReportAndNotBefore() {
  var owner = Owner(isWatched: false)
  owner.advance(to: .seconds(10))
  // Without any fix, too.
  owner.advance(to: Instant(microseconds: 3_609_999_999))
  #expect(owner.allPackets.filter { $0.kind == .location }.isEmpty)
  #expect(owner.tracker.nextDeadline == .seconds(3610))
  owner.advance(to: .seconds(3610))
  #expect(owner.allPackets.filter { $0.kind == .location }.map(\.time) == [.seconds(3610)])
  #expect(owner.allPackets.last?.position == nil)
  // A report asked for puts it off.
  owner.submit(.locate, at: .seconds(5000))
  owner.wait(until: .seconds(8599))
  #expect(owner.allPackets.count { $0.kind == .location } == 2)
  owner.wait(until: .seconds(8600))
  #expect(owner.allPackets.count { $0.kind == .location } == 3)
}

@Test func aPlaceIsStaleOnceItIsOlderThanAMinute() {
  for (milliseconds, isStale) in [(60_000, false), (60_001, true)] {
    var owner = Owner()
    owner.clock = .seconds(1)
    owner.fix(speed: 0)
    owner.submit(.locate, at: .seconds(1) + .milliseconds(milliseconds))
    #expect(owner.allPackets.last?.isStale == isStale)
    #expect(owner.allPackets.last?.fixAge == .milliseconds(milliseconds))
  }
}

@Test func aLateFixIsNotShownAsThePresentPlace() {
  for (milliseconds, isTaken) in [(60_000, true), (60_001, false)] {
    var owner = Owner(isWatched: false)
    owner.clock = .seconds(1)
    owner.fix(speed: 0)
    owner.north = 500
    owner.clock = .seconds(100)
    owner.advance(to: owner.clock + .milliseconds(milliseconds))
    owner.fix(speed: 0)
    let first = owner.tracker.lastFix?.time
    #expect(first == (isTaken ? .seconds(100) : .seconds(1)))
    #expect(owner.tracker.diagnostics.fixesOutOfOrder == (isTaken ? 0 : 1))
    // The same once more is no news in either case.
    owner.fix(speed: 0)
    #expect(owner.tracker.diagnostics.fixesOutOfOrder == (isTaken ? 1 : 2))
  }
}

@Test func receptionIsLostAfterThirtySecondsWithoutAPositionEachTime() {
  var owner = Owner()
  owner.stand(seconds: 5)
  for round in 1...3 {
    owner.forget()
    let start = owner.clock + .seconds(1)
    for _ in 0..<30 {
      owner.clock = owner.clock + .seconds(1)
      owner.noFix()
    }
    #expect(owner.allEvents.isEmpty, "round \(round)")
    owner.clock = owner.clock + .seconds(1)
    owner.noFix()
    #expect(owner.allEvents.map(\.kind) == [.fixLost(since: start)], "round \(round)")
    owner.clock = owner.clock + .seconds(9)
    owner.fix(speed: 0)
    #expect(owner.allEvents.last?.kind == .fixAcquired(after: .seconds(39)), "round \(round)")
    owner.stand(seconds: 5)
  }
  // From switching on to the first fix, when the receiver never said that it had none.
  var late = Owner()
  late.advance(to: .seconds(7))
  late.clock = .seconds(50)
  late.fix(speed: 0)
  #expect(late.allEvents.first?.kind == .fixAcquired(after: .seconds(43)))
}

@Test func anAlarmIsFollowedAfterTenSecondsAndNotBefore() {
  for (milliseconds, isDue) in [(9999, false), (10_000, true)] {
    var life = Life()
    var owner = Beginning.parked.owner(&life) { $0.reports = ReportParameters() }
    for second in 1...4 {
      owner.clock = .seconds(second)
      owner.north += 1
      owner.fix(speed: 1)
    }
    #expect(owner.tracker.monitor.phase == .alarmed)
    #expect(owner.allPackets.map(\.kind) == [.location, .movement])
    owner.clock = .seconds(1) + Interval.milliseconds(milliseconds)
    owner.fix(speed: 0)
    #expect(owner.allPackets.count == (isDue ? 3 : 2), "\(milliseconds) ms")
  }
}

@Test func aStolenVehicleIsFollowedOnItsWayAndNowAndThenWhereItStands() {
  var owner = Owner()
  owner.stand(seconds: 320)
  owner.ride(seconds: 60, course: nil)
  #expect(owner.tracker.monitor.phase == .stolen)
  owner.stand(seconds: 30)
  _ = owner.news()
  let start = owner.clock
  owner.stand(seconds: 1300)
  let gaps = owner.news(.location).map { ($0.time - start).secondsDouble }
  #expect(gaps.count == 2 && gaps[1] - gaps[0] == 600)
  owner.ride(seconds: 60, course: nil)
  #expect((5...7).contains(owner.news(.location).count))
}

@Test func atTheVeryEndOfLiveTrackingItIsOver() {
  var owner = Owner()
  owner.stand(seconds: 320)
  _ = owner.news()
  let start = owner.clock
  owner.submit(.track(interval: .seconds(1), duration: .seconds(5)))
  owner.stand(seconds: 20)
  let seconds = owner.news(.location).map { ($0.time - start).secondsDouble }
  #expect(seconds == [1, 2, 3, 4])
}
