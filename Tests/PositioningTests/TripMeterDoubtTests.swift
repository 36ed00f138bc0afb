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
  /// False for a receiver that does not say how far it may be off.
  var tellsAccuracy = true
  /// Fixes a second.
  private let rate: Int

  init(deviation: Double, accuracy: Double, rate: Int = 1, seed: UInt64) throws {
    self.rate = rate
    plane = LocalTangentPlane(origin: try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13)))
    places = Places(seed: seed)
    (self.deviation, self.accuracy) = (deviation, accuracy)
  }

  mutating func fix(
    _ along: Double, speed: Double?, isTravelling: Bool = true, off: Double = 0, accuracy: Double? = nil
  ) throws {
    now = now + .milliseconds(1000 / rate)
    let share = Elementary.exp(-0.01 / Double(rate))
    // Of three uniform ones in a row the sum is as good as a normal one.
    let size = (1 - share * share).squareRoot() * deviation
    func step() -> Double { (0..<3).reduce(0) { sum, _ in sum + places.uniform(-1, 1) } * size }
    (east, north) = (share * east + step(), share * north + step())
    let position = try #require(plane.position(at: LocalOffset(east: along + east, north: north + off, up: 0))).position
    let sight = TripMeter.Sight(
      time: now, position: position, speed: speed, accuracy: tellsAccuracy ? accuracy ?? self.accuracy : nil)
    meter.record(sight, after: previous, isTravelling: isTravelling)
    previous = sight
  }

  /// - Returns: How long the way of 1600 m is, and how far that may be off.
  static func ridden(
    deviation: Double, accuracy: Double, told: Double?, rate: Int = 1, seed: UInt64
  ) throws -> (way: Double, doubt: Double) {
    var ride = try WanderingRide(deviation: deviation, accuracy: accuracy, rate: rate, seed: seed)
    for _ in 0..<(60 * rate) { try ride.fix(0, speed: told.map { _ in 0 }, isTravelling: false) }
    for fix in 1...(320 * rate) { try ride.fix(5 * Double(fix) / Double(rate), speed: told) }
    return (ride.meter.distance, ride.meter.uncertainty)
  }
}

@Suite struct TripMeterDoubtTests {
  /// A receiver that errs by 4 m per axis and says so, by 11 and by 21.
  @Test(arguments: [(4.0, 5.0), (11, 15), (21, 30)], [1, 5])
  func whatAReceiverErrsBySeldomMakesAWayLongerThanItMayBe(error: (deviation: Double, accuracy: Double), rate: Int)
    throws
  {
    let (deviation, accuracy) = error
    for seed in 1...6 as ClosedRange<UInt64> {
      let (way, doubt) = try WanderingRide.ridden(
        deviation: deviation, accuracy: accuracy, told: 5, rate: rate, seed: seed)
      #expect((way - 1600).magnitude <= 3 * doubt + 5, "\(accuracy), \(rate) Hz: \(way) ± \(doubt)")
      #expect(way < 1600 * (rate > 1 ? 1.12 : 1.08), "\(accuracy), \(rate) Hz: \(way)")
    }
  }

  /// Where it sets off and where it comes to stand is known as well as the fixes there are; in between they err for nothing.
  @Test func bothEndsOfAWayAreInDoubt() throws {
    for (accuracy, end) in [(3.0, 4.5), (10, 50), (nil, 12.5)] as [(Double?, Double)] {
      var ride = try WanderingRide(deviation: 0, accuracy: accuracy ?? 0, seed: 1)
      if accuracy == nil { ride.tellsAccuracy = false }
      var ends = 0.0
      for way in 1...3 {
        for _ in 0..<20 { try ride.fix(60 * Double(way - 1), speed: nil, isTravelling: false) }
        #expect((Double(ride.meter.ends) - ends).magnitude < 0.01, "\(way)")
        for second in 1...12 { try ride.fix(60 * Double(way - 1) + 5 * Double(second), speed: nil) }
        // Nothing has told that it stands: what it errs where it sets off makes each way longer.
        let deviation = ends.squareRoot() + end.squareRoot()
        ends = deviation * deviation
        #expect((Double(ride.meter.ends) - ends).magnitude < 0.01, "\(way)")
        try ride.fix(60 * Double(way), speed: nil, isTravelling: false)
        ends += end
        let scale = 0.006 * ride.meter.distance
        #expect((ride.meter.uncertainty - (scale * scale + ends).squareRoot()).magnitude < 0.01, "\(way)")
      }
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
