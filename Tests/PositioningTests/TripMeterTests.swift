import Positioning
import Quantities
import Testing

private func place(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
  try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

/// A ride on a plane at 52° north, a fix at a time.
private struct Ride {
  private let plane: LocalTangentPlane
  private(set) var meter = TripMeter()
  private(set) var previous: TripMeter.Sight?
  private var now = Instant.zero

  init() throws { plane = LocalTangentPlane(origin: try place(52, 13)) }

  var distance: Double { meter.distance }

  /// A fix so many metres east and north of the beginning, so many seconds after the one before.
  mutating func fix(
    _ east: Double, _ north: Double = 0, after seconds: Double = 1, speed: Double? = nil, accuracy: Double? = nil,
    isTravelling: Bool = true, straightness: Float = 1, moved: Float = 0
  ) throws {
    now = now + Interval(microseconds: Int64(seconds * 1e6))
    let down = (east * east + north * north) / (2 * 6_371_000)
    let position = try #require(plane.position(at: LocalOffset(east: east, north: north, up: -down))).position
    let sight = TripMeter.Sight(time: now, position: position, speed: speed, accuracy: accuracy)
    meter.record(
      sight, after: previous, isTravelling: isTravelling, straightness: straightness, unseenFor: moved)
    previous = sight
  }

  /// A hundred metres east, a fix a second, at speeds that tell so much of the way.
  mutating func set(off share: Double = 1, speed: Double = 10, metres: Double = 100) throws {
    var east = 0.0
    while east <= metres {
      try fix(east, speed: speed * share)
      east += speed
    }
  }
}

/// Within so many metres.
private func near(_ value: Double, _ expected: Double, within: Double = 0.01) -> Bool {
  (value - expected).magnitude <= within
}

struct TripMeterTests {
  @Test func aStraightWayIsAsLongAsItIsHoweverItIsCutIntoFixes() throws {
    for step in [1.0, 3, 5.01, 7, 50] {
      var ride = try Ride()
      var along = 0.0
      while along < 1000 {
        try ride.fix(0.8 * along, 0.6 * along)
        along += step
      }
      #expect(ride.distance <= along - step + 0.01 && ride.distance > along - step - 6, "\(step) \(ride.distance)")
    }
  }

  /// Both sides of four metres and a half.
  @Test func aStepCountsFromFourMetresAndAHalfOn() throws {
    var ride = try Ride()
    try ride.fix(0)
    try ride.fix(4.49)
    #expect(ride.distance == 0)
    try ride.fix(4.51)
    #expect(near(ride.distance, 4.51))
  }

  /// What a receiver with 0.8 m of noise sees of a straight road at 3 m/s: from fix to fix it would be 8 % too long.
  @Test func theNoiseOfFixesMakesAWayHardlyLonger() throws {
    var places = Places(seed: 61)
    var ride = try Ride()
    var chords = 0.0
    var last = (east: 0.0, north: 0.0)
    for second in 0...2000 {
      let here = (
        east: 3 * Double(second) + places.uniform(-1, 1) + places.uniform(-1, 1),
        north: places.uniform(-1, 1) + places.uniform(-1, 1)
      )
      try ride.fix(here.east, here.north)
      if second > 0 {
        let step = (east: here.east - last.east, north: here.north - last.north)
        chords += (step.east * step.east + step.north * step.north).squareRoot()
      }
      last = here
    }
    #expect(chords > 6000 * 1.07)
    #expect(ride.distance > 6000 * 0.99 && ride.distance < 6000 * 1.05, "\(ride.distance)")
  }

  /// Blocks of 100 to 120 m with a right angle behind each, and a fix every 20 m: the corner lies anywhere between two.
  @Test func cornersThatRareFixesCutAreAdded() throws {
    var places = Places(seed: 41)
    var ride = try Ride()
    var chords = 0.0
    var last: (east: Double, north: Double)?
    var corner = (east: 0.0, north: 0.0)
    var direction = (east: 1.0, north: 0.0)
    var along = 0.0
    var count = 0
    for block in 0..<400 {
      let length = places.uniform(100, 120)
      while along <= length {
        let here = (east: corner.east + along * direction.east, north: corner.north + along * direction.north)
        try ride.fix(here.east, here.north, after: 5)
        if let last {
          let step = (east: here.east - last.east, north: here.north - last.north)
          chords += (step.east * step.east + step.north * step.north).squareRoot()
        }
        last = here
        count += 1
        along += 20
      }
      corner = (corner.east + length * direction.east, corner.north + length * direction.north)
      along -= length
      // To and fro, so that the ride stays where the plane is one.
      direction = block % 2 == 0 ? (0, places.uniform(0, 1) < 0.5 ? 1 : -1) : (places.uniform(0, 1) < 0.5 ? 1 : -1, 0)
    }
    let whole = 20 * Double(count - 1)
    #expect(chords < 0.97 * whole)
    #expect((ride.distance / whole - 1).magnitude < 0.012, "\(ride.distance / whole)")
  }

  /// A circle of 50 m radius, a fix every 20 m: the chords are 0.7 % short.
  @Test func aWideBendIsHardlyLongerThanItIs() throws {
    var ride = try Ride()
    for step in 0...300 {
      let angle = 20 * Double(step) / 50
      try ride.fix(50 * Elementary.sin(angle), 50 * Elementary.cos(angle), after: 5)
    }
    #expect(ride.distance > 6000 && ride.distance < 6000 * 1.012, "\(ride.distance)")
  }

  /// The turn of a stop says nothing: after ten seconds, and not a microsecond earlier, anything may have happened.
  @Test func aTurnInASilenceIsNoCorner() throws {
    func way(after seconds: Double) throws -> Double {
      var ride = try Ride()
      try ride.fix(0)
      try ride.fix(20)
      try ride.fix(20, 20, after: seconds)
      return ride.distance
    }
    #expect(try near(way(after: 10), 40 + 0.1 * 2 * 20))
    #expect(try near(way(after: 10.000001), 40))
  }

  @Test func turningBackAddsNoMoreThanARightAngle() throws {
    var ride = try Ride()
    try ride.fix(0)
    try ride.fix(20)
    try ride.fix(0)
    #expect(near(ride.distance, 40 + 0.1 * 2 * 20))
  }

  /// Of a short and a long step only as much was cut as the short one has.
  @Test func aCornerIsAsLongAsItsShorterStep() throws {
    var ride = try Ride()
    try ride.fix(0)
    try ride.fix(100)
    try ride.fix(100, 10)
    #expect(near(ride.distance, 110 + 0.1 * 2 * 10))
  }

  // MARK: At rest

  @Test func theLastStepEndsWhereItComesToStand() throws {
    var ride = try Ride()
    try ride.set()
    try ride.fix(104)
    #expect(near(ride.distance, 100))
    try ride.fix(106, 3, isTravelling: false)
    try ride.fix(101, isTravelling: false)
    #expect(near(ride.distance, 104))
    try ride.fix(120)
    #expect(near(ride.distance, 120))
  }

  @Test func theWanderOfAStandingReceiverAddsNothing() throws {
    var places = Places(seed: 32)
    var ride = try Ride()
    try ride.set()
    let before = ride.distance
    for _ in 0..<2000 {
      try ride.fix(100 + places.uniform(-30, 30), places.uniform(-30, 30), isTravelling: false)
    }
    #expect(ride.distance == before)
    try ride.fix(600)
    // It sets off from where it stood; the last wander may have been on the way.
    #expect(ride.distance - before > 490 && ride.distance - before < 540)
  }

  /// At lights, when motion detection does not know yet that it stands.
  @Test func aReceiverThatTellsThatItStandsMustLeaveItsRadius() throws {
    var ride = try Ride()
    try ride.set()
    let before = ride.distance
    for turn in 0..<20 { try ride.fix(100 + (turn % 2 == 0 ? 4.9 : 0), speed: 0.49, accuracy: 5) }
    #expect(ride.distance == before)
    try ride.fix(105.1, speed: 0.49, accuracy: 5)
    #expect(near(ride.distance - before, 5.1))
    // Half a metre a second is a walk.
    try ride.fix(109.9, speed: 0.49, accuracy: 5)
    #expect(near(ride.distance - before, 5.1))
    try ride.fix(109.9, speed: 0.5, accuracy: 5)
    #expect(near(ride.distance - before, 9.9))
  }

  @Test func theWayBeforeItIsKnownToTravelIsCountedWithItsCorners() throws {
    var ride = try Ride()
    try ride.fix(0, isTravelling: false)
    for step in 1...8 { try ride.fix(10 * Double(step), isTravelling: false) }
    for step in 1...6 { try ride.fix(80, 10 * Double(step), isTravelling: false) }
    #expect(ride.distance == 0)
    try ride.fix(80, 70)
    #expect(near(ride.distance, 152))
  }

  /// Both sides of one and a half.
  @Test func aWayToAndFroWasNoWay() throws {
    func way(back: Double) throws -> Double {
      var ride = try Ride()
      try ride.fix(0, isTravelling: false)
      try ride.fix(100, after: 20, isTravelling: false)
      try ride.fix(100 - back, after: 20, isTravelling: false)
      try ride.fix(100, after: 20)
      return ride.distance
    }
    #expect(try near(way(back: 19.9), 139.8) && near(way(back: 20.1), 100))
  }

  /// Both sides of 15 m, and of a radius that is larger.
  @Test func nearWhereItStoodItStandsStill() throws {
    func way(_ metres: Double, accuracy: Double? = nil) throws -> Double {
      var ride = try Ride()
      try ride.fix(0, isTravelling: false)
      try ride.fix(metres, accuracy: accuracy, isTravelling: false)
      try ride.fix(2 * metres, 0.75 * metres, accuracy: accuracy)
      return ride.distance
    }
    // Two steps with a bend of cosine 0.8 between them, or the straight line.
    let (steps, line) = (2.25 + 0.1 * 0.4, 4.5625.squareRoot())
    #expect(try near(way(15.1), 15.1 * steps) && near(way(14.9), 14.9 * line))
    #expect(try near(way(29, accuracy: 30), 29 * line) && near(way(31, accuracy: 30), 31 * steps))
  }

  // MARK: Jumps

  /// From Berlin to Washington within a second, as when a second receiver is plugged in.
  @Test func aStepThatNoVehicleCanMakeIsNotTravelled() throws {
    func sight(_ latitude: Double, _ longitude: Double, at seconds: Int) throws -> TripMeter.Sight {
      TripMeter.Sight(time: .zero + .seconds(seconds), position: try place(latitude, longitude))
    }
    let berlin = try sight(52.5, 13.4, at: 0)
    let nearby = try sight(52.501, 13.4, at: 10)
    let washington = try sight(38.9, -77, at: 11)
    let further = try sight(38.901, -77, at: 21)
    var meter = TripMeter(distance: 1000, last: berlin.position)
    meter.record(nearby, after: berlin, isTravelling: true)
    let before = meter.distance
    #expect(before > 1100)
    meter.record(washington, after: nearby, isTravelling: true)
    #expect(meter.distance == before && meter.last == washington.position)
    meter.record(further, after: washington, isTravelling: true)
    #expect(near(meter.distance - before, 111, within: 1))
    // Also where it stands, or the way back would be travelled later.
    var back = berlin
    back.time = .zero + .seconds(22)
    meter.record(back, after: further, isTravelling: false)
    #expect(meter.last == berlin.position)
  }

  /// Both sides of a kilometre, and of 150 m/s.
  @Test func aStepIsTravelledUpToAKilometreOrAt150MetresPerSecond() throws {
    func isTravelled(metres: Double, seconds: Double) throws -> Bool {
      var ride = try Ride()
      try ride.fix(0)
      try ride.fix(metres, after: seconds)
      return ride.distance > 0
    }
    #expect(try isTravelled(metres: 999, seconds: 0.001) && !isTravelled(metres: 1001, seconds: 0.001))
    #expect(try isTravelled(metres: 2990, seconds: 20) && !isTravelled(metres: 3010, seconds: 20))
  }

  @Test func aJumpThatSpeedsDenyIsAsLongAsTheyTell() throws {
    func added(_ metres: Double, share: Double = 1, before: Double = 100, after seconds: Double = 1) throws -> Double {
      var ride = try Ride()
      try ride.set(off: share, metres: before)
      let way = ride.distance
      try ride.fix(before + metres, after: seconds, speed: 10 * share)
      return ride.distance - way
    }
    // Beyond 20 m and three times 10 m.
    #expect(try near(added(49.9), 49.9) && near(added(50.1), 10))
    // Speeds that have been wrong, or for less than 50 m, deny nothing.
    #expect(try near(added(100, share: 0.69), 100) && near(added(100, share: 1.41), 100))
    #expect(try near(added(100, share: 0.71), 7.1) && near(added(100, share: 1.39), 13.9))
    #expect(try near(added(100, before: 50), 100) && near(added(100, before: 60), 10))
    // Nor of a silence.
    #expect(try near(added(330, after: 10), 100) && near(added(330, after: 10.1), 330))
  }

  @Test func theWayBackFromAJumpIsNotTravelled() throws {
    var ride = try Ride()
    try ride.set()
    try ride.fix(110, 300, speed: 10)
    try ride.fix(120, speed: 10)
    try ride.fix(130, speed: 10)
    #expect(near(ride.distance, 130))
  }

  // MARK: Uncertainty

  /// Variance of where a way begins, by fixes that are taken for good to 5 m as they tell nothing, m².
  private static let end = 12.5

  @Test func withoutCornersAndSilencesItIsThatOfTheScaleAndOfWhereItBegan() throws {
    var ride = try Ride()
    try ride.set(metres: 1000)
    #expect(near(ride.meter.uncertainty, (36 + TripMeterTests.end).squareRoot()))
    #expect(ride.meter.corners < 0.001 && ride.meter.silences == 0)
  }

  @Test func aQuarterOfWhatCornersAddIsInDoubt() throws {
    var ride = try Ride()
    try ride.fix(0)
    try ride.fix(20)
    try ride.fix(20, 20)
    let scale = 0.006 * 44
    #expect(near(ride.meter.corners, 4))
    #expect(near(ride.meter.uncertainty, (scale * scale + 0.96 * 0.96 + TripMeterTests.end).squareRoot()))
  }

  @Test func aBentWayInASilenceIsAsLongAsItsTurnsShow() throws {
    struct Bend {
      var east = 300.0
      var north = 300.0
      var seconds = 47.0
      var straightness: Float = 0.9003
      var moved: Float = 47
      var speed: Double? = 11
      /// 424.3 m straight.
      var way: Double
    }
    let bends = [
      // A quarter of a circle of 300 m, 471.2 m, and the speeds of its ends.
      Bend(way: 472.9), Bend(moved: 40, way: 470.1), Bend(speed: 8, way: 467.8), Bend(speed: nil, way: 424.3),
      // Straight on, however slow or fast it comes out.
      Bend(straightness: 0.9999, speed: 5, way: 424.3), Bend(straightness: 0.9999, speed: 20, way: 425),
      // Out where it went in, at the speed of its ends; a gyroscope that errs hardly matters.
      Bend(east: 0, north: 6, seconds: 60, straightness: 0.001, moved: 55, speed: 10, way: 550),
      Bend(east: 0, north: 6, seconds: 60, straightness: 0.1, moved: 55, speed: 10, way: 509.9),
      // As far as a gyroscope knows the direction.
      Bend(seconds: 180, moved: 100, way: 494.2), Bend(seconds: 180.1, moved: 100, way: 424.3),
      Bend(seconds: 10, straightness: 0.5, moved: 10, speed: 60, way: 424.3),
      Bend(seconds: 10.1, straightness: 0.75, moved: 10, speed: 60, way: 569),
    ]
    for bend in bends {
      var ride = try Ride()
      try ride.set(metres: 0)
      try ride.fix(0, 0, speed: bend.speed)
      let before = ride.distance
      try ride.fix(
        bend.east, bend.north, after: bend.seconds, speed: bend.speed, straightness: bend.straightness,
        moved: bend.moved)
      #expect(near(ride.distance - before, bend.way, within: 0.6), "\(bend): \(ride.distance - before)")
      if bend.seconds > 10 { #expect(near(ride.meter.silences.squareRoot(), bend.way, within: 0.6), "\(bend)") }
      // It counts once.
      try ride.fix(bend.east + 10, bend.north, after: 1, speed: 10)
      #expect(near(ride.distance - before, bend.way + 10, within: 2.5), "\(bend): \(ride.distance - before)")
    }
  }

  @Test func halfOfEachSilenceIsInDoubt() throws {
    var ride = try Ride()
    try ride.fix(0)
    try ride.fix(300, after: 30)
    try ride.fix(310)
    try ride.fix(710, after: 30)
    let scale = 0.006 * 710
    #expect(near(ride.meter.uncertainty, (scale * scale + 150 * 150 + 200 * 200 + TripMeterTests.end).squareRoot()))
    // What was no way is not in doubt.
    var standing = try Ride()
    try standing.fix(0, isTravelling: false)
    try standing.fix(100, after: 30, isTravelling: false)
    try standing.fix(0, after: 1, isTravelling: false)
    #expect(standing.meter.uncertainty == 0)
  }

  // MARK: Over a restart

  @Test func oneThatGoesOnIsWhereItWas() throws {
    var ride = try Ride()
    try ride.set()
    let last = ride.meter.last
    var meter = TripMeter(distance: ride.distance, last: last)
    #expect(meter.distance == ride.distance && meter.last == last)
    let doubtful = TripMeter(distance: 0, last: last, corners: 3, silences: 4)
    #expect(doubtful.corners == 3 && doubtful.silences == 4)
    let there = try place(52, 13.01)
    meter.record(TripMeter.Sight(time: .zero, position: there), isTravelling: true)
    let way = Geodesic(from: try #require(last), to: there).distance
    #expect(near(meter.distance, ride.distance + way, within: 0.001))
  }

  /// Whatever comes in, it is a number and does not fall.
  @Test func theDistanceNeverFalls() throws {
    var places = Places(seed: 71)
    for _ in 0..<50 {
      var meter = TripMeter()
      var previous: TripMeter.Sight?
      var before = 0.0
      for _ in 0..<200 {
        let here =
          try places.uniform(0, 1) < 0.05 || previous == nil
          ? places.next() : places.neighbour(of: previous?.position ?? places.next(), within: places.uniform(0, 300))
        let odd: [Double?] = [nil, .nan, -5, .infinity, 0, 3, 1e300]
        let sight = TripMeter.Sight(
          time: (previous?.time ?? .zero) + Interval(microseconds: Int64(places.uniform(-1e6, 2e7))), position: here,
          speed: odd[Int(places.uniform(0, 7))], accuracy: odd[Int(places.uniform(0, 7))])
        meter.record(sight, after: previous, isTravelling: places.uniform(0, 1) < 0.7)
        #expect(meter.distance >= before && meter.distance.isFinite)
        before = meter.distance
        previous = sight
      }
    }
  }
}
