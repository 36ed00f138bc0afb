import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A rider with limits, a fix a second.
private final class Rider {
  var tracker: Tracker
  var phase: MotionPhase { tracker.monitor.phase }
  private(set) var told: [(kind: DrivingExcess, value: Float, since: Instant, at: Instant)] = []
  private(set) var notices: [Packet] = []
  private(set) var now = Instant.seconds(1000)
  private var position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
  private var speed = 0.0

  /// - Parameter isRiding: Whether a ride is under way already, at 5 m/s.
  init(isRiding: Bool = true, _ change: (inout DrivingParameters) -> Void) {
    var configuration = TrackerConfiguration()
    change(&configuration.driving)
    tracker = Tracker(configuration: configuration)
    if isRiding {
      for _ in 0..<5 { fix(0) }
      for _ in 0..<30 { fix(5) }
      told = []
      notices = []
    }
  }

  private func settle() {
    while let action = tracker.nextAction() {
      switch action {
      case .event(let event):
        if case .driving(let kind, let value, let since) = event.kind { told.append((kind, value, since, event.time)) }
      case .transmit(let sequence, let kind):
        guard kind == .status, let place = tracker.outbox.place(of: sequence) else { continue }
        notices.append(tracker.outbox.packet(at: place))
      default: break
      }
    }
  }

  func fix(_ speed: Double?, course: Double? = 0, after seconds: Double = 1) {
    now = now + Interval(microseconds: Int64(seconds * 1e6))
    if let speed, speed.isFinite { self.speed = speed }
    if let last = position {
      position = GeodeticPosition(
        latitudeE9: last.latitudeE9 + Int64(self.speed * seconds * 1e9 / 111_267), longitudeE9: last.longitudeE9)
    }
    tracker.advance(to: now)
    settle()
    var fix = GNSSFix(time: now)
    fix.mode = .threeDimensional
    fix.position = position
    fix.speed = speed
    fix.course = course
    fix.horizontalAccuracy = 3
    tracker.process(fix)
    settle()
  }
}

@Suite struct DrivingTests {
  @Test func withoutLimitsNothingIsTold() {
    let rider = Rider { _ in }
    for speed in [5.0, 30, 60, 5, 0, 30, 0] { rider.fix(speed, course: speed) }
    #expect(rider.told.isEmpty && rider.notices.isEmpty)
  }

  @Test func tooFastForLongEnoughIsToldOnceAndAgainAfterItWasSlower() {
    let rider = Rider { ($0.speedLimit, $0.speedDuration) = (8, .seconds(5)) }
    for _ in 0..<10 { rider.fix(8) }
    #expect(rider.told.isEmpty, "the limit itself is allowed")
    let begin = rider.now
    for _ in 0..<5 { rider.fix(8.1) }
    #expect(rider.told.isEmpty)
    rider.fix(9)
    #expect(rider.told.count == 1 && rider.told[0].kind == .overspeed && rider.told[0].value == 9)
    #expect(rider.told[0].since == begin + .seconds(1) && rider.told[0].at == begin + .seconds(6))
    // A little slower is not over.
    for speed in [7.3, 8.5, 8.5, 8.5, 8.5, 8.5, 8.5, 8.5] { rider.fix(speed) }
    #expect(rider.told.count == 1)
    for speed in [7.1, 8.5, 8.5, 8.5, 8.5, 8.5] { rider.fix(speed) }
    #expect(rider.told.count == 1)
    rider.fix(8.5)
    #expect(rider.told.count == 2)
    #expect(rider.notices.isEmpty, "notices are off")
  }

  @Test func aSingleFixThatLiesIsNeverTold() {
    let rider = Rider {
      ($0.speedLimit, $0.accelerationLimit, $0.brakingLimit, $0.corneringLimit) = (8, 3, 3, 3)
    }
    for _ in 0..<5 {
      for _ in 0..<6 { rider.fix(5, course: 1) }
      rider.fix(40, course: 2.5)
    }
    #expect(rider.told.isEmpty, "\(rider.told)")
    for speed in [Double.nan, -1, nil] {
      rider.fix(speed, course: .nan)
      rider.fix(speed, course: .nan)
      rider.fix(speed, course: .nan)
    }
    #expect(rider.told.isEmpty)
  }

  @Test func hardAccelerationAndBrakingAreToldFromTheLimitOn() {
    for (limit, isTold) in [(Float(2.4), true), (2.5, false)] {
      let rider = Rider { ($0.accelerationLimit, $0.brakingLimit, $0.forceDuration) = (limit, limit, .seconds(2)) }
      for speed in [7.5, 10, 12.5, 15] { rider.fix(speed) }
      #expect(rider.told.map(\.kind) == (isTold ? [.hardAcceleration] : []), "\(limit)")
      for speed in [15, 12.5, 10, 7.5] { rider.fix(speed) }
      #expect(rider.told.map(\.kind) == (isTold ? [.hardAcceleration, .hardBraking] : []), "\(limit)")
      guard isTold, rider.told.count == 2 else { continue }
      #expect(rider.told[1].value == 2.5 && rider.told[1].at - rider.told[1].since == .seconds(2))
    }
    // Not long enough.
    let rider = Rider { ($0.brakingLimit, $0.forceDuration) = (2, .seconds(3)) }
    for speed in [15.0, 12, 9, 9, 6, 3, 0] { rider.fix(speed) }
    #expect(rider.told.count == 1 && rider.told[0].at == rider.now)
  }

  /// The noise of speeds must not hide a brake, nor make one, however often the receiver tells them.
  @Test(arguments: [1.0, 2, 5, 10]) func hardBrakingAndBendsAreToldAtEveryRate(hertz: Double) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let rider = Rider {
        ($0.brakingLimit, $0.accelerationLimit, $0.corneringLimit, $0.forceDuration) = (2.5, 2.5, 4, .seconds(1))
      }
      func go(_ seconds: Double, _ speed: (Double) -> Double, turning: Double = 0) {
        for step in 1...Int(seconds * hertz) {
          let time = Double(step) / hertz
          rider.fix(
            max(0, speed(time) + 0.1 * random.normal()), course: time * turning + 0.035 * random.normal(),
            after: 1 / hertz)
        }
      }
      go(20, { min(5 + 0.5 * $0, 12) })
      go(20, { _ in 12 })
      #expect(rider.told.isEmpty, "\(hertz) Hz: \(rider.told)")
      go(3, { 12 - 3.4 * $0 })
      go(20, { 1.8 + 0.5 * $0 })
      #expect(rider.told.map(\.kind) == [.hardBraking], "\(hertz) Hz, \(seed)")
      go(4, { _ in 11.8 }, turning: 0.47)
      #expect(rider.told.map(\.kind) == [.hardBraking, .hardCornering], "\(hertz) Hz, \(seed)")
    }
  }

  @Test func fixesFarApartSayNothingOfHowHardItWas() {
    let rider = Rider { ($0.brakingLimit, $0.forceDuration) = (0.5, .seconds(2)) }
    rider.fix(20, after: 6)
    rider.fix(10, after: 5.001)
    #expect(rider.told.isEmpty)
    rider.fix(20, after: 6)
    rider.fix(10, after: 5)
    #expect(rider.told.count == 1)
  }

  @Test func aHardBendIsToldAlsoAcrossNorthAndASlowTurnIsNot() {
    // 10 m/s and 0.35 rad/s are 3.5 m/s².
    for (limit, isTold) in [(Float(3.4), true), (3.6, false)] {
      let rider = Rider { ($0.corneringLimit, $0.forceDuration) = (limit, .seconds(2)) }
      rider.fix(10, course: 5.9)
      rider.fix(10, course: 6.25)
      #expect(rider.told.isEmpty)
      rider.fix(10, course: 0.317)
      #expect(rider.told.map(\.kind) == (isTold ? [.hardCornering] : []), "\(limit)")
    }
    for (speed, isTold) in [(2.9, false), (3.0, true)] {
      let rider = Rider { ($0.corneringLimit, $0.forceDuration) = (1, .seconds(2)) }
      for course in [0, 1, 2, 3] as [Double] { rider.fix(speed, course: course) }
      #expect(rider.told.isEmpty != isTold, "\(speed)")
    }
  }

  @Test func aNoticeTellsTheServerWhenTheOwnerWantsThat() throws {
    let rider = Rider { ($0.speedLimit, $0.speedDuration, $0.notices) = (8, .zero, true) }
    rider.fix(9.25)
    let notice = try #require(rider.notices.first)
    #expect(rider.told.count == 1 && rider.notices.count == 1 && notice.status?.reason == .overspeed)
    let value = try #require(notice.value)
    #expect(String(decoding: (0..<Int(value.count)).map { value[$0] }, as: UTF8.self) == "9.3")
    #expect(PacketMeaning(notice) == .overspeed)
    for (reason, meaning) in [
      (StatusReason.hardAcceleration, PacketMeaning.hardAcceleration), (.hardBraking, .hardBraking),
      (.hardCornering, .hardCornering), (.pong, .answer),
    ] {
      var packet = notice
      packet.status = PacketStatus(reason: reason, alertsEnabled: true)
      #expect(PacketMeaning(packet) == meaning)
    }
  }

  @Test func aVehicleThatIsDrivenOffIsNotToldToSlowDown() {
    let rider = Rider(isRiding: false) { ($0.speedLimit, $0.speedDuration) = (2, .zero) }
    for _ in 0..<400 { rider.fix(0) }
    for _ in 0..<10 { rider.fix(15) }
    #expect(rider.phase != .riding && rider.told.isEmpty)
  }
}
