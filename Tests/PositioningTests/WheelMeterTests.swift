import Positioning
import Quantities
import Testing

/// A bike on a plane whose wheel has a sensor that is read once a second, just before the fix of that second.
private struct WheelRide {
  private let plane: LocalTangentPlane
  private(set) var meter = TripMeter()
  private var previous: TripMeter.Sight?
  private var random = SplitMix64(seed: 7)
  private var east = 0.0
  private(set) var now = Instant.zero
  /// What was ridden and carried, m.
  private(set) var way = 0.0
  private var turned = 0.0
  private var pulses: UInt32
  private var moving = 0
  private var standing = 100
  /// Metres per pulse.
  var circumference: Double
  /// 68 % of the fixes are that close, m.
  var accuracy = 3.0
  /// What the receiver tells of the speed, as a share of it.
  var toldShare = 1.0

  init(circumference: Double = 2.1, given: Float = 0, pulses: UInt32 = 0) throws {
    let origin = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13))
    plane = LocalTangentPlane(origin: origin)
    self.circumference = circumference
    self.pulses = pulses
    meter.beginWheel(circumference: given)
  }

  var distance: Double { meter.distance }
  var wheel: WheelMeter { meter.wheel }

  /// What the sensor does.
  enum Sensor { case works, misses, doubles, dead, none }

  /// Some seconds at a speed.
  ///
  /// - Parameters:
  ///   - wheel: Share of the way that the wheel turns: 0 where it is carried.
  ///   - hasFixes: False in a tunnel.
  ///   - spins: How fast a hand turns the wheel while the bike stands, m/s.
  mutating func go(
    _ speed: Double, _ seconds: Int, wheel: Double = 1, sensor: Sensor = .works, hasFixes: Bool = true,
    spins: Double = 0, fixEvery: Int = 1
  ) throws {
    for second in 0..<seconds {
      now = now + .seconds(1)
      east += speed
      way += speed
      turned += speed * wheel + spins
      let whole = UInt32(turned / circumference)
      turned -= Double(whole) * circumference
      switch sensor {
      case .works: pulses &+= whole
      case .doubles: pulses &+= 2 * whole
      case .misses, .dead, .none: break
      }
      if sensor != .none, sensor != .dead { meter.record(pulses: pulses, at: now) }
      moving = speed > 0.5 ? moving + 1 : 0
      standing = speed > 0.5 ? 0 : standing + 1
      guard hasFixes, second % fixEvery == 0 else { continue }
      try fix(speed)
    }
  }

  private mutating func fix(_ speed: Double) throws {
    // Errors of a receiver wander: what it errs now it nearly errs a second later.
    let offset = LocalOffset(east: east + wander, north: 0, up: -(east * east) / (2 * 6_371_000))
    wander += 0.1 * (accuracy / 1.5 * normal() - wander)
    let position = try #require(plane.position(at: offset)).position
    let sight = TripMeter.Sight(
      time: now + .milliseconds(300), position: position, speed: toldShare * speed, accuracy: accuracy)
    isTravelling = isTravelling ? standing < 5 : moving >= 3
    meter.record(sight, after: previous, isTravelling: isTravelling)
    previous = sight
  }

  /// A number about 0 with a deviation of 1, near enough to a normal one.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double(random.next() >> 11) * 0x1p-53 }
  }

  private var wander = 0.0
  private var isTravelling = false

  /// Somebody sets the counter anew.
  mutating func reset(to pulses: UInt32 = 0) { self.pulses = pulses }

  mutating func park() throws {
    try go(0, 60)
    _ = meter.beginRide()
  }

  /// Power goes: all but what is kept.
  mutating func losePower(given: Float = 0) {
    let kept = meter.wheel.kept
    var next = TripMeter()
    next.beginWheel(circumference: given)
    next.restore(
      distance: meter.distance, last: meter.last, corners: meter.corners, silences: meter.silences, wheel: kept)
    meter = next
  }

  /// Rides until the wheel is known, through a town.
  mutating func learn() throws {
    for _ in 0..<8 {
      try go(5, 60)
      try go(0, 8)
    }
  }
}

private func near(_ value: Double, _ expected: Double, _ bound: Double) -> Bool {
  (value - expected).magnitude <= bound
}

@Suite struct WheelMeterTests {
  @Test func aWheelIsKnownToOnePercentAfterThreeStretches() throws {
    for circumference in [0.35, 1.3, 2.1, 2.3] {
      var ride = try WheelRide(circumference: circumference)
      // A stretch of fixes of 3 m takes 424 m.
      try ride.go(5, 84)
      #expect(ride.wheel.scale == 0 && !ride.wheel.isCounting)
      try ride.go(5, 10)
      #expect(ride.wheel.scale > 0 && ride.wheel.deviation > WheelScale.aim && !ride.wheel.isCounting)
      try ride.go(5, 75)
      #expect(ride.wheel.deviation > WheelScale.aim && !ride.wheel.isCounting)
      try ride.go(5, 105)
      #expect(ride.wheel.deviation <= WheelScale.aim && ride.wheel.isCounting)
      #expect(near(Double(ride.wheel.scale) / circumference, 1, 0.015), "\(ride.wheel.scale) of \(circumference)")
      try ride.go(5, 4000)
      #expect(ride.wheel.deviation == WheelScale.floor)
      #expect(near(Double(ride.wheel.scale) / circumference, 1, 0.005), "\(ride.wheel.scale) of \(circumference)")
      #expect(near(ride.distance / ride.way, 1, 0.008), "\(ride.distance) of \(ride.way)")
    }
  }

  @Test(arguments: [0.88, 0.93, 1.07, 1.12]) func aStretchWhoseSpeedsDisagreeTeachesNothing(share: Double) throws {
    var ride = try WheelRide()
    ride.toldShare = share
    try ride.go(5, 300)
    #expect(ride.wheel.isCounting == ((share - 1).magnitude < 0.1))
    #expect((ride.wheel.scale == 0) != ride.wheel.isCounting)
    #expect(near(ride.distance / ride.way, 1, 0.015), "\(ride.distance) of \(ride.way)")
  }

  @Test func worseFixesNeedLongerStretches() throws {
    for (accuracy, seconds) in [(3.0, 90), (10, 290), (20, 575)] {
      var ride = try WheelRide()
      ride.accuracy = accuracy
      try ride.go(5, seconds - 12)
      #expect(ride.wheel.scale == 0, "\(accuracy)")
      try ride.go(5, 12)
      #expect(ride.wheel.scale > 0, "\(accuracy)")
    }
  }

  @Test func untilItIsKnownFixesCountAsWithoutIt() throws {
    var with = try WheelRide()
    var without = try WheelRide()
    for _ in 0..<2 {
      try with.go(5, 40)
      try without.go(5, 40, sensor: .none)
      try with.go(0, 30)
      try without.go(0, 30, sensor: .none)
    }
    #expect(with.distance == without.distance && with.distance > 350)
    #expect(with.meter.uncertainty == without.meter.uncertainty)
    #expect(without.wheel.kept == nil && with.wheel.kept != nil)
  }

  @Test func theCircumferenceOfTheOwnerCountsAtOnce() throws {
    var ride = try WheelRide(given: 2.1)
    try ride.go(0, 5)
    try ride.go(5, 100)
    #expect(ride.wheel.isCounting && near(ride.distance, 500, 6), "\(ride.distance)")
    #expect(near(ride.wheel.counted, ride.distance, 16))
    #expect(near(ride.meter.uncertainty, 5, 0.2), "\(ride.meter.uncertainty)")
  }

  @Test(arguments: [0.5, 1, 3]) func aWayThatIsLongerThanItsFixesAreWrongCountsOnce(accuracy: Double) throws {
    for (speed, every) in [(7.0, 1), (14, 1), (25, 1), (7, 5), (7, 10)] {
      var ride = try WheelRide(given: 2.1)
      ride.accuracy = accuracy
      try ride.go(0, 20, fixEvery: every)
      try ride.go(speed, 1200, fixEvery: every)
      try ride.go(0, 20, fixEvery: every)
      #expect(!ride.wheel.isDoubted, "\(speed) m/s, a fix in \(every) s")
      #expect(
        near(ride.distance / ride.way, 1, 0.006), "\(speed) m/s, a fix in \(every) s: \(ride.distance) of \(ride.way)")
    }
  }

  @Test func inATunnelTheWheelCounts() throws {
    var ride = try WheelRide()
    try ride.learn()
    let before = (distance: ride.distance, way: ride.way)
    let silences = ride.meter.silences
    try ride.go(5, 10)
    try ride.go(6, 400, hasFixes: false)
    #expect(near(ride.distance - before.distance, ride.way - before.way, 40), "before there is a fix")
    try ride.go(5, 60)
    #expect(near(ride.distance - before.distance, ride.way - before.way, 40), "\(ride.distance - before.distance)")
    #expect(ride.meter.silences == silences && ride.wheel.carried == 0 && ride.wheel.isCounting)
  }

  @Test func atRestTheJitterOfFixesCountsNothing() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(0, 30)
    let before = ride.distance
    ride.accuracy = 15
    try ride.go(0, 3000)
    #expect(ride.distance == before && ride.wheel.carried == 0)
  }

  @Test func aWheelThatIsTurnedOnAStandGoesNowhere() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(0, 30)
    let before = (distance: ride.distance, way: ride.way)
    try ride.go(0, 100, spins: 6)
    #expect(ride.distance == before.distance)
    try ride.go(5, 100)
    // What was turned last may have been the beginning of the ride.
    #expect(near(ride.distance - before.distance, ride.way - before.way, 20), "\(ride.distance - before.distance)")
  }

  @Test(arguments: [UInt32.max - 100, UInt32.max - 2000])
  func aCounterThatBeginsAnewAfterItsLastNumberGoesOn(start: UInt32) throws {
    var ride = try WheelRide(pulses: start)
    try ride.learn()
    try ride.go(5, 1000)
    #expect(ride.wheel.isCounting && near(ride.distance / ride.way, 1, 0.01))
  }

  @Test func aSensorThatBeginsAtZeroLosesAndDoublesNothing() throws {
    var ride = try WheelRide()
    try ride.learn()
    for pulses in [0, 3, 0, 4_000_000] as [UInt32] {
      try ride.go(5, 100)
      ride.reset(to: pulses)
    }
    try ride.go(5, 100)
    #expect(ride.wheel.isCounting && near(ride.distance, ride.way, 0.01 * ride.way + 10), "\(ride.distance)")
  }

  @Test func aSensorThatDiesOnTheWayLeavesItToTheFixes() throws {
    for pause in [11, 200] {
      var ride = try WheelRide()
      try ride.learn()
      try ride.go(5, 50)
      let before = (distance: ride.distance, way: ride.way)
      try ride.go(5, pause, sensor: .dead)
      #expect(!ride.wheel.isCounting)
      #expect(near(ride.distance - before.distance, ride.way - before.way, 9), "\(ride.distance - before.distance)")
      try ride.go(5, 100)
      #expect(ride.wheel.isCounting && ride.wheel.carried == 0)
      #expect(near(ride.distance - before.distance, ride.way - before.way, 14), "\(ride.distance - before.distance)")
    }
  }

  @Test func aSensorIsSilentForTenSecondsBeforeItIsDead() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 50)
    try ride.go(5, 9, sensor: .dead)
    #expect(ride.wheel.isCounting)
    try ride.go(5, 1, sensor: .dead)
    #expect(!ride.wheel.isCounting)
  }

  @Test func pulsesThatAreMissedAreCountedByFixes() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 60)
    let before = (distance: ride.distance, way: ride.way)
    // The magnet has turned away: the sensor speaks, and counts nothing.
    try ride.go(5, 60, sensor: .misses)
    #expect(ride.wheel.isDoubted && !ride.wheel.isCounting && ride.wheel.carried == 0)
    #expect(near(ride.distance - before.distance, ride.way - before.way, 20), "\(ride.distance - before.distance)")
    try ride.go(0, 60)
    try ride.go(5, 60, sensor: .misses)
    #expect(near(ride.distance - before.distance, ride.way - before.way, 25), "\(ride.distance - before.distance)")
    // Somebody turns it back: after a stretch that agrees the wheel counts again.
    try ride.go(5, 200)
    #expect(ride.wheel.isCounting && near(Double(ride.wheel.scale), 2.1, 0.03))
    #expect(near(ride.distance - before.distance, ride.way - before.way, 35), "\(ride.distance - before.distance)")
  }

  @Test func pulsesThatComeTwiceCountOnceBeforeTheyAreNoticed() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 60)
    let before = (distance: ride.distance, way: ride.way)
    try ride.go(5, 300, sensor: .doubles)
    let surplus = ride.distance - before.distance - (ride.way - before.way)
    // Noticed where the surplus is four deviations of the ends and a tenth of the way.
    #expect(surplus > 0 && surplus < 110, "\(surplus)")
  }

  @Test func pulsesFasterThanAnyWheelAreNone() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 60)
    let before = (distance: ride.distance, way: ride.way)
    var meter = ride.meter
    meter.record(pulses: 100_000, at: ride.now + .milliseconds(500))
    #expect(meter.distance - before.distance <= 6 && !meter.wheel.isCounting)
  }

  @Test func oldReadingsAndReadingsOfOneTimeChangeNothing() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 60)
    var meter = ride.meter
    for offset in [0, -1, -5000] {
      meter.record(pulses: 7, at: ride.now + .milliseconds(offset))
      #expect(meter == ride.meter)
    }
  }

  @Test func whatIsCarriedIsNotCounted() throws {
    var ride = try WheelRide()
    try ride.learn()
    let before = ride.distance
    try ride.go(5, 20)
    try ride.go(0, 40)
    try ride.go(25, 200, wheel: 0)
    #expect(ride.wheel.isCarried && near(ride.distance - before, 100, 10), "\(ride.distance - before)")
    #expect(near(Double(ride.wheel.carried), 5000, 120), "\(ride.wheel.carried)")
    // A station, and a tunnel.
    try ride.go(0, 40)
    try ride.go(25, 100, wheel: 0)
    try ride.go(25, 100, wheel: 0, hasFixes: false)
    try ride.go(20, 60, wheel: 0)
    #expect(near(ride.distance - before, 100, 10), "\(ride.distance - before)")
    #expect(near(Double(ride.wheel.carried), 11_200, 150), "\(ride.wheel.carried)")
    try ride.go(0, 40)
    try ride.go(5, 100)
    #expect(!ride.wheel.isCarried && near(ride.distance - before, 600, 30), "\(ride.distance - before)")
  }

  @Test func aSensorThatFailsFromALightToTheNextCountsAllOfIt() throws {
    for pause in [30, 120, 400] {
      var ride = try WheelRide()
      try ride.learn()
      try ride.go(5, 20)
      try ride.go(0, 40)
      let before = (distance: ride.distance, way: ride.way)
      try ride.go(5, pause, sensor: .misses)
      #expect(ride.wheel.isCarried, "until it turns, nobody knows better")
      try ride.go(5, 100)
      #expect(!ride.wheel.isCarried && ride.wheel.carried == 0, "\(ride.wheel.carried)")
      #expect(near(ride.distance - before.distance, ride.way - before.way, 30), "\(ride.distance - before.distance)")
    }
  }

  @Test func aTrainThatIsBoardedWithoutReceptionCarries() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 20)
    let before = ride.distance
    try ride.go(1.5, 60, hasFixes: false)
    try ride.go(20, 300, wheel: 0, hasFixes: false)
    try ride.go(1.5, 60, hasFixes: false)
    try ride.go(5, 100)
    #expect(near(ride.distance - before, 680, 30), "\(ride.distance - before)")
    #expect(near(Double(ride.wheel.carried), 6000, 30), "\(ride.wheel.carried)")
  }

  @Test func whatWasCarriedBelongsToItsRide() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(0, 40)
    try ride.go(20, 100, wheel: 0)
    #expect(ride.wheel.carried > 1900)
    try ride.park()
    #expect(ride.wheel.carried == 0)
  }

  @Test func aWheelThatHasNotTurnedForThreeRidesIsBroken() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.park()
    let start = ride.distance
    for _ in 0..<2 {
      #expect(near(ride.distance, start, 20))
      try ride.go(5, 100, sensor: .misses)
      #expect(near(ride.distance, start, 20) && ride.wheel.isCarried)
      ride.losePower()
      try ride.park()
    }
    // That of the two rides is given back.
    #expect(ride.wheel.isDoubted && near(ride.distance - start, 1000, 40), "\(ride.distance - start)")
    try ride.go(5, 100, sensor: .misses)
    #expect(near(ride.distance - start, 1500, 60), "\(ride.distance - start)")
  }

  @Test func ofACarThatDrivesThreeTimesOnlyTheThirdCounts() throws {
    for (speed, isDriven) in [(24.0, false), (26, true)] {
      var ride = try WheelRide()
      try ride.learn()
      try ride.park()
      let start = ride.distance
      for _ in 0..<2 {
        try ride.go(12, 20, wheel: 0)
        try ride.go(speed, 100, wheel: 0)
        try ride.go(12, 20, wheel: 0)
        try ride.park()
      }
      #expect(ride.wheel.isDoubted && (ride.distance - start < 30) == isDriven, "\(ride.distance - start)")
    }
  }

  @Test func aChangedWheelIsLearntAfterTwoStretchesThatAgree() throws {
    for next in [1.9, 2.3] {
      var ride = try WheelRide()
      try ride.learn()
      try ride.park()
      ride.circumference = next
      let before = (distance: ride.distance, way: ride.way)
      // Two of 424 m, and what was left of the one under way; from a third on it counts.
      try ride.go(5, 190)
      #expect(near(Double(ride.wheel.scale) / next, 1, 0.02), "\(ride.wheel.scale) of \(next)")
      try ride.go(5, 180)
      #expect(ride.wheel.isCounting && near(Double(ride.wheel.scale) / next, 1, 0.02), "\(ride.wheel.scale) of \(next)")
      // The first was counted by the old one.
      let error = ride.distance - before.distance - (ride.way - before.way)
      #expect(near(error, 0, 60), "\(error)")
    }
  }

  @Test func aRestartKeepsTheWheel() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 50)
    let known = ride.wheel
    let before = (distance: ride.distance, way: ride.way)
    ride.losePower()
    #expect(ride.wheel.scale == known.scale && ride.wheel.deviation == known.deviation && !ride.wheel.isCounting)
    #expect(ride.meter.uncertainty > 0 && ride.wheel.counted == known.counted && ride.wheel.doubt == known.doubt)
    ride.reset()
    try ride.go(5, 100)
    #expect(ride.wheel.isCounting && near(ride.distance - before.distance, ride.way - before.way, 12))
    // Another circumference in the settings is another wheel.
    ride.losePower(given: 1.4)
    #expect(ride.wheel.scale == 1.4 && ride.wheel.counted > known.counted)
  }

  @Test func aRestartWhileItIsCarriedCountsNothingOfIt() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(0, 40)
    try ride.go(20, 100, wheel: 0)
    let before = ride.distance
    ride.losePower()
    try ride.go(20, 100, wheel: 0)
    #expect(near(ride.distance - before, 0, 60), "\(ride.distance - before)")
    #expect(ride.wheel.carried > 3800)
  }

  @Test func ofWheelWaysOnlyTheScaleIsUncertain() throws {
    var ride = try WheelRide()
    try ride.learn()
    try ride.go(5, 4000)
    let (byWheel, doubt) = (ride.wheel.counted, ride.wheel.doubt)
    let uncertainty = ride.meter.uncertainty
    try ride.go(5, 200, hasFixes: false)
    #expect(near(ride.wheel.counted - byWheel, 1000, 12))
    #expect(near(ride.wheel.doubt - doubt, 5, 0.1), "0.5 % of 1000 m")
    #expect(ride.meter.uncertainty - uncertainty < 5.1)
  }
}
