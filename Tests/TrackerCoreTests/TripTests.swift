import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A tracker without an inertial sensor on a way to the north, a fix a second.
private final class Way {
  var tracker = Tracker()
  /// The ride that is under way, or was the last.
  var trip: Trip? { tracker.lastTrip }
  private(set) var packets: [Packet] = []
  private(set) var state: [UInt8] = []
  private(set) var now: Instant
  private var north = 0.0
  /// Whether there is a barometer, which feels the air of a standard day.
  var hasBarometer = false
  /// UTC at the zero of the clock, s; nil while the receiver has none.
  var utcAtZero: Int64?

  init(at start: Instant = .seconds(1000)) { now = start }

  func settle() {
    while let action = tracker.nextAction() {
      switch action {
      case .persist:
        var bytes = GrowingBytes()
        tracker.encodeState(into: &bytes)
        state = bytes.bytes
      case .transmit(let sequence, _):
        if let place = tracker.outbox.place(of: sequence) { packets.append(tracker.outbox.packet(at: place)) }
      default: break
      }
    }
  }

  /// Travels at a speed for some seconds, on a slope.
  func go(_ speed: Double, for seconds: Int, from height: Double = 50, slope: Double = 0, hasHeight: Bool = true) {
    for second in 0..<seconds {
      now = now + .seconds(1)
      north += speed
      tracker.advance(to: now)
      settle()
      if hasBarometer {
        let level = 1 - (height + slope * speed * Double(second)) / 44_330.77
        let pascals = UInt32(101_325 * Elementary.pow(level, 5.255_88) + 0.5)
        if let reading = PressureReading(time: now, pascals: pascals) { tracker.process(.pressure(reading)) }
        settle()
      }
      var fix = GNSSFix(time: now)
      fix.mode = hasHeight ? .threeDimensional : .twoDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4)
      fix.heightAboveSeaLevel = height + slope * speed * Double(second)
      fix.verticalAccuracy = 2
      fix.speed = speed
      fix.horizontalAccuracy = 3
      fix.utc = utcAtZero.map { UTCTime(microseconds: $0 * 1_000_000 + now.microseconds) }
      tracker.process(fix)
      settle()
    }
  }

  /// Stands until it is parked.
  func park(from height: Double = 50) { go(0, for: 310, from: height) }

  /// Power goes, and comes back some seconds later with the clock at zero; it was ridden on at a speed meanwhile.
  func losePower(for seconds: Int64 = 0, riding speed: Double = 0) {
    let kept = state
    tracker = Tracker()
    if let before = utcAtZero { utcAtZero = before + now.microseconds / 1_000_000 + seconds }
    north += speed * Double(seconds)
    now = .zero
    let isRestored = tracker.restore(kept.span, at: .zero)
    #expect(isRestored)
    settle()
  }
}

private func near(_ value: Interval, _ seconds: Double, within bound: Double = 3) -> Bool {
  (value.secondsDouble - seconds).magnitude <= bound
}

@Suite struct TripTests {
  @Test func aRideHasItsTimesItsSpeedsAndItsClimb() throws {
    let way = Way()
    #expect(way.trip == nil)
    way.go(0, for: 30)
    #expect(way.trip == nil)
    way.go(10, for: 100, slope: 0.05)
    let running = try #require(way.trip)
    #expect(running.end == nil && near(running.start - .seconds(1030), 0) && near(running.moving, 100))
    way.go(0, for: 60, from: 100)
    way.go(5, for: 100, from: 100, slope: -0.05)
    way.park(from: 75)
    let trip = try #require(way.trip)
    let end = try #require(trip.end)
    #expect(near(trip.start - .seconds(1030), 0) && near(end - .seconds(1290), 0))
    #expect(near(trip.moving, 200) && (trip.distance - 1500).magnitude < 15, "\(trip)")
    #expect(trip.distance == way.tracker.lastRideDistance)
    #expect(trip.topSpeed == 10)
    #expect(((trip.climb ?? 0) - 50).magnitude <= 5 && trip.climbUncertainty == 10, "\(trip)")
    #expect(((trip.meanSpeed ?? 0) - 7.5).magnitude < 0.2)
  }

  @Test func thePacketOfARideHasItsNumbersAndNoOtherPacketHasThem() throws {
    let way = Way()
    way.go(0, for: 30)
    way.go(8, for: 120, slope: 0.1)
    way.park(from: 146)
    let ride = try #require(way.packets.last { $0.kind == .ride })
    let numbers = try #require(ride.ride)
    #expect(near(numbers.end - numbers.start, 120) && (Int(numbers.distanceMetres) - 960).magnitude <= 8)
    #expect((Int(numbers.movingSeconds ?? 0) - 120).magnitude <= 3 && numbers.topSpeedCentimetres == 800)
    #expect((Int(numbers.climbMetres ?? 0) - 96).magnitude <= 6, "\(numbers)")
    #expect(way.packets.count { $0.ride != nil } == 1)
    // Each ride begins anew; with alerts it would be a theft.
    way.tracker.submit(.setAlerts(enabled: false), at: way.now)
    way.settle()
    way.go(4, for: 60, from: 146, hasHeight: false)
    way.go(0, for: 310, hasHeight: false)
    let last = try #require(way.packets.last { $0.kind == .ride })
    let next = try #require(last.ride)
    #expect(last.sequence > ride.sequence && next.topSpeedCentimetres == 400)
    #expect((Int(next.movingSeconds ?? 0) - 60).magnitude <= 3 && next.climbMetres == nil)
  }

  @Test func aRideGoesOnOverARestartWithItsNumbers() throws {
    let way = Way()
    way.go(0, for: 30)
    way.go(10, for: 100, slope: 0.05)
    way.losePower()
    way.go(10, for: 100, from: 100, slope: 0.05)
    way.park(from: 150)
    let trip = try #require(way.trip)
    let end = try #require(trip.end)
    // What was kept last is up to ten seconds old, as a restart is at zero.
    #expect(near(end - trip.start, 200, within: 12) && near(trip.moving, 200, within: 14), "\(trip)")
    #expect(trip.topSpeed == 10 && ((trip.climb ?? 0) - 100).magnitude < 18, "\(trip)")
    // The last one is there after another.
    way.losePower()
    let kept = try #require(way.trip)
    #expect(kept.moving == trip.moving && kept.topSpeed == trip.topSpeed && kept.climb == trip.climb)
    #expect(kept.end.map { $0 - kept.start } == end - trip.start && kept.climbUncertainty == trip.climbUncertainty)
  }

  @Test func aStateOfBeforeThereWereTripsIsRead() throws {
    let way = Way()
    way.go(0, for: 30)
    way.go(10, for: 100)
    var fields = try #require(KeptFields(way.state))
    #expect(fields.ride != nil)
    (fields.ride, fields.disagreement, fields.keptUTC, fields.ends) = (nil, 0, nil, 0)
    // Without the byte that says that there is none.
    let sections = fields.sections.map { section in
      guard section.tag == 3 else { return section }
      var older = section
      older.content.removeLast()
      return older
    }
    var tracker = Tracker()
    let state = sections.flatMap(\.bytes)
    let isRestored = tracker.restore(state.span, at: .zero)
    let before = tracker.lastTrip
    #expect(isRestored && before == nil)
    while tracker.nextAction() != nil {}
    tracker.advance(to: .seconds(400))
    while tracker.nextAction() != nil {}
    // The ride is over, and all that is known of it is how long it took.
    let last = tracker.lastTrip
    let trip = try #require(last)
    #expect(trip.end.map { $0 - trip.start } == trip.moving && trip.topSpeed == nil && trip.climb == nil)
    #expect((trip.moving.secondsDouble - 100).magnitude < 14 && trip.distance > 0)
  }

  @Test func theRideIsToldWhenItIsAskedFor() throws {
    let way = Way()
    func ask() throws -> Packet {
      let request = try #require(Request(text: "status trip"))
      way.tracker.submit(request, at: way.now)
      way.settle()
      return try #require(way.packets.last { $0.status?.reason == .trip })
    }
    let none = try ask()
    #expect(none.ride == nil)
    way.go(0, for: 30)
    way.go(10, for: 60, slope: 0.1)
    way.go(0, for: 40, from: 109)
    let running = try #require(try ask().ride)
    #expect((Int(running.distanceMetres) - 600).magnitude <= 6 && near(running.end - running.start, 100), "\(running)")
    #expect((Int(running.movingSeconds ?? 0) - 60).magnitude <= 3 && running.topSpeedCentimetres == 1000)
    #expect((Int(running.climbMetres ?? 0) - 59).magnitude <= 6)
    way.park(from: 109)
    let last = try #require(try ask().ride)
    #expect(last.distanceMetres == running.distanceMetres && near(last.end - last.start, 60), "\(last)")
  }

  @Test func aBarometerTellsTheClimbBetterThanSatellites() throws {
    let way = Way()
    way.go(0, for: 30)
    way.hasBarometer = true
    // 4 m up are less than the noise of satellites, and more than that of a barometer.
    way.go(8, for: 50, slope: 0.01)
    way.go(8, for: 50, from: 54, slope: -0.01)
    way.go(8, for: 50, slope: 0.01)
    way.park(from: 54)
    let trip = try #require(way.trip)
    #expect(((trip.climb ?? 0) - 8).magnitude <= 2 && trip.climbUncertainty <= 3, "\(trip)")
    way.hasBarometer = false
    let without = Way()
    without.go(0, for: 30)
    without.go(8, for: 50, slope: 0.01)
    without.park(from: 54)
    #expect(without.trip?.climb == 0)
  }

  @Test func theHeightOfAPressureIsThatOfTheStandardAtmosphere() throws {
    // [standard-atmosphere] table 1, geopotential metres.
    for (pascals, height) in [(101_325, 0), (89_875, 1000), (70_109, 3000), (54_020, 5000), (30_742, 9000)]
      as [(UInt32, Float)]
    {
      let reading = try #require(PressureReading(time: .zero, pascals: pascals))
      #expect((reading.height - height).magnitude < 1, "\(pascals) Pa: \(reading.height) m")
    }
    for (pascals, isThere) in [(29_999, false), (30_000, true), (110_000, true), (110_001, false)] as [(UInt32, Bool)] {
      #expect((PressureReading(time: .zero, pascals: pascals) != nil) == isThere)
    }
  }

  @Test func theParkingPlaceIsToldWhenItIsAskedForAndOnlyWhileItIsParked() throws {
    let bench = try RequestBench()
    try bench.fix()
    #expect(try bench.ask("#1 parking") == "unknownParking")
    try bench.stand(60)
    try #require(bench.run.isArmed)
    _ = bench.news()
    #expect(try bench.ask("#2 parking") == "located")
    let told = bench.news()
    #expect(told.count == 2 && told[0].contains("\"type\":\"parking\"") && told[0].contains("\"latitude\":52.0000000"))
    #expect(told[1].contains("\"request\":2"))
    #expect(try bench.ask("parking") == "obeyed" && bench.news().count == 1)
    // At a secure place nobody is told by itself, but who asks is.
    #expect(try bench.ask("secure \"home\"") == "secured")
    _ = bench.news()
    #expect(try bench.ask("parking") == "obeyed" && bench.news().first?.contains("\"type\":\"parking\"") == true)
    // A touch is no departure.
    try bench.stand(2, leaning: 0.03)
    #expect(try bench.ask("#3 parking") == "located")
    #expect(Request(text: "parking now") == nil)
  }

  /// Power goes after 110 s of a ride, and comes back; what was kept is up to 20 s older.
  @Test(arguments: [(off: 30, speed: 10.0), (30, 0), (200, 5), (290, 0)])
  func theTimesOfARideTakeInHowLongTheTrackerWasOff(off: Int, speed: Double) throws {
    for isTold in [true, false] {
      let way = Way()
      way.utcAtZero = 1_700_000_000
      way.go(0, for: 30)
      way.go(10, for: 110)
      way.losePower(for: Int64(off), riding: speed)
      if !isTold { way.utcAtZero = nil }
      way.go(10, for: 100)
      way.park()
      let trip = try #require(way.trip)
      let end = try #require(trip.end)
      let whole = Double(110 + (isTold ? off : 0) + 100)
      #expect(near(end - trip.start, whole, within: isTold ? 6 : 25), "\(off) s: \(trip)")
      #expect(near(trip.moving, 210 + (isTold ? Double(off) * speed / 10 : 0), within: 25), "\(off) s: \(trip)")
      #expect(trip.meanSpeed.map { $0 <= 11 } ?? true, "\(trip)")
      let ride = try #require(way.packets.last { $0.ride != nil }?.ride)
      #expect(ride.start == trip.start && ride.end == trip.end)
    }
  }

  /// Off for longer than a ride stands: what was under way ended when it was heard of last, or when it arrived, and what comes is another.
  @Test(arguments: [(off: 320, metres: 0.0), (72_000, 0), (72_000, 400), (72_000, 30_000)], [0, 100])
  func aRideEndsWhereTheTrackerWasOffForLongerThanRidesStand(case: (off: Int, metres: Double), again: Int) throws {
    let (off, metres) = `case`
    let way = Way()
    way.utcAtZero = 1_700_000_000
    way.go(0, for: 30)
    way.go(10, for: 110)
    way.losePower(for: Int64(off), riding: metres / Double(off))
    way.go(10, for: again)
    way.park()
    let rides = way.packets.compactMap(\.ride)
    try #require(rides.count == (again > 0 ? 2 : 1), "\(rides)")
    let first = rides[0]
    // What arrives within minutes has ridden there; what is farther away than that is not known to have.
    let isArrival = metres > 0 && metres < 3000
    #expect(near(first.end - first.start, 110 + (isArrival ? metres / 10 : 0), within: 25), "\(first)")
    let whole = 1100 + (isArrival ? metres : 0)
    // What was kept last is some seconds old; from where that was it is not known to have ridden 30 km.
    let bound = metres > 3000 ? 120.0 : 40
    #expect(abs(Double(first.distanceMetres) - whole) < bound, "\(first)")
    #expect(abs(way.tracker.distance - whole - Double(again) * 10) < bound, "\(way.tracker.distance)")
    let (end, begin) = (first.end, try #require(way.trip).start)
    if again > 0 {
      #expect(near(rides[1].end - rides[1].start, Double(again)) && near(begin - end, Double(off), within: 45))
      #expect(abs(Double(rides[1].distanceMetres) - Double(again) * 10) < 25)
    }
  }

  /// A clock that was never right is no reason to lose the odometer, and moves no ride.
  @Test func aKeptClockOfAnotherCenturyIsNoDamage() throws {
    let way = Way()
    way.utcAtZero = 1_700_000_000
    way.go(0, for: 30)
    way.go(10, for: 110)
    var fields = try #require(KeptFields(way.state))
    let kept = fields.distance
    #expect(fields.keptUTC != nil && fields.toldSecond != nil && kept > 900)
    for wrong in [.min, -1, 0, 7_258_118_400_000_000, .max] as [Int64] {
      fields.keptUTC = wrong
      var tracker = Tracker()
      let state = fields.bytes
      let isRestored = tracker.restore(state.span, at: .zero)
      #expect(isRestored)
      let (distance, trip) = (tracker.distance, tracker.lastTrip)
      #expect(distance == kept && trip != nil && trip?.end == nil, "\(wrong)")
    }
  }

  @Test func aClockThatWasSetBackOrWrongBeforeShiftsNoRide() throws {
    for wrong in [-5000, 40_000_000] as [Int64] {
      let way = Way()
      way.utcAtZero = 1_700_000_000
      way.go(0, for: 30)
      way.go(10, for: 110)
      way.losePower(for: wrong)
      way.go(10, for: 100)
      way.park()
      let trip = try #require(way.trip)
      #expect(near(try #require(trip.end) - trip.start, 210, within: 25), "\(wrong): \(trip)")
    }
  }

  @Test func aSilenceCountsAsMovingForAsLongAsTheWayTakes() throws {
    let way = Way()
    way.go(0, for: 30)
    way.go(10, for: 100)
    // A tunnel of 600 m, in which it stands for 140 s.
    way.wait(200)
    way.go(600, for: 1)
    way.go(10, for: 20)
    way.park()
    let trip = try #require(way.trip)
    #expect(near(trip.moving, 100 + 60 + 20, within: 8), "\(trip)")
    #expect(trip.end.map { near($0 - trip.start, 100 + 201 + 20) } == true)
  }
}

extension Way {
  /// Nothing is heard for some seconds.
  fileprivate func wait(_ seconds: Int) {
    now = now + .seconds(seconds)
    tracker.advance(to: now)
    settle()
  }
}
