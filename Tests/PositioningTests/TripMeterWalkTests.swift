import Positioning
import Quantities
import Testing

/// What a receiver and the other senses of a tracker are like.
private struct Senses {
  /// Standard deviation of an axis of the receiver, m; it states half as much again.
  var deviation: Double
  /// Time between two fixes, and in which the receiver forgets its error, s.
  var every: Int
  var memory = 300.0
  /// Whether the receiver tells speeds, and whether an inertial sensor feels when it rests.
  var tellsSpeed = true
  var isFelt = true
}

/// Walks of a pet, or rides of a bike, between rests.
private struct Outing {
  private let senses: Senses
  private let plane: LocalTangentPlane
  private(set) var meter = TripMeter()
  private var places: Places
  private var previous: TripMeter.Sight?
  private var error = (east: 0.0, north: 0.0)
  private var second = 0
  private var (east, north, direction) = (0.0, 0.0, 0.0)
  /// How far it has come, m.
  private(set) var way = 0.0

  init(_ senses: Senses, seed: UInt64) throws {
    self.senses = senses
    places = Places(seed: seed)
    plane = LocalTangentPlane(origin: try #require(GeodeticPosition(latitudeDegrees: -34, longitudeDegrees: 151)))
    error = (senses.deviation * normal(), senses.deviation * normal())
  }

  /// As good as a normal one: three uniform ones in a row.
  private mutating func normal() -> Double { (0..<3).reduce(0) { sum, _ in sum + places.uniform(-1, 1) } }

  /// A second passes, at a speed.
  private mutating func pass(_ speed: Double, winding: Double, isTravelling: Bool, stillFor: Int = 0) throws {
    second += 1
    direction += winding * normal()
    let (sine, cosine) = (Elementary.sin(direction), Elementary.cos(direction))
    (east, north, way) = (east + speed * cosine, north + speed * sine, way + speed)
    guard second % senses.every == 0 else { return }
    let share = Elementary.exp(-Double(senses.every) / senses.memory)
    let size = (1 - share * share).squareRoot() * senses.deviation
    error = (share * error.east + size * normal(), share * error.north + size * normal())
    let down = (east * east + north * north) / (2 * 6_371_000)
    let offset = LocalOffset(east: east + error.east, north: north + error.north, up: -down)
    let position = try #require(plane.position(at: offset)).position
    let told = (speed + 0.05 * normal()).magnitude
    let sight = TripMeter.Sight(
      time: .zero + .seconds(second), position: position, speed: senses.tellsSpeed ? told : nil,
      accuracy: 1.5 * senses.deviation)
    meter.record(
      sight, after: previous, isTravelling: isTravelling, stillFor: .seconds(senses.isFelt ? stillFor : 0))
    previous = sight
  }

  /// Rests, and goes some way. It is seen to set off, and to stand, some seconds later.
  mutating func go(_ metres: Double, at speed: Double, winding: Double, after rest: Int) throws {
    try stand(rest, isFirst: way == 0)
    direction = places.uniform(0, 2 * .pi)
    let noticed = Int(places.uniform(3, 15))
    for second in 0..<Int(metres / speed) { try pass(speed, winding: winding, isTravelling: second >= noticed) }
  }

  mutating func stand(_ seconds: Int, isFirst: Bool = false) throws {
    let noticed = isFirst ? 0 : Int(places.uniform(4, 9))
    for second in 0..<seconds {
      try pass(0, winding: 0, isTravelling: second < noticed, stillFor: second > 10 ? second : 0)
    }
  }

  /// How much too far so many ways were counted, and how far that may be off, m.
  static func error(
    _ senses: Senses, ways: Int = 1, of metres: ClosedRange<Double>, at speed: Double = 1.2, winding: Double = 0,
    after rest: Int = 120, seed: UInt64
  ) throws -> (metres: Double, doubt: Double) {
    var outing = try Outing(senses, seed: seed)
    for _ in 0..<ways {
      let metres = outing.places.uniform(metres.lowerBound, metres.upperBound)
      try outing.go(metres, at: speed, winding: winding, after: rest)
    }
    try outing.stand(60)
    return (outing.meter.distance - outing.way, outing.meter.uncertainty)
  }
}

/// A fix at a time, east of the beginning, on the equator.
private struct Line {
  private(set) var meter = TripMeter()
  private var previous: TripMeter.Sight?
  private var now = Instant.zero

  mutating func fix(
    _ east: Double, after seconds: Double = 1, speed: Double? = nil, accuracy: Double? = nil,
    isTravelling: Bool = false, stillFor: Double = 0
  ) throws {
    now = now + Interval(microseconds: Int64(seconds * 1e6))
    let degrees = east / 6_378_137 * 180 / .pi
    let position = try #require(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: degrees))
    let sight = TripMeter.Sight(time: now, position: position, speed: speed, accuracy: accuracy)
    meter.record(
      sight, after: previous, isTravelling: isTravelling, stillFor: Interval(microseconds: Int64(stillFor * 1e6)))
    previous = sight
  }
}

@Suite struct TripMeterWalkTests {
  // MARK: Many walks

  private static func senses(_ deviation: Double, tellsSpeed: Bool, isFelt: Bool) -> [Senses] {
    [1, 2, 5].flatMap { every in
      [30, 120, 600].map { memory in
        Senses(deviation: deviation, every: every, memory: memory, tellsSpeed: tellsSpeed, isFelt: isFelt)
      }
    }
  }

  /// Receivers of 1.5 to 10 m whose errors are forgotten within 30 s to ten minutes; straight and winding walks, one and ten.
  @Test(arguments: [true, false], [true, false])
  func howFarWalksAreCountedWrongItSays(tellsSpeed: Bool, isFelt: Bool) throws {
    var ratios: [Double] = []
    var seed: UInt64 = 4000
    for deviation in [1.5, 3, 6, 10] {
      for senses in TripMeterWalkTests.senses(deviation, tellsSpeed: tellsSpeed, isFelt: isFelt) {
        for (ways, metres, winding) in [
          (1, 30...60, 0), (1, 100...200, 0.1), (1, 300...500, 0), (6, 30...60, 0.1), (6, 50...200, 0),
        ] as [(Int, ClosedRange<Double>, Double)] {
          seed += 1
          let (error, doubt) = try Outing.error(senses, ways: ways, of: metres, winding: winding, seed: seed)
          ratios.append(error / doubt)
          #expect(error.magnitude < 5 * doubt, "\(senses), \(ways) of \(metres): \(error) ± \(doubt)")
        }
      }
    }
    let beyond = ratios.filter { $0.magnitude > 3 }.count
    let square = ratios.reduce(0) { $0 + $1 * $1 } / Double(ratios.count)
    #expect(beyond * 50 <= ratios.count, "\(beyond) of \(ratios.count)")
    #expect(square.squareRoot() < 1.35, "\(square.squareRoot())")
  }

  /// A collar that errs by 6 m and has a fix each two seconds, on walks of 100 to 200 m.
  @Test(arguments: [(true, true), (true, false), (false, true)])
  func aWalkIsCountedHardlyTooFar(_ tellsSpeed: Bool, _ isFelt: Bool) throws {
    for winding in [0, 0.1] {
      var sum = 0.0
      for seed in 7000..<7012 as Range<UInt64> {
        let senses = Senses(deviation: 6, every: 2, tellsSpeed: tellsSpeed, isFelt: isFelt)
        sum += try Outing.error(senses, ways: 4, of: 100...200, winding: winding, after: 600, seed: seed).metres
      }
      #expect((sum / 48).magnitude < 4, "\(sum / 48)")
    }
  }

  /// It sets off, and comes to stand, between two fixes that are five seconds apart.
  @Test func aGoodReceiverLosesNothingOfAWalk() throws {
    for every in [1, 5] {
      var sum = 0.0
      for seed in 1..<21 as Range<UInt64> {
        sum += try Outing.error(Senses(deviation: 0.3, every: every), ways: 5, of: 40...60, seed: seed).metres
      }
      #expect((sum / 100).magnitude < 0.3, "\(every): \(sum / 100)")
    }
  }

  /// Bikes are counted as they were: within what their receiver and its corners allow.
  @Test func aRideIsCountedAsFarAsItIs() throws {
    for (deviation, limit) in [(1.5, 0.005), (3, 0.01)] {
      var sum = 0.0
      for seed in 1..<9 as Range<UInt64> {
        let senses = Senses(deviation: deviation, every: 1, memory: 120)
        let (error, doubt) = try Outing.error(senses, ways: 2, of: 1000...1500, at: 5, winding: 0.02, seed: seed)
        #expect(error.magnitude < 3 * doubt && doubt < 70, "\(deviation): \(error) ± \(doubt)")
        sum += error
      }
      #expect((sum / 8 / 2500).magnitude < limit, "\(deviation): \(sum / 8)")
    }
  }

  // MARK: At rest

  /// A place that wanders by 12 m, a metre a second, and then a walk of 60 m.
  private static func walk(
    speed: Double? = nil, stillFor: Double = 0, proven: Bool = false, reach: Int = 12, after seconds: Double = 1
  ) throws -> Double {
    var line = Line()
    if proven {
      for second in 0...12 { try line.fix(Double(5 * second) - 60, speed: 5, isTravelling: true) }
      try line.fix(0, speed: 0)
    }
    let before = line.meter.distance
    for step in 0...reach { try line.fix(Double(step), after: seconds, speed: speed, stillFor: stillFor) }
    for second in 1...50 {
      try line.fix(Double(reach) + 1.2 * Double(second), speed: speed.map { _ in 1.2 }, isTravelling: second > 3)
    }
    return line.meter.distance - before
  }

  @Test func whatFixesWanderWhileItIsKnownToStandIsNoPartOfTheNextWalk() throws {
    func isFollowed(_ way: Double) -> Bool { way < 61 && way > 55 }
    #expect(try isFollowed(TripMeterWalkTests.walk(stillFor: 1)))
    #expect(try !isFollowed(TripMeterWalkTests.walk(stillFor: 0.9)))
    #expect(try !isFollowed(TripMeterWalkTests.walk()))
    // What is not felt, and moves as its speeds tell, is a ferry.
    #expect(try isFollowed(TripMeterWalkTests.walk(speed: 1.9, stillFor: 1)))
    #expect(try !isFollowed(TripMeterWalkTests.walk(speed: 2.1, stillFor: 1)))
    // Speeds alone, once they have been right, and never over more than ten seconds.
    #expect(try isFollowed(TripMeterWalkTests.walk(speed: 0.49, proven: true)))
    #expect(try !isFollowed(TripMeterWalkTests.walk(speed: 0.51, proven: true)))
    #expect(try !isFollowed(TripMeterWalkTests.walk(speed: 0)))
    #expect(try isFollowed(TripMeterWalkTests.walk(speed: 0, proven: true, after: 10)))
    #expect(try !isFollowed(TripMeterWalkTests.walk(speed: 0, proven: true, after: 10.1)))
  }

  /// Both sides of 15 m, and of a radius that is larger.
  @Test func whatIsFoundFartherAwayHasBeenMoved() throws {
    for (metres, accuracy, isMoved) in [(14.9, 3.0, false), (15.1, 3, true), (29, 30, false), (31, 30, true)] {
      var line = Line()
      for _ in 0..<3 { try line.fix(0, accuracy: accuracy, stillFor: 20) }
      for _ in 0..<3 { try line.fix(metres, accuracy: accuracy, stillFor: 20) }
      try line.fix(metres + 100, accuracy: accuracy, isTravelling: true)
      let way = isMoved ? metres + 100 : 100
      #expect((line.meter.distance - way).magnitude < 0.01, "\(metres): \(line.meter.distance)")
    }
  }

  @Test func whereItMovedAtTheLastFixTheWayEndsAtTheFirstThatStands() throws {
    func way(speed: Double?, end: Double? = 0, at metres: Double = 63, after seconds: Double = 5) throws -> Double {
      var line = Line()
      for second in 0...10 { try line.fix(Double(6 * second), after: 5, speed: speed, isTravelling: true) }
      try line.fix(metres, after: seconds, speed: end)
      return line.meter.distance
    }
    #expect(try (way(speed: 1.2) - 63).magnitude < 0.01 && (way(speed: 0.5) - 63).magnitude < 0.01)
    #expect(try (way(speed: 0.49) - 60).magnitude < 0.01 && (way(speed: nil, end: nil) - 60).magnitude < 0.01)
    #expect(try (way(speed: 1.2, end: 0.5) - 60).magnitude < 0.01)
    #expect(try (way(speed: 1.2, after: 10) - 63).magnitude < 0.01)
    #expect(try (way(speed: 1.2, after: 10.1) - 60).magnitude < 0.01)
    // 15 m and five seconds of its speed away it can't have come to stand.
    #expect(
      try (way(speed: 1.2, at: 80.9) - 80.9).magnitude < 0.01 && (way(speed: 1.2, at: 81.1) - 60).magnitude < 0.01)
  }

  // MARK: Doubt

  /// Of two ends of radius a the variance is a²/2 each; set-offs from a place that could not follow are all too long.
  @Test func errorsOfSetOffsAddUpWhereThePlaceDidNotFollow() throws {
    for isFelt in [true, false] {
      var line = Line()
      var expected = 0.0
      for way in 0..<10 {
        for _ in 0..<20 { try line.fix(Double(60 * way), accuracy: 6, stillFor: isFelt ? 20 : 0) }
        for second in 1...12 { try line.fix(Double(60 * way + 5 * second), accuracy: 6, isTravelling: true) }
        let deviation = expected.squareRoot() + 18.squareRoot()
        expected = (isFelt ? expected + 18 : deviation * deviation) + 18
        try line.fix(Double(60 * way + 60), accuracy: 6)
      }
      #expect((Double(line.meter.ends) - expected).magnitude < 0.001 * expected, "\(isFelt): \(line.meter.ends)")
    }
  }

  @Test func aPlaceIsKnownNoBetterThanByTheWorstFixThere() throws {
    var line = Line()
    for accuracy in [5.0, 12, 9, 5] { try line.fix(0, accuracy: accuracy, stillFor: 20) }
    try line.fix(20, accuracy: 5, isTravelling: true)
    #expect((line.meter.ends - 72).magnitude < 0.01, "\(line.meter.ends)")
  }

  /// A right angle, of which 2 m are added, as poor fixes see it and good ones.
  @Test func turnsOfPoorFixesWithoutSpeedsMayBeNoise() throws {
    for (accuracy, speed, noise) in [(4.5, nil, 7), (4.4, nil, 0), (nil, nil, 0)] as [(Double?, Double?, Float)] {
      let plane = LocalTangentPlane(origin: try #require(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0)))
      var meter = TripMeter()
      var previous: TripMeter.Sight?
      for (second, place) in [(0.0, 0.0), (10, 0), (10, 10)].enumerated() {
        let position = try #require(plane.position(at: LocalOffset(east: place.0, north: place.1, up: 0))).position
        let sight = TripMeter.Sight(
          time: .zero + .seconds(second), position: position, speed: speed, accuracy: accuracy)
        meter.record(sight, after: previous, isTravelling: true)
        previous = sight
      }
      #expect((meter.disagreement - noise).magnitude < 0.01, "\(meter.disagreement)")
    }
  }

  /// Both sides of two metres a second, of twice the radius, and of 5 m, from which on a radius is longer than usual.
  @Test func atWalkingPaceAStepIsTwiceAsLongAsTheRadius() throws {
    func counts(_ metres: Double, speed: Double?, accuracy: Double = 6) throws -> Bool {
      var line = Line()
      try line.fix(0, speed: speed, accuracy: accuracy, isTravelling: true)
      try line.fix(metres, speed: speed, accuracy: accuracy, isTravelling: true)
      return line.meter.distance > 0
    }
    #expect(try !counts(11.9, speed: 1.99) && counts(12.1, speed: 1.99))
    #expect(try !counts(5.9, speed: 2.01) && counts(6.1, speed: 2.01))
    #expect(try !counts(5.9, speed: nil) && counts(6.1, speed: nil))
    #expect(try counts(4.6, speed: 1.2, accuracy: 5) && !counts(10, speed: 1.2, accuracy: 5.1))
    #expect(try !counts(24.9, speed: 1.2, accuracy: 20) && counts(25.1, speed: 1.2, accuracy: 20))
  }
}
