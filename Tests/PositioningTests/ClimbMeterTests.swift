import Positioning
import Quantities
import Testing

/// A meter that is given heights a second apart.
private struct Hill {
  private(set) var meter = ClimbMeter()
  private var now = Instant.seconds(100)

  mutating func satellites(_ heights: [Float], deviation: Float? = nil, isCounted: Bool = true) {
    for height in heights {
      now = now + .seconds(1)
      meter.record(satelliteHeight: height, deviation: deviation, at: now, isCounted: isCounted)
    }
  }

  mutating func barometer(_ heights: [Float], isCounted: Bool = true) {
    for height in heights {
      now = now + .seconds(1)
      meter.record(barometricHeight: height, at: now, isCounted: isCounted)
    }
  }

  mutating func wait(_ seconds: Int) { now = now + .seconds(seconds) }
  mutating func begin() { meter.begin() }
}

/// The same height three times: what stays counts, as of three in a row the middle one does.
private func stay(_ heights: Float...) -> [Float] { heights.flatMap { [$0, $0, $0] } }

@Suite struct ClimbMeterTests {
  @Test func withoutAHeightNothingIsKnownAndWithOneNothingIsClimbed() {
    var hill = Hill()
    #expect(hill.meter.climb == nil)
    hill.satellites([100])
    #expect(hill.meter.climb == 0 && hill.meter.uncertainty == 10, "a rise that has not counted yet")
  }

  @Test func aRiseCountsFromItsThresholdOn() {
    var hill = Hill()
    hill.barometer(stay(100, 100.9, 100))
    #expect(hill.meter.climb == 0)
    hill.barometer(stay(101))
    #expect(hill.meter.climb == 1)
    // Of satellites two standard deviations, and five metres at least.
    for (deviation, threshold) in [(0.5, 5), (4, 8), (nil, 10), (.nan, 10)] as [(Float?, Float)] {
      var other = Hill()
      other.satellites(stay(50, 50 + threshold - 0.1, 50), deviation: deviation)
      #expect(other.meter.climb == 0, "\(threshold)")
      other.satellites(stay(50 + threshold), deviation: deviation)
      #expect(other.meter.climb == threshold, "\(threshold)")
    }
  }

  @Test func valleysAreNotTakenOffAndEachRiseAddsToTheDoubt() {
    var hill = Hill()
    hill.barometer(stay(100, 110, 105, 120))
    #expect(hill.meter.climb == 25)
    #expect(hill.meter.uncertainty == 3, "two rises, and one that may have begun")
    hill.barometer(stay(121, 122, 123))
    #expect(hill.meter.climb == 28 && hill.meter.uncertainty == 3, "the same rise goes on")
  }

  @Test func aSlowSlopeCountsAsWhatItIs() {
    var hill = Hill()
    hill.barometer((0...1000).map { 200 + Float($0) / 10 })
    #expect((hill.meter.climb ?? 0) > 98 && (hill.meter.climb ?? 0) <= 100)
  }

  @Test func aSingleHeightThatLiesIsNoHill() {
    var hill = Hill()
    hill.satellites([100, 100, 100, 400, 100, 100, -300, 100, 100])
    #expect(hill.meter.climb == 0)
    hill.satellites([.nan, 20_000, .infinity, 100, 100])
    #expect(hill.meter.climb == 0)
    // Two in a row are believed.
    hill.satellites([400, 400])
    #expect(hill.meter.climb == 300)
  }

  @Test func whatWasClimbedBeforeTheRideDoesNotCount() {
    var hill = Hill()
    hill.barometer(stay(100, 200), isCounted: false)
    #expect(hill.meter.climb == nil)
    hill.begin()
    hill.barometer(stay(203))
    #expect(hill.meter.climb == 3, "it begins where it stood")
    hill.begin()
    #expect(hill.meter.climb == nil && hill.meter.uncertainty == 0)
  }

  @Test func theBarometerGoesBeforeSatellitesAndTheirDifferenceIsNoHill() {
    var hill = Hill()
    hill.satellites(stay(100))
    hill.barometer(stay(300, 302))
    hill.satellites(stay(500))
    #expect(hill.meter.climb == 2)
    hill.barometer(stay(303))
    #expect(hill.meter.climb == 3)
    var late = hill.meter
    late.record(barometricHeight: 400, at: .seconds(110), isCounted: true)
    #expect(late == hill.meter, "one that is late changes nothing")
    // A barometer that is silent for a minute is not waited for longer.
    hill.wait(59)
    hill.satellites([100])
    hill.satellites(stay(100, 110))
    #expect(hill.meter.climb == 13)
  }
}

@Suite struct TopSpeedMeterTests {
  /// A ride at 52° north, a fix a second.
  private struct Ride {
    var meter = TopSpeedMeter()
    var previous: TripMeter.Sight?
    var now = Instant.seconds(100)

    mutating func fix(_ east: Double, _ speed: Double?, after seconds: Int = 1, isToldWrong: Bool = false) throws {
      now = now + .seconds(seconds)
      let position = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4 + east / 68_677))
      let sight = TripMeter.Sight(time: now, position: position, speed: speed)
      meter.record(sight, after: previous, isToldWrong: isToldWrong)
      previous = sight
    }
  }

  @Test func twoFixesInARowMustTellIt() throws {
    var ride = Ride()
    try ride.fix(0, 5)
    #expect(ride.meter.top == nil)
    for (place, speed) in [5.0, 30, 5, 6, 6.5, 6].enumerated() { try ride.fix(5 * Double(place + 1), speed) }
    #expect(ride.meter.top == 6)
    try ride.fix(40, 6.5)
    try ride.fix(46, 6.5)
    #expect(ride.meter.top == 6.5)
    for speed in [Double.nan, -3, .nan] { try ride.fix(50, speed) }
    #expect(ride.meter.top == 6.5)
  }

  @Test func withoutSpeedsPositionsTellItAndOneThatLiesDoesNot() throws {
    for isToldWrong in [false, true] {
      var ride = Ride()
      var east = 0.0
      for second in 0..<30 {
        try ride.fix(east + (second == 15 ? 200 : 0), isToldWrong ? 0.2 : nil, isToldWrong: isToldWrong)
        east += 8
      }
      let top = try #require(ride.meter.top)
      #expect((top - 8).magnitude < 0.05, "\(top)")
    }
  }

  @Test func fixesFarApartSayNothingOfEachOther() throws {
    var ride = Ride()
    try ride.fix(0, 5)
    try ride.fix(300, 5, after: 61)
    #expect(ride.meter.top == nil)
    try ride.fix(600, 5, after: 60)
    #expect(ride.meter.top == 5)
  }
}
