import Positioning
import Quantities
import Testing

/// A straight way eastwards at 52° north, a fix a second, as a receiver sees it whose error is forgotten over 100 s.
private struct WanderingRide {
  private let plane: LocalTangentPlane
  private(set) var meter = TripMeter()
  private var previous: TripMeter.Sight?
  private var now = Instant.zero
  private var places: Places
  private var (east, north) = (0.0, 0.0)
  private let (deviation, accuracy): (Double, Double)

  init(deviation: Double, accuracy: Double, seed: UInt64) throws {
    plane = LocalTangentPlane(origin: try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13)))
    places = Places(seed: seed)
    (self.deviation, self.accuracy) = (deviation, accuracy)
  }

  mutating func fix(
    _ along: Double, speed: Double?, isTravelling: Bool = true, off: Double = 0, accuracy: Double? = nil
  ) throws {
    now = now + .seconds(1)
    let share = 0.990_05
    // Of three uniform ones in a row the sum is as good as a normal one.
    func step() -> Double { (0..<3).reduce(0) { sum, _ in sum + places.uniform(-1, 1) } * 0.1407 * deviation }
    (east, north) = (share * east + step(), share * north + step())
    let position = try #require(plane.position(at: LocalOffset(east: along + east, north: north + off, up: 0))).position
    let sight = TripMeter.Sight(time: now, position: position, speed: speed, accuracy: accuracy ?? self.accuracy)
    meter.record(sight, after: previous, isTravelling: isTravelling)
    previous = sight
  }

  /// - Returns: How long the way of 1600 m is, and how far that may be off.
  static func ridden(
    deviation: Double, accuracy: Double, told: Double?, seed: UInt64
  ) throws -> (way: Double, doubt: Double) {
    var ride = try WanderingRide(deviation: deviation, accuracy: accuracy, seed: seed)
    for _ in 0..<60 { try ride.fix(0, speed: told.map { _ in 0 }, isTravelling: false) }
    for second in 1...320 { try ride.fix(5 * Double(second), speed: told) }
    return (ride.meter.distance, ride.meter.uncertainty)
  }
}

@Suite struct TripMeterDoubtTests {
  /// A receiver that errs by 4 m per axis and says so, by 11 and by 21.
  @Test(arguments: [(4.0, 5.0), (11, 15), (21, 30)])
  func whatAReceiverErrsBySeldomMakesAWayLongerThanItMayBe(deviation: Double, accuracy: Double) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let (way, doubt) = try WanderingRide.ridden(deviation: deviation, accuracy: accuracy, told: 5, seed: seed)
      #expect((way - 1600).magnitude <= 3 * doubt + 5, "\(accuracy): \(way) ± \(doubt)")
      #expect(way < 1600 * 1.08, "\(accuracy): \(way)")
    }
  }

  /// What speeds say and positions do not is in doubt by half of it, and the other way round.
  @Test func whereSpeedsTellAnotherWayTheTruthLiesBetween() throws {
    for (told, least, most) in [(5.0, 0.0, 14.0), (4, 150, 230), (6, 150, 230)] {
      let (way, doubt) = try WanderingRide.ridden(deviation: 0, accuracy: 3, told: told, seed: 1)
      #expect((way - 1600).magnitude < 6 && doubt >= least && doubt <= most, "\(told): \(way) ± \(doubt)")
    }
    // Speeds that are no part of the truth are none of the doubt either.
    let (_, alone) = try WanderingRide.ridden(deviation: 0, accuracy: 3, told: nil, seed: 1)
    let (_, wrong) = try WanderingRide.ridden(deviation: 0, accuracy: 3, told: 0.5, seed: 1)
    #expect(alone < 14 && wrong < 14)
  }

  /// The first fix of a cold receiver, which says how wrong it is.
  @Test func aFirstFixThatIsWrongIsCorrectedByBetterOnes() throws {
    for (off, accuracy, isCorrected) in [(300.0, 300.0, true), (60, 60, true), (14, 15, false), (950, 300, false)] {
      var ride = try WanderingRide(deviation: 0, accuracy: 3, seed: 1)
      try ride.fix(0, speed: 0, isTravelling: false, off: off, accuracy: accuracy)
      for _ in 0..<60 { try ride.fix(0, speed: 0, isTravelling: false) }
      for second in 1...100 { try ride.fix(5 * Double(second), speed: 5) }
      let way = ride.meter.distance
      #expect((way - 500 < 5) == isCorrected || !isCorrected && accuracy < 16, "\(off): \(way)")
    }
    // Once it travels, what it has counted stays.
    var ride = try WanderingRide(deviation: 0, accuracy: 30, seed: 1)
    for second in 0...100 { try ride.fix(5 * Double(second), speed: 5) }
    let before = ride.meter.distance
    for second in 101...120 { try ride.fix(5 * Double(second), speed: 5, accuracy: 2) }
    #expect(ride.meter.distance - before > 70)
  }
}
