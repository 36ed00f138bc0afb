import InertialFusion
import MotionDetection
import Quantities
import TestSupport
import Testing

/// Fixes at an exact distance from `home`, without a sensor.
private struct FixScene {
  private var held: CopyableMonitor
  var clock = Instant.zero
  var events: [StampedMotionEvent] = []

  var monitor: MotionMonitor {
    _read { yield held.value }
    _modify { yield &held.value }
  }

  init(change: (inout MotionParameters) -> Void = { _ in }) {
    var parameters = MotionParameters()
    change(&parameters)
    held = CopyableMonitor(MotionMonitor(parameters: parameters))
  }

  mutating func fix(
    _ distance: Float = 0, speed: Double? = 0, accuracy: Double? = 1, after interval: Interval = .seconds(1),
    times: Int = 1
  ) {
    let position = place(atExactly: distance)
    for _ in 0..<times {
      clock = clock + interval
      var fix = GNSSFix(time: clock)
      fix.mode = .twoDimensional
      fix.position = position
      fix.speed = speed
      fix.horizontalAccuracy = accuracy
      monitor.process(fix)
      while let event = monitor.nextEvent() { events.append(event) }
    }
  }

  mutating func park(accuracy: Double? = 1) {
    fix(accuracy: accuracy, times: 302)
    events = []
  }
}

/// Each parameter just below and just above, with its default where that is a sharp line.
@Suite struct LimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let p = MotionParameters()
    #expect(p.rest == RestParameters())
    #expect(p.armAfter == .seconds(300) && p.standAfter == .seconds(5) && p.silenceAfter == .seconds(10))
    #expect(p.travelSpeed == 1 && p.continuedSpeed == 0.5 && p.travelConfirmation == .seconds(3))
    #expect(p.travelDisplacement == 15 && p.rideVibration == 0.6 && p.rideVibrationConfirmation == .seconds(10))
    #expect(p.worstAccuracy == 250 && p.assumedAccuracy == 8)
    #expect(p.handlingRate == 0.22 && p.handlingVibration == 0.8 && p.handlingConfirmation == .milliseconds(1500))
    #expect(p.tiltLimit == 0.1 && p.headingLimit == 0.14 && p.liftSpeed == 0.13 && p.carryForce == 0.6)
    #expect(p.shiftLimit == 0.5)
    #expect(p.touchDelay == .seconds(3) && p.armBy == .seconds(600))
    #expect(p.orientationConfirmation == .seconds(1) && p.parkedDisplacement == 25)
    #expect(p.calmAfter == .seconds(10) && p.quietAfter == .seconds(60) && p.stolenAfter == .seconds(20))
  }

  @Test func aRideStandsFiveSecondsAfterItsLastTravel() {
    var scene = FixScene()
    scene.fix(speed: 5, times: 10)
    let last = scene.clock
    scene.fix(times: 4)
    #expect(scene.monitor.phase == .riding)
    scene.fix(after: Interval(microseconds: 999_999))
    #expect(scene.monitor.phase == .riding)
    scene.fix(after: Interval(microseconds: 1))
    #expect(scene.monitor.phase == .settling)
    #expect(scene.events.standings.map(\.since) == [last] && scene.events.standings.map(\.cause) == [.observed])
  }

  @Test func oneMetrePerSecondBeginsTravelAndLessDoesNot() {
    for (speed, rides) in [(Double(Float(1).nextDown), false), (1, true)] {
      var scene = FixScene()
      scene.fix(speed: speed, times: 60)
      #expect((scene.monitor.phase == .riding) == rides, "\(speed)")
    }
  }

  @Test func halfAMetrePerSecondContinuesTravelAndLessDoesNot() {
    for (speed, rides) in [(Double(Float(0.5).nextDown), false), (0.5, true)] {
      var scene = FixScene()
      scene.fix(speed: 5, times: 10)
      scene.fix(speed: speed, times: 60)
      #expect((scene.monitor.phase == .riding) == rides, "\(speed)")
    }
  }

  @Test func speedMustHoldForThreeSecondsAndThreeFixes() {
    for (last, rides) in [(999_999, false), (1_000_000, true)] as [(Int64, Bool)] {
      var scene = FixScene()
      scene.fix(times: 5)
      scene.fix(speed: 2, times: 3)
      scene.fix(speed: 2, after: Interval(microseconds: last))
      #expect((scene.monitor.phase == .riding) == rides, "\(last)")
    }
    var rare = FixScene()
    rare.fix(after: .seconds(4), times: 5)
    rare.fix(speed: 2, after: .seconds(4), times: 2)
    #expect(rare.monitor.phase == .settling, "two fixes are no ride, however far apart")
    rare.fix(speed: 2, after: .seconds(4))
    #expect(rare.monitor.phase == .riding)
  }

  @Test func fifteenMetresInThreeFixesAreTravel() {
    for (distance, count, rides) in [
      (Float(15).nextUp, 2, false), (Float(15).nextUp, 3, true), (15, 20, false), (Float(30).nextUp, 2, false),
    ] {
      var scene = FixScene()
      scene.fix(speed: nil, times: 5)
      scene.fix(distance, speed: nil, times: count)
      #expect(scene.events.rideStarts.isEmpty != rides, "\(distance) \(count)")
    }
    // Against a receiver that says it stands, twice the distance.
    for (distance, rides) in [(30 as Float, false), (Float(30).nextUp, true)] {
      var scene = FixScene()
      scene.fix(times: 5)
      scene.fix(distance, speed: 0.29, times: 20)
      #expect(scene.events.rideStarts.isEmpty != rides, "\(distance)")
    }
    // And twice the accuracy: 2 × 50 m, the two errors together.
    for (distance, rides) in [(99 as Float, false), (101, true)] {
      var scene = FixScene()
      scene.fix(speed: nil, accuracy: 30, times: 5)
      scene.fix(distance, speed: nil, accuracy: 40, times: 20)
      #expect(scene.events.rideStarts.isEmpty != rides, "\(distance)")
    }
  }

  @Test func aFixGoodToTwoHundredAndFiftyMetresIsEvidenceAndAWorseOneIsNot() {
    for (accuracy, alarms) in [(250, true), (250.00001, false), (500, false)] {
      var scene = FixScene()
      scene.park()
      scene.fix(4000, accuracy: accuracy, times: 30)
      #expect(scene.events.movements.isEmpty != alarms, "\(accuracy)")
    }
  }

  @Test func withoutAStatedAccuracyEightMetresAreAssumed() {
    // Three times √(8² + 8²) is 33.94 m.
    for accuracy in [nil, .nan] as [Double?] {
      for (distance, alarms) in [(33.9 as Float, false), (34, true)] {
        var scene = FixScene()
        scene.park(accuracy: accuracy)
        scene.fix(distance, accuracy: accuracy, times: 30)
        #expect(scene.events.movements.isEmpty != alarms, "\(distance)")
      }
    }
  }

  @Test func twentyFiveMetresInThreeFixesAreMovementOfAParkedVehicle() throws {
    // Five, when they say that they stand.
    for (distance, speed, count, alarms) in [
      (Float(25).nextDown, nil, 20, false), (25, nil, 2, false), (25, nil, 3, true), (25, 0, 4, false),
      (25, 0, 5, true),
    ] as [(Float, Double?, Int, Bool)] {
      var scene = FixScene()
      scene.park()
      scene.fix(distance, speed: speed, times: count)
      #expect(scene.events.movements.isEmpty != alarms, "\(distance) \(count)")
      guard alarms else { continue }
      let evidence = try #require(scene.events.movements.first)
      #expect(evidence.detector == .displacement && evidence.ratio == 1 && evidence.displacement == 25)
      let passed = Interval.seconds(count - 1)
      #expect(evidence.onset == scene.clock - passed && evidence.duration == passed && evidence.tilt == nil)
    }
    // The three must follow each other.
    var wild = FixScene()
    wild.park()
    for _ in 0..<50 {
      wild.fix(60)
      wild.fix(0)
    }
    #expect(wild.events.movements.isEmpty)
    // Three times √(30² + 40²).
    for (distance, alarms) in [(149 as Float, false), (151, true)] {
      var scene = FixScene()
      scene.park(accuracy: 30)
      scene.fix(distance, accuracy: 40, times: 20)
      #expect(scene.events.movements.isEmpty != alarms, "\(distance)")
    }
  }

  @Test func anAlarmIsOverAfterSixtyQuietSecondsAndNotAMicrosecondBefore() {
    var scene = FixScene()
    scene.park()
    // Three fixes with speed, and it stands again.
    scene.fix(speed: 3, times: 4)
    #expect(scene.monitor.phase == .alarmed)
    let last = scene.clock
    scene.monitor.advance(to: last + Interval(microseconds: 59_999_999))
    #expect(scene.monitor.phase == .alarmed && scene.monitor.isArmed)
    scene.monitor.advance(to: last + .seconds(60))
    #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
    let quiet = scene.monitor.nextEvent()
    #expect(quiet?.time == last + .seconds(60) && quiet?.event == .quiet(lastMotion: last, displacement: 0))
  }

  @Test func twentySecondsOfTravelMakeATheftOfAnAlarm() {
    for (last, isStolen) in [(999_999, false), (1_000_000, true)] as [(Int64, Bool)] {
      var scene = FixScene()
      scene.park()
      let departure = scene.clock + .seconds(1)
      scene.fix(speed: 3, times: 20)
      scene.fix(speed: 3, after: Interval(microseconds: last))
      #expect((scene.monitor.phase == .stolen) == isStolen)
      #expect(scene.events.thefts == (isStolen ? [departure] : []) && scene.events.rideStarts.isEmpty)
    }
  }

  @Test func aSilenceDuringAnAlarmBeginsItsTravelAnew() {
    for (gap, isStolen) in [(10_000_000, true), (10_000_001, false)] as [(Int64, Bool)] {
      var scene = FixScene()
      scene.park()
      scene.fix(speed: 3, times: 15)
      scene.fix(speed: 3, after: Interval(microseconds: gap))
      scene.fix(speed: 3, times: 2)
      #expect((scene.monitor.phase == .stolen) == isStolen, "\(gap)")
    }
  }

  @Test func fiftyMetresAtBetterThanWalkingPaceInASilenceAreARideUnseen() {
    for (distance, seconds, isUnseen) in [
      (50 as Float, 20, false), (Float(50).nextUp, 20, true), (60, 60, false), (Float(60).nextUp, 60, true),
    ] {
      var scene = FixScene()
      scene.fix(speed: 5, times: 10)
      let lost = scene.clock
      scene.fix(distance, speed: nil, after: .seconds(seconds))
      let unseen = scene.events.compactMap { event -> MotionEvent? in
        if case .travelledUnseen = event.event { event.event } else { nil }
      }
      #expect(unseen == (isUnseen ? [.travelledUnseen(since: lost, distance: distance)] : []), "\(distance)")
      #expect((scene.monitor.phase == .riding) == isUnseen)
    }
    // Nor within twice the accuracy.
    var poor = FixScene()
    poor.fix(speed: 5, accuracy: 40, times: 10)
    poor.fix(100, speed: nil, accuracy: 40, after: .seconds(20))
    #expect(poor.monitor.phase == .settling)
  }

  /// Reception ends on the way and is back where it stands: it came there as fast as it was.
  @Test func whatIsFoundStandingCameThereAtItsLastSpeed() throws {
    // Metres, seconds, speed at the last fix; when it came, s after that, nil for the time of the fix.
    for (distance, seconds, speed, came) in [
      (60 as Float, 40, 5.0, 12.0), (60, 22, 5, 12), (60, 21, 5, nil), (15.1, 200, 5, 3), (15, 200, 5, Double.nan),
      (60, 80, 1, 60), (60, 80, 0.9, Double.nan), (60, 290, 5, 12),
    ] as [(Float, Int, Double, Double?)] {
      var scene = FixScene()
      scene.fix(speed: 5, times: 10)
      scene.fix(speed: speed)
      let lost = scene.clock
      scene.fix(distance, speed: 0, after: .seconds(seconds))
      for _ in 1...320 { scene.fix(distance, speed: 0) }
      let ends = scene.events.compactMap { event -> Double? in
        if case .parked(_, .some, let end?) = event.event { (end - lost).secondsDouble } else { nil }
      }
      if let came, came.isNaN {
        // Too near, or too slow, to tell: it stood where it was seen last, or is seen to be elsewhere.
        #expect(
          !scene.events.contains { if case .travelledUnseen = $0.event { true } else { false } },
          "\(distance) \(seconds)")
      } else {
        #expect(
          ends.count == 1 && abs(ends[0] - (came ?? Double(seconds))) <= 5.1, "\(distance) \(seconds) \(speed): \(ends)"
        )
        #expect(scene.events.rideStarts.count == 1, "\(scene.events)")
      }
    }
  }

  /// Found standing at the end of a tunnel, it may stand in a jam for as long as anywhere; where it must have stood before, it is parked.
  @Test func whatIsFoundStandingStandsFromThenOnIfThatCanBeATunnel() throws {
    for (silence, jam, isOne) in [(300, 280, true), (300, 310, false), (301, 20, false), (40, 280, true)] {
      var scene = FixScene()
      scene.fix(speed: 5, times: 10)
      scene.fix(60, speed: 0, after: .seconds(silence))
      for _ in 1...jam { scene.fix(60, speed: 0) }
      for second in 1...30 { scene.fix(60 + 5 * Float(second), speed: 5) }
      // Parked, it is armed, and what sets off then is no ride.
      let isRiding = scene.monitor.phase == .riding
      #expect(isRiding == isOne, "\(silence) \(jam)")
    }
  }

  /// Errors of a receiver without speeds keep it away from where it was seen first, for minutes.
  @Test func withoutSpeedsARideIsNoOlderThanItsPaceMakesItsWay() throws {
    var scene = FixScene()
    scene.fix(speed: nil, accuracy: 5, times: 10)
    // Half of what counts, and more.
    for second in 0..<250 { scene.fix(8 + Float(second % 3), speed: nil, accuracy: 5) }
    let start = scene.clock
    for second in 1...30 { scene.fix(8 + 5 * Float(second), speed: nil, accuracy: 5) }
    let onset = try #require(scene.events.rideStarts.first)
    #expect(abs((onset - start).secondsDouble) <= 3, "\(onset - start)")
  }

  @Test func eventsWaitUpToSixteenAndWhatIsLostIsCounted() {
    var monitor = MotionMonitor()
    monitor.advance(to: .zero)
    monitor.advance(to: .seconds(300))
    for step in 1...14 { monitor.setAlerts(enabled: step % 2 == 0, at: .seconds(300 + step)) }
    #expect(monitor.lostEventCount == 0)
    monitor.setAlerts(enabled: false, at: .seconds(400))
    #expect(monitor.lostEventCount == 1 && !monitor.isArmed)
    var count = 0
    while monitor.nextEvent() != nil { count += 1 }
    #expect(count == 16)
  }
}
