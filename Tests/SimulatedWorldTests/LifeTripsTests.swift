import MotionEvaluation
import Quantities
import Testing
import TrackerCore
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

@Suite struct LifeTripsTests {
  /// A ride of 1 km from 1000 s to 1200 s, told as given, in another world for each fault.
  private static func broken(
    told: [(from: Int, to: Int)] = [(1000, 1200)], odometer: Double = 1000, isOwners: Bool = true, excuse: Bool = false,
    wheelTrouble: Bool = false
  ) -> [LifePromise] {
    let checker = LifeChecker()
    var trips = LifeTrips(every: 1, sigma: 3)
    trips.begin(.ride, isOwners: isOwners, from: .seconds(1000), to: .seconds(1200))
    for second in 0...200 {
      _ = trips.move(east: 3 * Double(second), north: 4 * Double(second), at: .seconds(1000 + second))
    }
    if wheelTrouble { trips.noteWheelTrouble(from: .seconds(1100), until: .seconds(1300)) }
    trips.begin(.stand, isOwners: false, from: .seconds(1200), to: .seconds(9000))
    for (start, end) in told { trips.noteTold(from: .seconds(start), to: .seconds(end), at: .seconds(1500)) }
    #expect(!trips.isSettled(at: .seconds(4799)))
    trips.settle(at: .seconds(4800), isExcused: { _, _ in excuse }, checker: checker)
    #expect(trips.isSettled(at: .seconds(4801)))
    trips.judge(odometer: odometer, uncertainty: 6, at: .seconds(4801), checker: checker)
    trips.settle(at: .seconds(9000), isExcused: { _, _ in excuse }, checker: checker)
    return checker.broken.map(\.promise)
  }

  @Test func aRideThatIsToldAsItWasIsRight() {
    #expect(LifeTripsTests.broken() == [])
    #expect(LifeTripsTests.broken(told: [(988, 1212)]) == [])
  }

  @Test func aRideThatIsMissingLateSplitOrJoinedIsBroken() {
    #expect(LifeTripsTests.broken(told: []) == [.ridesAreTold])
    #expect(LifeTripsTests.broken(told: [(987, 1200)]) == [.ridesAreTold])
    #expect(LifeTripsTests.broken(told: [(1000, 1213)]) == [.ridesAreTold])
    #expect(LifeTripsTests.broken(told: [(1000, 1100), (1100, 1200)]) == [.ridesAreTold])
    #expect(LifeTripsTests.broken(told: [(1000, 1200), (1300, 1400)]) == [.ridesAreTold], "one that nobody rode")
    #expect(LifeTripsTests.broken(told: [], excuse: true) == [])
    #expect(LifeTripsTests.broken(told: [(1000, 1200), (1300, 1400)], excuse: true) == [])
  }

  @Test func aThiefsRideNeedNotBeToldAndMayBe() {
    #expect(LifeTripsTests.broken(told: [], odometer: 0, isOwners: false) == [])
    #expect(LifeTripsTests.broken(odometer: 1000, isOwners: false) == [])
  }

  @Test func theOdometerIsRightWithinThreeOfItsDeviations() {
    // And a metre for its whole ones.
    for (metres, isRight) in [(980.5, false), (981.5, true), (1018.5, true), (1019.5, false)] {
      #expect(LifeTripsTests.broken(odometer: metres) == (isRight ? [] : [.odometerIsTrue]), "\(metres)")
    }
    // Of a ride that the tracker could not see all may be missing; of one without a good wheel a tenth.
    #expect(LifeTripsTests.broken(odometer: 0, excuse: true) == [])
    #expect(LifeTripsTests.broken(odometer: 890, wheelTrouble: true) == [])
    #expect(LifeTripsTests.broken(odometer: 840, wheelTrouble: true) == [.odometerIsTrue])
  }

  @Test func aWheelCountsWhatItTurnsAndLessOrMoreInTrouble() {
    func pulses(_ fault: WheelFault?) -> UInt32? {
      var wheel = LifeWheel(metresPerPulse: 2)
      if let fault { wheel.begin(fault, until: .seconds(150)) }
      for second in 0..<300 { wheel.roll(4, at: .seconds(second)) }
      return wheel.reading(at: .seconds(149))?.pulses
    }
    #expect(pulses(nil) == 600 && pulses(.silent) == nil)
    #expect(pulses(.stuck) == 300 && pulses(.missed) == 500 && pulses(.doubled) == 700)
    var wheel = LifeWheel(metresPerPulse: 2)
    wheel.begin(.silent, until: .seconds(10))
    wheel.roll(5, at: .seconds(5))
    #expect(wheel.reading(at: .seconds(9)) == nil)
    #expect(wheel.reading(at: .seconds(10)) == WheelReading(time: .seconds(10), pulses: 2))
  }

  /// What a log has of the wheel.
  private final class WheelLog: RunLog {
    var pulses: [UInt32] = []

    func append(configuration: Span<UInt8>) {}
    func append(_ input: TrackerInput, bytes: Span<UInt8>) {
      if case .reading(.wheel(let reading)) = input { pulses.append(reading.pulses) }
    }
    func append(tick time: Instant) {}
    func append(acknowledgement sequence: UInt32, at time: Instant) {}
    func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) {}
    func append(action: Span<UInt8>, at time: Instant) {}
    func append(output: Span<UInt8>, to port: UInt8, at time: Instant) {}
  }

  @Test func aTrackerWithAWheelSensorHearsItAndItsRidesAndItsOdometerAreRight() throws {
    var life = LifeTests.ride()
    life.wheel = LifeWheel(metresPerPulse: 2)
    let log = WheelLog()
    let report = try LifeRun(life) { _ in log }.live()
    #expect(report.broken == [] && report.judgedRides == 1 && report.ridden == 1)
    #expect((2900...3000).contains(report.metres))
    #expect(log.pulses.last == UInt32(report.metres / 2) && log.pulses.count > 4900)
    #expect(report.checks[.ridesAreTold] ?? 0 >= 1 && report.checks[.odometerIsTrue] ?? 0 >= 1)
    // Every third pulse is missed on the way: the tracker sees it and counts by fixes.
    life.plan = LifePlan([LifeEvent(.wheel(.missed, lasting: .seconds(300)), at: .seconds(900))])
    let missed = try LifeRun(life).live()
    #expect(missed.broken == [] && missed.faults["wheel"] == 1)
  }

  @Test func ridesOfAPacketAreReadInUTCAndOnTheTrackersClock() {
    let utc = PacketFields(
      Array("{\"ride\":{\"start\":\"2026-06-01T00:00:01.500Z\",\"end\":\"2026-06-01T00:01:00.000Z\"}}".utf8))
    #expect(utc?.ride?.start == .utc(1_780_272_001_500) && utc?.ride?.end == .utc(1_780_272_060_000))
    let uptime = PacketFields(Array("{\"ride\":{\"start\":1.5,\"end\":60}}".utf8))
    #expect(uptime?.ride?.start == .uptime(1.5) && uptime?.ride?.end == .uptime(60))
    #expect(PacketFields(Array("{\"ride\":{\"start\":null,\"end\":60}}".utf8))?.ride == nil)
  }
}
