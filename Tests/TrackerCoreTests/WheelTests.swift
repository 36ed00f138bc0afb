import Positioning
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A tracker on a bike with a wheel sensor, on a way to the north: a reading and a fix a second.
private final class WheelWay {
  var tracker: Tracker
  private(set) var packets: [Packet] = []
  private(set) var state: [UInt8] = []
  private(set) var now: Instant = .seconds(1000)
  private var north = 0.0
  private var east = 0.0
  /// Clockwise from north, rad.
  private var heading = 0.0
  private var turned = 0.0
  /// What the receiver says instead of the speed; nil for that.
  var inventedSpeed: Double?
  private var random = SeededRandom(seed: 3)
  private let configuration: TrackerConfiguration

  init(circumference: Float = 0, alerts: Bool = false) {
    var configuration = TrackerConfiguration()
    configuration.alertsEnabled = alerts
    configuration.wheelCircumference = circumference
    self.configuration = configuration
    tracker = Tracker(configuration: configuration)
  }

  var trip: Trip? { tracker.lastTrip }

  func settle() {
    while let action = tracker.nextAction() {
      switch action {
      case .persist:
        var bytes = GrowingBytes()
        tracker.encodeState([.state, .odometer], into: &bytes)
        state = bytes.bytes
      case .transmit(let sequence, _):
        if let place = tracker.outbox.place(of: sequence) { packets.append(tracker.outbox.packet(at: place)) }
      default: break
      }
    }
  }

  /// Some seconds at a speed, of which the wheel turns a share: a pulse for 2.1 m.
  ///
  /// - Parameters:
  ///   - shaking: What an inertial sensor feels, m/s²; 0 for its noise alone, nil for no sensor.
  ///   - turning: Clockwise, rad/s.
  func go(
    _ speed: Double, for seconds: Int, wheel: Double = 1, hasFixes: Bool = true, hasWheel: Bool = true,
    shaking: Double? = nil, turning: Double = 0
  ) {
    for _ in 0..<seconds {
      if let shaking { feel(shaking, turning) }
      now = now + .seconds(1)
      heading += turning / 2
      north += speed * cosine(heading)
      east += speed * cosine(heading - .pi / 2)
      heading += turning / 2
      turned += speed * wheel / 2.1
      tracker.advance(to: now)
      settle()
      if hasWheel {
        tracker.process(.wheel(WheelReading(time: now, pulses: UInt32(turned))))
        settle()
      }
      guard hasFixes else { continue }
      var fix = GNSSFix(time: now)
      fix.mode = .twoDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4 + east / 68_678)
      fix.speed = inventedSpeed ?? speed
      fix.horizontalAccuracy = 3
      tracker.process(fix)
      settle()
    }
  }

  func park() { go(0, for: 310) }

  /// A second in which the wheel turns and nothing else moves.
  func spin(_ speed: Double, hasFix: Bool) {
    turned += speed / 2.1
    go(0, for: 1, hasFixes: hasFix)
  }

  /// A second of an inertial sensor, fifty samples.
  private func feel(_ shaking: Double, _ turning: Double = 0) {
    let (force, rate) = (Float(max(shaking, 0.03)), Float(max(0.2 * shaking, 0.002)))
    for sample in 1...50 {
      let time = now + .milliseconds(20 * sample - 10)
      tracker.advance(to: time)
      settle()
      func noise() -> Float { Float(random.normal()) }
      tracker.process(
        InertialSample(
          time: time, angularRate: Vector3(rate * noise(), rate * noise(), rate * noise() - Float(turning)),
          specificForce: Vector3(force * noise(), force * noise(), 9.8 + force * noise())))
      settle()
    }
  }

  func feels(shaking: Double, for seconds: Int) {
    go(0, for: seconds, hasFixes: false, hasWheel: false, shaking: shaking)
  }

  /// Power goes, and comes back with clock and counter at zero.
  func losePower() {
    let kept = state
    tracker = Tracker(configuration: configuration)
    now = .zero
    turned = 0
    let isRestored = tracker.restore(kept.span, at: .zero)
    #expect(isRestored)
    settle()
  }
}

private func cosine(_ angle: Double) -> Double { Elementary.cos(angle) }

private func near(_ value: Double, _ metres: Double, within bound: Double) -> Bool {
  (value - metres).magnitude <= bound
}

@Suite struct WheelTests {
  /// Fixes are lost before a ride of 1500 m, and come back, s from its end; `nil` for never.
  @Test(arguments: [-20, -5, 5, 30, 200, 280, nil], [nil, 2.0])
  func aRideThatBeginsWithoutAFixIsCountedByItsWheel(back: Int?, shaking: Double?) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 400, shaking: shaking.map { _ in 0 })
    way.go(0, for: 15, hasFixes: false, shaking: shaking.map { _ in 0 })
    let start = way.now
    way.go(5, for: 280, hasFixes: false, shaking: shaking)
    way.go(5, for: 20, hasFixes: back.map { $0 <= -20 } ?? false, shaking: shaking)
    let end = way.now
    let before = back.map { max($0, 0) } ?? 700
    way.go(0, for: before, hasFixes: false, shaking: shaking.map { _ in 0 })
    way.go(0, for: 700 - before, shaking: shaking.map { _ in 0 })
    let trip = try #require(way.trip)
    #expect(near(trip.distance, 1500, within: 12), "\(trip)")
    #expect(abs((trip.start - start).secondsDouble) <= 10, "\(trip.start - start)")
    #expect(abs((try #require(trip.end) - end).secondsDouble) <= 10, "\(trip)")
    #expect(near(trip.moving.secondsDouble, 300, within: 12) && near(way.tracker.distance, 1500, within: 12))
    #expect(way.packets.count { $0.ride != nil } == 1)
  }

  /// Reception ended while it still moved, and was not there when it was parked.
  @Test(arguments: [20, 1]) func theNextRideIsSeenByItsWheelThoughTheLastEndedUnseen(unseen: Int) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 400)
    way.go(5, for: 300 - unseen)
    way.go(5, for: unseen, hasFixes: false)
    way.go(0, for: 1200, hasFixes: false)
    let start = way.now
    way.go(5, for: 80, hasFixes: false)
    way.go(5, for: 220)
    way.park()
    let trip = try #require(way.trip)
    #expect(way.packets.count { $0.ride != nil } == 2)
    #expect(near(trip.distance, 1500, within: 15), "\(trip)")
    #expect(abs((trip.start - start).secondsDouble) <= 10 && near(way.tracker.distance, 3000, within: 20))
  }

  /// Reception is lost on the way to an underground garage, and is back on the way from it.
  @Test(arguments: [0, 20], [290, 320, 580, 620]) func aWheelThatStandsUnseenParksAsSoonAsItsRideMay(
    unseen: Int, rest: Int
  ) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 60)
    way.go(5, for: 200)
    way.go(5, for: unseen, hasFixes: false)
    let end = way.now
    way.go(0, for: rest, hasFixes: false)
    way.go(5, for: 60, hasFixes: false)
    way.go(5, for: 200)
    way.park()
    let rides = way.packets.compactMap(\.ride)
    try #require(rides.count == (rest > 300 ? 2 : 1), "\(rides)")
    if rest > 300 {
      #expect(near(Double(rides[0].distanceMetres), Double(1000 + 5 * unseen), within: 25), "\(rides)")
      #expect(near(Double(rides[1].distanceMetres), 1300, within: 25), "\(rides)")
      #expect(abs((rides[0].end - end).secondsDouble) <= 10, "\(rides)")
      #expect(abs((rides[1].start - end).secondsDouble - Double(rest)) <= 10, "\(rides)")
    }
    #expect(near(way.tracker.distance, Double(2300 + 5 * unseen), within: 25))
  }

  /// The first fix of a life comes on the way, and others seldom: what the wheel has counted before can't be held against them.
  @Test func aFirstFixOnTheWayDoesNotCostTheWheelItsTrust() throws {
    for seen in [5, 20, 60] {
      let way = WheelWay(circumference: 2.1)
      way.go(0, for: 20, hasFixes: false)
      for _ in 1...3 {
        way.go(5, for: 100, hasFixes: false)
        way.go(5, for: seen)
        way.go(5, for: 100, hasFixes: false)
        way.go(0, for: 400, hasFixes: false)
      }
      let whole = 15 * Double(200 + seen)
      let rides = way.packets.compactMap(\.ride)
      #expect(rides.count == 3 && !way.tracker.wheel.isDoubted, "\(seen): \(rides)")
      #expect(near(rides.reduce(0) { $0 + Double($1.distanceMetres) }, whole, within: 40), "\(seen): \(rides)")
      #expect(near(way.tracker.distance, whole, within: 40), "\(seen): \(way.tracker.distance)")
    }
  }

  /// The first fix of all comes on the way, and from then on there is one a second.
  @Test(arguments: [3, 10, 40, 100]) func aWheelCountsOnBehindTheFirstFixOfAll(after: Int) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 20, hasFixes: false)
    way.go(5, for: after, hasFixes: false)
    way.go(5, for: 300)
    let whole = 5 * Double(after + 300)
    #expect(near(way.tracker.distance, whole, within: 25), "\(after): \(way.tracker.distance)")
    way.park()
    #expect(
      near(way.trip?.distance ?? 0, whole, within: 25) && near(way.tracker.distance, whole, within: 25), "\(after)")
  }

  /// A wheel that is read each twelve seconds, or no more at all, in a hole of the receiver: no way counts twice.
  @Test(arguments: [(20, 12), (60, 11), (60, 30), (200, 12), (120, 10_000)])
  func whatTheWheelHasCountedInAHoleIsNotCountedAgain(hole: Int, every: Int) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 60)
    way.go(8, for: 200)
    for second in 1...hole {
      way.go(8, for: 1, hasFixes: false, hasWheel: second % every == 0 || second <= 20 && every > 100)
    }
    for second in 1...200 { way.go(8, for: 1, hasWheel: every < 100 && second % every == 0) }
    way.park()
    let whole = 8 * Double(400 + hole)
    #expect(near(way.tracker.distance, whole, within: 60), "\(hole), \(every): \(way.tracker.distance) of \(whole)")
  }

  /// A wheel sensor that is not read any more says nothing: a tunnel of seven minutes is one ride, as without a wheel.
  @Test(arguments: [false, true]) func aWheelSensorThatIsNotReadInATunnelEndsNoRideThere(isBack: Bool) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 60)
    way.go(8, for: 200)
    way.go(8, for: 30, hasFixes: false)
    way.go(8, for: 390, hasFixes: false, hasWheel: false)
    // It is read again at the end, or no more.
    way.go(8, for: 1, hasFixes: false, hasWheel: isBack)
    way.go(8, for: 100, hasWheel: isBack)
    way.park()
    let rides = way.packets.compactMap(\.ride)
    #expect(rides.count == 1 && near(Double(rides.first?.distanceMetres ?? 0), 5768, within: 60), "\(rides)")
  }

  /// Reception is back where it stands, and the first fix says that it moves: the wheel that stands, or the sensor at rest, knows better.
  @Test(arguments: [false, true], [60, 150, 230]) func oneFastFixWhereItStandsIsNoTravel(isFelt: Bool, back: Int) throws
  {
    let way = WheelWay(circumference: isFelt ? 0 : 2.1)
    way.go(0, for: 60, hasWheel: !isFelt, shaking: isFelt ? 0 : nil)
    way.go(5, for: 200, hasWheel: !isFelt, shaking: isFelt ? 2 : nil)
    way.go(5, for: 60, hasFixes: false, hasWheel: !isFelt, shaking: isFelt ? 2 : nil)
    let end = way.now
    way.go(0, for: back, hasFixes: false, hasWheel: !isFelt, shaking: isFelt ? 0 : nil)
    way.inventedSpeed = 1.5
    way.go(0, for: 1, hasWheel: !isFelt, shaking: isFelt ? 0 : nil)
    way.inventedSpeed = nil
    way.go(0, for: 400, hasWheel: !isFelt, shaking: isFelt ? 0 : nil)
    let rides = way.packets.compactMap(\.ride)
    try #require(rides.count == 1, "\(rides)")
    #expect(abs((rides[0].end - end).secondsDouble) <= 10, "\(back): \(rides)")
    #expect(near(way.tracker.distance, 1300, within: 30), "\(way.tracker.distance)")
  }

  /// Nobody is there to see it between two fixes but the next one.
  @Test(arguments: [5, 12, 31, 97]) func whatIsSpunOnAStandBetweenRareFixesIsNoWay(every: Int) throws {
    let way = WheelWay(circumference: 2.1)
    for second in 1...900 { way.go(0, for: 1, hasFixes: second % every == 0) }
    // Spun by hand for a minute, at 6 m/s; the vehicle stays where it is.
    for second in 1...60 { way.spin(6, hasFix: second % every == 0) }
    for second in 1...900 { way.go(0, for: 1, hasFixes: second % every == 0) }
    #expect(way.trip == nil && way.tracker.distance <= 15, "\(every): \(way.tracker.distance)")
  }

  /// A receiver that is asked once in a minute or two says less of the way than the wheel does.
  @Test(arguments: [31, 45, 97, 150]) func betweenRareFixesTheWheelCounts(every: Int) throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 400)
    for _ in 1...3 {
      for second in 1...300 { way.go(5, for: 1, hasFixes: second % every == 0) }
      for second in 1...700 { way.go(0, for: 1, hasFixes: second % every == 0) }
    }
    let rides = way.packets.compactMap(\.ride)
    #expect(rides.count == 3, "\(rides)")
    #expect(near(rides.reduce(0) { $0 + Double($1.distanceMetres) }, 4500, within: 90), "\(rides)")
    #expect(near(way.tracker.distance, 4500, within: 90), "\(way.tracker.distance)")
  }

  @Test func withoutAnyFixAWheelCountsWhatItTurnsForTwentyMetres() throws {
    // Nothing is known of where it is, in a cellar or with a broken receiver.
    for (seconds, isRide) in [(3, false), (300, true)] {
      let way = WheelWay(circumference: 2.1)
      way.go(0, for: 400, hasFixes: false)
      way.go(5, for: seconds, hasFixes: false)
      way.go(0, for: 400, hasFixes: false)
      #expect((way.trip != nil) == isRide && near(way.tracker.distance, isRide ? 1500 : 0, within: 12))
    }
    // What is spun on a stand while an inertial sensor rests is no ride, and what is rolled off while armed is an alarm's matter.
    let spun = WheelWay(circumference: 2.1)
    spun.go(0, for: 400, hasFixes: false, shaking: 0)
    spun.go(5, for: 100, hasFixes: false, shaking: 0)
    #expect(spun.trip == nil && spun.tracker.distance == 0)
    let armed = WheelWay(circumference: 2.1, alerts: true)
    armed.go(0, for: 400)
    armed.go(5, for: 100, hasFixes: false)
    #expect(armed.trip == nil)
  }

  @Test func whatAnInertialSensorAloneHasFeltIsCountedByTheFirstFixAfterIt() throws {
    for back in [30, 200] {
      let way = WheelWay()
      way.go(0, for: 400, hasWheel: false, shaking: 0)
      way.go(5, for: 300, hasFixes: false, hasWheel: false, shaking: 2)
      let end = way.now
      way.go(0, for: back, hasFixes: false, hasWheel: false, shaking: 0)
      way.go(0, for: 700 - back, hasWheel: false, shaking: 0)
      let trip = try #require(way.trip)
      #expect(near(trip.distance, 1500, within: 30), "\(back): \(trip)")
      #expect(abs((try #require(trip.end) - end).secondsDouble) <= 10, "\(back): \(trip)")
      #expect(way.packets.count { $0.ride != nil } == 1)
    }
  }

  /// Reception comes back when it has been parked for long: the way belongs to the ride that is over.
  @Test(arguments: [0, 100]) func whatAFixShowsOfARideThatIsOverIsAddedToIt(seen: Int) throws {
    for back in [400, 3000] {
      let way = WheelWay()
      way.go(0, for: 400, hasWheel: false, shaking: 0)
      way.go(5, for: seen, hasWheel: false, shaking: 2)
      way.go(5, for: 300, hasFixes: false, hasWheel: false, shaking: 2)
      let end = way.now
      way.go(0, for: back, hasFixes: false, hasWheel: false, shaking: 0)
      let told = try #require(way.packets.last { $0.ride != nil }?.ride)
      #expect(near(Double(told.distanceMetres), 5 * Double(seen), within: 30), "\(told)")
      way.go(0, for: 60, hasWheel: false, shaking: 0)
      let whole = 5 * Double(seen + 300)
      let trip = try #require(way.trip)
      #expect(
        near(trip.distance, whole, within: 30) && near(way.tracker.distance, whole, within: 30), "\(back): \(trip)")
      #expect(abs((try #require(trip.end) - end).secondsDouble) <= 10, "\(trip)")
      #expect(way.packets.count { $0.ride != nil } == 1)
      // Kept, and no part of the next.
      way.go(5, for: 100, hasWheel: false, shaking: 2)
      let next = try #require(way.trip)
      #expect(next.end == nil && near(next.distance, 500, within: 30), "\(next)")
    }
  }

  /// Pushed aside in the night, and seen again in the morning: the ride of the morning is no older than that.
  @Test(arguments: [30, 200, 600]) func aRideIsNotDatedBackToWhatWasMovedUnseenBefore(gap: Int) throws {
    let way = WheelWay()
    way.go(0, for: 400, hasWheel: false, shaking: 0)
    way.go(1.4, for: 45, hasFixes: false, hasWheel: false, shaking: 0.4)
    way.go(0, for: 1500, hasFixes: false, hasWheel: false, shaking: 0)
    let seen = way.now
    way.go(0, for: gap, hasWheel: false, shaking: 0)
    let start = way.now
    way.go(5, for: 200, hasWheel: false, shaking: 2)
    let trip = try #require(way.trip)
    #expect(trip.end == nil && trip.start >= seen && abs((trip.start - start).secondsDouble) <= 10, "\(gap): \(trip)")
  }

  /// What was told of the ride as carried stays out of it.
  @Test func aRideThatWasCarriedIsNotMadeLongerAfterwards() throws {
    let way = WheelWay()
    way.go(0, for: 400, hasWheel: false, shaking: 0)
    way.go(5, for: 300, hasFixes: false, hasWheel: false, shaking: 2)
    way.go(0, for: 400, hasFixes: false, hasWheel: false, shaking: 0)
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    way.go(0, for: 60, hasWheel: false, shaking: 0)
    #expect(way.trip?.distance == 0 && way.tracker.isLastRideCarried)
    #expect(near(Double(way.trip?.carried ?? 0), 1500, within: 30) && way.tracker.odometer.metres <= 1)
    let told = way.tracker.odometer.metres
    way.losePower()
    #expect(way.tracker.odometer.metres == told && near(Double(way.trip?.carried ?? 0), 1500, within: 30))
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    #expect(near(Double(way.tracker.odometer.metres), 500, within: 30), "\(way.tracker.odometer.metres)")
  }

  @Test func aWheelIsLearntAndCountsInATunnel() throws {
    let way = WheelWay()
    way.go(0, for: 20)
    way.go(5, for: 300)
    #expect(way.tracker.wheel.isCounting && near(Double(way.tracker.wheel.scale), 2.1, within: 0.03))
    let before = way.tracker.distance
    way.go(12, for: 200, hasFixes: false)
    #expect(near(way.tracker.distance - before, 2400, within: 40), "\(way.tracker.distance - before)")
    way.go(5, for: 60)
    #expect(near(way.tracker.distance - before, 2700, within: 45), "\(way.tracker.distance - before)")
    way.park()
    #expect(near(Double(way.packets.last { $0.kind == .ride }?.ride?.distanceMetres ?? 0), 4200, within: 60))
  }

  @Test func aLongTunnelIsOneRideWhileTheWheelTurns() throws {
    let way = WheelWay(circumference: 2.1, alerts: true)
    way.go(0, for: 20)
    way.go(5, for: 100)
    way.go(5, for: 700, hasFixes: false)
    // A light in it.
    way.go(0, for: 60, hasFixes: false)
    way.go(5, for: 400, hasFixes: false)
    let phase = way.tracker.monitor.phase
    #expect(phase == .riding || phase == .settling)
    way.go(5, for: 100)
    way.park()
    let rides = way.packets.filter { $0.kind == .ride }
    #expect(rides.count == 1 && !way.packets.contains { $0.kind == .movement })
    #expect(near(Double(rides.first?.ride?.distanceMetres ?? 0), 6500, within: 40), "\(rides)")
    let moving = Double(rides.first?.ride?.movingSeconds ?? 0)
    #expect(near(moving, 1300, within: 70), "\(moving)")
  }

  @Test func aWheelThatStandsParksInAGarageAsWithoutOne() throws {
    let way = WheelWay(circumference: 2.1, alerts: true)
    way.go(0, for: 20)
    way.go(5, for: 100)
    way.go(0, for: 621, hasFixes: false)
    let isArmed = way.tracker.monitor.isArmed
    #expect(isArmed)
  }

  @Test func withoutReadingsNothingIsAsMuchAsABitDifferent() throws {
    let (plain, set) = (WheelWay(), WheelWay(circumference: 2.1))
    for way in [plain, set] {
      way.go(0, for: 20, hasWheel: false)
      way.go(5, for: 200, hasWheel: false)
      way.go(0, for: 310, hasWheel: false)
    }
    #expect(plain.tracker.distance == set.tracker.distance && plain.packets == set.packets)
    #expect(plain.tracker.odometer == set.tracker.odometer)
  }

  @Test func theCircumferenceIsASettingThatCountsAtOnce() throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 20)
    way.go(5, for: 60)
    #expect(way.tracker.wheel.isCounting && way.tracker.wheel.counted > 270)
    #expect(way.tracker.wheel.deviation == WheelScale.aim)
    // What was measured wrong is learnt: two stretches that agree.
    let wrong = WheelWay(circumference: 1.5)
    wrong.go(0, for: 20)
    wrong.go(5, for: 300)
    #expect(near(Double(wrong.tracker.wheel.scale), 2.1, within: 0.04), "\(wrong.tracker.wheel.scale)")
  }

  @Test func aRestartKeepsWhatIsKnownOfTheWheel() throws {
    let way = WheelWay()
    way.go(0, for: 20)
    way.go(5, for: 300)
    let (wheel, distance) = (way.tracker.wheel, way.tracker.distance)
    way.losePower()
    #expect(near(Double(way.tracker.wheel.scale), Double(wheel.scale), within: 0.01))
    #expect(way.tracker.wheel.deviation <= WheelScale.aim && way.tracker.wheel.counted > 50)
    #expect(way.tracker.distance > distance - 101)
    way.go(5, for: 20)
    #expect(way.tracker.wheel.isCounting)
    way.go(5, for: 200, hasFixes: false)
    way.go(5, for: 30)
    #expect(near(way.tracker.distance - distance, 1250, within: 130), "\(way.tracker.distance - distance)")
  }

  @Test func aStateOfBeforeThereWereWheelsIsRead() throws {
    let way = WheelWay()
    way.go(0, for: 20, hasWheel: false)
    way.go(5, for: 100, hasWheel: false)
    let plain = way.state
    #expect(way.tracker.wheel.kept == nil)
    way.go(5, for: 1)
    let distance = way.tracker.distance
    // The section of the ride ends where it did before.
    var next = Tracker()
    let isRestored = next.restore(plain.span, at: .zero)
    #expect(isRestored && next.wheel.kept == nil && next.distance > distance - 110)
    #expect(way.state.count >= plain.count)
  }

  @Test func aSensorThatDiesLosesNothing() throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 20)
    way.go(5, for: 100)
    way.go(5, for: 100, hasWheel: false)
    way.go(0, for: 310, hasWheel: false)
    #expect(near(way.tracker.distance, 1000, within: 15), "\(way.tracker.distance)")
    #expect(!way.tracker.wheel.isCounting)
  }
}

/// Ferries, trains and car racks.
@Suite struct CarriedTests {
  /// A ride of 500 m to a train, 2500 m in it, and 250 m from it.
  private func train(_ way: WheelWay, hasWheel: Bool = true) {
    way.go(0, for: 20, hasWheel: hasWheel)
    way.go(5, for: 100, hasWheel: hasWheel)
    way.go(0, for: 20, hasWheel: hasWheel)
    way.go(25, for: 100, wheel: 0, hasWheel: hasWheel)
    way.go(0, for: 20, hasWheel: hasWheel)
    way.go(5, for: 50, hasWheel: hasWheel)
  }

  @Test func aTrainIsNoPartOfTheRideAndTheRideSaysSo() throws {
    let way = WheelWay(circumference: 2.1)
    train(way)
    way.park()
    let packet = try #require(way.packets.last { $0.kind == .ride })
    #expect(near(Double(packet.ride?.distanceMetres ?? 0), 750, within: 40), "\(packet)")
    #expect(near(Double(packet.carriedMetres), 2500, within: 60), "\(packet)")
    #expect(near(way.tracker.distance, 750, within: 40))
    // A later ride has none of it.
    way.go(5, for: 60)
    way.park()
    #expect(way.packets.last { $0.kind == .ride }?.carriedMetres == 0)
  }

  @Test func aRestartOnTheTrainKeepsWhatWasCarried() throws {
    let way = WheelWay(circumference: 2.1)
    way.go(0, for: 20)
    way.go(5, for: 100)
    way.go(0, for: 20)
    way.go(25, for: 100, wheel: 0)
    let carried = way.trip?.carried ?? 0
    way.tracker.submit(.ping, at: way.now)
    way.settle()
    way.losePower()
    #expect(
      near(Double(way.trip?.carried ?? 0), Double(carried), within: 200), "\(way.trip?.carried ?? 0) of \(carried)")
    #expect(way.tracker.wheel.isCarried)
  }

  @Test func aStolenBikeOnAVanAlarmsAsWithoutAWheel() throws {
    for hasWheel in [false, true] {
      let way = WheelWay(circumference: hasWheel ? 2.1 : 0, alerts: true)
      way.go(0, for: 400, hasWheel: hasWheel)
      let isArmed = way.tracker.monitor.isArmed
      #expect(isArmed)
      way.go(12, for: 200, wheel: 0, hasWheel: hasWheel)
      let phase = way.tracker.monitor.phase
      #expect(phase == .stolen)
      #expect(way.packets.contains { $0.kind == .movement })
    }
  }

  @Test func theOwnerSaysThatTheLastRideWasCarried() throws {
    let way = WheelWay()
    way.go(0, for: 20, hasWheel: false)
    way.go(5, for: 100, hasWheel: false)
    way.park()
    way.go(20, for: 100, hasWheel: false)
    way.park()
    let (measured, before) = (way.tracker.distance, way.tracker.odometer)
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    let after = way.tracker.odometer
    #expect(way.tracker.distance == measured, "what was measured never falls")
    #expect(near(Double(before.metres - after.metres), 2000, within: 30) && after.source == .corrected)
    #expect(after.change?.before == before.metres && after.change?.after == after.metres)
    #expect(way.trip?.distance == 0 && near(Double(way.trip?.carried ?? 0), 2000, within: 30))
    #expect(way.packets.last?.status?.reason == .odometerCorrected)
    // Said again, also after a restart, it changes nothing.
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    #expect(way.tracker.odometer == after)
    way.losePower()
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    #expect(way.tracker.odometer.metres == after.metres && way.trip?.distance == 0)
    #expect(near(Double(way.trip?.carried ?? 0), 2000, within: 30))
    // The next ride counts.
    way.go(5, for: 100, hasWheel: false)
    #expect(near(Double(way.tracker.odometer.metres - after.metres), 500, within: 30) && way.trip?.carried == 0)
  }

  @Test func aRideThatIsSaidToBeCarriedIsSoToItsEnd() throws {
    let way = WheelWay()
    way.go(0, for: 20, hasWheel: false)
    way.go(20, for: 50, hasWheel: false)
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    let stood = way.tracker.odometer
    #expect(stood.metres <= 10 && way.trip?.distance == 0)
    way.go(20, for: 50, hasWheel: false)
    #expect(way.tracker.odometer.metres == stood.metres, "it stands until the ride is over")
    #expect(way.trip?.distance == 0 && near(Double(way.trip?.carried ?? 0), 2000, within: 40))
    way.park()
    let packet = try #require(way.packets.last { $0.kind == .ride })
    #expect(packet.ride?.distanceMetres == 0 && near(Double(packet.carriedMetres), 2000, within: 40), "\(packet)")
    #expect(packet.distanceMetres == UInt32(stood.metres))
    #expect(way.tracker.odometer.metres == stood.metres && way.tracker.odometer.change == stood.change)
    #expect(near(way.tracker.distance, 2000, within: 30))
  }

  @Test func beforeTheFirstRideThereIsNothingToTakeOut() throws {
    let way = WheelWay()
    way.go(0, for: 20)
    let before = way.tracker.odometer
    way.tracker.submit(.odometer(.carried), at: way.now)
    way.settle()
    #expect(way.tracker.odometer == before && way.packets.last?.status?.reason == .odometerMeasured)
  }

  @Test func whatTravelsForMinutesWithoutBeingFeltIsCarried() throws {
    let way = WheelWay()
    way.feels(shaking: 2, for: 10)
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    way.go(0, for: 20, hasWheel: false, shaking: 0)
    let before = way.tracker.distance
    // A ferry on a calm lake.
    way.go(6, for: 300, hasWheel: false, shaking: 0)
    #expect(near(way.tracker.distance - before, 0, within: 80), "\(way.tracker.distance - before)")
    #expect(near(Double(way.trip?.carried ?? 0), 1800, within: 300), "\(way.trip?.carried ?? 0)")
    way.go(5, for: 60, hasWheel: false, shaking: 2)
    #expect(near(way.tracker.distance - before, 300, within: 100), "\(way.tracker.distance - before)")
  }

  /// In the underground no fix sees it go; an inertial sensor feels the stairs at either end.
  @Test(arguments: [200, 280, 400]) func whatIsCarriedUnseenIsTooFarForTheTimeThatWasFelt(seconds: Int) throws {
    let way = WheelWay()
    way.feels(shaking: 2, for: 10)
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    let (before, doubt) = (way.tracker.distance, way.tracker.odometer.uncertainty)
    way.go(1, for: 20, hasFixes: false, hasWheel: false, shaking: 2)
    way.go(30, for: seconds, hasFixes: false, hasWheel: false, shaking: 0)
    way.go(1, for: 20, hasFixes: false, hasWheel: false, shaking: 2)
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    let far = way.tracker.distance - before - 500
    // At most what forty seconds and as many of waiting can be ridden.
    #expect(far >= 30 && far <= 80 * 10, "\(far)")
    #expect(way.tracker.odometer.uncertainty > doubt + 0.3 * far)
  }

  @Test(arguments: [0, 1, 2, 4]) func inATunnelTurnsAreFelt(quarters: Int) throws {
    let way = WheelWay()
    way.feels(shaking: 0, for: 20)
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    let before = way.tracker.distance
    // As many quarters of a circle, also out where it went in.
    way.go(5, for: 60, hasFixes: false, hasWheel: false, shaking: 2, turning: Double(quarters) * .pi / 120)
    let phase = way.tracker.monitor.phase
    #expect(phase == .riding)
    way.go(5, for: 60, hasWheel: false, shaking: 2)
    // In noise that turns the direction by 25 degrees in that minute.
    #expect(near(way.tracker.distance - before, 600, within: 50), "\(way.tracker.distance - before)")
  }

  @Test func aMinuteThatIsNotFeltIsRidden() throws {
    let way = WheelWay()
    way.feels(shaking: 2, for: 10)
    way.go(5, for: 100, hasWheel: false, shaking: 2)
    way.go(5, for: 90, hasWheel: false, shaking: 0)
    way.go(5, for: 60, hasWheel: false, shaking: 2)
    #expect(near(way.tracker.distance, 1250, within: 30) && way.trip?.carried == 0, "\(way.tracker.distance)")
  }
}
